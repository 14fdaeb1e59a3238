/* Passes a task from the loops to OpenMP: its copy, its names, its submission. */
#include "omp/submit.h"
#include "omp/execute.h"
#include "omp/help.h"
#include "omp/order.h"

#include <omp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- entering flight ----------------------------------------------------------------------------------------------------- */

int64_t run_urgency_of(const struct run *run, int due, enum urgent what)
{
    return run->plan->urgency == NULL ? 0 : run->plan->urgency(due, run->step->k, what);
}

/* Whether one more task may be in flight. enter_flight calls it only when the number may exceed the former peak, because
   adding up the counters reads a cache line of each thread. */
static bool has_room(struct run *run)
{
    int in_flight = run_in_flight(run);
    if (in_flight >= run->max_tasks)
        return false;
    run->tasks_peak = in_flight < run->tasks_peak ? run->tasks_peak : in_flight + 1;
    return true;
}

/* Waits until one more task may be in flight. Other ranks may be waiting for the panel, so ready tasks of the panel run before
   the submission of more tasks. */
static void enter_flight(struct run *run)
{
    struct rma_backoff backoff = { 0 };
    while (run->plan->panels &&
           atomic_load_explicit(&run->ready.best, memory_order_relaxed) <= run_urgency_of(run, run->step->k, URGENT_PANEL))
        run_help(run, &backoff);
    while ((run->entered - run->left >= run->tasks_peak && !has_room(run)) ||
           (run->plan->in_order && run->submitted - run->ready.oldest > run->max_tasks))
        run_help(run, &backoff);
    run->entered++;
}

/* When there is no memory for the copy, the submitting thread runs tasks, which free theirs: see reserve.h. */
struct task *run_copy_task(struct run *run, const struct task *task)
{
    struct task *copy;
    struct rma_backoff backoff = { 0 };
    while ((copy = reserve_new_task(&run->reserve)) == NULL)
        run_help(run, &backoff);
    memcpy(copy, task, offsetof(struct task, tile));
    copy->step = run->step->k;
    copy->lane = task_facts(task->kind)->lane;
    order_enter(run, copy);
    return copy;
}

/* Moves on asynchronous devices occupy no thread of the host, so they begin before the tasks of the host's threads. */
void run_enter(struct run *run, struct task *t, int64_t urgency)
{
    const int64_t before_all = INT64_MAX / 4;
    bool comes_first = is_move(t) && run->plan->devices->asynchronous;
    t->number = run->submitted++;
    t->urgency = run->plan->in_order ? READY_IN_ORDER : comes_first ? urgency - before_all : urgency;
    enter_flight(run);
}

/* ---- names ----------------------------------------------------------------------------------------------------------------- */

/* The second task of a step that reads a name adds the name to the list. Without memory for the list, nodes of the runtime
   stay allocated: this takes more memory later and is no error. */
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

/* ---- to OpenMP ------------------------------------------------------------------------------------------------------------- */

/* Marks a task as ready. The OpenMP task ends when finish() fulfils its event after the computation. Until then the tasks that
   depend on it wait. */
static void is_ready(struct task *task, omp_event_handle_t event)
{
    struct run *run = task->run;
    struct worker *me = run_worker(run);
    struct ready *ready = run_ready_of(run, task);
    task->event = (uint64_t)event;
    me->gathered++;
    if (me->gathers && ready == &run->ready)
        at_hand_add(&me->at_hand, task);
    else
        ready_push(ready, task);
}

/* Submits the task with the names in run->names. The usual small numbers of names have a directive each, because an iterator
   costs several times as much. */
void task_submit(struct task *t)
{
    if (t == NULL)
        return;
    order_submit(t);
    struct names *n = &t->run->names;
    char **in = n->in, **out = n->out;
    int ins = n->in_count, outs = n->out_count;
    omp_event_handle_t event = (omp_event_handle_t)0;   /* the directives set it */
    if (outs == 0 && ins == 1) {
#pragma omp task detach(event) firstprivate(t) depend(in : *in[0])
        is_ready(t, event);
    } else if (outs == 1 && ins == 0) {
#pragma omp task detach(event) firstprivate(t) depend(inout : *out[0])
        is_ready(t, event);
    } else if (outs == 1 && ins == 1) {
#pragma omp task detach(event) firstprivate(t) depend(in : *in[0]) depend(inout : *out[0])
        is_ready(t, event);
    } else if (outs == 1 && ins == 2) {
#pragma omp task detach(event) firstprivate(t) depend(in : *in[0], *in[1]) depend(inout : *out[0])
        is_ready(t, event);
    } else if (outs == 1 && ins == 3) {
#pragma omp task detach(event) firstprivate(t) depend(in : *in[0], *in[1], *in[2]) depend(inout : *out[0])
        is_ready(t, event);
    } else if (outs == 2 && ins == 1) {
#pragma omp task detach(event) firstprivate(t) depend(in : *in[0]) depend(inout : *out[0], *out[1])
        is_ready(t, event);
    } else if (outs == 2 && ins == 2) {
#pragma omp task detach(event) firstprivate(t) depend(in : *in[0], *in[1]) depend(inout : *out[0], *out[1])
        is_ready(t, event);
    } else {
#pragma omp task detach(event) firstprivate(t) depend(iterator(int i = 0 : ins), in : *in[i]) \
    depend(iterator(int i = 0 : outs), inout : *out[i])
        is_ready(t, event);
    }
}

void run_write_nothing(struct run *run, char *name)
{
    enter_flight(run);
#pragma omp task firstprivate(run) depend(inout : *name)
    {
        struct worker *me = run_worker(run);
        me->gathered++;
        count_left(me);
    }
}
