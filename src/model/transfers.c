/* Transfers, in the order in which rma/wire.c has them. */
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

void start_on_wire(struct simulation *s, int transfer, int from)
{
    const struct graph_transfer *x = at(s, transfer);
    const struct model_wire *wire = s->machine->wire;
    s->flying++;
    s->no_memory |= !wire->start(wire->context, s->now, transfer, from, x->to, x->bytes);
}

/* Equal ones stay in the order of the loops. */
bool is_before(const struct simulation *s, int transfer, int other)
{
    int64_t urgency = at(s, transfer)->urgency, others = at(s, other)->urgency;
    return urgency < others || (urgency == others && transfer < other);
}

/* Of a pair of ranks the most urgent tile, if there is one and it may go: behind those that went before. */
static bool send_first(struct simulation *s, int reader, int source)
{
    struct pair *pair = &s->pair[(int64_t)reader * s->graph->ranks + source];
    int *ahead = &s->processor[source].ahead, transfer = pair->due, *link = &pair->sent;
    if (transfer == NONE || pair->ahead == RMA_AHEAD || *ahead >= s->graph->most_ahead[source])
        return false;
    bool first = *link == NONE;
    pair->due = s->next_waiting[transfer];
    pair->ahead++;
    ++*ahead;
    while (*link != NONE)
        link = &s->next_waiting[*link];
    *link = transfer;
    s->next_waiting[transfer] = NONE;
    if (first)
        start_on_wire(s, transfer, source);
    return true;
}

/* Where a rank had sent as many as it may: to whom it sends the next. */
static int most_urgent_reader(const struct simulation *s, int source)
{
    int first = NONE;
    for (int reader = 0; reader < s->graph->ranks; reader++) {
        const struct pair *pair = &s->pair[(int64_t)reader * s->graph->ranks + source];
        bool may = pair->due != NONE && pair->ahead < RMA_AHEAD;
        if (may && (first == NONE || at(s, pair->due)->urgency <
                                         at(s, s->pair[(int64_t)first * s->graph->ranks + source].due)->urgency))
            first = reader;
    }
    return first;
}

void ask(struct simulation *s, int transfer)
{
    const struct graph_transfer *x = at(s, transfer);
    if (takes_time(s, transfer))
        happens(s, message(s, x->to, x->from), ASKED, s->graph->tasks + transfer);
    else
        release(s, s->graph->tasks + transfer);
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
    struct pair *pair = pair_of(s, x);
    int *link = &pair->due;
    while (*link != NONE && is_before(s, *link, transfer))
        link = &s->next_waiting[*link];
    s->next_waiting[transfer] = *link;
    *link = transfer;
    send_first(s, x->to, x->from);
}

void end_transfer(struct simulation *s, int transfer)
{
    const struct graph_transfer *x = at(s, transfer);
    struct pair *pair = pair_of(s, x);
    s->flying--;
    if (s->ideal != NULL) {
        ideal_end(s, transfer);
        return;
    }
    pair->sent = s->next_waiting[transfer];
    if (pair->sent != NONE)
        start_on_wire(s, pair->sent, x->from);
    happens(s, message(s, x->to, x->from), THANKED, s->graph->tasks + transfer);
    arrive(s, transfer);
}

void thank(struct simulation *s, int transfer)
{
    const struct graph_transfer *x = at(s, transfer);
    bool full = s->processor[x->from].ahead-- == s->graph->most_ahead[x->from];
    pair_of(s, x)->ahead--;
    int reader = full ? most_urgent_reader(s, x->from) : x->to;
    if (reader != NONE)
        send_first(s, reader, x->from);
}
