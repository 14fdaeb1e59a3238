"""Inverses, determinants, condition estimates."""
from __future__ import annotations

from ctypes import byref, c_double, c_int64
from typing import Any, Optional, Sequence, Tuple

import numpy

from ._condition import estimate
from ._errors import LinAlgError
from ._grid import Grid
from ._library import lib
from ._matrix import Matrix
from ._operands import (INDEFINITE, SINGULAR, Operands, check_info, factor, flags, kind_of, made_as, square,
                        structure_of)
from ._shapes import is_symmetric

OF_INVERSES = ["general", "positive definite"]
OF_FACTORS = OF_INVERSES + ["symmetric", "hermitian"]


def _work(call: str, a: Any, overwrite: bool, check_finite: bool, assume_a: Optional[str], lower: bool,
          grid: Optional[Grid], kinds: Sequence[str], keep: bool = False) -> Tuple[Operands, Matrix]:
    """The matrix to factor, among the temporary matrices of these operands."""
    kind = kind_of(assume_a, kinds)

    def check(a: Any) -> None:
        flags(overwrite_a=overwrite, check_finite=check_finite, lower=lower)
        square(a)
        made_as(a, kind)
        if kinds is OF_INVERSES and isinstance(a, Matrix) and is_symmetric(a.structure):
            raise ValueError("only general and positive definite matrices have an inverse here")
    work = Operands(f"{call}(assume_a={assume_a}, lower={lower})", grid, check, a, check_finite=check_finite)
    return work, work.matrix(overwrite, keep, structure=structure_of(work.given[0], kind, lower))


def _factors(A: Matrix, assume_a: Optional[str]) -> bool:
    """Factors A and returns whether A has factors: False if A is exactly singular. Raises LinAlgError if A must be positive
    definite and is not."""
    try:
        factor(A, kind_of(assume_a, OF_FACTORS) not in INDEFINITE)
    except LinAlgError:
        if A.factored == "potrf":
            raise
        return False
    return True


def inv(a: Any, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: Optional[str] = "gen", lower: bool = False,
        grid: Optional[Grid] = None) -> Any:
    """The inverse of the n x n a: an array on every rank, or a Matrix of a's kind, which is Hermitian if a is. Collective.

    assume_a="pos": a is Hermitian positive definite, and the call reads the triangle of an array that `lower` selects. Raises
    LinAlgError if a is singular, or not positive definite."""
    _, A = _work("inv", a, overwrite_a, check_finite, assume_a, lower, grid, OF_INVERSES, keep=True)
    factor(A)
    info = c_int64()
    call = lib.ompfact_getri if A.structure == "general" else lib.ompfact_potri
    A._grid._call(call, A, byref(info))
    A.factored = None
    check_info(info, SINGULAR)
    if isinstance(a, Matrix):
        return A
    with A:
        return A.to_array()


def slogdet(a: Any, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: Optional[str] = "gen", lower: bool = False,
            grid: Optional[Grid] = None) -> Tuple[Any, float]:
    """(sign, logabsdet) of the n x n a, det a = sign exp(logabsdet): 0 and -infinity if a is singular. Collective. assume_a and
    lower are as for solve, without triangles."""
    logabs, re, im = c_double(), c_double(), c_double()
    work, A = _work("slogdet", a, overwrite_a, check_finite, assume_a, lower, grid, OF_FACTORS)
    with work:
        if not _factors(A, assume_a):
            return A.dtype.type(0), -numpy.inf
        A._grid._call(lib.ompfact_determinant, A, byref(logabs), byref(re), byref(im))
        sign = complex(re.value, im.value) if A.dtype.kind == "c" else re.value
        return A.dtype.type(sign), logabs.value


def det(a: Any, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: Optional[str] = "gen", lower: bool = False,
        grid: Optional[Grid] = None) -> Any:
    """The determinant of the n x n a. It may overflow or underflow where slogdet does not. Collective. Arguments are those of
    slogdet."""
    sign, logabs = slogdet(a, overwrite_a, check_finite, assume_a=assume_a, lower=lower, grid=grid)
    return sign * numpy.exp(logabs)


def rcond(a: Any, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: Optional[str] = "gen", lower: bool = False,
          grid: Optional[Grid] = None) -> float:
    """An estimate of 1 / (|a| |a^-1|) in the 1-norm of the n x n a, hardly ever above three times the exact value; 0 if a is
    singular. Collective. assume_a and lower are as for slogdet."""
    work, A = _work("rcond", a, overwrite_a, check_finite, assume_a, lower, grid, OF_FACTORS)
    with work:
        norm = A.norm1()
        return estimate(A, norm) if _factors(A, assume_a) else 0.0
