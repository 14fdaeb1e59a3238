/*
 * LAPACK's test ratios on distributed matrices. A - L L^H and B - A X are task graphs like the factorizations: nothing is
 * gathered. All their inputs are final at the start, so tiles are fetched without waiting for flags.
 */
#include "src/butterfly/butterfly.h"
#include "src/factor/signs.h"
#include "src/matrix/layers.h"
#include "src/solve/check_in_range.h"

#include <math.h>

/* ---- A - L L^H and A - L U ---------------------------------------------------------------------------------------------- */

/* A tile of a triangular factor; on the diagonal only its triangle counts. */
static struct factor_form shape_of(const struct operand *tile, enum uplo uplo, enum diag diag, enum trans trans)
{
    return (struct factor_form){ .part = tile->i == tile->j ? uplo : GENERAL, .diag = diag, .trans = trans };
}

/* job->A holds A, job->B the factors. */
static void cholesky_residual_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *A = job->A, *L = job->B;
    for (int k = 0; k < A->nt; k++) {
        run_step(run, k, k);
        for (int n = first_col(A, k); n < A->nt; n = first_col(A, n + 1))
            for (int m = first_row(A, n, n); m < A->mt; m = next_row(A, m, n)) {
                struct operand left = fetch_factor(L, m, k), right = fetch_factor(L, n, k);
                task_product(run, shape_of(&left, LOWER, NON_UNIT, NO_TRANS), left, shape_of(&right, LOWER, NON_UNIT, CONJ_TRANS),
                             right, tile(A, m, n));     /* A_mn -= L_mk L_nk^H */
            }
    }
}

/* A - X J X^H, X's diagonal tiles G. */
static void signed_residual_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *A = job->A, *X = job->B;
    for (int k = 0; k < A->nt; k++) {
        run_step(run, k, k);
        struct operand J = signs_at(job, k);
        if (owns(A, k, k))
            task_signed_square(run, fetch(X, k, k), J, tile(A, k, k));                              /* A_kk -= G_kk J G_kk^H */
        for (int m = first_row(A, k, k + 1); m < A->mt; m = next_row(A, m, k))
            task_signed_product(run, fetch(X, m, k), fetch(X, k, k), J, tile(A, m, k));             /* A_mk -= X_mk J G_kk^H */
        for (int n = first_col(A, k + 1); n < A->nt; n = first_col(A, n + 1))
            for (int m = first_row(A, n, n); m < A->mt; m = next_row(A, m, n))
                if (m == n)
                    task_signed_herk(run, fetch(X, n, k), J, tile(A, n, n));                        /* A_nn -= X_nk J X_nk^H */
                else
                    task_signed_gemm(run, fetch(X, m, k), J, fetch(X, n, k), tile(A, m, n));        /* A_mn -= X_mk J X_nk^H */
    }
}

static void lu_residual_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *A = job->A, *F = job->B;
    for (int k = 0; k < steps_of(A); k++) {
        run_step(run, k, k);
        for (int n = first_col(A, k); n < A->nt; n = first_col(A, n + 1))
            for (int m = first_row(A, n, k); m < A->mt; m = next_row(A, m, n)) {
                struct operand left = fetch_factor(F, m, k), right = fetch_factor(F, k, n);
                task_product(run, shape_of(&left, LOWER, UNIT, NO_TRANS), left, shape_of(&right, UPPER, NON_UNIT, NO_TRANS),
                             right, tile(A, m, n)); /* A_mn -= L_mk U_kn */
            }
    }
}

double ratio_of(double error, double scale)
{
    return error == 0 ? 0 : scale > 0 && isfinite(scale) ? error / scale : INFINITY;
}

ompfact_status check_factors(const ompfact_matrix *A, const ompfact_matrix *factors)
{
    if (!tiling_equal(&A->rows, &factors->rows) || !tiling_equal(&A->cols, &factors->cols) ||
        A->precision != factors->precision || A->grid != factors->grid || A->shape.structure != factors->shape.structure)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the matrix and its factors differ in shape: ompfact_matrix_create_like");
    TRY(check_dense(A));
    TRY(check_whole(A, NULL));
    TRY(check_whole(factors, NULL));
    return check_dense(factors);
}

ompfact_status ompfact_residual_factors(ompfact_matrix *A, ompfact_matrix *factors, double *ratio)
{
    bool is_signed = factors->contents == CONTENTS_INDEFINITE;
    double norm, error;
    int exponent;
    TRY(check_factors(A, factors));
    if (is_symmetric(&factors->shape) && !is_signed)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors of sytrf");
    TRY(range_exponent(A, &exponent));
    TRY(norm1_of_scaled(A, exponent, &norm));
    if (factors->pivoted)
        TRY(interchange_rows(A, factors->ipiv, shorter_side(A), false));
    struct job job = { .A = A, .B = factors, .signs = signs_of(factors) };
    if (is_signed)
        TRY(butterfly_of_matrix(A, job.signs->depth, &(ompfact_report){ 0 }));
    struct job_plan plan = { .run.loops = is_signed ? signed_residual_loops
                                          : stores_triangle(&factors->shape) ? cholesky_residual_loops : lu_residual_loops,
                             .uses = { { A, true }, { factors, true } }, .reads_spread = true };
    if (is_signed)
        plan_space(&plan.run, job.signs->space, true, job.signs->bytes);
    ompfact_status status = job_run(A->grid, &job, &plan, &A->report, NULL);
    TRY(factors->pivoted ? after_write(status) : status);
    TRY(after_write(norm1_of_scaled(A, exponent, &error)));
    *ratio = error == 0 ? 0 : ratio_of(error, norm) / ((double)A->shape.n * A->precision->eps);
    return OMPFACT_SUCCESS;
}

