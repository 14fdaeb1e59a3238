/* The team of threads: execute, poll, and stop together. The picture and the invariants are in run.h. */
#include "omp/internal.h"

#include <omp.h>
#include <stdlib.h>
#include <time.h>

/* ---- in a task -------------------------------------------------------------------------------------------------------------------- */

static struct worker *worker_of(struct run *run)
{
    return &run->worker[omp_get_thread_num()];
}

/* Every hundredth of the work, and twice a second. */
static void report(struct run *run)
{
    const struct run_settings *s = run->settings;
    if (s->progress == NULL)
        return;
    double done = 0, now = omp_get_wtime();
    for (int i = 0; i < run->threads; i++)
        done += atomic_load_explicit(&run->worker[i].flops, memory_order_relaxed);
    done = run->total_flops > 0 ? done / run->total_flops : 1;
    if (done < run->next_share && now < run->next_report)
        return;
    s->progress(s->progress_context, done);
    run->next_share = done + 0.01;
    run->next_report = now + 0.5;
}

/* Lets MPI work and wakes the tasks whose tiles have arrived. A task may run inside rma_deliver (LLVM, a team of one thread), poll
   at its end and come here again: it then leaves the waking to the outer call, so that the stack stays flat. */
static bool poll(struct run *run, bool worked)
{
    struct worker *me = worker_of(run);
    bool moved = rma_progress(run->rma, worked);
    if (!me->delivering) {
        me->delivering = true;
        moved |= rma_deliver(run->rma);
        me->delivering = false;
    }
    if (me == run->worker)
        report(run);
    return moved;
}

static void random_delay(struct worker *me, int microseconds)
{
    if (microseconds > 0 && rand_r(&me->jitter_state) % 4 == 0) {
        struct timespec t = { .tv_nsec = 1000L * (rand_r(&me->jitter_state) % microseconds) };
        nanosleep(&t, NULL);
    }
}

bool task_begin(const struct task *task)
{
    struct run *run = task->run;
    random_delay(worker_of(run), run->settings->jitter);
    return run->plan->go_on || atomic_load_explicit(&run->info, memory_order_relaxed) == INFO_NONE;
}

void task_end(const struct task *task)
{
    struct run *run = task->run;
    if (task->publication != NULL)
        rma_publish(run->rma, task->publication);
    for (int i = 0; i < task->count; i++)
        if (task->tile[i].slot != NULL)
            rma_slot_release(run->cache, task->tile[i].slot);
    struct worker *me = worker_of(run);
    me->ended++;
    double flops = atomic_load_explicit(&me->flops, memory_order_relaxed);
    atomic_store_explicit(&me->flops, flops + task->flops, memory_order_relaxed);
    atomic_fetch_sub_explicit(&run->in_flight, 1, memory_order_release);
    poll(run, true);
}

void task_fail(const struct task *task, int64_t pivot)
{
    _Atomic int64_t *info = &task->run->info;
    int64_t smallest = atomic_load(info);
    while (pivot < smallest && !atomic_compare_exchange_weak(info, &smallest, pivot))
        ;
}

void task_no_memory(const struct task *task)
{
    atomic_store(&task->run->no_memory, true);
}

/* ---- between tasks ---------------------------------------------------------------------------------------------------------------- */

void run_help(struct run *run, struct rma_backoff *backoff)
{
    struct worker *me = worker_of(run);
    int64_t ended = me->ended;
    bool moved = poll(run, false);
#pragma omp taskyield
    if (moved || me->ended != ended)
        backoff->idle = 0;
    else
        rma_back_off(backoff);
}

/* Every thread, until every rank is done. */
static void work(struct run *run)
{
    struct rma_backoff backoff = { 0 };
    bool first = omp_get_thread_num() == 0;
    while (!atomic_load_explicit(&run->finished, memory_order_acquire)) {
        run_help(run, &backoff);
        if (first && atomic_load_explicit(&run->in_flight, memory_order_acquire) == 0 && rma_close(run->rma))
            atomic_store_explicit(&run->finished, true, memory_order_release);
    }
}

static void run_team(struct run *run)
{
#pragma omp parallel num_threads(run->threads)
    {
        if (omp_get_thread_num() == 0) {
            run->plan->loops(run, run->plan->context);
            run_close_submitted_step(run);
        }
        work(run);
    }
}

