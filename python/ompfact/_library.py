"""The C library: the structures and functions of ompfact.h and ompfact_plan.h."""
import ctypes
from ctypes import POINTER, c_bool, c_char, c_char_p, c_double, c_int, c_int64, c_void_p

from ._flavour import open_library

MESSAGE = 256
NAME = c_char * 128
DEVICES = 16

HOLDS = [None, "potrf", "getrf", "geqrf", "gels", "hetrf", "a part of it"]      # by ompfact_contents: the routine that left these contents

OWNER = ctypes.CFUNCTYPE(c_int, c_void_p, c_int, c_int)


class Options(ctypes.Structure):
    _fields_ = [("threads", c_int), ("devices", c_int), ("device_backend", c_char_p), ("host_share", c_double),
                ("device_memory", c_int64), ("emulate", c_int), ("max_tasks", c_int), ("cache_tiles", c_int),
                ("watchdog_s", c_int),
                ("schedule", c_int), ("bcast", c_int), ("between_nodes", c_int), ("pivot", c_int), ("tree", c_int),
                ("ib", c_int), ("copy_on_node", c_bool), ("pin_threads", c_bool), ("trace", c_bool),
                ("typical_rates", c_bool), ("progress", c_void_p), ("progress_context", c_void_p),
                ("refinement", c_int), ("abft", c_bool), ("testing", c_void_p),
                ("butterfly", c_int), ("reserved", c_int64 * 15)]


class Shape(ctypes.Structure):
    _fields_ = [("m", c_int64), ("n", c_int64), ("type", c_char), ("structure", c_int), ("full_storage", c_bool), ("nb", c_int),
                ("row_heights", POINTER(c_int)), ("col_widths", POINTER(c_int)), ("mt", c_int), ("nt", c_int),
                ("layout", c_char_p), ("speeds", POINTER(c_double)), ("purpose", c_int), ("pattern", c_void_p), ("owner", OWNER),
                ("owner_context", c_void_p), ("weights", POINTER(c_double)), ("node_of", POINTER(c_int)), ("nodes", c_int),
                ("accuracy", c_double), ("band", c_int), ("max_rank", c_int), ("cut", c_int64),
                ("copies", c_int64), ("tile_precision", c_double), ("bf16_tiles", c_int64), ("reserved", c_int64 * 12)]


class Tile(ctypes.Structure):
    _fields_ = [("i", c_int), ("j", c_int), ("row", c_int64), ("col", c_int64), ("mb", c_int), ("nb", c_int), ("ld", c_int),
                ("data", c_void_p)]


ENTRY = ctypes.CFUNCTYPE(None, c_void_p, c_int64, c_int64, c_void_p)
FILL = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Tile))


class Scalapack(ctypes.Structure):
    _fields_ = [("desc", POINTER(c_int)), ("nprow", c_int), ("npcol", c_int), ("rank", POINTER(c_int)), ("ia", c_int64),
                ("ja", c_int64)]


class Report(ctypes.Structure):
    _fields_ = [("seconds", c_double), ("flops", c_double), ("flops_max_over_mean", c_double), ("transfers", c_int64),
                ("transfer_bytes", c_int64), ("transfers_predicted", c_int64), ("cache_tiles", c_int),
                ("cache_peak_tiles", c_int), ("tasks_peak", c_int), ("rows_exchanged", c_int64),
                ("flops_per_device", c_double * DEVICES), ("host_update_flops", c_double), ("bytes_to_devices", c_int64),
                ("bytes_from_devices", c_int64), ("device_tiles", c_int64), ("device_tiles_left", c_int64),
                ("max_uploads_per_tile", c_int), ("candidate_tiles", c_int64), ("wire_transfers", c_int64),
                ("wire_bytes", c_int64), ("wire_transfers_predicted", c_int64), ("device_waits", c_int64),
                ("device_allocations", c_int64), ("bytes_between_devices", c_int64), ("bytes_unpinned", c_int64),
                ("checkpoints", c_int), ("restarted_from_step", c_int), ("tiles_restored", c_int64), ("faults_found", c_int64),
                ("faults_corrected", c_int64), ("flops_dense", c_double), ("register_s", c_double),
                ("transfers_sums", c_int64), ("transfers_home", c_int64), ("device_narrow_flops", c_double),
                ("reserved", c_int64 * 13)]


class InertiaCounts(ctypes.Structure):
    _fields_ = [("positive", c_int64), ("negative", c_int64), ("zero", c_int64), ("perturbed", c_int64), ("growth", c_double),
                ("reserved", c_int64 * 4)]


