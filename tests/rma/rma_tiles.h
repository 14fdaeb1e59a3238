/*
 * A space of TILES tiles of every rank, functions that write, publish and fetch them, and fixtures for the ways to communicate.
 * Tile t of rank q has the id q * TILES + t, and all its numbers are stamp(run, id).
 */
#ifndef OMPFACT_TESTS_RMA_TILES_H
#define OMPFACT_TESTS_RMA_TILES_H

#include "rma/rma.h"
#include "tests/suite.h"

enum { TILES = 5, WORDS = 2500 };       /* a tile is not a whole number of pages */
enum { PATIENCE = 300 };                /* seconds: a busy machine needs less */

static struct rma *rma;

static inline void create_rma(bool in_place, enum rma_bcast bcast)
{
    enum rma_between between = getenv("OMPFACT_TEST_MESSAGES") != NULL ? RMA_MESSAGES : RMA_ONE_SIDED;
    char text[256];
    int made = rma_create(MPI_COMM_WORLD, in_place, bcast, between, &rma, text, sizeof text);
    assert_everywhere_msg(made == MPI_SUCCESS, "%s", text);
    rma_set_watchdog(rma, 20);
}

static inline void create_copying(void)
{
    create_rma(false, RMA_FLAT);
}

static inline void create_in_place(void)
{
    create_rma(true, RMA_FLAT);
}

static inline void create_copying_with_sums(void)
{
    create_rma(false, RMA_FLAT);
    assert_everywhere(rma_set_sums(rma, true) == MPI_SUCCESS);
}

static inline void create_in_place_with_sums(void)
{
    create_rma(true, RMA_FLAT);
    assert_everywhere(rma_set_sums(rma, true) == MPI_SUCCESS);
}

static inline void destroy_rma(void)
{
    rma_destroy(&rma);
    assert_everywhere(rma == NULL);
}

/* ---- tiles ----------------------------------------------------------------------------------------------------------------- */

static inline int64_t stamp(int run, int64_t id)
{
    return INT64_C(1000003) * run + id + 1;
}

static inline struct rma_address address_of(struct rma_space *space, int rank, int t)
{
    return (struct rma_address){ .space = space, .rank = rank, .disp = (MPI_Aint)sizeof(int64_t) * WORDS * t,
                                 .bytes = sizeof(int64_t) * WORDS, .id = (int64_t)rank * TILES + t };
}

static inline struct rma_space *new_space(void)
{
    struct rma_space *space;
    int tiles = rma_ranks(rma) * TILES;
    assert_everywhere(rma_space_create(rma, sizeof(int64_t) * WORDS * TILES, tiles, TILES, &space) == MPI_SUCCESS);
    return space;
}

/* Writes tile t of this rank. */
static inline void write_tile(struct rma_space *space, int run, int t)
{
    int64_t *word = (int64_t *)rma_space_base(space) + (ptrdiff_t)WORDS * t;
    for (int w = 0; w < WORDS; w++)
        word[w] = stamp(run, (int64_t)rma_rank(rma) * TILES + t) + w;
}

/* Opens a run. The pointer to the space must be valid until the run ends. */
static inline void open_run(struct rma_space **space, bool settled)
{
    assert_everywhere(rma_open(rma, space, &settled, 1, NULL) == MPI_SUCCESS);
}

/* Publishes a tile to every other rank. size: for a sized tile. */
static inline void publish_as(struct rma_address tile, int size)
{
    int me = rma_rank(rma), ranks = rma_ranks(rma);
    size_t readers = (sizeof(struct rma_publication) + (size_t)ranks * sizeof(int) + 7) / 8 * 8;
    struct rma_publication *p = malloc(readers + (size_t)ranks * sizeof p->word[0]);
    *p = (struct rma_publication){ .tile = tile, .size = size, .word = (struct rma_word *)((char *)p + readers) };
    for (int q = 1; q < ranks; q++)
        p->reader[p->count++] = (me + q) % ranks;
    rma_publish(rma, p);
}

static inline void publish(struct rma_space *space, int t)
{
    publish_as(address_of(space, rma_rank(rma), t), 0);
}

/* A fetch and its result. */
struct order {
    struct rma_slot slot;
    int64_t words[WORDS];
    int arrivals;
};

/* Data that are read in place are copied now, because the owner may write them again in the next run. */
static inline void arrived(struct rma_slot *slot)
{
    struct order *order = slot->context;
    if (!slot->copied)
        memcpy(order->words, slot->data, sizeof order->words);
    order->arrivals++;
}

static inline void fetch(struct rma_space *space, int rank, int t, struct order *order)
{
    *order = (struct order){ .arrivals = 0 };
    order->slot.from = address_of(space, rank, t);
    char *in_place = rma_space_in_place(space, rank);
    order->slot.data = in_place != NULL ? in_place + order->slot.from.disp : (char *)order->words;
    order->slot.copied = in_place == NULL;
    order->slot.route.parent = rank;
    order->slot.arrived = arrived;
    order->slot.context = order;
    rma_fetch(rma, &order->slot);
}

static inline bool arrived_right(const struct order *order, int run)
{
    bool right = order->arrivals == 1;
    for (int w = 0; w < WORDS; w++)
        right &= order->words[w] == stamp(run, order->slot.from.id) + w;
    return right;
}

/* Polls until so many orders have arrived, or for PATIENCE seconds. */
static inline bool wait_for(const struct order *orders, int count)
{
    struct rma_backoff backoff = { 0 };
    double end = MPI_Wtime() + PATIENCE;
    for (int done = 0; MPI_Wtime() < end;) {
        bool moved = rma_progress(rma, false);
        moved |= rma_deliver(rma);
        for (done = 0; done < count && orders[done].arrivals > 0; done++)
            ;
        if (done == count)
            return true;
        if (!moved)
            rma_back_off(&backoff);
    }
    return false;
}

/* Collective. A rank that polls serves the requests of the others while it waits. */
static inline void meet(bool polls)
{
    MPI_Request all;
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    for (int here = 0; !here; sched_yield()) {
        if (polls)
            rma_progress(rma, true);
        MPI_Test(&all, &here, MPI_STATUS_IGNORE);
    }
}

/* ---- in a cache ------------------------------------------------------------------------------------------------------------ */

static inline void arrived_in_cache(struct rma_slot *slot)
{
    ((struct order *)slot->context)->arrivals++;
}

/* Polls until the cache's only slot is free, and takes it. Returns false after so many seconds. */
static inline bool becomes_free(struct rma_cache *cache, const struct rma_address *next, double seconds)
{
    for (double end = MPI_Wtime() + seconds; MPI_Wtime() < end; rma_progress(rma, true))
        if (rma_cache_take(cache, 1, next, NULL) != NULL)
            return true;
    return false;
}

#endif
