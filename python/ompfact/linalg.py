"""Solves and factorizations, named as in scipy.linalg.

A Matrix that is given is not changed unless overwrite_a or overwrite_b says that it may be, which saves a copy; a right-hand side that
may be overwritten is one made by a.rhs(), others are of any layout. What is given as NumPy arrays, the same on every rank, comes back as
NumPy arrays, on every rank. Factors are always matrices."""
import contextlib
import ctypes
from ctypes import byref, c_double, c_int64, c_void_p

import numpy

from ._library import lib
from .errors import LinAlgError
from .matrix import Matrix, common_dtype

SINGULAR = "the matrix is singular: U({0},{0}) is exactly zero"
NOT_POSITIVE = "the leading minor of order {0} is not positive definite"
DEPENDENT = "the matrix has not full rank: R({0},{0}) is exactly zero"


class _Operands(contextlib.ExitStack):
    """Matrices that a function works on: copies that it makes go away with it."""

    def __init__(self, grid=None, *operands):
        super().__init__()
        self.grid, self.dtype = grid, None
        if not any(isinstance(operand, Matrix) for operand in operands):
            self.dtype = common_dtype(*map(numpy.asarray, operands)) if operands else None

    def matrix(self, a, overwrite, **options):
        """A matrix with a's contents that may be overwritten."""
        if isinstance(a, Matrix):
            return a if overwrite else self.enter_context(a.copy())
        a = numpy.asarray(a)
        if a.ndim != 2:
            raise ValueError(f"the array has {a.ndim} dimensions, not 2")
        return self.enter_context(Matrix.from_array(a, self.grid, dtype=self.dtype or common_dtype(a), **options))

    def rhs(self, A, b, overwrite):
        """Right-hand sides for A that may be overwritten, and what makes of the solution what the caller wants."""
        if isinstance(b, Matrix):
            B = b if overwrite else A.rhs(b.shape[1])
            if B is not b:
                A.grid.check(lib.ompfact_redistribute(b.pointer, B.pointer))
            return B, lambda X: X
        b = numpy.asarray(b)
        columns = b.reshape(-1, 1) if b.ndim == 1 else b
        if columns.ndim != 2 or columns.shape[0] != A.shape[0]:
            raise ValueError(f"the right-hand side is {b.shape}, the matrix {A.shape}")
        B = self.enter_context(A.rhs(columns.shape[1], columns))
        return B, lambda X: _gathered(X, b.ndim)


def _gathered(X, dimensions):
    x = X.to_array()
    return x[:, 0].copy() if dimensions == 1 else x


def _check_info(info, text):
    if info.value != 0:
        raise LinAlgError(text.format(info.value), info.value)


def _square(a):
    shape = a.shape if isinstance(a, Matrix) else numpy.shape(a)
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(f"a square matrix is wanted, not one of shape {shape}")


def _structure(a, assume_a, lower):
    """Of the matrix that a becomes; what a Matrix is it was made as."""
    names = {"gen": False, "general": False, "pos": True, "positive definite": True}
    if assume_a not in names:
        raise ValueError(f"assume_a is one of {', '.join(names)}, not {assume_a!r}")
    if isinstance(a, Matrix):
        if names[assume_a] and a.structure == "general":
            raise ValueError('a positive definite Matrix is one that was made with structure="lower" or "upper"')
        return a.structure
    return ("lower" if lower else "upper") if names[assume_a] else "general"


def _not_factored(A):
    if A.factored:
        raise ValueError(f"the matrix holds what {A.factored} left of it")


def _factor(A):
    """L L^H or U^H U of a Hermitian matrix, P L U of another one."""
    _not_factored(A)
    info = c_int64()
    if A.structure == "general":
        A.grid.check(lib.ompfact_getrf(A.pointer, byref(info)))
        A.factored = "getrf"
        _check_info(info, SINGULAR)
    else:
        A.grid.check(lib.ompfact_potrf(A.pointer, byref(info)))
        A.factored = "potrf"
        _check_info(info, NOT_POSITIVE)


def _wants(A, routine, maker):
    if not isinstance(A, Matrix) or A.factored != routine:
        raise ValueError(f"this wants what {maker} returned")


