/* Functions for factors that were computed elsewhere; those of QR are in tau.c. */
#include "src/factor/factor.h"

ompfact_status ompfact_adopt_potrf(ompfact_matrix *A)
{
    TRY(check_potrf(A));
    TRY(ompfact_bring_home(A));
    matrix_begins_anew(A);
    A->contents = CONTENTS_CHOLESKY;
    return OMPFACT_SUCCESS;
}

static ompfact_status keep_interchanges(ompfact_matrix *A, const int64_t *ipiv)
{
    if (!are_interchanges(A, ipiv, 0, shorter_side(A), 1))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "row i can be interchanged with one of the rows i to m: ipiv[i - 1]");
    if (!matrix_has_ipiv(A))
        return fail(A->grid, OMPFACT_NO_MEMORY, "rank %d: no memory for interchanges", A->me);
    for (int64_t i = 0; i < shorter_side(A); i++)
        A->ipiv[i] = ipiv[i] - 1;
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_adopt_getrf(ompfact_matrix *A, const int64_t *ipiv)
{
    TRY(check_getrf(A));
    if (ipiv != NULL)
        TRY(agree(A->grid, keep_interchanges(A, ipiv)));
    TRY(ompfact_bring_home(A));
    matrix_begins_anew(A);
    A->pivoted = ipiv != NULL;
    A->contents = CONTENTS_LU;
    return OMPFACT_SUCCESS;
}
