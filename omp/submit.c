/* The executing sink: a task of the loops becomes an OpenMP task, whose remote tiles are on their way. */
#include "omp/execution.h"
#include "omp/order.h"
#include "omp/copies/residence.h"

#include <omp.h>
#include <stdlib.h>

/* What is no tile of a matrix has no place in one. */
static void place_of(const struct rma_address *tile, struct event *e)
{
    e->i = e->j = -1;
    if (tile->what == NULL)
        rma_tile_place(tile, &e->i, &e->j);
}

/* The slot has its tile: the tasks that read it may run. */
static void arrived(struct rma_slot *slot)
{
    struct run *run = slot->context;
    struct events *events = run_worker(run)->events;
    if (events != NULL && rma_is_transfer(&slot->from)) {
        struct event e = { .kind = EVENT_FETCH, .from = slot->parent, .flow = run_flow(run, slot->from.id, rma_rank(run->rma)),
                           .start = slot->asked, .end = run_clock() };
        place_of(&slot->from, &e);
        trace_add(events, e);
    }
    order_arrive(run, slot);
    omp_fulfill_event((omp_event_handle_t)(uintptr_t)slot->ticket);
    atomic_fetch_sub_explicit(&run->fetching, 1, memory_order_release);
}

/* All ranks that read the tile, in run->readers. */
static int readers_of(struct run *run, const struct operand *tile)
{
    return run->plan->readers == NULL ? 0 : run->plan->readers(run->plan->context, tile, run->readers);
}

/* The slot in which the remote tile arrives; the first task of a step that reads it starts its fetch. */
struct rma_slot *run_fetch_tile(struct run *run, const struct operand *tile, int64_t urgency)
{
    struct rma_slot *slot = rma_cache_find(run->cache, run->step->k, &tile->address);
    if (slot != NULL)
        return slot;
    struct rma_backoff backoff = { 0 };
    while ((slot = rma_cache_take(run->cache, run->step->k, &tile->address)) == NULL)
        run_help(run, &backoff);
    if (run->routes && tile->address.unit == 0)
        rma_route(run->rma, slot, run->readers, readers_of(run, tile));
    char *token = (char *)slot;
    omp_event_handle_t event = (omp_event_handle_t)0;   /* set by the directive */
#pragma omp task untied detach(event) firstprivate(run) depend(out : *token)
    run_worker(run)->gathered++;
    slot->arrived = arrived;
    slot->context = run;
    slot->ticket = (uint64_t)event;
    slot->urgency = urgency;
    slot->asked = run->plan->trace != NULL ? run_clock() : 0;
    order_fetch(run, slot);
    atomic_fetch_add_explicit(&run->fetching, 1, memory_order_relaxed);
    rma_fetch(run->rma, slot);
    return slot;
}

static int64_t panel_urgency(int step)
{
    return run_urgency(step, step, true);
}

/* Waits until one more task may be in flight. Others may be waiting for the panel: its tasks go before the submission of more. */
static void enter_flight(struct run *run)
{
    struct rma_backoff backoff = { 0 };
    while (run->plan->panels && atomic_load_explicit(&run->ready.best, memory_order_relaxed) <= panel_urgency(run->step->k))
        run_help(run, &backoff);
    while (atomic_load_explicit(&run->in_flight, memory_order_relaxed) >= run->max_tasks ||
           (run->plan->in_order && run->submitted - run->ready.oldest > run->max_tasks))
        run_help(run, &backoff);
    int in_flight = atomic_fetch_add_explicit(&run->in_flight, 1, memory_order_relaxed) + 1;
    if (in_flight > run->tasks_peak)
        run->tasks_peak = in_flight;
}

/*
 * LLVM keeps a node of every reader of an address until the next writer comes. A tile that many tasks read in one step is read no
 * more after it, and mostly written no more: the nodes would grow with the cube of the tile count. So an empty writer follows the
 * step's readers.
 */
void run_close_submitted_step(struct run *run, struct open_step *step)
{
    rma_cache_forget(run->cache, step->k);
    for (int i = 0; i < step->shared_count; i++) {
        char *data = step->shared[i];
        enter_flight(run);
#pragma omp task untied firstprivate(run) depend(inout : *data)
        {
            run_worker(run)->gathered++;
            atomic_fetch_sub_explicit(&run->in_flight, 1, memory_order_release);
        }
    }
    step->shared_count = 0;
}