# ---- solves


def solve(a, b, assume_a="gen", lower=False, overwrite_a=False, overwrite_b=False, grid=None):
    """x with a x = b. assume_a="pos": a is Hermitian positive definite, and the triangle that lower says is read."""
    _square(a)
    structure = _structure(a, assume_a, lower)
    with _Operands(grid, a, b) as work:
        A = work.matrix(a, overwrite_a, structure=structure)
        B, wanted = work.rhs(A, b, overwrite_b)
        _factor(A)
        _solve_factored(A, B)
        return wanted(B)


def _solve_factored(A, B):
    call = lib.ompfact_getrs if A.factored == "getrf" else lib.ompfact_potrs
    A.grid.check(call(A.pointer, B.pointer))


def cho_factor(a, lower=False, overwrite_a=False, grid=None):
    """(c, lower), c the Matrix of the Cholesky factor: a = c c^H if lower, else c^H c."""
    _square(a)
    structure = _structure(a, "pos", lower)
    return _factored(a, overwrite_a, grid, structure), structure == "lower"


def _factored(a, overwrite, grid, structure):
    """A Matrix that outlives the call: the factors of a."""
    if isinstance(a, Matrix):
        A = a if overwrite else a.copy()
    else:
        A = Matrix.from_array(a, grid, structure=structure)
    _factor(A)
    return A


def cho_solve(c_and_lower, b, overwrite_b=False):
    """x with a x = b, by what cho_factor returned."""
    A = c_and_lower[0]
    _wants(A, "potrf", "cho_factor")
    return _solve_by(A, b, overwrite_b)


def _solve_by(A, b, overwrite):
    with _Operands() as work:
        B, wanted = work.rhs(A, b, overwrite)
        _solve_factored(A, B)
        return wanted(B)


def lu_factor(a, overwrite_a=False, grid=None):
    """(lu, piv): the Matrix of L and U, and the interchanges: row i with row piv[i], one after the other, from 0."""
    structure = _structure(a, "gen", False)
    if structure != "general":
        raise ValueError("LU is for general matrices")
    A = _factored(a, overwrite_a, grid, structure)
    piv = numpy.empty(min(A.shape), numpy.int64)
    lib.ompfact_ipiv(A.pointer, piv.ctypes.data_as(ctypes.POINTER(c_int64)))
    return A, piv - 1


def lu_solve(lu_and_piv, b, overwrite_b=False):
    """x with a x = b, by what lu_factor returned."""
    A = lu_and_piv[0]
    _wants(A, "getrf", "lu_factor")
    return _solve_by(A, b, overwrite_b)


# ---- QR and least squares


def qr(a, mode="full", overwrite_a=False, grid=None):
    """Q and R with a = Q R, Q^H Q = 1: all of Q, with mode="economic" its first min(m, n) columns and as many rows of R; R alone, as
    (R,), with mode="r"."""
    if mode not in ("full", "economic", "r"):
        raise ValueError(f"mode is one of full, economic, r, not {mode!r}")
    with _Operands(grid, a) as work:
        A = work.matrix(a, overwrite_a, purpose="qr")
        _not_factored(A)
        m, n = A.shape
        rows = min(m, n) if mode == "economic" else m
        A.grid.check(lib.ompfact_geqrf(A.pointer))
        A.factored = "geqrf"
        parts = [_upper(A, rows)]
        if mode != "r":
            parts.insert(0, A.rhs(rows))
            A.grid.check(lib.ompfact_ungqr(A.pointer, parts[0].pointer))
        if isinstance(a, Matrix):
            return tuple(parts)
        for part in parts:
            work.enter_context(part)
        return tuple(part.to_array() for part in parts)


def _upper(A, rows):
    """The first rows of the upper triangle, zeros below it: tile for tile where A's are."""
    n = A.shape[1]
    R = Matrix((rows, n), A.dtype, A.grid, nb=(_sizes(rows, A.tile_height), _sizes(n, A.nb)), owner=A.owner)
    for tile in R.tiles():
        with A.tile(tile.i, tile.j) as source:
            tile.array[...] = numpy.triu(source.array[:tile.array.shape[0]], tile.row - tile.col)
    return R


