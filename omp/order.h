/*
 * A run checks the order of its own tasks. A testing aid (OMPFACT_CHECKS, ./configure --enable-checks).
 *
 * OpenMP orders tasks by names, which settle_on_host() and residence_settle() assign. This file derives the same order a second
 * time, from different data: the memory that each task will touch. At submission a task gets, for all bytes that it reads, the
 * last task before it that writes these bytes, and for all bytes that it writes also the tasks that have read them since. With
 * each of these tasks it must share a name that one of the two writes; this detects a dependence that has no name, in any run,
 * whatever the threads do. And when the task begins, all of them must have ended; this detects a named dependence that got
 * lost. A tile from another rank is compared with the checksum that its owner has published (rma/rma.h) on arrival, and before
 * and after each task that reads it.
 *
 * The first task that breaks the order is printed on stderr at once, with the task that it overtakes, because such a run may
 * hang or crash. If the run ends, it ends on all ranks with OMPFACT_INTERNAL_FAULT.
 *
 * Bytes are counted within one piece of memory: a tile here or on a device, a buffer, a stack; of a remote tile, its slot.
 */
#ifndef OMPFACT_OMP_ORDER_H
#define OMPFACT_OMP_ORDER_H

#include "omp/task.h"

/* ---- the submitting thread, in the order of submission; nothing where run->order is NULL ----------------------------------- */

/* Registers the task, for messages about later tasks. */
void order_enter(struct run *run, struct task *task);
/* Registers the access of the task to its main output. */
void order_output(struct run *run, const struct task *task, enum access access);
/* Registers that the task will use its tile number i, which is all of this operand and not on a device, and its group. */
void order_use_operand(struct run *run, struct task *task, int i, const struct operand *o);
/* Registers that the task will use these columns, of a slot or of the memory at `base`. */
void order_use_tile(struct run *run, struct task *task, bool writes, const struct task_tile *tile, const void *base);
/* Registers that the task will write a whole piece of memory. */
void order_use_all(struct run *run, struct task *task, const void *base);
/* Called at submission, with the names in run->names. */
void order_submit(const struct task *task);
/* Registers that a tile is being fetched into the slot. The address of the slot is its name. */
void order_fetch(struct run *run, struct rma_slot *slot);

/* ---- the thread that runs the task ----------------------------------------------------------------------------------------- */

void order_begin(const struct task *task);
void order_end(const struct task *task);
void order_arrive(struct run *run, struct rma_slot *slot);
/* Whether the task of this record has ended. order_end sets it, and so do tests. */
atomic_bool *order_ended(struct task_record *record);

#endif
