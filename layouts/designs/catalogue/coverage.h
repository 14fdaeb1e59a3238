/* The blocks during a search: their members and the pairs that they cover, updated after each move. */
#ifndef OMPFACT_LAYOUTS_DESIGNS_CATALOGUE_COVERAGE_H
#define OMPFACT_LAYOUTS_DESIGNS_CATALOGUE_COVERAGE_H

#include <stddef.h>

#include "layouts/designs/catalogue.h"

struct coverage {
    int ranks, points, n;               /* n: order of the group */
    int moved, free_ranks, orbits;      /* points that the group moves; orbits of n ranks; all orbits of ranks, which are the
                                           blocks to choose */
    int share;                          /* most cells off the diagonal that a rank may own */
    int pairs;                          /* orbits of pairs of points */
    int *pair;                          /* points x points: the orbit of the pair */
    int *pair_size, *pair_x, *pair_y;   /* number of pairs in the orbit, and one of them */
    int *covers;                        /* number of base blocks that cover the orbit */
    int64_t *coverers;                  /* sum of the indices of the blocks that cover it: the block, if there is one */
    int *uncovered, *uncovered_at, uncovered_count;

    unsigned char *in;                  /* orbits x points: membership; a fixed block holds the first point of each orbit it
                                           contains */
    int *member, *member_at, *size;     /* orbits x points, orbits x points, orbits */
    int *alone;                         /* number of pairs that only the block's rank covers */
    int64_t missing, excess;            /* the energy: uncovered pairs; cells over the share */
};

/* ranks, points, n, moved, free_ranks, orbits and share must be set; the blocks are empty. Returns 1 without memory;
   coverage_destroy frees what was allocated. */
int coverage_create(struct coverage *c);
void coverage_destroy(struct coverage *c);

/* Adds a point to the block that it did not have, or removes one that it had; for a fixed block the whole orbit, given by its
   first point. */
void coverage_insert(struct coverage *c, int block, int point);
void coverage_erase(struct coverage *c, int block, int point);

/* The number of members of all blocks of all ranks. */
int coverage_members(const struct coverage *c);

static inline bool coverage_is_fixed(const struct coverage *c, int block)
{
    return block >= c->free_ranks;
}

static inline int coverage_move(const struct coverage *c, int point, int t)
{
    return group_move(point, t, c->n, c->moved);
}

static inline bool coverage_has(const struct coverage *c, int block, int point)
{
    return c->in[(size_t)block * (size_t)c->points + (size_t)point];
}

/* Pairs that no block covers, and cells beyond their shares that only single ranks can own: the search aims at zero. */
static inline int64_t coverage_energy(const struct coverage *c)
{
    return c->missing + c->excess;
}

#endif
