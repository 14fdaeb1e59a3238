#include "src/command/options_parts.h"

#include "src/command/progress_line.h"
#include "src/ompfact.h"

#include <limits.h>
#include <string.h>

#define AT(member) .field = offsetof(struct options, member)

enum { RANKS_MAX = 1000000, THREADS_MAX = 4096 };

static const int triangles[] = { OMPFACT_LOWER, OMPFACT_UPPER }, rconds[] = { RCOND_WANTED, RCOND_UNWANTED };
static const int pivotings[] = { OMPFACT_PIVOT_NONE, OMPFACT_PIVOT_TOURNAMENT, OMPFACT_PIVOT_PARTIAL, OMPFACT_PIVOT_AUTO };
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
      parse_sizes, AT(dim), .initial = "2000", .min = 0, .max = OPTION_DIM_MAX, .saved = SAVED_SIZE },
    { "nb", "LIST", "tile sizes NB or a:b:step; auto: the program chooses", GROUP_PROBLEM,
      parse_tile_sizes, AT(nb), .initial = "auto", .min = 1, .max = OPTION_NB_MAX, .saved = SAVED_FREE },
    { "nrhs", "K", "number of right-hand sides", GROUP_PROBLEM,
      parse_size, AT(job.nrhs), .initial = "1", .min = 1, .max = OPTION_DIM_MAX, .only = SOLVERS, .saved = SAVED_SAME },
    { "type", "LIST", "precisions: s, d, c, z", GROUP_PROBLEM,
      parse_types, AT(type), .initial = "d", .saved = SAVED_SAME },
    { "uplo", "l|u", "triangle to read and store, except for LU and QR", GROUP_PROBLEM,
      parse_word, AT(uplo), .initial = "l", .values = triangles,
      .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_INDEFINITE, .idle = IDLE_REFUSED, .saved = SAVED_SAME },
    { "pivot", "none|tournament|partial|auto", "for LU; auto: partial on 1 rank, else tournament", GROUP_PROBLEM,
      parse_word, AT(job.options.pivot), .initial = "auto", .values = pivotings,
      .factors = OMPFACT_BY_LU, .idle = IDLE_IGNORED, .saved = SAVED_SAME },
    { "butterfly", "auto|0|1|2", "levels of random mixing, for sytrf and similar; auto: 2", GROUP_PROBLEM,
      parse_word, AT(job.options.butterfly), .initial = "auto", .factors = OMPFACT_BY_INDEFINITE, .seldom = true,
      .saved = SAVED_SAME },
    { "tree", "flat|binary|greedy|auto", "how ranks of one tile column combine, for QR", GROUP_PROBLEM,
      parse_word, AT(job.options.tree), .initial = "auto", .values = trees, .factors = OMPFACT_BY_QR, .seldom = true },
    { "ib", "IB", "columns of a panel that are factored one by one, for QR", GROUP_PROBLEM,
      parse_int, AT(job.options.ib), .initial = "16", .min = 1, .max = OPTION_NB_MAX, .factors = OMPFACT_BY_QR, .seldom = true },
    { "refine", "classic|gmres", "mixed precision: factor in single, refine; posv and gesv", GROUP_PROBLEM,
      parse_word, AT(job.options.refinement), .implied = "classic", .values = refinements,
      .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_LU, .only = SOLVERS | FACTORING, .idle = IDLE_REFUSED, .saved = SAVED_SAME },
    { "accuracy", "EPS", "compress tiles up to EPS times the norm; not with pivoting", GROUP_PROBLEM,
      parse_fraction, AT(job.shape.accuracy), .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_LU, .only = FACTORING,
      .idle = IDLE_REFUSED, .saved = SAVED_SAME },
    { "tile-precision", "EPS|auto[,bf16]", "store tiles in single where EPS times the norm allows it", GROUP_PROBLEM,
      parse_tile_precision, AT(job.shape), .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_LU, .only = FACTORING,
      .seldom = true, .idle = IDLE_REFUSED, .saved = SAVED_SAME },
    { "band", "auto|B", "tiles nearer than B to the diagonal stay dense", GROUP_PROBLEM,
      parse_int_or_auto, AT(job.shape.band), .initial = "auto", .min = 1, .max = INT_MAX, .seldom = true, .saved = SAVED_SAME },
    { "max-rank", "auto|K", "compress only tiles of at most this rank", GROUP_PROBLEM,
      parse_rank, AT(job.shape.max_rank), .initial = "auto", .max = OPTION_NB_MAX, .seldom = true, .saved = SAVED_SAME },
    { "matrix", "KIND[:ARGS]", "generated matrix; default: one that suits the routine", GROUP_PROBLEM,
      parse_text, AT(matrix), .saved = SAVED_SAME },
    { "seed", "S", "seed of the generated matrix", GROUP_PROBLEM,
      parse_int64, AT(seed), .initial = "1", .min = 0, .max = INT64_MAX, .seldom = true, .saved = SAVED_SAME },

    { "input", "FILE", "read the matrix: .npy or Matrix Market (.mtx)", GROUP_FILES,
      parse_text, AT(input), .file = FILE_READ, .saved = SAVED_SIZE },
    { "points", "FILE", "read the points of a kernel of --matrix, one a row: .npy", GROUP_FILES,
      parse_text, AT(points), .file = FILE_READ, .seldom = true, .saved = SAVED_SIZE },
    { "rhs", "FILE", "read the right-hand sides", GROUP_FILES,
      parse_text, AT(rhs), .file = FILE_READ, .only = SOLVERS, .idle = IDLE_REFUSED, .saved = SAVED_ANOTHER },
    { "output", "FILE", "write the solution or the factors: .npy or .mtx", GROUP_FILES,
      parse_text, AT(output), .file = FILE_WRITTEN },
    { "ipiv", "FILE", "write the pivots as in LAPACK, from 1, one a line", GROUP_FILES,
      parse_text, AT(ipiv), .file = FILE_WRITTEN, .factors = OMPFACT_BY_LU | OMPFACT_BY_INDEFINITE, .only = OF_FACTORS,
      .idle = IDLE_REFUSED, .seldom = true },
    { "partial", "ROWS", "eliminate so many rows; leaves the Schur complement", GROUP_FILES,
      parse_size, AT(job.partial), .min = 1, .max = OPTION_DIM_MAX,
      .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_LU | OMPFACT_BY_INDEFINITE,
      .only = OF_FACTORS | NO_SOLVERS | FACTORING, .idle = IDLE_REFUSED, .seldom = true },
    { "schur", "FILE", "with --partial: write the Schur complement: .npy or .mtx", GROUP_FILES,
      parse_text, AT(schur), .file = FILE_WRITTEN,
      .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_LU | OMPFACT_BY_INDEFINITE,
      .only = OF_FACTORS | NO_SOLVERS | FACTORING, .idle = IDLE_REFUSED, .seldom = true },

    { "layout", "SCHEME[:ARGS]", "map from tiles to ranks", GROUP_MACHINE,
      parse_text, AT(job.shape.layout), .initial = "auto", .file = FILE_READ, .file_after = "file:" },
    { "speeds", "FILE|auto", "relative speeds of the ranks, one a line; auto: measure them", GROUP_MACHINE,
      parse_text, AT(speeds), .file = FILE_READ, .seldom = true },
    { "weights", "FILE|auto", "work of each tile: a file; auto, with --accuracy: predict", GROUP_MACHINE,
      parse_text, AT(weights), .file = FILE_READ, .seldom = true },
    { "blr", "delta=D,seed=S,kernel=lu|gemm", "work of artificial block-low-rank tiles", GROUP_MACHINE,
      parse_text, AT(blr), .seldom = true },
    { "copies", "C|auto", "copies of the matrix; more copies send fewer tiles", GROUP_MACHINE,
      parse_int64_or_auto, AT(job.shape.copies), .initial = "1", .min = 1, .max = RANKS_MAX, .seldom = true },
    { "storage", "packed|full", "storage of a symmetric matrix: one triangle, or all tiles", GROUP_MACHINE,
      parse_second, AT(job.shape.full_storage), .initial = "packed",
      .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_INDEFINITE, .seldom = true },
    { "on-node", "in-place|copy", "how ranks of one node read each other's tiles", GROUP_MACHINE,
      parse_second, AT(job.options.copy_on_node), .initial = "in-place", .seldom = true },
    { "bcast", "flat|chain|binomial|auto", "route of a tile to many other nodes", GROUP_MACHINE,
      parse_word, AT(job.options.bcast), .initial = "auto", .values = bcasts, .seldom = true },
    { "between-nodes", "one-sided|messages", "transport of tiles between nodes", GROUP_MACHINE,
      parse_word, AT(job.options.between_nodes), .initial = "one-sided", .values = betweens },
    { "schedule", "basic|static|dynamic", "order of the tasks", GROUP_MACHINE,
      parse_word, AT(job.options.schedule), .initial = "dynamic", .values = schedules, .seldom = true },
    { "threads", "T", "threads per rank; default: cores / ranks of the node", GROUP_MACHINE,
      parse_int, AT(job.options.threads), .min = 1, .max = THREADS_MAX },
    { "devices", "D|auto", "devices per rank; auto: an equal share of the node", GROUP_MACHINE,
      parse_int_or_auto, AT(job.options.devices), .initial = "0", .min = 0, .max = INT_MAX, .automatic = -1 },
    { "host-share", "auto|0..1", "share of the columns of each tile that stays on the host", GROUP_MACHINE,
      parse_share, AT(job.options.host_share), .initial = "auto", .seldom = true },
    { "device-backend", "auto|cuda|hip|host|portable", "kernels for devices", GROUP_MACHINE,
      parse_name, AT(job.options.device_backend), .initial = "auto", .seldom = true },
    { "device-memory", "SIZE", "bytes of a device for tiles; 20G is 20 GiB", GROUP_MACHINE,
      parse_bytes, AT(job.options.device_memory), .min = 1, .max = INT64_MAX, .seldom = true },
    { "emulate", "none|fp64|bf16x9|tf32|bf16", "arithmetic that cuBLAS may use for products", GROUP_MACHINE,
      parse_word, AT(job.options.emulate), .initial = "none", .values = emulations, .seldom = true },

    { "check", "y|n", "compute the scaled residual", GROUP_CHECK,
      parse_yes_no, AT(job.checked), .implied = "y", .initial = "n" },
    { "tol", "T", "largest scaled residual that passes", GROUP_CHECK,
      parse_positive, AT(tol), .initial = "30", .seldom = true },
    { "abft", NULL, "detect and correct flipped bits during the factorization", GROUP_CHECK,
      parse_flag, AT(job.options.abft), .only = FACTORING, .idle = IDLE_REFUSED, .seldom = true },
    { "rcond", "y|n", "estimate the reciprocal condition number", GROUP_CHECK,
      parse_word, AT(rcond), .implied = "y", .values = rconds, .only = OF_FACTORS, .idle = IDLE_REFUSED,
      .seldom = true },
    { "warmup", "y|n", "make one uncounted run first", GROUP_CHECK,
      parse_yes_no, AT(warmup), .implied = "y", .initial = "n", .seldom = true },
    { "repeat", "R", "runs of each problem", GROUP_CHECK,
      parse_int, AT(repeat), .initial = "1", .min = 1, .max = INT_MAX },

    { "checkpoint", "DIR[,interval=S][,grace=S]", "save the factorization while it runs, every minute", GROUP_CHECK,
      parse_checkpoint, AT(checkpoint), .only = FACTORING_FIRST, .idle = IDLE_REFUSED },
    { "restart", "DIR", "continue from a checkpoint, on any number of ranks", GROUP_CHECK,
      parse_text, AT(restart) },
    { "append", NULL, "with --restart: append the rows of a larger matrix to its factor", GROUP_CHECK,
      parse_flag, AT(append), .factors = OMPFACT_BY_CHOLESKY, .only = FACTORING, .idle = IDLE_REFUSED, .seldom = true },

    { "json", "FILE", "write one JSON object a line for each run; -: stdout", GROUP_OUTPUT,
      parse_text, AT(json), .file = FILE_REPORTED, .format = "json|jsonl" },
    { "csv", "FILE", "write the same as comma-separated columns", GROUP_OUTPUT,
      parse_text, AT(csv), .file = FILE_REPORTED, .format = "csv", .seldom = true },
    { "map", "FILE", "write the pattern of the layout", GROUP_OUTPUT,
      parse_text, AT(map), .file = FILE_REPORTED, .seldom = true },
    { "tile-ranks", "FILE", "write the rank of every compressed tile, before and after", GROUP_OUTPUT,
      parse_text, AT(tile_ranks), .file = FILE_REPORTED, .factors = OMPFACT_BY_CHOLESKY | OMPFACT_BY_LU, .only = FACTORING,
      .seldom = true },
    { "owners", "FILE", "write the owner of every tile", GROUP_OUTPUT,
      parse_text, AT(owners), .file = FILE_REPORTED, .seldom = true },
    { "plot", "FILE", "draw the layout: pattern, matrix and balance, as SVG", GROUP_OUTPUT,
      parse_text, AT(plot), .file = FILE_REPORTED, .format = "svg" },
    { "trace", "FILE", "write what every thread did in the last factorization (Perfetto)", GROUP_OUTPUT,
      parse_text, AT(trace), .file = FILE_TRACED, .format = "json", .only = FACTORING, .idle = IDLE_REFUSED },
    { "report", "FILE.html", "write a page about the last factorization, for a browser", GROUP_OUTPUT,
      parse_text, AT(report), .file = FILE_WRITTEN, .format = "html|htm", .only = FACTORING, .idle = IDLE_REFUSED },
    { "progress", "bar|json|off", "print the progress on stderr; default: a bar on a terminal", GROUP_OUTPUT,
      parse_word, AT(progress), .initial = "bar", .values = progress_forms, .only = FACTORING, .idle = IDLE_REFUSED,
      .seldom = true },
    { "verbose", NULL, "print more columns", GROUP_OUTPUT,
      parse_flag, AT(verbose), .seldom = true },
    { "explain", NULL, "list the possible layouts and the reason for the choice", GROUP_OUTPUT,
      parse_flag, AT(explain), .only = COUNTING, .idle = IDLE_REFUSED },
    { "quiet", NULL, "print no table", GROUP_OUTPUT,
      parse_flag, AT(quiet) },

    { "dry-run", NULL, "print what would happen; needs no matrix and no mpiexec", GROUP_DRY,
      parse_flag, AT(dry_run), .only = COUNTING, .idle = IDLE_REFUSED },
    { "simulate", "PLATFORM.xml", "dry run with a simulated time, by SimGrid", GROUP_DRY,
      parse_text, AT(simulate), .file = FILE_READ, .only = FACTORING, .idle = IDLE_REFUSED, .seldom = true },
    { "tune", "FILE", "measure this machine, for auto and --explain; details to FILE", GROUP_DRY,
      parse_file_or_none, AT(tune), .implied = "", .file = FILE_REPORTED },
    { "ranks", "P", "dry run: number of ranks", GROUP_DRY,
      parse_int, AT(job.ranks), .min = 1, .max = RANKS_MAX },
    { "ranks-per-node", "R", "dry run: rank r is on node r / R", GROUP_DRY,
      parse_int, AT(job.ranks_per_node), .initial = "1", .min = 1, .max = RANKS_MAX, .seldom = true },
    { "rows", "OLD", "dry run with --append: rows of the existing factor", GROUP_DRY,
      parse_size, AT(job.factored), .min = 1, .max = OPTION_DIM_MAX, .factors = OMPFACT_BY_CHOLESKY, .only = FACTORING,
      .idle = IDLE_REFUSED, .seldom = true },
    { "wire", "RATE[,LATENCY]", "dry run: link of each node, for example 10gbit,20us", GROUP_DRY,
      parse_wire, AT(job), .seldom = true },
    { "cores", "N", "dry run: cores of a node; default: those of this machine", GROUP_DRY,
      parse_int, AT(job.cores_per_node), .min = 1, .max = THREADS_MAX, .seldom = true },
    { "gflops", "G", "dry run: GEMM on a core of a node, in double precision", GROUP_DRY,
      parse_positive, AT(job.core_gflops), .seldom = true },
    { "machine", "FILE", "dry run: nodes are like the machine whose --tune wrote FILE", GROUP_DRY,
      parse_text, AT(job.machine), .file = FILE_READ, .seldom = true },
    { "completion", "bash|zsh", "print a completion script: source <(ompfact --completion bash)", GROUP_DRY,
      parse_name, AT(completion), .seldom = true },
    { "debug", "KEY=VALUE,...", "settings for developers; --help debug lists them", GROUP_DRY,
      .parse = NULL },
    { "help", "short|all|debug|compare|report|platform", "this text; a page; a routine; an option", GROUP_DRY,
      parse_help, AT(help), .implied = "short", .letter = 'h' },
    { "version", NULL, "print the version and the build", GROUP_DRY,
      parse_flag, AT(version) },
    { "bug-report", NULL, "print build, machine and environment, to paste into a report", GROUP_DRY,
      parse_flag, AT(bug_report), .seldom = true },

    { "tasks", "N", "largest number of tasks in flight", GROUP_DEBUG,
      parse_int, AT(job.options.max_tasks), .min = 1, .max = INT_MAX },
    { "cache", "N", "slots in the cache of remote tiles", GROUP_DEBUG,
      parse_int, AT(job.options.cache_tiles), .min = 1, .max = INT_MAX },
    { "jitter", "US", "random delays up to US microseconds, and a random order", GROUP_DEBUG,
      parse_int, AT(testing.jitter_us), .initial = "0", .min = 0, .max = 1000000 },
    { "inject", "step=K,tile=I,J,bit=B", "flip a bit of a tile before a step", GROUP_DEBUG,
      parse_flip, AT(testing.flip), .min = 0, .max = INT_MAX, .only = FACTORING, .idle = IDLE_REFUSED },
    { "pin", "y|n", "bind threads to cores, unless another program has bound them", GROUP_DEBUG,
      parse_yes_no, AT(pin), .initial = "y" },
    { "measure", "y|n", "measure rates of kernels, once, for --nb auto", GROUP_DEBUG,
      parse_yes_no, AT(measure), .initial = "y" },
    { "herk-block", "auto|off|B", "columns of a block of herk on devices", GROUP_DEBUG,
      parse_block, AT(herk_block), .initial = "auto", .min = 16, .max = OPTION_NB_MAX, .automatic = -1 },
    { "trsm-block", "auto|off|B", "columns of a diagonal block that trsm on devices inverts", GROUP_DEBUG,
      parse_block, AT(trsm_block), .initial = "auto", .min = 16, .max = OPTION_NB_MAX, .automatic = -1 },
    { "watchdog", "SECONDS", "seconds of silence before a rank prints its waits; 0: never", GROUP_DEBUG,
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

int option_index(const char *name)
{
    return (int)(option_find(name, strlen(name)) - option_table);
}

const char *option_word(const struct options *o, const char *name)
{
    return o->word[option_index(name)];
}

bool option_given(const struct options *o, const char *name)
{
    return o->given[option_index(name)];
}

const struct option *option_by_letter(const char *letter)
{
    for (const struct option *o = option_table; o->name; o++)
        if (o->letter && o->letter == letter[0] && !letter[1])
            return o;
    return NULL;
}

const struct option *option_named(const char *word)
{
    const char *name = word + (strncmp(word, "--", 2) == 0 ? 2 : 0);
    return option_find(name, strlen(name));
}

/* Refuses a word without help, and suggests similar words that have help. */
static int unknown_help(const struct option *option, const char *value, char *text)
{
    char words[64], list[160] = "";
    snprintf(words, sizeof words, "%s", option->form);
    const char *name = value + strspn(value, "-"), *meant = routine_meant(name);
    const char *const near[] = { routine_near(name), word_near(name, words), option_near(option_table, name, strlen(name)) };
    if (meant != NULL)
        return refuse(text, "--%s: there is no routine \"%.64s\"; did you mean %s?", option->name, value, meant);
    for (size_t i = 0, used = 0; i < sizeof near / sizeof *near; i++)
        if (near[i] != NULL && strstr(list, near[i]) == NULL)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s\"%s\"", used == 0 ? "" : " or ", near[i]);
    if (list[0] != '\0')
        return refuse(text, "--%s: unknown word \"%.64s\"; did you mean %s?", option->name, value, list);
    return refuse(text, "--%s: \"%.64s\" is no routine, no option and none of %s", option->name, value, option->form);
}

int parse_help(const struct option *option, const char *value, void *field, char *text)
{
    const ompfact_routine *routine = ompfact_routine_find(value);
    const struct option *about = option_named(value);
    const int page = word_index(option->form, value);
    if (page < 0 && routine == NULL && about == NULL)
        return unknown_help(option, value, text);
    *(struct help_page *)field = page >= 0         ? (struct help_page){ page, value }
                                 : routine != NULL ? (struct help_page){ HELP_ROUTINE, routine->name }
                                                   : (struct help_page){ HELP_OPTION, about->name };
    return 0;
}