/* ---- B - A X ------------------------------------------------------------------------------------------------------------ */

double worst_column(int64_t columns, double norm, const double *errors, const double *solutions)
{
    double worst = 0;
    for (int64_t j = 0; j < columns; j++)
        worst = larger_or_nan(worst, ratio_of(errors[j], norm * solutions[j]));
    return worst;
}

ompfact_status ratio_of_columns(ompfact_matrix *X, ompfact_matrix *R, double norm, double *ratio)
{
    CLEANUP(free_at) double *errors = NULL, *solutions = NULL;
    double unit = (double)R->shape.m * R->precision->eps;
    TRY(column_sums(R, &errors));
    TRY(column_sums(X, &solutions));
    *ratio = R->shape.m == 0 ? 0 : worst_column(R->shape.n, norm, errors, solutions) / unit;
    return OMPFACT_SUCCESS;
}

static ompfact_status judge_system(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio)
{
    double norm;
    TRY(ompfact_norm1(A, &norm));
    TRY(subtract_product(NO_TRANS, A, X, B, B->work, &(ompfact_report){ 0 }));
    return after_write(ratio_of_columns(X, B, norm, ratio));
}

ompfact_status ompfact_residual_solve(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio)
{
    ompfact_grid *grid = A->grid;
    if (X->work == NULL || B->work == NULL || !tiling_equal(&X->rows, &A->rows) || !tiling_equal(&B->rows, &A->rows) ||
        !tiling_equal(&A->rows, &A->cols) || X->shape.n != B->shape.n || X->precision != A->precision ||
        B->precision != A->precision || X->grid != A->grid || B->grid != A->grid)
        return fail(grid, OMPFACT_BAD_ARGUMENT,
                    "solution and right-hand sides were not made for this matrix: ompfact_matrix_create_rhs");
    TRY(check_whole(A, NULL));
    return A->compressed == NULL ? judge_in_range(judge_system, A, X, B, ratio) : judge_system(A, X, B, ratio);
}

/* ---- B - T X ------------------------------------------------------------------------------------------------------------ */

/* job->A holds T, job->B the solution, job->W the right-hand sides. */
static void triangle_residual_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *T = job->A, *X = job->B, *B = job->W;
    const struct factor_form all = { .part = GENERAL, .diag = NON_UNIT, .trans = NO_TRANS };
    bool upper = is_upper(&T->shape);       /* the loops see the conjugate transpose of a lower triangle */
    for (int k = 0; k < T->nt; k++) {
        run_step(run, k, k);
        for (int n = first_col(B, 0); n < B->nt; n = first_col(B, n + 1))
            for (int m = first_row(B, n, upper ? 0 : k); m < (upper ? k + 1 : B->mt); m = next_row(B, m, n)) {
                struct operand left = upper ? fetch(T, k, m) : fetch(T, m, k);
                task_product(run, shape_of(&left, LOWER, NON_UNIT, upper ? CONJ_TRANS : NO_TRANS), left, all, fetch(X, k, n),
                             tile(B, m, n));        /* B_mn -= T_mk X_kn */
            }
    }
}

static ompfact_status judge_triangle(ompfact_matrix *T, ompfact_matrix *X, ompfact_matrix *B, double *ratio)
{
    double norm;
    struct job job = { .A = T, .B = X, .W = B };
    struct job_plan plan = { .run.loops = triangle_residual_loops, .uses = { { B, true }, { T, true }, { X, true } } };
    TRY(norm1_of_triangle(T, &norm));
    TRY(job_run(T->grid, &job, &plan, &B->report, NULL));
    return after_write(ratio_of_columns(X, B, norm, ratio));
}

ompfact_status ompfact_residual_triangle(ompfact_matrix *T, ompfact_matrix *X, ompfact_matrix *B, double *ratio)
{
    if (!is_hermitian(&T->shape) || !tiling_equal(&X->rows, &T->rows) || !tiling_equal(&B->rows, &T->rows) ||
        !tiling_equal(&X->cols, &B->cols) || stores_triangle(&X->shape) || stores_triangle(&B->shape) ||
        X->precision != T->precision || B->precision != T->precision || X->grid != T->grid || B->grid != T->grid)
        return fail(T->grid, OMPFACT_BAD_ARGUMENT, "a triangle is that of a Hermitian matrix, and its solution and right-hand "
                                                   "sides are of its type and cut into tiles like its rows, and alike");
    TRY(check_dense(T));
    return judge_in_range(judge_triangle, T, X, B, ratio);
}
