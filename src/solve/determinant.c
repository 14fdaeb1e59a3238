/* Facts from the diagonal of the factors. Every rank gathers it first, so that sums are the same for all layouts. */
#include "src/factor/signs.h"
#include "src/matrix/layers.h"
#include "src/solve/solve.h"

#include <math.h>
#include <stdlib.h>

/* The sign of the permutation of rows. */
static int pivots_sign(const ompfact_matrix *A)
{
    int sign = 1;
    for (int64_t i = 0; A->pivoted && i < shorter_side(A); i++)
        sign = A->ipiv[i] != i ? -sign : sign;
    return sign;
}

/* The real and the imaginary part of each diagonal element, which the caller frees, after an error, too; and the number of
   elements. Collective. */
static ompfact_status gather_diagonal(ompfact_matrix *A, double **diagonal, int64_t *count)
{
    ompfact_grid *grid = A->grid;
    *count = shorter_side(A);
    *diagonal = NULL;
    TRY(check_whole(A, NULL));
    bool is_signed = A->contents == CONTENTS_INDEFINITE;
    if (A->contents != CONTENTS_CHOLESKY && A->contents != CONTENTS_LU && !is_signed)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors with info 0");
    double *d = *diagonal = calloc(2 * (size_t)*count + 1, sizeof *d);
    TRY(agree_memory(grid, d != NULL, "for a diagonal of %lld elements", (long long)*count));
    for (int k = 0; k < steps_of(A); k++) {
        ompfact_tile t;
        if (!owns(factor_at(A, k, k), k, k))
            continue;
        if (is_signed) {        /* the pivots of D, whose product is the determinant */
            const struct signed_block *b = signs_block(A, k);
            double *at = d + 2 * A->rows.start[k];
            for (int e = 0; e < b->n; e++)
                A->precision->get((char *)signed_pivots(b) + A->precision->size * (size_t)e, &at[2 * e], &at[2 * e + 1]);
            continue;
        }
        matrix_view(factor_at(A, k, k), k, k, &t);
        for (int64_t e = 0; e < t.mb && e < t.nb; e++)
            A->precision->get((char *)t.data + A->precision->size * (size_t)(e + e * t.ld), &d[2 * (t.row + e)],
                              &d[2 * (t.row + e) + 1]);
    }
    return reduce_over_ranks(grid, d, 2 * *count, MPI_SUM);
}

ompfact_status ompfact_determinant(ompfact_matrix *A, double *logabs, double *sign_re, double *sign_im)
{
    CLEANUP(free_at) double *d = NULL;
    int64_t n;
    if (A->shape.m != A->shape.n)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "only a square matrix has a determinant");
    TRY(gather_diagonal(A, &d, &n));
    bool cholesky = A->contents == CONTENTS_CHOLESKY;       /* det A = det(L)^2 */
    double sum = 0, re = cholesky ? 1 : pivots_sign(A), im = 0;
    for (int64_t k = 0; k < n; k++) {
        double modulus = hypot(d[2 * k], d[2 * k + 1]), x = d[2 * k] / modulus, y = d[2 * k + 1] / modulus, old = re;
        sum += log(modulus);
        if (cholesky)
            continue;
        re = old * x - im * y;
        im = old * y + im * x;
    }
    double length = hypot(re, im);      /* rounding errors of many factors */
    *logabs = cholesky ? 2 * sum : sum;
    *sign_re = re / length;
    *sign_im = im / length;
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_smallest_pivot(ompfact_matrix *A, double *pivot, int64_t *k)
{
    CLEANUP(free_at) double *d = NULL;
    int64_t n;
    TRY(gather_diagonal(A, &d, &n));
    *pivot = INFINITY;
    *k = -1;
    for (int64_t i = 0; i < n && !isnan(*pivot); i++) {
        double modulus = hypot(d[2 * i], d[2 * i + 1]);
        if (modulus < *pivot || isnan(modulus)) {
            *pivot = modulus;
            *k = i;
        }
    }
    *pivot *= A->contents == CONTENTS_CHOLESKY ? *pivot : 1;
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_zero_on_diagonal(ompfact_matrix *A, int64_t *info)
{
    if (!tiling_equal(&A->rows, &A->cols))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "a triangle is square, and its tile rows are like its tile columns");
    TRY(check_dense(A));
    return first_zero_pivot(A, A->mt, info);
}
