/*
 * Progress reports: each rank sends its share of the work that is done to the first rank, as a message of one number. It sends a
 * report with a poll when the share has grown by a hundredth and the report before has left, and a final one when it closes. The
 * first rank receives reports with its polls. It has the final report of every rank before a run is closed, so none is left for
 * the next run. Between runs no rank sends.
 */
#include "rma/state.h"

#include <stdlib.h>

enum { TAG_SHARE = 3 };         /* on rma->comm */
static const double CLOSED = 2, STEP = 0.01;

int rma_set_shares(struct rma *rma, bool on)
{
    struct rma_shares *s = &rma->shares;
    s->request = MPI_REQUEST_NULL;
    if (!on) {
        free(s->reported);
        s->reported = NULL;
    }
    if (!on || s->reported != NULL)
        return MPI_SUCCESS;
    s->reported = calloc((size_t)rma->ranks, sizeof *s->reported);
    return s->reported != NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

void rma_shares_reset(struct rma *rma)
{
    struct rma_shares *s = &rma->shares;
    for (int rank = 0; s->reported != NULL && rank < rma->ranks; rank++)
        s->reported[rank] = 0;
    atomic_store(&s->own, 0);
    s->sending = 0;
    s->last = 0;
}

void rma_report_share(struct rma *rma, double done)
{
    atomic_store_explicit(&rma->shares.own, done, memory_order_relaxed);
}

double rma_reported_share(const struct rma *rma, int rank)
{
    const struct rma_shares *s = &rma->shares;
    double own = atomic_load_explicit(&((struct rma *)rma)->shares.own, memory_order_relaxed);
    double share = rank == rma->rank || s->reported == NULL ? own : s->reported[rank];
    return share < 1 ? share : 1;
}

bool rma_has_shares(const struct rma *rma)
{
    return rma->shares.reported != NULL;
}

/* ---- under the lock ----------------------------------------------------------------------------------------------------- */

static void send_share(struct rma *rma, double share)
{
    struct rma_shares *s = &rma->shares;
    int gone = 1;
    if (s->request != MPI_REQUEST_NULL)
        rma_note_error(rma, MPI_Test(&s->request, &gone, MPI_STATUS_IGNORE));
    if (!gone || share < s->sending + STEP)
        return;
    s->sending = share;
    rma_note_error(rma, MPI_Isend(&s->sending, 1, MPI_DOUBLE, 0, TAG_SHARE, rma->comm, &s->request));
}

/* A message that MPI_Iprobe finds has arrived completely, so the receive does not wait. */
static void take_shares(struct rma *rma)
{
    struct rma_shares *s = &rma->shares;
    for (int there = 1; there;) {
        MPI_Status status;
        double share = 0;
        int code = MPI_Iprobe(MPI_ANY_SOURCE, TAG_SHARE, rma->comm, &there, &status);
        if (code == MPI_SUCCESS && there)
            code = MPI_Recv(&share, 1, MPI_DOUBLE, status.MPI_SOURCE, TAG_SHARE, rma->comm, MPI_STATUS_IGNORE);
        rma_note_error(rma, code);
        if (code != MPI_SUCCESS || !there)
            return;
        s->reported[status.MPI_SOURCE] = share;
        s->last += share == CLOSED;
    }
}

void rma_shares_progress(struct rma *rma)
{
    if (!rma_has_shares(rma) || rma->ranks == 1 || rma->closed)
        return;
    if (rma->rank == 0)
        take_shares(rma);
    else
        send_share(rma, rma->closing_started ? CLOSED : atomic_load_explicit(&rma->shares.own, memory_order_relaxed));
}

bool rma_shares_are_quiet(struct rma *rma)
{
    struct rma_shares *s = &rma->shares;
    int gone = 1;
    if (!rma_has_shares(rma) || rma->ranks == 1 || atomic_load(&rma->error) != MPI_SUCCESS)
        return true;
    rma_shares_progress(rma);
    if (rma->rank == 0)
        return s->last == rma->ranks - 1;
    if (s->request != MPI_REQUEST_NULL)
        rma_note_error(rma, MPI_Test(&s->request, &gone, MPI_STATUS_IGNORE));
    return gone && s->sending == CLOSED;
}
