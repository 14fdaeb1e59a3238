"""Matrices whose tiles are in double or in single, by the norms of the tiles. The tiles in single are compared with NumPy's count.
Factors and solutions are checked."""
import unittest

import numpy
import ompfact
from everywhere import Case, main, random

N, NB = 200, 25
KERNELS = {
    "matern12": lambda r: numpy.exp(-r / 0.1),
    "matern32": lambda r: (1 + numpy.sqrt(3) * r / 0.08) * numpy.exp(-numpy.sqrt(3) * r / 0.08),
    "sqexp": lambda r: numpy.exp(-0.5 * (r / 0.05) ** 2),
}


def points(dims):
    """Points in the unit square or cube, sorted along one side, so that near points have near indices."""
    p = numpy.random.default_rng(dims).random((N, dims))
    return p[numpy.argsort(p[:, 0])]


def kernel(name, dims, dtype=float):
    p = points(dims)
    a = KERNELS[name](numpy.linalg.norm(p[:, None] - p[None], axis=2)) + 0.5 * numpy.eye(N)
    turn = numpy.exp(2j * numpy.arange(N))
    return a if dtype == float else a * numpy.outer(turn, turn.conj())


def singles(a, eps, lower=True):
    """The tiles in single according to the rule."""
    limit, found = eps * numpy.linalg.norm(a) / (N // NB), set()
    for i in range(0, N, NB):
        for j in range(0, N, NB):
            if (i > j if lower else i < j) and 2.0 ** -24 * numpy.linalg.norm(a[i:i + NB, j:j + NB]) <= limit:
                found.add((i // NB, j // NB))
    return found


def is_rounded(array):
    return (array == array.astype(numpy.complex64 if array.dtype.kind == "c" else numpy.float32)).all()


class Mixed(Case):
    def test_share_of_single_tiles(self):
        for name in KERNELS:
            for dims in (2, 3):
                for eps in (1e-3, 1e-6, 1e-8, 1e-10, 1e-12):
                    a = kernel(name, dims)
                    A = ompfact.Matrix.from_array(a, self.grid, structure="lower", nb=NB, precision=eps)
                    wanted = singles(a, eps)
                    counts = A.precisions
                    self.assertEqual((counts["single_tiles"], counts["double_tiles"], counts["widened"]),
                                     (len(wanted), 36 - len(wanted), 0), (name, dims, eps))
                    self.assertEqual(counts["bytes"], 8 * NB * NB * 36 - 4 * NB * NB * len(wanted))
                    tiles = [[-2 if i < j else int((i, j) in wanted) for j in range(N // NB)] for i in range(N // NB)]
                    self.assertEqual(A.precision_map().tolist(), tiles)
                    for tile in A.tiles():
                        of = a[tile.rows, tile.cols]
                        there = (tile.i, tile.j) in wanted
                        self.assertTrue((tile.array == (of.astype(numpy.float32) if there else of)).all() or tile.i == tile.j)
                    self.assertLessEqual(numpy.linalg.norm(A.to_array() - a), eps * numpy.linalg.norm(a))

    def test_factors(self):
        for dtype in (float, complex):
            for lower in (True, False):
                for eps in (1e-4, 1e-8, 1e-11):
                    a = kernel("matern32", 2, dtype)
                    A = ompfact.Matrix.from_array(a, self.grid, structure="lower" if lower else "upper", nb=NB, precision=eps)
                    wanted, before = singles(a, eps, lower), A.precisions
                    self.assertEqual(before["single_tiles"], len(wanted))
                    F = ompfact.cho_factor(A, lower=lower, overwrite_a=True)
                    after, c = A.precisions, F.c.to_array()
                    product = c @ c.conj().T if lower else c.conj().T @ c
                    bound = 10 * (eps + N * 2.0 ** -53)
                    self.assertLessEqual(numpy.linalg.norm(product - a), bound * numpy.linalg.norm(a))
                    rounded = sum(is_rounded(c[NB * i:NB * (i + 1), NB * j:NB * (j + 1)]) for i, j in wanted)
                    self.assertEqual(after["widened"], len(wanted) - rounded)
                    self.assertEqual(after["bytes"], a.itemsize * NB * NB * 36 - a.itemsize // 2 * NB * NB * rounded)
                    b = random((N, 2), dtype)
                    x = F.solve(b)
                    self.assertLessEqual(numpy.linalg.norm(b - a @ x), bound * numpy.linalg.norm(a) * numpy.linalg.norm(x))

    def test_bfloat16(self):
        nb, eps = 20, 1e-3
        for dtype in (float, complex):
            a = kernel("matern12", 2).astype(dtype)
            if dtype is complex:
                a += 1e-3j * (numpy.tril(a.real, -1) - numpy.triu(a.real, 1))
            self.check_bfloat16(a, nb, eps)

    def check_bfloat16(self, a, nb, eps):
        norms = numpy.linalg.norm(a.reshape(N // nb, nb, N // nb, nb), axis=(1, 3))
        below = numpy.tril(norms * 2.0 ** -8 <= eps * numpy.linalg.norm(a) / (N // nb), -1)
        A = ompfact.Matrix.from_array(a, self.grid, structure="lower", nb=nb, precision=eps, bf16=True)
        counts, bounds = A.precisions, eps * numpy.linalg.norm(a)
        self.assertEqual((counts["bf16_tiles"], counts["double_tiles"]), (below.sum(), N // nb))
        self.assertGreater(counts["bf16_tiles"], 0)
        self.assertEqual((A.precision_map() == 2).sum(), counts["bf16_tiles"])
        self.assertLessEqual(numpy.linalg.norm(A.to_array() - a), bounds)
        c = ompfact.cho_factor(A, lower=True, overwrite_a=True).c.to_array()
        self.assertLessEqual(numpy.linalg.norm(c @ c.conj().T - a), 10 * bounds)

    def test_auto_and_refused(self):
        a = kernel("sqexp", 2)
        A = ompfact.Matrix.from_array(a, self.grid, structure="lower", nb=NB, precision="auto")
        self.assertEqual(A.precision, N * 2.0 ** -53)
        self.assertIsNone(ompfact.Matrix(N, grid=self.grid).precision)
        self.assertEqual(A.precisions["single_tiles"], len(singles(a, A.precision)))
        for precision in (0, 1, -1.0, "high"):
            with self.assertRaises(ValueError):
                ompfact.Matrix(N, grid=self.grid, precision=precision)
        with self.assertRaises(ompfact.OmpfactError):
            ompfact.Matrix(N, numpy.float32, self.grid, precision=1e-3)
        with self.assertRaises(ompfact.OmpfactError):
            A.copy()

        def half(i, j):
            if (i > N // 2).any():
                raise KeyError("the second half")
            return numpy.zeros((len(i), j.shape[1]))
        with self.assertRaises(KeyError):
            ompfact.Matrix.from_function(half, N, grid=self.grid, nb=NB, precision=1e-3)


if __name__ == "__main__":
    main()
