"""Products, transposes, and matrices where NumPy expects arrays."""
import unittest

import numpy
import ompfact
from everywhere import DTYPES, NB, Case, main, positive_definite, random


class Products(Case):
    def made(self, a, structure):
        return ompfact.Matrix.from_array(a, self.grid, structure=structure, nb=NB)

    def cases(self):
        for dtype in DTYPES:
            yield random((50, 70), dtype), "general"
            for structure in ("lower", "upper"):
                yield positive_definite(40, dtype) - 45 * numpy.eye(40, dtype=dtype), structure

    def test_products_with_arrays(self):
        for a, structure in self.cases():
            A, (m, n) = self.made(a, structure), a.shape
            for x in (random((n, 3), a.dtype), random(n, a.dtype), numpy.arange(n), random((n, 2), complex)):
                product = A @ x
                self.close_to(product, a @ x, 10)
                self.same_everywhere(product)
            for x in (random((3, m), a.dtype), random(m, a.dtype)):
                self.close_to(x @ A, x @ a, 10)

    def test_products_with_matrices(self):
        for a, structure in self.cases():
            A, b = self.made(a, structure), random((a.shape[1], 300), a.dtype)
            product = A @ ompfact.Matrix.from_array(b, self.grid, nb=90, layout="g2dbc")
            self.assertEqual((product.shape, product.dtype), ((a.shape[0], 300), a.dtype))
            self.close_to(product.to_array(), a @ b, 10)
            if structure == "general":
                self.close_to((A.H @ A).to_array(), a.conj().T @ a, 10)

    def test_transposes(self):
        for a, structure in self.cases():
            A = self.made(a, structure)
            self.assertEqual(A.T.structure, structure)
            self.close_to(A.T.to_array(), a.T)
            self.close_to(A.H.to_array(), a.conj().T)
            self.close_to(A.to_array(), a)

    def test_numpy_gathers(self):
        a = random((50, 30))
        A = self.made(a, "general")
        self.assertTrue((numpy.asarray(A) == a).all())
        self.assertTrue((numpy.array(A, dtype="f") == a.astype("f")).all())
        self.assertTrue(numpy.allclose(A, a))
        self.close_to(numpy.linalg.norm(A), numpy.linalg.norm(a))

    def test_sizes_that_do_not_fit(self):
        A = self.made(random((50, 30)), "general")
        for wrong in (lambda: A @ numpy.ones(29), lambda: numpy.ones(30) @ A, lambda: A @ A, lambda: A @ numpy.ones((2, 3, 4)),
                      lambda: A @ self.made(numpy.eye(30, dtype="f"), "general")):
            self.assertRaises(ValueError, wrong)
        lu, _ = ompfact.lu_factor(A)
        for wrong in (lambda: lu @ numpy.ones(30), lambda: lu.T):
            self.assertRaises(ValueError, wrong)


if __name__ == "__main__":
    main()
