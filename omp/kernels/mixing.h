/* The arithmetic of butterflies on a block of a matrix (src/butterfly/butterfly.h), and copies of blocks in any direction. */
#ifndef OMPFACT_OMP_KERNELS_MIXING_H
#define OMPFACT_OMP_KERNELS_MIXING_H

#include "omp/kernels/kernels.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST_IMAGES = 4, LONGEST_SPAN = 64 };
enum { LEVELS = 2, LEVEL_PAIRS = MOST_IMAGES / 2 };

/*
 * Equally many rows in each of 1, 2 or 4 spans, the images. Row t of one image makes a pair (x, y) with row t of another:
 *     level 0: images 2p and 2p + 1,   level 1: images p and p + 2,   each   [ a b; a -b ]^T (x, y) = (a (x + y), b (x - y))
 * with a = first[level][p][t], b = second[level][p][t]. Two images have only level 0, one image has no level.
 */
struct butterfly {
    int images, size;
    double first[LEVELS][LEVEL_PAIRS][LONGEST_SPAN], second[LEVELS][LEVEL_PAIRS][LONGEST_SPAN];
};

/* B := W^T B, or with `back` W B; from the right B W, or B W^T. The images are B's consecutive rows, from the right its
   columns; `others`: the number of columns, or rows. W, as defined above, is real. */
void butterfly_mix(const struct precision *precision, const struct butterfly *with, bool back, enum side side, int others,
                   void *B, int ldb);

/* Elements of a block: row i and column j are at data + i row_step + j column_step elements. */
struct steps {
    void *data;
    int64_t row_step, column_step;
};
/* Prefetches m x n elements that will be read. */
void prefetch_steps(const struct precision *precision, int m, int n, struct steps from);
/* to := from, or its conjugate: m x n, or the triangle. */
void copy_by_steps(const struct precision *precision, bool conjugate, enum uplo part, int m, int n, struct steps from,
                   struct steps to);
/* B := the Hermitian or symmetric matrix with this triangle. */
void complete_square(const struct precision *precision, bool hermitian, enum uplo part, int n, void *B, int ldb);

#endif
