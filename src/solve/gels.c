/*
 * Least squares by QR (Golub, Van Loan, "Matrix Computations", sections 5.3.2 and 5.6.2).
 *
 *     m >= n    A = Q ( R )      Q^H B = ( B_1 )    R X = B_1
 *                     ( 0 )              ( B_2 )    and ||B_2|| is the residual's norm
 *
 *     m < n     A^H = Q ( R )    R^H Y = B          X = Q ( Y )    of all solutions the one of least norm
 *                       ( 0 )                             ( 0 )
 */
#include "src/solve/solve.h"

/* ---- copies between matrices that belong to one solve ------------------------------------------------------------------- */

/* The leading rows and columns of this rank's tile (i,j) of `from`, as many as `to` has there, whose owners are the same. */
static void copy_tile(const ompfact_matrix *from, const ompfact_matrix *to, int i, int j)
{
    int ld = tiling_size(&from->rows, i), mb = tiling_size(&to->rows, i);
    to->precision->kernels->copy_rows(mb < ld ? mb : ld, tiling_size(&to->cols, j), NULL, matrix_tile(from, i, j), ld, NULL,
                                      matrix_tile(to, i, j), mb);
}

ompfact_status triangle_of(ompfact_matrix *F, enum uplo uplo, ompfact_matrix **R)
{
    const struct tiling *order = F->shape.m < F->shape.n ? &F->rows : &F->cols;
    TRY(matrix_create_sized(F, order, order, R));
    for (int j = first_col(*R, 0); j < (*R)->nt; j = first_col(*R, j + 1))
        for (int i = first_row(*R, j, uplo == UPPER ? 0 : j); i < (uplo == UPPER ? j + 1 : (*R)->mt); i = next_row(*R, i, j))
            copy_tile(F, *R, i, j);
    matrix_touched(*R);
    return OMPFACT_SUCCESS;
}

/* Copies the rows that both have. The other rows of `to` become zero. */
static void copy_rows_of(const ompfact_matrix *from, ompfact_matrix *to)
{
    matrix_clear(to);
    for (int j = 0; j < to->nt; j++)
        for (int i = first_row(to, j, 0); i < to->mt && i < from->mt; i = next_row(to, i, j))
            copy_tile(from, to, i, j);
}

/* ---- gels --------------------------------------------------------------------------------------------------------------- */

ompfact_status solve_with(ompfact_matrix *T, enum uplo uplo, enum trans trans, ompfact_matrix *X, ompfact_report *report)
{
    struct job job = { .A = T, .B = X, .W = X->work, .uplo = uplo, .diag = NON_UNIT, .trans = trans };
    X->report = report_of_nothing();
    TRY(substitute(&job));
    report_add(report, &X->report);
    return OMPFACT_SUCCESS;
}

/* X := op(R)^-1 B_1, with R's rows, from B's first rows. The caller destroys X, after an error, too. */
static ompfact_status solve_first_rows(ompfact_matrix *R, enum trans trans, const ompfact_matrix *B, ompfact_matrix **X,
                                       ompfact_report *report)
{
    TRY(ompfact_matrix_create_rhs(R, B->shape.n, X));
    copy_rows_of(B, *X);
    return solve_with(R, UPPER, trans, *X, report);
}

/* At = A^H has been factored. */
static ompfact_status least_norm(ompfact_matrix *At, ompfact_matrix *B, ompfact_matrix *R, ompfact_matrix **X)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *Y = NULL;
    B->report = report_of_nothing();
    TRY(solve_first_rows(R, CONJ_TRANS, B, &Y, &B->report));
    TRY(ompfact_matrix_create_rhs(At, B->shape.n, X));
    copy_rows_of(Y, *X);
    TRY(ompfact_unmqr(At, false, *X));
    report_add(&B->report, &(*X)->report);
    return OMPFACT_SUCCESS;
}

ompfact_status solve_with_triangle(ompfact_matrix *F, ompfact_matrix *B, ompfact_matrix **X)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *R = NULL;
    *X = NULL;
    TRY(triangle_of(F, UPPER, &R));
    return solve_first_rows(R, NO_TRANS, B, X, &(ompfact_report){ 0 });
}

/* A matrix of zeros, as in LAPACK's gels: the least of all solutions, and B becomes zero, too. Nothing is factored, and R is
   zero. */
static ompfact_status zero_solution(ompfact_matrix *A, bool wide, ompfact_matrix *B, ompfact_matrix **X)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *like = NULL;
    TRY(wide ? matrix_create_transposed(A, &like) : matrix_create_sized(A, &A->cols, &A->cols, &like));
    TRY(ompfact_matrix_create_rhs(like, B->shape.n, X));
    matrix_clear(*X);
    matrix_clear(B);
    A->contents = CONTENTS_L_OF_LQ;
    A->report = B->report = report_of_nothing();
    return OMPFACT_SUCCESS;
}

/* F, which is A or A^H, has been factored. */
static ompfact_status solve_factored(ompfact_matrix *F, bool wide, ompfact_matrix *B, ompfact_matrix **X, int64_t *info)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *R = NULL;
    TRY(triangle_of(F, UPPER, &R));
    TRY(first_zero_pivot(R, R->mt, info));
    if (*info != 0)
        return OMPFACT_SUCCESS;
    if (wide)
        return least_norm(F, B, R, X);
    TRY(ompfact_unmqr(F, true, B));
    return solve_first_rows(R, NO_TRANS, B, X, &B->report);
}

/* A^H = Q R; L = R^H remains in the lower triangle of A. */
static ompfact_status solve_wide(ompfact_matrix *A, ompfact_matrix *B, ompfact_matrix **X, int64_t *info)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *At = NULL;
    TRY(ompfact_conj_transpose(A, &At));
    TRY(ompfact_geqrf(At));
    TRY(solve_factored(At, true, B, X, info));
    TRY(transpose_tiles(At, LOWER, A));
    A->contents = CONTENTS_L_OF_LQ;
    A->report = At->report;
    return OMPFACT_SUCCESS;
}

static ompfact_status solve_high(ompfact_matrix *A, ompfact_matrix *B, ompfact_matrix **X, int64_t *info)
{
    TRY(ompfact_geqrf(A));
    return after_write(solve_factored(A, false, B, X, info));
}

ompfact_status ompfact_gels(ompfact_matrix *A, ompfact_matrix *B, ompfact_matrix **X, int64_t *info)
{
    bool wide = A->shape.m < A->shape.n;
    double norm;
    *X = NULL;
    TRY(check_rhs(A, B));
    TRY(check_whole(A, NULL));
    TRY(check_geqrf(A, wide));
    TRY(ompfact_norm1(A, &norm));
    *info = 0;
    return matrix_only_after(norm == 0 ? zero_solution(A, wide, B, X) : (wide ? solve_wide : solve_high)(A, B, X, info), X);
}
