/*
 * Makes allocations fail, one after another. In a trial the k-th allocation of one rank fails, alone or with all later ones. The
 * trial creates and destroys everything that it uses. make check tries a sample of the allocations.
 *
 *   OMPFACT_ALLOCATIONS=all     tries every allocation of every rank
 *   OMPFACT_ALLOCATIONS=R:K     tries allocation K of rank R, alone and with all later ones; CK_RUN_CASE selects a trial by name
 */
#ifndef OMPFACT_TESTS_ALLOCATION_POINTS_H
#define OMPFACT_TESTS_ALLOCATION_POINTS_H

#include "tests/failing_memory.h"
#include "tests/mpi_handles.h"
#include "tests/suite.h"

#include <limits.h>

/* Which allocation fails, and on which rank. */
struct point {
    int rank, allocation;
    bool forever;
};

struct trial {
    const char *name;
    void (*run)(const void *what, const char *name, struct point point);
    const void *what;
};

/* Calls around a trial. end_failing() returns how many of this rank's allocations failed. */
static inline void begin_failing(struct point p)
{
    if (p.rank == my_rank())
        memory_fails_after(p.allocation, p.forever);
}

static int allocations_seen;

static inline int end_failing(struct point p)
{
    int left = memory.left;
    allocations_seen = p.rank == my_rank() ? p.allocation - (left < 0 ? 0 : left) : 0;
    memory_recovers();
    return p.rank == my_rank() ? memory.failures : 0;
}

static inline const char *point_name(const char *name, struct point p)
{
    static char words[160];
    snprintf(words, sizeof words, "%s, allocation %d of rank %d%s", name, p.allocation, p.rank,
             p.forever ? " and all after it" : "");
    return words;
}

/* Runs the trial once. Afterwards all memory and all objects of MPI are freed. */
static inline void try_point(const struct trial *t, struct point p)
{
    long blocks = blocks_made;
    int before[] = { handles.comms, handles.windows, handles.infos, handles.requests };
    t->run(t->what, t->name, p);
    int after[] = { handles.comms, handles.windows, handles.infos, handles.requests };
    int left = blocks_left(blocks);
    if (left > 0)
        printf("rank %d: %s fails, at 0x%lx\n", my_rank(), point_name(t->name, p), place_of(memory.where));
    assert_everywhere_msg(left == 0, "%s: %d allocations are left", point_name(t->name, p), left);
    assert_everywhere_msg(memcmp(before, after, sizeof before) == 0,
                          "%s: left are %d communicators, %d windows, %d infos, %d requests", point_name(t->name, p),
                          after[0] - before[0], after[1] - before[1], after[2] - before[2], after[3] - before[3]);
}

/* Collective: the number of allocations of that rank. */
static inline int count_allocations(const struct trial *t, int rank)
{
    try_point(t, (struct point){ .rank = rank, .allocation = INT_MAX });
    int seen = allocations_seen;
    reduce(&seen, 1, MPI_INT, MPI_MAX);
    return seen;
}

/* Tries at most `most` points, spread over all allocations of all ranks. Single failures and failures of all later allocations
   take turns. */
static inline void try_points(const struct trial *t, int most)
{
    const char *requested = getenv("OMPFACT_ALLOCATIONS");
    struct point p = { 0 };
    if (requested != NULL && sscanf(requested, "%d:%d", &p.rank, &p.allocation) == 2) {
        try_point(t, p);
        p.forever = true;
        try_point(t, p);
        return;
    }
    bool all = requested != NULL && strcmp(requested, "all") == 0;
    int ranks = all_ranks_count(), tried = 0, points = 0;
    for (p.rank = 0; p.rank < ranks; p.rank++) {
        int count = count_allocations(t, p.rank), share = (most + ranks - 1) / ranks;
        int step = all || count <= share ? 1 : (count + share - 1) / share;
        points += count;
        for (int k = all ? 0 : p.rank % step; k < count; k += step)
            for (int twice = 0; twice <= all; twice++, tried++) {
                p.allocation = k;
                p.forever = all ? twice : (k / step + p.rank) % 2;
                try_point(t, p);
            }
    }
    if (my_rank() == 0) {
        printf("%s: %d allocations on %d rank%s, %d failures tried\n", t->name, points, ranks, ranks == 1 ? "" : "s", tried);
        fflush(stdout);
    }
}

#endif
