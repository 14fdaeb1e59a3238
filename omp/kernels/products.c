#include "omp/kernels/products.h"
#include "omp/kernels/extremes.h"
#include "omp/kernels/sharing.h"

#include <stdlib.h>
#include <string.h>

enum { SUMS = 16 };     /* most sums of a shared product */

int rows_of_piece(int k, int n)
{
    enum { ROWS = 256, PRODUCTS = 1 << 22 };
    int rows = PRODUCTS / k / n;
    return rows < ROWS ? ROWS : rows;
}

static void multiply_rows(const struct products *p, int from, int to, void *W, int ldw)
{
    const char *V = at(p->precision, p->V, p->ldv, from, 0);
    if (p->gram)
        p->precision->kernels->herk(UPPER, CONJ_TRANS, p->n, to - from, -1, V, p->ldv, W, ldw);
    else
        p->precision->kernels->gemm(CONJ_TRANS, NO_TRANS, p->k, p->n, to - from, 1, V, p->ldv,
                                    at(p->precision, p->C, p->ldc, from, 0), p->ldc, W, ldw);
}

static void sum_rows(const struct products *p, int from, int to, char *sum)
{
    memset(sum, 0, (size_t)p->k * (size_t)p->n * p->precision->size);
    multiply_rows(p, from, to, sum, p->k);
}

static void sum_piece(const void *work, int from, int to)
{
    const struct products *p = work;
    sum_rows(p, from, to, p->sums + (size_t)(from / p->size) * (size_t)p->k * (size_t)p->n * p->precision->size);
}

void add_long_product(struct products *p)
{
    const struct precision *precision = p->precision;
    if (p->rows == 0 || p->k == 0 || p->n == 0)
        return;
    int size = rows_of_piece(p->k, p->n), even = (p->rows + SUMS - 1) / SUMS;
    p->size = size > even ? size : even;
    int pieces = (p->rows + p->size - 1) / p->size;
    bool shared = worth_sharing(p->idle, 0, p->rows, p->size);
    size_t bytes = (size_t)p->k * (size_t)p->n * precision->size;
    p->sums = pieces > 1 ? malloc((shared ? (size_t)pieces : 1) * bytes) : NULL;
    if (p->sums == NULL) {      /* one piece, or no memory for sums */
        multiply_rows(p, 0, p->rows, p->W, p->ldw);
        return;
    }
    if (shared)
        share_pieces(sum_piece, p, 0, p->rows, p->size);
    for (int i = 0; i < pieces; i++) {
        char *sum = p->sums + (shared ? (size_t)i * bytes : 0);
        if (!shared)
            sum_rows(p, i * p->size, smaller(p->rows, (i + 1) * p->size), sum);
        precision->kernels->add(p->k, p->n, 1, sum, p->k, p->W, p->ldw);
    }
    free(p->sums);
}

static void update_piece(const void *work, int from, int to)
{
    const struct products *p = work;
    p->precision->kernels->gemm(NO_TRANS, NO_TRANS, to - from, p->n, p->k, -1, at(p->precision, p->V, p->ldv, from, 0), p->ldv,
                                p->W, p->ldw, at(p->precision, p->C, p->ldc, from, 0), p->ldc);
}

void subtract_long_product(const struct products *p)
{
    if (p->rows > 0 && p->k > 0 && p->n > 0)
        share_if_worth(p->idle, update_piece, p, 0, p->rows, rows_of_piece(p->k, p->n));
}
