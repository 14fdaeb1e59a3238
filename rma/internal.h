/* What the files of rma/ share. */
#ifndef OMPFACT_RMA_INTERNAL_H
#define OMPFACT_RMA_INTERNAL_H

#include "rma/rma.h"

enum {
    RMA_READS = 32,     /* reads under way at once: enough to fill a wire, few enough to test in one call */
    RMA_ALIGNMENT = 64  /* alignment of tiles and slots in bytes: a cache line, an AVX-512 register */
};

struct rma_space {
    struct rma *rma;
    MPI_Win window;
    unsigned char *board;       /* [tile id]: 1 once the tile's owner has published it to this rank */
    MPI_Aint first;             /* where the tiles begin, in every rank's window */
    int64_t tiles;
    int tile_rows;
    bool settled;
};

/* Silence on this rank: what moved last and when the next complaint is due. */
struct rma_watch {
    double limit, last_move, next_complaint;    /* seconds; clock of MPI_Wtime */
    unsigned polls;
};

struct rma {
    MPI_Comm comm, node;        /* all ranks; those that share this rank's memory */
    int rank, ranks, ranks_on_node;

    /* Written by any thread, drained by the holder of the lock. */
    _Atomic(struct rma_publication *) published;
    _Atomic(struct rma_slot *) wanted;
    /* Written by the holder of the lock, drained by any thread. */
    _Atomic(struct rma_slot *) arrived;

    atomic_flag lock;
    /* The rest is touched under the lock only. */
    struct rma_slot *waiting, **waiting_end;    /* not yet published, or no read free; in the order of rma_fetch */
    MPI_Request request[RMA_READS];
    struct rma_slot *reading[RMA_READS];
    int reads;
    MPI_Request closing;
    bool closing_started, closed;
    struct rma_space **spaces;                  /* of the open run */
    int space_count;
    struct rma_counters counters;
    struct rma_watch watch;
    int jitter;
    unsigned jitter_state;
    atomic_int error;
};

#define RMA_TRY(call)                                                                                                           \
    do {                                                                                                                        \
        int rma_try_code = (call);                                                                                              \
        if (rma_try_code != MPI_SUCCESS)                                                                                        \
            return rma_try_code;                                                                                                \
    } while (0)

int rma_selftest(struct rma *rma, char *text, size_t text_size);

void rma_watch_reset(struct rma *rma);
/* Under the lock, after a poll: complains on stderr after a long silence. */
void rma_watch(struct rma *rma, bool moved);

#endif
