/* Systems by their factors, and by factoring them first. */
#include "src/solve/solve.h"

ompfact_status check_rhs(const ompfact_matrix *A, const ompfact_matrix *B)
{
    bool conforms = B->work != NULL && B->grid == A->grid && B->precision == A->precision && tiling_equal(&B->rows, &A->rows);
    for (int k = 0; conforms && k < steps_of(A); k++)
        conforms = layout_owner(B->layout, k, 0) == layout_owner(A->layout, k, k);
    if (!conforms)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT,
                    "the right-hand sides were not made for this matrix: ompfact_matrix_create_rhs");
    return OMPFACT_SUCCESS;
}

ompfact_status check_system(const ompfact_matrix *A, const ompfact_matrix *B)
{
    TRY(check_square(A));
    return check_rhs(A, B);
}

ompfact_status check_solve(const ompfact_matrix *A, const ompfact_matrix *B, bool suits, const char *factorization)
{
    TRY(check_whole(A, NULL));
    if (!suits)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors of %s with info 0", factorization);
    return check_system(A, B);
}

ompfact_status ompfact_potrs(ompfact_matrix *A, ompfact_matrix *B)
{
    struct job job = { .A = A, .B = B, .W = B->work, .uplo = LOWER, .diag = NON_UNIT };
    TRY(check_solve(A, B, A->contents == CONTENTS_CHOLESKY, "potrf"));
    B->report = report_of_nothing();
    job.trans = NO_TRANS;
    TRY(substitute(&job));                  /* L Y = B; L = U^H if A has its upper triangle */
    job.trans = CONJ_TRANS;
    return after_write(substitute(&job));    /* L^H X = Y */
}

ompfact_status solve_lu(ompfact_matrix *A, enum trans trans, ompfact_matrix *B)
{
    struct job lower = { .A = A, .B = B, .W = B->work, .uplo = LOWER, .diag = UNIT, .trans = trans };
    struct job upper = { .A = A, .B = B, .W = B->work, .uplo = UPPER, .diag = NON_UNIT, .trans = trans };
    TRY(check_solve(A, B, A->contents == CONTENTS_LU, "getrf"));
    B->report = report_of_nothing();
    bool first = A->pivoted && trans == NO_TRANS, last = A->pivoted && trans != NO_TRANS;
    if (first)
        TRY(interchange_rows(B, A->ipiv, A->shape.n, false));                           /* B = P B */
    ompfact_status status = substitute(trans == NO_TRANS ? &lower : &upper);            /* L Y = B, or U^H Y = B */
    TRY(first ? after_write(status) : status);
    TRY(after_write(substitute(trans == NO_TRANS ? &upper : &lower)));                   /* U X = Y, or L^H X = Y */
    return last ? after_write(interchange_rows(B, A->ipiv, A->shape.n, true)) : OMPFACT_SUCCESS;     /* X = P^T X */
}

ompfact_status ompfact_getrs(ompfact_matrix *A, ompfact_matrix *B)
{
    return solve_lu(A, NO_TRANS, B);
}

/* A^T X = B is A^H conj(X) = conj(B). */
ompfact_status ompfact_getrs_trans(ompfact_matrix *A, ompfact_trans trans, ompfact_matrix *B)
{
    bool conjugate = trans == OMPFACT_TRANS && B->precision->flops_scale > 1;
    TRY(check_letter(A, "trans", (int)trans, "NTC"));
    TRY(check_solve(A, B, A->contents == CONTENTS_LU, "getrf"));
    if (conjugate)
        scale_tiles(B, 1, 0, true);
    ompfact_status status = solve_lu(A, trans == OMPFACT_NO_TRANS ? NO_TRANS : CONJ_TRANS, B);
    if (conjugate)
        scale_tiles(B, 1, 0, true);
    return status;
}

ompfact_status ompfact_posv(ompfact_matrix *A, ompfact_matrix *B, int64_t *info)
{
    TRY(check_potrf(A));
    TRY(check_system(A, B));
    TRY(ompfact_potrf(A, info));
    return *info == 0 ? after_write(ompfact_potrs(A, B)) : OMPFACT_SUCCESS;
}

ompfact_status ompfact_gesv(ompfact_matrix *A, ompfact_matrix *B, int64_t *info)
{
    TRY(check_getrf(A));
    TRY(check_system(A, B));
    TRY(ompfact_getrf(A, info));
    return *info == 0 ? after_write(ompfact_getrs(A, B)) : OMPFACT_SUCCESS;
}
