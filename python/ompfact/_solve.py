"""Solves, and LU factors."""
from __future__ import annotations

import ctypes
from ctypes import byref, c_int64
from typing import Any, Optional, Tuple

import numpy

from ._condition import NOT_EXACT, estimate_of_solve, lost
from ._errors import LinAlgError, warn
from ._grid import Grid
from ._indefinite import solve_indefinite
from ._library import lib
from ._matrix import Matrix
from ._operands import (INDEFINITE, Operands, factor, factored, flags, kind_of, made_as, matching, solve_by, solve_factored,
                        square, structure_of)
from ._shapes import is_symmetric

TRANS = {0: "N", 1: "T", 2: "C", "N": "N", "T": "T", "C": "C"}
ZERO = "the triangular matrix is singular: its diagonal is exactly zero at {0}"


def solve(a: Any, b: Any, lower: bool = False, overwrite_a: bool = False, overwrite_b: bool = False, check_finite: bool = True,
          assume_a: Optional[str] = "gen", transposed: bool = False, *, grid: Optional[Grid] = None) -> Any:
    """Returns x with a x = b, or a^T x = b if transposed. Collective.

    a           n x n, an array that is the same on every rank, or a Matrix
    b           n x k, or n numbers; x has the shape of b, and is an array or a Matrix as b is
    assume_a    "gen": LU factorization; "pos": a is Hermitian (symmetric if real) positive definite; "sym", "her": a is symmetric
                or Hermitian and may be indefinite, which takes half the arithmetic of "gen" and refinement to its accuracy; "lower
                triangular", "upper triangular". Except for "gen" the call reads one triangle of an array, which `lower` selects. A
                Matrix counts as what it was created as: one with a triangle as Hermitian with "sym" and "her", otherwise as
                positive definite; a symmetric Matrix as symmetric

    Raises LinAlgError if a is exactly singular, or not positive definite; ValueError for a NaN or an infinity, if check_finite.
    Warns (LinAlgWarning) if a's reciprocal condition number is below n u, where u is the unit roundoff, in single precision below
    8 u. For 2000 rows or more the call computes this estimate only if the smallest pivot or a large solution gives a reason."""
    kind = kind_of(assume_a)
    if kind.endswith("triangular"):
        return solve_triangular(a, b, int(transposed), kind.startswith("lower"), False, overwrite_b, check_finite, grid=grid)
    indefinite = kind in INDEFINITE

    def check(a: Any, b: Any) -> None:
        flags(lower=lower, overwrite_a=overwrite_a, overwrite_b=overwrite_b, transposed=transposed)
        square(a)
        made_as(a, kind)
        matching(a, b)
    call = f"solve(assume_a={assume_a}, lower={lower}, transposed={transposed})"
    with Operands(call, grid, check, a, b, check_finite=check_finite) as work:
        A = work.matrix(overwrite_a, structure=structure_of(work.given[0], kind, lower))
        B, wanted = work.rhs(A, overwrite_b)
        norm, right_hand = A.norm1(), B.norm1()
        trans = "T" if transposed else "N"
        if is_symmetric(A.structure) or indefinite and A.structure != "general":
            rcond = solve_indefinite(A, B, trans, norm, right_hand)
        else:
            factor(A)
            solve_factored(A, B, trans)
            rcond = estimate_of_solve(A, norm, B, right_hand)
        x = wanted(B)
    if rcond is not None and rcond < lost(A):
        warn(NOT_EXACT.format(rcond), 2)
    return x


def lu_factor(a: Any, overwrite_a: bool = False, check_finite: bool = True, *,
              grid: Optional[Grid] = None) -> Tuple[Matrix, numpy.ndarray]:
    """(lu, piv): the m x n Matrix of L and U, and the min(m, n) interchanges, counted from 0: row i with row piv[i], one after
    the other. Collective."""
    A = factored("lu_factor", a, overwrite_a, check_finite, grid, False)
    return A, interchanges(A)


def interchanges(A: Matrix) -> numpy.ndarray:
    """The interchanges of rows by LU, as lu_factor returns them. Local."""
    piv = numpy.empty(min(A.shape), numpy.int64)
    lib.ompfact_ipiv(A._pointer, piv.ctypes.data_as(ctypes.POINTER(c_int64)))
    return piv - 1


def lu_solve(lu_and_piv: Tuple[Matrix, numpy.ndarray], b: Any, trans: Any = 0, overwrite_b: bool = False,
             check_finite: bool = True) -> Any:
    """Returns x, of b's shape, with a x = b, a^T x = b (trans=1) or a^H x = b (trans=2), from the result of lu_factor for the n x
    n a. b is n x k, or n numbers. Collective."""
    letter = _letter(trans)
    return solve_by(f"lu_solve(trans={trans})", lu_and_piv[0], b, "getrf", "lu_factor", overwrite_b, check_finite, letter)


def _letter(trans: Any) -> str:
    if trans not in TRANS:
        raise ValueError(f"trans is 0, 1 or 2, or N, T or C, not {trans!r}")
    return TRANS[trans]


def solve_triangular(a: Any, b: Any, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool = False,
                     check_finite: bool = True, *, grid: Optional[Grid] = None) -> Any:
    """Returns x, of b's shape, with a x = b, a^T x = b (trans=1) or a^H x = b (trans=2). a is the n x n triangle of the argument
    that `lower` selects; a Matrix that was created with a triangle has its own. b is n x k, or n numbers. Collective.

    unit_diagonal: the elements of the diagonal count as ones. Raises LinAlgError if there is a zero on the diagonal."""
    letter = _letter(trans)

    def check(a: Any, b: Any) -> None:
        flags(lower=lower, unit_diagonal=unit_diagonal, overwrite_b=overwrite_b)
        square(a)
        matching(a, b)
    call = f"solve_triangular(trans={trans}, lower={lower}, unit_diagonal={unit_diagonal})"
    with Operands(call, grid, check, a, b, check_finite=check_finite) as work:
        A = work.triangle(structure="lower" if lower else "upper")
        B, wanted = work.rhs(A, overwrite_b)
        if not unit_diagonal:
            _no_zero(A)
        uplo = "L" if A.structure == "lower" or A.structure == "general" and lower else "U"
        A._grid._call(lib.ompfact_trsm, ord("L"), ord(uplo), ord(letter), unit_diagonal, 1.0, 0.0, A, B)
        return wanted(B)


def _no_zero(A: Matrix) -> None:
    """Raises LinAlgError if the first reason is a zero on the diagonal."""
    n = first = A.shape[0]
    for tile in A.tiles():
        if tile.i == tile.j:
            zeros = numpy.flatnonzero(tile.array.diagonal() == 0)
            first = min(first, tile.row + int(zeros[0])) if len(zeros) else first
    first = int(A._grid.allgather(numpy.array([first])).min())
    if first < n:
        raise LinAlgError(ZERO.format(first + 1), first + 1)
