#include "src/tune/tune.h"

#include "src/machine/machine_known.h"
#include "src/machine/tile_size.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* ---- kernels --------------------------------------------------------------------------------------------------------------- */

static const int all_sizes[] = { 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 336, 384, 448, 512, 560, 672, 0 };
static const int few_sizes[] = { 64, 128, 192, 256, 336, 448, 560, 0 };

/* Reports the progress of all measurements, as for a factorization, on the rank that measures. */
static void report_progress(const ompfact_grid *grid, double done)
{
    if (grid->settings.progress != NULL)
        grid->settings.progress(grid->settings.progress_context, done);
}

/* Parts of the time: kernels take the first fraction; ranks and threads take the time up to the second; devices take the rest. */
struct shares {
    double kernels, speeds;
};

static struct shares shares_of(const ompfact_grid *grid)
{
    return ompfact_devices(grid) > 0 ? (struct shares){ 0.4, 0.55 } : (struct shares){ 0.75, 1 };
}

/* The number of all rates; progress is a fraction of it. */
enum { SIZES = sizeof all_sizes / sizeof *all_sizes - 1, FEW = sizeof few_sizes / sizeof *few_sizes - 1,
       RATES = (2 * SIZES + 3 * FEW) * RATE_KERNELS };

static void measure_sizes(const ompfact_grid *grid, struct rate_pool *pool, struct machine *m, char type, int threads,
                          const int *sizes, const ompfact_effort *effort)
{
    for (; *sizes > 0 && *sizes <= effort->largest_nb; sizes++)
        for (int kernel = 0; kernel < RATE_KERNELS && m->rates < MACHINE_RATES; kernel++) {
            struct rate_case c = { .type = type, .kernel = (enum rate_kernel)kernel, .nb = *sizes, .cold = true,
                                   .seconds = effort->kernel_s };
            struct machine_rate rate = { .type = type, .kernel = c.kernel, .threads = threads, .nb = *sizes };
            for (int i = 0; i < 4; i++)
                rate.gflops = fmax(rate.gflops, kernel_rate(pool, &c));
            if (rate.gflops > 0)
                m->rate[m->rates++] = rate;
            report_progress(grid, shares_of(grid).kernels * fmin(1, (double)m->rates / RATES));
        }
}

/* Measures double precision at all sizes and numbers of threads; the other types, whose ratio to double is then known, on all
   cores at a few sizes. */
static int measure_kernels(const ompfact_grid *grid, struct machine *m, const ompfact_effort *effort)
{
    int threads = default_threads(1);
    CLEANUP(rate_pool_destroy) struct rate_pool *one = rate_pool_create(1), *all = rate_pool_create(threads);
    m->rates = 0;
    if (one == NULL || all == NULL)
        return 1;
    measure_sizes(grid, one, m, 'd', 1, all_sizes, effort);
    if (threads > 1)
        measure_sizes(grid, all, m, 'd', threads, all_sizes, effort);
    for (const char *type = "scz"; *type != '\0'; type++)
        measure_sizes(grid, all, m, *type, threads, few_sizes, effort);
    return 0;
}

/* ---- transfers ------------------------------------------------------------------------------------------------------------- */

bool tune_fit(int count, const double *words, const double *seconds, double *t_s, double *t_w)
{
    /* t_w minimises sum (seconds_0 x_i + t_w y_i - 1)^2, x = 1 / seconds, y = (words - words_0) / seconds */
    double rest = 0, yy = 0;
    for (int i = 1; i < count; i++) {
        double y = (words[i] - words[0]) / seconds[i];
        rest += y * (1 - seconds[0] / seconds[i]);
        yy += y * y;
    }
    *t_w = rest / yy;
    *t_s = seconds[0] - *t_w * words[0];
    return *t_s > 0 && *t_w > 0 && isfinite(*t_s) && isfinite(*t_w);
}

/* One word, and tiles: MPI uses different protocols for the two. */
enum { MESSAGES = 5, WORDS_MAX = 512 * 512 };
static const double words[MESSAGES] = { 1, 128 * 128, 192 * 192, 256 * 256, WORDS_MAX };

/* The least time to read `count` words from the other rank. */
static double read_time(MPI_Win win, double *buffer, int count)
{
    double least = INFINITY, begin = MPI_Wtime();
    for (int i = 0; i < 10 || MPI_Wtime() - begin < 0.05; i++) {
        double start = MPI_Wtime();
        MPI_Request request;
        MPI_Rget(buffer, count, MPI_DOUBLE, 1, 0, count, MPI_DOUBLE, win, &request);
        for (int done = 0; !done;)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        least = fmin(least, MPI_Wtime() - start);
    }
    return least;
}

