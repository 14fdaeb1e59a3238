/*
 * The order of tasks, checked by the run itself. A testing aid (OMPFACT_CHECKS, ./configure --enable-checks).
 *
 * OpenMP orders tasks by names, which settle_on_host() and residence_settle() give. Here the same order is derived once more,
 * and from something else: the memory that each task is going to touch. At submission a task gets, for all bytes that it reads,
 * the last task before it that writes them, and for all that it writes also those that read them since. With each of these it
 * must have a name in common that one of the two writes, which shows a dependence that nobody has named in any run, whatever
 * the threads do; and when it begins, all of them must have ended, which shows one that was named and got lost. What comes from
 * another rank is compared, when it arrives, and before and after each task that reads it, with the sum that its owner has
 * published (rma/rma.h).
 *
 * The first task that breaks the order is named on stderr at once, with the one that it overtakes, for such a run may hang or
 * crash; if it ends, it ends on all ranks with OMPFACT_INTERNAL_FAULT. Bytes are those of one piece of memory each: a tile here
 * or on a device, a buffer, a stack; a remote tile is its slot.
 */
#ifndef OMPFACT_OMP_ORDER_H
#define OMPFACT_OMP_ORDER_H

#include "omp/task.h"

/* ---- the submitting thread, in the order of submission; nothing where run->order is NULL ----------------------------------- */

/* The task as later ones will name it. */
void order_enter(struct run *run, struct task *task);
/* How it uses its main output. */
void order_output(struct run *run, const struct task *task, enum access access);
/* It is going to use its tile number i, which is all of this operand and not on a device. */
void order_use_operand(struct run *run, struct task *task, int i, const struct operand *o);
/* It is going to use these columns, of a slot or of the memory that begins at `base`. */
void order_use_tile(struct run *run, struct task *task, bool writes, const struct task_tile *tile, const void *base);
/* It is going to write a piece of memory, whatever is in it. */
void order_use_all(struct run *run, struct task *task, const void *base);
/* It is submitted with the names in run->names. */
void order_submit(const struct task *task);
/* A tile is on its way into the slot, whose name is its address. */
void order_fetch(struct run *run, struct rma_slot *slot);

/* ---- the thread that runs the task ----------------------------------------------------------------------------------------- */

void order_begin(const struct task *task);
void order_end(const struct task *task);
void order_arrive(struct run *run, struct rma_slot *slot);
/* Whether the task of this record has ended: set by order_end, and by tests. */
atomic_bool *order_ended(struct task_record *record);

#endif
