/* Tiles from other ranks and for them. For the submitting thread. */
#ifndef OMPFACT_OMP_TRANSFER_H
#define OMPFACT_OMP_TRANSFER_H

#include "omp/execution.h"

/* The slot in which the remote tile arrives; the first task of a step that reads it starts its fetch. */
struct rma_slot *run_fetch_tile(struct run *run, const struct operand *tile);
/* Of a final tile, to be published when its last writer is done; NULL where nobody else reads it. */
struct rma_publication *run_publication_of(struct run *run, const struct operand *tile);

#endif
