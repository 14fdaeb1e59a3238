"""The part of MPI that this package needs, by ctypes, from the MPI library that ompfact is linked to, with or without mpi4py."""
import atexit
import ctypes
import sys
import threading
import time
from ctypes import byref, c_int, c_void_p

import numpy

from ._library import lib
from ._errors import OmpfactError

BAD_MPI = 5
MULTIPLE = 3            # two threads may be in calls of two grids
CHUNK = 1 << 30         # bytes of one call, because counts are int


def _version():
    text, length = ctypes.create_string_buffer(8192), c_int()
    lib.MPI_Get_library_version(text, byref(length))
    return text.value.decode()


def _handles():
    """The type of handles, and the handles MPI_COMM_WORLD, MPI_COMM_SELF, MPI_BYTE, MPI_FLOAT, MPI_DOUBLE and MPI_SUM: int for
    MPICH and its relatives, addresses for Open MPI."""
    names = ("ompi_mpi_comm_world", "ompi_mpi_comm_self", "ompi_mpi_byte", "ompi_mpi_float", "ompi_mpi_double", "ompi_mpi_op_sum")
    try:
        return (c_void_p, *[ctypes.addressof(ctypes.c_char.in_dll(lib, name)) for name in names])
    except ValueError:
        pass
    if any(name in _version() for name in ("MPICH", "MVAPICH", "Intel(R) MPI", "CRAY MPICH")):
        return c_int, 0x44000000, 0x44000001, 0x4C00010D, 0x4C00040A, 0x4C00080B, 0x58000003
    raise OmpfactError(BAD_MPI, f"unknown MPI library: {_version().splitlines()[0]}")


def _stranger():
    """The error if mpi4py is imported and built for another MPI library. Two MPI libraries in one process share names, and mpi4py
    starts its own MPI at import; so ours must not start."""
    theirs = "mpi4py.MPI" in sys.modules and sys.modules["mpi4py.MPI"].Get_library_version().rstrip("\0")
    if not theirs or theirs == _version():
        return None
    return (f"mpi4py, which is imported here, is built for another MPI library ({theirs.splitlines()[0]}) than ompfact "
            f"({_version().splitlines()[0]}): import it before ompfact, which then takes its library for that one, or leave it")


if _stranger():
    raise ImportError(_stranger())
Handle, WORLD, SELF, BYTE, FLOAT, DOUBLE, SUM = _handles()


def _flag(name):
    flag = c_int()
    getattr(lib, name)(byref(flag))
    return bool(flag.value)


starting = threading.RLock()    # held while MPI starts, and while communicators over all ranks are created


class _Start:
    """Starts MPI if no other code has, and then finalizes it at exit."""
    done = ours = False
    serial = True       # whether MPI allows one thread at a time only
    closers: list = []  # runs at exit, before MPI_Finalize

    @classmethod
    def ensure(cls):
        if cls.done:
            return
        if _flag("MPI_Finalized"):
            raise OmpfactError(BAD_MPI, "MPI has been finalized")
        if not _flag("MPI_Initialized"):
            provided = c_int()
            lib.MPI_Init_thread(None, None, MULTIPLE, byref(provided))
            cls.ours = True
        level = c_int()
        lib.MPI_Query_thread(byref(level))
        cls.serial = level.value < MULTIPLE
        cls.done = True
        atexit.register(cls.end)
        cls.hook, sys.excepthook = sys.excepthook, cls.fail

    @classmethod
    def end(cls):
        if _flag("MPI_Finalized"):
            return
        for close in cls.closers:
            close()
        if cls.ours:
            lib.MPI_Finalize()

    @classmethod
    def fail(cls, kind, value, trace):
        """Aborts the job: an uncaught exception may be this rank's alone, and the other ranks would wait for this rank for ever."""
        cls.hook(kind, value, trace)
        size = c_int()
        if not _flag("MPI_Finalized"):
            lib.MPI_Comm_size(Handle(WORLD), byref(size))
        if size.value > 1:
            sys.stdout.flush()
            sys.stderr.flush()
            time.sleep(0.2)     # the launcher needs time to read the output
            lib.MPI_Abort(Handle(WORLD), 1)


def at_exit(close):
    _Start.closers.append(close)


