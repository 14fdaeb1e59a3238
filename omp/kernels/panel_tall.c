/*
 * A1 is the first n rows. A2^H A2 = R2^H R2 by Cholesky, and Q2 = A2 R2^-1 has orthonormal columns. Then
 *
 *   ( A1 ) = ( I - ( V1 ) T ( V1 )^H ) ( R )   gives   ( A1 ) = ( I - ( V1 ) T ( V1 )^H ) ( R )
 *   ( R2 )         ( W  )   ( W  )     ( 0 )           ( A2 )         ( V2 )   ( V2 )     ( 0 )    V2 = Q2 W = A2 (R2^-1 W)
 *
 * with W upper triangular, as R2 is. So nearly all of the work is in two products, which cost two thirds of the recursion and
 * its T. (Ballard, Demmel, Grigori, Jacquelin, Nguyen, Solomonik, "Reconstructing Householder vectors from tall-skinny QR",
 * 2014, compute V, T and R from Q's first rows; here they come from a small matrix.)
 *
 * Recursion is as stable as Householder's method. Here Q2 differs from an orthogonal matrix by the rounding errors of G = A2^H
 * A2, which grow with its off-diagonal elements, relative to G. So recursion is used instead if
 *
 *   - the squares of the cosines of a column with the former columns, |g_ij|^2 / (g_ii g_jj), add up to more than a small
 *     bound, as for columns with a mean;
 *   - a column is near to the span of the others: g_jj (G^-1)_jj is 1 / sin^2 of the angle between them;
 *   - squares may lose digits by underflow, or overflow.
 *
 * Mostly the first rows show this.
 */
#include "omp/kernels/panel_tall.h"
#include "omp/kernels/sharing.h"
#include "omp/kernels/extremes.h"
#include "omp/kernels/products.h"

#include <stdlib.h>
#include <string.h>

/* The least number of rows for n columns, the least number of columns, and the number of rows that are checked first. */
enum { TALL = 16, COLUMNS = 48, FIRST_ROWS = 4 };

struct tall {
    const struct precision *precision;
    const atomic_int *idle;
    int m, n;
    char *A;
    int lda;
    char *G;        /* -A2^H A2 of the rows so far; n x n */
    char *R;        /* upper triangle R2; n x n */
    char *work;     /* 2n x n */
};

static double modulus2(const struct tall *p, const char *A, int i, int j)
{
    double re, im;
    p->precision->get(at(p->precision, A, p->n, i, j), &re, &im);
    return re * re + im * im;
}

static double norm_square(const struct tall *p, int j)
{
    double square, im;
    p->precision->get(at(p->precision, p->G, p->n, j, j), &square, &im);
    return -square;
}

static void clear(const struct tall *p, char *square)
{
    memset(square, 0, (size_t)p->n * (size_t)p->n * p->precision->size);
}

/* X = R^-1 X, upper triangular. */
static void solve_upper(const struct tall *p, char *X, int ldx)
{
    enum { AT_ONCE = 64 };
    for (int j = 0; j < p->n; j += AT_ONCE) {
        int columns = smaller(AT_ONCE, p->n - j);
        p->precision->kernels->trsm(LEFT, UPPER, NO_TRANS, NON_ZERO, j + columns, columns, p->R, p->n,
                                    at(p->precision, X, ldx, 0, j), ldx);
    }
}

/* Adds the next rows to G. */
static void add_gram(struct tall *p, int from, int rows)
{
    add_long_product(&(struct products){ .precision = p->precision, .idle = p->idle, .gram = true, .rows = rows, .k = p->n,
                                         .n = p->n,
                                         .V = at(p->precision, p->A, p->lda, from, 0), .ldv = p->lda, .W = p->G, .ldw = p->n });
}

/* Whether the squares of cosines with the former columns add up to at most `most`. */
static bool nearly_orthogonal(const struct tall *p, double most)
{
    double low = p->precision->smallest / p->precision->eps / p->precision->eps;
    for (int j = 0; j < p->n; j++) {
        double sum = 0, norm = norm_square(p, j);
        if (!(norm >= low && norm <= 1 / low))
            return false;
        for (int i = 0; i < j; i++)
            sum += modulus2(p, p->G, i, j) / norm_square(p, i);
        if (!(sum <= most * norm))
            return false;
    }
    return true;
}

static bool make_r2(const struct tall *p)
{
    enum { MOST = 4 };      /* 1 / sin^2 */
    const struct precision *precision = p->precision;
    clear(p, p->R);
    precision->kernels->add(p->n, p->n, -1, p->G, p->n, p->R, p->n);
    if (precision->kernels->potrf(UPPER, p->n, p->R, p->n) != 0)
        return false;
    char *inverse = p->work;
    clear(p, inverse);
    for (int j = 0; j < p->n; j++)
        precision->set(at(precision, inverse, p->n, j, j), 1, 0);
    solve_upper(p, inverse, p->n);
    for (int i = 0; i < p->n; i++) {
        double sum = 0;
        for (int j = i; j < p->n; j++)
            sum += modulus2(p, inverse, i, j);
        if (!(norm_square(p, i) * sum <= MOST))
            return false;
    }
    return true;
}

static void multiply_piece(const void *work, int from, int to)
{
    const struct tall *p = work;
    p->precision->kernels->trmm(RIGHT, UPPER, NO_TRANS, NON_UNIT, to - from, p->n, 1,
                                at(p->precision, p->work, 2 * p->n, p->n, 0), 2 * p->n, at(p->precision, p->A, p->lda, from, 0),
                                p->lda);
}

static bool factor(struct tall *p, panel_factorization *small, int ib, void *T, int ldt)
{
    const struct precision *precision = p->precision;
    int n = p->n, first = FIRST_ROWS * n;
    clear(p, p->G);
    add_gram(p, n, first);
    if (!nearly_orthogonal(p, 0.5))
        return false;
    add_gram(p, n + first, p->m - n - first);
    if (!nearly_orthogonal(p, 0.25) || !make_r2(p))
        return false;
    char *W = at(precision, p->work, 2 * n, n, 0);
    precision->kernels->copy_rows(n, n, NULL, p->A, p->lda, NULL, p->work, 2 * n);
    precision->kernels->copy_rows(n, n, NULL, p->R, n, NULL, W, 2 * n);
    if (small(precision, p->idle, 2 * n, n, ib, p->work, 2 * n, T, ldt) != 0)
        return false;
    precision->kernels->copy_rows(n, n, NULL, p->work, 2 * n, NULL, p->A, p->lda);
    solve_upper(p, W, 2 * n);
    share_if_worth(p->idle, multiply_piece, p, n, p->m, rows_of_piece(n, n / 2));
    return true;
}

bool geqrt_tall(panel_factorization *small, const struct precision *precision, const atomic_int *idle, int m, int n, int ib,
                void *A, int lda, void *T, int ldt)
{
    if (n < COLUMNS || m / TALL < n)
        return false;
    size_t square = (size_t)n * (size_t)n * precision->size;
    char *G = malloc(4 * square);
    bool done = G != NULL &&
                factor(&(struct tall){ precision, idle, m, n, A, lda, G, G + square, G + 2 * square }, small, ib, T, ldt);
    free(G);
    return done;
}
