"""Exceptions and warnings. A collective call raises them on every rank of a grid, or on none."""
import functools
import sys
import warnings
from typing import Any

import numpy


class OmpfactError(RuntimeError):
    """A call failed. status is the status of the library (status_name is its name in ompfact.h); message is one line about the
    failure."""

    NAMES = {1: "BAD_ARGUMENT", 2: "BAD_LAYOUT", 3: "NO_MEMORY", 4: "NOT_OWNER", 5: "BAD_MPI", -1: "MPI_FAILED", -2:
    "OUT_OF_MEMORY",
             -3: "DEVICE_FAILED", -4: "INTERNAL_FAULT", -5: "FAULT_FOUND",
             -6: "CHECKPOINT_LOST", -7: "STOPPED"}

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        self.status_name = "OMPFACT_" + self.NAMES.get(status, str(status))
        self.message = message
        super().__init__(f"{message} ({self.status_name})")

    def __reduce__(self) -> Any:
        return type(self), (self.status, self.message)


class LinAlgError(numpy.linalg.LinAlgError):
    """The matrix is singular, or not positive definite. info is LAPACK's info."""

    def __init__(self, message: str, info: int) -> None:
        self.info = info
        super().__init__(message)

    def __reduce__(self) -> Any:
        return type(self), (*self.args, self.info)


class LinAlgWarning(RuntimeWarning):
    """The matrix is singular to working precision. In programs that use scipy.linalg it is also a scipy.linalg.LinAlgWarning."""


@functools.lru_cache(maxsize=None)
def _of_both(scipys: type) -> type:
    """One class for all warnings, because Python shows a warning once for each place and class."""
    return type("LinAlgWarning", (LinAlgWarning, scipys), {"__module__": "ompfact"})


def warn(message: str, stacklevel: int) -> None:
    """Warns with a LinAlgWarning. The call finds SciPy's class only if the program has loaded SciPy."""
    category: type = LinAlgWarning
    if "scipy.linalg" in sys.modules:
        category = _of_both(sys.modules["scipy.linalg"].LinAlgWarning)
    warnings.warn(message, category, stacklevel=stacklevel + 1)


for public in (OmpfactError, LinAlgError, LinAlgWarning):
    public.__module__ = "ompfact"       # the module that tracebacks and warnings name

COLLECTIVE = (OmpfactError, LinAlgError)
