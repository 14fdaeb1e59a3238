"""What the ranks bring to a collective call is compared before anything is made of it, and what one rank finds wrong is raised on
all: else the others would wait for it, or compute with parts of different matrices.

Arrays need not agree to the last bit, for what ranks compute alike on different processors, or at other addresses, differs by
rounding. So no digest of their bytes is compared but weighted sums of their elements: of all of them, or of a sample where there
are many."""
from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

import numpy

WHOLE = 1 << 18     # elements of an array that is compared whole
SAMPLE = 1 << 12    # elements compared of a larger one: so many pages, at most, of a file that is mapped
SUMS = 128
OPERANDS = 2
RAISED = [ZeroDivisionError, OverflowError, MemoryError, IndexError, KeyError, NotImplementedError, OSError, TypeError,
          ValueError, RuntimeError]
RECORD = numpy.dtype([("raised", "i4"), ("text", "S300"), ("call", "S300"), ("sums", "f8", (OPERANDS, 1 + SUMS))])
DIFFER = ("{0} differs between the ranks: that of rank {1} is not rank 0's. Arrays are to be the same on every rank (random "
          "numbers from a seed); what each rank makes its own part of is a Matrix, filled tile by tile")


def _sample(array: numpy.ndarray) -> numpy.ndarray:
    """Elements that are spread evenly, whatever the order in memory."""
    if array.size <= WHOLE:
        return array
    rows, cols = array.reshape(len(array), -1).shape
    each_row, each_col = max(1, rows // (SAMPLE // min(cols, 64))), max(1, cols // (SAMPLE // min(rows, 64)))
    return array.reshape(rows, cols)[::each_row, ::each_col]


def _sums(array: numpy.ndarray) -> numpy.ndarray:
    """The largest modulus, and means of consecutive elements over it, each with a weight of its own."""
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
    """Half of the digits count."""
    tolerance = float(numpy.finfo(dtype).eps if dtype.kind in "fc" else numpy.finfo(float).eps) ** 0.5
    return abs(sums[0] - first[0]) <= tolerance * first[0] and bool((abs(sums[1:] - first[1:]) <= tolerance).all())


def _described(operand: Any) -> str:
    if isinstance(operand, numpy.ndarray):
        return f"an array {operand.shape} of {operand.dtype.newbyteorder('=')}"
    return f"matrix {operand._number} of its grid"


def together(grid: Any, call: str, prepare: Callable[[], Sequence[Any]], names: str = "ab") -> Sequence[Any]:
    """What prepare() returns, up to two arrays or matrices. Collective: raises on every rank what prepare() has raised on one, or
    ValueError if the ranks make different calls, or bring different arrays."""
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