class LdlRow(ctypes.Structure):
    _fields_ = [("pivot", c_int64), ("partner", c_int64 * 2), ("weight", c_double * 2)]


class Routine(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("help", c_char_p), ("factor", c_int), ("square", c_bool), ("solves", c_bool),
                ("inverts", c_bool), ("factored", c_bool), ("triangular", c_bool), ("symmetric", c_bool),
                ("purpose", c_int)]


class Job(ctypes.Structure):
    _fields_ = [("routine", c_char_p), ("shape", Shape), ("nrhs", c_int64), ("options", Options), ("refined", c_bool),
                ("checked", c_bool), ("ranks", c_int), ("cores_per_node", c_int), ("ranks_per_node", c_int), ("memory", c_int64),
                ("wire_rate", c_double), ("wire_latency", c_double), ("bounds", c_bool), ("as_measured", c_bool),
                ("gemm_gflops", c_double), ("machine", c_char_p), ("core_gflops", c_double), ("platform", c_void_p),
                ("partial", c_int64), ("factored", c_int64), ("reserved", c_int64 * 6)]


class Forecast(ctypes.Structure):
    _fields_ = [("layout", NAME), ("nb", c_int), ("mt", c_int), ("nt", c_int), ("ranks", c_int), ("nodes", c_int),
                ("threads", c_int), ("pattern_rows", c_int), ("pattern_cols", c_int), ("cost", c_double),
                ("cost_bound", c_double), ("transfers", c_int64), ("transfer_bytes", c_int64), ("wire_transfers", c_int64),
                ("wire_bytes", c_int64), ("tiles_max", c_int64), ("tiles_min", c_int64), ("flops", c_double),
                ("flops_max_over_mean", c_double), ("abe_max_over_mean", c_double), ("perisum", c_double),
                ("max_ranks_per_row", c_int), ("max_ranks_per_col", c_int), ("memory_bytes_max", c_int64),
                ("work_bound_s", c_double), ("link_bound_s", c_double), ("chain_bound_s", c_double), ("predicted_s", c_double),
                ("tasks_bound_s", c_double), ("copies", c_int), ("transfers_sums", c_int64)]


class StepLoad(ctypes.Structure):
    _fields_ = [("last_step", c_int), ("most", c_double), ("ideal", c_double), ("spread", c_double), ("bound", c_double)]


class Loads(ctypes.Structure):
    _fields_ = [("ranks", c_int), ("points", c_int), ("time", POINTER(c_double)), ("point", POINTER(StepLoad)),
                ("bounded", c_bool)]


class Candidate(ctypes.Structure):
    _fields_ = [("name", NAME), ("pattern_rows", c_int), ("pattern_cols", c_int), ("cost", c_double), ("cost_bound", c_double),
                ("transfers", c_int64), ("wire_transfers", c_int64), ("abe_max_over_mean", c_double), ("bytes_max", c_int64),
                ("by_node", c_bool), ("fits", c_bool), ("balanced", c_bool)]


class TilePrecisions(ctypes.Structure):
    _fields_ = [("double_tiles", c_int64), ("single_tiles", c_int64), ("widened", c_int64), ("bytes", c_int64),
                ("bf16_tiles", c_int64)]


class Choice(ctypes.Structure):
    _fields_ = [("count", c_int), ("candidate", POINTER(Candidate)), ("chosen", c_int), ("counted_mt", c_int),
                ("counted_nt", c_int), ("fewer_ranks", c_int), ("fewer", Candidate), ("fewer_loss", c_double)]


STRUCTURES = [Options, Shape, Tile, Scalapack, Report, InertiaCounts, LdlRow, Routine, Job, Forecast, StepLoad, Loads, Candidate,
              Choice, TilePrecisions]

