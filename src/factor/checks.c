/* Checks whether a factorization supports a matrix. */
#include "src/checkpoint/restart.h"
#include "src/factor/factor.h"

#include <inttypes.h>

ompfact_status check_square(const ompfact_matrix *A)
{
    const ompfact_shape *s = &A->shape;
    if (tiling_equal(&A->rows, &A->cols))
        return OMPFACT_SUCCESS;
    return fail(A->grid, OMPFACT_BAD_ARGUMENT,
                "the matrix must be square, with equal tile rows and tile columns, not %" PRId64 " x %" PRId64, s->m, s->n);
}

ompfact_status check_potrf(const ompfact_matrix *A)
{
    if (!is_hermitian(&A->shape))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "potrf needs a matrix made as OMPFACT_HERMITIAN_LOWER or _UPPER");
    return OMPFACT_SUCCESS;
}

/* Diagonal tiles must be square. The last one may be longer if the matrix continues beside it, but not shorter. */
static bool diagonal_is_square(const ompfact_matrix *A)
{
    for (int k = 0; k < steps_of(A); k++) {
        int mb = tiling_size(&A->rows, k), nb = tiling_size(&A->cols, k);
        if ((mb < nb && k + 1 < A->mt) || (mb > nb && k + 1 < A->nt))
            return false;
    }
    return true;
}

ompfact_status check_getrf(const ompfact_matrix *A)
{
    if (A->shape.structure != OMPFACT_GENERAL)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "getrf needs a matrix made as OMPFACT_GENERAL");
    if (!diagonal_is_square(A))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT,
                    "getrf needs square tiles on the diagonal: row heights equal to column widths");
    return OMPFACT_SUCCESS;
}

/* A triangle has as many rows as its panel has columns, and must fit into one tile: for a panel that is done, into the diagonal
   tile. Columns end with diagonal tiles, since the rows below would not be reduced otherwise. */
static bool tiles_hold_triangles(const struct tiling *rows, const struct tiling *cols, int done)
{
    int widest = 0, steps = rows->count < cols->count ? rows->count : cols->count;
    for (int i = 0; i + 1 < rows->count; i++) {
        if (i <= done)
            widest = 0;
        if (i < cols->count && tiling_size(cols, i) > widest)
            widest = tiling_size(cols, i);
        if (tiling_size(rows, i) < widest)
            return false;
    }
    for (int k = 0; k < steps; k++)
        if (rows->start[k] != cols->start[k] || (k + 1 < cols->count && tiling_size(rows, k) > tiling_size(cols, k)))
            return false;
    return true;
}

ompfact_status check_geqrf(const ompfact_matrix *A, bool transposed)
{
    if (A->shape.structure != OMPFACT_GENERAL)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "geqrf needs a matrix made as OMPFACT_GENERAL");
    int done = restart_steps(A->grid, "geqrf", transposed ? A->shape.n : A->shape.m, transposed ? A->shape.m : A->shape.n);
    done = done > A->done ? done : A->done;
    if (!(transposed ? tiles_hold_triangles(&A->cols, &A->rows, done) : tiles_hold_triangles(&A->rows, &A->cols, done)))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT,
                    "geqrf needs square tiles on the diagonal, and below it tiles at least as high as they are wide");
    return check_dense(A);
}
