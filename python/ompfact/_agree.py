"""Compares the arguments of a collective call between the ranks before the call uses them, and raises an error of one rank on all
ranks. Without this, other ranks would wait for that rank, or compute with parts of different matrices.

Arrays need not agree to the last bit: results of the same computation differ by rounding on different processors or at different
addresses. So the ranks compare weighted sums of elements instead of a digest of bytes: sums of all elements, or of a sample of a
large array."""
from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

import numpy

WHOLE = 1 << 18     # most elements of an array of which all are compared
SAMPLE = 1 << 12    # elements of a larger array that are compared: at most this number of pages of a mapped file
SUMS = 128
OPERANDS = 2
RAISED = [ZeroDivisionError, OverflowError, MemoryError, IndexError, KeyError, NotImplementedError, OSError, TypeError,
          ValueError, RuntimeError]
RECORD = numpy.dtype([("raised", "i4"), ("text", "S300"), ("call", "S300"), ("sums", "f8", (OPERANDS, 1 + SUMS))])
DIFFER = ("{0} differs between the ranks: that of rank {1} is not rank 0's. Arrays are to be the same on every rank (random "
          "numbers from a seed); what each rank makes its own part of is a Matrix, filled tile by tile")


def _sample(array: numpy.ndarray) -> numpy.ndarray:
    """Elements at even distances, for any order in memory."""
    if array.size <= WHOLE:
        return array
    rows, cols = array.reshape(len(array), -1).shape
    each_row, each_col = max(1, rows // (SAMPLE // min(cols, 64))), max(1, cols // (SAMPLE // min(rows, 64)))
    return array.reshape(rows, cols)[::each_row, ::each_col]


def _sums(array: numpy.ndarray) -> numpy.ndarray:
    """The largest modulus, and weighted means of consecutive elements over it."""
    result = numpy.zeros(1 + SUMS)
    x = numpy.ascontiguousarray(_sample(array))
    x = x.astype(complex if x.dtype.kind == "c" else float).ravel().view(float)
    x = numpy.nan_to_num(x, nan=0.25, posinf=0.5, neginf=-0.5)
    if not x.size:
        return result
    result[0] = scale = abs(x).max()
    count = -(-x.size // SUMS)
    x = numpy.pad(x / (scale or 1.0), (0, count * SUMS - x.size))
    weights = 1 + numpy.arange(x.size) * 0.6180339887498949 % 1
    result[1:] = (x * weights).reshape(SUMS, count).mean(axis=1)
    return result


def _same(sums: numpy.ndarray, first: numpy.ndarray, dtype: numpy.dtype) -> bool:
    """Whether two sums agree in half of their digits."""
    tolerance = float(numpy.finfo(dtype).eps if dtype.kind in "fc" else numpy.finfo(float).eps) ** 0.5
    return abs(sums[0] - first[0]) <= tolerance * first[0] and bool((abs(sums[1:] - first[1:]) <= tolerance).all())


def _described(operand: Any) -> str:
    if isinstance(operand, numpy.ndarray):
        return f"an array {operand.shape} of {operand.dtype.newbyteorder('=')}"
    return f"matrix {operand._number} of its grid"


def together(grid: Any, call: str, prepare: Callable[[], Sequence[Any]], names: str = "ab") -> Sequence[Any]:
    """Returns the result of prepare(), up to two arrays or matrices. Collective: raises on every rank what prepare() raised on
    one rank, or ValueError if the ranks make different calls or have different arrays."""
    raised: Optional[BaseException] = None
    operands: Sequence[Any] = ()
    record = numpy.zeros((), RECORD)
    try:
        operands = prepare()
        if grid.size == 1:
            return operands
        call += "".join(f", {name} is {_described(operand)}" for name, operand in zip(names, operands))
        for k, operand in enumerate(operands):
            if isinstance(operand, numpy.ndarray):
                record["sums"][k] = _sums(operand)
    except Exception as error:
        if grid.size == 1:
            raise
        raised = error
        record["raised"] = 1 + next(k for k, kind in enumerate(RAISED) if isinstance(error, kind) or kind is RuntimeError)
        record["text"] = (str(error) if type(error) in RAISED else f"{type(error).__name__}: {error}").encode()[:300]
    record["call"] = call.encode()[:300]
    records = grid.allgather(record).reshape(-1)
    if raised is not None:
        raise raised
    for rank, other in enumerate(records):
        if other["raised"]:
            raise RAISED[other["raised"] - 1](f"on rank {rank}: {other['text'].decode(errors='replace')}")
    for rank, other in enumerate(records):
        if other["call"] != records[0]["call"]:
            raise ValueError(f"the ranks' calls differ: {records[0]['call'].decode(errors='replace')} on rank 0, "
                             f"{other['call'].decode(errors='replace')} on rank {rank}")
        for k, operand in enumerate(operands):
            if isinstance(operand, numpy.ndarray) and not _same(other["sums"][k], records[0]["sums"][k], operand.dtype):
                raise ValueError(DIFFER.format(names[k], rank))
    return operands
