/* A factorization that goes on from a checkpoint. */
#include "src/checkpoint/restart.h"
#include "src/factor/snapshot.h"

static ompfact_status restore(ompfact_matrix *A, resume_beside *beside)
{
    const struct restart *from = A->grid->restart;
    ompfact_status status = restart_tiles(A, from->tiles);
    if (status == OMPFACT_SUCCESS) {
        A->done = from->manifest.step;
        A->resumed = true;
    }
    if (status == OMPFACT_SUCCESS && beside != NULL)
        status = beside(A, from->tiles);
    return on_the_way(status);
}

ompfact_status resume(ompfact_matrix *A, const char *factorization, const char *pivot, resume_beside *beside)
{
    int suits = restart_suits(A, factorization, pivot);
    TRY(agree(A->grid, suits < 0 ? OMPFACT_BAD_ARGUMENT : OMPFACT_SUCCESS));
    if (suits == 0)
        return OMPFACT_SUCCESS;
    ompfact_status status = restore(A, beside);
    restart_forget(&A->grid->restart);
    return status;
}
