/* Tiles from other ranks and for other ranks. For the submitting thread. */
#ifndef OMPFACT_OMP_TRANSFER_H
#define OMPFACT_OMP_TRANSFER_H

#include "omp/execution.h"

/* The slot in which the remote tile arrives; the first task of a step that reads the tile starts its fetch. */
struct rma_slot *run_fetch_tile(struct run *run, const struct operand *tile);
/* The publication of a final tile, for the time when its last writer is done; NULL if it has no readers. */
struct rma_publication *run_publication_of(struct run *run, const struct operand *tile);

#endif
