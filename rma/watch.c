/* The watchdog: after a long silence a rank says which tile it waits for, and from whom, or that its neighbour is not there. A
   hang should explain itself. */
#include "rma/state.h"

#include <stdio.h>

enum { POLLS_PER_LOOK = 256 };
static const double LOOK = 0.2;         /* seconds between two looks at the neighbours' messages */

void rma_watch_reset(struct rma *rma)
{
    rma->watch.last_move = MPI_Wtime();
    rma->watch.next_complaint = rma->watch.last_move + rma->watch.limit;
    rma->watch.polls = 0;
}

static void print_tile(const struct rma *rma, const struct rma_slot *slot, const char *state)
{
    int i, j;
    char name[80], by[40] = "";
    if (slot->way.parent != slot->from.rank)
        snprintf(by, sizeof by, ", by rank %d,", slot->way.parent);
    rma_tile_place(&slot->from, &i, &j);
    if (slot->from.what != NULL)
        snprintf(name, sizeof name, "%s (number %lld)", slot->from.what, (long long)slot->from.id);
    else
        snprintf(name, sizeof name, "tile (%d,%d)", i, j);
    fprintf(stderr, "ompfact: rank %d: %s of rank %d%s %s\n", rma->rank, name, slot->from.rank, by, state);
}

/* What this rank has passed on. */
static void print_lent(const struct rma *rma, const struct rma_slot *slot)
{
    char state[120];
    snprintf(state, sizeof state, "was passed on from here to %d rank(s), rank %d first, and read by %u of them",
             slot->way.children, slot->way.child[0], (unsigned)rma_acks(rma->cache, slot));
    print_tile(rma, slot, state);
}

static bool waits_for_tiles(const struct rma *rma)
{
    return rma->waiting != NULL || rma->reads > 0;
}

static void name_tiles(const struct rma *rma, double silence)
{
    enum { LINES = 2 };     /* a thousand ranks may speak */
    fprintf(stderr, "ompfact: rank %d: nothing has moved for %.0f s; it waits for these tiles:\n", rma->rank, silence);
    const struct rma_slot *s = rma->waiting;
    for (int i = 0; i < LINES && s != NULL; i++, s = s->next)
        print_tile(rma, s, s->source != 0 ? "is final, its read has not been started" : "has not been published");
    for (int i = 0; i < LINES && i < rma->reads; i++)
        print_tile(rma, rma->reading[i], "is being read: that rank must keep polling");
    s = rma->cache != NULL ? rma->cache->lent : NULL;
    for (int i = 0; i < LINES && s != NULL; i++, s = s->next_lent)
        print_lent(rma, s);
}

/* Of a neighbour that is there nothing is said: it waits, too, or works. */
static void name_neighbour(const struct rma *rma, double now)
{
    const struct rma_watch *w = &rma->watch;
    double patience = w->limit / 4 > 5 * LOOK ? w->limit / 4 : 5 * LOOK;   /* both look now and then only */
    bool behind = w->in_call && w->heard_of > w->last_move && w->calls_of_neighbour < w->calls;
    if (w->asked && now - w->asked_at > patience)
        fprintf(stderr, "ompfact: rank %d: rank %d does not answer, for %.0f s now: it hangs, or computes outside this library\n",
                rma->rank, rma_neighbour(rma), now - w->asked_at);
    else if (behind)
        fprintf(stderr, "ompfact: rank %d: rank %d is there, but has not come to the call that this one has been in for %.0f s\n",
                rma->rank, rma_neighbour(rma), now - w->last_move);
}

static void watch(struct rma *rma, bool moved, double now)
{
    struct rma_watch *w = &rma->watch;
    bool closing = rma->closing_started && !rma->closed, lends = rma->cache != NULL && rma->cache->lent != NULL;
    if (moved || !(waits_for_tiles(rma) || lends || closing || w->in_call || rma_talk_is_open(rma))) {
        w->last_move = now;
        w->next_complaint = now + w->limit;
        return;
    }
    if (now - w->last_move > w->limit / 2 && now - w->asked_at > w->limit / 2)
        rma_neighbour_ask(rma, now);
    if (now <= w->next_complaint)
        return;
    if (waits_for_tiles(rma) || lends)
        name_tiles(rma, now - w->last_move);
    name_neighbour(rma, now);
    w->next_complaint = now + 2 * (now - w->last_move);
}

void rma_watch(struct rma *rma, bool moved)
{
    struct rma_watch *w = &rma->watch;
    if (!moved && ++w->polls % POLLS_PER_LOOK != 0)
        return;
    double now = MPI_Wtime();
    if (now > w->next_look) {
        rma_neighbour_answer(rma);
        w->next_look = now + LOOK;
    }
    if (w->limit > 0)
        watch(rma, moved, now);
}
