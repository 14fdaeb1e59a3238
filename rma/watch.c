/* The watchdog: after a long silence a rank says which tile it waits for, and from whom. A hang should explain itself. */
#include "rma/state.h"
#include "rma/wire.h"

#include <stdio.h>

enum { POLLS_PER_LOOK = 256 };

void rma_watch_reset(struct rma *rma)
{
    rma->watch.last_move = MPI_Wtime();
    rma->watch.next_complaint = rma->watch.last_move + rma->watch.limit;
    rma->watch.polls = 0;
}

static void print_tile(const struct rma *rma, const struct rma_slot *slot, const char *state)
{
    int i, j;
    if (slot->from.what != NULL) {
        fprintf(stderr, "ompfact: rank %d: %s (number %lld) of rank %d %s\n", rma->rank, slot->from.what,
                (long long)slot->from.id, slot->way.parent, state);
        return;
    }
    rma_tile_place(&slot->from, &i, &j);
    fprintf(stderr, "ompfact: rank %d: tile (%d,%d) of rank %d %s\n", rma->rank, i, j, slot->way.parent, state);
}

static void complain(const struct rma *rma, double silence)
{
    enum { LINES = 2 };     /* a thousand ranks may speak */
    fprintf(stderr, "ompfact: rank %d: nothing has moved for %.0f s; it waits for these tiles:\n", rma->rank, silence);
    const struct rma_slot *s = rma->waiting;
    for (int i = 0; i < LINES && s != NULL; i++, s = s->next)
        print_tile(rma, s, s->source != 0 ? "is final, its read has not been started" : "has not been published");
    for (int i = 0; i < LINES && (s = rma_wire_expected(rma, i)) != NULL; i++)
        print_tile(rma, s, "was asked for and has not come");
    for (int i = 0; i < LINES && i < rma->reads; i++)
        print_tile(rma, rma->reading[i], "is being read: that rank must keep polling");
}

void rma_watch(struct rma *rma, bool moved)
{
    struct rma_watch *w = &rma->watch;
    if (w->limit <= 0 || (!moved && ++w->polls % POLLS_PER_LOOK != 0))
        return;
    double now = MPI_Wtime();
    bool waits = rma->waiting != NULL || rma->reads > 0 || rma_wire_expects(rma);
    if (moved || !waits) {
        w->last_move = now;
        w->next_complaint = now + w->limit;
    } else if (now > w->next_complaint) {
        complain(rma, now - w->last_move);
        w->next_complaint = now + 2 * (now - w->last_move);
    }
}
