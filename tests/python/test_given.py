"""Arrays of all kinds: other byte orders, without elements, with too few, masked, of types that a matrix cannot have; copies."""
import copy
import pickle
import tempfile
import unittest

import numpy
import ompfact
from everywhere import NB, Case, main, positive_definite, random


class Given(Case):
    def test_other_orders_of_bytes(self):
        a, b = random((40, 40)) + 9 * numpy.eye(40), random(40)
        for dtype in (">f8", ">f4", ">c16", ">c8"):
            native = numpy.dtype(dtype).newbyteorder("=")
            for A in (ompfact.Matrix.from_array(a, self.grid, nb=NB, dtype=dtype),
                      ompfact.Matrix.from_array(a.astype(dtype), self.grid, nb=NB),
                      ompfact.Matrix(40, dtype, self.grid).fill_from(a),
                      ompfact.Matrix.from_function(lambda i, j: a[i, j].astype(dtype), 40, dtype, self.grid)):
                self.assertEqual((A.dtype, A.dtype.byteorder), (native, "="))
                self.assertAlmostEqual(A.norm1() / numpy.linalg.norm(a, 1), 1, places=5)
            x = ompfact.solve(a.astype(dtype), b.astype(dtype), grid=self.grid)
            self.assertEqual(x.dtype, native)
            self.close_to(x, numpy.linalg.solve(a, b))
            received = b.astype(dtype) if self.grid.rank == 0 else numpy.zeros(40, dtype)
            self.grid.bcast(received)
            self.assertTrue((received == b.astype(dtype)).all())
        self.assertEqual(ompfact.Plan("getrf", 40, dtype=">f8").forecast.flops, ompfact.Plan("getrf", 40).forecast.flops)

    def test_shapes_with_a_zero_are_numpys(self):
        square, grid = numpy.ones((0, 0)), self.grid
        for k in (0, 2):
            b = numpy.ones((0, k))
            for x in (ompfact.solve(square, b, grid=grid), ompfact.solve(square, b, assume_a="pos", grid=grid),
                      ompfact.cho_solve(ompfact.cho_factor(square, grid=grid), b),
                      ompfact.lu_solve(ompfact.lu_factor(square, grid=grid), b),
                      ompfact.solve_triangular(square, b, grid=grid)):
                self.assertEqual(x.shape, numpy.linalg.solve(square, b).shape)
            self.assertEqual((ompfact.Matrix(0, grid=grid) @ b).shape, (0, k))
        self.assertEqual(ompfact.solve(square, numpy.ones(0), grid=grid).shape, (0,))
        self.assertEqual(ompfact.solve(numpy.eye(3), numpy.ones((3, 0)), grid=grid).shape, (3, 0))
        self.assertEqual((ompfact.inv(square, grid=grid).shape, ompfact.cholesky(square, grid=grid).shape), ((0, 0), (0, 0)))
        self.assertEqual((ompfact.det(square, grid=grid), ompfact.slogdet(square, grid=grid)), (1, (1, 0)))
        self.assertEqual(ompfact.rcond(square, grid=grid), 1)
        for m, n in ((0, 0), (0, 3), (3, 0)):
            a = numpy.ones((m, n))
            lu, piv = ompfact.lu_factor(a, grid=grid)
            self.assertEqual((lu.shape, piv.shape), ((m, n), (0,)))
            self.assertEqual(ompfact.Matrix.from_array(a, grid).T.shape, (n, m))
            for mode in ("complete", "reduced"):
                wanted = numpy.linalg.qr(a, mode)
                for ours, theirs in zip(ompfact.qr(a, mode=mode, grid=grid), wanted):
                    self.assertEqual(ours.shape, theirs.shape)
                    self.close_to(abs(ours) if ours.size else numpy.zeros(1), abs(theirs) if theirs.size else numpy.zeros(1))
            for b in (numpy.ones((m, 2)), numpy.ones((m, 0)), numpy.ones(m)):
                x, residues, rank, _ = ompfact.lstsq(a, b, grid=grid)
                wanted = numpy.linalg.lstsq(a, b, rcond=None)
                self.assertEqual((x.shape, rank), (wanted[0].shape, 0))
                self.assertTrue((numpy.ravel(residues) == wanted[1]).all() and not x.any())

    def test_arrays_shorter_than_needed_and_numbers_that_are_too_large(self):
        for wrong in (lambda: ompfact.Matrix(50, grid=self.grid, nb=10, speeds=[1.0] * (self.grid.size + 1)),
                      lambda: ompfact.Matrix(50, grid=self.grid, nb=10, speeds=[]),
                      lambda: ompfact.Plan("getrf", 50, ranks=4, nb=10, speeds=[1.0, 2.0]),
                      lambda: ompfact.Plan("getrf", 50, ranks=4, nb=10, node_of=[0, 1]),
                      lambda: ompfact.Plan("getrf", 50, ranks=4, nb=10, weights=numpy.ones((5, 4))),
                      lambda: ompfact.Plan("getrf", 50, ranks=4, weights=numpy.ones((5, 5)))):
            self.assertRaises(ValueError, wrong)
        for wrong in (lambda: ompfact.Matrix(2 ** 64 + 5, grid=self.grid), lambda: ompfact.Matrix(50, grid=self.grid, nb=2 ** 32 + 10),
                      lambda: ompfact.Plan("getrf", 50, ranks=2 ** 32 + 1), lambda: ompfact.Grid(threads=2 ** 32 + 1)):
            self.assertRaises(OverflowError, wrong)
        everything = numpy.zeros((6, 6))
        self.assertRaises(ValueError, self.grid.bcast, everything[:, ::2])
        self.assertRaises(TypeError, self.grid.allgather, numpy.array([self], dtype=object))

    def test_arguments_of_a_wrong_type(self):
        """Those that ctypes would take, or meet with an error that does not name them."""
        a, b = numpy.eye(3), numpy.ones(3)
        A, F = ompfact.Matrix.from_array(a, self.grid), ompfact.cho_factor(a, grid=self.grid)
        for name, wrong in (("device_backend", lambda: ompfact.Grid(device_backend=3)), ("threads", lambda: ompfact.Grid(threads="2")),
                            ("trace", lambda: ompfact.Grid(trace="no")), ("layout", lambda: ompfact.Matrix(3, grid=self.grid, layout=5)),
                            ("full_storage", lambda: ompfact.Matrix(3, grid=self.grid, full_storage="no")),
                            ("grid", lambda: ompfact.solve(a, b, grid="self")), ("grid", lambda: ompfact.Matrix(3, grid=3)),
                            ("grid", lambda: ompfact.load("factor", grid=ompfact.Grid)),
                            ("routine", lambda: ompfact.forecast(3, 3)), ("platform", lambda: ompfact.forecast("potrf", 3, platform="x")),
                            ("cond", lambda: ompfact.lstsq(a, b, "gelsd", grid=self.grid)), ("'float'", lambda: A.rhs(1.5)),
                            ("'str'", lambda: A.owner("0", 0)), ("a list", lambda: self.grid.bcast([1.0])),
                            ("a ndarray", lambda: ompfact.save(a, "factor"))):
            self.assertRaisesRegex(TypeError, name, wrong)
        self.assertRaisesRegex(ValueError, r"^c is \(\), not \(0, 0\)", F.append, b, 2.0)
        self.assertRaisesRegex(ValueError, r"^b is \(3,\), not \(3, 1\)", F.append, b, [[2.0]])
        self.assertEqual((A.owner(2 ** 32, 0), A.owner(0, -2 ** 32)), (-1, -1))
        with self.assertRaisesRegex(ompfact.OmpfactError, "no tile"), A.tile(2 ** 32, 0):
            pass
        self.assertRaises(ValueError, self.grid.bcast, b, self.grid.size)
        closed = ompfact.Grid("self", threads=1)
        closed.close()
        self.assertRaises(ValueError, closed.allgather, b)
        self.assertRaises(ValueError, closed.bcast, b)

    def test_masked_sparse_and_other_types_are_refused(self):
        a = numpy.eye(3)

        class Sparse:
            def toarray(self):
                return a

        for wrong in (numpy.ma.masked_array(a, mask=a > 2), Sparse()):
            self.assertRaises(ValueError, ompfact.solve, wrong, numpy.ones(3), grid=self.grid)
            self.assertRaises(ValueError, ompfact.Matrix.from_array, wrong, self.grid)
        for wrong in (a.astype(object), a.astype("g"), a.astype(str)):
            self.assertRaises(TypeError, ompfact.solve, wrong, numpy.ones(3), grid=self.grid)
        single = ompfact.Matrix.from_array(a.astype("f"), self.grid)
        for call in (lambda b: ompfact.solve(single, b), lambda b: single.rhs(1, b[:, None])):
            for b in (numpy.ones(3), numpy.ones(3, "F")):
                self.assertRaises(TypeError, call, b)
            for b in (numpy.ones(3, "f"), numpy.arange(3)):
                call(b)

    def test_copies_are_matrices_of_their_own(self):
        a = random((30, 30))
        A = ompfact.Matrix.from_array(a, self.grid, nb=NB)
        for copied in (copy.copy, copy.deepcopy):
            B = copied(A)
            B.fill_from(2 * a)
            B.close()
            del B
            self.grid.collect()
            self.assertTrue((A.to_array() == a).all())
        for thing in (A, self.grid, ompfact.Plan("getrf", 50)):
            self.assertRaises(TypeError, pickle.dumps, thing)
        self.assertRaises(TypeError, copy.copy, self.grid)
        for error in (ompfact.LinAlgError("singular", 3), ompfact.OmpfactError(-2, "no memory")):
            for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
                self.assertEqual((type(other), str(other), vars(other)), (type(error), str(error), vars(error)))
        self.assertGreater(copy.copy(ompfact.Plan("getrf", 50)).forecast.flops, 0)

    def test_files_that_are_mapped(self):
        a = positive_definite(60)
        with tempfile.NamedTemporaryFile(suffix=".npy") as file:
            numpy.save(file.name, a)
            A = ompfact.Matrix.from_array(numpy.load(file.name, mmap_mode="r"), self.grid, structure="lower", nb=NB)
        self.close_to(A.to_array(), a)


if __name__ == "__main__":
    main()
