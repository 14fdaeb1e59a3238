"""Shared by the tests in Python: they run on every rank, and a rank with a failed test ends all ranks."""
import os
import sys
import unittest

import numpy
import ompfact

DTYPES = [numpy.float32, numpy.float64, numpy.complex64, numpy.complex128]
N, NB = 70, 16


def random(shape, dtype=float, seed=1):
    """Random numbers, the same on every rank."""
    generator = numpy.random.default_rng(seed)
    a = generator.standard_normal(shape)
    if numpy.dtype(dtype).kind == "c":
        a = a + 1j * generator.standard_normal(shape)
    return a.astype(dtype)


def positive_definite(n, dtype=float):
    """Exactly Hermitian, which a product by some BLAS is not."""
    a = random((n, n), dtype)
    product = a @ a.conj().T
    return ((product + product.conj().T) / 2 + n * numpy.eye(n)).astype(dtype)


class Case(unittest.TestCase):
    """A test case with a grid for each test."""

    def setUp(self):
        self.grid = ompfact.Grid(threads=1)

    def tearDown(self):
        self.grid.close()

    def close_to(self, x, y, scale=1.0):
        """Compares x and y. The tolerance is 1000 times scale, in units of rounding in the less exact type."""
        x, y = numpy.asarray(x), numpy.asarray(y)
        self.assertEqual(x.shape, y.shape)
        eps = max(numpy.finfo(a.dtype).eps for a in (x, y) if a.dtype.kind in "fc")
        error = abs(x - y).max() / max(1.0, abs(y).max())
        self.assertLess(error, 1000 * scale * eps)

    def same_everywhere(self, array):
        array = numpy.ascontiguousarray(array)
        self.assertTrue((self.grid.allgather(array) == array).all())


def main():
    result = unittest.main(exit=False, failfast=True, verbosity=0).result
    sys.stdout.flush()
    sys.stderr.flush()
    if not result.wasSuccessful():
        os._exit(1)     # the launcher ends the other ranks, which may wait for this one
