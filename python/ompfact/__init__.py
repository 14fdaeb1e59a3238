"""Dense linear systems, factorizations and least squares on any number of MPI ranks.

    import numpy as np, ompfact
    a = np.random.default_rng(1).random((4000, 4000))
    b = a @ np.ones(4000)
    x = ompfact.solve(a, b)

Every rank runs the same program (mpiexec -n 3 python3 program.py). Functions are named as in scipy.linalg. They take NumPy arrays,
which are to be the same on every rank, or a Matrix, which is spread over the ranks of a Grid. What such a function would send, hold
and take on a cluster tells forecast, or a Plan, without MPI.

All functions and methods are collective, every rank calls them in the same order, but for plans and those that say "local". A Matrix
that is no longer used is destroyed when all ranks have dropped it; close() or a with statement does it at once.
"""
from .errors import LinAlgError, OmpfactError
from .grid import Grid, default_grid
from .linalg import (cho_factor, cho_solve, det, inv, lstsq, lu_factor, lu_solve, qr, rcond, slogdet, solve)
from .matrix import Matrix, Tile
from .plan import Candidate, Choice, Forecast, Loads, Plan, Platform, StepLoad, forecast

__all__ = ["Candidate", "Choice", "Forecast", "Grid", "LinAlgError", "Loads", "Matrix", "OmpfactError", "Plan", "Platform", "StepLoad",
           "Tile", "cho_factor", "cho_solve", "default_grid", "det", "forecast", "inv", "lstsq", "lu_factor", "lu_solve", "qr", "rcond",
           "slogdet", "solve"]
