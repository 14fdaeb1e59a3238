"""Converts Python's arguments for a matrix to C's structure."""
from __future__ import annotations

import operator
from ctypes import c_bool, c_char_p, c_double, c_int
from typing import Any, Callable, List, Optional, Sequence, Tuple

import numpy

from ._library import OWNER, Shape

TYPES = {"f": b"s", "d": b"d", "F": b"c", "D": b"z"}        # by NumPy's characters
DTYPES = {letter: name for name, letter in TYPES.items()}
STRUCTURES = ["general", "lower", "upper", "symmetric lower", "symmetric upper"]
PURPOSES = ["lu", "qr", "least squares", "inverse"]


def number_of(kind: str, names: Sequence[str], value: Any) -> int:
    if value not in names:
        raise ValueError(f"{kind} is one of {', '.join(names)}, not {value!r}")
    return names.index(value)


def triangle_of(structure: str) -> str:
    """"lower" or "upper", for a structure that is not general."""
    return structure.split()[-1]


def is_symmetric(structure: str) -> bool:
    """Whether the structure is complex symmetric, and not Hermitian."""
    return structure.startswith("symmetric")


def both_triangles(array: numpy.ndarray, structure: str) -> numpy.ndarray:
    """The whole square array from an array with one triangle. The diagonal of a Hermitian array becomes real."""
    half = numpy.tril(array, -1) if triangle_of(structure) == "lower" else numpy.triu(array, 1)
    if is_symmetric(structure):
        return half + half.T + numpy.diag(array.diagonal())
    return half + half.conj().T + numpy.diag(array.diagonal().real)


def assign(structure: Any, **values: Any) -> None:
    """Sets fields, with a check of type and range: ctypes would take integers modulo their range, an integer as the address of a
    text, and any object as a truth value."""
    kinds = dict(structure._fields_)
    for name, value in values.items():
        if kinds[name] is c_char_p:
            value = text_of(name, value)
        if kinds[name] is c_bool and not isinstance(value, (bool, numpy.bool_, int)):
            raise TypeError(f"{name} is True or False, not {value!r}")
        try:
            setattr(structure, name, value)
        except TypeError as error:
            raise TypeError(f"{name}: {error}") from None
        if isinstance(value, (int, numpy.integer)) and getattr(structure, name) != value:
            raise OverflowError(f"{name} cannot be {value}")


def text_of(name: str, value: Any) -> Optional[bytes]:
    """A text for C; None: none."""
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} is a text, not {value!r}")
    return value.encode() if value else None


def tile_index(k: Any) -> int:
    """The index of a tile as C's int. A larger index becomes one beyond all tiles, because ctypes would take it modulo its range."""
    return max(-1, min(operator.index(k), 2 ** 31 - 1))


def sides_of(shape: Any) -> Tuple[int, int]:
    """m and n, from (m, n), or from n for a square matrix."""
    try:
        m, n = (shape, shape) if numpy.ndim(shape) == 0 else shape
        return operator.index(m), operator.index(n)
    except (TypeError, ValueError):
        raise TypeError(f"a matrix's shape is (m, n), or n for a square one, not {shape!r}") from None


def matrix_dtype(dtype: Any) -> numpy.dtype:
    """The dtype of a matrix: one of four, in this machine's byte order."""
    dtype = numpy.dtype(dtype).newbyteorder("=")
    if dtype.char not in TYPES:
        raise TypeError(f"dtype is one of float32, float64, complex64 and complex128, not {dtype}")
    return dtype


def common_dtype(*arrays: Any) -> numpy.dtype:
    """The smallest of float32, float64, complex64 and complex128 that holds all of them."""
    return matrix_dtype(numpy.result_type(numpy.float32, *arrays))


def array_of(given: Any) -> numpy.ndarray:
    """A NumPy array of numbers, from an array or from anything that NumPy converts to an array."""
    if isinstance(given, numpy.ma.MaskedArray):
        raise ValueError("masked arrays are not supported")
    if hasattr(given, "toarray"):
        raise ValueError("sparse matrices are not supported; toarray() converts to an array")
    array = numpy.asarray(given)
    common_dtype(array)
    return array


class _Owner:
    """A function of the tile's row and column that C calls. C has no exceptions, so check() raises the first exception later."""

    def __init__(self, function: Callable[[int, int], int]) -> None:
        self.function = function
        self.raised: Optional[BaseException] = None

    def __call__(self, context: Any, i: int, j: int) -> int:
        if self.raised is None:
            try:
                return operator.index(self.function(i, j))
            except BaseException as error:      # an interrupt, too, would be lost
                self.raised = error
        return 0

    def check(self) -> None:
        if self.raised is not None:
            raise self.raised


def _numbers(kind: Any, name: str, values: Any, count: int, of: str) -> Any:
    """C's array of the required number of values."""
    values = numpy.ravel(values).tolist()
    if len(values) != count:
        raise ValueError(f"{name} has {len(values)} numbers, but there are {count} {of}")
    return (kind * count)(*values)


def tile_precision(precision: Any) -> float:
    """The value of ompfact_shape for a precision: -1 for "auto", 0 for None."""
    if precision is None or isinstance(precision, str) and precision == "auto":
        return 0.0 if precision is None else -1.0
    if isinstance(precision, str) or not 0 < precision < 1:
        raise ValueError(f"precision is \"auto\" or between 0 and 1, not {precision!r}")
    return float(precision)


def _tiles(m: int, n: int, nb: Any) -> int:
    if isinstance(nb, (list, tuple)):
        return len(nb[0]) * len(nb[1])
    if nb < 1:
        raise ValueError("weights are for tiles, so they need nb")
    return -(-m // nb) * -(-n // nb)


def c_shape(m: int, n: int, dtype: Any, structure: str, ranks: int, nb: Any = 0, layout: Optional[str] = None,
            purpose: str = "lu", owner: Optional[Callable[[int, int], int]] = None, speeds: Any = None, weights: Any = None,
            node_of: Any = None, **rest: Any) -> Tuple[Shape, Optional[_Owner]]:
    """The C structure of a matrix on a number of ranks, and the owner function, if there is one."""
    s = Shape(type=TYPES[matrix_dtype(dtype).char], structure=number_of("structure", STRUCTURES, structure),
              purpose=number_of("purpose", PURPOSES, purpose), layout=text_of("layout", layout))
    assign(s, m=m, n=n, **rest)
    if isinstance(nb, (list, tuple)):
        s.mt, s.nt = map(len, nb)
        s.row_heights, s.col_widths = ((c_int * len(sizes))(*sizes) for sizes in nb)
    else:
        assign(s, nb=nb)
        if m == 0:
            s.row_heights = (c_int * 1)()       # m = 0 alone would mean a square matrix
    if speeds is not None:
        s.speeds = _numbers(c_double, "speeds", speeds, ranks, "ranks")
    if weights is not None:
        s.weights = _numbers(c_double, "weights", weights, _tiles(m, n, nb), "tiles")
    if node_of is not None:
        s.node_of, s.nodes = _numbers(c_int, "node_of", node_of, ranks, "ranks"), int(numpy.max(node_of)) + 1
    function = _Owner(owner) if owner else None
    if function:
        s.owner = OWNER(function)
    return s, function


def cut(total: int, size: int) -> List[int]:
    """Sizes of tiles: full tiles, and the rest."""
    return [min(size, total - start) for start in range(0, total, size)]
