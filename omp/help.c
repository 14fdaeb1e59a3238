/* The work of a thread between tasks: it lets messages move, moves the runtime's ready tasks to the heap of ready tasks, and
   takes one. */
#include "omp/help.h"
#include "omp/execute.h"

#include <omp.h>

struct worker *run_worker(struct run *run)
{
    return &run->worker[omp_get_thread_num()];
}

int run_in_flight(struct run *run)
{
    run->left = 0;
    for (int i = 0; i < run->threads; i++)
        run->left += atomic_load_explicit(&run->worker[i].left, memory_order_acquire);
    return (int)(run->entered - run->left);
}

/* Reports after every hundredth of this rank's work, and twice a second; far more often where ranks report their progress to
   each other. */
static void report_progress(struct run *run)
{
    const struct run_settings *s = run->settings;
    struct reports *r = &run->reports;
    if (s->progress == NULL && !rma_has_shares(run->rma))
        return;
    double done = 0, now = omp_get_wtime();
    for (int i = 0; i < run->threads; i++)
        done += atomic_load_explicit(&run->worker[i].counted, memory_order_relaxed);
    done = r->total_flops > 0 ? done / r->total_flops : 1;
    if (done < r->next_share && now < r->next_time)
        return;
    rma_report_share(run->rma, done);
    if (s->progress != NULL)
        s->progress(s->progress_context, done);
    r->next_share = done + 0.01;
    r->next_time = now + (rma_has_shares(run->rma) ? 0.005 : 0.5);
}

/* Adds a sample of the rank's state to the trace. */
static void take_sample(struct run *run)
{
    struct trace *trace = run->plan->trace;
    double now = run_clock();
    if (!trace_sample_is_due(trace, now, trace->start))
        return;
    trace_add_sample(trace, (struct trace_sample){ .time = now,
                                             .submitted = run_in_flight(run),
                                             .ready = ready_count(&run->ready), .tiles = rma_cache_in_use(run->cache),
                                             .resident = trace_resident() });
}

/* A single rank serves no other one, so it lets MPI work only now and then. */
static bool is_due(const struct run *run, struct worker *me, bool worked)
{
    enum { TASKS = 16 };
    return rma_ranks(run->rma) > 1 || !worked || me->polls++ % TASKS == 0;
}

/* Lets MPI work and wakes the tasks whose tiles have arrived. */
static bool poll(struct run *run, struct worker *me, bool worked)
{
    bool moved = is_due(run, me, worked) && rma_progress(run->rma, worked);
    moved |= rma_deliver(run->rma);
    if (run->plan->saver != NULL)
        run->plan->saver->poll(run->plan->saver->context, run);
    bool first = me == run->worker;
    if (first)
        report_progress(run);
    if (first && run->plan->trace != NULL)
        take_sample(run);
    return moved;
}

/*
 * Runs all ready tasks of the runtime: most of them only report that a task is ready (is_ready in submit.c). Each one counts
 * itself.
 *
 * The tasks that this thread finds are at hand. Most of them are successors of the task that it has just done. The thread then
 * takes the most urgent task of all. If that task is at hand, it never enters the common heap, and its tiles are still in this
 * thread's cache. The thread waits for nothing before the rest of its tasks is in the common heap (run_next_task). So no task
 * waits for a thread that waits. Only a piece of a panel (kernels/sharing.h) that the thread runs in between may delay them.
 */
static void gather(struct worker *me)
{
    int64_t before;
    me->gathers = true;
    do {
        before = me->gathered;
#pragma omp taskyield
    } while (me->gathered != before);
    me->gathers = false;
}

bool run_is_sound(const struct run *run)
{
    struct devices *devices = run->plan->devices;
    return !atomic_load(&((struct run *)run)->no_memory) && !atomic_load(&((struct run *)run)->broken) &&
           rma_error(run->rma) == MPI_SUCCESS && (devices == NULL || devices->failure(devices) == NULL);
}

static void set_idle(struct run *run, struct worker *me, bool idle)
{
    if (me->idle != idle)
        atomic_fetch_add_explicit(&run->idle, idle ? 1 : -1, memory_order_relaxed);
    me->idle = idle;
}

void run_help(struct run *run, struct rma_backoff *backoff)
{
    struct worker *me = run_worker(run);
    bool moved = poll(run, me, backoff->idle == 0);
    while (run_begun_task(run, me))
        moved = true;
    gather(me);
    struct task *task = run_next_task(run, me);
    set_idle(run, me, task == NULL);
    if (task != NULL)
        run_task(run, me, task);
    else
        reserve_return(&run->reserve, &me->freed);
    if (moved || task != NULL) {
        backoff->idle = 0;
        return;
    }
    if (me->events != NULL && me->idle_since == 0)
        me->idle_since = run_clock();
    rma_back_off(backoff);
}