/* Least times that lie on a line. On a machine with other work the first attempt may not. */
static bool read_times(MPI_Win win, double *buffer, struct machine *m)
{
    enum { TRIES = 20 };
    double seconds[MESSAGES], t_s, t_w;
    for (int i = 0; i < MESSAGES; i++)
        seconds[i] = INFINITY;
    for (int try = 0; try < TRIES; try++) {
        for (int i = 0; i < MESSAGES; i++)
            seconds[i] = fmin(seconds[i], read_time(win, buffer, (int)words[i]));
        if (tune_fit(MESSAGES, words, seconds, &t_s, &t_w)) {
            m->t_s = t_s;
            m->t_w = t_w;
            return true;
        }
    }
    return false;
}

/* Rank 0 of a pair reads one-sidedly from rank 1, which polls like a rank that has nothing to compute. */
static void measure_pair(MPI_Comm pair, struct machine *m)
{
    double *tiles, *buffer = malloc(WORDS_MAX * sizeof *buffer);
    int rank, failed = buffer == NULL;
    MPI_Win win;
    MPI_Request end;
    MPI_Comm_rank(pair, &rank);
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, pair);
    if (failed == 0 &&
        MPI_Win_allocate(WORDS_MAX * sizeof *tiles, sizeof *tiles, MPI_INFO_NULL, pair, &tiles, &win) == MPI_SUCCESS) {
        memset(tiles, 0, WORDS_MAX * sizeof *tiles);
        MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
        MPI_Barrier(pair);
        if (rank == 0)
            m->transfers_measured = read_times(win, buffer, m);
        MPI_Ibarrier(pair, &end);
        for (int done = 0; !done; sched_yield())
            MPI_Test(&end, &done, MPI_STATUS_IGNORE);
        MPI_Win_unlock_all(win);
        MPI_Win_free(&win);
    }
    free(buffer);
}

/* Measures between the first rank and a rank of another node, or any other rank where there is one node. */
static void measure_transfers(ompfact_grid *grid, struct machine *m)
{
    const struct rma_nodes *nodes = rma_nodes(grid->rma);
    int rank = ompfact_rank(grid), other = ompfact_ranks(grid) - 1;
    MPI_Comm pair;
    if (other == 0)
        return;
    while (other > 1 && nodes->node_of[other] == nodes->node_of[0])
        other--;
    MPI_Comm_split(rma_comm(grid->rma), rank == 0 || rank == other ? 0 : MPI_UNDEFINED, rank, &pair);
    if (pair != MPI_COMM_NULL) {
        MPI_Comm_set_errhandler(pair, MPI_ERRORS_RETURN);
        measure_pair(pair, m);
        m->over_network = nodes->node_of[other] != nodes->node_of[0];
        MPI_Comm_free(&pair);
    }
    ompfact_barrier(grid);
}

/* ---- ranks and threads ----------------------------------------------------------------------------------------------------- */

/* Measures on the first rank's node with `ranks` ranks, each with `threads` threads. */
static void measure_speed(MPI_Comm node, int ranks, int threads, int n, struct machine *m)
{
    int rank;
    MPI_Comm some;
    ompfact_grid *grid;
    ompfact_options options = { .threads = threads };
    MPI_Comm_rank(node, &rank);
    MPI_Comm_split(node, rank < ranks ? 0 : MPI_UNDEFINED, rank, &some);
    if (some == MPI_COMM_NULL)
        return;
    struct tile_question q = { .cholesky = true, .type = 'd', .m = n, .n = n, .ranks = ranks, .threads = threads };
    ompfact_machine_run speed = { .ranks = ranks, .threads = threads, .n = n, .nb = tile_size_choose(m, &q) };
    MPI_Bcast(&speed.nb, 1, MPI_INT, 0, some);      /* only the first rank has the rates */
    if (ompfact_grid_create(some, &options, &grid, NULL) == OMPFACT_SUCCESS) {
        speed.gflops = tune_potrf(grid, n, speed.nb);
        ompfact_grid_destroy(&grid);
    }
    if (speed.gflops > 0)
        machine_keep(m->speed, &m->speeds, MACHINE_SPEEDS, sizeof speed, &speed, offsetof(ompfact_machine_run, n));
    MPI_Comm_free(&some);
}

/* Ranks that do not measure sleep, so that the first one has the cores. */
static void wait_for_first(ompfact_grid *grid)
{
    MPI_Request end;
    MPI_Ibarrier(rma_comm(grid->rma), &end);
    rma_wait(grid->rma, &end);
}

static void measure_speeds(ompfact_grid *grid, int n, struct machine *m)
{
    int ranks_on_node, cores = default_threads(1);
    MPI_Comm node;
    MPI_Comm_split_type(rma_comm(grid->rma), MPI_COMM_TYPE_SHARED, ompfact_rank(grid), MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks_on_node);
    int with_first = ompfact_rank(grid) == 0;
    MPI_Allreduce(MPI_IN_PLACE, &with_first, 1, MPI_INT, MPI_MAX, node);
    MPI_Bcast(&cores, 1, MPI_INT, 0, node);
    const int most = ranks_on_node < cores ? ranks_on_node : cores;
    for (int ranks = 1; with_first && ranks <= most; ranks++) {
        if (cores % ranks == 0)
            measure_speed(node, ranks, cores / ranks, n, m);
        const struct shares shares = shares_of(grid);
        report_progress(grid, shares.kernels + (shares.speeds - shares.kernels) * ranks / most);
        MPI_Request end;
        MPI_Ibarrier(node, &end);       /* ranks that do not measure sleep, so that the others have the cores */
        rma_wait(grid->rma, &end);
    }
    MPI_Comm_free(&node);
    ompfact_barrier(grid);
}

