/*
 * Systems by factors with signs, A = X J X^H (or, A complex symmetric, X X^T):
 *
 *     B := W^T B                       where W^T A W was factored (src/butterfly/)
 *     X Y = B                          forward
 *     X^H Z = J Y                      backward. By the loops of triangular.c
 *     Z := W Z                         solves A Z = B
 */
#include "src/butterfly/butterfly.h"
#include "src/factor/signs.h"
#include "src/solve/solve.h"

static ompfact_status solve_signed(ompfact_matrix *A, ompfact_matrix *B)
{
    struct job job = { .A = A, .B = B, .W = B->work, .uplo = LOWER, .diag = NON_UNIT, .signs = signs_of(A) };
    B->report = report_of_nothing();
    TRY(butterfly_of_rhs(B, job.signs->depth, false, &B->report));
    job.trans = NO_TRANS;
    TRY(after_write(substitute(&job)));      /* X Y = B */
    job.trans = CONJ_TRANS;
    TRY(after_write(substitute(&job)));      /* X^H Z = J Y */
    return after_write(butterfly_of_rhs(B, job.signs->depth, true, &B->report));
}

ompfact_status ompfact_hetrs(ompfact_matrix *A, ompfact_matrix *B)
{
    TRY(check_solve(A, B, A->contents == CONTENTS_INDEFINITE && is_hermitian(&A->shape), "hetrf"));
    return solve_signed(A, B);
}

ompfact_status ompfact_sytrs(ompfact_matrix *A, ompfact_matrix *B)
{
    TRY(check_solve(A, B, A->contents == CONTENTS_INDEFINITE && is_own_transpose(&A->shape), "sytrf"));
    return solve_signed(A, B);
}
