"""Dense linear systems, factorizations and least squares on any number of MPI ranks.

    import numpy as np, ompfact
    a = np.random.default_rng(1).random((4000, 4000))
    b = a @ np.ones(4000)
    x = ompfact.solve(a, b)

Every rank runs the same program (mpiexec -n 3 python3 program.py). Functions have the names and the order of arguments of
scipy.linalg. They take NumPy arrays or a Matrix. An array must be the same on every rank; the function compares the arrays and
raises ValueError if they differ. A Matrix is distributed over the ranks of a Grid. A function that takes arrays returns arrays on
every rank, but factors are always matrices. forecast and Plan predict, without MPI, what such a function sends, stores and takes
on a cluster.

A function changes a Matrix argument only if overwrite_a or overwrite_b allows it, which saves a copy. A right-hand side that a
function may overwrite comes from a.rhs(); other right-hand sides may have any layout.

All functions and methods are collective: every rank calls them in the same order. Plans, and methods whose text has the word
"local", are exceptions. A Matrix without references is destroyed when all ranks have dropped it; close() or a with statement
destroys it at once."""
from ._cholesky import CholeskyFactor, cho_factor, cho_solve, cholesky, load, save
from ._errors import LinAlgError, LinAlgWarning, OmpfactError
from ._grid import Grid, default_grid
from ._indefinite import LDL, Inertia, ldl
from ._inverse import det, inv, rcond, slogdet
from ._matrix import Matrix, Tile
from ._partial import Eliminated, eliminate, schur_complement
from ._plan import Candidate, Choice, Forecast, Loads, Plan, Platform, StepLoad, forecast
from ._qr import lstsq, qr
from ._solve import lu_factor, lu_solve, solve, solve_triangular
from ._version import __version__

__all__ = ["LDL", "Candidate", "Choice", "CholeskyFactor", "Eliminated", "Forecast", "Grid", "Inertia", "LinAlgError",
           "LinAlgWarning", "Loads", "Matrix", "OmpfactError", "Plan", "Platform", "StepLoad", "Tile", "__version__",
           "cho_factor", "cho_solve", "cholesky", "default_grid", "det", "eliminate", "forecast", "inv", "ldl", "load", "lstsq",
           "lu_factor", "lu_solve", "qr", "rcond", "save", "schur_complement", "slogdet", "solve", "solve_triangular"]
