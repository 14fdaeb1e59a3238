/* The inverse of a triangular matrix. */
#include "src/inverse/inverse.h"

static ompfact_status invert(ompfact_matrix *A, bool unit, ompfact_matrix *X)
{
    TRY(invert_triangle(A, LOWER, NO_TRANS, unit ? UNIT : NON_UNIT, X, &A->report));
    replace_triangle(A, X, !unit);
    A->contents = CONTENTS_PLAIN;
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_trtri(ompfact_matrix *A, bool unit, int64_t *info)
{
    ompfact_matrix *X;
    if (!is_hermitian(&A->shape))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "trtri needs a matrix made as OMPFACT_HERMITIAN_LOWER or _UPPER");
    *info = 0;
    if (!unit)
        TRY(first_zero_pivot(A, info));
    if (*info != 0)
        return OMPFACT_SUCCESS;
    TRY(matrix_create_lower(A, &X));
    ompfact_status status = invert(A, unit, X);
    ompfact_matrix_destroy(&X);
    return status;
}
