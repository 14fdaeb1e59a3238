/* The begins of tile rows, or of tile columns. */
#ifndef OMPFACT_SRC_MATRIX_TILING_H
#define OMPFACT_SRC_MATRIX_TILING_H

#include "src/grid/grid.h"

/* Sizes of tile rows or of tile columns. */
struct tiling {
    int count;
    int64_t *start;     /* count + 1: element index where each begins; start[count] is the matrix's size */
    int largest;        /* size of the largest part, at least 1 */
};

/* Checks arguments of tiling_create(): returns 0, or OMPFACT_BAD_ARGUMENT and a message. */
ompfact_status tiling_check(int64_t size, int nb, const int *sizes, int count, char message[MESSAGE]);
/* Consecutive parts of nb elements, the last one smaller; or the given sizes. Returns 0, or a positive status and a message. */
ompfact_status tiling_create(struct tiling *t, int64_t size, int nb, const int *sizes, int count, char message[MESSAGE]);
void tiling_destroy(struct tiling *t);
bool tiling_equal(const struct tiling *a, const struct tiling *b);
/* Sizes in the form of a shape: `fixed` given ones, and then parts of nb elements, of which one begins at `cut` if that is behind
   the given ones. *count: how many there are. The caller frees them; NULL: no memory, or more than an int can count. */
int *tiling_cut(const int *given, int fixed, int64_t size, int nb, int64_t cut, int64_t *count);
int *tiling_sizes(const struct tiling *t);      /* in the form of a shape; the caller frees them; NULL: no memory */
int tiling_part(const struct tiling *t, int64_t at);            /* the part with element `at` */
static inline int tiling_size(const struct tiling *t, int i)
{
    return (int)(t->start[i + 1] - t->start[i]);
}

#endif