/* ---- ompfact_tune() ----------------------------------------------------------------------------------------------------- */

static ompfact_status refuse_writing(ompfact_grid *grid, const char *path, int error)
{
    return fail(grid, OMPFACT_BAD_ARGUMENT, "cannot write %.128s: %s; set XDG_CACHE_HOME to another folder", path,
                strerror(error));
}

/* Reads the old file on the rank that writes the new one; fails if it cannot be written. */
static ompfact_status open_machine(ompfact_grid *grid, struct machine *m, char path[MACHINE_PATH])
{
    char unread[MACHINE_TEXT];
    if (!machine_path(path))
        return fail(grid, OMPFACT_BAD_ARGUMENT, "neither XDG_CACHE_HOME nor HOME is set, so there is no folder for the file");
    int error = machine_try(path);
    if (error != 0)
        return refuse_writing(grid, path, error);
    machine_read(path, m, unread);      /* figures that this run does not measure stay */
    return OMPFACT_SUCCESS;
}

/* All ranks measure; the first one gets the figures. */
static ompfact_status measure(ompfact_grid *grid, const ompfact_effort *effort, struct machine *m)
{
    bool failed = ompfact_rank(grid) == 0 && measure_kernels(grid, m, effort) != 0;
    TRY(agree(grid, failed ? fail(grid, OMPFACT_NO_MEMORY, "no memory for the tiles") : OMPFACT_SUCCESS));
    measure_transfers(grid, m);
    if (ompfact_rank(grid) == 0)
        tune_tasks(m);
    wait_for_first(grid);
    measure_speeds(grid, effort->order, m);
    if (ompfact_rank(grid) == 0 && ompfact_devices(grid) > 0)
        tune_devices(grid, effort, m);
    wait_for_first(grid);
    return OMPFACT_SUCCESS;
}

static ompfact_status measure_and_write(ompfact_grid *grid, const ompfact_effort *effort, struct machine *m)
{
    char path[MACHINE_PATH];
    bool first = ompfact_rank(grid) == 0;
    machine_here(m, ompfact_blas_kernels(grid));
    TRY(agree(grid, first ? open_machine(grid, m, path) : OMPFACT_SUCCESS));
    TRY(measure(grid, effort, m));
    int error = first ? machine_write(path, m) : 0;
    TRY(agree(grid, error != 0 ? refuse_writing(grid, path, error) : OMPFACT_SUCCESS));
    TRY_MPI(grid, rma_bcast(grid->rma, m, sizeof *m, MPI_BYTE, 0));
    return OMPFACT_SUCCESS;
}

static ompfact_effort complete(const ompfact_effort *given)
{
    ompfact_effort e = given != NULL ? *given : (ompfact_effort){ 0 };
    return (ompfact_effort){ .kernel_s = e.kernel_s > 0 ? e.kernel_s : 0.01,
                             .largest_nb = e.largest_nb > 0 ? e.largest_nb : TILE_SIZE_MAX,
                             .order = e.order > 0 ? e.order : 4096,
                             .largest_device_nb = e.largest_device_nb > 0 ? e.largest_device_nb : 2048,
                             .device_s = e.device_s > 0 ? e.device_s : 2 };
}

ompfact_status ompfact_tune(ompfact_grid *grid, const ompfact_effort *effort, ompfact_machine *machine)
{
    ompfact_effort completed = complete(effort);
    struct machine_known *known;
    if (effort != NULL && !OF_THIS_VERSION(effort))
        return fail(grid, OMPFACT_BAD_ARGUMENT,
                    "ompfact_effort.reserved is not zero: the structure was never zeroed, or has a later version");
    TRY(machine_of_grid(grid, &known));
    const double patience = rma_watchdog(grid->rma);
    rma_set_watchdog(grid->rma, 0);     /* one rank measures while the others wait, which is no hang */
    CLEANUP(free_at) struct machine *m = malloc(sizeof *m);
    ompfact_status status = agree(grid, m != NULL ? OMPFACT_SUCCESS : fail(grid, OMPFACT_NO_MEMORY, "out of memory"));
    if (status == OMPFACT_SUCCESS)
        status = measure_and_write(grid, &completed, m);
    if (status == OMPFACT_SUCCESS) {
        m->low_ranks = known->machine.low_ranks;        /* which only runs measure */
        memcpy(m->low_rank, known->machine.low_rank, sizeof m->low_rank);
        known->machine = *m;
        known->source = MACHINE_MEASURED;
        known->why[0] = '\0';
        *machine = machine_view(known);
    }
    rma_set_watchdog(grid->rma, patience);
    return status;
}
