/*
 * The model's clock: a discrete-event simulation of the graph. On each rank a submitter walks the items of the loops. A task is
 * ready when it is submitted and its inputs exist. Threads take the most urgent ready task, or the first in program order among
 * equals. All events of one time are handled before any task or read starts at that time.
 */
#include "src/model/simulation.h"

#include <math.h>
#include <stdlib.h>

static void push(struct simulation *s, struct heap *heap, double first, int64_t second)
{
    s->no_memory |= !heap_push(heap, (struct entry){ first, second });
}

/* ---- events ------------------------------------------------------------------------------------------------------------- */

void happens(struct simulation *s, double after, int what, int node)
{
    push(s, &s->events, s->now + after, (int64_t)node * EVENTS + what);
}

void change(struct simulation *s, int rank)
{
    struct processor *p = &s->processor[rank];
    if (!p->to_submit)
        s->to_submit.rank[s->to_submit.count++] = rank;
    if (!p->to_start)
        s->to_start.rank[s->to_start.count++] = rank;
    p->to_submit = p->to_start = true;
}

void release_successors(struct simulation *s, int node)
{
    const struct model_graph *g = s->graph;
    for (int64_t e = g->first_successor[node]; e < g->first_successor[node + 1]; e++)
        if (g->successor[e] < g->tasks)
            release_node(s, g->successor[e]);
        else
            flag(s, g->successor[e] - g->tasks);
}

void release_node(struct simulation *s, int node)
{
    const struct model_graph *g = s->graph;
    if (--s->lacks[node] > 0)
        return;
    if (node >= g->tasks) {
        make_due(s, node - g->tasks);
        return;
    }
    push(s, &s->processor[g->task[node].rank].ready, g->task[node].urgency, node);
    change(s, g->task[node].rank);
}

static void finish(struct simulation *s, int task)
{
    const struct graph_task *t = &s->graph->task[task];
    struct processor *p = &s->processor[t->rank];
    p->in_flight--;
    p->idle_thread[p->idle++] = s->thread[task];
    s->rank[t->rank].tasks++;
    change(s, t->rank);
    release_successors(s, task);
}

/* Starts the item at which the submitter is. */
static void hand_over(struct simulation *s, struct processor *p)
{
    const struct model_graph *g = s->graph;
    int64_t item = g->item[p->item++];
    int what = item_what(item), index = item_index(item);
    p->in_flight += what == ITEM_TASK;
    p->fetching += what == ITEM_REQUEST;
    if (what == ITEM_REQUEST && s->trace != NULL)
        s->request_time[index] = s->now;
    if (what != ITEM_WAIT)
        release_node(s, what == ITEM_TASK ? index : g->tasks + index);
}

static void end_submission(struct simulation *s, int rank)
{
    struct processor *p = &s->processor[rank];
    p->submitting = false;
    p->idle_thread[p->idle++] = SUBMITTER;
    change(s, rank);
    hand_over(s, p);
}

static void happen(struct simulation *s, int64_t event)
{
    int node = (int)(event / EVENTS), transfer = node - s->graph->tasks;
    switch (event % EVENTS) {
    case DONE: finish(s, node); break;
    case SUBMITTED: end_submission(s, node); break;
    case FLAGGED: release_node(s, node); break;
    case REQUESTED: start_on_wire(s, transfer, s->graph->transfer[transfer].from); break;
    case HERE: arrive(s, transfer); break;
    }
}

/* ---- a rank ------------------------------------------------------------------------------------------------------------- */

/* Whether the submitter has to wait before an item. */
static bool holds(const struct simulation *s, const struct processor *p, int what)
{
    int most = s->machine->max_tasks;
    bool full = (s->graph->in_order && p->in_flight >= s->threads) || (most > 0 && p->in_flight >= most);
    return (what == ITEM_WAIT && p->in_flight + p->fetching > 0) || (what == ITEM_TASK && full);
}

/* Takes the first thread from the idle ones; false: it computes. */
static bool take_submitter(struct processor *p)
{
    for (int i = 0; i < p->idle; i++)
        if (p->idle_thread[i] == SUBMITTER) {
            p->idle_thread[i] = p->idle_thread[--p->idle];
            return true;
        }
    return false;
}

/* Walks the items until the submitter has to wait. */
static void submit(struct simulation *s, int rank)
{
    struct processor *p = &s->processor[rank];
    while (!p->submitting && p->item < p->end) {
        int what = item_what(s->graph->item[p->item]);
        if (holds(s, p, what))
            return;
        if (what != ITEM_TASK || s->machine->task_s == 0) {
            hand_over(s, p);
            continue;
        }
        p->submitting = take_submitter(p);
        if (!p->submitting)
            return;
        happens(s, s->machine->task_s, SUBMITTED, rank);
    }
}

static void start_tasks(struct simulation *s, struct processor *p, struct model_rank *rank)
{
    while (p->idle > 0 && p->ready.count > 0) {
        int task = (int)heap_pop(&p->ready).second;
        const struct graph_task *t = &s->graph->task[task];
        double seconds = model_task_seconds(s->machine, t->rank, t->kind, t->flops);
        s->thread[task] = p->idle_thread[--p->idle];
        rank->compute += seconds;
        if (s->trace != NULL)
            trace_add(&s->trace[t->rank].thread[s->thread[task]],
                      (struct event){ .kind = EVENT_TASK, .task = t->kind, .i = t->i, .j = t->j, .step = t->step,
                                      .start = s->now, .end = s->now + seconds, .flops = t->flops });
        happens(s, seconds, DONE, task);
    }
}

