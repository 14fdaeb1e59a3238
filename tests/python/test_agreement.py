"""An error that one rank finds, or arguments that differ between ranks, are errors on every rank, and leave no objects behind."""
import unittest

import numpy
import ompfact
from everywhere import NB, Case, main, random


class Agreement(Case):
    def raised_everywhere(self, kind, words, call):
        """The call raises the error on every rank, and afterwards all ranks continue together."""
        matrices = self.grid.matrices
        with self.assertRaises(kind) as caught:
            call()
        self.assertIn(words, str(caught.exception))
        self.grid.collect()
        self.assertEqual(self.grid.matrices, matrices)
        self.close_to(ompfact.solve(numpy.eye(9), numpy.ones(9), grid=self.grid), numpy.ones(9))

    def test_arrays_that_differ(self):
        alone, rank = self.grid.size == 1, self.grid.rank
        n, ones = 600, numpy.ones(600)
        equal = n * numpy.eye(n) + random((n, n))
        A = ompfact.Matrix.from_array(equal, self.grid, nb=100)
        lu = ompfact.lu_factor(equal, grid=self.grid)
        own = random((n, n), seed=100 + rank)
        nearly = equal.copy()
        nearly[:40, :40] *= 1 + 1e-6 * rank         # in a sample of a large array some elements differ
        small = numpy.eye(30)
        small[17, 3] = rank                         # of a small array every element is compared
        for name, call in (("a", lambda: ompfact.solve(own, ones, grid=self.grid)),
                           ("b", lambda: ompfact.solve(equal, own[0], grid=self.grid)),
                           ("b", lambda: ompfact.lstsq(A, own[:, :2])),
                           ("b", lambda: ompfact.lu_solve(lu, own[:, 0])),
                           ("a", lambda: ompfact.solve(nearly, ones, grid=self.grid)),
                           ("a", lambda: ompfact.inv(small, grid=self.grid)),
                           ("a", lambda: ompfact.qr(small.astype("F"), grid=self.grid)),
                           ("a", lambda: ompfact.Matrix.from_array(own, self.grid)),
                           ("b", lambda: A.rhs(1, own[:, :1])),
                           ("x", lambda: A @ own[0])):
            if alone:
                call()
            else:
                self.raised_everywhere(ValueError, f"{name} differs between the ranks: that of rank 1", call)

    def test_rounding_does_not_differ(self):
        """Arrays that differ by rounding, in their order in memory or of bytes, are equal."""
        a, b = random((80, 80)) + 9 * numpy.eye(80), random(80)
        mine = a * (1 + 1e-15 * self.grid.rank)
        self.close_to(ompfact.solve(mine, b, grid=self.grid), numpy.linalg.solve(a, b), 10)
        odd = self.grid.rank % 2
        mine = numpy.asfortranarray(a).astype(">f8") if odd else a
        self.close_to(ompfact.solve(mine, b, grid=self.grid), numpy.linalg.solve(a, b), 10)
        for value in (1e300, 1e-300, numpy.nan, numpy.inf):
            self.assertEqual(ompfact.Matrix.from_array(numpy.full((9, 9), value), self.grid).shape, (9, 9))

    def test_calls_that_differ(self):
        if self.grid.size == 1:
            return
        first, eye, ones = self.grid.rank == 0, numpy.eye(20), numpy.ones(20)
        for call in (lambda: ompfact.solve(eye[:20 - first, :20 - first], ones[:20 - first], grid=self.grid),
                     lambda: ompfact.solve(eye.astype("fd"[first]), ones, grid=self.grid),
                     lambda: ompfact.solve(eye, ones, lower=first, grid=self.grid),
                     lambda: ompfact.inv(eye, grid=self.grid) if first else ompfact.lu_factor(eye, grid=self.grid),
                     lambda: ompfact.Matrix(20 + first, grid=self.grid),
                     lambda: ompfact.Matrix(20, grid=self.grid, owner=(lambda i, j: 0) if first else None),
                     lambda: ompfact.Matrix(20, grid=self.grid, speeds=[1.0 + first] * self.grid.size)):
            self.raised_everywhere(ValueError, "the ranks' calls differ", call)

    def test_errors_of_one_rank_alone(self):
        last, eye, ones = self.grid.rank == self.grid.size - 1, numpy.eye(20), numpy.ones(20)
        A = ompfact.Matrix.from_array(eye, self.grid, nb=NB)
        self.raised_everywhere(ValueError, "the right-hand side is (19,)",
                               lambda: ompfact.solve(eye, ones[last:], grid=self.grid))
        self.raised_everywhere(TypeError, "not object", lambda: ompfact.solve(A, ones.astype(object if last else float)))
        self.raised_everywhere(TypeError, "not int32", lambda: ompfact.Matrix(20, numpy.int32 if last else float, self.grid))
        self.raised_everywhere(ValueError, "structure is one of",
                               lambda: ompfact.Matrix(20, grid=self.grid, structure="low" if last else "lower"))

    def test_exceptions_in_callbacks(self):
        last = self.grid.rank == self.grid.size - 1

        def owner(i, j):
            return 1 // (i != 3)

        def owner_on_the_last(i, j):
            return 1 // (i != 3 or not last)

        def entry(i, j):
            return numpy.zeros((2, 3, 4)) if last else 1.0

        for function in (owner, owner_on_the_last):
            self.raised_everywhere(ZeroDivisionError, "division", lambda: ompfact.Matrix(50, grid=self.grid, nb=10, owner=function))
        for wrong in (lambda i, j: None, lambda i, j: 0.0):
            self.raised_everywhere(TypeError, "integer", lambda: ompfact.Matrix(50, grid=self.grid, nb=10, owner=wrong))
        self.raised_everywhere(ValueError, "broadcast", lambda: ompfact.Matrix.from_function(entry, 50, grid=self.grid, nb=10))
        self.assertRaises(ZeroDivisionError, ompfact.Plan, "getrf", 50, nb=10, owner=owner)


if __name__ == "__main__":
    main()
