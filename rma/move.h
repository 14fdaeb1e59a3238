/*
 * Moves bytes between all pairs of ranks through staging memory of a fixed size, outside runs. Every rank repeats
 *
 *   rma_exchange_agree      how far this round goes: as far as the rank with the least memory can
 *   into the outbox         the bytes for rank 0, behind them those for rank 1, ...
 *   rma_exchange_move       every rank reads the bytes for it, on its own node by a copy
 *   out of the inbox        the bytes from rank 0, behind them those from rank 1, ...
 *
 * until all are done, which every rank knows from the agreed positions.
 *
 * Invariants
 *   - Only its owner writes an outbox, after agree and before move. Other ranks read it in move, after its owner has sent them
 *     its offsets in an all-to-all, which a rank enters when it has packed. No rank leaves agree before all have entered it,
 *     and a rank enters it after its reads. So nobody overwrites bytes that others still have to read.
 *   - A rank waits for others only in the two collectives of a round, which all ranks enter in the same order, and for its reads.
 *     The targets of reads are in one of these collectives or about to enter the next one, for in between a rank only copies its
 *     own memory. All three waits poll, so every rank is in MPI until the last rank has its bytes. Hence no deadlock.
 *   - A read that fails ends nothing: its rank returns the error and continues with the rounds, so that nobody waits for it.
 */
#ifndef OMPFACT_RMA_MOVE_H
#define OMPFACT_RMA_MOVE_H

#include "rma/rma.h"

struct rma_exchange;

/* Collective. Makes an outbox and an inbox of `bytes` bytes each, at most INT_MAX. */
int rma_exchange_create(struct rma *rma, size_t bytes, struct rma_exchange **exchange);
void rma_exchange_destroy(struct rma_exchange **exchange);      /* collective */
/* Collective. Sets *position to the smallest of all ranks. */
int rma_exchange_agree(struct rma_exchange *exchange, int64_t *position);
void *rma_exchange_outbox(struct rma_exchange *exchange);
const void *rma_exchange_inbox(const struct rma_exchange *exchange);
/* Collective. Bytes first[i] .. first[i+1] - 1 of the outbox are for rank i (out_first), of the inbox from rank i (in_first);
   [ranks + 1]. No rank sends to itself. */
int rma_exchange_move(struct rma_exchange *exchange, const int64_t *out_first, const int64_t *in_first);
int64_t rma_exchange_bytes(const struct rma_exchange *exchange);        /* bytes that this rank has received so far */

#endif
