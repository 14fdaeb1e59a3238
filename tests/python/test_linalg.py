"""Functions of ompfact against numpy.linalg, in all four types, of arrays and of matrices."""
import unittest

import numpy
import ompfact
from everywhere import DTYPES, N, NB, Case, main, positive_definite, random


class Solves(Case):
    def test_solve_of_arrays_is_numpys(self):
        for dtype in DTYPES:
            a, b = random((N, N), dtype) + 8 * numpy.eye(N, dtype=dtype), random((N, 3), dtype, 2)
            x = ompfact.solve(a, b, grid=self.grid)
            self.assertEqual(x.dtype, dtype)
            self.close_to(x, numpy.linalg.solve(a, b))
            self.same_everywhere(x)
            self.close_to(ompfact.solve(a, b[:, 0], grid=self.grid), numpy.linalg.solve(a, b[:, 0]))

    def test_positive_definite_solve_reads_one_triangle(self):
        for dtype in DTYPES:
            a, b = positive_definite(N, dtype), random((N, 2), dtype, 2)
            x = numpy.linalg.solve(a, b)
            self.close_to(ompfact.solve(numpy.tril(a), b, assume_a="pos", lower=True, grid=self.grid), x)
            self.close_to(ompfact.solve(numpy.triu(a), b, assume_a="pos", grid=self.grid), x)

    def test_matrices_stay_unless_they_may_be_overwritten(self):
        a, b = positive_definite(N), random((N, 2), seed=2)
        for structure in ("general", "lower", "upper"):
            A = ompfact.Matrix.from_array(a, self.grid, structure=structure, nb=NB)
            B = A.rhs(2, b)
            X = ompfact.solve(A, B)
            self.close_to(X.to_array(), numpy.linalg.solve(a, b))
            self.assertTrue((A.to_array() == a).all() and (B.to_array() == b).all())
            self.assertIs(ompfact.solve(A, B, overwrite_a=True, overwrite_b=True), B)
            self.close_to(B.to_array(), numpy.linalg.solve(a, b))

    def test_right_hand_sides_of_any_layout_and_of_integers(self):
        a, b = random((N, N)) + 8 * numpy.eye(N), numpy.arange(N)
        A = ompfact.Matrix.from_array(a, self.grid, nb=NB)
        B = ompfact.Matrix.from_array(b[:, None], self.grid, nb=10, layout="g2dbc")
        self.close_to(ompfact.solve(A, B).to_array()[:, 0], numpy.linalg.solve(a, b))
        self.close_to(ompfact.solve(A, b), numpy.linalg.solve(a, b))
        self.close_to(ompfact.solve(numpy.diag(numpy.arange(1, N + 1)), b, grid=self.grid), b / numpy.arange(1, N + 1))

    def test_factors_solve_again_and_again(self):
        for dtype in DTYPES:
            a, b = positive_definite(N, dtype), random((N, 2), dtype, 2)
            x = numpy.linalg.solve(a, b)
            for lower in (False, True):
                c, triangle = ompfact.cho_factor(a, lower=lower, grid=self.grid)
                self.assertEqual(triangle, lower)
                factor = numpy.linalg.cholesky(a)
                self.close_to(c.to_array(), factor if lower else factor.conj().T)
                self.close_to(ompfact.cho_solve((c, triangle), b), x)
                self.close_to(ompfact.cho_solve((c, triangle), b[:, 1]), x[:, 1])
            lu = ompfact.lu_factor(a, grid=self.grid)
            self.close_to(ompfact.lu_solve(lu, b), x)
            self.close_to(ompfact.lu_solve(lu, b[:, 1]), x[:, 1])

    def test_pivots_are_those_of_the_product(self):
        a = random((N, N - 20))
        lu, piv = ompfact.lu_factor(a, grid=self.grid)
        packed, rows = lu.to_array(), numpy.arange(N)
        for i, other in enumerate(piv):
            rows[[i, other]] = rows[[other, i]]
        product = (numpy.tril(packed, -1) + numpy.eye(N, N - 20)) @ numpy.triu(packed)[:N - 20]
        self.close_to(product, a[rows])


class LeastSquares(Case):
    def test_qr_in_all_modes(self):
        for dtype in DTYPES:
            for m, n in ((90, 40), (40, 90), (N, N)):
                a = random((m, n), dtype)
                for mode, rows in (("full", m), ("economic", min(m, n))):
                    q, r = ompfact.qr(a, mode=mode, grid=self.grid)
                    self.assertEqual((q.shape, r.shape), ((m, rows), (rows, n)))
                    self.close_to(q @ r, a)
                    self.close_to(q.conj().T @ q, numpy.eye(rows, dtype=dtype))
                    self.assertTrue((numpy.tril(r, -1) == 0).all())
                self.close_to(abs(ompfact.qr(a, mode="r", grid=self.grid)[0][:n]), abs(numpy.linalg.qr(a, "r")), 10)

    def test_qr_of_a_matrix_gives_matrices(self):
        a = random((90, 40))
        A = ompfact.Matrix.from_array(a, self.grid, nb=NB, purpose="qr")
        Q, R = ompfact.qr(A, mode="economic")
        self.assertEqual((Q.shape, R.shape, R.tile_shape), ((90, 40), (40, 40), (3, 3)))
        self.close_to(Q.to_array() @ R.to_array(), a)
        self.assertTrue((A.to_array() == a).all())

    def test_lstsq_is_numpys(self):
        for dtype in DTYPES:
            for m, n in ((90, 40), (40, 90)):
                a, b = random((m, n), dtype), random((m, 3), dtype, 2)
                x, residues, rank, _ = ompfact.lstsq(a, b, grid=self.grid)
                wanted, sums, _, _ = numpy.linalg.lstsq(a, b, rcond=None)
                self.close_to(x, wanted)
                self.close_to(residues.astype(sums.dtype), sums, 10) if m > n else self.assertEqual(residues.size, 0)
                self.assertEqual(rank, 40)
                self.close_to(ompfact.lstsq(a, b[:, 0], grid=self.grid)[0], wanted[:, 0])

    def test_lstsq_of_a_matrix_gives_a_matrix(self):
        a, b = random((90, 40)), random((90, 2), seed=2)
        A = ompfact.Matrix.from_array(a, self.grid, nb=NB)
        X, residues, _, _ = ompfact.lstsq(A, A.rhs(2, b))
        self.close_to(X.to_array(), numpy.linalg.lstsq(a, b, rcond=None)[0])
        self.assertEqual(residues.shape, (2,))


