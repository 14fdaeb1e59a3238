/*
 * Recursion over halves of the columns (Toledo, "Locality of Reference in LU Decomposition with Partial Pivoting", 1997):
 * factor the left half; apply its interchanges, U12 = L11^-1 A12 and A22 -= L21 U12, which threads share; factor the right
 * half, and apply its interchanges to L21.
 */
#include "omp/kernels/panel.h"
#include "omp/kernels/sharing.h"
#include "omp/kernels/extremes.h"
#include "omp/kernels/products.h"

enum { FEW = 8 };      /* number of columns that is not halved */

struct panel {
    const struct precision *precision;
    int n, half;
    char *A;
    int lda, *swap;
};

/* U12 = L11^-1 A12 in columns from .. to-1. */
static void make_u12(const void *work, int from, int to)
{
    const struct panel *p = work;
    char *A12 = at(p->precision, p->A, p->lda, 0, from);
    p->precision->host->laswp(to - from, A12, p->lda, 0, p->half, p->swap);
    p->precision->kernels->trsm(LEFT, LOWER, NO_TRANS, UNIT, p->half, to - from, p->A, p->lda, A12, p->lda);
}

/* A22 -= L21 U12 in rows from .. to-1. */
static void update_a22(const void *work, int from, int to)
{
    const struct panel *p = work;
    const struct precision *k = p->precision;
    k->kernels->gemm(NO_TRANS, NO_TRANS, to - from, p->n - p->half, p->half, -1, at(k, p->A, p->lda, from, 0), p->lda,
                     at(k, p->A, p->lda, 0, p->half), p->lda, at(k, p->A, p->lda, from, p->half), p->lda);
}

int getrf_panel(const struct precision *precision, const atomic_int *idle, int m, int n, void *A, int lda, int *swap)
{
    enum { COLUMNS = 64 };      /* fewest columns of a shared piece */
    int order = smaller(m, n);
    struct panel p = { precision, n, order <= FEW ? order : (order + 2 * FEW - 1) / (2 * FEW) * FEW, A, lda, swap };
    int info = p.half == order ? precision->host->getrf_columns(m, p.half, A, lda, swap)
                               : getrf_panel(precision, idle, m, p.half, A, lda, swap);
    share_if_worth(idle, make_u12, &p, p.half, n, COLUMNS);
    if (p.half == order)
        return info;
    share_if_worth(idle, update_a22, &p, p.half, m, rows_of_piece(p.half, n - p.half));
    int second = getrf_panel(precision, idle, m - p.half, n - p.half, at(precision, A, lda, p.half, p.half), lda, swap + p.half);
    for (int j = p.half; j < order; j++)
        swap[j] += p.half;
    precision->host->laswp(p.half, A, lda, p.half, order, swap);
    return info != 0 || second == 0 ? info : p.half + second;
}
