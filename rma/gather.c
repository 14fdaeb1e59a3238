/*
 * An all-gather of a few words while a run is open, for which no rank waits. It has a communicator of its own, because ranks
 * begin it at different times, between other collective calls. A rank that wants the others to begin sends each one a request:
 * a message without contents.
 *
 * The holder of the lock of struct rma starts the all-gather and tests it. Any thread may request it and read the result.
 */
#include "rma/state.h"

#include <stdlib.h>
#include <string.h>

enum { TAG_REQUEST = 1 };
enum { PATIENCE = 10 };             /* seconds to wait for announced requests, when all else is done */
enum { REQUEST_POLLS = 16 };           /* polls between two tests for a request, while the rank is idle */

/* Receives one request, if there is any. */
static void receive_request(struct rma_gather *t)
{
    int there = 0;
    MPI_Status status;
    int code = MPI_Iprobe(MPI_ANY_SOURCE, TAG_REQUEST, t->comm, &there, &status);
    if (code == MPI_SUCCESS && there)
        code = MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, TAG_REQUEST, t->comm, MPI_STATUS_IGNORE);
    rma_note_error(t->rma, code);
    if (code == MPI_SUCCESS && there)
        atomic_fetch_sub(&t->pending, 1);
}

static int request_others(struct rma_gather *t)
{
    for (int rank = 0; rank < t->rma->ranks; rank++) {
        MPI_Request request;
        if (rank == t->rma->rank)
            continue;
        RMA_TRY(MPI_Isend(NULL, 0, MPI_BYTE, rank, TAG_REQUEST, t->comm, &request));
        RMA_TRY(MPI_Request_free(&request));
    }
    return MPI_SUCCESS;
}

static bool requests_others(const struct rma_gather *t, const int64_t *words)
{
    return words[t->words - 1] != 0;
}

/* Counts the requests that the words of other ranks announce. */
static void count_requests(struct rma_gather *t)
{
    int requests = 0;
    for (int rank = 0; rank < t->rma->ranks; rank++)
        requests += rank != t->rma->rank && requests_others(t, &t->all[rank * t->words]);
    atomic_fetch_add(&t->pending, requests);
}

void rma_gather_destroy(struct rma_gather **gather)
{
    struct rma_gather *t = *gather;
    if (t == NULL)
        return;
    struct rma_backoff backoff = { 0 };
    double end = MPI_Wtime() + PATIENCE;    /* if a rank could not send its request, only that rank has the error */
    while (atomic_load(&t->pending) > 0 && atomic_load(&t->rma->error) == MPI_SUCCESS && MPI_Wtime() < end) {
        receive_request(t);
        rma_back_off(&backoff);
    }
    t->rma->gather = NULL;
    *gather = NULL;
    if (atomic_load(&t->state) == GATHER_IN_FLIGHT)       /* after an error MPI may still write to this memory */
        return;
    MPI_Comm_free(&t->comm);
    free(t->mine);
    free(t->all);
    free(t);
}

void rma_gather_begin(struct rma_gather *t, const int64_t *words)
{
    memcpy(t->mine, words, (size_t)t->words * sizeof *words);
    atomic_store_explicit(&t->state, GATHER_REQUESTED, memory_order_release);
}

const int64_t *rma_gather_result(const struct rma_gather *t)
{
    return atomic_load_explicit(&((struct rma_gather *)t)->state, memory_order_acquire) == GATHER_IDLE ? t->all : NULL;
}

bool rma_gather_is_requested(const struct rma_gather *t)
{
    return atomic_load_explicit(&((struct rma_gather *)t)->pending, memory_order_relaxed) < 0;
}

bool rma_gather_is_open(const struct rma *rma)
{
    return rma->gather != NULL && atomic_load_explicit(&rma->gather->state, memory_order_relaxed) != GATHER_IDLE;
}

void rma_gather_progress(struct rma *rma)
{
    struct rma_gather *t = rma->gather;
    int state = t == NULL ? GATHER_IDLE : atomic_load_explicit(&t->state, memory_order_acquire), done = 0;
    if (state == GATHER_IDLE) {
        if (t != NULL && ++t->polls % REQUEST_POLLS == 0)
            receive_request(t);
        return;
    }
    if (state == GATHER_REQUESTED) {
        if (requests_others(t, t->mine))
            rma_note_error(rma, request_others(t));
        rma_note_error(rma, MPI_Iallgather(t->mine, t->words, MPI_INT64_T, t->all, t->words, MPI_INT64_T, t->comm, &t->request));
        atomic_store_explicit(&t->state, GATHER_IN_FLIGHT, memory_order_relaxed);
    }
    int code = MPI_Test(&t->request, &done, MPI_STATUS_IGNORE);
    rma_note_error(rma, code);
    if (done && code == MPI_SUCCESS)
        count_requests(t);
    if (done || code != MPI_SUCCESS)
        atomic_store_explicit(&t->state, GATHER_IDLE, memory_order_release);
}
