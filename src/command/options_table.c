#include "src/command/options_parts.h"

#include "src/command/progress_line.h"
#include "src/ompfact.h"

#include <limits.h>
#include <string.h>

#define AT(member) .field = offsetof(struct options, member)

enum { RANKS_MAX = 1000000, THREADS_MAX = 4096 };

static const int pivots[] = { OMPFACT_PIVOT_NONE, OMPFACT_PIVOT_TOURNAMENT, OMPFACT_PIVOT_PARTIAL, OMPFACT_PIVOT_AUTO };
static const int trees[] = { OMPFACT_TREE_FLAT, OMPFACT_TREE_BINARY, OMPFACT_TREE_GREEDY, OMPFACT_TREE_AUTO };
static const int bcasts[] = { OMPFACT_BCAST_FLAT, OMPFACT_BCAST_CHAIN, OMPFACT_BCAST_BINOMIAL, OMPFACT_BCAST_AUTO };
static const int betweens[] = { OMPFACT_ONE_SIDED, OMPFACT_MESSAGES };
static const int emulations[] = { OMPFACT_EMULATE_NONE, OMPFACT_EMULATE_FP64, OMPFACT_EMULATE_BF16X9, OMPFACT_EMULATE_TF32,
                                  OMPFACT_EMULATE_BF16 };
static const int schedules[] = { OMPFACT_BASIC, OMPFACT_STATIC, OMPFACT_DYNAMIC };
static const int refinements[] = { OMPFACT_REFINE_CLASSIC, OMPFACT_REFINE_GMRES };
static const int progress_forms[] = { PROGRESS_BAR, PROGRESS_JSON, PROGRESS_OFF };

const char *const option_groups[GROUP_COUNT] = {
    [GROUP_PROBLEM] = "Problem",
    [GROUP_FILES]   = "Matrices from and to files",
    [GROUP_MACHINE] = "Distribution and machine",
    [GROUP_CHECK]   = "Runs and checks",
    [GROUP_OUTPUT]  = "Reports",
    [GROUP_DRY]     = "Without a run",
    [GROUP_DEBUG]   = "Keys",
};

