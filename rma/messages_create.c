/* The communicator of messages, and memory for the replies to them. */
#include "rma/state.h"

#include <stdlib.h>

int rma_messages_create(struct rma *rma)
{
    if (rma->messages != NULL)
        return MPI_SUCCESS;
    struct rma_messages *l = calloc(1, sizeof *l);
    MPI_Request *reply = malloc((size_t)rma->ranks * RMA_READS * sizeof *reply), request;
    int no_memory = l == NULL || reply == NULL;
    int code = rma_allreduce(rma, &no_memory, 1, MPI_INT, MPI_MAX);
    if (code == MPI_SUCCESS)
        code = no_memory ? MPI_ERR_NO_MEM : MPI_Comm_idup(rma->comm, &l->comm, &request);
    if (code == MPI_SUCCESS)
        code = rma_wait(NULL, &request);
    if (code != MPI_SUCCESS) {
        free(l);
        free(reply);
        return code;
    }
    MPI_Comm_set_errhandler(l->comm, MPI_ERRORS_RETURN);
    l->reply = reply;
    l->room = rma->ranks * RMA_READS;
    rma->messages = l;
    return MPI_SUCCESS;
}

void rma_messages_destroy(struct rma *rma)
{
    if (rma->messages == NULL)
        return;
    MPI_Comm_free(&rma->messages->comm);
    free(rma->messages->reply);
    free(rma->messages);
    rma->messages = NULL;
}
