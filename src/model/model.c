/*
 * The model's clock: a discrete-event simulation of the graph. On each rank a submitter goes through the items of the loops;
 * tasks that are submitted and have their inputs are ready; threads take the most urgent one, the first in program order where
 * they are equal. Everything that happens at one time happens before any task starts then.
 */
#include "src/model/model.h"

#include <stdlib.h>

/* ---- heaps: the least entry first ------------------------------------------------------------------------------------------ */

struct entry {
    double first;
    int64_t second;
};

struct heap {
    struct entry *entry;
    int64_t count, room;
};

static bool before(struct entry a, struct entry b)
{
    return a.first < b.first || (a.first == b.first && a.second < b.second);
}

/* False: no memory. */
static bool heap_push(struct heap *h, struct entry e)
{
    if (h->count == h->room) {
        int64_t room = 2 * h->room + 64;
        struct entry *larger = realloc(h->entry, (size_t)room * sizeof *larger);
        if (larger == NULL)
            return false;
        h->entry = larger;
        h->room = room;
    }
    int64_t at = h->count++;
    for (int64_t up = (at - 1) / 2; at > 0 && before(e, h->entry[up]); at = up, up = (at - 1) / 2)
        h->entry[at] = h->entry[up];
    h->entry[at] = e;
    return true;
}

static struct entry heap_pop(struct heap *h)
{
    struct entry least = h->entry[0], e = h->entry[--h->count];
    int64_t at = 0;
    for (int64_t down = 1; down < h->count; down = 2 * at + 1) {
        down += down + 1 < h->count && before(h->entry[down + 1], h->entry[down]);
        if (!before(h->entry[down], e))
            break;
        h->entry[at] = h->entry[down];
        at = down;
    }
    h->entry[at] = e;
    return least;
}

/* ---- state ----------------------------------------------------------------------------------------------------------------- */

struct processor {
    struct heap ready;              /* tasks, by urgency and program order */
    int64_t item, end;              /* the submitter's place */
    int idle, in_flight, fetching;
    double out_free, in_free;       /* when its links are */
    bool changed;                   /* something has happened to it */
};

struct simulation {
    const struct model_graph *graph;
    const struct model_machine *machine;
    int threads;
    int *lacks;                     /* of each node: predecessors that are not done, and one until it is submitted or asked for */
    struct processor *processor;
    struct model_rank *rank;
    struct heap events;             /* by time; what happens is event(what, node) */
    int *changed;                   /* ranks */
    int changed_count;
    double now;
    bool no_memory;
};

/* A task is done or a tile is there; a tile has come to its reader's link. In that order at one time. */
enum { DONE, AT_LINK, EVENTS };

static int64_t event(int what, int node)
{
    return (int64_t)node * EVENTS + what;
}

static double task_seconds(const struct simulation *s, int task)
{
    const struct graph_task *t = &s->graph->task[task];
    double rate = s->machine->gflops[t->kind];
    return rate > 0 ? t->flops / (1e9 * rate) : 0;
}

/* On a link of its own. */
static double transfer_seconds(const struct simulation *s, int transfer)
{
    return s->machine->bandwidth > 0 ? (double)s->graph->transfer[transfer].bytes / s->machine->bandwidth : 0;
}

static void change(struct simulation *s, int rank)
{
    if (!s->processor[rank].changed)
        s->changed[s->changed_count++] = rank;
    s->processor[rank].changed = true;
}

static void push(struct simulation *s, struct heap *heap, double first, int64_t second)
{
    s->no_memory |= !heap_push(heap, (struct entry){ first, second });
}

/* ---- what happens ---------------------------------------------------------------------------------------------------------- */

static void release(struct simulation *s, int node);

static void release_successors(struct simulation *s, int node)
{
    const struct model_graph *g = s->graph;
    for (int64_t e = g->first_successor[node]; e < g->first_successor[node + 1]; e++)
        release(s, g->successor[e]);
}

static void arrive(struct simulation *s, int transfer)
{
    const struct graph_transfer *x = &s->graph->transfer[transfer];
    s->processor[x->to].fetching--;
    s->rank[x->to].transfers++;
    s->rank[x->to].transfer_bytes += x->bytes;
    s->rank[x->to].receiving += transfer_seconds(s, transfer);
    change(s, x->to);
    release_successors(s, s->graph->tasks + transfer);
}

static void send(struct simulation *s, int transfer)
{
    struct processor *from = &s->processor[s->graph->transfer[transfer].from];
    double seconds = transfer_seconds(s, transfer), start = from->out_free > s->now ? from->out_free : s->now;
    if (seconds + s->machine->latency <= 0) {
        arrive(s, transfer);
        return;
    }
    from->out_free = start + seconds;
    push(s, &s->events, start + s->machine->latency, event(AT_LINK, s->graph->tasks + transfer));
}

static void receive(struct simulation *s, int transfer)
{
    struct processor *to = &s->processor[s->graph->transfer[transfer].to];
    to->in_free = (to->in_free > s->now ? to->in_free : s->now) + transfer_seconds(s, transfer);
    push(s, &s->events, to->in_free, event(DONE, s->graph->tasks + transfer));
}

static void finish(struct simulation *s, int task)
{
    int rank = s->graph->task[task].rank;
    s->processor[rank].idle++;
    s->processor[rank].in_flight--;
    s->rank[rank].tasks++;
    change(s, rank);
    release_successors(s, task);
}

/* The node lacks one thing less. */
static void release(struct simulation *s, int node)
{
    const struct model_graph *g = s->graph;
    if (--s->lacks[node] > 0)
        return;
    if (node >= g->tasks) {
        send(s, node - g->tasks);
        return;
    }
    push(s, &s->processor[g->task[node].rank].ready, g->task[node].urgency, node);
    change(s, g->task[node].rank);
}

