/* Creates a grid: a communicator, threads and devices. */
#include "src/grid/grid.h"

#include "offload/offload.h"
#include "src/process/launcher.h"
#include "src/process/openmp_variables.h"

#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined MPICH_VERSION
static const char LAUNCHER[] = "MPICH's mpiexec (mpiexec.mpich)";
#elif defined OMPI_MAJOR_VERSION
static const char LAUNCHER[] = "Open MPI's mpiexec (mpiexec.openmpi)";
#else
static const char LAUNCHER[] = "that library's mpiexec";
#endif

/*
 * Under the launcher of another MPI each process is alone, and a job of N ranks would silently be N jobs of one rank. A program
 * that intends this uses MPI_COMM_SELF. MPI_COMM_WORLD is compared only if it exists: a program with sessions alone has none.
 */
static ompfact_status check_launcher(MPI_Comm comm, char *message)
{
    int initialised, size = 0;
    MPI_Initialized(&initialised);
    if (initialised)
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (comm == MPI_COMM_SELF || size != 1 || launcher_size() <= 1)
        return OMPFACT_SUCCESS;
    char text[MESSAGE];
    snprintf(text, sizeof text,
             "%d processes were started, but each is alone: this program was built with another MPI library than the launcher's; "
             "start it with %s", launcher_size(), LAUNCHER);
    return fail_with(message, OMPFACT_BAD_MPI, text);
}

/* Opens this rank's devices, if the options request any. Collective. */
static ompfact_status open_devices(struct rma *rma, const ompfact_options *o, struct devices **devices, char *message)
{
    int64_t before = 1;
    if (rma_node_before(rma, &before) != MPI_SUCCESS)
        return fail_with(message, OMPFACT_MPI_FAILED, "the ranks of a node could not be counted");
    if (o->device_memory < 0 || !(o->host_share <= 1))
        return fail_with(message, OMPFACT_BAD_ARGUMENT,
                         "memory of devices cannot be negative, and the host's share is at most 1");
    struct offload_request request = { .devices = o->devices, .backend = o->device_backend, .rank_on_node = (int)before,
                                       .ranks_on_node = rma_ranks_on_node(rma), .emulation = (enum emulation)o->emulate };
    int opened = offload_open(&request, devices, message, MESSAGE);
    if (opened != 0)
        return opened == OFFLOAD_NO_MEMORY ? OMPFACT_NO_MEMORY : OMPFACT_BAD_ARGUMENT;
    if (*devices != NULL && (*devices)->count > OMPFACT_DEVICES) {
        snprintf(message, MESSAGE, "a rank has at most %d devices", OMPFACT_DEVICES);
        return OMPFACT_BAD_ARGUMENT;
    }
    return OMPFACT_SUCCESS;
}

static const ompfact_testing *testing_of(const ompfact_options *o)
{
    static const ompfact_testing nothing = { 0 };
    return OF_THIS_VERSION(o) && o->testing != NULL ? o->testing : &nothing;
}

/* Agrees on errors in the options, which may differ between ranks. The error of the lowest rank is returned on all. */
static ompfact_status agree_on_options(struct rma *rma, const ompfact_options *o, int threads, struct devices **devices,
                                       char *message)
{
    char text[MESSAGE] = "", why[MESSAGE] = "";
    int delay = testing_of(o)->jitter_us;
    ompfact_status status = OMPFACT_SUCCESS, opened = open_devices(rma, o, devices, why);
    if (o->threads < 0 || o->max_tasks < 0 || o->cache_tiles < 0 || delay < 0 || delay >= 1000000)
        status = fail_with(text, OMPFACT_BAD_ARGUMENT,
                           "threads, tasks, cache tiles and delays cannot be negative, delays not a second or more");
    else if (opened != OMPFACT_SUCCESS)
        status = fail_with(text, opened, why);
    else
        status = openmp_check_stacks(threads, text);
    int verdict = status;
    if (agree_on(rma, &verdict, text, MESSAGE) != MPI_SUCCESS)
        return fail_with(message, OMPFACT_MPI_FAILED, "ranks could not agree whether their options are valid");
    return verdict == OMPFACT_SUCCESS ? OMPFACT_SUCCESS : fail_with(message, (ompfact_status)verdict, text);
}

