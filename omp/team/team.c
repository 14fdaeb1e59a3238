/* The team of threads: its threads execute, poll, and stop together. run.h has the invariants. */
#include "omp/team/team.h"
#include "omp/device_copies/residence.h"
#include "omp/execute.h"
#include "omp/help.h"
#include "omp/kernels/workspace.h"
#include "omp/order_memory.h"
#include "omp/packing.h"
#include "omp/team/sink_execute.h"
#include "omp/walk.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/* The loop of every thread, until all ranks are done. */
static void work(struct run *run)
{
    struct rma_backoff backoff = { 0 };
    bool first = omp_get_thread_num() == 0;
    while (!atomic_load_explicit(&run->finished, memory_order_acquire)) {
        run_help(run, &backoff);
        if (first && run_in_flight(run) == 0 &&
            atomic_load_explicit(&run->fetching, memory_order_acquire) == 0 && rma_close(run->rma))
            atomic_store_explicit(&run->finished, true, memory_order_release);
    }
}

static void wait_for_team(struct run *run, int threads)
{
    struct rma_backoff backoff = { 0 };
    atomic_fetch_add_explicit(&run->begun, 1, memory_order_relaxed);
    while (atomic_load_explicit(&run->begun, memory_order_relaxed) < threads)
        rma_back_off(&backoff);
}

/*
 * Tasks of the run are tied, because LLVM queues an untied task twice. They are children of the first thread's implicit task.
 * A tied task may run on threads that wait in a task from which it descends, or in untied tasks (OpenMP 5.2, section 12.9). So
 * the first thread works in its implicit task, and each other thread works in an untied task, which it takes at the barrier.
 * No thread continues before all have theirs, so no thread gets a second one. The first thread gets none, because it would
 * never return from it.
 */
static void run_team(struct run *run)
{
#pragma omp parallel num_threads(run->threads)
    {
        int threads = omp_get_num_threads();
        if (omp_get_thread_num() == 0) {
            wait_for_team(run, threads);
            run_walk(run);
            work(run);
        } else {
#pragma omp task untied firstprivate(run, threads)
            {
                wait_for_team(run, threads);
                work(run);
            }
        }
#pragma omp barrier
        run_unpack(run);
        workspace_free();
    }
}

/* ---- a whole run ----------------------------------------------------------------------------------------------------------- */

int run_cache_tiles(const struct run_tally *tally, const struct run_settings *settings)
{
    /* Half a step more than the minimum: the next panel arrives while this one is in use, in little memory. */
    int tiles = settings->cache_tiles > 0 ? settings->cache_tiles : tally->step_tiles + (tally->step_tiles + 1) / 2;
    if (tiles > tally->step_tiles_next)
        tiles = tally->step_tiles_next;
    return tiles < tally->step_tiles ? tally->step_tiles : tiles;
}

/* Allocates what this rank needs before any rank may start. The cache is created after all ranks have succeeded. */
static int prepare(struct run *run, const struct run_tally *tally, int slots)
{
    struct trace *trace = run->plan->trace;
    run->worker = aligned_alloc(_Alignof(struct worker), (size_t)run->threads * sizeof *run->worker);
    for (int i = 0; run->worker != NULL && i < run->threads; i++)
        run->worker[i] = (struct worker){ .jitter_state = (unsigned)(rma_rank(run->rma) * run->threads + i + 1) };
    run->readers = malloc((size_t)rma_ranks(run->rma) * sizeof *run->readers);
    run->fetched = malloc(((size_t)slots + 1) * sizeof *run->fetched);
    unsigned random = run->settings->jitter > 0 ? (unsigned)(int64_t)(1e6 * run_clock()) | 1 : 0;
    bool made = ready_init(&run->ready, run->plan->in_order ? run->threads : 0, run->max_tasks + 1, random);
    made &= run_prepare_devices(run, random);
    made &= reserve_create(&run->reserve, rma_ranks(run->rma));
    run->order = run->settings->checks ? order_create() : NULL;
    if (!run_open_steps(run) || !made || (run->settings->checks && run->order == NULL) || tally->no_memory ||
        run->worker == NULL || run->readers == NULL || run->fetched == NULL ||
        (trace != NULL && !trace_create(trace, run->threads)))
        return MPI_ERR_NO_MEM;
    for (int i = 0; i < run->threads && trace != NULL; i++)
        run->worker[i].events = &trace->thread[i];
    return MPI_SUCCESS;
}

