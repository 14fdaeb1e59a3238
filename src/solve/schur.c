/* The Schur complement of a factorization of the first rows, as a matrix of its own. */
#include "src/solve/solve.h"

#include <string.h>

static void copy_tile(void *matrix, const ompfact_tile *to)
{
    const ompfact_matrix *A = matrix;
    memcpy(to->data, matrix_tile(A, to->i + A->done, to->j + A->done), (size_t)to->mb * (size_t)to->nb * A->precision->size);
}

/* Completes S to both triangles. Collective. */
static ompfact_status make_general(ompfact_matrix **S)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *half = *S;
    return matrix_make_general(half, S);
}

ompfact_status ompfact_schur(ompfact_matrix *A, bool both, ompfact_matrix **S)
{
    *S = NULL;
    TRY(check_dense(A));
    if (A->done == 0)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT,
                    "this matrix has no Schur complement: ompfact_potrf_partial() or a similar function leaves one");
    TRY(matrix_create_trailing(A, A->done, S));
    ompfact_status status = agree(A->grid, ompfact_fill_tiles(*S, copy_tile, A));
    if (status == OMPFACT_SUCCESS && both && stores_triangle(&A->shape))
        status = make_general(S);
    return matrix_only_after(status, S);
}
