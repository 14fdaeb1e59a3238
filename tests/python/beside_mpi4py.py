"""mpi4py is imported first. If it uses the same MPI library, its communicators work. Otherwise ompfact refuses with a message and
does not load a second MPI library. The status is 0, or 77 where there is no mpi4py."""
import sys

try:
    from mpi4py import MPI
except ImportError as error:
    print("there is no mpi4py:", error)
    sys.exit(77)
import numpy

try:
    import ompfact
except ImportError as error:
    print("refused:", error)
    sys.exit("another MPI library" not in str(error) or "MPICH" in MPI.Get_library_version())

with ompfact.Grid(MPI.COMM_WORLD, threads=1) as grid, ompfact.Grid(MPI.COMM_SELF, threads=1) as alone:
    x = ompfact.solve(2 * numpy.eye(50), numpy.ones(50), grid=grid)
    right = grid.size == MPI.COMM_WORLD.size and grid.rank == MPI.COMM_WORLD.rank and alone.size == 1 and (x == 0.5).all()
print("right" if right else "WRONG")
sys.exit(not right)
