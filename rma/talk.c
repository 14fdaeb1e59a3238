/*
 * Words that all ranks tell each other while a run is open, and nobody waits for: an all-gather of a few numbers at a time,
 * over a communicator of its own, for ranks begin it at moments of their own, among other collective calls. Who wants the others
 * to begin theirs calls them: a message without contents to each.
 *
 * Whoever holds the lock of struct rma starts it and asks whether it is done; any thread may want it, and look.
 */
#include "rma/state.h"

#include <stdlib.h>
#include <string.h>

enum { CALL_TAG = 1 };
enum { PATIENCE = 10 };             /* seconds for calls that are known of, when all else is done */
enum { CALL_POLLS = 16 };           /* of a rank that is quiet, from one look for calls to the next */
enum talk_state { TALK_QUIET, TALK_WANTED, TALK_UNDER_WAY };

struct rma_talk {
    struct rma *rma;
    MPI_Comm comm;
    MPI_Request request;
    int words;                      /* that a rank says */
    int64_t *mine, *all;            /* [words], [rank][words] */
    atomic_int state;
    unsigned polls;
    atomic_int owed;                /* calls that are known of and have not come; below 0: that have come, and are not known of */
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

/* Of those that have come one. */
static void receive_call(struct rma_talk *t)
{
    int there = 0;
    MPI_Status status;
    int code = MPI_Iprobe(MPI_ANY_SOURCE, CALL_TAG, t->comm, &there, &status);
    if (code == MPI_SUCCESS && there)
        code = MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, CALL_TAG, t->comm, MPI_STATUS_IGNORE);
    rma_note_error(t->rma, code);
    if (code == MPI_SUCCESS && there)
        atomic_fetch_sub(&t->owed, 1);
}

static int call_others(struct rma_talk *t)
{
    for (int rank = 0; rank < t->rma->ranks; rank++) {
        MPI_Request request;
        if (rank == t->rma->rank)
            continue;
        RMA_TRY(MPI_Isend(NULL, 0, MPI_BYTE, rank, CALL_TAG, t->comm, &request));
        RMA_TRY(MPI_Request_free(&request));
    }
    return MPI_SUCCESS;
}

static bool calls(const struct rma_talk *t, const int64_t *words)
{
    return words[t->words - 1] != 0;
}

/* How many of the others have called, and said so. */
static void note_calls(struct rma_talk *t)
{
    int callers = 0;
    for (int rank = 0; rank < t->rma->ranks; rank++)
        callers += rank != t->rma->rank && calls(t, &t->all[rank * t->words]);
    atomic_fetch_add(&t->owed, callers);
}

void rma_talk_destroy(struct rma_talk **talk)
{
    struct rma_talk *t = *talk;
    if (t == NULL)
        return;
    struct rma_backoff backoff = { 0 };
    double end = MPI_Wtime() + PATIENCE;    /* a call that its rank could not send is that one's error alone */
    while (atomic_load(&t->owed) > 0 && rma_error(t->rma) == MPI_SUCCESS && MPI_Wtime() < end) {
        receive_call(t);
        rma_back_off(&backoff);
    }
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

bool rma_talk_is_called(const struct rma_talk *t)
{
    return atomic_load_explicit(&((struct rma_talk *)t)->owed, memory_order_relaxed) < 0;
}

bool rma_talk_is_open(const struct rma *rma)
{
    return rma->talk != NULL && atomic_load_explicit(&rma->talk->state, memory_order_relaxed) != TALK_QUIET;
}

void rma_talk_progress(struct rma *rma)
{
    struct rma_talk *t = rma->talk;
    int state = t == NULL ? TALK_QUIET : atomic_load_explicit(&t->state, memory_order_acquire), done = 0;
    if (state == TALK_QUIET) {
        if (t != NULL && ++t->polls % CALL_POLLS == 0)
            receive_call(t);
        return;
    }
    if (state == TALK_WANTED) {
        if (calls(t, t->mine))
            rma_note_error(rma, call_others(t));
        rma_note_error(rma, MPI_Iallgather(t->mine, t->words, MPI_INT64_T, t->all, t->words, MPI_INT64_T, t->comm, &t->request));
        atomic_store_explicit(&t->state, TALK_UNDER_WAY, memory_order_relaxed);
    }
    int code = MPI_Test(&t->request, &done, MPI_STATUS_IGNORE);
    rma_note_error(rma, code);
    if (done && code == MPI_SUCCESS)
        note_calls(t);
    if (done || code != MPI_SUCCESS)
        atomic_store_explicit(&t->state, TALK_QUIET, memory_order_release);
}
