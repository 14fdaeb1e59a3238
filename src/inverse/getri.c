/*
 * The inverse of a matrix by its LU factors, A = P^T L U (LAPACK's getri; Du Croz, Higham, "Stability of methods for matrix
 * inversion", 1992, method B), conjugate-transposed, so that interchanges are of rows:
 *
 *     X = U^-H                lower triangular, n^3 / 3 flops
 *     X = L^-H X              n^3
 *     A = (P^T X)^H           tile (i,j) of X is where A's (j,i) is
 */
#include "src/inverse/inverse.h"

static ompfact_status substitute_back(ompfact_matrix *A, ompfact_matrix *X)
{
    struct job job = { .A = A, .B = X, .side = LEFT, .uplo = LOWER, .trans = CONJ_TRANS, .diag = UNIT };
    ompfact_report part;
    TRY(solve_matrix(&job, &part));
    report_add(&A->report, &part);
    return OMPFACT_SUCCESS;
}

static ompfact_status invert(ompfact_matrix *A, ompfact_matrix *X)
{
    TRY(invert_triangle(A, UPPER, CONJ_TRANS, NON_UNIT, X, &A->report));
    TRY(substitute_back(A, X));
    if (A->pivoted) {
        X->report = report_of_nothing();
        TRY(interchange_rows(X, A->ipiv, A->shape.n, true));
        report_add(&A->report, &X->report);
    }
    A->contents = CONTENTS_PLAIN;
    A->pivoted = false;
    return after_write(transpose_tiles(X, GENERAL, A));
}

ompfact_status ompfact_getri(ompfact_matrix *A, int64_t *info)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *X = NULL;
    TRY(check_whole(A, NULL));
    if (A->contents != CONTENTS_LU)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors by getrf with info 0");
    TRY(check_square(A));
    TRY(check_dense(A));
    A->report = report_of_nothing();
    TRY(first_zero_pivot(A, A->mt, info));
    if (*info != 0)
        return OMPFACT_SUCCESS;
    TRY(matrix_create_transposed(A, &X));
    return invert(A, X);
}
