"""Cholesky factors: solves, determinants, matrices that change by a few columns, factors on disk."""
from __future__ import annotations

import os
from ctypes import byref, c_double, c_int64
from typing import Any, Callable, Iterator, Optional, Tuple, Union

import numpy

from ._agree import together
from ._errors import OmpfactError
from ._grid import Grid, chosen_grid
from ._indefinite import LDL
from ._library import lib
from ._matrix import Matrix, OfMatrix
from ._operands import NOT_POSITIVE, Operands, check_info, factored, flags, solve_by
from ._shapes import array_of

NOT_FINITE = "row {0} of the new factor has no finite number on its diagonal"


class CholeskyFactor(OfMatrix):
    """The result of cho_factor: the factor of an n x n Hermitian positive definite matrix, a = c c^H if lower, otherwise c^H c. c
    is a Matrix on its ranks; c, lower = F, and F[0] and F[1], return c and lower. Methods are collective; those that change the
    matrix change F.

    close(), or a with statement, destroys the factor at once."""

    def __init__(self, c: Matrix) -> None:
        super().__init__(c)
        self.c = c

    @property
    def lower(self) -> bool:
        """Whether c is lower triangular. Local."""
        return self.c.structure == "lower"

    def __iter__(self) -> Iterator[Any]:
        return iter((self.c, self.lower))

    def __getitem__(self, index: Any) -> Any:
        return (self.c, self.lower)[index]

    def __len__(self) -> int:
        return 2

    def solve(self, b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Any:
        """Returns x, of b's shape, with a x = b. b is n x k, or n numbers."""
        return cho_solve(self, b, overwrite_b, check_finite)

    def logdet(self) -> float:
        """The logarithm of the determinant of a. The same factor gives the same bits on any ranks."""
        logabs, re, im = c_double(), c_double(), c_double()
        self.c._grid._call(lib.ompfact_determinant, self.c, byref(logabs), byref(re), byref(im))
        return logabs.value

    def update(self, v: Any, check_finite: bool = True) -> None:
        """Replaces a by a + v v^H. v is n x k, or n numbers: an array that is the same on every rank, or a Matrix. This takes 2
        n^2 k operations; a new factorization takes n^3/3."""
        self._change("update", lib.ompfact_potrf_update, v, check_finite, NOT_FINITE)

    def downdate(self, v: Any, check_finite: bool = True) -> None:
        """Replaces a by a - v v^H; v is as for update. Raises LinAlgError, and F stays the same, if the result is not positive
        definite: info is the order of a leading minor that is not. During the call a copy of c takes memory."""
        self._change("downdate", lib.ompfact_potrf_downdate, v, check_finite, NOT_POSITIVE)

    def append(self, b: Any, c: Any, check_finite: bool = True) -> None:
        """Replaces a by [[a, b], [b^H, c]]. b is n x m. c is m x m; the call reads F's triangle of c. Both are arrays that are
        the same on every rank. Raises LinAlgError, and F stays the same, if row r of c, counted from 1, makes a leading minor
        that is not positive definite: info is n + r."""
        n, info = self.c.shape[0], c_int64()

        def prepare() -> Tuple:
            flags(check_finite=check_finite)
            columns, corner = array_of(b), array_of(c)
            m = corner.shape[0] if corner.ndim else 0
            for name, array, shape in (("c", corner, (m, m)), ("b", columns, (n, m))):
                self.c._held(array, shape, name)
                if check_finite and not numpy.isfinite(array).all():
                    raise ValueError(f"{name} has a NaN or an infinity: check_finite=False allows such elements")
            return columns, corner
        columns, corner = together(self.c._grid, f"CholeskyFactor.append to matrix {self.c._number}", prepare, "bc")

        def appended(rows: slice, cols: slice) -> numpy.ndarray:
            if rows.start < n:
                return columns[rows, cols.start - n:cols.stop - n]
            if cols.start < n:
                return columns[cols, rows.start - n:rows.stop - n].conj().T
            return corner[rows.start - n:rows.stop - n, cols.start - n:cols.stop - n]
        self.c._append(len(corner), appended, info)
        check_info(info, NOT_POSITIVE)

    def schur(self, rows: int) -> numpy.ndarray:
        """The Schur complement a22 - a21 a11^-1 a12 of the first rows of a: an array of n - rows rows, both triangles, on every
        rank. The call gathers the last rows and columns of the factor and multiplies them."""
        if not 0 <= rows <= self.c.shape[0]:
            raise ValueError(f"{rows} of {self.c.shape[0]} rows cannot be eliminated")
        rest = self.c.to_array()[rows:, rows:]
        return rest @ rest.conj().T if self.lower else rest.conj().T @ rest

    def _change(self, name: str, call: Callable[..., int], v: Any, check_finite: bool, text: str) -> None:
        def check(c: Matrix, v: Any) -> None:
            flags(check_finite=check_finite)
            if len(v.shape) not in (1, 2) or v.shape[0] != c.shape[0]:
                raise ValueError(f"the columns are {v.shape}, the matrix {c.shape}")
        info = c_int64()
        with Operands(f"CholeskyFactor.{name}", self.c._grid, check, self.c, v, check_finite=check_finite) as work:
            V, _ = work.rhs(self.c, False, "v")
            self.c._grid._call(call, self.c, V, byref(info))
        check_info(info, text)


def cholesky(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True, *,
             grid: Optional[Grid] = None) -> Any:
    """The Cholesky factor c of the n x n Hermitian positive definite a: a = c c^H if lower, otherwise c^H c. For an array the
    result is an array with zeros in the other triangle, on every rank; for a Matrix it is a Matrix with the triangle of a.
    Collective.

    The call reads the triangle of an array that `lower` selects. Raises LinAlgError if a is not positive definite."""
    A = factored(f"cholesky(lower={lower})", a, overwrite_a, check_finite, grid, True, lower)
    if isinstance(a, Matrix):
        return A
    with A:
        return A.to_array()


def cho_factor(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True, *,
               grid: Optional[Grid] = None) -> CholeskyFactor:
    """The Cholesky factor of the n x n a, which stays on its ranks, as a CholeskyFactor: c, lower = cho_factor(a), where c is a
    Matrix and a = c c^H if lower, otherwise c^H c. Collective. Arguments and errors are those of cholesky."""
    return CholeskyFactor(factored(f"cho_factor(lower={lower})", a, overwrite_a, check_finite, grid, True, lower))


def cho_solve(c_and_lower: Union[CholeskyFactor, Tuple[Matrix, bool]], b: Any, overwrite_b: bool = False,
              check_finite: bool = True) -> Any:
    """Returns x, of b's shape, with a x = b, from the result of cho_factor for a. b is n x k, or n numbers. Collective."""
    return solve_by("cho_solve", c_and_lower[0], b, "potrf", "cho_factor", overwrite_b, check_finite)


# ---- on disk

def save(factor: Union[CholeskyFactor, LDL], folder: Any) -> None:
    """Saves the result of cho_factor or ldl to a folder that all ranks share. The call creates a missing folder; it replaces an
    older factor there when the new one is complete. Collective. Raises OmpfactError if the folder cannot be written."""
    if not isinstance(factor, (CholeskyFactor, LDL)):
        raise TypeError(f"save takes the result of cho_factor or ldl, not a {type(factor).__name__}")
    A = factor.c if isinstance(factor, CholeskyFactor) else factor.factors
    path, = _folder("save", A._grid, folder)
    A._grid._call(lib.ompfact_save, A, path)


def load(folder: Any, grid: Optional[Grid] = None) -> Union[CholeskyFactor, LDL]:
    """Returns a factor that save has saved, on any number of ranks. Collective. Raises OmpfactError, which names the folder and
    the file, if the factor is damaged or missing, or if the file is something else."""
    grid = chosen_grid(grid)
    path, = _folder("load", grid, folder)
    A = Matrix._loaded(grid, grid._create(lib.ompfact_load, grid, path))
    if A.factored == "potrf":
        return CholeskyFactor(A)
    try:
        return LDL(A, None)
    except OmpfactError:
        A.close()
        raise


def _folder(call: str, grid: Grid, folder: Any) -> Tuple[bytes]:
    path = os.fsencode(folder)
    together(grid, f"{call}({path!r})", lambda: ())
    return (path,)