const struct option option_table[] = {
    { "dim", "LIST", "sizes N, MxN or a:b:step; 4k is 4000", GROUP_PROBLEM,
      parse_sizes, AT(dim), .initial = "2000", .min = 0, .max = OPTION_DIM_MAX },
    { "nb", "LIST", "tile sizes NB, a:b:step; auto: one that suits", GROUP_PROBLEM,
      parse_tile_sizes, AT(nb), .initial = "auto", .min = 1, .max = OPTION_NB_MAX },
    { "nrhs", "K", "right-hand sides", GROUP_PROBLEM,
      parse_size, AT(nrhs), .initial = "1", .min = 1, .max = OPTION_DIM_MAX, .solvers = true },
    { "type", "LIST", "precisions, of s, d, c, z", GROUP_PROBLEM,
      parse_types, AT(type), .initial = "d" },
    { "uplo", "l|u", "the triangle that is read and stored, not for LU and QR", GROUP_PROBLEM,
      parse_word, AT(uplo), .initial = "l", .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_INDEFINITE, .idle = IDLE_REFUSED },
    { "pivot", "none|tournament|partial|auto", "of LU; auto: partial on 1 rank, else tournament", GROUP_PROBLEM,
      parse_word, AT(pivot), .initial = "auto", .values = pivots,
      .factors = OMPFACT_BY_LU, .idle = IDLE_IGNORED },
    { "butterfly", "auto|0|1|2", "of sytrf and its like: levels of random mixing; auto: 2", GROUP_PROBLEM,
      parse_word, AT(butterfly), .initial = "auto", .factors = OMPFACT_BY_INDEFINITE, .seldom = true },
    { "tree", "flat|binary|greedy|auto", "of QR: how ranks that share a column meet", GROUP_PROBLEM,
      parse_word, AT(tree), .initial = "auto", .values = trees, .factors = OMPFACT_BY_QR, .seldom = true },
    { "ib", "IB", "of QR: columns of a panel that are factored one by one", GROUP_PROBLEM,
      parse_int, AT(ib), .initial = "16", .min = 1, .max = OPTION_NB_MAX, .factors = OMPFACT_BY_QR, .seldom = true },
    { "refine", "classic|gmres", "mixed precision: factors in single, refines; posv and gesv", GROUP_PROBLEM,
      parse_word, AT(refine), .unsaid = "classic", .values = refinements,
      .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_LU, .solvers = true, .factoring = true, .idle = IDLE_REFUSED },
    { "accuracy", "EPS", "compresses tiles, to EPS of the norm; not with pivots", GROUP_PROBLEM,
      parse_fraction, AT(accuracy), .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_LU, .factoring = true, .idle = IDLE_REFUSED },
    { "tile-precision", "EPS|auto", "tiles in single where that keeps EPS of the norm", GROUP_PROBLEM,
      parse_tile_precision, AT(tile_precision), .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_LU, .factoring = true,
      .seldom = true, .idle = IDLE_REFUSED },
    { "band", "auto|B", "tiles nearer than B to the diagonal stay dense", GROUP_PROBLEM,
      parse_int_or_auto, AT(band), .initial = "auto", .min = 1, .max = INT_MAX, .seldom = true },
    { "max-rank", "auto|K", "tiles of at most this rank are compressed, no other", GROUP_PROBLEM,
      parse_rank, AT(max_rank), .initial = "auto", .min = 0, .max = OPTION_NB_MAX, .seldom = true },
    { "matrix", "KIND[:ARGS]", "generated matrix; by default one that suits the routine", GROUP_PROBLEM,
      parse_text, AT(matrix) },
    { "seed", "S", "of the generated matrix", GROUP_PROBLEM,
      parse_int64, AT(seed), .initial = "1", .min = 0, .max = INT64_MAX, .seldom = true },

    { "input", "FILE", "the matrix: .npy or Matrix Market (.mtx)", GROUP_FILES,
      parse_text, AT(input), .file = FILE_READ },
    { "points", "FILE", "the points of a kernel of --matrix, a row each: .npy", GROUP_FILES,
      parse_text, AT(points), .file = FILE_READ, .seldom = true },
    { "rhs", "FILE", "the right-hand sides", GROUP_FILES,
      parse_text, AT(rhs), .file = FILE_READ, .solvers = true, .idle = IDLE_REFUSED },
    { "output", "FILE", "writes the solution, or the factors: .npy or .mtx", GROUP_FILES,
      parse_text, AT(output), .file = FILE_WRITTEN },
    { "ipiv", "FILE", "writes the pivots as LAPACK gives them, 1-based, one a line", GROUP_FILES,
      parse_text, AT(ipiv), .file = FILE_WRITTEN, .factors = OMPFACT_BY_LU | OMPFACT_BY_INDEFINITE, .of_factors = true,
      .idle = IDLE_REFUSED, .seldom = true },
    { "partial", "ROWS", "eliminates so many rows, and leaves the Schur complement", GROUP_FILES,
      parse_size, AT(partial), .min = 1, .max = OPTION_DIM_MAX,
      .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_LU | OMPFACT_BY_INDEFINITE,
      .of_factors = true, .alone = true, .factoring = true, .idle = IDLE_REFUSED, .seldom = true },
    { "schur", "FILE", "with --partial: writes it, with both triangles: .npy or .mtx", GROUP_FILES,
      parse_text, AT(schur), .file = FILE_WRITTEN,
      .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_LU | OMPFACT_BY_INDEFINITE,
      .of_factors = true, .alone = true, .factoring = true, .idle = IDLE_REFUSED, .seldom = true },

    { "layout", "SCHEME[:ARGS]", "which rank owns which tile", GROUP_MACHINE,
      parse_text, AT(layout), .initial = "auto", .file = FILE_READ, .file_after = "file:" },
    { "speeds", "FILE|auto", "relative speeds of the ranks, one a line; auto measures them", GROUP_MACHINE,
      parse_text, AT(speeds), .file = FILE_READ, .seldom = true },
    { "weights", "FILE|auto", "work of each tile: a file; auto predicts it, with --accuracy", GROUP_MACHINE,
      parse_text, AT(weights), .file = FILE_READ, .seldom = true },
    { "blr", "delta=D,seed=S,kernel=lu|gemm", "the work of made-up block-low-rank tiles", GROUP_MACHINE,
      parse_text, AT(blr), .seldom = true },
    { "copies", "C|auto", "copies of the matrix, so that fewer tiles are sent", GROUP_MACHINE,
      parse_int_or_auto, AT(copies), .initial = "1", .min = 1, .max = RANKS_MAX, .seldom = true },
    { "storage", "packed|full", "of a symmetric matrix: one triangle, or all", GROUP_MACHINE,
      parse_word, AT(storage), .initial = "packed", .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_INDEFINITE, .seldom = true },
    { "on-node", "in-place|copy", "how ranks of one node read each other's tiles", GROUP_MACHINE,
      parse_word, AT(on_node), .initial = "in-place", .seldom = true },
    { "bcast", "flat|chain|binomial|auto", "how a tile gets to many other nodes", GROUP_MACHINE,
      parse_word, AT(bcast), .initial = "auto", .values = bcasts, .seldom = true },
    { "between-nodes", "one-sided|messages", "how tiles get from one node to another", GROUP_MACHINE,
      parse_word, AT(between_nodes), .initial = "one-sided", .values = betweens },
    { "schedule", "basic|static|dynamic", "the order of the tasks", GROUP_MACHINE,
      parse_word, AT(schedule), .initial = "dynamic", .values = schedules, .seldom = true },
    { "threads", "T", "threads per rank; by default cores / ranks of the node", GROUP_MACHINE,
      parse_int, AT(threads), .min = 1, .max = THREADS_MAX },
    { "devices", "D|auto", "devices per rank; auto: its share of the node's", GROUP_MACHINE,
      parse_devices, AT(devices), .initial = "0", .min = 0, .max = INT_MAX },
    { "host-share", "auto|0..1", "columns of each tile that stay on the host, of all", GROUP_MACHINE,
      parse_share, AT(host_share), .initial = "auto", .seldom = true },
    { "device-backend", "auto|cuda|hip|host|portable", "whose kernels run on devices", GROUP_MACHINE,
      parse_word, AT(device_backend), .initial = "auto", .seldom = true },
    { "device-memory", "SIZE", "bytes of a device that tiles may take; 20G is 20 GiB", GROUP_MACHINE,
      parse_bytes, AT(device_memory), .min = 1, .max = INT64_MAX, .seldom = true },
    { "emulate", "none|fp64|bf16x9|tf32|bf16", "how cuBLAS may compute products", GROUP_MACHINE,
      parse_word, AT(emulate), .initial = "none", .values = emulations, .seldom = true },

    { "check", "y|n", "computes the scaled residual", GROUP_CHECK,
      parse_yes_no, AT(check), .unsaid = "y", .initial = "n" },
    { "tol", "T", "the largest scaled residual that passes", GROUP_CHECK,
      parse_positive, AT(tol), .initial = "30", .seldom = true },
    { "abft", NULL, "finds bits that flip while it factors, and puts them right", GROUP_CHECK,
      parse_flag, AT(abft), .factoring = true, .idle = IDLE_REFUSED, .seldom = true },
    { "rcond", "y|n", "estimates the condition number's reciprocal", GROUP_CHECK,
      parse_word, AT(rcond), .unsaid = "y", .of_factors = true, .idle = IDLE_REFUSED,
      .seldom = true },
    { "warmup", "y|n", "one uncounted run first", GROUP_CHECK,
      parse_yes_no, AT(warmup), .unsaid = "y", .initial = "n", .seldom = true },
    { "repeat", "R", "runs of each problem", GROUP_CHECK,
      parse_int, AT(repeat), .initial = "1", .min = 1, .max = INT_MAX },

    { "checkpoint", "DIR[,interval=S][,grace=S]", "saves the factorization while it runs, each minute", GROUP_CHECK,
      parse_checkpoint, AT(checkpoint), .factoring_first = true, .idle = IDLE_REFUSED },
    { "restart", "DIR", "goes on from a checkpoint, with its problem, on any ranks", GROUP_CHECK,
      parse_text, AT(restart) },
    { "append", NULL, "with --restart: appends the rows of a larger matrix to its factor", GROUP_CHECK,
      parse_flag, AT(append), .factors = OMPFACT_BY_CHOLESKY, .factoring = true, .idle = IDLE_REFUSED, .seldom = true },

    { "json", "FILE", "one JSON object a line for each run; - is stdout", GROUP_OUTPUT,
      parse_text, AT(json), .file = FILE_REPORTED, .format = "json|jsonl" },
    { "csv", "FILE", "the same as comma-separated columns", GROUP_OUTPUT,
      parse_text, AT(csv), .file = FILE_REPORTED, .format = "csv", .seldom = true },
    { "map", "FILE", "the pattern of the layout", GROUP_OUTPUT,
      parse_text, AT(map), .file = FILE_REPORTED, .seldom = true },
    { "tile-ranks", "FILE", "the rank of every compressed tile, before and after", GROUP_OUTPUT,
      parse_text, AT(tile_ranks), .file = FILE_REPORTED, .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_LU, .factoring = true,
      .seldom = true },
    { "owners", "FILE", "the owner of every tile", GROUP_OUTPUT,
      parse_text, AT(owners), .file = FILE_REPORTED, .seldom = true },
    { "plot", "FILE", "a picture of the layout: pattern, matrix and balance, as SVG", GROUP_OUTPUT,
      parse_text, AT(plot), .file = FILE_REPORTED, .format = "svg" },
    { "trace", "FILE", "what every thread did in the last factorization, for Perfetto", GROUP_OUTPUT,
      parse_text, AT(trace), .file = FILE_TRACED, .format = "json", .factoring = true, .idle = IDLE_REFUSED },
    { "report", "FILE.html", "a page that shows the last factorization, for a browser", GROUP_OUTPUT,
      parse_text, AT(report), .file = FILE_WRITTEN, .format = "html|htm", .factoring = true, .idle = IDLE_REFUSED },
    { "progress", "bar|json|off", "says on stderr how far it is; unasked a bar on a terminal", GROUP_OUTPUT,
      parse_word, AT(progress), .initial = "bar", .values = progress_forms, .factoring = true, .idle = IDLE_REFUSED,
      .seldom = true },
    { "verbose", NULL, "more columns", GROUP_OUTPUT,
      parse_flag, AT(verbose), .seldom = true },
    { "explain", NULL, "the layouts there are to choose from, and why this one", GROUP_OUTPUT,
      parse_flag, AT(explain), .counting = true, .idle = IDLE_REFUSED },
    { "quiet", NULL, "no table", GROUP_OUTPUT,
      parse_flag, AT(quiet) },

    { "dry-run", NULL, "says what would happen: no matrix, no mpiexec", GROUP_DRY,
      parse_flag, AT(dry_run), .counting = true, .idle = IDLE_REFUSED },
    { "simulate", "PLATFORM.xml", "a dry run, and how long it takes in SimGrid", GROUP_DRY,
      parse_text, AT(simulate), .file = FILE_READ, .factoring = true, .idle = IDLE_REFUSED, .seldom = true },
    { "tune", "FILE", "measures this machine, for auto and --explain; all of it to FILE", GROUP_DRY,
      parse_file_or_none, AT(tune), .unsaid = "", .file = FILE_REPORTED },
    { "ranks", "P", "the number of ranks of a dry run", GROUP_DRY,
      parse_int, AT(ranks), .min = 1, .max = RANKS_MAX },
    { "ranks-per-node", "R", "of a dry run: rank r is on node r / R", GROUP_DRY,
      parse_int, AT(ranks_per_node), .initial = "1", .min = 1, .max = RANKS_MAX, .seldom = true },
    { "rows", "OLD", "of a dry run with --append: rows of the factor that there is", GROUP_DRY,
      parse_size, AT(rows), .min = 1, .max = OPTION_DIM_MAX, .factors = OMPFACT_BY_CHOLESKY, .factoring = true,
      .idle = IDLE_REFUSED, .seldom = true },
    { "wire", "RATE[,LATENCY]", "of a dry run: each node's link, as in 10gbit,20us", GROUP_DRY,
      parse_wire, AT(wire), .seldom = true },
    { "cores", "N", "of a dry run: cores of a node; by default this machine's", GROUP_DRY,
      parse_int, AT(cores), .min = 1, .max = THREADS_MAX, .seldom = true },
    { "gflops", "G", "of a dry run: GEMM on a core of a node, in double precision", GROUP_DRY,
      parse_positive, AT(gflops), .seldom = true },
    { "machine", "FILE", "of a dry run: nodes are like that whose --tune wrote this", GROUP_DRY,
      parse_text, AT(machine), .file = FILE_READ, .seldom = true },
    { "completion", "bash|zsh", "prints what source <(ompfact --completion bash) wants", GROUP_DRY,
      parse_word, AT(completion), .seldom = true },
    { "debug", "KEY=VALUE,...", "what only developers turn; --help debug lists it", GROUP_DRY,
      .parse = NULL },
    { "help", "short|all|debug|compare|report|platform", "this text; all; keys of --debug; a routine's", GROUP_DRY,
      parse_help, AT(help), .unsaid = "short", .letter = 'h' },
    { "version", NULL, "the version, and what it was built with", GROUP_DRY,
      parse_flag, AT(version) },
    { "bug-report", NULL, "a screen to paste into a report: build, machine, environment", GROUP_DRY,
      parse_flag, AT(bug_report), .seldom = true },

    { "tasks", "N", "bound on the tasks in flight", GROUP_DEBUG,
      parse_int, AT(tasks), .min = 1, .max = INT_MAX },
    { "cache", "N", "tiles in the cache of remote tiles", GROUP_DEBUG,
      parse_int, AT(cache), .min = 1, .max = INT_MAX },
    { "jitter", "US", "random delays up to US microseconds, and a random order", GROUP_DEBUG,
      parse_int, AT(testing.jitter_us), .initial = "0", .min = 0, .max = 1000000 },
    { "inject", "step=K,tile=I,J,bit=B", "flips a bit of a tile before a step", GROUP_DEBUG,
      parse_flip, AT(testing.flip), .min = 0, .max = INT_MAX, .factoring = true, .idle = IDLE_REFUSED },
    { "pin", "y|n", "binds threads to cores, where nobody else has", GROUP_DEBUG,
      parse_yes_no, AT(pin), .initial = "y" },
    { "measure", "y|n", "measures rates of kernels, once, for --nb auto", GROUP_DEBUG,
      parse_yes_no, AT(measure), .initial = "y" },
    { "herk-block", "auto|off|B", "columns of the blocks that herk on devices is made of", GROUP_DEBUG,
      parse_block, AT(herk_block), .initial = "auto", .min = 16, .max = OPTION_NB_MAX },
    { "trsm-block", "auto|off|B", "columns of diagonal blocks that trsm on devices inverts", GROUP_DEBUG,
      parse_block, AT(trsm_block), .initial = "auto", .min = 16, .max = OPTION_NB_MAX },
    { "watchdog", "SECONDS", "silence after which a rank says what it waits for; 0: never", GROUP_DEBUG,
      parse_int, AT(watchdog), .initial = "60", .min = 0, .max = INT_MAX },

    { .name = NULL },
};

_Static_assert(sizeof option_table / sizeof option_table[0] <= OPTION_TABLE_MAX, "OPTION_TABLE_MAX is too small");

const struct option *option_find(const char *name, size_t length)
{
    for (const struct option *o = option_table; o->name; o++)
        if (strlen(o->name) == length && !memcmp(o->name, name, length))
            return o;
    return NULL;
}

const struct option *option_by_letter(const char *letter)
{
    for (const struct option *o = option_table; o->name; o++)
        if (o->letter && o->letter == letter[0] && !letter[1])
            return o;
    return NULL;
}
