/*
 * Final tiles that stay packed during a run.
 *
 * A tile of a panel is a factor of many products. The task that makes the tile final leaves it packed (kernels/micro/packed.h)
 * in its place, in as many bytes. So it is packed once, wherever it is read, and travels packed. The loops decide which tiles
 * these are (`packed` of an operand's traits), the same on all ranks, in the task that makes them and in those that read them.
 *
 * Rules: the task that packs a tile is its last writer in the run. Others read it, on any rank, until all ranks are done
 * (rma_close). Only then its rank unpacks the tile, so after the run it has its usual form. A task that was skipped after a
 * failing pivot has packed nothing and is not on the list.
 */
#ifndef OMPFACT_OMP_PACKING_H
#define OMPFACT_OMP_PACKING_H

#include "omp/kernels/packed_tile.h"
#include "omp/task.h"

/* Records that the task has left its tile number i packed, as op(A) of the former A. */
void task_has_packed(const struct task *t, int i, enum trans trans);
/* Called by every thread of the team once all ranks are done: unpacks the packed tiles of the rank. */
void run_unpack(struct run *run);

#endif