/* Adds the devices' counters with this sign: minus before the run, plus after it. */
static void count_calls(struct run *run, int sign)
{
    const struct devices *devices = run->plan->devices;
    if (devices == NULL)
        return;
    run->device_tally.waits += sign * devices->waits;
    run->device_tally.allocations += sign * devices->allocations;
}

/* Records the failure of a device. */
static int note_failure(const struct run *run, bool done, struct run_outcome *outcome)
{
    struct devices *devices = run->plan->devices;
    const char *why = devices == NULL ? NULL : devices->failure(devices);
    if (!done && why == NULL)
        why = "no memory, here or on a device, for the tiles that are to live on devices";
    snprintf(outcome->failure, sizeof outcome->failure, "%s", why != NULL ? why : "");
    return why != NULL ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int worst_of(struct rma *rma, int code)
{
    int agreed = rma_allreduce(rma, &code, 1, MPI_INT, MPI_MAX);
    return agreed != MPI_SUCCESS ? agreed : code;
}

static void clean_up(struct run *run)
{
    residence_destroy(run);
    order_destroy(&run->order);
    rma_cache_destroy(&run->cache);
    free(run->fetched);
    for (int i = 0; run->worker != NULL && i < run->threads; i++)
        free(run->worker[i].packed);
    free(run->worker);
    free(run->readers);
    reserve_destroy(&run->reserve);
    run_destroy_steps(run);
    ready_destroy(&run->ready);
    run_free_devices(run);
}

/* The ranks agree on the outcome: the smallest failing pivot, the largest error. */
static int conclude(struct run *run, int error, struct run_outcome *outcome)
{
    int64_t info = atomic_load(&run->info);
    outcome->broken = atomic_load(&run->broken);
    if (outcome->broken) {
        snprintf(outcome->failure, sizeof outcome->failure, "%s", run->fault);
        error = MPI_ERR_OTHER;
    }
    if (error == MPI_SUCCESS)
        error = rma_error(run->rma);
    if (error == MPI_SUCCESS && atomic_load(&run->no_memory))
        error = MPI_ERR_NO_MEM;
    int code = rma_allreduce(run->rma, &info, 1, MPI_INT64_T, MPI_MIN);
    if (code == MPI_SUCCESS)
        code = rma_allreduce(run->rma, &error, 1, MPI_INT, MPI_MAX);
    outcome->info = info == INFO_NONE ? 0 : info;
    outcome->moved = rma_counters(run->rma);
    outcome->cache_peak = rma_cache_peak(run->cache);
    outcome->tasks_peak = run->tasks_peak;
    outcome->devices = run->device_tally;
    for (int i = 0; i < run->threads; i++)
        outcome->flops += run->worker[i].flops;
    return code != MPI_SUCCESS ? code : error;
}

int run_execute(struct rma *rma, const struct run_plan *plan, const struct run_tally *tally, const struct run_settings *settings,
                struct run_outcome *outcome)
{
    int threads = settings->threads > 0 ? settings->threads : 1;
    int tasks = settings->max_tasks > 0 ? settings->max_tasks : RUN_TASKS;
    struct run run = { .plan = plan, .sink = &sink_execute, .rma = rma, .settings = settings,
                       .info = INFO_NONE, .device_lock = PTHREAD_MUTEX_INITIALIZER, .threads = threads, .max_tasks = tasks,
                       .routes = plan->routes && rma_has_routes(rma_nodes(rma)), .reports = { .total_flops = tally->flops } };
    int slots = run_cache_tiles(tally, settings);
    *outcome = (struct run_outcome){ .cache_tiles = slots };
    int code = worst_of(rma, prepare(&run, tally, slots));
    if (code == MPI_SUCCESS)
        code = worst_of(rma, rma_cache_create(rma, slots, plan->tile_bytes, run.routes, plan->sparse, &run.cache));
    if (code == MPI_SUCCESS)        /* prepares the devices before the clock starts */
        code = worst_of(rma, note_failure(&run, plan->devices == NULL || residence_create(&run, tally->tiles), outcome));
    if (code == MPI_SUCCESS)
        code = rma_open(rma, plan->spaces, plan->settled, plan->spaces_count, run.routes ? run.cache : NULL);
    if (code == MPI_SUCCESS) {
        count_calls(&run, -1);
        run.start = run_clock();
        if (plan->trace != NULL)
            plan->trace->start = run.start;
        run_team(&run);
        outcome->seconds = run_clock() - run.start;
        count_calls(&run, 1);
        code = conclude(&run, note_failure(&run, run.residence == NULL || residence_return(&run), outcome), outcome);
    }
    clean_up(&run);
    return code;
}
