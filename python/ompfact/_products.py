"""Products of a matrix with arrays or matrices of few columns, and its transpose."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Tuple

import numpy

from ._agree import together
from ._library import lib
from ._shapes import array_of, both_triangles, is_symmetric

if TYPE_CHECKING:
    from ._matrix import Matrix, Tile

BLOCK = 256     # largest number of columns of the other matrix that every rank holds at one time


def no_factors(A: Matrix) -> None:
    if A.factored:
        raise ValueError(f"the matrix holds what {A.factored} left of it")


def transposed(A: Matrix, conjugate: bool) -> Matrix:
    """A new matrix, A^H or A^T. For a matrix with a triangle it is a copy, or its conjugate."""
    no_factors(A)
    if A.structure == "general":
        At = type(A)._of(A, "general", A._grid._create(lib.ompfact_conj_transpose, A))
    else:
        At = A.copy()
    if conjugate == is_symmetric(A.structure):
        conjugated(At)
    return At


def conjugated(A: Matrix) -> Matrix:
    """Conjugates the elements of the matrix and returns the matrix. Local."""
    if A.dtype.kind == "c":
        for tile in A.tiles():
            numpy.conjugate(tile.array, out=tile.array)
    return A


def _multiply(A: Matrix, x: numpy.ndarray, adjoint: bool = False) -> numpy.ndarray:
    """A x or A^H x, on every rank: each rank multiplies its tiles."""
    if adjoint and is_symmetric(A.structure):
        return _multiply(A, x.conj()).conj()
    m, n = A.shape
    y = numpy.zeros((n if adjoint else m, x.shape[1]), numpy.result_type(A.dtype, x.dtype))
    triangle = A.structure != "general"
    for tile in A.tiles():
        array = both_triangles(tile.array, A.structure) if triangle and tile.i == tile.j else tile.array
        if triangle and tile.i != tile.j or not adjoint:
            y[tile.rows] += array @ x[tile.cols]
        if triangle and tile.i != tile.j or adjoint:
            y[tile.cols] += (array.T if is_symmetric(A.structure) else array.conj().T) @ x[tile.rows]
    return A._grid._comm.sum(y)


def _with_array(A: Matrix, x: Any, call: str, adjoint: bool) -> numpy.ndarray:
    rows = A.shape[0] if adjoint else A.shape[1]

    def prepare() -> Tuple:
        no_factors(A)
        array = array_of(x)
        array = array.conj().T if adjoint else array
        if array.ndim not in (1, 2) or array.shape[0] != rows:
            raise ValueError(f"the shapes do not fit: {A.shape} and {numpy.shape(x)}")
        return (array.astype(numpy.result_type(A.dtype, array.dtype), copy=False),)
    array, = together(A._grid, f"{call}, A of {A.shape}", prepare, "x")
    y = _multiply(A, array[:, None] if array.ndim == 1 else array, adjoint)
    y = y[:, 0] if array.ndim == 1 else y
    return y.conj().T if adjoint else y


def product(A: Matrix, other: Any) -> Any:
    """A x as an array on every rank, for an array x; A X as a Matrix with A's tile rows, for a Matrix X."""
    if not isinstance(other, type(A)):
        return _with_array(A, other, "A @ x", False)
    no_factors(A)
    no_factors(other)
    if A.shape[1] != other.shape[0] or A.dtype != other.dtype or A._grid is not other._grid or other.structure != "general":
        raise ValueError(f"the matrices do not fit: {A!r} and {other!r}")
    columns = other.shape[1]
    Y = A._rhs(columns)
    for start in range(0, columns, BLOCK):
        stop = min(start + BLOCK, columns)
        x = numpy.zeros((other.shape[0], stop - start), other.dtype)
        for tile, mine, theirs in _parts(other, start, stop):
            x[tile.rows, theirs] = tile.array[:, mine]
        y = _multiply(A, A._grid._comm.sum(x))
        for tile, mine, theirs in _parts(Y, start, stop):
            tile.array[:, mine] = y[tile.rows, theirs]
    return Y


def _parts(A: Matrix, start: int, stop: int) -> Any:
    """This rank's tiles that have some of the columns from start to stop: the columns in the tile, and those in the range."""
    for tile in A.tiles():
        first, last = max(tile.cols.start, start), min(tile.cols.stop, stop)
        if first < last:
            yield tile, slice(first - tile.col, last - tile.col), slice(first - start, last - start)


def product_from_left(x: Any, A: Matrix) -> numpy.ndarray:
    """x A as an array on every rank, for an array x: (A^H x^H)^H."""
    return _with_array(A, x, "x @ A", True)
