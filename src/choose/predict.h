/* Predicts the work of the tiles of a compressed matrix before the matrix is made: first ranks by samples, then the work. */
#ifndef OMPFACT_SRC_CHOOSE_PREDICT_H
#define OMPFACT_SRC_CHOOSE_PREDICT_H

#include "src/matrix/matrix.h"

/* The function that returns samples, as for ompfact_fill_entries(). */
struct entries {
    void (*entry)(void *context, int64_t i, int64_t j, void *value);
    void *context;
};

/*
 * predict_ranks.c: predicts the ranks of the compressed tiles of A, which is on paper, mt x nt row by row. TILE_DENSE is dense;
 * tiles that are not stored have 0. A gets its tolerance from the norm of the samples. The ranks of the grid share the tiles, and
 * all have the same result, for any number of ranks. Collective.
 */
ompfact_status predict_ranks(ompfact_grid *grid, ompfact_matrix *A, const struct entries *entries, double *found);

/* predict_work.c: replaces the ranks at the start of a factorization by the flops of all tasks that write each tile, counted as
   for real numbers. Local, the same on every rank; false: no memory. */
bool predict_work(const ompfact_matrix *A, int threads, double *found);

#endif
