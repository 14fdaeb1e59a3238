"""Matrices as users see them: filling, views of tiles, gathering, other layouts, reports."""
import unittest

import numpy
import ompfact
from everywhere import DTYPES, N, NB, Case, main, positive_definite, random


class Contents(Case):
    def test_arrays_go_in_and_out(self):
        for dtype in DTYPES:
            a = random((N, 50), dtype)
            A = ompfact.Matrix.from_array(a, self.grid, nb=NB)
            self.assertEqual((A.shape, A.dtype, A.tile_shape), ((N, 50), dtype, (5, 4)))
            self.assertTrue((A.to_array() == a).all())
            gathered = A.to_array(root=self.grid.size - 1)
            self.assertEqual(gathered is None, self.grid.rank != self.grid.size - 1)
            self.assertTrue(gathered is None or (gathered == a).all())

    def test_hermitian_matrices_have_both_triangles(self):
        for dtype in DTYPES:
            a = positive_definite(N, dtype)
            for structure, half in (("lower", numpy.tril(a)), ("upper", numpy.triu(a))):
                A = ompfact.Matrix.from_array(half, self.grid, structure=structure, nb=NB)
                self.close_to(A.to_array(), a)
                self.assertEqual((A.owner(0, 1) == -1, A.owner(1, 0) == -1), (structure == "lower", structure == "upper"))

    def test_a_view_writes_through(self):
        A = ompfact.Matrix.from_function(lambda i, j: 1000 * i + j, (N, 50), grid=self.grid, nb=NB)
        wanted = 1000.0 * numpy.arange(N)[:, None] + numpy.arange(50)
        self.assertTrue((A.to_array() == wanted).all())
        for tile in A.tiles():
            self.assertFalse(tile.array.flags.owndata)
            self.assertEqual(tile.array.base.matrix, A)
            self.assertTrue((tile.array == wanted[tile.rows, tile.cols]).all())
            tile.array[0, -1] = -1
        for i in range(0, N, NB):
            for j in range(0, 50, NB):
                wanted[i, min(j + NB, 50) - 1] = -1
        self.assertTrue((A.to_array() == wanted).all())

    def test_a_tile_is_its_owners(self):
        A = ompfact.Matrix((N, 50), grid=self.grid, nb=NB, owner=lambda i, j: (i + j) % self.grid.size)
        for i in range(5):
            for j in range(4):
                self.assertEqual(A.owner(i, j), (i + j) % self.grid.size)
        mine = [(tile.i, tile.j) for tile in A.tiles()]
        self.assertTrue(all((i + j) % self.grid.size == self.grid.rank for i, j in mine))
        if self.grid.size > 1:
            i, j = next((i, 0) for i in range(5) if (i, 0) not in mine)
            with self.assertRaises(ompfact.OmpfactError) as caught, A.tile(i, j):
                pass
            self.assertEqual(caught.exception.status_name, "OMPFACT_NOT_OWNER")

    def test_factors_of_copies(self):
        a, b = positive_definite(N), random(N)
        copies = min(2, self.grid.size)
        A = ompfact.Matrix((N, N), grid=self.grid, structure="lower", nb=NB, copies=copies)
        for scale in (1, 2):
            A.fill_from(a * scale)
            factor = ompfact.cho_factor(A, True, overwrite_a=True)
            self.close_to(ompfact.cho_solve(factor, b), numpy.linalg.solve(a * scale, b))
            L = A.to_array()
            if copies > 1 and A.owner(0, 0) == self.grid.rank:
                with self.assertRaisesRegex(ompfact.OmpfactError, "ompfact_bring_home"), A.tile(0, 0):
                    pass
        for tile in A.bring_home().tiles():
            self.assertTrue((numpy.tril(tile.array, tile.row - tile.col) == L[tile.rows, tile.cols]).all())

    def test_other_layouts(self):
        a = random((N, N))
        A = ompfact.Matrix.from_array(a, self.grid, nb=NB, layout=f"2dbc:1x{self.grid.size}")
        self.assertEqual((A.layout, A.nb), (f"2dbc:1x{self.grid.size}", NB))
        B = A.copy(nb=9, layout=f"2dbc:{self.grid.size}x1")
        self.assertEqual((B.layout, B.nb, B.tile_height), (f"2dbc:{self.grid.size}x1", 9, 9))
        self.assertTrue((B.to_array() == a).all())
        self.assertEqual(A.copy(nb=([30, 40], [50, 20])).tile_shape, (2, 2))

    def test_empty_and_small_matrices(self):
        self.assertEqual(ompfact.Matrix.from_array(numpy.ones((0, 3)), self.grid).to_array().shape, (0, 3))
        self.close_to(ompfact.solve(numpy.array([[2.0]]), numpy.array([3.0]), grid=self.grid), numpy.array([1.5]))
        self.assertEqual(ompfact.solve(numpy.ones((0, 0)), numpy.ones((0, 2)), grid=self.grid).shape, (0, 2))

    def test_properties_of_a_matrix(self):
        a = random((N, N)) + N * numpy.eye(N)
        A = ompfact.Matrix.from_array(a, self.grid, nb=NB)
        self.assertAlmostEqual(A.norm1(), numpy.linalg.norm(a, 1))
        lu, _ = ompfact.lu_factor(A)
        self.assertGreater(lu.report["flops"], 0.6 * N ** 3)
        self.assertEqual(lu.report["transfers"], lu.report["transfers_predicted"])
        self.assertIn(f"{N} x {N}, float64, general", repr(A))

    def test_a_trace_is_written(self):
        with ompfact.Grid(threads=1, trace=True, pivot="partial", schedule="static") as grid:
            ompfact.lu_factor(random((N, N)), grid=grid)
            with self.assertRaises(ompfact.OmpfactError):
                grid.trace_write("/no/such/folder/trace.json")


if __name__ == "__main__":
    main()
