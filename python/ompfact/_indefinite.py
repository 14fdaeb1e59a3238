"""Symmetric and Hermitian matrices that need not be definite: L D L^H factors, inertia."""
from __future__ import annotations

from ctypes import byref, c_int, c_int64
from typing import Any, NamedTuple, NoReturn, Optional

from ._condition import estimate_of_solve
from ._errors import LinAlgError
from ._grid import Grid
from ._library import InertiaCounts, lib
from ._matrix import Matrix
from ._operands import (SINGULAR, ZEROS, Operands, check_info, factor, flags, matching, of_transposed, solve_factored, square,
                        structure_of, with_triangle)


class Inertia(NamedTuple):
    """The signs of a matrix's eigenvalues, as far as rounding goes, and how well it was factored."""
    positive: int
    negative: int
    zero: int           # all of a matrix of zeros; else none, for what is too small counts by the sign that it has
    perturbed: int      # pivots that were below u max |a|, and were replaced by that
    growth: float       # the largest |element| of D over max |a|: digits are lost where that is large


class LDL:
    """What ldl returned: the factors of an n x n matrix, which are the Matrix factors, and a part that the library keeps beside
    it. factors.close() ends both. Methods are collective."""

    def __init__(self, factors: Matrix, singular: Optional[LinAlgError]) -> None:
        self.factors = factors
        self._singular = singular

    def solve(self, b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Any:
        """x, of b's shape, with a x = b; b is n x k, or n numbers. Not refined, as ompfact.solve is: its error grows with
        inertia().growth. Raises LinAlgError if a was all zeros."""
        def check(A: Matrix, b: Any) -> None:
            flags(overwrite_b=overwrite_b, check_finite=check_finite)
            matching(A, b)
        if self._singular:
            raise self._singular
        with Operands("LDL.solve", self.factors._grid, check, self.factors, b, check_finite=check_finite) as work:
            B, wanted = work.rhs(self.factors, overwrite_b)
            solve_factored(self.factors, B)
            return wanted(B)

    def inertia(self) -> Inertia:
        """How many eigenvalues of a are positive, negative and zero."""
        counts = InertiaCounts()
        self.factors._grid._check(lib.ompfact_inertia(self.factors._pointer, byref(counts)))
        return Inertia(*(getattr(counts, name) for name in Inertia._fields))

    def __iter__(self) -> NoReturn:
        raise TypeError("the factors L D L^H stay on their ranks, in the library's form, and are no (lu, d, perm): "
                        "solve() and inertia() are methods of what ldl returns")


def ldl(a: Any, lower: bool = True, hermitian: bool = True, overwrite_a: bool = False, check_finite: bool = True, *,
        grid: Optional[Grid] = None) -> LDL:
    """The factors L D L^H of the n x n Hermitian (symmetric if real) a, definite or not: an LDL, with solve() and inertia(). Of
    an array the triangle that lower says is read; a Matrix is one that was made with a triangle. Collective.

    Unlike SciPy's ldl, which returns arrays lu, d and perm, it leaves the factors on their ranks, in the form that solves want:
    of a matrix whose rows and columns were mixed by random butterflies before (the Grid's option butterfly), for pivots are
    searched in tiles alone."""
    def check(a: Any) -> None:
        flags(lower=lower, hermitian=hermitian, overwrite_a=overwrite_a, check_finite=check_finite)
        square(a)
        with_triangle(a, "Hermitian")
    with Operands(f"ldl(lower={lower}, hermitian={hermitian})", grid, check, a, check_finite=check_finite) as work:
        if work.dtype.kind == "c" and not hermitian:
            raise NotImplementedError("complex symmetric matrices")
        A = work.matrix(overwrite_a, keep=True, structure=structure_of(work.given[0], True, lower))
        try:
            factor(A, definite=False)
        except LinAlgError as error:
            return LDL(A, error)
        return LDL(A, None)


def solve_indefinite(A: Matrix, B: Matrix, trans: str, norm: float, right_hand: float) -> Optional[float]:
    """B := op(A)^-1 B, refined. The reciprocal condition number if it was looked at; norms are those of A and B before. Where LU
    had to solve, the factors tell nothing of A: then what the solution tells of it, which is at least as much."""
    info, iterations = c_int64(), c_int()

    def call() -> None:
        A._grid._check(lib.ompfact_hesv(A._pointer, B._pointer, byref(info), byref(iterations)))
    of_transposed(A, B, trans, call)
    A.factored = "hetrf"
    check_info(info, SINGULAR if iterations.value < 0 else ZEROS)
    if iterations.value >= 0:
        return estimate_of_solve(A, norm, B, right_hand)
    size = norm * B.norm1()
    return min(1.0, right_hand / size) if size > 0 else None
