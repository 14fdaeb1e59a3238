"""Cholesky factors of matrices that change, against numpy.linalg, and factors on disk."""
import os
import shutil
import tempfile
import unittest
import unittest.mock

import numpy
import ompfact
from everywhere import DTYPES, N, NB, Case, main, positive_definite, random


class Grown(Case):
    def factors(self, a):
        """Yields factors by both triangles, from an array and from a Matrix."""
        for lower in (False, True):
            yield ompfact.cho_factor(a, lower=lower, grid=self.grid)
            A = ompfact.Matrix.from_array(a, self.grid, structure="lower" if lower else "upper", nb=NB)
            yield ompfact.cho_factor(A, overwrite_a=True)

    def is_of(self, F, a):
        """All results of F are those of a's factor."""
        c, lower = F
        b, wanted = random((N, 2), a.dtype, 3), numpy.linalg.cholesky(a)
        x = numpy.linalg.solve(a, b)
        self.close_to(c.to_array(), wanted if lower else wanted.conj().T)
        self.close_to(F.solve(b), x)
        self.close_to(ompfact.cho_solve(F, b[:, 1]), x[:, 1])
        self.assertLess(abs(F.logdet() / numpy.linalg.slogdet(a)[1] - 1), 1e3 * numpy.finfo(a.dtype).eps)

    def test_factors_are_a_pair(self):
        a = positive_definite(N)
        F = ompfact.cho_factor(a, lower=True, grid=self.grid)
        self.assertEqual((len(F), F[1], F[0], F[-1]), (2, True, F.c, True))
        with ompfact.cho_factor(a, grid=self.grid) as G:
            self.assertFalse(G.lower)
            self.is_of(G, a)
        self.assertTrue(G.c.closed)

    def test_columns_are_added_and_removed(self):
        for dtype in DTYPES:
            a, v = positive_definite(N, dtype), random((N, 5), dtype, 2)
            for F in self.factors(a):
                before = F[0].to_array()
                F.update(v)
                self.is_of(F, a + v @ v.conj().T)
                F.downdate(v)
                self.close_to(F[0].to_array(), before)
                F.update(v[:, 0])
                self.is_of(F, a + numpy.outer(v[:, 0], v[:, 0].conj()))
                V = ompfact.Matrix.from_array(v[:, :1], self.grid, nb=NB)
                F.downdate(V)
                self.is_of(F, a)
                self.close_to(V.to_array(), v[:, :1], 0.001)

    def test_indefinite_ones_change_nothing(self):
        for dtype in DTYPES[1:3]:
            a = positive_definite(N, dtype)
            v = numpy.zeros((N, 2), dtype)
            v[3, 0], v[40, 1] = 1, 100
            for F in self.factors(a):
                before, logdet = F[0].to_array(), F.logdet()
                with self.assertRaises(ompfact.LinAlgError) as raised:
                    F.downdate(v)
                self.assertEqual(raised.exception.info, 41)
                self.assertIn("41", str(raised.exception))
                self.assertTrue((F[0].to_array() == before).all() and F.logdet() == logdet)
                self.is_of(F, a)

    def test_rows_are_appended(self):
        for dtype in DTYPES[1:3]:
            whole, first = positive_definite(N, dtype), N - 25
            for F in self.factors(whole[:first, :first]):
                F.append(whole[:first, first:-3], whole[first:-3, first:-3])
                F.append(whole[:-3, -3:], whole[-3:, -3:])
                self.is_of(F, whole)
                for rows in (0, 20, N):
                    a, b, c = whole[:rows, :rows], whole[:rows, rows:], whole[rows:, rows:]
                    self.assertEqual(F.schur(rows).shape, c.shape)
                    if rows < N:
                        self.close_to(F.schur(rows), c - b.conj().T @ numpy.linalg.solve(a, b))
                before = F[0].to_array()
                with self.assertRaises(ompfact.LinAlgError) as raised:
                    F.append(numpy.zeros((N, 3), dtype), numpy.diag([1, -2, 3]).astype(dtype))
                self.assertEqual(raised.exception.info, N + 2)
                self.assertTrue(F[0].shape == (N, N) and (F[0].to_array() == before).all())
        for b, c in ((numpy.ones((N, 2)), numpy.ones((3, 3))), (numpy.ones(N), numpy.ones((1, 1))),
                     (numpy.full((N, 1), numpy.nan), numpy.ones((1, 1)))):
            self.assertRaises(ValueError, F.append, b.astype(dtype), c.astype(dtype))

    def test_refused(self):
        F = ompfact.cho_factor(positive_definite(N), grid=self.grid)
        for wrong in (numpy.ones(N - 1), numpy.ones((2, N)), numpy.full(N, numpy.nan)):
            self.assertRaises(ValueError, F.update, wrong)
        self.assertRaises(TypeError, F.update, numpy.full(N, 1j))
        F.close()
        self.assertRaises(ValueError, F.update, numpy.ones(N))


