/* Creation of the gather of a run. */
#include "rma/state.h"

#include <stdlib.h>

int rma_gather_create(struct rma *rma, int words, struct rma_gather **gather)
{
    struct rma_gather *t = calloc(1, sizeof *t);
    int64_t *mine = calloc((size_t)words, sizeof *mine), *all = calloc((size_t)words * (size_t)rma->ranks, sizeof *all);
    int missing = t == NULL || mine == NULL || all == NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Request request;
    *gather = NULL;
    int code = rma_allreduce(rma, &missing, 1, MPI_INT, MPI_MAX);
    if (code == MPI_SUCCESS)
        code = missing ? MPI_ERR_NO_MEM : MPI_Comm_idup(rma->comm, &comm, &request);
    if (code == MPI_SUCCESS)
        code = rma_wait(rma, &request);
    if (code != MPI_SUCCESS) {
        free(t);
        free(mine);
        free(all);
        return code;
    }
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    *t = (struct rma_gather){ .rma = rma, .comm = comm, .request = MPI_REQUEST_NULL, .words = words, .mine = mine, .all = all };
    rma->gather = t;
    *gather = t;
    return MPI_SUCCESS;
}
