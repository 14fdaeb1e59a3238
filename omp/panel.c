/*
 * In halves of the columns (Toledo, "Locality of Reference in LU Decomposition with Partial Pivoting", 1997): the left ones; their
 * interchanges, U12 = L11^-1 A12 and A22 -= L21 U12, which threads share; then the right ones, whose interchanges move rows of L21.
 */
#include "omp/panel.h"
#include "omp/pieces.h"

enum { FEW = 8 };      /* columns that are not halved any more */

struct panel {
    const struct kernels *kernels;
    int m, n, half;
    char *A;
    int lda, *swap;
};

static char *at(const struct panel *p, int i, int j)
{
    return p->A + ((size_t)i + (size_t)j * (size_t)p->lda) * p->kernels->size;
}

/* U12 = L11^-1 A12 in columns from .. to-1. */
static void make_u12(const void *work, int from, int to)
{
    const struct panel *p = work;
    p->kernels->laswp(to - from, at(p, 0, from), p->lda, 0, p->half, p->swap);
    p->kernels->trsm(LEFT, LOWER, NO_TRANS, UNIT, p->half, to - from, p->A, p->lda, at(p, 0, from), p->lda);
}

/* A22 -= L21 U12 in rows from .. to-1. */
static void update_a22(const void *work, int from, int to)
{
    const struct panel *p = work;
    p->kernels->gemm(NO_TRANS, NO_TRANS, to - from, p->n - p->half, p->half, -1, at(p, from, 0), p->lda, at(p, 0, p->half), p->lda,
                     at(p, from, p->half), p->lda);
}

int getrf_panel(const struct kernels *kernels, const atomic_int *idle, int m, int n, void *A, int lda, int *swap)
{
    enum { COLUMNS = 64, ROWS = 256, PRODUCTS = 1 << 22 };      /* of a shared piece, at least: 100 microseconds of a product */
    int order = m < n ? m : n;
    struct panel p = { kernels, m, n, order <= FEW ? order : (order + 2 * FEW - 1) / (2 * FEW) * FEW, A, lda, swap };
    int info = p.half == order ? kernels->getrf_columns(m, p.half, A, lda, swap) : getrf_panel(kernels, idle, m, p.half, A, lda, swap);
    share_if_worth(idle, make_u12, &p, p.half, n, COLUMNS);
    if (p.half == order)
        return info;
    int rows = PRODUCTS / (p.half * (n - p.half));
    share_if_worth(idle, update_a22, &p, p.half, m, rows < ROWS ? ROWS : rows);
    int second = getrf_panel(kernels, idle, m - p.half, n - p.half, at(&p, p.half, p.half), lda, swap + p.half);
    for (int j = p.half; j < order; j++)
        swap[j] += p.half;
    kernels->laswp(p.half, A, lda, p.half, order, swap);
    return info != 0 || second == 0 ? info : p.half + second;
}
