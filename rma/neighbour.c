/*
 * Whether the next rank is there: after a silence each rank asks the one after it, the last one the first, by a message of one
 * number, which a rank that polls answers. So of a rank that hangs one other knows, however many there are, and whatever they
 * wait for. A rank has one question under way at a time, and none when its communicator is freed.
 */
#include "rma/state.h"

enum { TAG_QUESTION = 4, TAG_ANSWER };      /* of rma->comm, beside shares.c */

static bool has_left(struct rma *rma, MPI_Request *request)
{
    int gone = 1;
    if (*request != MPI_REQUEST_NULL)
        rma_note_error(rma, MPI_Test(request, &gone, MPI_STATUS_IGNORE));
    return gone;
}

/* What has come whole is taken without waiting. */
static bool take(struct rma *rma, int from, int tag, int *value)
{
    int there = 0;
    int code = MPI_Iprobe(from, tag, rma->comm, &there, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && there)
        code = MPI_Recv(value, 1, MPI_INT, from, tag, rma->comm, MPI_STATUS_IGNORE);
    rma_note_error(rma, code);
    return code == MPI_SUCCESS && there;
}

int rma_neighbour(const struct rma *rma)
{
    return (rma->rank + 1) % rma->ranks;
}

void rma_neighbour_ask(struct rma *rma, double now)
{
    struct rma_watch *w = &rma->watch;
    if (rma->ranks == 1 || w->asked || !has_left(rma, &w->question))
        return;
    w->asked = true;
    w->asked_at = now;
    rma_note_error(rma, MPI_Isend(&w->nothing, 1, MPI_INT, rma_neighbour(rma), TAG_QUESTION, rma->comm, &w->question));
}

void rma_neighbour_answer(struct rma *rma)
{
    struct rma_watch *w = &rma->watch;
    int before = (rma->rank + rma->ranks - 1) % rma->ranks, question;
    if (rma->ranks == 1)
        return;
    if (has_left(rma, &w->answer) && take(rma, before, TAG_QUESTION, &question)) {
        w->told = atomic_load(&w->calls);
        rma_note_error(rma, MPI_Isend(&w->told, 1, MPI_INT, before, TAG_ANSWER, rma->comm, &w->answer));
    }
    if (w->asked && take(rma, rma_neighbour(rma), TAG_ANSWER, &w->calls_of_neighbour)) {
        w->asked = false;
        w->heard_of = w->asked_at;
    }
}

void rma_neighbour_part(struct rma *rma)
{
    struct rma_watch *w = &rma->watch;
    struct rma_backoff backoff = { 0 };
    w->limit = 0;
    while (w->asked || !has_left(rma, &w->question) || !has_left(rma, &w->answer)) {
        rma_neighbour_answer(rma);
        rma_back_off(&backoff);
    }
}
