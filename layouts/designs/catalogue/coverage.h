/*
 * Blocks while they are searched: who is in which block, and which pairs that covers, kept up to date move by move.
 */
#ifndef OMPFACT_LAYOUTS_DESIGNS_CATALOGUE_COVERAGE_H
#define OMPFACT_LAYOUTS_DESIGNS_CATALOGUE_COVERAGE_H

#include <stddef.h>

#include "layouts/designs/catalogue.h"

struct coverage {
    int ranks, points, n;               /* n: order of the group */
    int moved, free_ranks, orbits;      /* points moved; orbits of n ranks; all orbits of ranks: blocks to choose */
    int share;                          /* most cells off the diagonal that a rank may own */
    int pairs;                          /* orbits of pairs of points */
    int *pair;                          /* points x points: the orbit */
    int *pair_size, *pair_x, *pair_y;   /* pairs in it, and one of them */
    int *covers;                        /* how often the base blocks cover it */
    int64_t *coverers;                  /* sum of the indices of the blocks that do: the block, where there is one */
    int *uncovered, *uncovered_at, uncovered_count;

    unsigned char *in;                  /* orbits x points; a fixed block holds the first point of each orbit it contains */
    int *member, *member_at, *size;     /* orbits x points, orbits x points, orbits */
    int *alone;                         /* pairs that the block's rank alone covers */
    int64_t missing, excess;            /* pairs uncovered; cells over the share: the energy */
};

/* ranks, points, n, moved, free_ranks, orbits and share are set; the blocks are empty. 1 where there is no memory: destroy frees
   what there is. */
int coverage_create(struct coverage *c);
void coverage_destroy(struct coverage *c);

/* The block gains or loses a point that it did not or did have; a fixed block its whole orbit, named by the first point. */
void coverage_insert(struct coverage *c, int block, int point);
void coverage_erase(struct coverage *c, int block, int point);

/* Members of all blocks of all ranks. */
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

/* Pairs that no block covers, and cells that ranks alone can own beyond their share: zero is what the search is for. */
static inline int64_t coverage_energy(const struct coverage *c)
{
    return c->missing + c->excess;
}

#endif
