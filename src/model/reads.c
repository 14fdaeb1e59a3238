/* Transfers, in the order in which rma/progress.c has them. */
#include "src/model/simulation.h"

static const struct graph_transfer *at(const struct simulation *s, int transfer)
{
    return &s->graph->transfer[transfer];
}

static bool takes_time(const struct simulation *s, int transfer)
{
    return s->machine->wire != NULL && at(s, transfer)->crosses;
}

static double message(const struct simulation *s, int from, int to)
{
    const struct model_wire *wire = s->machine->wire;
    return wire->latency(wire->context, from, to);
}

static struct pair *pair_of(const struct simulation *s, const struct graph_transfer *x)
{
    return &s->pair[(int64_t)x->to * s->graph->ranks + x->from];
}

void arrive(struct simulation *s, int transfer)
{
    const struct graph_transfer *x = at(s, transfer);
    s->processor[x->to].fetching--;
    s->rank[x->to].transfers++;
    s->rank[x->to].transfer_bytes += x->bytes;
    if (s->trace != NULL)
        trace_add(&s->trace[x->to].thread[0], (struct event){ .kind = EVENT_FETCH, .from = x->from, .i = x->i, .j = x->j,
                                                              .start = s->asked[transfer], .end = s->now });
    change(s, x->to);
    release_successors(s, s->graph->tasks + transfer);
}

static void start_reads(struct simulation *s, int rank)
{
    struct processor *p = &s->processor[rank];
    for (int *link = &p->first_waiting; *link != NONE && p->reads < p->pace.reads;) {
        int transfer = *link;
        const struct graph_transfer *x = at(s, transfer);
        if (pair_of(s, x)->reads >= p->pace.from) {
            link = &s->next_waiting[transfer];
            continue;
        }
        *link = s->next_waiting[transfer];
        p->reads++;
        pair_of(s, x)->reads++;
        happens(s, message(s, x->to, x->from), AT_SOURCE, s->graph->tasks + transfer);
    }
}

void tell_reader(struct simulation *s, int transfer)
{
    const struct graph_transfer *x = at(s, transfer);
    if (takes_time(s, transfer))
        happens(s, message(s, x->from, x->to), TOLD, s->graph->tasks + transfer);
    else
        release(s, s->graph->tasks + transfer);
}

/* Equal ones stay in the order in which they were asked for. */
void want_read(struct simulation *s, int transfer)
{
    const struct graph_transfer *x = at(s, transfer);
    if (!takes_time(s, transfer)) {
        happens(s, 0, HERE, s->graph->tasks + transfer);
        return;
    }
    int *link = &s->processor[x->to].first_waiting;
    while (*link != NONE && (at(s, *link)->urgency < x->urgency || (at(s, *link)->urgency == x->urgency && *link < transfer)))
        link = &s->next_waiting[*link];
    s->next_waiting[transfer] = *link;
    *link = transfer;
    start_reads(s, x->to);
}

static void start_on_wire(struct simulation *s, int transfer)
{
    const struct graph_transfer *x = at(s, transfer);
    const struct model_wire *wire = s->machine->wire;
    s->flying++;
    s->no_memory |= !wire->start(wire->context, s->now, transfer, x->from, x->to, x->bytes);
}

void send_tile(struct simulation *s, int transfer)
{
    int *link = &pair_of(s, at(s, transfer))->first_reply;
    bool first = *link == NONE;
    while (*link != NONE)
        link = &s->next_waiting[*link];
    *link = transfer;
    s->next_waiting[transfer] = NONE;
    if (first)
        start_on_wire(s, transfer);
}

void end_read(struct simulation *s, int transfer)
{
    const struct graph_transfer *x = at(s, transfer);
    struct pair *pair = pair_of(s, x);
    s->flying--;
    s->processor[x->to].reads--;
    pair->reads--;
    pair->first_reply = s->next_waiting[transfer];
    if (pair->first_reply != NONE)
        start_on_wire(s, pair->first_reply);
    arrive(s, transfer);
    start_reads(s, x->to);
}