static void happen(struct simulation *s, int64_t event)
{
    int node = (int)(event / EVENTS), tasks = s->graph->tasks;
    if (event % EVENTS == AT_LINK)
        receive(s, node - tasks);
    else if (node >= tasks)
        arrive(s, node - tasks);
    else
        finish(s, node);
}

/* ---- what a rank does ------------------------------------------------------------------------------------------------------ */

/* Goes on through the loops as far as it may. */
static void submit(struct simulation *s, struct processor *p)
{
    const struct model_graph *g = s->graph;
    for (; p->item < p->end; p->item++) {
        int what = item_what(g->item[p->item]), index = item_index(g->item[p->item]);
        if (what == ITEM_WAIT && p->in_flight + p->fetching > 0)
            return;
        if (what == ITEM_TASK && g->in_order && p->in_flight >= s->threads)
            return;
        p->in_flight += what == ITEM_TASK;
        p->fetching += what == ITEM_ASK;
        if (what != ITEM_WAIT)
            release(s, what == ITEM_TASK ? index : g->tasks + index);
    }
}

static void start_tasks(struct simulation *s, struct processor *p, struct model_rank *rank)
{
    while (p->idle > 0 && p->ready.count > 0) {
        int task = (int)heap_pop(&p->ready).second;
        double seconds = task_seconds(s, task);
        p->idle--;
        rank->compute += seconds;
        push(s, &s->events, s->now + seconds, event(DONE, task));
    }
}

/* Submitting changes no other rank: a tile comes to the one that asks. */
static void go_on(struct simulation *s)
{
    for (int i = 0; i < s->changed_count; i++) {
        struct processor *p = &s->processor[s->changed[i]];
        submit(s, p);
        start_tasks(s, p, &s->rank[s->changed[i]]);
        p->changed = false;
    }
    s->changed_count = 0;
}

static void simulate(struct simulation *s)
{
    for (int rank = 0; rank < s->graph->ranks; rank++)
        change(s, rank);
    go_on(s);
    while (s->events.count > 0 && !s->no_memory) {
        s->now = s->events.entry[0].first;
        while (s->events.count > 0 && s->events.entry[0].first <= s->now)
            happen(s, heap_pop(&s->events).second);
        go_on(s);
    }
}

/* ---- results --------------------------------------------------------------------------------------------------------------- */

/* Nodes in an order in which each comes after its predecessors;
   how long after the start it is done on threads and links without end. */
static double critical_path(const struct simulation *s)
{
    const struct model_graph *g = s->graph;
    int nodes = g->tasks + g->transfers, ordered = 0;
    int *order = malloc(((size_t)nodes + 1) * sizeof *order), *lacks = malloc(((size_t)nodes + 1) * sizeof *lacks);
    double *done = calloc((size_t)nodes + 1, sizeof *done), longest = 0;
    for (int n = 0; order != NULL && lacks != NULL && done != NULL && n < nodes; n++)
        if ((lacks[n] = g->predecessors[n]) == 0)
            order[ordered++] = n;
    for (int i = 0; i < ordered; i++) {
        int n = order[i];
        done[n] += n < g->tasks ? task_seconds(s, n) : s->machine->latency + transfer_seconds(s, n - g->tasks);
        longest = done[n] > longest ? done[n] : longest;
        for (int64_t e = g->first_successor[n]; e < g->first_successor[n + 1]; e++) {
            int next = g->successor[e];
            done[next] = done[n] > done[next] ? done[n] : done[next];
            if (--lacks[next] == 0)
                order[ordered++] = next;
        }
    }
    bool whole = ordered == nodes;
    free(order);
    free(lacks);
    free(done);
    return whole ? longest : -1;
}

static void sum_up(struct simulation *s, struct model_outcome *o)
{
    *o = (struct model_outcome){ .makespan = s->now, .critical_path = critical_path(s) };
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

static bool prepare(struct simulation *s)
{
    const struct model_graph *g = s->graph;
    int64_t nodes = (int64_t)g->tasks + g->transfers;
    s->lacks = malloc(((size_t)nodes + 1) * sizeof *s->lacks);
    s->processor = calloc((size_t)g->ranks, sizeof *s->processor);
    s->rank = calloc((size_t)g->ranks, sizeof *s->rank);
    s->changed = calloc((size_t)g->ranks, sizeof *s->changed);
    if (s->lacks == NULL || s->processor == NULL || s->rank == NULL || s->changed == NULL)
        return false;
    for (int64_t n = 0; n < nodes; n++)
        s->lacks[n] = g->predecessors[n] + 1;
    for (int k = 0; k < g->ranks; k++) {
        s->processor[k].item = g->first_item[k];
        s->processor[k].end = g->first_item[k + 1];
        s->processor[k].idle = s->threads;
    }
    return true;
}

int model_run(const struct model_graph *graph, const struct model_machine *machine, struct model_outcome *outcome,
              struct model_rank *ranks)
{
    struct simulation s = { .graph = graph, .machine = machine, .threads = machine->threads > 0 ? machine->threads : 1 };
    s.no_memory = !prepare(&s);
    if (!s.no_memory) {
        simulate(&s);
        sum_up(&s, outcome);
        /* A graph in which something waits for ever would be no run: the loops never make one. */
        s.no_memory |= outcome->tasks != graph->tasks || outcome->critical_path < 0;
        for (int k = 0; ranks != NULL && k < graph->ranks; k++)
            ranks[k] = s.rank[k];
    }
    for (int k = 0; s.processor != NULL && k < graph->ranks; k++)
        free(s.processor[k].ready.entry);
    free(s.events.entry);
    free(s.lacks);
    free(s.processor);
    free(s.rank);
    free(s.changed);
    return s.no_memory;
}
