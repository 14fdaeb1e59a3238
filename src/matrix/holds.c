/* The contents of a matrix: the caller's elements, factors, or factors of its first rows and the remaining matrix. */
#include "src/matrix/matrix.h"

#include <inttypes.h>
#include <string.h>

ompfact_contents ompfact_holds(const ompfact_matrix *A)
{
    static const ompfact_contents holds[] = {
        [CONTENTS_PLAIN] = OMPFACT_HOLDS_ELEMENTS, [CONTENTS_CHOLESKY] = OMPFACT_HOLDS_CHOLESKY,
        [CONTENTS_LU] = OMPFACT_HOLDS_LU,          [CONTENTS_QR] = OMPFACT_HOLDS_QR,
        [CONTENTS_L_OF_LQ] = OMPFACT_HOLDS_L_OF_LQ, [CONTENTS_INDEFINITE] = OMPFACT_HOLDS_INDEFINITE };
    return is_in_part(A) ? OMPFACT_HOLDS_PART : holds[A->contents];
}

int64_t ompfact_eliminated(const ompfact_matrix *A)
{
    return A->rows.start[A->done];
}

static bool is_part_with_signs(const ompfact_matrix *A)
{
    return is_in_part(A) && strcmp(A->done_by, "sytrf") == 0;
}

bool holds_signs(const ompfact_matrix *A)
{
    return A->contents == CONTENTS_INDEFINITE || is_part_with_signs(A);
}

ompfact_status check_whole(const ompfact_matrix *A, const char *factorization)
{
    if (!is_in_part(A) || (factorization != NULL && strcmp(A->done_by, factorization) == 0))
        return OMPFACT_SUCCESS;
    /* hetrf and sytrf are both sytrf internally; the message has the name that the caller used */
    const char *name = is_part_with_signs(A) && is_hermitian(&A->shape) ? "hetrf" : A->done_by;
    return fail(A->grid, OMPFACT_BAD_ARGUMENT, "ompfact_%s_partial() has eliminated %" PRId64 " rows of the matrix: "
                "ompfact_%s() continues from there, ompfact_schur() returns the Schur complement, and filling the matrix "
                "begins anew",
                name, ompfact_eliminated(A), name);
}
