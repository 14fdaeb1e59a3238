/* Exchanges in rounds: bytes between all pairs of ranks. The sender packs them, the receiver reads them. */
#include "rma/move.h"
#include "rma/state.h"

#include <stdlib.h>
#include <string.h>

/*
 * The bytes are packed, not read in place through derived datatypes: MPICH over UCX, 4.0.2 to 5.0.1, completes the request of an
 * MPI_Rget of such a type at once, before any data arrives (pmodels/mpich#7896). Reads of contiguous bytes are right.
 */
struct rma_exchange {
    struct rma *rma;
    struct rma_space *outboxes; /* spaces without flags */
    unsigned char *inbox;
    int64_t *first_of;          /* [rank]: offset of the bytes for this rank in the outbox of that rank */
    int *span;                  /* [4][rank]: without a window between nodes, counts and offsets of what this rank sends and
                                   receives */
    int64_t bytes;
};

static void free_exchange(struct rma_exchange *x)
{
    if (x == NULL)
        return;
    free(x->inbox);
    free(x->first_of);
    free(x->span);
    free(x);
}

int rma_exchange_create(struct rma *rma, size_t bytes, struct rma_exchange **exchange)
{
    struct rma_exchange *x = calloc(1, sizeof *x);
    *exchange = NULL;
    if (x != NULL) {
        x->rma = rma;
        x->inbox = malloc(bytes + 1);
        x->first_of = malloc((size_t)rma->ranks * sizeof *x->first_of);
        x->span = malloc(4 * (size_t)rma->ranks * sizeof *x->span);
    }
    int no_memory = x == NULL || x->inbox == NULL || x->first_of == NULL || x->span == NULL;
    int code = rma_allreduce(rma, &no_memory, 1, MPI_INT, MPI_MAX);
    if (code == MPI_SUCCESS)
        code = no_memory ? MPI_ERR_NO_MEM : rma_space_create(rma, bytes, 0, 1, &x->outboxes);
    if (code != MPI_SUCCESS) {
        free_exchange(x);
        return code;
    }
    *exchange = x;
    return MPI_SUCCESS;
}

void rma_exchange_destroy(struct rma_exchange **exchange)
{
    if (*exchange == NULL)
        return;
    rma_space_destroy(&(*exchange)->outboxes);
    free_exchange(*exchange);
    *exchange = NULL;
}

int rma_exchange_agree(struct rma_exchange *exchange, int64_t *position)
{
    return rma_allreduce(exchange->rma, position, 1, MPI_INT64_T, MPI_MIN);
}

void *rma_exchange_outbox(struct rma_exchange *exchange)
{
    return rma_space_base(exchange->outboxes);
}

const void *rma_exchange_inbox(const struct rma_exchange *exchange)
{
    return exchange->inbox;
}

int64_t rma_exchange_bytes(const struct rma_exchange *exchange)
{
    return exchange->bytes;
}

/* Sends every rank the offset of its bytes in this outbox, which also means that the outbox is complete. */
static int exchange_places(struct rma_exchange *x, const int64_t *out_first)
{
    MPI_Request request;
    RMA_TRY(rma_space_sync(x->outboxes));
    RMA_TRY(MPI_Ialltoall(out_first, 1, MPI_INT64_T, x->first_of, 1, MPI_INT64_T, x->rma->comm, &request));
    RMA_TRY(rma_wait(x->rma, &request));
    return rma_space_sync(x->outboxes);
}

/* Waits for all started reads, also after an error: no read into the inbox may stay in flight. */
static int wait_for(struct rma *rma, MPI_Request *requests, int count)
{
    int first_error = MPI_SUCCESS;
    for (int i = 0; i < count; i++) {
        int code = rma_wait(rma, &requests[i]);
        first_error = first_error == MPI_SUCCESS ? code : first_error;
    }
    return first_error;
}

/* Whether the bytes between this rank and that one go by the all-to-all. */
static bool is_beyond(const struct rma_exchange *x, int rank)
{
    return x->outboxes->by_messages && rma_crosses(&x->rma->nodes, rank);
}

/* Moves all bytes that no window reaches, at once. */
static int move_beyond(struct rma_exchange *x, const int64_t *out_first, const int64_t *in_first)
{
    int ranks = x->rma->ranks, *counts = x->span;
    MPI_Request request;
    if (!x->outboxes->by_messages)
        return MPI_SUCCESS;
    for (int rank = 0; rank < ranks; rank++) {
        bool beyond = is_beyond(x, rank);
        counts[rank] = beyond ? (int)(out_first[rank + 1] - out_first[rank]) : 0;
        counts[ranks + rank] = (int)out_first[rank];
        counts[2 * ranks + rank] = beyond ? (int)(in_first[rank + 1] - in_first[rank]) : 0;
        counts[3 * ranks + rank] = (int)in_first[rank];
        x->bytes += counts[2 * ranks + rank];
    }
    RMA_TRY(MPI_Ialltoallv(rma_exchange_outbox(x), counts, counts + ranks, MPI_BYTE, x->inbox, counts + 2 * ranks,
                           counts + 3 * ranks, MPI_BYTE, x->rma->comm, &request));
    return rma_wait(x->rma, &request);
}

/* Copies from an outbox of this node at once; else starts a read. */
static int pull(struct rma_exchange *x, int rank, int64_t to, int bytes, MPI_Request *request)
{
    const unsigned char *here = rma_space_in_place(x->outboxes, rank);
    *request = MPI_REQUEST_NULL;
    if (here == NULL)
        return rma_read(x->outboxes, rank, (MPI_Aint)x->first_of[rank], x->inbox + to, bytes, request);
    memcpy(x->inbox + to, here + x->first_of[rank], (size_t)bytes);
    return MPI_SUCCESS;
}

/* Reads in flight at once. */
enum { READS = 32 };

int rma_exchange_move(struct rma_exchange *exchange, const int64_t *out_first, const int64_t *in_first)
{
    struct rma_exchange *x = exchange;
    int ranks = x->rma->ranks, reads = 0;
    MPI_Request requests[READS];
    RMA_TRY(exchange_places(x, out_first));
    int code = move_beyond(x, out_first, in_first);
    for (int step = 1; step < ranks && code == MPI_SUCCESS; step++) {
        int rank = (x->rma->rank + step) % ranks;       /* not all read from the same rank first */
        int bytes = (int)(in_first[rank + 1] - in_first[rank]);
        if (bytes == 0 || is_beyond(x, rank))
            continue;
        code = pull(x, rank, in_first[rank], bytes, &requests[reads]);
        if (code == MPI_SUCCESS) {
            x->bytes += bytes;
            reads += requests[reads] != MPI_REQUEST_NULL;
        }
        if (reads == READS) {
            code = wait_for(x->rma, requests, reads);
            reads = 0;
        }
    }
    int last = wait_for(x->rma, requests, reads);
    return code == MPI_SUCCESS ? last : code;
}
