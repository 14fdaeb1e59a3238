/* The watchdog: after a long silence a rank prints which tile it waits for and from which rank, or that the next rank does
   not reply. A hang should explain itself. */
#include "rma/state.h"

#include <stdio.h>

enum { POLLS_PER_CHECK = 256 };
static const double CHECK_INTERVAL = 0.2;         /* seconds between two tests for pings and replies */

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
    if (slot->route.parent != slot->from.rank)
        snprintf(by, sizeof by, ", by rank %d,", slot->route.parent);
    rma_tile_place(&slot->from, &i, &j);
    if (slot->from.what != NULL)
        snprintf(name, sizeof name, "%s (number %lld)", slot->from.what, (long long)slot->from.id);
    else
        snprintf(name, sizeof name, "tile (%d,%d)", i, j);
    fprintf(stderr, "ompfact: rank %d: %s of rank %d%s %s\n", rma->rank, name, slot->from.rank, by, state);
}

/* A slot that children of this rank have not acknowledged. */
static void print_forwarded(const struct rma *rma, const struct rma_slot *slot)
{
    char state[120];
    snprintf(state, sizeof state, "was forwarded from here to %d rank(s), rank %d first, and read by %u of them",
             slot->route.children, slot->route.child[0], (unsigned)rma_acks(rma->cache, slot));
    print_tile(rma, slot, state);
}

static bool waits_for_tiles(const struct rma *rma)
{
    return rma->waiting != NULL || rma->reads > 0;
}

static void name_tiles(const struct rma *rma, double silence)
{
    enum { LINES = 2 };     /* a thousand ranks may print */
    fprintf(stderr, "ompfact: rank %d: no progress for %.0f s; it waits for these tiles:\n", rma->rank, silence);
    const struct rma_slot *s = rma->waiting;
    for (int i = 0; i < LINES && s != NULL; i++, s = s->next)
        print_tile(rma, s, s->source != 0 ? "is final, its read has not been started" : "has not been published");
    for (int i = 0; i < LINES && i < rma->reads; i++)
        print_tile(rma, rma->reading[i], "is being read: that rank must keep polling");
    s = rma->cache != NULL ? rma->cache->forwarded : NULL;
    for (int i = 0; i < LINES && s != NULL; i++, s = s->next_forwarded)
        print_forwarded(rma, s);
}

/* Prints nothing about a rank that replies: it waits, too, or computes. */
static void name_ping_target(const struct rma *rma, double now)
{
    const struct rma_watch *w = &rma->watch;
    double patience = w->limit / 4 > 5 * CHECK_INTERVAL ? w->limit / 4 : 5 * CHECK_INTERVAL;   /* both ranks test only now and
                                                                                                  then */
    bool behind = w->in_call && w->pong_time > w->last_move && w->calls_of_target < w->calls;
    if (w->ping_open && now - w->ping_time > patience)
        fprintf(stderr, "ompfact: rank %d: rank %d has not answered for %.0f s: it hangs, or computes outside this library\n",
                rma->rank, rma_ping_target(rma), now - w->ping_time);
    else if (behind)
        fprintf(stderr, "ompfact: rank %d: rank %d answers, but has not entered the call in which this rank has waited for "
                        "%.0f s\n",
                rma->rank, rma_ping_target(rma), now - w->last_move);
}

static void watch(struct rma *rma, bool moved, double now)
{
    struct rma_watch *w = &rma->watch;
    bool closing = rma->closing_started && !rma->closed, forwards = rma->cache != NULL && rma->cache->forwarded != NULL;
    if (moved || !(waits_for_tiles(rma) || forwards || closing || w->in_call || rma_gather_is_open(rma))) {
        w->last_move = now;
        w->next_complaint = now + w->limit;
        return;
    }
    if (now - w->last_move > w->limit / 2 && now - w->ping_time > w->limit / 2)
        rma_ping_send(rma, now);
    if (now <= w->next_complaint)
        return;
    if (waits_for_tiles(rma) || forwards)
        name_tiles(rma, now - w->last_move);
    name_ping_target(rma, now);
    w->next_complaint = now + 2 * (now - w->last_move);
}

void rma_watch(struct rma *rma, bool moved)
{
    struct rma_watch *w = &rma->watch;
    if (!moved && ++w->polls % POLLS_PER_CHECK != 0)
        return;
    double now = MPI_Wtime();
    if (now > w->next_check) {
        rma_ping_poll(rma);
        w->next_check = now + CHECK_INTERVAL;
    }
    if (w->limit > 0)
        watch(rma, moved, now);
}
