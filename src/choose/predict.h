/* Predicts the work of the tiles of a compressed matrix before the matrix is made: first ranks by samples, then the work. */
#ifndef OMPFACT_SRC_CHOOSE_PREDICT_H
#define OMPFACT_SRC_CHOOSE_PREDICT_H

#include "src/matrix/matrix.h"

/* The function that returns samples, as for ompfact_fill_entries(). */
struct entries {
    void (*entry)(void *context, int64_t i, int64_t j, void *value);
    void *context;
};

/* A sample of tile (i,j): m x n of its mb x nb elements, at equal strides. */
struct sample {
    int i, j, mb, nb, m, n;
    char *values;       /* for ranks: the sample, with room after it for the columns of its compressed form */
};
struct sample sample_of(const ompfact_matrix *A, int i, int j, int side);       /* with at most so many rows and columns */
/* The row, or column, of the matrix that has this index in the sample, of count. */
int64_t sample_place(const struct tiling *t, int tile, int index, int count);
/* The estimated sum of squares of the tile, from the sums over the sample: on the diagonal of a square tile, and elsewhere. */
double sample_squares(const struct sample *x, double diagonal, double rest);

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
