/*
 * Products with the long columns of a panel, in one piece of memory. Threads share them by rows; for V^H C they compute one
 * sum each. The sums are the same whether threads are idle or not, and so the result is the same to the last bit.
 */
#ifndef OMPFACT_OMP_KERNELS_PRODUCTS_H
#define OMPFACT_OMP_KERNELS_PRODUCTS_H

#include "omp/kernels/kernels.h"

#include <stdatomic.h>
#include <stdbool.h>

/* V is rows x k, C rows x n, W k x n. */
struct products {
    const struct precision *precision;
    const atomic_int *idle;
    bool gram;          /* W -= V^H V in the upper triangle in place of W += V^H C; C is not used */
    int rows, k, n;
    const char *V;
    int ldv;
    char *C;
    int ldc;
    char *W;
    int ldw;
    /* Rows of a piece of W += V^H C. The sums of pieces are consecutive in `sums`, or use its beginning in turn. */
    int size;
    char *sums;
};

static inline char *at(const struct precision *precision, const void *A, int lda, int i, int j)
{
    return (char *)A + ((size_t)i + (size_t)j * (size_t)lda) * precision->size;
}

/* The least number of rows of a shared piece of a product with k * n multiplications a row: 100 microseconds. */
int rows_of_piece(int k, int n);
/* W += V^H C. */
void add_long_product(struct products *p);
/* C -= V W. */
void subtract_long_product(const struct products *p);

#endif