/* ---- a whole run ------------------------------------------------------------------------------------------------------------------ */

void run_count(const struct run_plan *plan, struct run_tally *tally)
{
    *tally = (struct run_tally){ 0 };
    struct run run = { .plan = plan, .sink = run_count_task, .tally = tally, .seen = rma_table_create(0) };
    if (run.seen == NULL) {
        tally->no_memory = true;
        return;
    }
    plan->loops(&run, plan->context);
    run_close_counted_step(&run);
    rma_table_destroy(&run.seen);
}

int run_cache_tiles(const struct run_tally *tally, const struct run_settings *settings)
{
    /* Half a step more than it must have: the next panel arrives while this one is in use, in little memory. */
    int tiles = settings->cache_tiles > 0 ? settings->cache_tiles : tally->step_tiles + (tally->step_tiles + 1) / 2;
    if (tiles > tally->step_tiles_next)
        tiles = tally->step_tiles_next;
    return tiles < tally->step_tiles ? tally->step_tiles : tiles;
}

/* What this rank needs before anybody may start. */
static int prepare(struct run *run, const struct run_tally *tally)
{
    run->worker = aligned_alloc(_Alignof(struct worker), (size_t)run->threads * sizeof *run->worker);
    run->readers = malloc((size_t)rma_ranks(run->rma) * sizeof *run->readers);
    run->seen = rma_table_create(0);
    if (tally->no_memory || run->worker == NULL || run->readers == NULL || run->seen == NULL)
        return MPI_ERR_NO_MEM;
    for (int i = 0; i < run->threads; i++)
        run->worker[i] = (struct worker){ .jitter_state = (unsigned)(rma_rank(run->rma) * run->threads + i + 1) };
    return rma_cache_create(run_cache_tiles(tally, run->settings), run->plan->tile_bytes, &run->cache);
}

static void clean_up(struct run *run)
{
    rma_cache_destroy(&run->cache);
    free(run->worker);
    free(run->readers);
    free(run->shared);
    rma_table_destroy(&run->seen);
}

/* The ranks agree on what happened: the smallest failing pivot, the largest error. */
static int conclude(struct run *run, struct run_outcome *outcome)
{
    int64_t info = atomic_load(&run->info);
    int error = rma_error(run->rma);
    if (error == MPI_SUCCESS && atomic_load(&run->no_memory))
        error = MPI_ERR_NO_MEM;
    int code = rma_allreduce(run->rma, &info, 1, MPI_INT64_T, MPI_MIN);
    if (code == MPI_SUCCESS)
        code = rma_allreduce(run->rma, &error, 1, MPI_INT, MPI_MAX);
    outcome->info = info == INFO_NONE ? 0 : info;
    outcome->moved = rma_counters(run->rma);
    outcome->cache_peak = rma_cache_peak(run->cache);
    outcome->tasks_peak = run->tasks_peak;
    return code != MPI_SUCCESS ? code : error;
}

int run_execute(struct rma *rma, const struct run_plan *plan, const struct run_tally *tally, const struct run_settings *settings,
                struct run_outcome *outcome)
{
    struct run run = { .plan = plan, .sink = run_submit_task, .rma = rma, .settings = settings, .info = INFO_NONE,
                       .threads = settings->threads > 0 ? settings->threads : 1,
                       .max_tasks = settings->max_tasks > 0 ? settings->max_tasks : RUN_TASKS, .total_flops = tally->flops };
    *outcome = (struct run_outcome){ 0 };
    int code = prepare(&run, tally);
    int agreed = rma_allreduce(rma, &code, 1, MPI_INT, MPI_MAX);
    if (agreed == MPI_SUCCESS)
        agreed = code != MPI_SUCCESS ? code : rma_open(rma, plan->spaces, plan->settled, plan->spaces_count);
    if (agreed == MPI_SUCCESS) {
        double start = MPI_Wtime();
        run_team(&run);
        outcome->seconds = MPI_Wtime() - start;
        agreed = conclude(&run, outcome);
        outcome->cache_tiles = run_cache_tiles(tally, settings);
    }
    clean_up(&run);
    return agreed;
}

void run_each(int threads, int64_t count, void (*body)(void *context, int64_t index), void *context)
{
#pragma omp parallel for schedule(dynamic) num_threads(threads > 0 ? threads : 1)
    for (int64_t i = 0; i < count; i++)
        body(context, i);
}