/* Checks stacks before MPI creates windows, which takes much of one. */
static ompfact_status check_openmp(MPI_Comm comm, char *message)
{
    char text[MESSAGE] = "the OpenMP runtime of another rank cannot run tasks, or its stack is too small";
    int worst = openmp_check(text);
    MPI_Request request;
    if (MPI_Iallreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, comm, &request) != MPI_SUCCESS ||
        rma_wait(NULL, &request) != MPI_SUCCESS)
        return fail_with(message, OMPFACT_MPI_FAILED, "ranks could not agree whether their threads are valid");
    return worst == OMPFACT_SUCCESS ? OMPFACT_SUCCESS : fail_with(message, (ompfact_status)worst, text);
}

/* Checks options that must be the same on every rank before anything depends on them. */
static ompfact_status check_habits(MPI_Comm comm, const ompfact_options *o, char *message)
{
    const ompfact_flip *flip = &testing_of(o)->flip;
    const struct { const char *name; int value, least, most; } habits[] = {
        { "reserved", !OF_THIS_VERSION(o), 0, 0 },
        { "schedule", (int)o->schedule, OMPFACT_DYNAMIC, OMPFACT_BASIC },
        { "bcast", (int)o->bcast, OMPFACT_BCAST_AUTO, OMPFACT_BCAST_BINOMIAL },
        { "between_nodes", (int)o->between_nodes, OMPFACT_ONE_SIDED, OMPFACT_MESSAGES },
        { "pivot", (int)o->pivot, OMPFACT_PIVOT_AUTO, OMPFACT_PIVOT_NONE },
        { "tree", (int)o->tree, OMPFACT_TREE_AUTO, OMPFACT_TREE_GREEDY },
        { "ib", o->ib, 0, INT_MAX }, { "copy_on_node", o->copy_on_node, false, true }, { "trace", o->trace, false, true },
        { "refinement", (int)o->refinement, OMPFACT_REFINE_CLASSIC, OMPFACT_REFINE_GMRES }, { "abft", o->abft, false, true },
        { "butterfly", (int)o->butterfly, OMPFACT_BUTTERFLY_AUTO, OMPFACT_BUTTERFLY_TWO },
        { "testing", flip->on, false, true }, { "testing", flip->step, 0, INT_MAX }, { "testing", flip->i, 0, INT_MAX },
        { "testing", flip->j, 0, INT_MAX }, { "testing", flip->bit, 0, INT_MAX },
        { "emulate", (int)o->emulate, OMPFACT_EMULATE_NONE, OMPFACT_EMULATE_BF16 } };
    enum { COUNT = sizeof habits / sizeof habits[0] };
    int ends[2 * COUNT];
    for (int i = 0; i < COUNT; i++) {
        ends[i] = habits[i].value;
        ends[COUNT + i] = -habits[i].value;
    }
    MPI_Request request;
    if (MPI_Iallreduce(MPI_IN_PLACE, ends, 2 * COUNT, MPI_INT, MPI_MAX, comm, &request) != MPI_SUCCESS ||
        rma_wait(NULL, &request) != MPI_SUCCESS)
        return fail_with(message, OMPFACT_MPI_FAILED, "ranks could not compare their options");
    for (int i = 0; i < COUNT; i++) {
        char text[MESSAGE];
        if (ends[i] == -ends[COUNT + i] && ends[i] >= habits[i].least && ends[i] <= habits[i].most)
            continue;
        snprintf(text, sizeof text, i == 0 ?
                 "ompfact_options.%s is not zero: the structure was never zeroed, or has a later version" :
                 "ompfact_options.%s must be from %d to %d, and the same on every rank", habits[i].name, habits[i].least,
                 habits[i].most);
        return fail_with(message, OMPFACT_BAD_ARGUMENT, text);
    }
    return OMPFACT_SUCCESS;
}

