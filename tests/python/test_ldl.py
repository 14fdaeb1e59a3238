"""Symmetric and Hermitian matrices that need not be definite: solves, factors and inertia against numpy.linalg."""
import unittest
import warnings

import numpy
import ompfact
from everywhere import DTYPES, N, NB, Case, main, random


def indefinite(n, dtype=float):
    """A matrix with positive and negative eigenvalues, none of them small."""
    q, _ = numpy.linalg.qr(random((n, n), complex if numpy.dtype(dtype).kind == "c" else float))
    values = numpy.linspace(1, 3, n) * numpy.where(numpy.arange(n) % 3, 1, -1)
    a = (q * values) @ q.conj().T
    return ((a + a.conj().T) / 2).astype(dtype)


def symmetric(n, dtype):
    """A complex matrix with A = A^T."""
    a = random((n, n), dtype)
    return (a + a.T + 9 * numpy.diag(numpy.where(numpy.arange(n) % 2, 1, -1))).astype(dtype)


def saddle_point(n, m):
    """( H B^T ; B 0 ) with H positive definite, which has m negative eigenvalues."""
    a = random((n, n))
    a = a + a.T
    a[:n - m, :n - m] = numpy.diag(numpy.arange(1.0, n - m + 1))
    a[n - m:, n - m:] = 0
    return a


TYPES = DTYPES[1:3]      # a real and a complex type, in double and in single


