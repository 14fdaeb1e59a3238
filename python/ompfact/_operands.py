"""Converts the arguments of a function to matrices that it may overwrite, and the result to the kind of the arguments."""
from __future__ import annotations

import contextlib
from ctypes import byref, c_bool, c_int64
from typing import Any, Callable, Optional, Sequence, Tuple

import numpy

from ._agree import together
from ._errors import LinAlgError
from ._grid import Grid, chosen_grid
from ._library import lib
from ._matrix import Matrix
from ._products import conjugated, no_factors
from ._shapes import STRUCTURES, array_of, common_dtype, is_symmetric

KINDS = {"gen": "general", "sym": "symmetric", "her": "hermitian", "pos": "positive definite",
         "lower triangular": "lower triangular", "upper triangular": "upper triangular"}    # by name of assume_a
INDEFINITE = ["symmetric", "hermitian"]
MADE_AS = {"positive definite": STRUCTURES[1:3], "indefinite": STRUCTURES[1:]}
SINGULAR = "the matrix is singular: U({0},{0}) is exactly zero"
NOT_POSITIVE = "the leading minor of order {0} is not positive definite"
ZEROS = "the matrix is singular: all of it is zero"
FACTOR = {"getrf": (lib.ompfact_getrf, SINGULAR), "potrf": (lib.ompfact_potrf, NOT_POSITIVE), "hetrf": (lib.ompfact_hetrf, ZEROS),
          "sytrf": (lib.ompfact_sytrf, ZEROS)}
SOLVE = {"potrf": lib.ompfact_potrs, "hetrf": lib.ompfact_hetrs, "sytrf": lib.ompfact_sytrs}


class Operands(contextlib.ExitStack):
    """Matrices that a function works on, and temporary copies, which end with it. Before there are any, the ranks compare their
    calls and arguments; check(), with the operands, raises the errors."""

    def __init__(self, call: str, grid: Optional[Grid], check: Callable[..., Any], *operands: Any,
                 check_finite: bool = True) -> None:
        super().__init__()
        matrices = [operand for operand in operands if isinstance(operand, Matrix)]
        self.grid = matrices[0]._grid if matrices else chosen_grid(grid)
        self.check_finite = check_finite

        def prepare() -> Tuple:
            given: Tuple[Any, ...] = tuple(operand if isinstance(operand, Matrix) else array_of(operand) for operand in operands)
            for matrix in matrices:
                if matrix._grid is not self.grid:
                    raise ValueError("the matrices are on different grids")
                matrix._pointer                 # raises if it is closed
            check(*given)
            if matrices:
                for array in given:
                    if not isinstance(array, Matrix):
                        matrices[0]._held(array, array.shape)
            return given
        self.given = together(self.grid, call, prepare)
        self.dtype = matrices[0].dtype if matrices else common_dtype(*self.given)

    def __exit__(self, *details: Any) -> None:     # type: ignore[override]    # False: exceptions propagate
        super().__exit__(*details)

    def matrix(self, overwrite: bool, keep: bool = False, cut: int = 0, **options: Any) -> Matrix:
        """A matrix with the first operand's contents, without factors, that the function may overwrite. In a copy a tile begins
        after `cut` rows and columns, if this is not 0."""
        a = self.given[0]
        if not isinstance(a, Matrix):
            A = Matrix._alike(a.shape, self.dtype, self.grid, cut=cut, **options)._filled(a)
        else:
            no_factors(a)
            A = a if overwrite else a.copy() if cut == 0 or a._is_cut(cut) else a.copy(nb=a.nb, cut=cut)
        if A is not a and not keep:
            self.enter_context(A)
        self._finite(A, "a")
        return A

    def triangle(self, structure: str) -> Matrix:
        """A matrix of which the function reads a triangle. It may be a factor."""
        a = self.given[0]
        if isinstance(a, Matrix):
            return a
        A = self.enter_context(Matrix._alike(a.shape, self.dtype, self.grid, structure)._filled(a))
        self._finite(A, "a")
        return A

    def rhs(self, A: Matrix, overwrite: bool, name: str = "b") -> Tuple[Matrix, Callable[[Matrix], Any]]:
        """Right-hand sides for A that the function may overwrite, and a function that converts the solution for the caller."""
        b = self.given[-1]
        if isinstance(b, Matrix):
            B = b if overwrite else A._rhs(b.shape[1])
            if B is not b:
                A._grid._call(lib.ompfact_redistribute, b, B)
        else:
            columns = b[:, None] if b.ndim == 1 else b
            B = self.enter_context(A._rhs(columns.shape[1])._filled(columns))
        self._finite(B, name)
        return B, lambda X: X if isinstance(b, Matrix) else _gathered(X, b.ndim)

    def _finite(self, A: Matrix, name: str) -> None:
        if not self.check_finite:
            return
        row, col, nan = c_int64(), c_int64(), c_bool()
        A._grid._call(lib.ompfact_find_not_finite, A, byref(row), byref(col), byref(nan))
        if row.value >= 0:
            raise ValueError(f"{name}[{row.value}, {col.value}] is {'NaN' if nan.value else 'infinite'}: "
                             "check_finite=False allows such elements")


def _gathered(X: Matrix, dimensions: int) -> numpy.ndarray:
    x = X.to_array()
    return x[:, 0].copy() if dimensions == 1 else x