enum rma_bcast bcast_of(ompfact_bcast bcast)
{
    return bcast == OMPFACT_BCAST_FLAT       ? RMA_FLAT
           : bcast == OMPFACT_BCAST_CHAIN    ? RMA_CHAIN
           : bcast == OMPFACT_BCAST_BINOMIAL ? RMA_BINOMIAL
                                             : RMA_AUTO;
}

/* Whether to check the order of tasks: the environment variable has priority over configure. */
static bool checks_wanted(void)
{
    const char *value = getenv("OMPFACT_CHECKS");
    return value != NULL && value[0] != '\0' ? strcmp(value, "0") != 0 : ENABLE_CHECKS;
}

/* Fills in the members on which ranks need not agree, or have agreed. */
static void furnish(ompfact_grid *g, const ompfact_options *o, int threads)
{
    const ompfact_testing *testing = testing_of(o);
    g->device_memory = o->device_memory;
    g->rounds_single = g->any_devices && (o->emulate == OMPFACT_EMULATE_TF32 || o->emulate == OMPFACT_EMULATE_BF16);
    g->device_use = (ompfact_device_use){ .threads = threads, .backend = "" };     /* until devices are found */
    g->settings = (struct run_settings){ .threads = threads, .max_tasks = o->max_tasks, .cache_tiles = o->cache_tiles,
                                         .jitter = testing->jitter_us, .progress = o->progress,
                                         .progress_context = o->progress_context, .checks = rma_has_sums(g->rma) };
    g->schedule = o->schedule;
    g->pivot = o->pivot;
    g->tree = o->tree;
    g->ib = o->ib;
    g->refinement = o->refinement;
    g->abft = o->abft;
    g->butterfly = o->butterfly;
    g->flip = testing->flip;
    g->typical_rates = o->typical_rates;
    g->keeps_trace = o->trace;
    g->blas_kernels = blas_select_kernels();
    pin_threads(g->rma, threads, o->pin_threads);
    rma_set_jitter(g->rma, testing->jitter_us);
    rma_set_watchdog(g->rma, o->watchdog_s == 0 ? 60 : o->watchdog_s < 0 ? 0 : o->watchdog_s);
}

static ompfact_status check_mpi(MPI_Comm comm, char *message)
{
    int begun = 0, over = 0;
    MPI_Initialized(&begun);
    MPI_Finalized(&over);
    if (!begun || over)
        return fail_with(message, OMPFACT_BAD_MPI,
                         begun ? "MPI is finalized already" : "MPI is not initialized: call MPI_Init first");
    return comm != MPI_COMM_NULL ? OMPFACT_SUCCESS
                                 : fail_with(message, OMPFACT_BAD_MPI, "the communicator is MPI_COMM_NULL");
}

ompfact_status grid_open(MPI_Comm comm, const ompfact_options *o, ompfact_grid **grid, char *message)
{
    struct rma *rma;
    char text[MESSAGE];
    *grid = NULL;
    openmp_forget_useless();
    TRY(check_mpi(comm, message));
    TRY(check_launcher(comm, message));
    TRY(check_openmp(comm, message));
    TRY(check_habits(comm, o, message));
    enum rma_between between = o->between_nodes == OMPFACT_MESSAGES ? RMA_MESSAGES : RMA_ONE_SIDED;
    int made = rma_create(comm, !o->copy_on_node, bcast_of(o->bcast), between, &rma, text, sizeof text);
    if (made != MPI_SUCCESS)
        return fail_with(message, made == MPI_ERR_NO_MEM ? OMPFACT_NO_MEMORY : OMPFACT_BAD_MPI, text);
    int cores = default_threads(rma_ranks_on_node(rma)), threads = o->threads > 0 ? o->threads : cores;
    struct devices *devices = NULL;
    ompfact_status status = agree_on_options(rma, o, threads, &devices, message);
    ompfact_grid *g = status == OMPFACT_SUCCESS ? calloc(1, sizeof *g) : NULL;
    int worst[2] = { g == NULL, devices != NULL };
    if (rma_allreduce(rma, worst, 2, MPI_INT, MPI_MAX) != MPI_SUCCESS || rma_set_sums(rma, checks_wanted()) != MPI_SUCCESS)
        status = fail_with(message, OMPFACT_MPI_FAILED, "ranks could not agree whether all have a grid");
    else if (status == OMPFACT_SUCCESS && worst[0])
        status = fail_with(message, OMPFACT_NO_MEMORY, "no memory for a grid");
    if (status != OMPFACT_SUCCESS) {
        free(g);
        offload_close(&devices);
        rma_destroy(&rma);
        return status;
    }
    g->rma = rma;
    g->holders = 1;
    g->devices = devices;
    g->any_devices = worst[1];
    g->cores = cores;
    furnish(g, o, threads);
    *grid = g;
    return OMPFACT_SUCCESS;
}

