/* The arithmetic of butterflies on a block of a matrix (src/butterfly/butterfly.h), and copies of blocks that run backwards or
   across. */
#ifndef OMPFACT_OMP_KERNELS_MIXING_H
#define OMPFACT_OMP_KERNELS_MIXING_H

#include "omp/kernels/kernels.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST_IMAGES = 4, LONGEST_SPAN = 64 };
enum { LEVELS = 2, LEVEL_PAIRS = MOST_IMAGES / 2 };

/*
 * As many rows in each of 1, 2 or 4 spans, the images. Row t of the one makes a pair (x, y) with row t of another:
 *     level 0: images 2p and 2p + 1,   level 1: images p and p + 2,   each   [ a b; a -b ]^T (x, y) = (a (x + y), b (x - y))
 * with a = first[level][p][t], b = second[level][p][t]. Two images have level 0 alone, one has none.
 */
struct butterfly {
    int images, size;
    double first[LEVELS][LEVEL_PAIRS][LONGEST_SPAN], second[LEVELS][LEVEL_PAIRS][LONGEST_SPAN];
};

/* B := W^T B, or, back, W B; from the right B W, or B W^T. B's rows, from the right its columns, are the images one behind the
   other; it has so many others. W, by the words above, is real. */
void butterfly_mix(const struct precision *precision, const struct butterfly *with, bool back, enum side side, int others,
                   void *B, int ldb);

/* Elements of a block: of row i and column j at data + i row_step + j column_step elements. */
struct steps {
    void *data;
    int64_t row_step, column_step;
};
/* Asks for m x n elements that will be read: they are on their way to the caches meanwhile. */
void prefetch_steps(const struct precision *precision, int m, int n, struct steps from);
/* to := from, or its conjugate: m x n, or the triangle. */
void copy_by_steps(const struct precision *precision, bool conjugate, enum uplo part, int m, int n, struct steps from,
                   struct steps to);
/* B := a Hermitian matrix, or a symmetric one, of which this is the triangle. */
void complete_square(const struct precision *precision, bool hermitian, enum uplo part, int n, void *B, int ldb);

#endif