class Saved(Case):
    def setUp(self):
        super().setUp()
        name = numpy.zeros(100, numpy.uint8)
        if self.grid.rank == 0:
            path = tempfile.mkdtemp().encode()
            name[:len(path)] = list(path)
        self.grid.bcast(name)
        self.above = bytes(name).rstrip(b"\0").decode()
        self.folder = os.path.join(self.above, "a", "factor")

    def tearDown(self):
        self.grid.barrier()
        super().tearDown()
        if os.path.exists(self.above):
            shutil.rmtree(self.above, True)

    def test_factors_are_restored(self):
        for dtype in DTYPES:
            a, b = positive_definite(N, dtype), random((N, 2), dtype)
            for lower in (False, True):
                F = ompfact.cho_factor(a, lower=lower, grid=self.grid)
                F.update(b)
                ompfact.save(F, self.folder)
                G = ompfact.load(self.folder, self.grid)
                self.assertEqual((G.lower, G.c.dtype, G.c.nb), (lower, dtype, F.c.nb))
                self.assertTrue((G.c.to_array() == F.c.to_array()).all() and G.logdet() == F.logdet())
                self.close_to(G.solve(b), F.solve(b), 0.1)
                G.update(b)
        files = os.listdir(self.folder)
        self.assertIn("manifest.json", files)
        self.assertTrue(2 <= len(files) <= 1 + self.grid.size, files)
        factors = ompfact.ldl(a - 2 * N * numpy.eye(N, dtype=dtype), grid=self.grid)
        ompfact.save(factors, self.folder)
        again = ompfact.load(self.folder, self.grid)
        self.assertEqual(again.inertia(), factors.inertia())
        self.close_to(again.solve(b), factors.solve(b), 10)
        factors = ompfact.ldl(a + a.T - 9j * numpy.eye(N), hermitian=False, grid=self.grid)
        ompfact.save(factors, self.folder)
        again = ompfact.load(self.folder, self.grid)
        self.assertEqual((again.factors.factored, again.factors.structure), ("sytrf", "symmetric lower"))
        self.close_to(again.solve(b), factors.solve(b), 10)

    def test_failures_leave_nothing_behind(self):
        factors = ompfact.ldl(numpy.diag([1.0, -2, 3]), grid=self.grid)
        ompfact.save(factors, self.folder)
        with unittest.mock.patch.object(ompfact.LDL, "__init__", side_effect=ompfact.OmpfactError(-2, "no memory")):
            self.assertRaises(ompfact.OmpfactError, ompfact.load, self.folder, self.grid)
        self.assertEqual(self.grid.matrices, 1)
        self.assertEqual(factors.inertia()[:3], (2, 1, 0))

    def test_damaged(self):
        self.assertRaises(ompfact.OmpfactError, ompfact.load, self.folder, self.grid)
        F = ompfact.cho_factor(positive_definite(N), grid=self.grid)
        ompfact.save(F, self.folder)
        for name in sorted(os.listdir(self.folder)):
            path = os.path.join(self.folder, name)
            with open(path, "rb") as file:
                good = file.read()
            self.grid.barrier()
            bad = bytearray(good)
            bad[len(bad) // 2] ^= 4
            for content in (bytes(bad), good[:-1], good):
                if self.grid.rank == 0:
                    with open(path, "wb") as file:
                        file.write(content)
                self.grid.barrier()
                if content == good:
                    self.close_to(ompfact.load(self.folder, grid=self.grid).c.to_array(), F.c.to_array(), 0.001)
                else:
                    with self.assertRaises(ompfact.OmpfactError) as raised:
                        ompfact.load(self.folder, grid=self.grid)
                    self.assertIn(self.folder, str(raised.exception))
                self.grid.barrier()
        self.assertRaises(ompfact.OmpfactError, ompfact.save, F, "/dev/null/factor")
        self.assertRaises(TypeError, ompfact.save, F.c, self.folder)


if __name__ == "__main__":
    main()
