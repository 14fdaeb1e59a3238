/*
 * LAPACK's test ratios on distributed matrices. A - L L^H and B - A X are task graphs like the factorizations: nothing is gathered.
 * All their inputs are final before they begin, so tiles are fetched without waiting for flags.
 */
#include "src/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- A - L L^H and A - L U ---------------------------------------------------------------------------------------------------- */

/* A tile of a triangular factor: on the diagonal only its triangle counts. */
static struct shape shape_of(const struct operand *tile, enum uplo uplo, enum diag diag, enum trans trans)
{
    return (struct shape){ .part = tile->i == tile->j ? uplo : GENERAL, .diag = diag, .trans = trans };
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
                struct operand left = fetch(L, m, k), right = fetch(L, n, k);
                task_product(run, shape_of(&left, LOWER, NON_UNIT, NO_TRANS), left, shape_of(&right, LOWER, NON_UNIT, CONJ_TRANS),
                             right, tile(A, m, n));     /* A_mn -= L_mk L_nk^H */
            }
    }
}

static void lu_residual_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *A = job->A, *F = job->B;
    for (int k = 0; k < A->mt && k < A->nt; k++) {
        run_step(run, k, k);
        for (int n = first_col(A, k); n < A->nt; n = first_col(A, n + 1))
            for (int m = first_row(A, n, k); m < A->mt; m = next_row(A, m, n)) {
                struct operand left = fetch(F, m, k), right = fetch(F, k, n);
                task_product(run, shape_of(&left, LOWER, UNIT, NO_TRANS), left, shape_of(&right, UPPER, NON_UNIT, NO_TRANS), right,
                             tile(A, m, n));            /* A_mn -= L_mk U_kn */
            }
    }
}

/* LAPACK's convention: an error where there should be none is infinitely large in units of nothing. */
static double ratio_of(double error, double scale)
{
    return error == 0 ? 0 : scale > 0 ? error / scale : INFINITY;
}

ompfact_status ompfact_residual_factors(ompfact_matrix *A, ompfact_matrix *factors, double *ratio)
{
    bool cholesky = is_hermitian(&factors->shape);
    double norm, error;
    if (!tiling_equal(&A->rows, &factors->rows) || !tiling_equal(&A->cols, &factors->cols) || A->kernels != factors->kernels ||
        A->grid != factors->grid || A->shape.structure != factors->shape.structure)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the matrix and its factors differ in shape: ompfact_matrix_create_like");
    TRY(ompfact_norm1(A, &norm));
    if (factors->pivoted)
        TRY(interchange_rows(A, factors->ipiv, A->shape.m < A->shape.n ? A->shape.m : A->shape.n, false));
    struct job job = { .A = A, .B = factors };
    struct job_plan plan = { .loops = cholesky ? cholesky_residual_loops : lu_residual_loops,
                             .matrices = { A, factors }, .settled = { true, true } };
    int64_t info;
    TRY(job_run(A->grid, &job, &plan, &A->report, &info));
    TRY(ompfact_norm1(A, &error));
    *ratio = ratio_of(error, norm * (double)A->shape.n * A->kernels->eps);
    return OMPFACT_SUCCESS;
}

/* ---- B - A X -------------------------------------------------------------------------------------------------------------------- */

/* job->B is X here: each rank adds up its own tiles' share of A X in its column of W. */
static void multiply_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *A = job->A, *X = job->B, *W = job->W;
    bool hermitian = is_hermitian(&A->shape);
    int c = job->column, me = A->me;
    for (int j = first_col(A, 0); j < A->nt; j = first_col(A, j + 1)) {
        run_step(run, j, j);
        for (int i = first_row(A, j, hermitian ? j : 0); i < A->mt; i = next_row(A, i, j)) {
            struct operand W_i = columns_of(job, tile(W, i, me));
            if (hermitian && i == j) {
                task_hemm(run, 1, fetch(A, j, j), fetch(X, j, c), W_i);                             /* W_j += A_jj X_j */
                continue;
            }
            task_gemm(run, 1, NO_TRANS, fetch(A, i, j), NO_TRANS, fetch(X, j, c), W_i);             /* W_i += A_ij X_j */
            if (hermitian)
                task_gemm(run, 1, CONJ_TRANS, fetch(A, i, j), NO_TRANS, fetch(X, i, c), columns_of(job, tile(W, j, me)));
        }
    }
}

