"""Estimates of the condition number."""
from __future__ import annotations

from ctypes import byref, c_double, c_int64
from typing import Optional

import numpy

from ._library import lib
from ._matrix import Matrix

NOT_EXACT = "the matrix is singular to working precision: rcond is {0:.2g}, and the solution may have no right digit"
SMALL = 2000        # an estimate costs about five solves: from this order on it needs a reason
FEW = 8
FAR = 1e4


def lost(A: Matrix) -> float:
    """The rcond below which no digit of a solution need be right: n u. In single precision it is a few u, because half of all
    random matrices of a few hundred rows are below n u."""
    n = min(A.shape)
    return float(numpy.finfo(A.dtype).eps) / 2 * (n if A.dtype.char in "dD" else min(n, FEW))


def estimate(A: Matrix, norm: float) -> float:
    """The reciprocal condition number of factors, in the 1-norm, for a matrix of this norm."""
    result = c_double()
    A._grid._call(lib.ompfact_rcond, A, norm, byref(result))
    return result.value


def estimate_of_solve(A: Matrix, norm: float, X: Matrix, right_hand: float) -> Optional[float]:
    """The same after a solve with right-hand sides of this norm. None if A is large and neither the smallest pivot nor the
    solution gives a reason for an estimate. |A^-1| is at least |x| / |b|, so a large solution of a small right-hand side is such a
    reason."""
    if A.shape[0] >= SMALL:
        pivot, k, near = c_double(), c_int64(), FAR * lost(A)
        A._grid._call(lib.ompfact_smallest_pivot, A, byref(pivot), byref(k))
        if norm * X.norm1() * near < right_hand and pivot.value >= near * norm:
            return None
    return estimate(A, norm)
