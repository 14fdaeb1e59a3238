"""Matrices that are distributed over the ranks of a grid, in tiles."""
from __future__ import annotations

import contextlib
import ctypes
import operator
from ctypes import byref, c_double, c_int
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, Optional, Tuple, TypeVar, Union

import numpy

from . import _library, _products
from ._agree import together
from ._errors import COLLECTIVE, OmpfactError
from ._grid import Grid, chosen_grid
from ._library import Report, Scalapack, TilePrecisions, lib
from ._shapes import (DTYPES, STRUCTURES, array_of, both_triangles, c_shape, common_dtype, is_symmetric, matrix_dtype, sides_of,
                      tile_index, tile_precision, triangle_of)
from ._threads import callback

_Self = TypeVar("_Self", bound="OfMatrix")


class OfMatrix:
    """The base class of what has a Matrix: close(), or a with statement, destroys the Matrix at once. Collective."""

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *details: Any) -> None:
        self._matrix.__exit__(*details)

    def close(self) -> None:
        self._matrix.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._matrix!r}>"


@dataclass
class Tile:
    """One tile. array is a view of its elements in the memory of the matrix, and no copy; (row, col) is the position of the first
    element. For tiles on the diagonal of a Hermitian matrix only the triangle counts."""
    i: int
    j: int
    row: int
    col: int
    array: numpy.ndarray

    @property
    def rows(self) -> slice:
        """The rows of the matrix that the tile has."""
        return slice(self.row, self.row + self.array.shape[0])

    @property
    def cols(self) -> slice:
        """The columns of the matrix that the tile has."""
        return slice(self.col, self.col + self.array.shape[1])


class _Memory:
    """The object that NumPy makes a view of. The view has a reference to it, and it has a reference to the matrix, so the matrix
    lives as long as the view."""

    def __init__(self, matrix: Matrix, tile: _library.Tile) -> None:
        size = matrix.dtype.itemsize
        self.matrix = matrix
        self.__array_interface__ = {
            "version": 3, "typestr": matrix.dtype.str, "data": (tile.data, False), "shape": (tile.mb, tile.nb),
            "strides": (size, size * tile.ld)}


