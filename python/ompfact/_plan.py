"""Predicts transfers, memory and time of a routine on any cluster, without a grid, a matrix or MPI. All calls are
local.

    f = ompfact.forecast("potrf", 50000, ranks=23, threads=64)
    print(f.layout, f.transfers, f.memory_bytes_max)

Records have the fields of ompfact_plan.h. Unknown seconds are NaN, and unknown integers None."""
from __future__ import annotations

import collections
import ctypes
import os
from ctypes import byref, c_void_p
from typing import Any, Callable, Dict, List, NamedTuple, Optional

import numpy

from . import _library
from ._library import MESSAGE, Job, lib
from ._errors import OmpfactError
from ._grid import c_options
from ._shapes import assign, c_shape, text_of

BY_CHOLESKY, BY_INDEFINITE = 1, 8


def _record(structure, doc):
    record = collections.namedtuple(structure.__name__, [name for name, _ in structure._fields_])
    record.__doc__ = doc
    return record


def _filled(record, structure):
    values = [getattr(structure, name) for name in record._fields]
    return record(*(value.decode() if isinstance(value, bytes) else
                    None if type(value) is int and value < 0 else value for value in values))


Forecast = _record(_library.Forecast, "The forecast of a job: ompfact_forecast.")
StepLoad = _record(_library.StepLoad, "Consecutive steps of a factorization: ompfact_step_load.")
Candidate = _record(_library.Candidate, 'A layout that "auto" considers: ompfact_candidate.')


class Loads(NamedTuple):
    """The load of the ranks in each step, with speeds."""
    time: numpy.ndarray                 # time of each rank for all steps
    points: List[Any]                   # elements are StepLoads: all steps, divided into at most 200 points
    bounded: bool                       # whether the layout bounds the critical path of a step


class Choice(NamedTuple):
    """The candidates of layout "auto"."""
    candidates: List[Any]               # elements are Candidates, those with the fewest transfers first
    chosen: Any
    counted_mt: int                     # tile rows and columns that the choice counted: all, or the leading ones
    counted_nt: int
    fewer_ranks: int                    # a slightly smaller number of ranks that would send much less; 0: none, or not searched
    fewer: Optional[Any]                # the candidate that "auto" takes for fewer_ranks
    fewer_loss: float                   # the share of the speed that fewer_ranks lose


def _call(function, *arguments):
    message = ctypes.create_string_buffer(MESSAGE)
    status = function(*arguments, message)
    if status != 0:
        raise OmpfactError(status, message.value.decode())


class Platform:
    """A cluster that a file of SimGrid describes. A program may create one platform in its life."""

    def __init__(self, path: Any) -> None:
        self._pointer = c_void_p()
        _call(lib.ompfact_platform_create, str(path).encode(), byref(self._pointer))

    @property
    def hosts(self) -> int:
        """The number of hosts."""
        return lib.ompfact_platform_hosts(self._pointer)


def _pointer_of(platform: Any) -> c_void_p:
    if not isinstance(platform, Platform):
        raise TypeError(f"platform is a Platform, not {platform!r}")
    return platform._pointer


