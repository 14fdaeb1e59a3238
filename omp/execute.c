/* The execution of one task, from ready to done. */
#include "omp/execute.h"
#include "omp/order.h"

#include <omp.h>
#include <time.h>

static void random_delay(struct worker *me, int microseconds)
{
    if (microseconds > 0 && rand_r(&me->jitter_state) % 4 == 0) {
        struct timespec t = { .tv_nsec = 1000L * (rand_r(&me->jitter_state) % microseconds) };
        nanosleep(&t, NULL);
    }
}

int64_t run_flow(const struct run *run, int64_t tile, int reader)
{
    return tile * rma_ranks(run->rma) + reader;
}

/* In a trace, a transfer ends at the first task that uses the tile. */
static void trace_receives(struct run *run, struct events *events, const struct task *task)
{
    for (int t = 0; t < task->count; t++) {
        struct rma_slot *slot = task->tile[t].slot;
        if (slot != NULL && rma_is_transfer(&slot->from) &&
            !atomic_flag_test_and_set_explicit(&fetched_in(slot)->used, memory_order_relaxed))
            trace_add(events, (struct event){ .kind = EVENT_RECEIVE, .flow = run_flow(run, slot->from.id, rma_rank(run->rma)),
                                              .start = task->start, .end = task->start });
    }
}

static void trace_begin(struct run *run, struct worker *me, struct task *task)
{
    task->start = run_clock();
    if (me->idle_since > 0)
        trace_add(me->events, (struct event){ .kind = EVENT_WAIT, .i = task->i, .j = task->j, .step = task->step,
                                              .start = me->idle_since, .end = task->start });
    me->idle_since = 0;
    trace_receives(run, me->events, task);
}

/* A lane executes its tasks one after another, so a task starts no earlier than the end of the former one. */
static double start_in_lane(struct run *run, const struct task *task, double end)
{
    double *last = &run->device_work.lane_end[task->device - 1][task->lane], start = task->start;
    pthread_mutex_lock(&run->device_lock);
    start = *last > start ? *last : start;
    *last = end > *last ? end : *last;
    pthread_mutex_unlock(&run->device_lock);
    return start < end ? start : end;
}

static void trace_end(struct run *run, struct worker *me, const struct task *task)
{
    double end = run_clock();
    struct event e = { .kind = EVENT_TASK, .task = task->kind, .i = task->i, .j = task->j, .step = task->step,
                       .device = task->device, .start = task->start, .end = end, .flops = task->flops };
    if (task->device != HOST) {
        e.kind = is_move(task) ? EVENT_MOVE : EVENT_TASK;
        e.lane = task->lane;
        e.start = start_in_lane(run, task, end);
    }
    trace_add(me->events, e);
    struct rma_publication *p = task->publication;
    if (p == NULL || !rma_is_transfer(&p->tile))
        return;
    p->request_time = end;
    for (int i = 0; i < p->count; i++)
        trace_add(me->events, (struct event){ .kind = EVENT_SEND, .flow = run_flow(run, p->tile.id, p->reader[i]),
                                              .start = end, .end = end });
}

/* Sets the address of the tiles that are read in place from another rank of the node. The slot has this address since the tile
   arrived. Until then `data` was computed from the slot's name, so the offset of the task's columns is known. */
static void find_in_parent(struct task *task)
{
    for (int t = 0; t < task->count; t++) {
        const struct rma_slot *slot = task->tile[t].slot;
        if (slot != NULL && slot->route.in_parent)
            task->tile[t].data = (char *)slot->parent_data + (task->tile[t].data - (char *)slot->data);
    }
}

static void compute(struct run *run, struct worker *me, struct task *task)
{
    find_in_parent(task);
    order_begin(task);
    random_delay(me, run->settings->jitter);
    if (me->events != NULL)
        trace_begin(run, me, task);
    if (run->plan->continues || atomic_load_explicit(&run->info, memory_order_relaxed) == INFO_NONE)
        task->compute(task);
}

static void add_up_kernel(struct device_tally *tally, const struct task *task)
{
    tally->flops[task->device - 1] += task->flops;
    tally->narrow_flops += task->is_narrow ? task->flops : 0;
}