class Indefinite(Case):
    def triangles(self, a, kind=""):
        """Yields a as arrays with noise in the unused triangle, and as matrices, each with its arguments."""
        for lower in (False, True):
            noise = numpy.full(a.shape, 9, a.dtype)
            half = numpy.tril(a) + numpy.triu(noise, 1) if lower else numpy.triu(a) + numpy.tril(noise, -1)
            yield half, {"lower": lower, "grid": self.grid}
            yield ompfact.Matrix.from_array(half, self.grid, structure=kind + ("lower" if lower else "upper"), nb=NB), {}

    def test_solve_is_numpys(self):
        for dtype in TYPES:
            a, b = indefinite(N, dtype), random((N, 3), dtype, 2)
            for turn, (given, how) in enumerate(self.triangles(a)):
                kind, transposed = "sym" if a.dtype.kind == "f" and turn % 2 else "hermitian", turn in (1, 2)
                x = ompfact.solve(given, b, assume_a=kind, transposed=transposed, **how)
                self.close_to(x, numpy.linalg.solve(a.T if transposed else a, b))
                self.same_everywhere(x)
        self.assertEqual(ompfact.solve(a, b[:, 0], assume_a="her", grid=self.grid).shape, (N,))

    def test_complex_symmetric(self):
        for dtype in DTYPES[2 + self.grid.size % 2:][:1]:
            a, b = symmetric(N, dtype), random((N, 2), dtype, 2)
            x = numpy.linalg.solve(a, b)
            for turn, (given, how) in enumerate(self.triangles(a, "symmetric ")):
                self.close_to(ompfact.solve(given, b, assume_a="sym", transposed=turn in (1, 2), **how), x)
                factors = ompfact.ldl(given, hermitian=False, **how)
                self.assertEqual(factors.inertia()[:4], (-1, -1, -1, 0))
                self.close_to(factors.solve(b), x, 100)
                sign, logabs = ompfact.slogdet(given, assume_a="sym", **how)
                wanted = numpy.linalg.slogdet(a)
                self.close_to(sign, wanted[0], 100)
                self.assertAlmostEqual(logabs, float(wanted[1]), places=2 if dtype == numpy.complex64 else 9)
            A = ompfact.Matrix.from_array(numpy.tril(a), self.grid, structure="symmetric lower", nb=NB)
            self.close_to(ompfact.solve(A, b), x)
            self.close_to(A.to_array(), a)
            for ours, array in ((A, a), (A.T, a), (A.H, a.conj())):
                self.close_to(ours @ b, array @ b)
                self.close_to(b.T @ ours, b.T @ array)
        self.assertEqual(ompfact.Matrix(9, grid=self.grid, structure="symmetric upper").structure, "upper")

    def test_arrays_are_scipys(self):
        """a = lu d lu^H with a unit lower triangle lu[perm], and blocks of order 1 and 2 in d; with butterflies and without."""
        for dtype in TYPES:
            for kind in ("her", "sym")[:1 + (numpy.dtype(dtype).kind == "c")]:
                a = symmetric(N, dtype) if kind == "sym" else indefinite(N, dtype)
                for butterfly in ("none", "two"):
                    with ompfact.Grid(threads=1, butterfly=butterfly) as grid:
                        lower = (butterfly == "none") == (kind == "her")
                        structure = ("symmetric " if kind == "sym" else "") + ("lower" if lower else "upper")
                        A = ompfact.Matrix.from_array(a, grid, structure=structure, nb=NB)
                        lu, d, perm = ompfact.ldl(A, hermitian=kind == "her")
                        self.close_to(lu @ d @ (lu.T if kind == "sym" else lu.conj().T), a, 300)
                        self.assertTrue((numpy.tril(d, -2) == 0).all() and (numpy.triu(d, 2) == 0).all())
                        self.assertEqual(sorted(perm), list(range(N)))
                        if butterfly == "none":
                            self.assertTrue((numpy.triu(lu[perm]) == numpy.eye(N)).all())
        lu, d, perm = ompfact.ldl(numpy.zeros((9, 9)), grid=self.grid)
        self.assertTrue((lu == numpy.eye(9)).all() and (d == 0).all() and (perm == numpy.arange(9)).all())

    def test_solve_has_half_the_arithmetic_of_lu(self):
        a = indefinite(N)
        A = ompfact.Matrix.from_array(a, self.grid, structure="lower", nb=NB)
        ompfact.solve(A, random(N), assume_a="sym", overwrite_a=True)
        self.assertEqual(A.factored, "hetrf")
        self.assertLess(A.report["flops"], 0.5 * N ** 3)
        general = ompfact.Matrix.from_array(a, self.grid, nb=NB)
        ompfact.solve(general, random(N), assume_a="sym", overwrite_a=True)
        self.assertEqual(general.factored, "getrf")

    def test_factors_solve_again_and_have_an_inertia(self):
        for dtype in TYPES:
            a, b = indefinite(N, dtype), random((N, 2), dtype, 2)
            x, negative = numpy.linalg.solve(a, b), (numpy.linalg.eigvalsh(a) < 0).sum()
            for given, how in self.triangles(a):
                factors = ompfact.ldl(given, hermitian=True, **how)
                self.close_to(factors.solve(b), x, 100)
                self.close_to(factors.solve(b[:, 1]), x[:, 1], 100)
                inertia = factors.inertia()
                self.assertEqual(inertia[:4], (N - negative, negative, 0, 0))
                self.assertTrue(0 < inertia.growth < 1000)
                self.assertEqual(factors.factors.factored, "hetrf")
                factors.factors.close()
                self.assertRaises(ValueError, factors.solve, b)
        A = ompfact.Matrix.from_array(saddle_point(N, 20), self.grid, structure="lower", nb=NB)
        self.assertEqual(ompfact.ldl(A).inertia()[:2], (N - 20, 20))

    def test_determinant_and_condition(self):
        for dtype in TYPES:
            a = indefinite(N, dtype)
            sign, logabs = numpy.linalg.slogdet(a)
            wanted = 1 / numpy.linalg.cond(a, 1)
            for given, how in self.triangles(a):
                ours, size = ompfact.slogdet(given, assume_a="her", **how)
                self.close_to(ours, sign)
                self.assertAlmostEqual(size, float(logabs), places=2 if a.real.dtype == numpy.float32 else 9)
                self.assertTrue(0.9 * wanted < ompfact.rcond(given, assume_a="her", **how) < 3.1 * wanted)
        self.close_to(ompfact.det(numpy.diag([2.0, -3, 4]), assume_a="sym", grid=self.grid), -24)
        zeros = numpy.zeros((N, N))
        self.assertEqual(ompfact.slogdet(zeros, assume_a="sym", grid=self.grid), (0, -numpy.inf))
        self.assertEqual(ompfact.rcond(zeros, assume_a="sym", grid=self.grid), 0)

    def test_butterflies_are_an_option_of_the_grid(self):
        a, b = saddle_point(N, 20), random(N)
        moved = set()
        for butterfly in ("auto", "none", "one", "two"):
            with ompfact.Grid(threads=1, butterfly=butterfly) as grid:
                A = ompfact.Matrix.from_array(a, grid, structure="lower", nb=NB)
                self.close_to(ompfact.solve(A, b, assume_a="sym"), numpy.linalg.solve(a, b), 100)
                moved.add(ompfact.ldl(A, overwrite_a=True).inertia().growth)
        self.assertEqual(len(moved), 3)
        self.assertRaises(ValueError, ompfact.Grid, butterfly="three")

    def test_singular_matrices(self):
        zeros, b = numpy.zeros((N, N)), random(N)
        with self.assertRaises(ompfact.LinAlgError) as caught:
            ompfact.solve(zeros, b, assume_a="sym", grid=self.grid)
        self.assertEqual(caught.exception.info, 1)
        factors = ompfact.ldl(zeros, grid=self.grid)
        self.assertEqual(factors.inertia()[:3], (0, 0, N))
        self.assertRaises(ompfact.LinAlgError, factors.solve, b)
        hilbert = 1 / (1.0 + numpy.arange(N)[:, None] + numpy.arange(N))
        self.assertWarns(ompfact.LinAlgWarning, ompfact.solve, hilbert, b, assume_a="sym", grid=self.grid)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            exchange = numpy.eye(N)[::-1]
            self.close_to(ompfact.solve(exchange, b, assume_a="sym", grid=self.grid), b[::-1])

    def test_refused(self):
        a, b = indefinite(N), random(N)
        general = ompfact.Matrix.from_array(a, self.grid, nb=NB)
        factors = ompfact.ldl(a, grid=self.grid)
        used_up = ompfact.ldl(a, grid=self.grid)
        used_up.to_arrays()
        symmetric_one = ompfact.Matrix.from_array(a.astype(complex), self.grid, structure="symmetric lower", nb=NB)
        for wrong in (lambda: ompfact.ldl(general), lambda: ompfact.ldl(a[:, 1:], grid=self.grid), lambda: factors.solve(b[1:]),
                      lambda: ompfact.inv(a, assume_a="sym", grid=self.grid), factors.factors.copy,
                      lambda: ompfact.ldl(a + numpy.nan, grid=self.grid), lambda: ompfact.solve(factors.factors, b),
                      lambda: used_up.solve(b), lambda: ompfact.inv(symmetric_one), lambda: ompfact.cholesky(symmetric_one),
                      lambda: ompfact.solve(symmetric_one, b, assume_a="pos"), lambda: ompfact.lu_factor(symmetric_one)):
            self.assertRaises(ValueError, wrong)
        self.assertRaises(TypeError, ompfact.ldl, a, "L", grid=self.grid)


if __name__ == "__main__":
    main()