/* job->B is B here: the owner of B_i collects row i's partial sums. */
static void collect_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *A = job->A, *B = job->B;
    bool hermitian = is_hermitian(&A->shape);
    for (int i = 0; i < A->mt; i++) {
        run_step(run, i, i);
        if (!owns(B, i, job->column))
            continue;
        int count = hermitian ? layout_colrow_owners(A->layout, i, job->ranks, job->seen)
                              : layout_row_owners(A->layout, i, 0, A->nt, job->ranks, job->seen);
        for (int q = 0; q < count; q++)
            task_add(run, -1, columns_of(job, fetch(job->W, i, job->ranks[q])), tile(B, i, job->column));   /* B_i -= W_iq */
    }
}

/* B := B - A X, one tile column. */
static ompfact_status subtract_product(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, struct job *job)
{
    ompfact_grid *grid = A->grid;
    ompfact_report report;
    int64_t info;
    memset((char *)rma_space_base(job->W->space) + job->W->first_byte, 0, matrix_bytes(job->W, job->W->me));
    /* X's window holds the sums of a solve too; the ones here are B's, so that X is settled. */
    job->B = X;
    struct job_plan multiply = { .loops = multiply_loops, .matrices = { A, X, job->W },
                                 .settled = { true, true, true } };
    TRY(job_run(grid, job, &multiply, &report, &info));
    job->B = B;
    struct job_plan collect = { .loops = collect_loops, .matrices = { B, job->W },
                                .settled = { true, true } };
    return job_run(grid, job, &collect, &report, &info);
}

/* max over columns of ||b - A x|| / (||A|| ||x||), and the largest allowed value is divided out by the caller. */
static double worst_column(int64_t columns, double norm, const double *errors, const double *solutions)
{
    double worst = 0;
    for (int64_t j = 0; j < columns; j++)
        worst = larger_or_nan(worst, ratio_of(errors[j], norm * solutions[j]));
    return worst;
}

ompfact_status ompfact_residual_solve(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio)
{
    ompfact_grid *grid = A->grid;
    double norm, *errors = NULL, *solutions = NULL;
    if (X->work == NULL || B->work == NULL || !tiling_equal(&X->rows, &A->rows) || !tiling_equal(&B->rows, &A->rows) ||
        !tiling_equal(&A->rows, &A->cols) || X->shape.n != B->shape.n || X->kernels != A->kernels || B->kernels != A->kernels ||
        X->grid != A->grid || B->grid != A->grid)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "solution and right-hand sides were not made for this matrix: ompfact_matrix_create_rhs");
    TRY(ompfact_norm1(A, &norm));
    struct job job = { .A = A, .W = B->work, .ranks = malloc((size_t)A->ranks * sizeof *job.ranks) };
    ompfact_status status = job.ranks != NULL ? OMPFACT_SUCCESS : fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory", A->me);
    status = agree(grid, status);
    for (job.column = 0; status == OMPFACT_SUCCESS && job.column < B->nt; job.column++)
        status = subtract_product(A, X, B, &job);
    free(job.ranks);
    if (status == OMPFACT_SUCCESS)
        status = column_sums(B, &errors);
    if (status == OMPFACT_SUCCESS)
        status = column_sums(X, &solutions);
    if (status == OMPFACT_SUCCESS)
        *ratio = A->shape.n == 0 ? 0 : worst_column(B->shape.n, norm, errors, solutions) / ((double)A->shape.n * A->kernels->eps);
    free(errors);
    free(solutions);
    return status;
}