class Matrix:
    """An m x n matrix on a grid with undefined contents. shape is (m, n), or n for a square matrix. Collective.

    dtype       float32, float64, complex64 or complex128
    structure   "general"; "lower" or "upper": Hermitian (symmetric if real), and the matrix stores and reads this triangle;
                "symmetric lower" or "symmetric upper": A = A^T, for complex numbers (for real numbers the same as without the word)
    nb          rows and columns of a tile; 0: a size that suits the matrix, the ranks and the machine; two lists: the heights of
                the tile rows, and the widths of the tile columns
    layout      name of the layout, which maps tiles to ranks; None: the best known layout for the purpose, which is "lu", "qr",
                "least squares" or "inverse"
    cut         for eliminate: a tile begins after this number of rows and columns; 0: at any row
    owner       instead of a layout, a function of the tile's row and column, which is the same on every rank
    speeds      speeds of the ranks, a number for each, if they differ
    precision   EPS, or "auto": a tile is in single precision if rounding this tile keeps EPS of the norm. The error of the factors is
                at most 10 EPS; for cho_factor with overwrite_a. Filling is then collective and complete, and tiles() are copies in
                double precision
    bf16        with precision: a tile is in bfloat16 if rounding this tile to bfloat16 keeps EPS of the norm
    copies      copies of the matrix, for Cholesky and LU without pivoting: more copies send fewer tiles and take more memory. Factors
                are distributed over the ranks of all copies; call bring_home() before tile() and tiles()

    A @ x and x @ A are products with arrays that are the same on every rank, or with other matrices of few columns. A.H and A.T
    are new matrices. numpy.asarray(A) is A.to_array(). All of these are collective.

    The attribute factored is the routine that has overwritten the matrix, or None. Set it to None after you have filled the
    matrix again by tiles."""
    __array_ufunc__ = None      # so NumPy calls __rmatmul__ for array @ A
    ndim = 2

    def __init__(self, shape: Union[int, Tuple[int, int]], dtype: Any = float, grid: Optional[Grid] = None, *,
                 structure: str = "general", nb: Any = 0, layout: Optional[str] = None, purpose: str = "lu",
                 owner: Optional[Callable[[int, int], int]] = None, speeds: Any = None, full_storage: bool = False,
                 cut: int = 0, copies: int = 1, precision: Union[None, float, str] = None, bf16: bool = False) -> None:
        self._grid = chosen_grid(grid)
        made: list = []

        def prepare() -> Tuple:
            m, n = sides_of(shape)
            self.dtype = matrix_dtype(dtype)
            made.extend(c_shape(m, n, dtype, structure, self._grid.size, nb, layout, purpose, owner, speeds,
                                 full_storage=full_storage, cut=cut, copies=copies, tile_precision=tile_precision(precision),
                                 bf16_tiles=bf16))
            return ()
        together(self._grid, f"Matrix({shape}, {dtype}, {structure}, nb={nb}, layout={layout}, purpose={purpose}, cut={cut}, "
                             f"owner={'a function' if owner else None}, speeds={speeds}, copies={copies}, "
                             f"precision={precision}, bf16={bf16})", prepare)
        c, function = made
        number, refusal = self._made(c)
        if function:
            try:
                together(self._grid, "Matrix's owner", lambda: function.check() or ())
            except Exception:
                self._grid._destroy(number)
                raise
        if refusal:
            raise refusal
        self._finish(structure, number)

    @classmethod
    def _alike(cls, shape: Tuple[int, int], dtype: numpy.dtype, grid: Grid, structure: str = "general", **options: Any) -> Matrix:
        """A matrix whose arguments the ranks are known to agree on."""
        self = cls.__new__(cls)
        self._grid, self.dtype = grid, dtype
        c, _ = c_shape(*shape, dtype, structure, grid.size, **options)
        self._finish(structure, grid._create(lib.ompfact_matrix_create, grid, byref(c)))
        return self

    def _made(self, c: Any) -> Tuple[int, Optional[OmpfactError]]:
        """The number of the new matrix, or the error."""
        try:
            return self._grid._create(lib.ompfact_matrix_create, self._grid, byref(c)), None
        except OmpfactError as error:
            return 0, error

    def _finish(self, structure: str, number: int) -> None:
        self.structure, self._number = structure if self.dtype.kind == "c" else triangle_of(structure), number
        self.factored: Optional[str] = None
        self.shape: Tuple[int, int] = lib.ompfact_rows(self._pointer), lib.ompfact_cols(self._pointer)

    @classmethod
    def _of(cls, model: Matrix, structure: str, number: int) -> Matrix:
        self = cls.__new__(cls)
        self._grid, self.dtype = model._grid, model.dtype
        self._finish(structure, number)
        return self

    @classmethod
    def _loaded(cls, grid: Grid, number: int) -> Matrix:
        """A matrix that the library has made."""
        self = cls.__new__(cls)
        shape = lib.ompfact_shape_of(grid._find(number))
        self._grid, self.dtype = grid, numpy.dtype(DTYPES[shape.type])
        self._finish(STRUCTURES[shape.structure], number)
        factors = _library.HOLDS[lib.ompfact_holds(self._pointer)]
        self.factored = "sytrf" if factors == "hetrf" and is_symmetric(self.structure) else factors
        return self

    def _append(self, rows: int, values: Callable[[slice, slice], Any], info: Any) -> None:
        """Appends rows to a factor. values() returns the elements of the matrix for the rows and columns of each new tile."""
        def fill(context: Any, t: Any) -> None:
            tile = Tile(t[0].i, t[0].j, t[0].row, t[0].col, numpy.asarray(_Memory(self, t[0])))
            with callback():
                tile.array[...] = values(tile.rows, tile.cols)
        self._grid._call(lib.ompfact_potrf_append, self, rows, _library.FILL(fill), None, byref(info))
        self.shape = lib.ompfact_rows(self._pointer), lib.ompfact_cols(self._pointer)

    def __del__(self) -> None:
        if hasattr(self, "_number"):
            self._grid._drop(self._number)

    def __enter__(self) -> Matrix:
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        """Closes the matrix, but not after other exceptions: these may be this rank's alone, and then other ranks do not call
        close()."""
        if kind is None or issubclass(kind, COLLECTIVE):
            self.close()

    def __repr__(self) -> str:
        if self.closed:
            return "<Matrix, closed>"
        size = f"{self.shape[0]} x {self.shape[1]}"
        ranks = f"{self._grid.size} rank{'s' if self._grid.size > 1 else ''}"
        return f"<Matrix {size}, {self.dtype}, {self.structure}, tiles of {self.nb}, {self.layout} on {ranks}>"

    @property
    def _pointer(self) -> ctypes.c_void_p:
        return self._grid._find(self._number)

    @property
    def grid(self) -> Grid:
        """The grid of the matrix. Local."""
        return self._grid

    @property
    def precision(self) -> Optional[float]:
        """EPS of a matrix with tiles in double and in single precision; None: all tiles are in the precision of the matrix.
        Local."""
        return lib.ompfact_shape_of(self._pointer).tile_precision or None

    @property
    def precisions(self) -> Dict[str, int]:
        """double_tiles, single_tiles and bf16_tiles, the numbers of stored tiles in double, in single and in bfloat16 after the
        matrix was filled; widened, the number of tiles in a wider precision since; and bytes, the bytes of all tiles.
        Collective."""
        counts = TilePrecisions()
        self._grid._call(lib.ompfact_count_precisions, self, byref(counts))
        return {name: getattr(counts, name) for name, _ in counts._fields_}

    def precision_map(self) -> numpy.ndarray:
        """The precision of every tile: 1 for a tile in single of a matrix in double, 2 in bfloat16, 0 for any other stored tile, -2 for a
        tile that is not stored. The same on every rank. Collective."""
        tiles = numpy.empty((lib.ompfact_tile_rows(self._pointer), lib.ompfact_tile_cols(self._pointer)), ctypes.c_int)
        self._grid._call(lib.ompfact_precision_map, self, tiles.ctypes.data_as(ctypes.POINTER(ctypes.c_int)))
        return tiles

    @property
    def closed(self) -> bool:
        """Whether the matrix is closed. Local."""
        return self._number not in self._grid._live

    @property
    def layout(self) -> str:
        """The full name of the layout, such as "2dbc:2x3". Local."""
        return lib.ompfact_layout(self._pointer).decode()

    @property
    def nb(self) -> int:
        """The number of columns of the widest tile. Local."""
        return lib.ompfact_tile_width(self._pointer)

    @property
    def tile_height(self) -> int:
        """The number of rows of the highest tile. Local."""
        return lib.ompfact_tile_height(self._pointer)

    @property
    def tile_shape(self) -> Tuple[int, int]:
        """The numbers of tile rows and tile columns. Local."""
        return lib.ompfact_tile_rows(self._pointer), lib.ompfact_tile_cols(self._pointer)

    def _is_cut(self, rows: int) -> bool:
        """Whether a tile begins after this number of existing rows and columns. Local."""
        return all(part_of(self._pointer, rows - 1) != part_of(self._pointer, rows)
                   for part_of in (lib.ompfact_tile_row_of, lib.ompfact_tile_col_of))

    def close(self) -> None:
        """Destroys the matrix now; views of its tiles are then invalid. A second call does nothing. Collective."""
        self._grid._destroy(self._number)

    def owner(self, i: int, j: int) -> int:
        """The rank that owns tile (i, j), or -1 if the tile is not stored. Local."""
        return lib.ompfact_owner(self._pointer, tile_index(i), tile_index(j))

    @property
    def report(self) -> Dict[str, Union[int, float]]:
        """Facts about the last factorization of this matrix, or about the last solve with it as right-hand side. Local."""
        report = lib.ompfact_last_report(self._pointer)
        return {name: getattr(report, name) for name, kind in Report._fields_ if kind in (c_double, c_int, ctypes.c_int64)}

    # ---- other matrices

    def like(self) -> Matrix:
        """A matrix with the shape, tiles and layout of this matrix, and with undefined contents. Collective."""
        return Matrix._of(self, self.structure, self._grid._create(lib.ompfact_matrix_create_like, self))

    def rhs(self, columns: int, array: Any = None) -> Matrix:
        """Right-hand sides for this m x n matrix, m x columns, which its Q also multiplies. An array of this shape, the same on
        every rank, fills them. Collective."""
        def prepare() -> Tuple:
            if operator.index(columns) < 0:
                raise ValueError(f"there cannot be {columns} columns")
            return () if array is None else (self._held(array, (self.shape[0], columns)),)
        filled = together(self._grid, f"Matrix.rhs({columns})", prepare, "b")
        B = self._rhs(columns)
        return B._filled(*filled) if filled else B

    def _rhs(self, columns: int) -> Matrix:
        return Matrix._of(self, "general", self._grid._create(lib.ompfact_matrix_create_rhs, self, columns))

    def _held(self, array: Any, shape: Tuple[int, int], name: str = "the array") -> numpy.ndarray:
        """An array that this matrix's type holds without loss. Integers may lose digits."""
        array = array_of(array)
        if array.shape != shape:
            raise ValueError(f"{name} is {array.shape}, not {shape}")
        if array.dtype.kind not in "biu" and not numpy.can_cast(array.dtype, self.dtype, "safe"):
            raise TypeError(f"a matrix of {self.dtype} does not hold {array.dtype} without loss: "
                            f"give array.astype(numpy.{self.dtype}), or make the matrix of {common_dtype(array, self.dtype)}")
        return array

    def copy(self, **options: Any) -> Matrix:
        """A copy, with other tiles or another layout if options of Matrix give them. The copy of factors has the factors. The
        call raises ValueError for factors of ldl, because the library stores a part of them outside the matrix. Collective."""
        if self.factored is not None and self.factored[:5] in ("hetrf", "sytrf"):
            raise ValueError("factors L D L^H are not copied: the library stores a part of them outside the matrix")
        if options:
            other = Matrix(self.shape, self.dtype, self._grid, structure=self.structure, **options)
        else:
            other = self.like()
        self._grid._call(lib.ompfact_redistribute, self, other)
        other.factored = self.factored
        return other

    def __copy__(self) -> Matrix:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Matrix:
        return self.copy()

    def __reduce__(self) -> Any:
        raise TypeError("a Matrix is not pickled: it is distributed over ranks; A.to_array() gathers it")

    @property
    def H(self) -> Matrix:
        """A new matrix, the conjugate transpose. Collective."""
        return _products.transposed(self, conjugate=True)

    @property
    def T(self) -> Matrix:
        """A new matrix, the transpose. Collective."""
        return _products.transposed(self, conjugate=False)

    def __matmul__(self, other: Any) -> Any:
        return _products.product(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _products.product_from_left(other, self)

    # ---- contents

    @classmethod
    def from_array(cls, array: Any, grid: Optional[Grid] = None, **options: Any) -> Matrix:
        """The matrix of an m x n NumPy array that is the same on every rank; each rank copies its own tiles. Collective.

        For numpy.load("a.npy", mmap_mode="r") each rank reads only the pages of its own tiles, and a few thousand pages to
        compare."""
        grid = chosen_grid(grid)

        def prepare() -> Tuple:
            prepared = array_of(array)
            if prepared.ndim != 2:
                raise ValueError(f"the array has {prepared.ndim} dimensions, not 2")
            if not numpy.can_cast(prepared.dtype, options.get("dtype", prepared.dtype), "same_kind"):
                raise TypeError(f"a matrix of {options['dtype']} does not hold {prepared.dtype}")
            return (prepared,)
        array, = together(grid, "Matrix.from_array", prepare)
        return cls(array.shape, options.pop("dtype", common_dtype(array)), grid, **options)._filled(array)

    @classmethod
    def from_function(cls, function: Callable[[numpy.ndarray, numpy.ndarray], Any], shape: Union[int, Tuple[int, int]],
                      dtype: Any = float, grid: Optional[Grid] = None, **options: Any) -> Matrix:
        """The matrix of function(i, j). Each rank calls the function once for each of its tiles, with arrays of row and column
        indices of shapes (rows, 1) and (1, columns). If the function raises an exception on one rank, the call raises it on all
        ranks, and there is no matrix. Collective."""
        A = cls(shape, dtype, grid, **options)
        try:
            together(A._grid, "Matrix.from_function", lambda: (A.fill(function),))
        except Exception:
            A.close()
            raise
        return A

    def fill(self, function: Callable[[numpy.ndarray, numpy.ndarray], Any]) -> Matrix:
        """Fills the matrix as from_function does. Local, except for a matrix with a precision."""
        return self._fill_tiles(lambda tile: function(*numpy.ogrid[tile.rows, tile.cols]))

    def fill_from(self, array: Any) -> Matrix:
        """Fills the matrix from a NumPy array of its shape that is the same on every rank; the call does not check that. Local,
        except for a matrix with a precision."""
        array = array_of(array)
        if array.shape != self.shape:
            raise ValueError(f"the array is {array.shape}, the matrix {self.shape}")
        if not numpy.can_cast(array.dtype, self.dtype, "same_kind"):
            raise TypeError(f"a matrix of {self.dtype} does not hold {array.dtype}")
        return self._filled(array)

    def _filled(self, array: numpy.ndarray) -> Matrix:
        return self._fill_tiles(lambda tile: array[tile.rows, tile.cols])

    def _fill_tiles(self, values: Callable[[Tile], Any]) -> Matrix:
        if self.precision:
            self._fill_mixed(values)
        else:
            if self.factored:       # tiles() refuses factors that are distributed over copies
                self._grid._call(lib.ompfact_fill_tiles, self, _library.FILL(lambda context, tile: None), None)
            for tile in self.tiles():
                tile.array[...] = values(tile)
        self.factored = None
        return self

    def _fill_mixed(self, values: Callable[[Tile], Any]) -> None:
        """Fills the matrix through the library, which reads each tile twice. An exception of values() is raised after the
        collective call. Collective."""
        raised: list = []

        def fill(context: Any, t: Any) -> None:
            tile = Tile(t[0].i, t[0].j, t[0].row, t[0].col, numpy.asarray(_Memory(self, t[0])))
            try:
                with callback():
                    tile.array[...] = values(tile)
            except BaseException as error:      # C would lose an interrupt, too
                raised.append(error)
                tile.array[...] = 0
        self._grid._call(lib.ompfact_fill_tiles, self, _library.FILL(fill), None)
        if raised:
            raise raised[0]

    def bring_home(self) -> Matrix:
        """For a matrix in copies: moves the tiles of the factors to the ranks that own them, for tile() and tiles(). Collective."""
        together(self._grid, f"Matrix.bring_home() of matrix {self._number}", lambda: ())
        self._grid._call(lib.ompfact_bring_home, self)
        return self

    @contextlib.contextmanager
    def tile(self, i: int, j: int) -> Iterator[Tile]:
        """This rank's tile (i, j), to read and write between collective calls; for a matrix with a precision, only to read.
        Local."""
        t, i, j = _library.Tile(), tile_index(i), tile_index(j)
        if self.precision:
            room = numpy.empty(self.tile_height * self.nb, self.dtype)
            self._grid._call(lib.ompfact_tile_read, self, i, j, room.ctypes.data, byref(t))
            array = numpy.array(_Memory(self, t), order="F")
            array.flags.writeable = False
            yield Tile(t.i, t.j, t.row, t.col, array)
            return
        self._grid._call(lib.ompfact_tile_get, self, i, j, byref(t))
        try:
            yield Tile(t.i, t.j, t.row, t.col, numpy.asarray(_Memory(self, t)))
        finally:
            if not self.closed:
                lib.ompfact_tile_restore(self._pointer, byref(t))

    def tiles(self) -> Iterator[Tile]:
        """This rank's tiles, one after the other. Local."""
        i, j = c_int(-1), c_int(-1)
        while lib.ompfact_next_tile(self._pointer, byref(i), byref(j)):
            with self.tile(i.value, j.value) as tile:
                yield tile

    def to_array(self, root: Optional[int] = None) -> Any:
        """The whole m x n matrix as a NumPy array on rank root, and None on the other ranks. If root is None, every rank returns
        the array. Collective.

        A Hermitian or symmetric matrix gives both triangles. Its factors give the stored triangle, with zeros in the other one."""
        if self.precision:
            with self._in_double() as dense:
                return dense.to_array(root)
        m, n = self.shape
        everywhere, root = root is None, root or 0
        desc = (c_int * 9)(1, 0, m, n, max(m, 1), max(n, 1), 0, 0, max(m, 1))
        where = Scalapack(desc, 1, 1, (c_int * 1)(root), 1, 1)
        there = self._grid.rank == root
        room: list = []

        def prepare() -> Tuple:
            room.append(numpy.zeros((m, n), self.dtype, order="F") if there or everywhere else None)
            return ()
        together(self._grid, f"Matrix.to_array({root}) of matrix {self._number}", prepare)
        array, = room
        self._grid._call(lib.ompfact_to_scalapack, self, byref(where), array.ctypes.data if there else None)
        if everywhere:
            self._grid.bcast(array, root)
        if array is not None and self.structure != "general" and not self.factored:
            array[...] = both_triangles(array, self.structure)
        return array

    def _in_double(self) -> Matrix:
        """A copy with all tiles in the precision of the matrix. Collective."""
        dense = Matrix._of(self, self.structure, self._grid._create(lib.ompfact_matrix_create_dense, self))
        for to, tile in zip(dense.tiles(), self.tiles()):
            to.array[...] = tile.array
        dense.factored = self.factored
        return dense

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> numpy.ndarray:
        if copy is False:
            raise ValueError("an array of a Matrix is always a copy: the matrix is distributed over ranks")
        return self.to_array().astype(dtype or self.dtype, copy=False)

    def norm1(self) -> float:
        """The largest column sum of moduli. Collective."""
        norm = c_double()
        self._grid._call(lib.ompfact_norm1, self, byref(norm))
        return norm.value
