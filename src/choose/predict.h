/* Work of the tiles of a compressed matrix before the matrix is made: their ranks by samples, then what these come to. */
#ifndef OMPFACT_SRC_CHOOSE_PREDICT_H
#define OMPFACT_SRC_CHOOSE_PREDICT_H

#include "src/matrix/matrix.h"

/* Where samples come from: as for ompfact_fill_entries(). */
struct entries {
    void (*entry)(void *context, int64_t i, int64_t j, void *value);
    void *context;
};

/*
 * predict_ranks.c: the ranks that the tiles of A, which is on paper, would be compressed to, mt x nt row by row; TILE_DENSE is
 * dense, and tiles that are not stored have 0. A gets its tolerance by the norm that the samples have. The ranks of the grid
 * share the tiles, and all have the same in the end, whatever their number. Collective.
 */
ompfact_status predict_ranks(ompfact_grid *grid, ompfact_matrix *A, const struct entries *entries, double *found);

/* predict_work.c: in the place of ranks, with which a factorization begins, the flops of all tasks that write each tile, as if
   the numbers were real. Local, the same on every rank; false: no memory. */
bool predict_work(const ompfact_matrix *A, int threads, double *found);

#endif