/* The second reader of one name in a step puts it on the list. Without memory some nodes stay: more memory later, no error. */
static void note_reader(struct open_step *step, char *name)
{
    enum { ONCE, OFTEN };
    int64_t id = (int64_t)(intptr_t)name;
    int before = rma_table_find(step->seen, NULL, id);
    rma_table_insert(step->seen, NULL, id, before < 0 ? ONCE : OFTEN);
    if (before != ONCE)
        return;
    if (step->shared_count == step->shared_room) {
        int room = 2 * step->shared_room + 64;
        char **larger = realloc(step->shared, (size_t)room * sizeof *larger);
        if (larger == NULL)
            return;
        step->shared = larger;
        step->shared_room = room;
    }
    step->shared[step->shared_count++] = name;
}

void run_name(struct run *run, enum access access, char *name, bool lasts)
{
    struct names *n = &run->names;
    if (access == READ)
        n->in[n->in_count++] = name;
    else
        n->out[n->out_count++] = name;
    if (access == READ && lasts)
        note_reader(run->step, name);
}

/* Where there are no devices. A tile that is read in place may have the address of another one: its name is its slot. */
static void settle_on_host(struct run *run, struct task *t, const struct operand *operands, int64_t urgency)
{
    run->names = (struct names){ 0 };
    for (int i = 0; i < t->count; i++) {
        const struct operand *o = &operands[i];
        struct task_tile *tile = &t->tile[i];
        *tile = (struct task_tile){ .data = o->data, .mb = memory_rows(o), .nb = memory_columns(o) };
        if (!o->mine) {
            tile->slot = run_fetch_tile(run, o, urgency);
            rma_slot_hold(tile->slot);
            tile->data = tile->slot->data;
        }
        order_use_operand(run, t, i, o);
        run_name(run, o->access, o->mine ? tile->data : (char *)tile->slot, o->mine);
    }
}

static void publication_sent(struct rma_publication *p)
{
    struct run *run = p->context;
    if (run->plan->trace != NULL && rma_is_transfer(&p->tile)) {
        struct event e = { .kind = EVENT_PUBLICATION, .flow = run_flow(run, p->tile.id, rma_rank(run->rma)), .start = p->asked,
                           .end = run_clock() };
        place_of(&p->tile, &e);
        trace_add(run_worker(run)->events, e);
    }
    reserve_free_publication(&run->reserve, p);
}

/* NULL where nobody else reads the tile. Readers would wait for ever for a lost flag, so memory is waited for: see reserve.h. */
static struct rma_publication *publication_of(struct run *run, const struct operand *o)
{
    int count = readers_of(run, o);
    if (count == 0)
        return NULL;
    struct rma_publication *p;
    struct rma_backoff backoff = { 0 };
    while ((p = reserve_new_publication(&run->reserve, count)) == NULL) {
        rma_reclaim(run->rma);
        run_help(run, &backoff);
    }
    *p = (struct rma_publication){ .tile = o->address, .count = count, .context = run, .sent = publication_sent,
                                   .word = (struct rma_word *)(p->reader + count) };
    for (int i = 0; i < count; i++)
        p->reader[i] = run->readers[i];
    return p;
}

/* Where there is no memory, tasks free some: see reserve.h. */
static struct task *copy_of(struct run *run, const struct task *task)
{
    struct task *copy;
    struct rma_backoff backoff = { 0 };
    while ((copy = reserve_new_task(&run->reserve)) == NULL)
        run_help(run, &backoff);
    *copy = *task;
    copy->step = run->step->k;
    order_enter(run, copy);
    return copy;
}

/* Moves begin before the host's threads take work of their own, where that takes no time. */
static void number(struct run *run, struct task *t, int64_t urgency)
{
    const int64_t before_all = INT64_MAX / 4;
    t->number = run->submitted++;
    t->urgency = run->plan->in_order ? READY_IN_ORDER : is_move(t) && run->plan->devices->asynchronous ? urgency - before_all : urgency;
    enter_flight(run);
}

