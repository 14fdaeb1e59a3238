/*
 * Search for blocks: P blocks on r points such that every pair of points is in a block and the cells can be distributed
 * evenly, with as few members in total as possible (members / r is the cost T).
 *
 * The search may require symmetry: a cyclic group of order n that moves the points in orbits of n, except for some fixed
 * points, and also the ranks. Then one block of each orbit of ranks determines the others, the search has n times fewer
 * choices, and its result has a short text. Most good designs have such a group.
 */
#ifndef OMPFACT_LAYOUTS_DESIGNS_CATALOGUE_COVER_H
#define OMPFACT_LAYOUTS_DESIGNS_CATALOGUE_COVER_H

#include "layouts/designs/catalogue.h"

struct cover_search {
    int ranks, points;
    int group;                          /* n; 1: no symmetry */
    int fixed_points, fixed_ranks;
    uint64_t seed;
    int64_t steps;                      /* moves to try */
    const struct blocks *from;          /* blocks or part of them at the begin, without symmetry; NULL: random blocks */
    int ovals;                          /* `from` is a cyclic plane; a rank without a line begins with an oval */
    int uneven;                         /* whether sizes of blocks may differ; else they are balanced */
    int start;                          /* initial number of members in all blocks: slightly more than the goal */
};

/* The best blocks of the search, as base blocks of the group. Deterministic on all machines. Returns the number of members, 0
   if none were found or the sizes do not fit, -1 without memory. The caller destroys *found. */
int cover_search(const struct cover_search *search, struct base_blocks *found);

#endif
