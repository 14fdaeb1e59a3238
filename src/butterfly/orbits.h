/* The rows that a butterfly mixes with each other, in spans. In each image a span lies in one tile row. */
#ifndef OMPFACT_SRC_BUTTERFLY_ORBITS_H
#define OMPFACT_SRC_BUTTERFLY_ORBITS_H

#include "omp/kernels/mixing.h"
#include "src/matrix/tiling.h"

/* Rows first .. first + size - 1 of the matrix, all in one tile row, where they begin at row `at`. backwards: the t-th row of the
   span is the t-th from below. */
struct image {
    int64_t first;
    int tile, at;
    bool backwards;
};

/* `size` consecutive orbits: the t-th orbit has the t-th row of each image. */
struct span {
    int size, images;
    struct image image[MOST_IMAGES];
};

struct spans {
    int64_t count;
    struct span *span;
};

/* Cuts rows into spans. With depth 0 each row is an orbit by itself. false: no memory. */
bool spans_create(struct spans *s, const struct tiling *rows, int depth);
void spans_destroy(struct spans *s);

/* The factors that mix the rows of the span. */
void span_factors(const struct span *span, struct butterfly *with);

#endif
