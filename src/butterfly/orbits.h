/* The rows that a butterfly mixes among each other, in spans that are tiles' in each of their images. */
#ifndef OMPFACT_SRC_BUTTERFLY_ORBITS_H
#define OMPFACT_SRC_BUTTERFLY_ORBITS_H

#include "omp/kernels/mixing.h"
#include "src/matrix/tiling.h"

/* Rows first .. first + size - 1 of the matrix, all of one tile row, from `at` on there. backwards: the span's t-th is the t-th
   from below. */
struct image {
    int64_t first;
    int tile, at;
    bool backwards;
};

/* `size` orbits that follow each other: the t-th are the t-th rows of the images. */
struct span {
    int size, images;
    struct image image[MOST_IMAGES];
};

struct spans {
    int64_t count;
    struct span *span;
};

/* depth 0: each row is alone. false: no memory. */
bool spans_create(struct spans *s, const struct tiling *rows, int depth);
void spans_destroy(struct spans *s);

/* By what the span's rows are mixed. */
void span_factors(const struct span *span, struct butterfly *with);

#endif
