/*
 * The condition of a factored matrix: Hager's estimate of ||A^-1|| in the 1-norm, as Higham improved it ("FORTRAN Codes for
 * Estimating the One-Norm of a Real or Complex Matrix", ACM TOMS 14, 1988; LAPACK's dlacn2 and zlacn2).
 *
 *     x = A^-1 (1/n, ..., 1/n)
 *     repeat      z = A^-H sign(x),  j the place of z's largest element
 *                 x = A^-1 e_j                                                while ||x|| grows and j is a new one
 *     at last     x = A^-1 b,  b_i = (-1)^i (1 + i/(n-1))                     against what the above cannot see
 *
 * The estimate is the largest ||x||, the last one counting 2 / (3n) times. Of QR it is that of R (LAPACK's dtrcon), whose
 * condition is that of A in the 2-norm.
 */
#include "src/solve/solve.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct estimator {
    ompfact_matrix *A, *x;          /* factors, or a triangle; n x 1 */
    ompfact_status (*solve)(ompfact_matrix *A, enum trans trans, ompfact_matrix *x);
    int64_t n, j;                   /* j: -1 at first */
};

/* ---- elements of x ------------------------------------------------------------------------------------------------------ */

typedef void set_element(void *context, int64_t i, int64_t c, void *value);

static void uniform(void *context, int64_t i, int64_t c, void *value)
{
    const struct estimator *e = context;
    (void)i, (void)c;
    e->x->precision->set(value, 1.0 / (double)e->n, 0);
}

static void unit(void *context, int64_t i, int64_t c, void *value)
{
    const struct estimator *e = context;
    (void)c;
    e->x->precision->set(value, i == e->j, 0);
}

static void alternating(void *context, int64_t i, int64_t c, void *value)
{
    const struct estimator *e = context;
    (void)c;
    e->x->precision->set(value, (i % 2 == 0 ? 1 : -1) * (1 + (double)i / (double)(e->n - 1)), 0);
}

/* x / |x|, and 1 if x is as good as zero. */
static void sign(void *context, int64_t i, int64_t c, void *value)
{
    const struct estimator *e = context;
    double re, im;
    (void)i, (void)c;
    e->x->precision->get(value, &re, &im);
    double modulus = hypot(re, im);
    bool zero = !(modulus > DBL_MIN);
    e->x->precision->set(value, zero ? 1 : re / modulus, zero ? 0 : im / modulus);
}

static ompfact_status set_elements(struct estimator *e, set_element *element)
{
    return agree(e->A->grid, ompfact_fill_entries(e->x, element, e));
}

/* ---- x := A^-1 x or A^-H x ---------------------------------------------------------------------------------------------- */

static ompfact_status solve_cholesky(ompfact_matrix *A, enum trans trans, ompfact_matrix *x)
{
    (void)trans;
    return ompfact_potrs(A, x);
}

/* For a symmetric matrix A^-H is conj(A^-1). */
static ompfact_status solve_indefinite(ompfact_matrix *A, enum trans trans, ompfact_matrix *x)
{
    bool conjugate = trans == CONJ_TRANS && is_symmetric(&A->shape);
    scale_tiles(x, 1, 0, conjugate);
    TRY(is_hermitian(&A->shape) ? ompfact_hetrs(A, x) : ompfact_sytrs(A, x));
    scale_tiles(x, 1, 0, conjugate);
    return OMPFACT_SUCCESS;
}

static ompfact_status solve_upper(ompfact_matrix *T, enum trans trans, ompfact_matrix *x)
{
    return solve_with(T, UPPER, trans, x, &(ompfact_report){ 0 });
}

static ompfact_status solve_lower(ompfact_matrix *T, enum trans trans, ompfact_matrix *x)
{
    return solve_with(T, LOWER, trans, x, &(ompfact_report){ 0 });
}

/* ---- the estimate ------------------------------------------------------------------------------------------------------- */

