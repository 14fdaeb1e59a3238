/*
 * Recursion over halves of the columns (Elmroth, Gustavson, "Applying recursion to serial and parallel QR factorization leads
 * to better performance", 2000): factor the left half; A12 := Q1^H A12; factor the right half; and compute the triangular
 * factor of all reflectors,
 *
 *   T = ( T1 T12 )      T12 = -T1 (V1^H V2) T2
 *       (    T2  )
 *
 * Nearly all of the work is in two long products with the rows of V that are neither in a triangle nor zero: W += V^H C and C
 * -= V W. A panel, or half of one, that is tall and has columns far from dependent is factored by larger products:
 * panel_tall.h.
 */
#include "omp/kernels/panel_tall.h"
#include "omp/kernels/extremes.h"
#include "omp/kernels/products.h"

#include <stdlib.h>
#include <string.h>

/* The number of columns of the left half. */
static int left_columns(int order, int ib)
{
    int few = ib < 1 ? 1 : smaller(ib, FEW_COLUMNS);
    return order <= few ? order : (order + 2 * few - 1) / (2 * few) * few;
}

/* T12 = -T1 T12 T2. */
static void finish_t12(const struct precision *precision, int half, int rest, void *T, int ldt)
{
    char *T12 = at(precision, T, ldt, 0, half);
    precision->kernels->trmm(LEFT, UPPER, NO_TRANS, NON_UNIT, half, rest, -1, T, ldt, T12, ldt);
    precision->kernels->trmm(RIGHT, UPPER, NO_TRANS, NON_UNIT, half, rest, 1, at(precision, T, ldt, half, half), ldt, T12, ldt);
    for (int j = 0; j < half; j++)
        memset(at(precision, T, ldt, half, j), 0, (size_t)rest * precision->size);
}

/* ---- one panel ---------------------------------------------------------------------------------------------------------- */

struct panel {
    const struct precision *precision;
    const atomic_int *idle;
    int m, n, half;
    char *A;
    int lda;
    char *T;
    int ldt;
};

/* A12 := Q1^H A12, with V1 = (L; V), L unit lower triangular. */
static int apply_left(const struct panel *p)
{
    const struct precision *precision = p->precision;
    int half = p->half, rest = p->n - half;
    char *W = malloc((size_t)half * (size_t)rest * precision->size), *C = at(precision, p->A, p->lda, 0, half);
    if (W == NULL)
        return 1;
    struct products products = { .precision = precision, .idle = p->idle, .rows = p->m - half, .k = half, .n = rest,
                                 .V = at(precision, p->A, p->lda, half, 0), .ldv = p->lda,
                                 .C = at(precision, p->A, p->lda, half, half),
                                 .ldc = p->lda, .W = W, .ldw = half };
    precision->kernels->copy_rows(half, rest, NULL, C, p->lda, NULL, W, half);
    precision->kernels->trmm(LEFT, LOWER, CONJ_TRANS, UNIT, half, rest, 1, p->A, p->lda, W, half);
    add_long_product(&products);
    precision->kernels->trmm(LEFT, UPPER, CONJ_TRANS, NON_UNIT, half, rest, 1, p->T, p->ldt, W, half);
    subtract_long_product(&products);
    precision->kernels->trmm(LEFT, LOWER, NO_TRANS, UNIT, half, rest, 1, p->A, p->lda, W, half);
    precision->kernels->add(half, rest, -1, W, half, C, p->lda);
    free(W);
    return 0;
}

/* T12 = -T1 (V1^H V2) T2 for `rest` reflectors on the right; V2 = (0; L; V). */
static void make_t12(const struct panel *p, int rest)
{
    const struct precision *precision = p->precision;
    int half = p->half, order = half + rest;
    char *V1 = at(precision, p->A, p->lda, half, 0), *V2 = at(precision, p->A, p->lda, half, half),
         *T12 = at(precision, p->T, p->ldt, 0, half);
    precision->kernels->conj_transpose(rest, half, V1, p->lda, T12, p->ldt);
    precision->kernels->trmm(RIGHT, LOWER, NO_TRANS, UNIT, half, rest, 1, V2, p->lda, T12, p->ldt);
    add_long_product(&(struct products){ .precision = precision, .idle = p->idle, .rows = p->m - order, .k = half, .n = rest,
                                         .V = at(precision, V1, p->lda, rest, 0), .ldv = p->lda,
                                         .C = at(precision, V2, p->lda, rest, 0), .ldc = p->lda, .W = T12, .ldw = p->ldt });
    finish_t12(precision, half, rest, p->T, p->ldt);
}

int geqrt_panel(const struct precision *precision, const atomic_int *idle, int m, int n, int ib, void *A, int lda, void *T,
                int ldt)
{
    int order = smaller(m, n);
    struct panel p = { precision, idle, m, n, left_columns(order, ib), A, lda, T, ldt };
    if (order == 0 || geqrt_tall(geqrt_panel, precision, idle, m, n, ib, A, lda, T, ldt))
        return 0;
    if (p.half == order)
        precision->host->geqrt_columns(m, order, A, lda, T, ldt);
    else if (geqrt_panel(precision, idle, m, p.half, ib, A, lda, T, ldt) != 0)
        return 1;
    if (n > p.half && apply_left(&p) != 0)
        return 1;
    if (p.half == order)
        return 0;
    if (geqrt_panel(precision, idle, m - p.half, n - p.half, ib, at(precision, A, lda, p.half, p.half), lda,
                    at(precision, T, ldt, p.half, p.half), ldt) != 0)
        return 1;
    make_t12(&p, order - p.half);
    return 0;
}

/* ---- two triangles ------------------------------------------------------------------------------------------------------ */

