/*
 * The condition of a factored matrix: Hager's estimate of ||A^-1|| in the 1-norm, as Higham improved it ("FORTRAN Codes for
 * Estimating the One-Norm of a Real or Complex Matrix", ACM TOMS 14, 1988; LAPACK's dlacn2 and zlacn2).
 *
 *     x = A^-1 (1/n, ..., 1/n)
 *     repeat      z = A^-H sign(x),  j the place of z's largest element
 *                 x = A^-1 e_j                                                while ||x|| grows and j is a new one
 *     at last     x = A^-1 b,  b_i = (-1)^i (1 + i/(n-1))                     against what the above cannot see
 *
 * The estimate is the largest ||x||, the last one counting 2 / (3n) times.
 */
#include "src/solve/solve.h"

#include <float.h>
#include <math.h>

struct estimator {
    ompfact_matrix *A, *x;          /* factors; n x 1 */
    int64_t n, j;                   /* j: -1 before there is one */
};

/* ---- elements of x ------------------------------------------------------------------------------------------------------ */

static void set_real(const struct estimator *e, void *value, double re)
{
    e->x->precision->set(value, re, 0);
}

static void uniform(void *context, int64_t i, int64_t c, void *value)
{
    const struct estimator *e = context;
    (void)i, (void)c;
    set_real(e, value, 1.0 / (double)e->n);
}

static void unit(void *context, int64_t i, int64_t c, void *value)
{
    const struct estimator *e = context;
    (void)c;
    set_real(e, value, i == e->j);
}

static void alternating(void *context, int64_t i, int64_t c, void *value)
{
    const struct estimator *e = context;
    (void)c;
    set_real(e, value, (i % 2 == 0 ? 1 : -1) * (1 + (double)i / (double)(e->n - 1)));
}

/* x / |x|, and 1 where x is as good as zero. */
static void sign(void *context, int64_t i, int64_t c, void *value)
{
    const struct estimator *e = context;
    double re, im;
    (void)i, (void)c;
    e->x->precision->get(value, &re, &im);
    double modulus = hypot(re, im);
    if (modulus > DBL_MIN)
        e->x->precision->set(value, re / modulus, im / modulus);
    else
        set_real(e, value, 1);
}

static ompfact_status set_elements(struct estimator *e, void (*element)(void *context, int64_t i, int64_t c, void *value))
{
    return agree(e->A->grid, ompfact_fill_entries(e->x, element, e));
}

/* ---- the estimate ------------------------------------------------------------------------------------------------------- */

/* x := A^-1 x or A^-H x */
static ompfact_status invert(struct estimator *e, enum trans trans)
{
    return e->A->contents == CONTENTS_CHOLESKY ? ompfact_potrs(e->A, e->x) : solve_lu(e->A, trans, e->x);
}

/* ||A^-1 x|| for x of these elements. */
static ompfact_status norm_of_inverse(struct estimator *e, void (*element)(void *context, int64_t i, int64_t c, void *value),
                                      double *norm)
{
    TRY(set_elements(e, element));
    TRY(invert(e, NO_TRANS));
    return ompfact_norm1(e->x, norm);
}

/* The place of the largest element, the first of equal ones. *found: it is larger than that at j, the place before. */
static ompfact_status find_largest(struct estimator *e, bool *found)
{
    struct rma *rma = e->A->grid->rma;
    double ends[2] = { -1, -1 };    /* the largest, and that at j */
    int64_t place = INT64_MAX;
    for (int i = -1, c = -1; ompfact_next_tile(e->x, &i, &c);) {
        ompfact_tile t;
        matrix_view(e->x, i, c, &t);
        for (int r = 0; r < t.mb; r++) {
            double re, im;
            e->x->precision->get((char *)t.data + (size_t)r * e->x->precision->size, &re, &im);
            double modulus = hypot(re, im);
            if (modulus > ends[0]) {
                ends[0] = modulus;
                place = t.row + r;
            }
            ends[1] = t.row + r == e->j ? modulus : ends[1];
        }
    }
    double mine = ends[0];
    TRY_MPI(e->A->grid, rma_allreduce(rma, ends, 2, MPI_DOUBLE, MPI_MAX));
    place = mine == ends[0] ? place : INT64_MAX;
    TRY_MPI(e->A->grid, rma_allreduce(rma, &place, 1, MPI_INT64_T, MPI_MIN));
    *found = ends[0] > ends[1];
    e->j = place;
    return OMPFACT_SUCCESS;
}

static ompfact_status estimate(struct estimator *e, double *largest)
{
    enum { PLACES = 4 };
    double norm;
    bool found;
    TRY(norm_of_inverse(e, uniform, largest));
    if (e->n == 1)
        return OMPFACT_SUCCESS;
    for (int k = 0; k < PLACES; k++) {
        TRY(set_elements(e, sign));
        TRY(invert(e, CONJ_TRANS));
        TRY(find_largest(e, &found));
        if (!found)
            break;
        TRY(norm_of_inverse(e, unit, &norm));
        if (!(norm > *largest))
            break;
        *largest = norm;
    }
    TRY(norm_of_inverse(e, alternating, &norm));
    *largest = larger_or_nan(2 * norm / (3 * (double)e->n), *largest);
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_rcond(ompfact_matrix *A, double norm, double *rcond)
{
    struct estimator e = { .A = A, .n = A->shape.n, .j = -1 };
    double inverse;
    if (A->contents != CONTENTS_CHOLESKY && A->contents != CONTENTS_LU)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors of potrf or getrf with info 0");
    if (norm < 0)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the norm of the matrix before it was factored is not negative");
    *rcond = e.n == 0 ? 1 : isnan(norm) ? norm : 0;
    if (e.n == 0 || !(norm > 0))
        return OMPFACT_SUCCESS;
    TRY(ompfact_matrix_create_rhs(A, 1, &e.x));
    ompfact_status status = estimate(&e, &inverse);
    ompfact_matrix_destroy(&e.x);
    /* An inverse that overflows, and the NaNs of it, are those of a matrix that is singular in this precision. */
    if (status == OMPFACT_SUCCESS && isfinite(inverse))
        *rcond = 1 / inverse / norm;
    return status;
}
