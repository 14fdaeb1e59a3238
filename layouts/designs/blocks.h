/*
 * Symmetric patterns from blocks: rank p may own the cells (i,j) whose i and j are both among its points, the block of p. The
 * points are the colrows of the pattern, T is the blocks' total size over the number of points, and the diagonal stays free.
 * Every pair of points must lie in a block; a block design with lambda = 1 (a projective plane, a Steiner system) has each pair
 * in just one. Which of several ranks gets a cell, the matching below decides.
 */
#ifndef OMPFACT_LAYOUTS_DESIGNS_BLOCKS_H
#define OMPFACT_LAYOUTS_DESIGNS_BLOCKS_H

#include "layouts/layout.h"

struct blocks {
    int ranks, points;
    int *first;         /* ranks + 1: the points of rank p are point[first[p]] .. point[first[p + 1] - 1] */
    int *point;
};

/* Room for so many points in all blocks together, first all zero. Returns 0, or 1 where there is no memory. */
int blocks_create(struct blocks *b, int ranks, int points, int64_t members);
void blocks_destroy(struct blocks *b);

/*
 * The pattern of the blocks: free diagonal, every other cell with a rank whose block has both its points, loads as level as the
 * matching gets them, at most floor(r^2 / P). NULL: a pair is in no block, the loads cannot be that level, or there is no memory.
 */
struct pattern *blocks_pattern(const struct blocks *b);

/* ---- the matching ------------------------------------------------------------------------------------------------------- */

/* Cells and the ranks that may own them, both ways. */
struct matching {
    int cells, ranks;
    int *first_rank, *rank;     /* of cell c: rank[first_rank[c]] .. */
    int *first_cell, *cell;     /* of rank p: cell[first_cell[p]] .. */
    int *owner;                 /* of cell c; -1: none yet */
    int *load;                  /* cells owned by rank p */
    int *queue, *from, *via;    /* of the search: ranks, the rank each was reached from, the cell it would hand on */
    unsigned char *full;        /* ranks that are known to lead to no room */
};

/* All cells (i,j), i != j, of points x points, c = i * points + j, nobody's yet;
   a diagonal cell has no candidates. 1: no memory. */
int matching_create(struct matching *m, const struct blocks *b);
void matching_destroy(struct matching *m);

/* Gives as many cells as can be to ranks of load < capacity, along augmenting paths; a rank's load never falls. Returns how many
   cells off the diagonal of points x points remain without owner. */
int matching_grow(struct matching *m, int capacity);

/* A second matching, of the cells left without owner with at most one more cell for each rank; owners stay. Returns how many
   cells remain, -1 where there is no memory. Nothing may follow it. */
int matching_grow_by_one(struct matching *m);

/* ---- validity ----------------------------------------------------------------------------------------------------------- */

/*
 * 1 if the free diagonal can be shared out, over the repetitions of the pattern, so that every rank ends with exactly r^2 / P
 * cells: a maximum flow from the free cells to the ranks of their colrows. 0 if not, and -1 where there is no memory.
 */
int pattern_is_balanced(const struct pattern *pattern);

#endif