/* R above B. The last l <= n rows of B are an upper trapezoid. The rows above them are full, as in a right half. */
struct stack {
    const struct precision *precision;
    const atomic_int *idle;
    int m, l, n, ib;
    char *R;
    int ldr;
    char *B;
    int ldb;
    char *T;
    int ldt;
};

/* The left half's V = (V; U), where U = (U1 U2) is its trapezoid and U1 is triangular, and the columns beside it in B. Z: l x
   n. */
struct beside {
    struct products full;
    int l;
    const char *U;
    char *C, *Z;
};

/* W += V^H C: adds U1^H Z to the upper rows of W, U2^H Z to the lower ones. */
static void add_beside(struct beside *p)
{
    const struct precision *precision = p->full.precision;
    int k = p->full.k, n = p->full.n, ldv = p->full.ldv, ldw = p->full.ldw;
    add_long_product(&p->full);
    if (p->l == 0)
        return;
    precision->kernels->copy_rows(p->l, n, NULL, p->C, p->full.ldc, NULL, p->Z, p->l);
    precision->kernels->trmm(LEFT, UPPER, CONJ_TRANS, NON_UNIT, p->l, n, 1, p->U, ldv, p->Z, p->l);
    precision->kernels->add(p->l, n, 1, p->Z, p->l, p->full.W, ldw);
    if (k > p->l)
        precision->kernels->gemm(CONJ_TRANS, NO_TRANS, k - p->l, n, p->l, 1, at(precision, p->U, ldv, 0, p->l), ldv, p->C,
                                 p->full.ldc, at(precision, p->full.W, ldw, p->l, 0), ldw);
}

/* C -= V W. */
static void subtract_beside(const struct beside *p)
{
    const struct precision *precision = p->full.precision;
    int k = p->full.k, n = p->full.n, ldv = p->full.ldv, ldw = p->full.ldw;
    subtract_long_product(&p->full);
    if (p->l == 0)
        return;
    precision->kernels->copy_rows(p->l, n, NULL, p->full.W, ldw, NULL, p->Z, p->l);
    precision->kernels->trmm(LEFT, UPPER, NO_TRANS, NON_UNIT, p->l, n, 1, p->U, ldv, p->Z, p->l);
    precision->kernels->add(p->l, n, -1, p->Z, p->l, p->C, p->full.ldc);
    if (k > p->l)
        precision->kernels->gemm(NO_TRANS, NO_TRANS, p->l, n, k - p->l, -1, at(precision, p->U, ldv, 0, p->l), ldv,
                      at(precision, p->full.W, ldw, p->l, 0), ldw, p->C, p->full.ldc);
}

static int factor_stack(const struct stack *s);

/* Factors the right half of s: first (R12; B12) := Q1^H (R12; B12), at last T12. l: trapezoidal rows of the left half. W: half
   x rest, Z: l x rest. */
static int factor_right(const struct stack *s, int half, int l, char *W, char *Z)
{
    const struct precision *precision = s->precision;
    int rest = s->n - half, full = s->m - s->l;
    char *B12 = at(precision, s->B, s->ldb, 0, half), *R12 = at(precision, s->R, s->ldr, 0, half);
    struct beside p = { { .precision = precision, .idle = s->idle, .rows = full, .k = half, .n = rest, .V = s->B, .ldv = s->ldb,
                          .C = B12,
                          .ldc = s->ldb, .W = W, .ldw = half },
                        l, at(precision, s->B, s->ldb, full, 0), at(precision, B12, s->ldb, full, 0), Z };
    precision->kernels->copy_rows(half, rest, NULL, R12, s->ldr, NULL, W, half);
    add_beside(&p);
    precision->kernels->trmm(LEFT, UPPER, CONJ_TRANS, NON_UNIT, half, rest, 1, s->T, s->ldt, W, half);
    precision->kernels->add(half, rest, -1, W, half, R12, s->ldr);
    subtract_beside(&p);

    struct stack right = *s;
    right.n = rest;
    right.l = s->l - l;
    right.R = at(precision, s->R, s->ldr, half, half);
    right.B = B12;
    right.T = at(precision, s->T, s->ldt, half, half);
    if (factor_stack(&right) != 0)
        return 1;
    p.full.W = at(precision, s->T, s->ldt, 0, half);
    p.full.ldw = s->ldt;
    for (int j = 0; j < rest; j++)
        memset(at(precision, p.full.W, s->ldt, 0, j), 0, (size_t)half * precision->size);
    add_beside(&p);
    finish_t12(precision, half, rest, s->T, s->ldt);
    return 0;
}

static int factor_stack(const struct stack *s)
{
    int half = left_columns(s->n, s->ib);
    if (half == s->n) {
        s->precision->host->tpqrt_columns(s->m, s->l, s->n, s->R, s->ldr, s->B, s->ldb, s->T, s->ldt);
        return 0;
    }
    struct stack left = *s;
    left.n = half;
    left.l = smaller(s->l, half);
    left.m = s->m - s->l + left.l;
    if (factor_stack(&left) != 0)
        return 1;
    size_t rest = (size_t)(s->n - half) * s->precision->size;
    char *work = malloc((size_t)(half + left.l) * rest);
    int failed = work == NULL || factor_right(s, half, left.l, work, work + (size_t)half * rest) != 0;
    free(work);
    return failed;
}

int tpqrt_panel(const struct precision *precision, const atomic_int *idle, int m, int n, int ib, void *R, int ldr, void *B,
                int ldb, void *T, int ldt)
{
    return n == 0 ? 0 : factor_stack(&(struct stack){ precision, idle, m, m, n, ib, R, ldr, B, ldb, T, ldt });
}