def _of_mpi4py(comm):
    """The handle of an mpi4py communicator, if mpi4py uses the same MPI library."""
    if _stranger():
        raise OmpfactError(BAD_MPI, _stranger())
    MPI = sys.modules["mpi4py.MPI"]
    if MPI._sizeof(comm) != ctypes.sizeof(Handle) or not _flag("MPI_Initialized"):
        raise OmpfactError(BAD_MPI, "mpi4py's MPI library is not the one that ompfact is linked to")
    return Handle.from_address(MPI._addressof(comm)).value


def _wait(request):
    """Waits without keeping a core busy, unlike MPI's own waits."""
    flag, status, pause = c_int(), ctypes.create_string_buffer(256), 0.0
    while True:
        lib.MPI_Test(byref(request), byref(flag), status)
        if flag.value:
            return
        time.sleep(pause)
        pause = min(pause + 1e-5, 2e-4)


class Communicator:
    """A duplicate of a communicator: None or "world", "self", or a communicator of mpi4py. A thread that uses it, or its grid,
    has the lock."""

    def __init__(self, comm=None):
        if isinstance(comm, str) or comm is None:
            if comm not in (None, "world", "self"):
                raise ValueError(f'comm is None, "world", "self" or a communicator of mpi4py, not {comm!r}')
            handle = SELF if comm == "self" else WORLD
        elif "mpi4py.MPI" in sys.modules and isinstance(comm, sys.modules["mpi4py.MPI"].Comm):
            handle = _of_mpi4py(comm)
        else:
            raise TypeError(f'comm is None, "world", "self" or a communicator of mpi4py, not {type(comm).__name__}')
        self.handle, size = Handle(), c_int()
        request = Handle()
        with starting:
            _Start.ensure()
            self.lock = starting if _Start.serial else threading.RLock()
            lib.MPI_Comm_idup(Handle(handle), byref(self.handle), byref(request))
            _wait(request)
        lib.MPI_Comm_size(self.handle, byref(size))
        self.size = size.value

    def free(self):
        lib.MPI_Comm_free(byref(self.handle))

    def allgather(self, array):
        """The arrays of all ranks, of one size, as the rows of one array."""
        array = numpy.ascontiguousarray(array)
        if array.dtype.hasobject:
            raise TypeError("the array has Python objects, and only numbers can be sent")
        everything = numpy.empty((self.size,) + array.shape, array.dtype)
        request = Handle()
        with self.lock:
            lib.MPI_Iallgather(c_void_p(array.ctypes.data), c_int(array.nbytes), Handle(BYTE), c_void_p(everything.ctypes.data),
                               c_int(array.nbytes), Handle(BYTE), self.handle, byref(request))
            _wait(request)
        return everything

    def bcast(self, array, root):
        """Fills an array, contiguous in either order, with the array of root."""
        if not 0 <= root < self.size:
            raise ValueError(f"there is no rank {root!r} among {self.size}")
        if not isinstance(array, numpy.ndarray):
            raise TypeError(f"a NumPy array is filled in place, not a {type(array).__name__}")
        if not (array.flags.c_contiguous or array.flags.f_contiguous) or not array.flags.writeable or array.dtype.hasobject:
            raise ValueError("the array is not contiguous, is not writable, or has Python objects")
        for start in range(0, array.nbytes, CHUNK):
            request = Handle()
            with self.lock:
                lib.MPI_Ibcast(c_void_p(array.ctypes.data + start), c_int(min(CHUNK, array.nbytes - start)), Handle(BYTE),
                               c_int(root), self.handle, byref(request))
                _wait(request)

    def sum(self, array):
        """The sum of the arrays of all ranks, of one shape and of one of the four types."""
        array = numpy.ascontiguousarray(array)
        total = numpy.empty_like(array)
        numbers, sums = (part.reshape(-1).view(array.real.dtype) for part in (array, total))
        kind = FLOAT if numbers.dtype == numpy.float32 else DOUBLE
        for start in range(0, len(numbers), CHUNK):
            request, part = Handle(), slice(start, start + CHUNK)
            with self.lock:
                lib.MPI_Iallreduce(c_void_p(numbers[part].ctypes.data), c_void_p(sums[part].ctypes.data),
                                   c_int(len(numbers[part])), Handle(kind), Handle(SUM), self.handle, byref(request))
                _wait(request)
        return total
