"""Schur complements of all kinds of matrices, against NumPy's, and factorizations that continue from them."""
import unittest

import numpy
import ompfact
from everywhere import DTYPES, N, NB, Case, main, positive_definite, random

ROWS = 25           # not a multiple of NB


def complement(a, rows=ROWS):
    return a[rows:, rows:] - a[rows:, :rows] @ numpy.linalg.solve(a[:rows, :rows], a[:rows, rows:])


def quasi_definite(dtype, symmetric=False):
    """The first rows are positive definite, the others negative definite, so pivots inside tiles are enough."""
    a = positive_definite(N, dtype)
    if symmetric:
        a = (a + a.T) / 2 + 1j * numpy.diag(numpy.arange(N))
    a[ROWS:, ROWS:] *= -1
    return a.astype(dtype)


class Eliminated(Case):
    def matrices(self, kinds, dtypes):
        """Yields for each kind and type the whole matrix, an array with noise in the unused triangle or a Matrix, and arguments."""
        for kind in kinds:
            for dtype in dtypes:
                if kind == "sym" and numpy.dtype(dtype).kind != "c":
                    continue
                a = (random((N, N), dtype) + 5 * numpy.eye(N, dtype=dtype) if kind == "gen" else positive_definite(N, dtype)
                     if kind == "pos" else quasi_definite(dtype, kind == "sym"))
                if kind == "gen":
                    yield a, a, {"grid": self.grid}
                    yield a, ompfact.Matrix.from_array(a, self.grid, nb=NB), {}
                    continue
                for lower in (False, True):
                    half = numpy.tril(a) + numpy.triu(a + 1, 1) if lower else numpy.triu(a) + numpy.tril(a + 1, -1)
                    structure = ("symmetric " if kind == "sym" else "") + ("lower" if lower else "upper")
                    yield a, half, {"lower": lower, "assume_a": kind, "grid": self.grid}
                    yield a, ompfact.Matrix.from_array(half, self.grid, structure=structure, nb=NB), {"assume_a": kind}

    def test_complements_are_numpys(self):
        for a, given, how in self.matrices(("gen", "pos", "her", "sym"), DTYPES):
            s = ompfact.schur_complement(given, ROWS, **how)
            if isinstance(given, ompfact.Matrix):
                self.assertEqual((s.structure, s.factored), (given.structure, None))
                self.close_to(given.to_array(), a, 0.001)     # it is unchanged
            self.close_to(numpy.asarray(s), complement(a), 10)

    def test_factors_continue(self):
        for a, given, how in self.matrices(("gen", "pos", "her", "sym"), DTYPES[1:3]):
            P, b = ompfact.eliminate(given, ROWS, **how), random((N, 2), a.dtype)
            self.assertEqual((P.rows, P.matrix.factored[-8:]), (ROWS, "_partial"))
            P.eliminate(ROWS + P.matrix.nb)
            self.close_to(numpy.asarray(P.schur()), complement(a, ROWS + P.matrix.nb), 30)
            F = P.factor()
            x = ompfact.lu_solve(F, b) if isinstance(F, tuple) else F.solve(b)
            self.close_to(x, numpy.linalg.solve(a, b), 100)
            self.assertEqual(P.rows, 0)

    def test_pivots(self):
        """S is the same with pivoting and without. Only the first rows are interchanged."""
        a = random((N, N)) + 3 * numpy.eye(N)
        for pivot in ("none", "partial", "tournament"):
            with ompfact.Grid(threads=1, pivot=pivot) as grid:
                P = ompfact.eliminate(a, ROWS, grid=grid)
                self.close_to(P.schur(), complement(a), 100)
                (lu, piv), b = P.factor(), random(N)
                self.assertTrue((piv[:ROWS] < ROWS).all() and (piv == numpy.arange(N)).all() == (pivot == "none"))
                self.close_to(ompfact.lu_solve((lu, piv), b), numpy.linalg.solve(a, b), 100)
        wide = random((ROWS + 5, N)) + 9 * numpy.eye(ROWS + 5, N)
        self.close_to(ompfact.schur_complement(wide, ROWS, grid=self.grid), complement(wide), 10)

    def test_only_the_first_rows_are_definite(self):
        a = quasi_definite(float)
        self.close_to(ompfact.schur_complement(a, ROWS, assume_a="pos", grid=self.grid), complement(a), 10)
        with self.assertRaises(ompfact.LinAlgError) as raised:
            ompfact.eliminate(a, ROWS + 3, assume_a="pos", grid=self.grid)
        self.assertEqual(raised.exception.info, ROWS + 1)
        P = ompfact.eliminate(a, ROWS, assume_a="her", grid=self.grid)
        self.assertEqual(P.factor().inertia()[:3], (ROWS, N - ROWS, 0))

    def test_complements_may_be_changed(self):
        """An update of the Schur complement in place is an update of the matrix: the factor is that of the sum."""
        a, b = positive_definite(N), random(N)
        A = ompfact.Matrix.from_array(a, self.grid, structure="lower", nb=NB, cut=ROWS)
        P = ompfact.eliminate(A, ROWS, overwrite_a=True)
        self.assertIs(P.matrix, A)
        for tile in A.tiles():
            if tile.row >= ROWS and tile.col >= ROWS:
                tile.array[...] += numpy.eye(N)[tile.rows, tile.cols] * 7
        a[ROWS:, ROWS:] += 7 * numpy.eye(N - ROWS)
        self.close_to(P.factor().solve(b), numpy.linalg.solve(a, b))

    def test_copies(self):
        a, b = random((N, N)) + 5 * numpy.eye(N), random(N)
        P = ompfact.eliminate(ompfact.Matrix.from_array(a, self.grid, nb=NB, cut=ROWS), ROWS)
        other = ompfact.Eliminated(P.matrix.copy(nb=NB // 2, cut=ROWS), "getrf", True)
        self.close_to(other.schur(), complement(a), 10)
        self.close_to(ompfact.lu_solve(other.factor(), b), numpy.linalg.solve(a, b), 100)
        self.assertEqual(P.rows, ROWS)
        self.assertRaises(ompfact.OmpfactError, P.matrix.copy, nb=NB)
        Q = ompfact.eliminate(quasi_definite(float), ROWS, assume_a="her", grid=self.grid)
        self.assertRaises(ValueError, Q.matrix.copy)

    def test_refused(self):
        a = positive_definite(N)
        A = ompfact.Matrix.from_array(a, self.grid, structure="lower", nb=NB)
        for wrong in (0, N, -1):
            self.assertRaises(ValueError, ompfact.eliminate, a, wrong, grid=self.grid)
        self.assertRaises(ValueError, ompfact.eliminate, A, ROWS, overwrite_a=True)
        self.assertRaises(ValueError, ompfact.eliminate, a[:, :-1], ROWS, assume_a="pos", grid=self.grid)
        self.assertRaises(ValueError, ompfact.Matrix, 9, grid=self.grid, structure="diagonal", cut=3)
        P = ompfact.eliminate(A, NB, overwrite_a=True)
        self.assertRaises(ValueError, P.eliminate, NB + 1)
        for call in (ompfact.cho_factor, ompfact.inv, lambda a: ompfact.solve(a, numpy.ones(N)), lambda a: a @ numpy.ones(N),
                     lambda a: ompfact.eliminate(a, NB)):
            self.assertRaises(ValueError, call, A)
        with self.assertRaises(ompfact.LinAlgError) as raised:
            ompfact.eliminate(numpy.diag([1.0, 2, 0, 3, 4]), 4, grid=self.grid)
        self.assertEqual(raised.exception.info, 3)
        with self.assertRaises(ompfact.LinAlgError) as raised:
            ompfact.eliminate(numpy.zeros((5, 5)), 2, assume_a="sym", grid=self.grid)
        P.matrix.close()
        self.assertRaises(ValueError, P.schur)
        for kind in ("gen", "pos", "sym"):
            P = ompfact.eliminate(a, NB, assume_a=kind, grid=self.grid)
            P.factor()
            for again in (P.factor, lambda: P.eliminate(2 * NB)):
                self.assertRaisesRegex(ValueError, "complete", again)
        P.matrix.close()
        self.assertIn("closed", repr(P))


if __name__ == "__main__":
    main()
