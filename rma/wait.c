/* Waits and the few collectives. All poll and yield, because ranks may outnumber cores. */
#include "rma/state.h"

int rma_wait(struct rma *rma, MPI_Request *request)
{
    struct rma_backoff backoff = { 0 };
    for (;;) {
        int done;
        RMA_TRY(MPI_Test(request, &done, MPI_STATUS_IGNORE));
        if (done)
            return MPI_SUCCESS;
        if (rma != NULL)
            rma_progress(rma, !atomic_load_explicit(&rma->watch.in_call, memory_order_relaxed));
        rma_back_off(&backoff);
    }
}

/* A wait in a collective call: the watchdog watches whether all ranks enter it. */
static int wait_for_all(struct rma *rma, MPI_Request *request)
{
    atomic_fetch_add(&rma->watch.calls, 1);
    rma_watch_reset(rma);
    atomic_store(&rma->watch.in_call, true);
    int code = rma_wait(rma, request);
    atomic_store(&rma->watch.in_call, false);
    return code;
}

int rma_barrier(struct rma *rma)
{
    MPI_Request request;
    RMA_TRY(MPI_Ibarrier(rma->comm, &request));
    return wait_for_all(rma, &request);
}

int rma_reduce_over(struct rma *rma, MPI_Comm comm, void *values, int count, MPI_Datatype type, MPI_Op op)
{
    MPI_Request request;
    RMA_TRY(MPI_Iallreduce(MPI_IN_PLACE, values, count, type, op, comm, &request));
    return wait_for_all(rma, &request);
}

int rma_allreduce(struct rma *rma, void *values, int count, MPI_Datatype type, MPI_Op op)
{
    return rma_reduce_over(rma, rma->comm, values, count, type, op);
}

int rma_node_sum(struct rma *rma, int64_t *value)
{
    return rma_reduce_over(rma, rma->node, value, 1, MPI_INT64_T, MPI_SUM);
}

int rma_node_before(struct rma *rma, int64_t *value)
{
    int64_t before = 0;
    MPI_Request request;
    RMA_TRY(MPI_Iexscan(value, &before, 1, MPI_INT64_T, MPI_SUM, rma->node, &request));
    RMA_TRY(wait_for_all(rma, &request));
    *value = rma->place_on_node[rma->rank] == 0 ? 0 : before;   /* MPI leaves it undefined on the first rank */
    return MPI_SUCCESS;
}

int rma_allgather(struct rma *rma, MPI_Comm comm, const void *mine, void *all, size_t bytes)
{
    MPI_Request request;
    RMA_TRY(MPI_Iallgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, comm, &request));
    return wait_for_all(rma, &request);
}

int rma_bcast(struct rma *rma, void *values, int count, MPI_Datatype type, int root)
{
    MPI_Request request;
    RMA_TRY(MPI_Ibcast(values, count, type, root, rma->comm, &request));
    return wait_for_all(rma, &request);
}