# Functions that return a status, without ompfact_. p: a grid or matrix, i: int, l: int64_t, d: double, b: bool; capitals: addresses.
_STATUS = {
    "barrier": "p", "matrix_create_like": "pP", "matrix_create_rhs": "plP", "potrf": "pL", "getrf": "pL", "potrs": "pp",
    "getrs": "pp", "posv": "ppL", "gesv": "ppL", "potri": "pL", "getri": "pL", "geqrf": "p", "unmqr": "pbp", "ungqr": "pp",
    "gels": "ppPL", "determinant": "pDDD", "redistribute": "pp", "norm1": "pD", "rcond": "pdD", "conj_transpose": "pP",
    "getrs_trans": "pip", "trsm": "iiibddpp", "find_not_finite": "pLLB", "smallest_pivot": "pDL",
    "potrf_partial": "plL", "getrf_partial": "plL", "schur": "pbP", "potrf_update": "ppL", "potrf_downdate": "ppL",
    "hetrf_partial": "plL", "sytrf_partial": "plL", "hetrf": "pL", "sytrf": "pL", "hetrs": "pp", "sytrs": "pp", "hesv": "ppLI", "sysv": "ppLI",
    "bring_home": "p",
}
_LETTERS = {"p": c_void_p, "i": c_int, "l": c_int64, "d": c_double, "b": c_bool, "P": POINTER(c_void_p), "L": POINTER(c_int64),
            "D": POINTER(c_double), "B": POINTER(c_bool), "I": POINTER(c_int)}


def _declare(lib):
    def function(name, result, *arguments):
        f = getattr(lib, "ompfact_" + name)
        f.restype, f.argtypes = result, arguments

    for name, letters in _STATUS.items():
        function(name, c_int, *[_LETTERS[letter] for letter in letters])
    for name in ("rank", "ranks", "threads", "devices", "ranks_on_node", "reads_proceed", "tile_rows", "tile_cols", "tile_height",
                 "tile_width", "holds"):
        function(name, c_int, c_void_p)
    for name in ("rows", "cols", "eliminated"):
        function(name, c_int64, c_void_p)
    for name in ("message", "layout", "between_nodes"):
        function(name, c_char_p, c_void_p)
    for name in ("grid_destroy", "matrix_destroy"):
        function(name, None, POINTER(c_void_p))
    function("matrix_create", c_int, c_void_p, POINTER(Shape), POINTER(c_void_p))
    function("type", c_char, c_void_p)
    function("owner", c_int, c_void_p, c_int, c_int)
    for name in ("tile_row_of", "tile_col_of"):
        function(name, c_int, c_void_p, c_int64)
    function("next_tile", c_bool, c_void_p, POINTER(c_int), POINTER(c_int))
    function("tile_get", c_int, c_void_p, c_int, c_int, POINTER(Tile))
    function("tile_restore", None, c_void_p, POINTER(Tile))
    function("ipiv", None, c_void_p, POINTER(c_int64))
    function("from_scalapack", c_int, c_void_p, POINTER(Scalapack), c_void_p)
    function("to_scalapack", c_int, c_void_p, POINTER(Scalapack), c_void_p)
    function("last_report", Report, c_void_p)
    function("inertia", c_int, c_void_p, POINTER(InertiaCounts))
    function("ldl", c_int, c_void_p, POINTER(LdlRow))
    function("matrix_create_dense", c_int, c_void_p, POINTER(c_void_p))
    function("fill_tiles", c_int, c_void_p, FILL, c_void_p)
    function("tile_read", c_int, c_void_p, c_int, c_int, c_void_p, POINTER(Tile))
    function("count_precisions", c_int, c_void_p, POINTER(TilePrecisions))
    function("precision_map", c_int, c_void_p, POINTER(c_int))
    function("plan_precisions", c_int, c_void_p, ENTRY, c_void_p, POINTER(TilePrecisions), c_char_p)
    function("plan_precision_map", POINTER(c_int), c_void_p)
    function("potrf_append", c_int, c_void_p, c_int64, FILL, c_void_p, POINTER(c_int64))
    function("save", c_int, c_void_p, c_char_p)
    function("load", c_int, c_void_p, c_char_p, POINTER(c_void_p))
    function("shape_of", Shape, c_void_p)
    function("trace_write", c_int, c_void_p, c_char_p)
    function("routine_find", POINTER(Routine), c_char_p)
    function("plan_create", c_int, POINTER(Job), POINTER(c_void_p), c_char_p)
    function("plan_destroy", None, POINTER(c_void_p))
    function("plan_forecast", POINTER(Forecast), c_void_p)
    function("plan_owner", c_int, c_void_p, c_int, c_int)
    function("plan_loads", POINTER(Loads), c_void_p)
    function("plan_choice", c_int, c_void_p, POINTER(POINTER(Choice)), c_char_p)
    function("plan_simulate", c_int, c_void_p, c_void_p, c_char_p)
    function("platform_create", c_int, c_char_p, POINTER(c_void_p), c_char_p)
    function("platform_hosts", c_int, c_void_p)


lib = open_library()
_declare(lib)
