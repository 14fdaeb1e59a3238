/*
 * Final tiles that are packed while a run lasts.
 *
 * A tile of a panel is a factor of many products. The task that makes it final leaves it packed (kernels/micro/packed.h) where it
 * lies, in as many bytes; so it is packed once, wherever it is read, and travels packed. Which tiles these are is told by the
 * loops (`packed` of an operand's traits), the same on all ranks, in the task that makes them and in those that read them.
 *
 * Who may touch it when: the task that packs it is its last writer in the run. Others read it, on any rank, until all ranks have
 * said that they are done (rma_close). Then, and not before, its rank unpacks it: so after the run it is what it would have been.
 * A task that was skipped, since a pivot had failed, has packed nothing and is not on the list.
 */
#ifndef OMPFACT_OMP_PACKING_H
#define OMPFACT_OMP_PACKING_H

#include "omp/kernels/packed_tile.h"
#include "omp/task.h"

/* The task has left its tile number i packed, op(A) of what memory held as A. */
void task_has_packed(const struct task *t, int i, enum trans trans);
/* Every thread of the team, once all ranks are done: the rank's packed tiles become what they were. */
void run_unpack(struct run *run);

#endif
