/*
 * Transfers by flags and reads, in the order of rma/.
 *
 *     source   tile final            request arrives: the tile leaves
 *                        \         /                                  \
 *     reader              flag arrives: read, if allowed               tile arrives: flags to ranks that take it from here
 */
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

static struct pair *pair_of(const struct simulation *s, int reader, int source)
{
    return &s->pair[(int64_t)reader * s->graph->ranks + source];
}

void arrive(struct simulation *s, int transfer)
{
    const struct graph_transfer *x = at(s, transfer);
    s->processor[x->to].fetching--;
    s->rank[x->to].transfers++;
    s->rank[x->to].transfer_bytes += x->bytes;
    if (s->trace != NULL)
        trace_add(&s->trace[x->to].thread[0], (struct event){ .kind = EVENT_FETCH, .from = x->from, .i = x->i, .j = x->j,
                                                              .start = s->request_time[transfer], .end = s->now });
    change(s, x->to);
    release_successors(s, s->graph->tasks + transfer);
}

void start_on_wire(struct simulation *s, int transfer, int from)
{
    const struct graph_transfer *x = at(s, transfer);
    const struct model_wire *wire = s->machine->wire;
    s->flying++;
    s->no_memory |= !wire->start(wire->context, s->now, transfer, from, x->to, x->bytes);
}

static bool is_before(const struct simulation *s, int transfer, int other)
{
    int64_t urgency = at(s, transfer)->urgency, others = at(s, other)->urgency;
    return urgency < others || (urgency == others && transfer < other);
}

void wait_by_urgency(struct simulation *s, int *list, int transfer)
{
    while (*list != NONE && is_before(s, *list, transfer))
        list = &s->next_waiting[*list];
    s->next_waiting[transfer] = *list;
    *list = transfer;
}

/* Ideal transfers need no flags, because one decision is made for all ranks. */
void flag(struct simulation *s, int transfer)
{
    const struct graph_transfer *x = at(s, transfer);
    int node = s->graph->tasks + transfer;
    if (takes_time(s, transfer) && s->ideal == NULL)
        happens(s, message(s, x->from, x->to), FLAGGED, node);
    else
        release_node(s, node);
}

void make_due(struct simulation *s, int transfer)
{
    const struct graph_transfer *x = at(s, transfer);
    if (!takes_time(s, transfer)) {
        happens(s, 0, HERE, s->graph->tasks + transfer);
        return;
    }
    if (s->ideal != NULL) {
        ideal_due(s, transfer);
        return;
    }
    wait_by_urgency(s, &pair_of(s, x->to, x->from)->waiting, transfer);
    s->processor[x->to].waiting++;
    change(s, x->to);
}

/* The most urgent tile that the rank may read; NONE: there is none. */
static int first_to_read(const struct simulation *s, int reader)
{
    int first = NONE;
    for (int source = 0; source < s->graph->ranks; source++) {
        const struct pair *pair = pair_of(s, reader, source);
        bool may = pair->waiting != NONE && pair->reads < RMA_READS_OF_ONE;
        if (may && (first == NONE || is_before(s, pair->waiting, first)))
            first = pair->waiting;
    }
    return first;
}

void start_reads(struct simulation *s, int reader)
{
    struct processor *p = &s->processor[reader];
    while (p->waiting > 0 && p->reads < RMA_READS) {
        int transfer = first_to_read(s, reader);
        if (transfer == NONE)
            return;
        int source = at(s, transfer)->from;
        struct pair *pair = pair_of(s, reader, source);
        pair->waiting = s->next_waiting[transfer];
        p->waiting--;
        pair->reads++;
        p->reads++;
        happens(s, message(s, reader, source), REQUESTED, s->graph->tasks + transfer);
    }
}

void end_transfer(struct simulation *s, int transfer)
{
    const struct graph_transfer *x = at(s, transfer);
    s->flying--;
    if (s->ideal != NULL) {
        ideal_end(s, transfer);
        return;
    }
    pair_of(s, x->to, x->from)->reads--;
    s->processor[x->to].reads--;
    arrive(s, transfer);
}
