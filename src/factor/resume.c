/* Continues a factorization from a checkpoint. */
#include "src/checkpoint/restart.h"
#include "src/factor/snapshot.h"
#include "src/matrix/layers.h"

static ompfact_status restore(ompfact_matrix *A, resume_beside *beside)
{
    const struct restart *from = A->grid->restart;
    ompfact_status status = restart_tiles(A, from->tiles);
    if (status == OMPFACT_SUCCESS) {
        A->kept = restart_kept(A);
        A->done = from->appends && A->kept > 0 ? 0 : from->manifest.step;
        A->resumed = true;
    }
    if (status == OMPFACT_SUCCESS && beside != NULL)
        status = beside(A, from->tiles);
    return after_write(status);
}

ompfact_status take_up(ompfact_matrix *A, const char *factorization)
{
    if (A->resumed)
        A->done = A->left = 0;
    A->resumed = false;
    A->kept = 0;
    return check_whole(A, factorization);
}

ompfact_status resume(ompfact_matrix *A, const char *factorization, const char *pivot, resume_beside *beside)
{
    TRY(take_up(A, factorization));
    bool suits;
    TRY(agree(A->grid, restart_suits(A, factorization, pivot, &suits)));
    if (!suits)
        return OMPFACT_SUCCESS;
    ompfact_status status = restore(A, beside);
    A->done_by = factorization;
    restart_free(&A->grid->restart);
    return status;
}

ompfact_status first_zero_pivot(const ompfact_matrix *A, int steps, int64_t *info)
{
    int64_t first = INT64_MAX;
    for (int k = 0; k < steps; k++)
        for (int i = 0; owns(factor_at(A, k, k), k, k) && i < tiling_size(&A->rows, k) && i < tiling_size(&A->cols, k); i++) {
            double re, im;
            size_t place = (size_t)i * ((size_t)tiling_size(&A->rows, k) + 1);
            A->precision->get((char *)matrix_tile(factor_at(A, k, k), k, k) + place * A->precision->size, &re, &im);
            if (re == 0 && im == 0 && A->rows.start[k] + i + 1 < first)
                first = A->rows.start[k] + i + 1;
        }
    TRY_MPI(A->grid, rma_allreduce(A->grid->rma, &first, 1, MPI_INT64_T, MPI_MIN));
    *info = first < INT64_MAX ? first : 0;
    return OMPFACT_SUCCESS;
}

ompfact_status resumed_info(ompfact_matrix *A, int done, int64_t *info)
{
    int64_t first;
    TRY(first_zero_pivot(A, done, &first));
    *info = first > 0 ? first : *info;
    return OMPFACT_SUCCESS;
}
