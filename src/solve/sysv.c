/*
 * Symmetric indefinite systems. Pivots are searched in diagonal tiles alone, so factors may be bad, whatever the matrix is; the
 * solution is not:
 *
 *     F = factors of A,  X = 0, R = B;  repeat  X += F^-1 R,  R = B - A X         by GMRES where that does not halve the error
 *     until |r| <= sqrt(n) eps ||A|| |x| for each column
 *     else, where that is nowhere near, G = A, general, by LU with pivoting, and the same with its factors
 *
 * A is overwritten by its factors, so a copy of it is kept for the residuals: in double where A is in single, for which residuals
 * in single would do, and GMRES would not.
 */
#include "src/solve/refine.h"

#include <math.h>

static const struct method method_hermitian = { ompfact_hetrf, ompfact_hetrs };
static const struct method method_symmetric = { ompfact_sytrf, ompfact_sytrs };

/* Factor of sqrt(n) eps ||A|| |x|: a solution with an error up to this product is accepted, although the goal was smaller. */
static const double NEAR = 10;
enum { BY_LU = -1 };

/* Solves with LU factors of the kept copy. *info if U is singular; then there is no solution. */
static ompfact_status solve_by_lu(struct refinement *f, ompfact_matrix **G, int64_t *info)
{
    ompfact_grid *grid = f->A->grid;
    ompfact_pivot pivot = grid->pivot;
    int iterations;
    gmres_destroy(&f->gmres);
    ompfact_matrix_destroy(&f->Y);
    TRY(matrix_make_general(f->A, G));
    f->F = *G;
    f->method = &method_lu;
    TRY(ompfact_matrix_create_rhs(f->F, f->X->shape.n, &f->Y));
    grid->pivot = pivot == OMPFACT_PIVOT_NONE ? OMPFACT_PIVOT_AUTO : pivot;
    ompfact_status status = f->method->factor(f->F, info);
    grid->pivot = pivot;
    TRY(status);
    report_add(&f->solved, &f->F->report);
    return *info == 0 ? refine_with_factors(f, &iterations) : OMPFACT_SUCCESS;
}

/* Makes the copies, in double if needed. The caller frees them, after an error, too. */
static ompfact_status copy_system(ompfact_matrix *A, ompfact_matrix *B, struct refinement *f)
{
    char type = A->precision->type, wide = type == 's' || type == 'c' ? A->precision->other : type;
    TRY(matrix_create_like(A, wide, &f->A));
    TRY(ompfact_matrix_create_rhs(f->A, B->shape.n, &f->B));
    TRY(copy_tiles(A, f->A, NULL));
    return copy_tiles(B, f->B, NULL);
}

/* f has F, the matrix itself, and gets the copies A and B. */
static ompfact_status solve(struct refinement *f, ompfact_matrix *B, ompfact_matrix **G, int64_t *info, int *iterations)
{
    double norm;
    TRY(copy_system(f->F, B, f));
    TRY(refinement_create(f));
    TRY(norm_inf(f->A, &norm));
    f->allowed = sqrt((double)f->A->shape.n) * f->F->precision->eps * norm;
    TRY(f->method->factor(f->F, info));
    f->factored = f->F->report;
    *iterations = 0;
    if (*info != 0)
        return OMPFACT_SUCCESS;
    TRY(after_write(refine_with_factors(f, iterations)));
    if (*iterations < 0 && !(f->worst <= NEAR)) {
        *iterations = BY_LU;
        return after_write(solve_by_lu(f, G, info));
    }
    *iterations = *iterations >= 0 ? *iterations : f->solves - 1;
    return OMPFACT_SUCCESS;
}

static ompfact_status solve_indefinite(ompfact_matrix *A, ompfact_matrix *B, const struct method *method, int64_t *info,
                                       int *iterations)
{
    ompfact_matrix *G = NULL;
    struct refinement f = { .method = method, .F = A, .subtract = subtract_dense, .norms = column_maxima,
                            .way = OMPFACT_REFINE_GMRES, .factored = report_of_nothing(), .solved = report_of_nothing() };
    double start = run_clock();
    TRY(check_refined(A, B));
    ompfact_status status = solve(&f, B, &G, info, iterations);
    if (status == OMPFACT_SUCCESS && *info == 0)
        status = after_write(copy_tiles(f.X, B, NULL));
    refinement_destroy(&f);
    ompfact_matrix_destroy(&G);
    ompfact_matrix_destroy(&f.B);
    ompfact_matrix_destroy(&f.A);
    TRY(status);
    return report_refined(&f, start, B);
}

ompfact_status ompfact_hesv(ompfact_matrix *A, ompfact_matrix *B, int64_t *info, int *iterations)
{
    return solve_indefinite(A, B, &method_hermitian, info, iterations);
}

ompfact_status ompfact_sysv(ompfact_matrix *A, ompfact_matrix *B, int64_t *info, int *iterations)
{
    return solve_indefinite(A, B, &method_symmetric, info, iterations);
}
