"""Communicators of mpi4py, or of a stand-in for it: objects with MPI's handles, of the MPI library that ompfact is linked to."""
import ctypes
import sys
import types
import unittest

import numpy
import ompfact
from everywhere import Case, main
from ompfact import _mpi
from ompfact._library import lib


class Comm:
    """Like mpi4py's, as far as ompfact uses it."""

    def __init__(self, handle):
        self.handle = _mpi.Handle(handle)


def stand_in(version):
    MPI = types.ModuleType("mpi4py.MPI")
    MPI.Comm = Comm
    MPI.Get_library_version = lambda: version
    MPI._sizeof = lambda comm: ctypes.sizeof(comm.handle)
    MPI._addressof = lambda comm: ctypes.addressof(comm.handle)
    return MPI


class Communicators(Case):
    def tearDown(self):
        super().tearDown()
        sys.modules.pop("mpi4py.MPI", None)

    def test_halves_of_the_ranks_solve_side_by_side(self):
        sys.modules["mpi4py.MPI"] = stand_in(_mpi._version())
        half = Comm(0)
        lib.MPI_Comm_split(_mpi.Handle(_mpi.WORLD), self.grid.rank % 2, self.grid.rank, ctypes.byref(half.handle))
        with ompfact.Grid(half, threads=1) as grid:
            self.assertEqual(grid.size, len(range(self.grid.rank % 2, self.grid.size, 2)))
            a = (2 + self.grid.rank % 2) * numpy.eye(50)
            self.close_to(ompfact.solve(a, a @ numpy.ones(50), grid=grid), numpy.ones(50))
        lib.MPI_Comm_free(ctypes.byref(half.handle))    # the grid had a duplicate

    def test_another_mpi_librarys_are_refused(self):
        sys.modules["mpi4py.MPI"] = stand_in("Open MPI v4.1.4")
        with self.assertRaises(ompfact.OmpfactError) as caught:
            ompfact.Grid(Comm(_mpi.WORLD))
        self.assertIn("another MPI library (Open MPI v4.1.4)", caught.exception.message)

    def test_other_things_are_refused(self):
        self.assertRaises(TypeError, ompfact.Grid, 17)
        self.assertRaises(ValueError, ompfact.Grid, "everybody")


if __name__ == "__main__":
    main()
