"""Symmetric and Hermitian matrices that need not be definite: solves, factors and inertia against numpy.linalg."""
import unittest
import warnings

import numpy
import ompfact
from everywhere import DTYPES, N, NB, Case, main, random


def indefinite(n, dtype=float):
    """Some eigenvalues of either sign, none small."""
    q, _ = numpy.linalg.qr(random((n, n), complex if numpy.dtype(dtype).kind == "c" else float))
    values = numpy.linspace(1, 3, n) * numpy.where(numpy.arange(n) % 3, 1, -1)
    a = (q * values) @ q.conj().T
    return ((a + a.conj().T) / 2).astype(dtype)


def saddle_point(n, m):
    """( H B^T ; B 0 ), H positive definite: m negative eigenvalues."""
    a = random((n, n))
    a = a + a.T
    a[:n - m, :n - m] = numpy.diag(numpy.arange(1.0, n - m + 1))
    a[n - m:, n - m:] = 0
    return a


class Indefinite(Case):
    def triangles(self, a):
        """a as arrays with noise in the triangle that is not read, and as matrices, and the arguments with them."""
        for lower in (False, True):
            half = numpy.tril(a) + numpy.triu(numpy.full(a.shape, 9), 1) if lower else numpy.triu(a) + numpy.tril(numpy.full(a.shape, 9), -1)
            half = half.astype(a.dtype)
            yield half, {"lower": lower, "grid": self.grid}
            yield ompfact.Matrix.from_array(half, self.grid, structure="lower" if lower else "upper", nb=NB), {}

    def test_solve_is_numpys(self):
        for dtype in DTYPES:
            a, b = indefinite(N, dtype), random((N, 3), dtype, 2)
            for given, how in self.triangles(a):
                for kind in ("her", "sym") if a.dtype.kind == "f" else ("hermitian",):
                    for transposed in (False, True):
                        x = ompfact.solve(given, b, assume_a=kind, transposed=transposed, **how)
                        self.close_to(x, numpy.linalg.solve(a.T if transposed else a, b))
                self.same_everywhere(x)
                self.assertEqual(ompfact.solve(given, b[:, 0], assume_a="her", **how).shape, (N,))

    def test_solve_has_half_the_arithmetic_of_lu(self):
        a = indefinite(N)
        A = ompfact.Matrix.from_array(a, self.grid, structure="lower", nb=NB)
        ompfact.solve(A, random(N), assume_a="sym", overwrite_a=True)
        self.assertEqual(A.factored, "hetrf")
        self.assertLess(A.report["flops"], 0.5 * N ** 3)
        general = ompfact.Matrix.from_array(a, self.grid, nb=NB)
        ompfact.solve(general, random(N), assume_a="sym", overwrite_a=True)
        self.assertEqual(general.factored, "getrf")

    def test_factors_solve_again_and_tell_the_inertia(self):
        for dtype in DTYPES:
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
                self.assertRaises(ValueError, factors.inertia)
        A = ompfact.Matrix.from_array(saddle_point(N, 20), self.grid, structure="lower", nb=NB)
        self.assertEqual(ompfact.ldl(A).inertia()[:2], (N - 20, 20))

    def test_determinant_and_condition(self):
        for dtype in DTYPES:
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

    def test_what_is_singular(self):
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

    def test_what_is_refused(self):
        a, b = indefinite(N), random(N)
        general = ompfact.Matrix.from_array(a, self.grid, nb=NB)
        factors = ompfact.ldl(a, grid=self.grid)
        with self.assertRaisesRegex(TypeError, r"solve\(\) and inertia\(\)"):
            _lu, _d, _perm = factors
        for wrong in (lambda: ompfact.ldl(general), lambda: ompfact.ldl(a[:, 1:], grid=self.grid), lambda: factors.solve(b[1:]),
                      lambda: ompfact.inv(a, assume_a="sym", grid=self.grid), factors.factors.copy,
                      lambda: ompfact.ldl(a + numpy.nan, grid=self.grid), lambda: ompfact.solve(factors.factors, b)):
            self.assertRaises(ValueError, wrong)
        self.assertRaises(TypeError, ompfact.ldl, a, "L", grid=self.grid)


if __name__ == "__main__":
    main()
