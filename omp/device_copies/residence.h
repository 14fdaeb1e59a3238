/*
 * The place of the tiles of a run: on the host, on the rank's devices, or on several of them. For the submitting thread alone.
 *
 * A task runs where its output resides (Song, Dongarra, "A Scalable Framework for Heterogeneous GPU-Based Clusters", SPAA 2012,
 * section 4), and its inputs are brought there first. Since tasks are submitted in the order of the loops, it is known at
 * submission which copies of a tile will be valid when the task runs. Moves are tasks, too, submitted before that task, and
 * dependences order them.
 *
 *   - A tile has two kinds of columns: those that reside on the host, and those that reside on its device (struct split). For
 *     each kind the host and every device have a valid copy or not. A writer makes its copy the only valid one.
 *   - A copy on a device is a slot of its memory; all slots have the size of the largest operand. Tiles that reside on the
 *     device keep their slot. The others share the remaining memory, and the one that was not used for the longest time is
 *     replaced. The move into a slot writes the slot, so it comes after the tasks that still read the former contents. No
 *     thread waits, so nothing can deadlock, if the operands of one task fit.
 *   - A tile of a matrix of mixed precision is in one piece, and its copies have its precision. A slot has room for a tile in
 *     double, so a tile may become wider in its slot. A move reads the form when it runs, as other readers do, and writes the
 *     form of a copy into the slot: it comes after the writers of the tile, and before the readers of the copy. The copy of a
 *     tile that resides on the device has the matrix's form, which its tasks write. With checksums narrow tiles reside on the
 *     host, and on devices all copies are in double.
 *   - Devices write norms of tiles into `found` of a slot, in pinned memory: of the task that writes the tile, or of the move.
 *     Tasks that come after that task read it.
 *   - Names in depend clauses: on the host the first element of each part of the tile, or the slot of the cache; on a device
 *     the slot.
 */
#ifndef OMPFACT_OMP_DEVICE_COPIES_RESIDENCE_H
#define OMPFACT_OMP_DEVICE_COPIES_RESIDENCE_H

#include "omp/task.h"

/* Creates run->residence for so many tiles, and for saved data in addition to resident tiles; allocates slots for these,
   moves them there, and allocates enough other slots. false: no memory, here or there, or a device has failed. */
bool residence_create(struct run *run, int tiles);
/* Downloads everything that is valid on devices only, after the team is done. false: a device has failed. */
bool residence_return(struct run *run);
void residence_destroy(struct run *run);

/* Submits the moves for a task that is being submitted; then sets the place of the task, its tiles, and run->names. */
void residence_settle(struct run *run, struct task *t, const struct operand *operands, int64_t urgency);

#endif
