"""Grids: communicators with threads, and their matrices."""
from __future__ import annotations

import collections
import contextlib
import ctypes
from ctypes import byref, c_void_p
from typing import Any, List, Optional

import numpy

from . import _mpi
from ._library import MESSAGE, Options, lib
from ._errors import COLLECTIVE, OmpfactError
from ._shapes import assign, number_of
from ._threads import in_callback, lasting_call

ENUMERATIONS = {
    "schedule": ["dynamic", "static", "basic"],
    "bcast": ["auto", "flat", "chain", "binomial"],
    "between_nodes": ["one-sided", "messages"],
    "pivot": ["auto", "partial", "tournament", "none"],
    "tree": ["auto", "flat", "binary", "greedy"],
    "refinement": ["classic", "gmres"],
    "emulate": ["none", "fp64", "bf16x9", "tf32", "bf16"],
    "butterfly": ["auto", "none", "one", "two"],
}
OPTIONS = {name for name, _ in Options._fields_} - {"progress", "progress_context", "testing", "reserved"}
_open: List[Grid] = []      # open grids, in the order of their creation


def c_options(options):
    """The C structure of a grid's options, which are given by name."""
    wrong = set(options) - OPTIONS
    if wrong:
        raise TypeError(f"unknown option: {', '.join(sorted(wrong))}")
    o = Options()
    for name, value in options.items():
        if name in ENUMERATIONS:
            value = number_of(name, ENUMERATIONS[name], value)
        assign(o, **{name: value})
    return o