class Plan:
    """A job on paper: a routine of an m x n matrix, or an n x n one, on a number of ranks.

    For the matrix: dtype, structure (default: the structure that the routine needs), nb, layout, owner, speeds and full_storage
    as for Matrix; weights (a number for each tile, row by row), node_of (the node of each rank), accuracy, band, max_rank, copies,
    tile_precision and bf16_tiles as in ompfact_shape. Options are those of Grid, and the fields of ompfact_job: nrhs, refined, checked,
    cores_per_node, ranks_per_node, memory, wire_rate, wire_latency, bounds, as_measured, gemm_gflops, core_gflops, machine (the
    path of a file that `ompfact --tune` has written), platform (a Platform). bounds=True also computes work_bound_s,
    link_bound_s, chain_bound_s and tasks_bound_s."""
    _of_job = {name for name, _ in Job._fields_} - {"routine", "shape", "options", "machine", "platform", "reserved"}
    _of_shape = {"nb", "layout", "owner", "speeds", "full_storage", "weights", "node_of", "accuracy", "band", "max_rank",
                 "copies", "tile_precision", "bf16_tiles"}

    def __init__(self, routine: str, n: int, m: Optional[int] = None, *, ranks: int = 1, dtype: Any = float,
                 structure: Optional[str] = None, machine: Any = None, platform: Optional[Platform] = None,
                 **options: Any) -> None:
        def taken(names: Any) -> Any:
            return {name: options.pop(name) for name in names & set(options)}

        self._pointer = c_void_p()
        name = text_of("routine", routine)
        known = lib.ompfact_routine_find(name)
        if structure is None:
            triangle = known and known.contents.factor in (BY_CHOLESKY, BY_INDEFINITE)
            structure = "general" if not triangle else "symmetric lower" if routine.startswith("sy") else "lower"
        self._shape, function = c_shape(n if m is None else m, n, dtype, structure, ranks, **taken(self._of_shape))
        self._platform = platform       # C reads these as long as the plan lives
        self._job = Job(routine=name, shape=self._shape, machine=None if machine is None else os.fsencode(machine),
                        platform=None if platform is None else _pointer_of(platform))
        assign(self._job, ranks=ranks, **taken(self._of_job), options=c_options(options))
        try:
            _call(lib.ompfact_plan_create, byref(self._job), byref(self._pointer))
        finally:
            if function:
                function.check()

    def __del__(self) -> None:
        if hasattr(self, "_pointer"):       # without a pointer the arguments were wrong
            lib.ompfact_plan_destroy(byref(self._pointer))

    def __copy__(self) -> Plan:
        return self             # the plan does not change

    def __deepcopy__(self, memo: Any) -> Plan:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("a Plan is not pickled")

    @property
    def forecast(self) -> Any:
        """The results of the plan, as a Forecast."""
        return _filled(Forecast, lib.ompfact_plan_forecast(self._pointer).contents)

    def owner(self, i: int, j: int) -> int:
        """The rank that owns tile (i, j), or -1 if no such tile is stored."""
        forecast = self.forecast
        if not (0 <= i < forecast.mt and 0 <= j < forecast.nt):
            raise IndexError(f"there is no tile ({i}, {j}) among {forecast.mt} x {forecast.nt} tiles")
        return lib.ompfact_plan_owner(self._pointer, i, j)

    @property
    def loads(self) -> Optional[Loads]:
        """The load of the ranks step by step, as Loads; None except for Cholesky and LU with speeds or with a layout for speeds."""
        loads = lib.ompfact_plan_loads(self._pointer)
        if not loads:
            return None
        loads = loads.contents
        return Loads(numpy.array(loads.time[:loads.ranks]), [_filled(StepLoad, point) for point in loads.point[:loads.points]],
                     loads.bounded)

    def choice(self) -> Choice:
        """The candidates of layout "auto", for any layout of the plan, as a Choice. Takes as long as the choice."""
        pointer = ctypes.POINTER(_library.Choice)()
        _call(lib.ompfact_plan_choice, self._pointer, byref(pointer))
        choice = pointer.contents
        candidates = [_filled(Candidate, candidate) for candidate in choice.candidate[:choice.count]]
        return Choice(candidates, candidates[choice.chosen], choice.counted_mt, choice.counted_nt, choice.fewer_ranks,
                      _filled(Candidate, choice.fewer) if choice.fewer_ranks else None, choice.fewer_loss)

    def precisions(self, function: Callable[[int, int], Any]) -> Dict[str, int]:
        """What Matrix.precisions of a matrix with a tile_precision will be, from samples of its elements, function(i, j). The forecast
        counts these tiles from then on, so a plan does this once."""
        of_type = numpy.dtype(self._shape.type.decode().translate(str.maketrans("sdcz", "fdFD")))
        raised: List[BaseException] = []

        def entry(context: Any, i: int, j: int, value: int) -> None:
            try:
                element = numpy.array(function(i, j), of_type)
            except BaseException as error:      # an interrupt, too, would be lost
                raised.append(error)
                element = numpy.zeros((), of_type)
            ctypes.memmove(value, element.ctypes.data, element.nbytes)
        counts = _library.TilePrecisions()
        _call(lib.ompfact_plan_precisions, self._pointer, _library.ENTRY(entry), None, byref(counts))
        if raised:
            raise raised[0]
        return {name: getattr(counts, name) for name, _ in counts._fields_}

    def precision_map(self) -> Optional[numpy.ndarray]:
        """What Matrix.precision_map() will be, as precisions() has predicted it; None before."""
        tiles = lib.ompfact_plan_precision_map(self._pointer)
        forecast = self.forecast
        return numpy.array(tiles[:forecast.mt * forecast.nt], ctypes.c_int).reshape(forecast.mt, forecast.nt) if tiles else None

    def simulate(self, platform: Platform) -> float:
        """Seconds that the factorization takes on a Platform. Afterwards the forecast also has them, as predicted_s."""
        _call(lib.ompfact_plan_simulate, self._pointer, _pointer_of(platform))
        return self.forecast.predicted_s


def forecast(routine: str, n: int, m: Optional[int] = None, *, ranks: int = 1, **options: Any) -> Any:
    """The Forecast of a Plan with these arguments."""
    return Plan(routine, n, m, ranks=ranks, **options).forecast
