"""QR factorization and least squares."""
from __future__ import annotations

from ctypes import byref, c_int64, c_void_p
from numbers import Real
from typing import Any, Optional, Tuple

import numpy

from ._condition import estimate, lost
from ._errors import warn
from ._grid import Grid
from ._library import lib
from ._matrix import Matrix
from ._operands import Operands, check_info, flags, matching
from ._shapes import cut

MODES = {"full": "full", "complete": "full", "economic": "economic", "reduced": "economic", "r": "r"}
DEPENDENT = "the matrix has not full rank: R({0},{0}) is exactly zero"
DOUBTFUL = "the matrix has not full rank to working precision: rcond is {0:.2g}. Its rank is not known, x one solution of many"


def _two_dimensional(a: Any) -> None:
    if len(a.shape) != 2:
        raise ValueError(f"the array has {len(a.shape)} dimensions, not 2")


def qr(a: Any, overwrite_a: bool = False, lwork: Any = None, mode: str = "full", pivoting: bool = False,
       check_finite: bool = True, *, grid: Optional[Grid] = None) -> Tuple:
    """(Q, R) with a = Q R, Q^H Q = 1, for an m x n a. Collective.

    mode    "full", or "complete": Q is m x m, R m x n; "economic", or "reduced": Q is m x min(m, n), R min(m, n) x n; "r": (R,)
            alone
    lwork   is ignored, and pivoting must be False: both are there for scipy.linalg's order of arguments"""
    if mode not in MODES:
        raise ValueError(f"mode is one of {', '.join(MODES)}, not {mode!r}")
    if pivoting:
        raise NotImplementedError("there is no QR with pivoting")

    def check(a: Any) -> None:
        flags(overwrite_a=overwrite_a)
        _two_dimensional(a)
    with Operands(f"qr(mode={mode})", grid, check, a, check_finite=check_finite) as work:
        A = work.matrix(overwrite_a, purpose="qr")
        m, n = A.shape
        rows = min(m, n) if MODES[mode] == "economic" else m
        A._grid._call(lib.ompfact_geqrf, A)
        A.factored = "geqrf"
        parts = [_upper(A, rows)]
        if mode != "r":
            parts.insert(0, A._rhs(rows))
            A._grid._call(lib.ompfact_ungqr, A, parts[0])
        if isinstance(a, Matrix):
            return tuple(parts)
        for part in parts:
            work.enter_context(part)
        return tuple(part.to_array() for part in parts)


def _upper(A: Matrix, rows: int) -> Matrix:
    """The first rows of the upper triangle of A, with zeros below it, in tiles with the owners of A's tiles."""
    n = A.shape[1]
    if rows * n == 0:
        return Matrix._alike((rows, n), A.dtype, A._grid)
    R = Matrix._alike((rows, n), A.dtype, A._grid, nb=(cut(rows, A.tile_height), cut(n, A.nb)), owner=A.owner)
    for tile in R.tiles():
        with A.tile(tile.i, tile.j) as source:
            tile.array[...] = numpy.triu(source.array[:tile.array.shape[0]], tile.row - tile.col)
    return R


def lstsq(a: Any, b: Any, cond: Optional[float] = None, overwrite_a: bool = False, overwrite_b: bool = False,
          check_finite: bool = True, *, grid: Optional[Grid] = None) -> Tuple:
    """(x, residues, rank, None) for an m x n a, and b of m x k, or m numbers. Collective.

    x           n x k, or n numbers: minimises |b - a x|, or is the shortest solution if a has fewer rows than columns; 0 if a is 0
    residues    the squares of |b - a x| for each column; empty if m <= n or if a is rank deficient
    rank        rank of a: min(m, n); 0 if a is 0; None, with a LinAlgWarning, if a's columns (rows, if m < n) are linearly
                dependent to working precision. Then x is one of many solutions, and not the shortest
    cond        largest reciprocal condition number of a matrix that counts as rank deficient; None: min(m, n) u, where u is
                the unit roundoff, in single precision at most 8 u

    Raises LinAlgError if the columns (rows) are exactly dependent."""
    def check(a: Any, b: Any) -> None:
        flags(overwrite_a=overwrite_a, overwrite_b=overwrite_b)
        if not (cond is None or isinstance(cond, Real)):
            raise TypeError(f"cond is a number or None, not {cond!r}")
        _two_dimensional(a)
        matching(a, b)
    info, pointer = c_int64(), c_void_p()
    with Operands(f"lstsq(cond={cond})", grid, check, a, b, check_finite=check_finite) as work:
        A = work.matrix(overwrite_a, purpose="least squares")
        B, wanted = work.rhs(A, overwrite_b)
        zero = A.norm1() == 0
        untouched = None if A.shape[1] else _residues(B, A.shape)       # gels sets B to zero for a zero matrix
        with A._grid._comm.lock:        # until the new matrix has its number
            A._grid._call(lib.ompfact_gels, A, B, byref(pointer), byref(info))
            A.factored = "gels"
            check_info(info, DEPENDENT)
            X = Matrix._of(A, "general", A._grid._adopt(pointer))
        if not isinstance(b, Matrix):
            work.enter_context(X)
        full = min(A.shape)
        rcond = 1.0 if zero or not full else estimate(A, 1.0)
        rank = 0 if zero else None if rcond < (lost(A) if cond is None else cond) else full
        residues = _residues(B, A.shape) if rank == A.shape[1] < A.shape[0] else numpy.empty(0)
        residues = residues if untouched is None or not residues.size else untouched
        if not isinstance(b, Matrix) and len(work.given[1].shape) == 1:
            residues = residues.sum() if residues.size else residues
        x = wanted(X)
    if rank is None:
        warn(DOUBTFUL.format(rcond), 2)
    return x, residues, rank, None


def _residues(B: Matrix, shape: Tuple[int, int]) -> numpy.ndarray:
    """The sums of squares of the rows of Q^H B from row n on."""
    sums = numpy.zeros(B.shape[1])
    for tile in B.tiles():
        rest = tile.array[max(0, shape[1] - tile.row):]
        sums[tile.cols] += (abs(rest).astype(float) ** 2).sum(axis=0)
    return B._grid.allgather(sums).sum(axis=0)
