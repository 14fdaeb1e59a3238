"""Matrices that are spread over the ranks of a grid, in tiles."""
import contextlib
import ctypes
from ctypes import byref, c_double, c_int
from dataclasses import dataclass

import numpy

from . import _library
from ._library import OWNER, Report, Scalapack, Shape, lib
from .errors import COLLECTIVE
from .grid import default_grid, number_of

TYPES = {"f": b"s", "d": b"d", "F": b"c", "D": b"z"}        # by NumPy's letters
STRUCTURES = ["general", "lower", "upper"]
PURPOSES = ["lu", "qr", "least squares", "inverse"]


def common_dtype(*arrays):
    """One of float32, float64, complex64, complex128 that holds all of them."""
    dtype = numpy.result_type(numpy.float32, *arrays)
    if dtype.char not in TYPES:
        raise TypeError(f"there are matrices of float32, float64, complex64 and complex128, not of {dtype}")
    return dtype


def c_shape(m, n, dtype, structure, nb=0, layout=None, purpose="lu", owner=None, speeds=None, **rest):
    """The structure of what a matrix is to be, as Matrix takes it."""
    dtype = numpy.dtype(dtype)
    if dtype.char not in TYPES:
        raise TypeError(f"there are matrices of float32, float64, complex64 and complex128, not of {dtype}")
    s = Shape(m=m, n=n, type=TYPES[dtype.char], structure=number_of("structure", STRUCTURES, structure),
              purpose=number_of("purpose", PURPOSES, purpose), layout=layout.encode() if layout else None, **rest)
    if isinstance(nb, (list, tuple)):
        s.mt, s.nt = map(len, nb)
        s.row_heights, s.col_widths = ((c_int * len(sizes))(*sizes) for sizes in nb)
    else:
        s.nb = nb
    if speeds is not None:
        s.speeds = (c_double * len(speeds))(*speeds)
    if owner:
        s.owner = OWNER(lambda context, i, j: owner(i, j))
    return s


@dataclass
class Tile:
    """One tile: array is a view of its elements in the matrix's memory, no copy; (row, col) is the place of the first one. Of the
    tiles on a Hermitian matrix's diagonal only its triangle counts."""
    i: int
    j: int
    row: int
    col: int
    array: numpy.ndarray

    rows = property(lambda self: slice(self.row, self.row + self.array.shape[0]))
    cols = property(lambda self: slice(self.col, self.col + self.array.shape[1]))


class _Memory:
    """What NumPy makes a view of. The view keeps it, and it the matrix: so that is not dropped before."""

    def __init__(self, matrix, tile):
        size = matrix.dtype.itemsize
        self.matrix = matrix
        self.__array_interface__ = {
            "version": 3, "typestr": matrix.dtype.str, "data": (tile.data, False), "shape": (tile.mb, tile.nb),
            "strides": (size, size * tile.ld)}


