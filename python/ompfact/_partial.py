"""The first rows and columns of a factorization, and the Schur complement of the others."""
from __future__ import annotations

from ctypes import byref, c_int64
from typing import Any, Optional, Tuple, Union

import numpy

from ._cholesky import CholeskyFactor
from ._grid import Grid
from ._indefinite import LDL
from ._inverse import OF_FACTORS
from ._library import lib
from ._matrix import Matrix, OfMatrix
from ._operands import (INDEFINITE, NOT_POSITIVE, SINGULAR, ZEROS, Operands, check_info, factor, flags, kind_of, made_as,
                        routine_of, square, structure_of)
from ._solve import interchanges

PARTIAL = {"potrf": (lib.ompfact_potrf_partial, NOT_POSITIVE), "getrf": (lib.ompfact_getrf_partial, SINGULAR),
           "hetrf": (lib.ompfact_hetrf_partial, ZEROS), "sytrf": (lib.ompfact_sytrf_partial, ZEROS)}


class Eliminated(OfMatrix):
    """The result of eliminate. matrix is a Matrix with the factors of its first rows and columns, and with the Schur complement
    in the place of the others. Methods are collective; eliminate() and factor() change the matrix. close(), or a with statement,
    destroys the matrix at once."""

    def __init__(self, matrix: Matrix, routine: str, as_array: bool) -> None:
        super().__init__(matrix)
        self.matrix = matrix
        self._routine = routine
        self._as_array = as_array

    @property
    def rows(self) -> int:
        """The number of eliminated rows. Local."""
        return lib.ompfact_eliminated(self.matrix._pointer)

    def __repr__(self) -> str:
        return f"<Eliminated: {'nothing' if self.matrix.closed else self.rows} of {self.matrix!r}>"

    def schur(self) -> Any:
        """The Schur complement a22 - a21 a11^-1 a12, where a11 has the eliminated rows and columns: an array on every rank, with
        both triangles, if a was an array; otherwise a new Matrix of a's kind whose tiles have the owners that they have in a."""
        A = self.matrix
        structure = "general" if self._as_array else A.structure
        S = Matrix._of(A, structure, A._grid._create(lib.ompfact_schur, A, self._as_array))
        if not self._as_array:
            return S
        with S:
            return S.to_array()

    def eliminate(self, rows: int) -> None:
        """Continues until `rows` rows of a are eliminated, including earlier ones. A tile must begin after them."""
        self._check_unfinished()
        _check_rows(self.matrix, rows)
        _check_cut(self.matrix, rows)
        self._eliminate(rows)

    def _check_unfinished(self) -> None:
        """The library would take complete factors for the elements of a new matrix."""
        if self.matrix.factored == self._routine:
            raise ValueError("the factorization is complete: factor() was called before")

    def _eliminate(self, rows: int) -> None:
        A, info = self.matrix, c_int64()
        call, text = PARTIAL[self._routine]
        A.factored = self._routine + "_partial"
        A._grid._call(call, A, rows, byref(info))
        check_info(info, text)

    def factor(self) -> Union[CholeskyFactor, LDL, Tuple[Matrix, numpy.ndarray]]:
        """Continues to the end, from the present contents of the matrix, and returns what cho_factor, ldl or lu_factor would. If
        the program changed elements of the Schur complement, in tiles of matrix, the factors are those of the changed matrix."""
        A = self.matrix
        self._check_unfinished()
        factor(A, self._routine == "potrf")
        if A.factored == "getrf":
            return A, interchanges(A)
        return CholeskyFactor(A) if A.factored == "potrf" else LDL(A, None)


def _check_rows(a: Any, rows: int) -> None:
    if not 1 <= rows < min(a.shape):
        raise ValueError(f"{rows} rows of a matrix of shape {a.shape} are not at least one, and not all")


def _check_cut(A: Matrix, rows: int) -> None:
    if not A._is_cut(rows):
        raise ValueError(f"no tile begins after row {rows}; a Matrix created with cut={rows} has such a tile")


def eliminate(a: Any, rows: int, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: Optional[str] = "gen",
              lower: bool = False, grid: Optional[Grid] = None) -> Eliminated:
    """Eliminates the first rows and columns of the m x n a, 1 <= rows < min(m, n), and leaves the Schur complement of the others.
    schur() of the result returns the Schur complement, and factor() completes the factorization. Collective.

    For a general matrix the routine searches pivots only among those rows, by the Grid's option pivot. assume_a="pos": a11, the
    first rows and columns of a Hermitian a, is positive definite; a and the Schur complement need not be. The call reads the
    triangle of an array that `lower` selects.

    A Matrix that the call may overwrite must have been created with cut=rows, unless a tile begins after these rows anyway; a
    copy of it has the cut. Raises LinAlgError if a11 is not positive definite, or singular."""
    kind = kind_of(assume_a, OF_FACTORS)

    def check(a: Any) -> None:
        flags(overwrite_a=overwrite_a, check_finite=check_finite, lower=lower)
        if kind != "general":
            square(a)
        made_as(a, kind)
        _check_rows(a, rows)
        if isinstance(a, Matrix) and overwrite_a:
            _check_cut(a, rows)
    call = f"eliminate({rows}, assume_a={assume_a}, lower={lower})"
    with Operands(call, grid, check, a, check_finite=check_finite) as work:
        A = work.matrix(overwrite_a, keep=True, cut=rows, structure=structure_of(work.given[0], kind, lower))
        P = Eliminated(A, routine_of(A, kind not in INDEFINITE), not isinstance(work.given[0], Matrix))
        P._eliminate(rows)
        return P


def schur_complement(a: Any, rows: int, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: Optional[str] = "gen",
                     lower: bool = False, grid: Optional[Grid] = None) -> Any:
    """The Schur complement a22 - a21 a11^-1 a12 of the first rows and columns of the m x n a: an array on every rank, with both
    triangles, or a Matrix of a's kind. Collective. Arguments are those of eliminate.

    (scipy.linalg.schur is a different thing: a decomposition.)"""
    P = eliminate(a, rows, overwrite_a, check_finite, assume_a=assume_a, lower=lower, grid=grid)
    if P.matrix is a:
        return P.schur()
    with P.matrix:
        return P.schur()