/* Handles all events of this time, and what ranks submit because of them; then starts reads and tasks. */
static void go_on(struct simulation *s)
{
    bool any = true;
    while (any && !s->no_memory) {
        any = s->to_submit.count > 0;
        while (s->to_submit.count > 0) {
            int rank = s->to_submit.rank[--s->to_submit.count];
            s->processor[rank].to_submit = false;
            submit(s, rank);
        }
        for (; s->events.count > 0 && s->events.entry[0].first <= s->now; any = true)
            happen(s, heap_pop(&s->events).second);
    }
    while (s->to_start.count > 0) {
        int rank = s->to_start.rank[--s->to_start.count];
        s->processor[rank].to_start = false;
        start_reads(s, rank);
        start_tasks(s, &s->processor[rank], &s->rank[rank]);
    }
}

/* Moves the clock to the next event. An event that was next may be preceded by the arrival of a tile. */
static void move_clock(struct simulation *s)
{
    const struct model_wire *wire = s->machine->wire;
    double next = s->events.count > 0 ? s->events.entry[0].first : INFINITY;
    s->now = s->flying > 0 ? fmin(next, wire->wait(wire->context, next)) : next;
    for (int transfer; s->flying > 0 && (transfer = wire->arrived(wire->context)) >= 0;)
        end_transfer(s, transfer);
}

static void simulate(struct simulation *s)
{
    for (int rank = 0; rank < s->graph->ranks; rank++)
        change(s, rank);
    go_on(s);
    while ((s->events.count > 0 || s->flying > 0) && !s->no_memory) {
        move_clock(s);
        go_on(s);
    }
}

/* ---- results --------------------------------------------------------------------------------------------------------------- */

static void sum_up(struct simulation *s, struct model_outcome *o)
{
    *o = (struct model_outcome){ .makespan = s->now };
    for (int t = 0; t < s->graph->tasks; t++)
        o->flops += s->graph->task[t].flops;
    for (int k = 0; k < s->graph->ranks; k++) {
        struct model_rank *r = &s->rank[k];
        o->work += r->compute;
        r->compute /= s->threads;
        r->idle = s->now - r->compute;
        o->tasks += r->tasks;
        o->transfers += r->transfers;
        o->max_compute = r->compute > o->max_compute ? r->compute : o->max_compute;
        o->min_idle = k == 0 || r->idle < o->min_idle ? r->idle : o->min_idle;
    }
}

/* ---- state ----------------------------------------------------------------------------------------------------------------- */

static bool prepare_processor(struct simulation *s, int rank)
{
    struct processor *p = &s->processor[rank];
    *p = (struct processor){ .item = s->graph->first_item[rank], .end = s->graph->first_item[rank + 1],
                             .idle_thread = malloc((size_t)s->threads * sizeof *p->idle_thread) };
    for (int t = s->threads; t > 0 && p->idle_thread != NULL; t--)
        p->idle_thread[p->idle++] = t - 1;
    return p->idle_thread != NULL && (s->trace == NULL || trace_create(&s->trace[rank], s->threads));
}

static bool prepare(struct simulation *s)
{
    const struct model_graph *g = s->graph;
    size_t transfers = (size_t)g->transfers, nodes = (size_t)g->tasks + transfers, ranks = (size_t)g->ranks;
    const struct array arrays[] = { ARRAY(s->lacks, nodes), ARRAY(s->next_waiting, transfers), ARRAY(s->thread, g->tasks),
                                    ARRAY(s->request_time, s->trace != NULL ? transfers : 0), ARRAY(s->pair, ranks * ranks),
                                    ARRAY(s->processor, ranks), ARRAY(s->rank, ranks), ARRAY(s->to_submit.rank, ranks),
                                    ARRAY(s->to_start.rank, ranks) };
    s->memory = make_arrays(arrays, sizeof arrays / sizeof arrays[0]);
    s->ideal = s->machine->ideal != NULL ? ideal_create(g) : NULL;
    if (s->memory == NULL || (s->machine->ideal != NULL && s->ideal == NULL))
        return false;
    for (size_t n = 0; n < nodes; n++)
        s->lacks[n] = g->predecessors[n] + 1;
    for (size_t p = 0; p < ranks * ranks; p++)
        s->pair[p] = (struct pair){ .waiting = NONE };
    bool made = true;
    for (int k = 0; k < g->ranks; k++)
        made &= prepare_processor(s, k);
    return made;
}

static void forget(struct simulation *s)
{
    for (int k = 0; s->processor != NULL && k < s->graph->ranks; k++) {
        free(s->processor[k].ready.entry);
        free(s->processor[k].idle_thread);
    }
    ideal_destroy(&s->ideal);
    free(s->events.entry);
    free(s->memory);
}

int model_run(const struct model_graph *graph, const struct model_machine *machine, struct model_outcome *outcome,
              struct model_rank *ranks, struct trace *traces)
{
    struct simulation s = { .graph = graph, .machine = machine, .threads = machine->threads > 0 ? machine->threads : 1,
                            .trace = traces };
    s.no_memory = !prepare(&s);
    if (!s.no_memory) {
        simulate(&s);
        sum_up(&s, outcome);
        /* a graph whose items wait for ever would be an error: the loops never make one */
        s.no_memory |= outcome->tasks != graph->tasks;
        for (int k = 0; ranks != NULL && k < graph->ranks; k++)
            ranks[k] = s.rank[k];
    }
    forget(&s);
    return s.no_memory;
}
