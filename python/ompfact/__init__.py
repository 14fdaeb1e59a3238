"""Dense linear systems, factorizations and least squares on any number of MPI ranks.

    import numpy as np, ompfact
    a = np.random.default_rng(1).random((4000, 4000))
    b = a @ np.ones(4000)
    x = ompfact.solve(a, b)

Every rank runs the same program (mpiexec -n 3 python3 program.py). Functions are named as in scipy.linalg, with its order of
arguments. They take NumPy arrays, which are to be the same on every rank (they are compared: ValueError), or a Matrix, which is
spread over the ranks of a Grid. What is given as arrays comes back as arrays, on every rank; factors are always matrices. What
such a function would send, store and take on a cluster is predicted by forecast, or a Plan, without MPI.

A Matrix argument is not changed unless overwrite_a or overwrite_b allows it, which saves a copy; a right-hand side
that may be overwritten is one made by a.rhs(), others are of any layout.

All functions and methods are collective, every rank calls them in the same order, but for plans and those that say "local". A
Matrix that is no longer used is destroyed when all ranks have dropped it; close() or a with statement does it at once.
"""
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
