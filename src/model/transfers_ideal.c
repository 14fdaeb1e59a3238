/*
 * Ideal transfers, which no real protocol can reach. A reader takes a tile from any rank that has it, at once. One decision for
 * all ranks, with full knowledge and by urgency, assigns the next transfers. Real orders are compared with this one.
 */
#include "src/model/simulation.h"

#include <stdlib.h>

struct ideal {
    void *memory;                   /* of all arrays */
    int waiting;                    /* the most urgent transfer whose tile exists; NONE: none */
    int *source;                    /* of each transfer: the rank that sends it */
    int *sends, *receives;          /* of each rank: the number of tiles in flight */
    int rows;
    int *first_holder;              /* of each tile: the last transfer that brought it to a rank; NONE: none has */
    int *next_holder;               /* of each transfer: the previous transfer of its tile */
};

struct ideal *ideal_create(const struct model_graph *g)
{
    struct ideal *d = calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    int cols = 0;
    for (int x = 0; x < g->transfers; x++) {
        d->rows = g->transfer[x].i >= d->rows ? g->transfer[x].i + 1 : d->rows;
        cols = g->transfer[x].j >= cols ? g->transfer[x].j + 1 : cols;
    }
    size_t tiles = (size_t)d->rows * (size_t)cols, transfers = (size_t)g->transfers, ranks = (size_t)g->ranks;
    d->waiting = NONE;
    const struct array arrays[] = { ARRAY(d->source, transfers), ARRAY(d->next_holder, transfers), ARRAY(d->first_holder, tiles),
                                    ARRAY(d->sends, ranks), ARRAY(d->receives, ranks) };
    d->memory = make_arrays(arrays, sizeof arrays / sizeof arrays[0]);
    if (d->memory == NULL)
        ideal_destroy(&d);
    for (size_t t = 0; d != NULL && t < tiles; t++)
        d->first_holder[t] = NONE;
    return d;
}

void ideal_destroy(struct ideal **ideal)
{
    struct ideal *d = *ideal;
    if (d == NULL)
        return;
    free(d->memory);
    free(d);
    *ideal = NULL;
}

static const struct graph_transfer *at(const struct simulation *s, int transfer)
{
    return &s->graph->transfer[transfer];
}

static int *first_holder(const struct simulation *s, int transfer)
{
    return &s->ideal->first_holder[at(s, transfer)->i + (size_t)at(s, transfer)->j * (size_t)s->ideal->rows];
}

/* The rank that has the tile, may send, and has sent least; NONE: no rank may send. */
static int best_source(const struct simulation *s, int transfer)
{
    const struct ideal *d = s->ideal;
    int owner = at(s, transfer)->from, most = s->machine->ideal->sends;
    int best = d->sends[owner] < most ? owner : NONE;
    for (int x = *first_holder(s, transfer); x != NONE; x = d->next_holder[x]) {
        int holder = at(s, x)->to;
        if (d->sends[holder] < most && (best == NONE || d->sends[holder] < d->sends[best]))
            best = holder;
    }
    return best;
}

static void send_all(struct simulation *s)
{
    struct ideal *d = s->ideal;
    for (int *link = &d->waiting; *link != NONE;) {
        int transfer = *link, reader = at(s, transfer)->to;
        int source = d->receives[reader] < s->machine->ideal->receives ? best_source(s, transfer) : NONE;
        if (source == NONE) {
            link = &s->next_waiting[transfer];
            continue;
        }
        *link = s->next_waiting[transfer];
        d->source[transfer] = source;
        d->sends[source]++;
        d->receives[reader]++;
        start_on_wire(s, transfer, source);
    }
}

void ideal_due(struct simulation *s, int transfer)
{
    wait_by_urgency(s, &s->ideal->waiting, transfer);
    send_all(s);
}

void ideal_end(struct simulation *s, int transfer)
{
    struct ideal *d = s->ideal;
    d->sends[d->source[transfer]]--;
    d->receives[at(s, transfer)->to]--;
    d->next_holder[transfer] = *first_holder(s, transfer);
    *first_holder(s, transfer) = transfer;
    arrive(s, transfer);
    send_all(s);
}