def _sizes(total, size):
    return [min(size, total - start) for start in range(0, total, size)]


def lstsq(a, b, overwrite_a=False, overwrite_b=False, grid=None):
    """(x, residues, rank, None): x minimises |b - a x|, or is the shortest solution if a has fewer rows than columns. a has full
    rank. residues are the squares of |b - a x|, of each column; empty if m <= n."""
    info, pointer = c_int64(), c_void_p()
    with _Operands(grid, a, b) as work:
        A = work.matrix(a, overwrite_a, purpose="least squares")
        _not_factored(A)
        B, wanted = work.rhs(A, b, overwrite_b)
        A.grid.check(lib.ompfact_gels(A.pointer, B.pointer, byref(pointer), byref(info)))
        A.factored = "gels"
        _check_info(info, DEPENDENT)
        X = Matrix._of(A, "general", A.grid.adopt(pointer))
        if not isinstance(b, Matrix):
            work.enter_context(X)
        residues = _residues(B, A.shape)
        if not isinstance(b, Matrix) and numpy.ndim(b) == 1:
            residues = residues.sum() if residues.size else residues
        return wanted(X), residues, min(A.shape), None


def _residues(B, shape):
    """Of Q^H B the rows from n on, squared."""
    m, n = shape
    if m <= n:
        return numpy.empty(0)
    sums = numpy.zeros(B.shape[1])
    for tile in B.tiles():
        rest = tile.array[max(0, n - tile.row):]
        sums[tile.cols] += (abs(rest).astype(float) ** 2).sum(axis=0)
    return B.grid.allgather(sums).sum(axis=0)


# ---- inverses and what factors tell


def inv(a, assume_a="gen", lower=False, overwrite_a=False, grid=None):
    """The inverse, of a's kind: a Hermitian Matrix of a Hermitian Matrix."""
    _square(a)
    structure = _structure(a, assume_a, lower)
    A = _factored(a, overwrite_a, grid, structure)
    info = c_int64()
    call = lib.ompfact_getri if A.structure == "general" else lib.ompfact_potri
    A.grid.check(call(A.pointer, byref(info)))
    A.factored = None
    _check_info(info, SINGULAR)
    if isinstance(a, Matrix):
        return A
    with A:
        return A.to_array()


def slogdet(a, assume_a="gen", lower=False, overwrite_a=False, grid=None):
    """(sign, logabsdet), det a = sign exp(logabsdet): 0 and -infinity of a singular matrix."""
    _square(a)
    structure = _structure(a, assume_a, lower)
    logabs, re, im = c_double(), c_double(), c_double()
    with _Operands(grid, a) as work:
        A = work.matrix(a, overwrite_a, structure=structure)
        try:
            _factor(A)
        except LinAlgError:
            if A.structure != "general":
                raise
            return A.dtype.type(0), -numpy.inf
        A.grid.check(lib.ompfact_determinant(A.pointer, byref(logabs), byref(re), byref(im)))
        sign = complex(re.value, im.value) if A.dtype.kind == "c" else re.value
        return A.dtype.type(sign), logabs.value


def det(a, assume_a="gen", lower=False, overwrite_a=False, grid=None):
    """The determinant; it overflows or underflows where slogdet does not."""
    sign, logabs = slogdet(a, assume_a, lower, overwrite_a, grid)
    return sign * numpy.exp(logabs)


def rcond(a, assume_a="gen", lower=False, overwrite_a=False, grid=None):
    """An estimate of 1 / (|a| |a^-1|) in the 1-norm, hardly ever above three times it; 0 of a singular matrix."""
    _square(a)
    structure = _structure(a, assume_a, lower)
    result = c_double()
    with _Operands(grid, a) as work:
        A = work.matrix(a, overwrite_a, structure=structure)
        norm = A.norm1()
        try:
            _factor(A)
        except LinAlgError:
            if A.structure != "general":
                raise
            return 0.0
        A.grid.check(lib.ompfact_rcond(A.pointer, norm, byref(result)))
        return result.value
