/*
 * Pings: after a silence each rank sends a message of one number to the next rank, the last rank to the first, and a rank that
 * polls replies. So one other rank detects a rank that hangs, for any number of ranks and whatever they wait for. A rank has at
 * most one ping open, and none when its communicator is freed.
 */
#include "rma/state.h"

enum { TAG_PING = 4, TAG_PONG };      /* on rma->comm, as the tag of shares.c */

static bool has_left(struct rma *rma, MPI_Request *request)
{
    int gone = 1;
    if (*request != MPI_REQUEST_NULL)
        rma_note_error(rma, MPI_Test(request, &gone, MPI_STATUS_IGNORE));
    return gone;
}

/* A message that MPI_Iprobe finds has arrived completely, so the receive does not wait. */
static bool receive(struct rma *rma, int from, int tag, int *value)
{
    int there = 0;
    int code = MPI_Iprobe(from, tag, rma->comm, &there, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && there)
        code = MPI_Recv(value, 1, MPI_INT, from, tag, rma->comm, MPI_STATUS_IGNORE);
    rma_note_error(rma, code);
    return code == MPI_SUCCESS && there;
}

int rma_ping_target(const struct rma *rma)
{
    return (rma->rank + 1) % rma->ranks;
}

void rma_ping_send(struct rma *rma, double now)
{
    struct rma_watch *w = &rma->watch;
    if (rma->ranks == 1 || w->ping_open || !has_left(rma, &w->ping))
        return;
    w->ping_open = true;
    w->ping_time = now;
    rma_note_error(rma, MPI_Isend(&w->ping_value, 1, MPI_INT, rma_ping_target(rma), TAG_PING, rma->comm, &w->ping));
}

void rma_ping_poll(struct rma *rma)
{
    struct rma_watch *w = &rma->watch;
    int before = (rma->rank + rma->ranks - 1) % rma->ranks, ping;
    if (rma->ranks == 1)
        return;
    if (has_left(rma, &w->pong) && receive(rma, before, TAG_PING, &ping)) {
        w->pong_value = atomic_load(&w->calls);
        rma_note_error(rma, MPI_Isend(&w->pong_value, 1, MPI_INT, before, TAG_PONG, rma->comm, &w->pong));
    }
    if (w->ping_open && receive(rma, rma_ping_target(rma), TAG_PONG, &w->calls_of_target)) {
        w->ping_open = false;
        w->pong_time = w->ping_time;
    }
}

void rma_ping_drain(struct rma *rma)
{
    struct rma_watch *w = &rma->watch;
    struct rma_backoff backoff = { 0 };
    w->limit = 0;
    while (w->ping_open || !has_left(rma, &w->ping) || !has_left(rma, &w->pong)) {
        rma_ping_poll(rma);
        rma_back_off(&backoff);
    }
}
