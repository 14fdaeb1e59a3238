"""What goes wrong, as exceptions and warnings. From what is collective they come on every rank of a grid, or on none."""
import functools
import sys
import warnings

import numpy


class OmpfactError(RuntimeError):
    """A call failed: status is the library's (its name in ompfact.h is status_name), message its one line."""

    NAMES = {1: "BAD_ARGUMENT", 2: "BAD_LAYOUT", 3: "NO_MEMORY", 4: "NOT_OWNER", 5: "BAD_MPI", -1: "MPI_FAILED", -2:
    "OUT_OF_MEMORY",
             -3: "DEVICE_FAILED", -4: "INTERNAL_FAULT", -5: "FAULT_FOUND",
             -6: "CHECKPOINT_LOST", -7: "STOPPED"}

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        self.status_name = "OMPFACT_" + self.NAMES.get(status, str(status))
        self.message = message
        super().__init__(f"{message} ({self.status_name})")


class LinAlgError(numpy.linalg.LinAlgError):
    """The matrix is singular, or not positive definite: info is LAPACK's."""

    def __init__(self, message: str, info: int) -> None:
        self.info = info
        super().__init__(message)


class LinAlgWarning(RuntimeWarning):
    """The matrix is singular to working precision. It is a scipy.linalg.LinAlgWarning, too, in programs that use scipy.linalg."""


@functools.lru_cache(maxsize=None)
def _of_both(scipys: type) -> type:
    """One class for all warnings, which are shown once for each place by their class."""
    return type("LinAlgWarning", (LinAlgWarning, scipys), {"__module__": "ompfact"})


def warn(message: str, stacklevel: int) -> None:
    """A LinAlgWarning. SciPy's class is looked for when it is needed: a program without SciPy does not load it."""
    category: type = LinAlgWarning
    if "scipy.linalg" in sys.modules:
        category = _of_both(sys.modules["scipy.linalg"].LinAlgWarning)
    warnings.warn(message, category, stacklevel=stacklevel + 1)


for public in (OmpfactError, LinAlgError, LinAlgWarning):
    public.__module__ = "ompfact"       # as tracebacks and warnings name them

COLLECTIVE = (OmpfactError, LinAlgError)
