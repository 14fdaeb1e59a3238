"""Finds the C library, which has one flavour for each MPI library. This process uses the flavour of the MPI library that it has
loaded, such as mpi4py's; otherwise that of the launcher; otherwise the library with the plain name, or any other."""
import ctypes
import os
import subprocess
from typing import Iterator, List, NamedTuple, Optional, Tuple

SONAME = "libompfact-{}.so.0"


class Flavour(NamedTuple):
    name: str
    mpi: str
    libraries: Tuple[str, ...]      # beginnings of the names of MPI libraries; those of Intel and Cray are related to MPICH
    variables: Tuple[str, ...]      # variables that only its launcher sets


FLAVOURS = (Flavour("mpich", "MPICH", ("libmpich.so.12", "libmpi.so.12", "libmpi_cray."), ("PMI_SIZE",)),
            Flavour("openmpi", "Open MPI", ("libmpi.so.40",), ("OMPI_COMM_WORLD_SIZE",)))


def _loaded() -> List[Tuple[Flavour, str]]:
    """The MPI libraries of this process, and the flavours for them. Both are empty without /proc."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            names = {os.path.basename(line.rstrip()) for line in maps if "/libmpi" in line}
    except OSError:
        return []
    return [(flavour, library) for flavour in FLAVOURS for library in flavour.libraries
            if any(name.startswith(library) for name in names)]


def _started_by() -> Optional[Flavour]:
    started = [flavour for flavour in FLAVOURS if any(name in os.environ for name in flavour.variables)]
    return started[0] if len(started) == 1 else None


def _is_for_another(path: str, flavour: Flavour) -> bool:
    file = os.path.basename(os.path.realpath(path))
    return any(f"-{other.name}." in file for other in FLAVOURS if other is not flavour)


def _find(folders: List[str], wanted: Optional[Flavour], must: bool) -> Iterator[str]:
    """The library's files in these folders, the preferred flavour first, or only this flavour if it is required. "" stands for
    the search path of the loader, where the flavour of a plain name is unknown."""
    first = [SONAME.format(flavour.name) for flavour in FLAVOURS if flavour is wanted]
    others = [SONAME.format(flavour.name) for flavour in FLAVOURS if flavour is not wanted]
    for name in first + ["libompfact.so"] + ([] if must else others):
        for folder in folders:
            path = os.path.join(folder, name)
            if wanted and must and (_is_for_another(path, wanted) if folder else name not in first):
                continue
            if not folder or os.path.exists(path):
                yield path


def _candidates(wanted: Optional[Flavour], must: bool) -> Iterator[str]:
    """Paths of the library, the most likely first."""
    folders = [os.path.dirname(os.path.abspath(__file__))]
    try:
        from ._config import LIBDIR         # type: ignore[import] # written by make install
        folders.append(LIBDIR)
    except ImportError:
        pass
    yield from _find(folders + [""], wanted, must)
    try:
        found = subprocess.run(["pkg-config", "--variable=libdir", "ompfact"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return
    if found.returncode == 0:
        yield from _find([found.stdout.decode().strip()], wanted, must)


def _load(wanted: Optional[Flavour], must: bool) -> ctypes.CDLL:
    chosen = os.environ.get("OMPFACT_LIBRARY")
    what, reasons = "ompfact's library", []
    if wanted and must and not chosen:
        what = f"ompfact's library for this process's MPI library, {wanted.mpi}: {SONAME.format(wanted.name)},"
    for path in [chosen] if chosen else _candidates(wanted, must):
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            reasons.append(str(error))
    hint = "OMPFACT_LIBRARY names this path." if chosen else "Set OMPFACT_LIBRARY to the path of libompfact.so."
    raise ImportError(f"{what} does not load: {'; '.join(reasons)}. {hint}")


def open_library() -> ctypes.CDLL:
    # LLVM's runtime reads this variable when it is loaded. Waiting threads then leave the cores to NumPy and to other ranks.
    os.environ.setdefault("KMP_BLOCKTIME", "0")
    before = _loaded()
    if len(before) > 1:
        raise ImportError(f"this process has loaded two MPI libraries: {before[0][1]} and {before[1][1]}")
    library = _load(before[0][0] if before else _started_by(), bool(before))
    for _, ours in _loaded():
        if before and ours != before[0][1]:
            raise ImportError(f"{library._name} is for another MPI library ({ours}) than this process has loaded ({before[0][1]})")
    return library