void grid_hold(ompfact_grid *grid)
{
    grid->holders++;
}

void grid_release(ompfact_grid *grid)
{
    if (--grid->holders > 0)
        return;
    trace_destroy(&grid->trace);
    rma_exchange_destroy(&grid->exchange);
    offload_close(&grid->devices);
    rma_destroy(&grid->rma);
    free(grid->known);
    if (grid->forget_checkpoints != NULL)
        grid->forget_checkpoints(grid);
    free(grid);
}

void ompfact_grid_destroy(ompfact_grid **grid)
{
    if (*grid != NULL)
        grid_release(*grid);
    *grid = NULL;
}

int ompfact_rank(const ompfact_grid *grid)
{
    return rma_rank(grid->rma);
}

int ompfact_ranks(const ompfact_grid *grid)
{
    return rma_ranks(grid->rma);
}

int ompfact_threads(const ompfact_grid *grid)
{
    return grid->settings.threads;
}

const char *ompfact_between_nodes(const ompfact_grid *grid)
{
    if (rma_nodes(grid->rma)->count == 1)
        return "";
    return rma_between(grid->rma) == RMA_MESSAGES ? "messages" : "one-sided";
}

int ompfact_reads_proceed(const ompfact_grid *grid)
{
    return rma_reads_proceed(grid->rma);
}

int ompfact_devices(const ompfact_grid *grid)
{
    return grid->devices == NULL ? 0 : grid->devices->count;
}

const char *ompfact_device_backend(const ompfact_grid *grid)
{
    return grid->devices == NULL ? "" : grid->devices->backend;
}

double ompfact_host_share(const ompfact_grid *grid)
{
    return grid->devices == NULL ? 1 : grid->device_use.host_share;
}

int ompfact_ranks_on_node(const ompfact_grid *grid)
{
    return rma_ranks_on_node(grid->rma);
}

int ompfact_nodes(const ompfact_grid *grid)
{
    return rma_nodes(grid->rma)->count;
}

const int *ompfact_node_of(const ompfact_grid *grid)
{
    return rma_nodes(grid->rma)->node_of;
}

bool ompfact_reads_in_place(const ompfact_grid *grid)
{
    return rma_in_place(grid->rma);
}

ompfact_status ompfact_share_progress(ompfact_grid *grid)
{
    bool shared = rma_set_shares(grid->rma, true) == MPI_SUCCESS;
    ompfact_status status = agree(grid, shared ? OMPFACT_SUCCESS
                                               : fail(grid, OMPFACT_NO_MEMORY, "no memory for progress reports"));
    if (status != OMPFACT_SUCCESS)      /* the first rank would wait for ranks that do not share memory */
        rma_set_shares(grid->rma, false);
    return status;
}

double ompfact_progress_of(const ompfact_grid *grid, int rank)
{
    return rma_reported_share(grid->rma, rank);
}

const char *ompfact_blas_kernels(const ompfact_grid *grid)
{
    return grid != NULL ? grid->blas_kernels : blas_select_kernels();
}

ompfact_status ompfact_barrier(ompfact_grid *grid)
{
    TRY_MPI(grid, rma_barrier(grid->rma));
    return OMPFACT_SUCCESS;
}