struct task *run_enter(struct run *run, const struct task *task, int64_t urgency)
{
    struct task *t = copy_of(run, task);
    number(run, t, urgency);
    return t;
}

struct task *run_new_task(struct run *run, const struct task *task, const struct operand *operands)
{
    const struct operand *output = &operands[task->count - 1];
    int64_t urgency = run_urgency(output->due, run->step->k, output->access == FINAL);
    bool publishes = output->access == FINAL && (output->split == NULL || task->kind == TASK_HAND_OVER);
    if (run->fetch_only) {
        for (int i = 0; i < task->count; i++)
            if (!operands[i].mine)
                run_fetch_tile(run, &operands[i], urgency);
        return NULL;
    }
    struct rma_publication *publication = publishes ? publication_of(run, output) : NULL;
    if (publishes && output->split != NULL && publication == NULL)
        return NULL;        /* nobody to gather it for */
    struct task *t = copy_of(run, task);
    order_output(run, t, output->access);
    t->publication = publication;
    t->panel = output->access == FINAL || t->kind == TASK_LASWP;
    if (run->residence != NULL)
        residence_settle(run, t, operands, urgency);
    else
        settle_on_host(run, t, operands, urgency);
    if (t->device != HOST && t->kind != TASK_LASWP)
        t->kernels = run->plan->devices->kernels(t->precision->type);
    number(run, t, urgency);
    return t;
}

/* The OpenMP task ends when its event is fulfilled: finish() does, when it has computed. Until then those that depend on it wait. */
static void is_ready(struct task *task, omp_event_handle_t event)
{
    task->event = (uint64_t)event;
    run_worker(task->run)->gathered++;
    ready_push(run_ready_of(task->run, task), task);
}

/* The usual few names by themselves: an iterator costs several times as much. */
void task_submit(struct task *t)
{
    order_submit(t);
    struct names *n = &t->run->names;
    char **in = n->in, **out = n->out;
    int ins = n->in_count, outs = n->out_count;
    omp_event_handle_t event = (omp_event_handle_t)0;   /* set by the directives */
    if (outs == 1 && ins == 0) {
#pragma omp task untied detach(event) firstprivate(t) depend(inout : *out[0])
        is_ready(t, event);
    } else if (outs == 1 && ins == 1) {
#pragma omp task untied detach(event) firstprivate(t) depend(in : *in[0]) depend(inout : *out[0])
        is_ready(t, event);
    } else if (outs == 1 && ins == 2) {
#pragma omp task untied detach(event) firstprivate(t) depend(in : *in[0], *in[1]) depend(inout : *out[0])
        is_ready(t, event);
    } else if (outs == 1 && ins == 3) {
#pragma omp task untied detach(event) firstprivate(t) depend(in : *in[0], *in[1], *in[2]) depend(inout : *out[0])
        is_ready(t, event);
    } else if (outs == 2 && ins == 1) {
#pragma omp task untied detach(event) firstprivate(t) depend(in : *in[0]) depend(inout : *out[0], *out[1])
        is_ready(t, event);
    } else if (outs == 2 && ins == 2) {
#pragma omp task untied detach(event) firstprivate(t) depend(in : *in[0], *in[1]) depend(inout : *out[0], *out[1])
        is_ready(t, event);
    } else {
#pragma omp task untied detach(event) firstprivate(t) depend(iterator(int i = 0 : ins), in : *in[i]) \
    depend(iterator(int i = 0 : outs), inout : *out[i])
        is_ready(t, event);
    }
}

/* ---- what loops may ask for beside tasks ---------------------------------------------------------------------------------------------- */

void run_fetch_only(struct run *run, bool on)
{
    run->fetch_only = on;
}

void run_wait(struct run *run)
{
    struct rma_backoff backoff = { 0 };
    if (run->visitor != NULL && run->visitor->wait != NULL)
        run->visitor->wait(run->visitor->context);
    while (atomic_load_explicit(&run->in_flight, memory_order_acquire) > 0 || atomic_load_explicit(&run->fetching, memory_order_acquire) > 0)
        run_help(run, &backoff);
}
