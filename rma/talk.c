/*
 * Words that all ranks tell each other while a run is open, and nobody waits for: an all-gather of a few numbers at a time,
 * over a communicator of its own, for ranks begin it at moments of their own, among other collective calls.
 *
 * Whoever holds the lock of struct rma starts it and asks whether it is done; any thread may want it, and look.
 */
#include "rma/state.h"

#include <stdlib.h>
#include <string.h>

enum talk_state { TALK_QUIET, TALK_WANTED, TALK_UNDER_WAY };

struct rma_talk {
    struct rma *rma;
    MPI_Comm comm;
    MPI_Request request;
    int words;                      /* that a rank says */
    int64_t *mine, *all;            /* [words], [rank][words] */
    atomic_int state;
};

int rma_talk_create(struct rma *rma, int words, struct rma_talk **talk)
{
    struct rma_talk *t = calloc(1, sizeof *t);
    int64_t *mine = calloc((size_t)words, sizeof *mine), *all = calloc((size_t)words * (size_t)rma->ranks, sizeof *all);
    int missing = t == NULL || mine == NULL || all == NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Request request;
    *talk = NULL;
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
    *t = (struct rma_talk){ .rma = rma, .comm = comm, .request = MPI_REQUEST_NULL, .words = words, .mine = mine, .all = all };
    rma->talk = t;
    *talk = t;
    return MPI_SUCCESS;
}

void rma_talk_destroy(struct rma_talk **talk)
{
    struct rma_talk *t = *talk;
    if (t == NULL)
        return;
    t->rma->talk = NULL;
    *talk = NULL;
    if (atomic_load(&t->state) == TALK_UNDER_WAY)       /* after an error: MPI may still write to it */
        return;
    MPI_Comm_free(&t->comm);
    free(t->mine);
    free(t->all);
    free(t);
}

void rma_talk_begin(struct rma_talk *t, const int64_t *words)
{
    memcpy(t->mine, words, (size_t)t->words * sizeof *words);
    atomic_store_explicit(&t->state, TALK_WANTED, memory_order_release);
}

const int64_t *rma_talk_heard(const struct rma_talk *t)
{
    return atomic_load_explicit(&((struct rma_talk *)t)->state, memory_order_acquire) == TALK_QUIET ? t->all : NULL;
}

bool rma_talk_is_open(const struct rma *rma)
{
    return rma->talk != NULL && atomic_load_explicit(&rma->talk->state, memory_order_relaxed) != TALK_QUIET;
}

void rma_talk_progress(struct rma *rma)
{
    struct rma_talk *t = rma->talk;
    int state = t == NULL ? TALK_QUIET : atomic_load_explicit(&t->state, memory_order_acquire), done = 0;
    if (state == TALK_QUIET)
        return;
    if (state == TALK_WANTED) {
        rma_note_error(rma, MPI_Iallgather(t->mine, t->words, MPI_INT64_T, t->all, t->words, MPI_INT64_T, t->comm, &t->request));
        atomic_store_explicit(&t->state, TALK_UNDER_WAY, memory_order_relaxed);
    }
    int code = MPI_Test(&t->request, &done, MPI_STATUS_IGNORE);
    rma_note_error(rma, code);
    if (done || code != MPI_SUCCESS)
        atomic_store_explicit(&t->state, TALK_QUIET, memory_order_release);
}