/* Counts the work of devices, and updates on the host. */
static void add_up_devices(struct run *run, const struct task *task)
{
    struct device_tally *tally = &run->device_tally;
    const struct task_facts *facts = task_facts(task->kind);
    int64_t bytes = facts->is_move ? (int64_t)task->with.bytes : 0;
    pthread_mutex_lock(&run->device_lock);
    if (task->kind == TASK_ACROSS)
        tally->bytes_across += bytes;
    else if (facts->is_move)
        *(facts->lane == LANE_UP ? &tally->bytes_up : &tally->bytes_down) += bytes;
    else if (task->device != HOST)
        add_up_kernel(tally, task);
    else if (facts->is_update)
        tally->host_update_flops += task->flops;
    pthread_mutex_unlock(&run->device_lock);
}

/* Completes the task: publishes the output to other ranks first, then releases the dependent tasks of this rank. */
static void finish(struct run *run, struct worker *me, struct task *task)
{
    order_end(task);
    if (me->events != NULL)
        trace_end(run, me, task);
    if (run->residence != NULL)
        add_up_devices(run, task);
    if (task->publication != NULL) {
        task->publication->size = size_to_publish(&task->tile[task->count - 1]);
        rma_publish(run->rma, task->publication);
    }
    for (int i = 0; i < task->count; i++)
        if (task->tile[i].slot != NULL)
            rma_slot_release(run->cache, task->tile[i].slot);
    double counted = atomic_load_explicit(&me->counted, memory_order_relaxed);
    atomic_store_explicit(&me->counted, counted + task->counted, memory_order_relaxed);
    me->flops += task->flops;
    omp_fulfill_event((omp_event_handle_t)(uintptr_t)task->event);
    if (run->plan->in_order)
        ready_done(&run->ready, task->number);
    reserve_free_task(&run->reserve, &me->freed, task);
    count_left(me);
}

/* ---- by devices ------------------------------------------------------------------------------------------------------------ */

bool run_prepare_devices(struct run *run, unsigned random)
{
    struct device_work *w = &run->device_work;
    bool made = true;
    for (int d = 0; d < RUN_DEVICES; d++)
        for (int lane = 0; lane < LANES; lane++) {
            made &= ready_init(&w->ready[d][lane], 0, 0, random);
            w->begun_end[d][lane] = &w->begun[d][lane];
        }
    return made;
}

void run_free_devices(struct run *run)
{
    for (int d = 0; d < RUN_DEVICES; d++)
        for (int lane = 0; lane < LANES; lane++)
            ready_destroy(&run->device_work.ready[d][lane]);
}

static void count_begun(struct run *run, const struct task *task, int more)
{
    struct device_work *w = &run->device_work;
    atomic_fetch_add_explicit(&w->begun_count, more, memory_order_relaxed);
    atomic_fetch_add_explicit(&w->begun_in[task->device - 1][task->lane], more, memory_order_relaxed);
}

/* Of the two lanes for updates, the one with fewer tasks. */
static enum lane emptier(const struct device_work *w, int d, enum lane lane)
{
    int here = atomic_load_explicit(&w->begun_in[d][lane], memory_order_relaxed);
    bool other_has_fewer = atomic_load_explicit(&w->begun_in[d][LANE_UPDATE_TOO], memory_order_relaxed) < here;
    return lane == LANE_UPDATE && other_has_fewer ? LANE_UPDATE_TOO : lane;
}

/* A lane executes its tasks in the order in which they were begun. Only the next few tasks are begun, so that urgent ones can
   come first. The limit is approximate: several threads may each begin one more task. */
struct task *run_next_task(struct run *run, struct worker *me)
{
    const struct devices *devices = run->plan->devices;
    struct device_work *w = &run->device_work;
    int count = devices != NULL && devices->asynchronous ? devices->count : 0;
    for (int i = 0; i < count * LANES; i++) {
        int d = i / LANES;
        enum lane lane = emptier(w, d, (enum lane)(i % LANES));
        bool has_few = atomic_load_explicit(&w->begun_in[d][lane], memory_order_relaxed) < RUN_BEGUN;
        struct task *task = has_few ? ready_pop(&w->ready[d][i % LANES]) : NULL;
        if (task != NULL) {
            task->lane = lane;
            ready_add(&run->ready, &me->at_hand);
            return task;
        }
    }
    return ready_exchange(&run->ready, &me->at_hand);
}

