/*
 * Search for blocks: P blocks on r points such that every pair of points is in a block and the cells can be shared out evenly,
 * with as few members in all as possible (members / r is the cost T).
 *
 * The search may ask for symmetry: a cyclic group of order n that moves the points in orbits of n, but for some fixed points, and
 * the ranks likewise. Then one block of each orbit of ranks determines the others, there is n times less to decide, and what is
 * found is short to write down. Most good designs have such a group.
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
    const struct blocks *from;          /* NULL: begin with random blocks. Or with part of these, without symmetry */
    int ovals;                          /* `from` is a cyclic plane: ranks that it has no line for begin with an oval each */
    int uneven;                         /* sizes of blocks may go apart; else they stay level */
    int start;                          /* members to begin with, in all blocks: a little more than is hoped for */
};

/* The best blocks met, as base blocks under the group. The same for the same arguments on every machine. Returns the number of
   members, 0 where none were found or the sizes do not fit, -1 where there is no memory. *found is destroyed by the caller. */
int cover_search(const struct cover_search *search, struct base_blocks *found);

#endif
