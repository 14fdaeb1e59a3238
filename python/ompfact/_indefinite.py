"""Symmetric and Hermitian indefinite matrices: L D L^H factors, inertia."""
from __future__ import annotations

from ctypes import byref, c_int, c_int64
from typing import Any, Iterator, NamedTuple, Optional, Tuple

import numpy

from ._condition import estimate_of_solve
from ._errors import LinAlgError
from ._grid import Grid
from ._library import InertiaCounts, LdlRow, lib
from ._matrix import Matrix, OfMatrix
from ._operands import (SINGULAR, SOLVE, ZEROS, Operands, check_info, factor, flags, indefinite_names, made_as, matching,
                        of_transposed, solve_factored, square, structure_of)
from ._shapes import is_symmetric, triangle_of

SOLVE_REFINED = {"he": lib.ompfact_hesv, "sy": lib.ompfact_sysv}


class Inertia(NamedTuple):
    """The signs of a matrix's eigenvalues, within rounding, and the quality of its factorization."""
    positive: int       # all three are -1 for a complex symmetric matrix, whose eigenvalues have no signs
    negative: int
    zero: int           # n for a matrix of zeros, otherwise 0: a replaced pivot counts by its sign
    perturbed: int      # number of pivots below u max |a|, which the routine replaced by a pivot of that size
    growth: float       # the largest |element| of D over max |a|; the factors have lost as many digits as it has


class LDL(OfMatrix):
    """The result of ldl: the factors of an n x n matrix. The Matrix factors stores them, except for a part that the library
    stores in addition. lu, d, perm = ldl(a) calls to_arrays(). Methods are collective.

    close(), or a with statement, destroys the factors at once."""

    def __init__(self, factors: Matrix, singular: Optional[LinAlgError]) -> None:
        super().__init__(factors)
        self.factors = factors
        self._singular = singular
        counts = InertiaCounts()
        factors._grid._call(lib.ompfact_inertia, factors, byref(counts))
        self._inertia = Inertia(*(getattr(counts, name) for name in Inertia._fields))

    def solve(self, b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Any:
        """Returns x, of b's shape, with a x = b. b is n x k, or n numbers. The solution is not refined, unlike that of
        ompfact.solve; its error grows with inertia().growth. Raises LinAlgError if a is zero."""
        def check(A: Matrix, b: Any) -> None:
            flags(overwrite_b=overwrite_b, check_finite=check_finite)
            matching(A, b)
            if A.factored not in SOLVE:
                raise ValueError(f"the matrix holds what {A.factored} left of it")
        if self._singular:
            raise self._singular
        with Operands("LDL.solve", self.factors._grid, check, self.factors, b, check_finite=check_finite) as work:
            B, wanted = work.rhs(self.factors, overwrite_b)
            solve_factored(self.factors, B)
            return wanted(B)

    def inertia(self) -> Inertia:
        """The numbers of positive, negative and zero eigenvalues of a. Local."""
        return self._inertia

    def to_arrays(self) -> Tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
        """(lu, d, perm) of SciPy's ldl, n x n, n x n and n numbers, on every rank: a = lu d lu^H (not hermitian: lu d lu^T),
        where d has blocks of order 1 and 2. On a Grid with butterfly="none", lu[perm] is lower triangular for either triangle of
        a. The call consumes the factors: solve() raises ValueError afterwards."""
        A = self.factors
        n = A.shape[0]
        if self._singular:
            return numpy.eye(n, dtype=A.dtype), numpy.zeros(A.shape, A.dtype), numpy.arange(n)
        rows = (LdlRow * n)()
        A._grid._call(lib.ompfact_ldl, A, rows)
        A.factored = "ldl's arrays"
        return _arrays(A.to_array(), rows, A.structure)

    def __iter__(self) -> Iterator[numpy.ndarray]:
        return iter(self.to_arrays())


def _arrays(half: numpy.ndarray, rows: Any, structure: str) -> Tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """L and D as arrays, from a triangle with both."""
    hermitian = not is_symmetric(structure)
    if triangle_of(structure) == "upper":
        half = half.conj().T if hermitian else half.T
    d, unit = numpy.diag(half.diagonal()), numpy.tril(half, -1) + numpy.eye(len(half), dtype=half.dtype)
    perm, k = numpy.arange(len(half)), 0
    for i, row in enumerate(rows):
        other = abs(row.pivot) - 1
        perm[[i, other]] = perm[[other, i]]
    while k < len(half):
        if rows[k].pivot < 0:
            d[k + 1, k], unit[k + 1, k] = unit[k + 1, k], 0
            d[k, k + 1] = d[k + 1, k].conj() if hermitian else d[k + 1, k]
        k += 2 if rows[k].pivot < 0 else 1
    lu = numpy.empty_like(unit)
    lu[perm] = unit
    for level in (1, 0):
        _unmix(lu, rows, level)
    return lu, d, perm


def _unmix(lu: numpy.ndarray, rows: Any, level: int) -> None:
    """lu := W^-T lu, with one level of butterflies."""
    for x, row in enumerate(rows):
        y = row.partner[level] - 1
        if x < y:
            above, below = lu[x] / (2 * row.weight[level]), lu[y] / (2 * rows[y].weight[level])
            lu[x], lu[y] = above + below, above - below


def ldl(a: Any, lower: bool = True, hermitian: bool = True, overwrite_a: bool = False, check_finite: bool = True, *,
        grid: Optional[Grid] = None) -> LDL:
    """The factors L D L^H of the n x n Hermitian (symmetric if real) a, which may be indefinite; hermitian=False: L D L^T of a
    symmetric a. The call reads the triangle of an array that `lower` selects; a Matrix must have been created with a triangle.
    Collective.

    Returns an LDL, whose factors stay on their ranks, with solve() and inertia(). lu, d, perm = ldl(a) makes SciPy's arrays of
    them, with one difference: lu[perm] is a triangle only on a Grid(butterfly="none"). On other grids the routine mixes rows and
    columns first, because it searches pivots only in diagonal tiles, and without mixing the factors of some matrices are
    inaccurate: inertia().growth."""
    def check(a: Any) -> None:
        flags(lower=lower, hermitian=hermitian, overwrite_a=overwrite_a, check_finite=check_finite)
        square(a)
        made_as(a, "indefinite")
    with Operands(f"ldl(lower={lower}, hermitian={hermitian})", grid, check, a, check_finite=check_finite) as work:
        kind = "hermitian" if hermitian else "symmetric"
        A = work.matrix(overwrite_a, keep=True, structure=structure_of(work.given[0], kind, lower))
        try:
            factor(A, definite=False)
        except LinAlgError as error:
            return LDL(A, error)
        return LDL(A, None)


def solve_indefinite(A: Matrix, B: Matrix, trans: str, norm: float, right_hand: float) -> Optional[float]:
    """B := op(A)^-1 B, refined. Returns the reciprocal condition number if it was estimated. norms are the norms of A and B
    before the solve. If LU solved the system, A has no factors: then the estimate comes from the solution and is an upper bound."""
    info, iterations = c_int64(), c_int()

    def call() -> None:
        A._grid._call(SOLVE_REFINED[names], A, B, byref(info), byref(iterations))
    names = indefinite_names(A)
    of_transposed(A, B, trans, call)
    A.factored = names + "trf"
    check_info(info, SINGULAR if iterations.value < 0 else ZEROS)
    if iterations.value >= 0:
        return estimate_of_solve(A, norm, B, right_hand)
    size = norm * B.norm1()
    return min(1.0, right_hand / size) if size > 0 else None
