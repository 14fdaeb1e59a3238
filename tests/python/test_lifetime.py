"""All ranks create and destroy the same matrices, whatever each rank's Python drops, and when."""
import gc
import random as dice
import unittest

import numpy
import ompfact
from everywhere import NB, Case, main, random


class Lifetime(Case):
    def small(self):
        return ompfact.Matrix(20, grid=self.grid, nb=NB)

    def test_matrices_dropped_by_all_are_freed_with_the_next_one(self):
        A = self.small()
        B = self.small()
        self.assertEqual(self.grid.matrices, 2)
        del A
        self.assertEqual(self.grid.matrices, 2)
        C = self.small()
        self.assertEqual(self.grid.matrices, 2)
        del B, C
        self.grid.collect()
        self.assertEqual(self.grid.matrices, 0)

    def test_a_matrix_that_one_rank_keeps_stays(self):
        matrices = [self.small() for _ in range(5)]
        kept = matrices[self.grid.rank % 5]
        number = kept._number
        del matrices
        self.grid.collect()
        self.assertEqual(self.grid.matrices, min(self.grid.size, 5))
        self.assertFalse(kept.closed)
        self.assertEqual(number, kept._number)
        del kept
        self.grid.collect()
        self.assertEqual(self.grid.matrices, 0)

    def test_ranks_drop_in_their_own_order(self):
        """Each rank's own collector finds cycles, here on each rank at another time and in another order."""
        generator, gone = dice.Random(self.grid.rank), []
        gc.disable()
        for turn in range(60):
            A = self.small()
            A.myself = A                        # a cycle
            gone.append(A)
            generator.shuffle(gone)
            while len(gone) > generator.randrange(1, 6):
                gone.pop()
            if generator.random() < 0.3:
                gc.collect()
            if turn % 20 == 0:
                a = random((20, 20)) + 20 * numpy.eye(20)
                self.close_to(ompfact.solve(a, a[:, 0], grid=self.grid), numpy.eye(20)[:, 0])
        gc.enable()
        self.same_everywhere(numpy.array([self.grid.matrices]))
        del A, gone
        gc.collect()
        self.grid.collect()
        self.assertEqual(self.grid.matrices, 0)

    def test_functions_leave_nothing_behind(self):
        a = random((30, 30)) + 30 * numpy.eye(30)
        A = ompfact.Matrix.from_array(a, self.grid, nb=NB)
        for _ in range(3):
            ompfact.solve(A, a[:, 0])
            ompfact.qr(a, grid=self.grid)
            ompfact.lstsq(a, a[:, :2], grid=self.grid)
            ompfact.inv(a, grid=self.grid)
            ompfact.slogdet(A)
            ompfact.rcond(A)
            with self.assertRaises(ompfact.LinAlgError):
                ompfact.solve(numpy.ones((9, 9)), numpy.ones(9), grid=self.grid)
        gc.collect()
        self.grid.collect()
        self.assertEqual(self.grid.matrices, 1)

    def test_a_view_keeps_its_matrix(self):
        A = ompfact.Matrix.from_array(numpy.ones((20, 20)), self.grid, nb=NB)
        views = [tile.array for tile in A.tiles()]
        del A
        for _ in range(3):
            self.small().close()
        for view in views:
            self.assertTrue((view == 1).all())
        view = None
        views.clear()
        self.grid.collect()
        self.assertEqual(self.grid.matrices, 0)

    def test_closed_is_closed(self):
        with self.small() as A:
            self.assertFalse(A.closed)
        self.assertTrue(A.closed)
        A.close()
        self.assertRaises(ValueError, A.norm1)
        B = self.small()
        self.grid.close()
        self.grid.close()
        self.assertTrue(B.closed)
        self.assertRaises(ValueError, B.to_array)
        self.assertRaises(ValueError, self.grid.barrier)
        B.close()
        del B       # after its grid is closed

    def test_what_has_a_matrix_is_closed_with_it(self):
        a = numpy.eye(20)
        for make in (lambda: ompfact.cho_factor(a, grid=self.grid), lambda: ompfact.ldl(a, grid=self.grid),
                     lambda: ompfact.eliminate(a, NB, grid=self.grid)):
            with make() as factors:
                self.assertEqual(self.grid.matrices, 1)
                self.assertIn(f"{type(factors).__name__}", repr(factors))
                self.assertIn("20 x 20", repr(factors))
            self.assertEqual(self.grid.matrices, 0)
            self.assertIn("closed", repr(factors))
            with self.assertRaises(KeyError), make() as factors:
                raise KeyError          # it may be this rank's alone, so close() would wait for the others
            self.assertEqual(self.grid.matrices, 1)
            factors.close()
            factors.close()
            self.assertEqual(self.grid.matrices, 0)

    def test_two_grids_end_in_any_order(self):
        first, second = ompfact.Grid(threads=1), ompfact.Grid("self", threads=1)
        A, B = ompfact.Matrix(9, grid=first), ompfact.Matrix(9, grid=second)
        self.assertEqual(second.size, 1)
        first.close()
        self.assertTrue(A.closed and not B.closed)
        second.close()
        self.assertTrue(B.closed)

    def test_what_is_left_open_is_closed_at_the_end(self):
        """The test passes if the program and MPI end."""
        Lifetime.left = ompfact.Matrix(9, grid=ompfact.Grid(threads=1)), ompfact.Matrix(9)


if __name__ == "__main__":
    main()