/* ||A^-1 x|| for x with these elements. */
static ompfact_status norm_of_inverse(struct estimator *e, set_element *element, double *norm)
{
    TRY(set_elements(e, element));
    TRY(e->solve(e->A, NO_TRANS, e->x));
    return ompfact_norm1(e->x, norm);
}

/* The index of the largest element, the first of equal ones. *found: it is larger than the element at j, the previous index. */
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
        TRY(e->solve(e->A, CONJ_TRANS, e->x));
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

/* The estimate for e->A, whose norm is known. */
static ompfact_status estimate_rcond(struct estimator *e, double norm, double *rcond)
{
    double inverse;
    *rcond = e->n == 0 ? 1 : isnan(norm) ? norm : 0;
    if (e->n == 0 || !(norm > 0))
        return OMPFACT_SUCCESS;
    TRY(ompfact_matrix_create_rhs(e->A, 1, &e->x));
    ompfact_status status = estimate(e, &inverse);
    ompfact_matrix_destroy(&e->x);
    /* An inverse that overflows, with its NaNs, means that the matrix is singular in this precision. */
    if (status == OMPFACT_SUCCESS && isfinite(inverse))
        *rcond = 1 / inverse / norm;
    return status;
}

/* ---- triangles of QR ---------------------------------------------------------------------------------------------------- */

/* Sets zeros in the other triangle, where the diagonal's tiles have other data. */
static void clear_beside(void *context, const ompfact_tile *t)
{
    const ompfact_matrix *F = context;
    size_t size = F->precision->size;
    bool upper = F->contents == CONTENTS_QR;
    for (int c = 0; t->i == t->j && c < t->nb; c++) {
        int from = upper ? c + 1 : 0, end = upper ? t->mb : c < t->mb ? c : t->mb;
        if (from < end)
            memset((char *)t->data + ((size_t)c * (size_t)t->ld + (size_t)from) * size, 0, (size_t)(end - from) * size);
    }
}

static ompfact_status rcond_of_triangle(ompfact_matrix *F, double *rcond)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *T = NULL;
    double norm;
    int64_t zero;
    if (F->contents == CONTENTS_QR && F->shape.m < F->shape.n)
        return fail(F->grid, OMPFACT_BAD_ARGUMENT, "factors of geqrf with fewer rows than columns have no condition");
    TRY(triangle_of(F, F->contents == CONTENTS_QR ? UPPER : LOWER, &T));
    TRY(agree(F->grid, ompfact_fill_tiles(T, clear_beside, F)));
    TRY(ompfact_norm1(T, &norm));
    TRY(first_zero_pivot(T, T->mt, &zero));
    struct estimator e = { .A = T, .n = shorter_side(F), .j = -1,
                           .solve = F->contents == CONTENTS_QR ? solve_upper : solve_lower };
    return estimate_rcond(&e, zero > 0 && !isnan(norm) ? 0 : norm, rcond);
}

ompfact_status ompfact_rcond(ompfact_matrix *A, double norm, double *rcond)
{
    static ompfact_status (*const solves[])(ompfact_matrix *A, enum trans trans, ompfact_matrix *x) = {
        [CONTENTS_CHOLESKY] = solve_cholesky, [CONTENTS_LU] = solve_lu, [CONTENTS_INDEFINITE] = solve_indefinite,
    };
    struct estimator e = { .A = A, .n = A->shape.n, .j = -1 };
    TRY(check_whole(A, NULL));
    if (A->contents == CONTENTS_PLAIN)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors of potrf or getrf with info 0, nor of QR");
    if (A->contents == CONTENTS_QR || A->contents == CONTENTS_L_OF_LQ)
        return rcond_of_triangle(A, rcond);
    if (norm < 0)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the norm of the matrix before it was factored is not negative");
    e.solve = solves[A->contents];
    return estimate_rcond(&e, norm, rcond);
}
