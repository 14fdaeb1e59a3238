/*
 * Symmetric patterns from blocks: rank p may own the cells (i,j) whose i and j are both among its points, the block of p. The
 * points are the colrows of the pattern, T is the total size of the blocks over the number of points, and the diagonal is
 * free. Every pair of points must be in a block; a block design with lambda = 1 (a projective plane, a Steiner system) has
 * each pair in exactly one. If several ranks may own a cell, the matching below chooses one.
 */
#ifndef OMPFACT_LAYOUTS_DESIGNS_BLOCKS_H
#define OMPFACT_LAYOUTS_DESIGNS_BLOCKS_H

#include "layouts/layout.h"

struct blocks {
    int ranks, points;
    int *first;         /* ranks + 1: the points of rank p are point[first[p]] .. point[first[p + 1] - 1] */
    int *point;
};

/* Memory for so many points in all blocks together, initially zero. Returns 0, or 1 without memory. */
int blocks_create(struct blocks *b, int ranks, int points, int64_t members);
void blocks_destroy(struct blocks *b);

/*
 * The pattern of the blocks: a free diagonal, and every other cell owned by a rank whose block has both points. Loads are as
 * balanced as the matching makes them, at most floor(r^2 / P). NULL: a pair is in no block, or the loads cannot be so
 * balanced, or there is no memory.
 */
struct pattern *blocks_pattern(const struct blocks *b);

/* ---- the matching ------------------------------------------------------------------------------------------------------- */

/* Cells and the ranks that may own them, in both directions. */
struct matching {
    int cells, ranks;
    int *first_rank, *rank;     /* ranks of cell c: rank[first_rank[c]] .. */
    int *first_cell, *cell;     /* cells of rank p: cell[first_cell[p]] .. */
    int *owner;                 /* owner of cell c; -1: none yet */
    int *load;                  /* cells owned by rank p */
    int *queue, *from, *via;    /* the search: ranks, the rank from which each was reached, the cell that it would pass on */
    unsigned char *full;        /* ranks that are known to lead to no room */
};

/* All cells (i,j), i != j, of points x points, c = i * points + j, without owners. A diagonal cell has no candidates. Returns 1
   without memory. */
int matching_create(struct matching *m, const struct blocks *b);
void matching_destroy(struct matching *m);

/* Gives as many cells as possible to ranks of load < capacity, along augmenting paths; the load of a rank never decreases.
   Returns the number of cells off the diagonal of points x points that remain without owner. */
int matching_grow(struct matching *m, int capacity);

/* A second matching, of the cells without owner, with at most one more cell for each rank; owners remain. Returns the number of
   cells that remain without owner, or -1 without memory. No other matching may follow. */
int matching_grow_by_one(struct matching *m);

/* ---- validity ----------------------------------------------------------------------------------------------------------- */

/*
 * Returns 1 if the free diagonal can be distributed, over the repetitions of the pattern, so that every rank has exactly r^2 /
 * P cells: a maximum flow from the free cells to the ranks of their colrows. Returns 0 if not, and -1 without memory.
 */
int pattern_is_balanced(const struct pattern *pattern);

#endif