def kind_of(assume_a: Optional[str], kinds: Sequence[str] = tuple(KINDS.values())) -> str:
    """The kind that assume_a names; None is "gen". It must be one of these kinds."""
    name = assume_a or "gen"
    kind = KINDS.get(name, name)
    if kind not in kinds:
        names = (name for name, known in KINDS.items() if known in kinds)
        raise ValueError(f"assume_a is one of {', '.join(names)}, not {assume_a!r}")
    return kind


def square(a: Any) -> None:
    if len(a.shape) != 2 or a.shape[0] != a.shape[1]:
        raise ValueError(f"the matrix must be square, not of shape {a.shape}")


def matching(a: Any, b: Any) -> None:
    if len(b.shape) not in (1, 2) or b.shape[0] != a.shape[0]:
        raise ValueError(f"the right-hand side is {b.shape}, the matrix {a.shape}")


def flags(**given: Any) -> None:
    """Raises an error for callers who use another order of the arguments."""
    for name, value in given.items():
        if not isinstance(value, (bool, numpy.bool_, int)):
            raise TypeError(f"{name} is True or False, not {value!r}: arguments are in the order of scipy.linalg's")


def structure_of(a: Any, kind: str, lower: bool) -> str:
    """The structure of the Matrix that array a becomes: a triangle, or general. A Matrix keeps its own structure."""
    if isinstance(a, Matrix):
        return a.structure
    return ("symmetric " if kind == "symmetric" else "") + ("lower" if lower else "upper") if kind != "general" else "general"


def made_as(a: Any, kind: str) -> None:
    """Raises an error for a Matrix that is not of this kind."""
    if not isinstance(a, Matrix) or kind not in MADE_AS or a.structure in MADE_AS[kind]:
        return
    raise ValueError(f"a {kind} Matrix is created with structure={' or '.join(map(repr, MADE_AS[kind]))}")


def check_info(info: c_int64, text: str) -> None:
    if info.value != 0:
        raise LinAlgError(text.format(info.value), info.value)


def indefinite_names(A: Matrix) -> str:
    """The first letters of the names of the routines for such a matrix."""
    return "sy" if is_symmetric(A.structure) else "he"


def routine_of(A: Matrix, definite: bool) -> str:
    """The routine that computes L L^H or U^H U of a positive definite matrix, L D L^H of an indefinite one, L D L^T of a
    symmetric one, and P L U of any other."""
    definite &= not is_symmetric(A.structure)
    return "getrf" if A.structure == "general" else "potrf" if definite else indefinite_names(A) + "trf"


def factor(A: Matrix, definite: bool = True) -> None:
    """Factors A by the routine of routine_of."""
    info = c_int64()
    A.factored = routine_of(A, definite)
    call, text = FACTOR[A.factored]
    A._grid._call(call, A, byref(info))
    check_info(info, text)


def solve_factored(A: Matrix, B: Matrix, trans: str = "N") -> None:
    """B := op(A)^-1 B, by the factors that A holds."""
    def call() -> None:
        if A.factored in SOLVE:
            A._grid._call(SOLVE[A.factored], A, B)
        else:
            A._grid._call(lib.ompfact_getrs_trans, A, ord(trans), B)
    of_transposed(A, B, trans, call)


def solve_by(call: str, A: Any, b: Any, routine: str, maker: str, overwrite: bool, check_finite: bool, trans: str = "N") -> Any:
    """Returns x with op(A) x = b, by the factors that `maker` left in A, in b's form."""
    def check(A: Any, b: Any) -> None:
        if not isinstance(A, Matrix) or A.factored != routine:
            raise ValueError(f"this needs the result of {maker}")
        matching(A, b)
    grid = A._grid if isinstance(A, Matrix) else b._grid if isinstance(b, Matrix) else None
    with Operands(call, grid, check, A, b, check_finite=check_finite) as work:
        B, wanted = work.rhs(A, overwrite)
        solve_factored(A, B, trans)
        return wanted(B)


def of_transposed(A: Matrix, B: Matrix, trans: str, solve: Callable[[], None]) -> None:
    """solve() with a Hermitian matrix, whose transpose is its conjugate."""
    conjugates = trans == "T" and A.structure in ("lower", "upper")
    if conjugates:
        conjugated(B)
    solve()
    if conjugates:
        conjugated(B)


def factored(call: str, a: Any, overwrite: bool, check_finite: bool, grid: Optional[Grid], positive: bool,
             lower: bool = False) -> Matrix:
    """The factors of a, as a Matrix that outlives the call."""
    kind = "positive definite" if positive else "general"

    def check(given: Any) -> None:
        flags(overwrite_a=overwrite, check_finite=check_finite, lower=lower)
        if positive:
            square(given)
            made_as(given, "positive definite")
        if len(given.shape) != 2:
            raise ValueError(f"the array has {len(given.shape)} dimensions, not 2")
        if structure_of(given, kind, lower) != "general" and not positive:
            raise ValueError("LU is for general matrices")
    with Operands(call, grid, check, a, check_finite=check_finite) as work:
        A = work.matrix(overwrite, keep=True, structure=structure_of(work.given[0], kind, lower))
        factor(A)
        return A