class Inverses(Case):
    def test_inverses(self):
        for dtype in DTYPES:
            a = positive_definite(N, dtype)
            self.close_to(ompfact.inv(a, grid=self.grid), numpy.linalg.inv(a))
            for structure in ("lower", "upper"):
                A = ompfact.Matrix.from_array(a, self.grid, structure=structure, nb=NB)
                self.close_to(ompfact.inv(A).to_array(), numpy.linalg.inv(a))

    def test_determinants(self):
        for dtype in DTYPES:
            a = random((N, N), dtype)
            sign, logabs = ompfact.slogdet(a, grid=self.grid)
            wanted_sign, wanted_logabs = numpy.linalg.slogdet(a)
            self.close_to(sign, wanted_sign)
            self.assertAlmostEqual(logabs, float(wanted_logabs), places=2 if a.real.dtype == numpy.float32 else 9)
            self.close_to(ompfact.det(a[:5, :5], grid=self.grid), numpy.linalg.det(a[:5, :5]))
        self.assertEqual(ompfact.slogdet(numpy.ones((9, 9)), grid=self.grid), (0, -numpy.inf))

    def test_condition_estimate(self):
        for dtype in DTYPES:
            a = random((N, N), dtype)
            wanted = 1 / numpy.linalg.cond(a, 1)
            self.assertTrue(0.9 * wanted < ompfact.rcond(a, grid=self.grid) < 3.1 * wanted)
        self.assertEqual(ompfact.rcond(numpy.ones((9, 9)), grid=self.grid), 0)


class Failures(Case):
    def test_info_of_failed_factorizations(self):
        b = numpy.ones(9)
        with self.assertRaises(numpy.linalg.LinAlgError) as caught:
            ompfact.solve(numpy.ones((9, 9)), b, grid=self.grid)
        self.assertEqual(caught.exception.info, 2)
        for lower in (False, True):
            with self.assertRaises(ompfact.LinAlgError) as caught:
                ompfact.cho_factor(numpy.diag([1.0, 2, 3, -4, 5]), lower=lower, grid=self.grid)
            self.assertEqual(caught.exception.info, 4)
        with self.assertRaises(ompfact.LinAlgError) as caught:
            ompfact.lstsq(numpy.diag([1.0, 0, 2, 3])[:, :3], numpy.ones(4), grid=self.grid)
        self.assertEqual(caught.exception.info, 2)
        self.close_to(ompfact.solve(numpy.eye(9), b, grid=self.grid), b)     # the grid still works

    def test_arguments_that_do_not_fit(self):
        A = ompfact.Matrix.from_array(numpy.eye(9), self.grid)
        for wrong in (lambda: ompfact.solve(numpy.ones((9, 8)), numpy.ones(9), grid=self.grid),
                      lambda: ompfact.solve(A, numpy.ones(8)),
                      lambda: ompfact.solve(A, numpy.ones(9), assume_a="pos"),
                      lambda: ompfact.solve(A, numpy.ones(9), assume_a="banded"),
                      lambda: ompfact.cho_solve((A, True), numpy.ones(9)),
                      lambda: ompfact.qr(A, mode="raw"),
                      lambda: ompfact.inv(ompfact.lu_factor(A)[0])):
            self.assertRaises(ValueError, wrong)
        ompfact.solve(A, numpy.ones(9), overwrite_a=True)
        self.assertRaises(ValueError, ompfact.solve, A, numpy.ones(9))
        self.close_to(ompfact.solve(A.fill(lambda i, j: 2.0 * (i == j)), numpy.ones(9)), numpy.full(9, 0.5))
        self.assertRaises(TypeError, ompfact.solve, A, 1j * numpy.ones(9))
        self.assertRaises(TypeError, ompfact.Matrix, 9, numpy.int32, self.grid)
        for shape in 9.5, (9,), (9, 9, 9), "9", None, (9, 9.5):
            with self.assertRaisesRegex(TypeError, "a matrix's shape is"):
                ompfact.Matrix(shape, grid=self.grid)
        ranks = "1 rank>" if self.grid.size == 1 else f"{self.grid.size} ranks>"
        self.assertTrue(repr(ompfact.Matrix(numpy.int64(9), grid=self.grid)).endswith(ranks))

    def test_the_librarys_errors_have_status_and_message(self):
        with self.assertRaises(ompfact.OmpfactError) as caught:
            ompfact.Matrix(9, grid=self.grid, layout="round")
        self.assertEqual((caught.exception.status, caught.exception.status_name), (2, "OMPFACT_BAD_LAYOUT"))
        self.assertIn("round", caught.exception.message)
        self.assertRaises(TypeError, ompfact.Grid, speed=3)


if __name__ == "__main__":
    main()