class Grid:
    """A grid over all ranks of a communicator: None, which is MPI_COMM_WORLD, "self", or a communicator of mpi4py.

    Options are the fields of ompfact_options in ompfact.h: Grid(threads=2, pivot="partial", trace=True).

    close() or a with statement ends a grid, and the end of the program closes all open grids. The end of a grid ends its
    matrices.

    Python drops objects at any time, at different times on each rank, but all ranks must destroy a matrix together. So the grid
    only records a dropped matrix. When the ranks create the next matrix, or in collect(), they agree on the matrices that all of
    them have dropped, and destroy these in the order of their creation.

    Threads of a program may use a grid one after the other: a thread waits while another one is in a call."""

    def __init__(self, comm: Any = None, **options: Any) -> None:
        o = c_options(options)
        self._handle = c_void_p()
        self._live: dict = {}                   # matrices by number, in the order of their creation, which is the same on every rank
        self._made = 0
        self._dropped: collections.deque = collections.deque()      # numbers that finalizers have recorded
        self._gone: set = set()                 # recorded numbers of matrices that still exist
        self._comm = _mpi.Communicator(comm)
        message = ctypes.create_string_buffer(MESSAGE)
        status = lasting_call(lib.ompfact_grid_create, self._comm.handle, byref(o), byref(self._handle), message)
        if status != 0:
            self._comm.free()
            raise OmpfactError(status, message.value.decode())
        _open.append(self)

    def __enter__(self) -> Grid:
        return self

    def __copy__(self) -> Grid:
        raise TypeError("a grid is not copied: both copies would destroy it")

    def __reduce__(self) -> Any:
        raise TypeError("a grid is not pickled: it belongs to the ranks of the running program")

    def __repr__(self) -> str:
        return "<Grid, closed>" if not self._handle else f"<Grid of {self.size} ranks, {self.threads} threads on this one>"

    def __exit__(self, kind, value, trace):
        """Closes the grid, but not after other exceptions: these may be this rank's alone, and then other ranks do not call
        close()."""
        if kind is None or issubclass(kind, COLLECTIVE):
            self.close()

    @property
    def _pointer(self):
        if not self._handle:
            raise ValueError("the grid is closed")
        return self._handle

    @property
    def rank(self) -> int:
        """This rank's number, from 0. Local."""
        return lib.ompfact_rank(self._pointer)

    @property
    def size(self) -> int:
        """The number of ranks. Local."""
        return lib.ompfact_ranks(self._pointer)

    @property
    def threads(self) -> int:
        """The number of threads of this rank. Local."""
        return lib.ompfact_threads(self._pointer)

    @property
    def devices(self) -> int:
        """The number of devices of this rank. Local."""
        return lib.ompfact_devices(self._pointer)

    @property
    def ranks_on_node(self) -> int:
        """The number of ranks on this rank's node, including this rank. Local."""
        return lib.ompfact_ranks_on_node(self._pointer)

    @property
    def between_nodes(self) -> str:
        """The transport of tiles between nodes: one-sided or messages; empty on one node. Local."""
        return lib.ompfact_between_nodes(self._pointer).decode()

    @property
    def reads_proceed(self) -> Optional[bool]:
        """Whether one-sided reads proceed while their owner computes; None on one node. Local."""
        return {0: False, 1: True}.get(lib.ompfact_reads_proceed(self._pointer))

    @property
    def matrices(self) -> int:
        """The number of matrices. Local."""
        return len(self._live)

    def _call(self, function, *arguments):
        """Calls a function of the library that returns a status. Other threads wait, as the library wants one at a time, and
        cannot close a grid or a matrix among the arguments, whose pointers are taken here."""
        with contextlib.nullcontext() if in_callback() else self._comm.lock:
            arguments = [getattr(argument, "_pointer", argument) for argument in arguments]
            status = function(*arguments) if in_callback() else lasting_call(function, *arguments)
            if status != 0:
                raise OmpfactError(status, lib.ompfact_message(self._pointer).decode())

    def barrier(self) -> None:
        """Waits for all ranks."""
        self._call(lib.ompfact_barrier, self)

    def trace_write(self, path: Any) -> None:
        """Writes the work of every thread in the last factorization to a file for Perfetto. The grid must have trace=True."""
        self._call(lib.ompfact_trace_write, self, str(path).encode())

    def _create(self, make, *arguments):
        """The number of a new matrix that a function of the library makes, after the destruction of all matrices that all ranks
        have dropped."""
        if in_callback():
            raise RuntimeError("a callback cannot create a matrix, because all ranks create it together")
        pointer = c_void_p()
        with self._comm.lock:
            self.collect()
            self._call(make, *arguments, byref(pointer))
            return self._adopt(pointer)

    def _adopt(self, pointer):
        with self._comm.lock:
            self._made += 1
            self._live[self._made] = pointer
            return self._made

    def _find(self, number):
        pointer = self._live.get(number)
        if pointer is None:
            raise ValueError("the matrix is closed")
        return pointer

    def _drop(self, number):
        """Records a dropped matrix. Finalizers call this on any thread at any time. Local."""
        self._dropped.append(number)

    def _destroy(self, number):
        with self._comm.lock:
            pointer = self._live.pop(number, None)
            self._gone.discard(number)
            if pointer is not None:
                lasting_call(lib.ompfact_matrix_destroy, byref(pointer))

    def collect(self) -> None:
        """Destroys the matrices that all ranks have dropped."""
        with self._comm.lock:
            while self._dropped:
                self._gone.add(self._dropped.popleft())
            self._gone &= self._live.keys()
            if not self._live:
                return
            numbers = list(self._live)
            gone = numpy.array([number in self._gone for number in numbers], numpy.uint8)
            if self._comm.size > 1:
                gone = self._comm.allgather(gone).min(axis=0)
            for number, everywhere in zip(numbers, gone):
                if everywhere:
                    self._destroy(number)

    def allgather(self, array: Any) -> numpy.ndarray:
        """The arrays of all ranks, of one shape and type, as one array of shape (ranks, ...)."""
        self._pointer       # raises if the grid is closed
        return self._comm.allgather(array)

    def bcast(self, array: numpy.ndarray, root: int = 0) -> None:
        """Fills a contiguous NumPy array, of one shape and type on all ranks, with the array of rank root."""
        self._pointer
        self._comm.bcast(array, root)

    def close(self) -> None:
        """Destroys the matrices of the grid, and the grid. A second call does nothing."""
        with self._comm.lock:
            if not self._handle:
                return
            for number in list(self._live):
                self._destroy(number)
            lasting_call(lib.ompfact_grid_destroy, byref(self._handle))
            self._comm.free()
            _open.remove(self)


def _close_all():
    while _open:
        _open[-1].close()


_mpi.at_exit(_close_all)
_default: List[Grid] = []


def chosen_grid(grid: Optional[Grid]) -> Grid:
    """The grid of an argument `grid`; None is the default grid."""
    if grid is not None and not isinstance(grid, Grid):
        raise TypeError(f"grid is a Grid, not {grid!r}")
    return default_grid() if grid is None else grid


def default_grid() -> Grid:
    """The grid of functions without a grid argument: over MPI_COMM_WORLD, created at the first call, closed at the end of the
    program."""
    with _mpi.starting:
        if not _default or not _default[0]._handle:
            _default[:] = [Grid()]
        return _default[0]