class Matrix:
    """An m x n matrix on a grid, its contents undefined. shape is (m, n), or n for a square one.

    structure   "general", or "lower", "upper": Hermitian (symmetric if real), of which that triangle is stored and read
    nb          rows and columns of a tile; 0: a size that suits the matrix, the ranks and the machine. Or two lists: the heights of
                the tile rows, the widths of the tile columns
    layout      which rank owns which tile, by name; None: the best that is known for the purpose: "lu", "qr", "least squares" or
                "inverse"
    owner       or a function of the tile's row and column
    speeds      of the ranks, if they are not alike

    The attribute factored is the routine that has overwritten the matrix, or None: set it to None after filling it anew by tiles.
    """

    def __init__(self, shape, dtype=float, grid=None, *, structure="general", nb=0, layout=None, purpose="lu", owner=None,
                 speeds=None, full_storage=False):
        self._grid = grid = grid or default_grid()
        m, n = (shape, shape) if numpy.isscalar(shape) else shape
        self.dtype = numpy.dtype(dtype)
        s = c_shape(m, n, dtype, structure, nb, layout, purpose, owner, speeds, full_storage=full_storage)
        self._finish(structure, grid.create(lib.ompfact_matrix_create, grid.pointer, byref(s)))

    def _finish(self, structure, number):
        self.structure, self._number = structure, number
        self.factored = None
        self.shape = lib.ompfact_rows(self.pointer), lib.ompfact_cols(self.pointer)

    @classmethod
    def _of(cls, model, structure, number):
        self = cls.__new__(cls)
        self._grid, self.dtype = model._grid, model.dtype
        self._finish(structure, number)
        return self

    def __del__(self):
        if hasattr(self, "_number"):
            self._grid.drop(self._number)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        """An exception of another kind may be this rank's alone: then the others do not come to close."""
        if kind is None or issubclass(kind, COLLECTIVE):
            self.close()

    def __repr__(self):
        size = f"{self.shape[0]} x {self.shape[1]}"
        return f"<Matrix {size}, {self.dtype}, {self.structure}, tiles of {self.nb}, {self.layout} on {self._grid.size} ranks>"

    pointer = property(lambda self: self._grid.find(self._number))
    grid = property(lambda self: self._grid, doc="local")
    closed = property(lambda self: self._number not in self._grid._live, doc="local")
    layout = property(lambda self: lib.ompfact_layout(self.pointer).decode(), doc='as resolved, such as "2dbc:2x3"; local')
    nb = property(lambda self: lib.ompfact_tile_width(self.pointer), doc="columns of the widest tile; local")
    tile_height = property(lambda self: lib.ompfact_tile_height(self.pointer), doc="rows of the highest tile; local")
    tile_shape = property(lambda self: (lib.ompfact_tile_rows(self.pointer), lib.ompfact_tile_cols(self.pointer)),
                          doc="how many tile rows and columns there are; local")

    def close(self):
        """Destroys the matrix now; views of its tiles point to nothing then. Once more does nothing."""
        self._grid.destroy(self._number)

    def owner(self, i, j):
        """The rank that owns tile (i, j), -1 if it is not stored. Local."""
        return lib.ompfact_owner(self.pointer, i, j)

    @property
    def report(self):
        """What the last factorization of this matrix, or the last solve with it as right-hand side, did. Local."""
        report = lib.ompfact_last_report(self.pointer)
        return {name: getattr(report, name) for name, kind in Report._fields_ if kind in (c_double, c_int, ctypes.c_int64)}

    # ---- other matrices

    def like(self):
        """A matrix of this one's shape, tiles and layout."""
        return Matrix._of(self, self.structure, self._grid.create(lib.ompfact_matrix_create_like, self.pointer))

    def rhs(self, columns, array=None):
        """Right-hand sides for this matrix, or what is multiplied by its Q; filled in from an array if there is one."""
        B = Matrix._of(self, "general", self._grid.create(lib.ompfact_matrix_create_rhs, self.pointer, columns))
        if array is not None:
            B.fill_from(array)
        return B

    def copy(self, **options):
        """A copy, of other tiles or another layout if options of Matrix say so. Factors stay factors."""
        if options:
            other = Matrix(self.shape, self.dtype, self._grid, structure=self.structure, **options)
        else:
            other = self.like()
        self._grid.check(lib.ompfact_redistribute(self.pointer, other.pointer))
        other.factored = self.factored
        return other

    # ---- contents

    @classmethod
    def from_array(cls, array, grid=None, **options):
        """The matrix of a NumPy array that is the same on every rank; each takes its own tiles of it."""
        array = numpy.asarray(array)
        return cls(array.shape, options.pop("dtype", common_dtype(array)), grid, **options).fill_from(array)

    @classmethod
    def from_function(cls, function, shape, dtype=float, grid=None, **options):
        """The matrix of function(i, j), which is called once for each tile of the rank, with arrays of row and column indices."""
        return cls(shape, dtype, grid, **options).fill(function)

    def fill(self, function):
        """Fills the matrix as from_function does. Local."""
        for tile in self.tiles():
            tile.array[...] = function(*numpy.ogrid[tile.rows, tile.cols])
        self.factored = None
        return self

    def fill_from(self, array):
        """Fills the matrix from a NumPy array that is the same on every rank. Local."""
        array = numpy.asarray(array)
        if array.shape != self.shape:
            raise ValueError(f"the array is {array.shape}, the matrix {self.shape}")
        if not numpy.can_cast(array.dtype, self.dtype, "same_kind"):
            raise TypeError(f"a matrix of {self.dtype} does not hold {array.dtype}")
        for tile in self.tiles():
            tile.array[...] = array[tile.rows, tile.cols]
        self.factored = None
        return self

    @contextlib.contextmanager
    def tile(self, i, j):
        """Tile (i, j) of this rank's, to read and write between collective calls. Local."""
        t = _library.Tile()
        self._grid.check(lib.ompfact_tile_get(self.pointer, i, j, byref(t)))
        try:
            yield Tile(t.i, t.j, t.row, t.col, numpy.asarray(_Memory(self, t)))
        finally:
            if not self.closed:
                lib.ompfact_tile_restore(self.pointer, byref(t))

    def tiles(self):
        """This rank's tiles, one after the other. Local."""
        i, j = c_int(-1), c_int(-1)
        while lib.ompfact_next_tile(self.pointer, byref(i), byref(j)):
            with self.tile(i.value, j.value) as tile:
                yield tile

    def to_array(self, root=None):
        """The whole matrix as a NumPy array: on rank root, and None on the others, or where root is None on every rank.

        Of a Hermitian matrix both triangles, of its Cholesky factor the one that it stores, with zeros beside it."""
        m, n = self.shape
        everywhere, root = root is None, root or 0
        desc = (c_int * 9)(1, 0, m, n, max(m, 1), max(n, 1), 0, 0, max(m, 1))
        where = Scalapack(desc, 1, 1, (c_int * 1)(root), 1, 1)
        there = self._grid.rank == root
        array = numpy.zeros((m, n), self.dtype, order="F") if there or everywhere else None
        address = array.ctypes.data if there else None
        self._grid.check(lib.ompfact_to_scalapack(self.pointer, byref(where), address))
        if everywhere:
            self._grid.bcast(array, root)
        if array is not None and self.structure != "general" and self.factored != "potrf":
            diagonal = array.diagonal().copy()
            array += array.conj().T
            numpy.fill_diagonal(array, diagonal.real)
        return array

    def norm1(self):
        """The largest column sum of moduli."""
        norm = c_double()
        self._grid.check(lib.ompfact_norm1(self.pointer, byref(norm)))
        return norm.value
