"""Arguments have the order and the meaning of scipy.linalg's, and its warnings. The order is compared where SciPy is installed."""
import inspect
import unittest
import warnings

import numpy
import ompfact
from everywhere import DTYPES, NB, Case, main, positive_definite, random

try:
    import scipy.linalg
except ImportError:
    scipy = None
N = 50
TYPES = DTYPES[1:3]      # a real and a complex type, in double and in single


class AsScipys(Case):
    def test_arguments_are_in_scipys_order(self):
        if scipy is None:
            self.skipTest("there is no SciPy")
        left_out = {"sym_pos", "debug", "lapack_driver"}        # newer versions of SciPy left out two of them
        for name in ("solve", "cholesky", "cho_factor", "cho_solve", "lu_factor", "lu_solve", "solve_triangular", "qr", "lstsq", "inv",
                     "det", "ldl"):
            ours, theirs = ([p.name for p in inspect.signature(getattr(library, name)).parameters.values()
                             if p.kind is p.POSITIONAL_OR_KEYWORD and p.name not in left_out] for library in (ompfact, scipy.linalg))
            self.assertEqual(ours[1:], theirs[1:], name)

    def test_other_orders_are_refused(self):
        a = numpy.eye(N)
        for wrong in (lambda: ompfact.solve(a, a, "pos", grid=self.grid), lambda: ompfact.qr(a, "full", grid=self.grid),
                      lambda: ompfact.inv(a, "pos", grid=self.grid), lambda: ompfact.solve_triangular(a, a, 0, "L", grid=self.grid)):
            self.assertRaises(TypeError, wrong)

    def test_assume_a(self):
        b = random((N, 2), complex)
        for dtype in TYPES:
            a = random((N, N), dtype) + 9 * numpy.eye(N, dtype=dtype)
            for lower in (False, True):
                half = numpy.tril(a) if lower else numpy.triu(a)
                triangle = "lower triangular" if lower else "upper triangular"
                strict = half - numpy.diag(a.diagonal())
                for kind, whole in ((triangle, half), ("sym", half + strict.T),
                                    ("her", strict + strict.conj().T + numpy.diag(a.diagonal().real))):
                    for transposed in (False, True):
                        x = ompfact.solve(a, b, lower=lower, assume_a=kind, transposed=transposed, grid=self.grid)
                        self.close_to((whole.T if transposed else whole) @ x, b.astype(x.dtype), 10)
            p = positive_definite(N, dtype)
            x = ompfact.solve(p, b, assume_a="pos", transposed=True, grid=self.grid)
            self.close_to(p.T @ x, b.astype(x.dtype), 10)
        self.assertRaises(ValueError, ompfact.solve, p, b, assume_a="banded", grid=self.grid)

    def test_factors_and_triangles(self):
        for dtype in TYPES:
            a, p, b = random((N, N), dtype), positive_definite(N, dtype), random((N, 3), dtype, 2)
            lu = ompfact.lu_factor(a, grid=self.grid)
            for trans, op in ((0, a), (1, a.T), (2, a.conj().T)):
                self.close_to(ompfact.lu_solve(lu, b, trans), numpy.linalg.solve(op, b), 100)
            for lower in (False, True):
                c = ompfact.cholesky(p, lower, grid=self.grid)
                wanted = numpy.linalg.cholesky(p)
                self.close_to(c, wanted if lower else wanted.conj().T)
                factor, _ = ompfact.cho_factor(p, lower, grid=self.grid)
                P = ompfact.Matrix.from_array(p, self.grid, structure="lower" if lower else "upper", nb=NB)
                C = ompfact.cholesky(P)
                self.close_to(C.to_array(), c)
                for trans, op in ((0, c), (1, c.T), ("C", c.conj().T)):
                    for given in (c, factor, C, ompfact.Matrix.from_array(c, self.grid, nb=NB)):
                        self.close_to(ompfact.solve_triangular(given, b, trans, lower, grid=self.grid), numpy.linalg.solve(op, b), 10)
                unit = (numpy.tril(a, -1) if lower else numpy.triu(a, 1)) / N
                x = ompfact.solve_triangular(unit, b[:, 0], 0, lower, True, grid=self.grid)
                self.close_to(x, numpy.linalg.solve(unit + numpy.eye(N, dtype=dtype), b[:, 0]), 10)
        with self.assertRaises(ompfact.LinAlgError) as caught:
            ompfact.solve_triangular(numpy.diag([1.0] * 20 + [0] * 30), b, grid=self.grid)
        self.assertEqual(caught.exception.info, 21)
        self.assertEqual(ompfact.LinAlgError.__module__, "ompfact")        # not the module that defines it

    def test_numbers_that_are_not_finite(self):
        a, b = positive_definite(N), random(N)
        for bad in (numpy.nan, numpy.inf):
            wrong, right_hand = a.copy(), b.copy()
            wrong[30, 7] = right_hand[3] = bad
            A = ompfact.Matrix.from_array(wrong, self.grid, nb=NB)
            for call in (ompfact.inv, ompfact.det, ompfact.qr, ompfact.lu_factor, ompfact.cholesky, ompfact.rcond,
                         lambda x, **how: ompfact.solve(x, b, **how), lambda x, **how: ompfact.lstsq(x, b, **how)):
                if call is ompfact.cholesky:
                    self.assertRaises(ValueError, call, wrong, lower=True, grid=self.grid)
                    call(wrong, grid=self.grid)                 # in the unused triangle
                    continue
                self.assertRaises(ValueError, call, wrong, grid=self.grid)
                self.assertRaises(ValueError, call, A)
            self.assertRaises(ValueError, ompfact.solve, a, right_hand, grid=self.grid)
            self.assertTrue(numpy.isnan(ompfact.solve(a, right_hand, check_finite=False, grid=self.grid)).any())

    def test_warnings_of_matrices_that_are_nearly_singular(self):
        a, b = random((N, N)), random(N)
        a[:, 7] = a[:, 8] * (1 + 1e-16)
        hilbert = 1 / (1.0 + numpy.arange(N)[:, None] + numpy.arange(N))
        category = scipy.linalg.LinAlgWarning if scipy else RuntimeWarning
        tall, wide = a[:, :20], a[:, :20].T
        for call in (lambda: ompfact.solve(hilbert, b, grid=self.grid), lambda: ompfact.lstsq(tall, b, grid=self.grid),
                     lambda: ompfact.lstsq(wide, b[:20], grid=self.grid),
                     lambda: ompfact.solve(ompfact.Matrix.from_array(hilbert, self.grid, nb=NB), b)):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                call()
            self.assertEqual(len(caught), 1)
            self.assertTrue(issubclass(caught[0].category, category) and issubclass(caught[0].category, ompfact.LinAlgWarning))
            self.assertIn("working precision", str(caught[0].message))
            self.assertEqual(caught[0].filename, __file__)
            with warnings.catch_warnings():
                warnings.simplefilter("error", category)
                self.assertRaises(ompfact.LinAlgWarning, call)
        with warnings.catch_warnings(record=True) as caught:      # the default is once for each place, so the class is the same
            warnings.simplefilter("always")
            for _ in range(2):
                ompfact.solve(hilbert, b, grid=self.grid)
        self.assertIs(caught[0].category, caught[1].category)
        large = ompfact.Matrix.from_function(lambda i, j: 1.0 * (i == j) - (i < j), 2000, grid=self.grid)     # pivots 1, rcond 0
        for call in (lambda b: ompfact.solve(large, b), lambda b: ompfact.solve(large.fill(lambda i, j: 0.0 + (i == j) * (j + 1e-13)), b)):
            self.assertWarns(ompfact.LinAlgWarning, call, numpy.ones(2000))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ompfact.solve(large.fill(lambda i, j: 1.0 * (i == j)), numpy.ones(2000))
            ompfact.solve(random((N, N)), b, grid=self.grid)
            ompfact.lstsq(random((N, 20)), b, grid=self.grid)

    def test_rank_and_residues(self):
        a, b = random((N, 20)), random((N, 2))
        zeros = numpy.zeros((N, 20))
        for given, right_hand in ((a, b), (a, b[:, 0]), (a.T, b[:20]), (zeros, b), (zeros.T, b[:20])):
            x, residues, rank, _ = ompfact.lstsq(given, right_hand, grid=self.grid)
            wanted = numpy.linalg.lstsq(given, right_hand, rcond=None)
            self.close_to(x, wanted[0])
            self.assertEqual(rank, wanted[2])
            self.close_to(numpy.append(0, residues), numpy.append(0, wanted[1]))
        a[:, 7] = a[:, 8] + a[:, 9]
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            _, residues, rank, _ = ompfact.lstsq(a, b, grid=self.grid)
            self.assertEqual((residues.size, rank), (0, None))
            self.assertIsNone(ompfact.lstsq(random((N, 20)), b, 0.5, grid=self.grid)[2])


if __name__ == "__main__":
    main()
