/* The 1-norm of a distributed matrix: each rank adds up its own tiles' columns, the sums are added over the ranks. */
#include "src/matrix.h"

#include <math.h>
#include <stdlib.h>

ompfact_status column_sums(ompfact_matrix *A, double **sums)
{
    ompfact_grid *grid = A->grid;
    int64_t n = A->shape.n;
    double *s = calloc((size_t)n + 1, sizeof *s);
    *sums = NULL;
    ompfact_status status = OMPFACT_SUCCESS;
    if (s == NULL)
        status = fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory for %lld column sums", A->me, (long long)n);
    status = agree(grid, status);
    if (status != OMPFACT_SUCCESS) {
        free(s);
        return status;
    }
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        if (is_unused(A, i, j))
            continue;
        ompfact_tile t;
        matrix_view(A, i, j, &t);
        A->kernels->sums(part_of(A, i, j), t.mb, t.nb, t.data, t.ld, s + t.col, is_hermitian(&A->shape) ? s + t.row : NULL);
    }
    /* In pieces, so that a count fits an int whatever the size. */
    enum { PIECE = 1 << 20 };
    for (int64_t first = 0; first < n; first += PIECE) {
        int count = n - first < PIECE ? (int)(n - first) : PIECE;
        int code = rma_allreduce(grid->rma, s + first, count, MPI_DOUBLE, MPI_SUM);
        if (code != MPI_SUCCESS) {
            free(s);
            return fail_mpi(grid, code);
        }
    }
    *sums = s;
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_norm1(ompfact_matrix *A, double *norm)
{
    double *sums;
    TRY(column_sums(A, &sums));
    *norm = 0;
    for (int64_t j = 0; j < A->shape.n; j++)
        *norm = larger_or_nan(*norm, sums[j]);
    free(sums);
    return OMPFACT_SUCCESS;
}

/* The largest modulus of A, or of its upper triangle. */
static ompfact_status largest(ompfact_matrix *A, bool upper, double *value)
{
    *value = 0;
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t;
        matrix_view(A, i, j, &t);
        if (!upper || i <= j)
            *value = larger_or_nan(*value, A->kernels->largest(upper && i == j ? UPPER : GENERAL, t.mb, t.nb, t.data, t.ld));
    }
    int nan = *value != *value;     /* which MPI_MAX may lose */
    TRY_MPI(A->grid, rma_allreduce(A->grid->rma, value, 1, MPI_DOUBLE, MPI_MAX));
    TRY_MPI(A->grid, rma_allreduce(A->grid->rma, &nan, 1, MPI_INT, MPI_MAX));
    *value = nan ? NAN : *value;
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_growth(ompfact_matrix *A, ompfact_matrix *factors, double *growth)
{
    double before, after;
    if (A->shape.structure != OMPFACT_GENERAL || factors->shape.structure != OMPFACT_GENERAL)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "growth is of an LU factorization");
    TRY(largest(A, false, &before));
    TRY(largest(factors, true, &after));
    *growth = before > 0 ? after / before : 1;
    return OMPFACT_SUCCESS;
}