struct ready *run_ready_of(struct run *run, const struct task *task)
{
    bool alone = task->device != HOST && run->plan->devices->asynchronous && !run->plan->in_order;
    return alone ? &run->device_work.ready[task->device - 1][task->lane] : &run->ready;
}

/* Runs the task. A device may still compute when this function returns. */
void run_task(struct run *run, struct worker *me, struct task *task)
{
    struct devices *devices = run->plan->devices;
    if (task->device != HOST)
        devices->begin(devices, task->device, task->lane);
    compute(run, me, task);
    task->ticket = task->device != HOST ? devices->end(devices) : 0;
    if (task->ticket == 0 && (task->device == HOST || run->settings->jitter == 0)) {
        finish(run, me, task);
        return;
    }
    task->left = NULL;
    count_begun(run, task, 1);      /* before the task is on the list, because another thread may complete it from then on */
    pthread_mutex_lock(&run->device_lock);
    struct task ***end = &run->device_work.begun_end[task->device - 1][task->lane];
    **end = task;
    *end = &task->left;
    pthread_mutex_unlock(&run->device_lock);
}

/* With jitter, tickets complete late, also on devices that have done a task when they have begun it. */
static bool is_done(struct run *run, struct worker *me, const struct task *task)
{
    int info = 0;
    if (run->settings->jitter > 0 && rand_r(&me->jitter_state) % 4 != 0)
        return false;
    if (task->ticket != 0 && !run->plan->devices->done(run->plan->devices, task->ticket, &info))
        return false;
    if (info > 0)
        task_fail(task, task->with.row + info);
    return true;
}

/* The oldest task of the lane if it is done, else NULL. A lane does its tasks in order. */
static struct task *done_in_lane(struct run *run, struct worker *me, int d, int lane)
{
    struct device_work *w = &run->device_work;
    struct task *oldest = w->begun[d][lane];
    if (oldest == NULL || !is_done(run, me, oldest))
        return NULL;
    w->begun[d][lane] = oldest->left;
    if (oldest->left == NULL)
        w->begun_end[d][lane] = &w->begun[d][lane];
    return oldest;
}

/* A task that a device has done, or NULL. */
static struct task *done_by_device(struct run *run, struct worker *me)
{
    struct device_work *w = &run->device_work;
    struct task *done = NULL;
    if (atomic_load_explicit(&w->begun_count, memory_order_relaxed) == 0 || pthread_mutex_trylock(&run->device_lock) != 0)
        return NULL;
    for (int i = 0; i < run->plan->devices->count * LANES && done == NULL; i++)
        done = done_in_lane(run, me, i / LANES, i % LANES);
    pthread_mutex_unlock(&run->device_lock);
    if (done != NULL)
        count_begun(run, done, -1);
    return done;
}

bool run_begun_task(struct run *run, struct worker *me)
{
    struct task *done = done_by_device(run, me);
    if (done != NULL)
        finish(run, me, done);
    return done != NULL;
}

void task_fail(const struct task *task, int64_t pivot)
{
    _Atomic int64_t *info = &task->run->info;
    int64_t smallest = atomic_load(info);
    while (pivot < smallest && !atomic_compare_exchange_weak(info, &smallest, pivot))
        ;
}

_Atomic double *task_norm_of(const struct task_tile *tile)
{
    return tile->traits.form != NULL ? &tile->traits.form->norm : &fetched_in(tile->slot)->norm;
}

const atomic_int *task_idle_threads(const struct task *task)
{
    return &task->run->idle;
}

const struct kernels *task_device_kernels(const struct task *task)
{
    return task->run->plan->devices->kernels(task->precision->type);
}

void task_no_memory(const struct task *task)
{
    atomic_store(&task->run->no_memory, true);
}
