/*
 * Where the tiles of a run are: on the host, on the rank's devices, or on several of them. For the submitting thread alone.
 *
 * A task runs where its output lives (Song, Dongarra, "A Scalable Framework for Heterogeneous GPU-Based Clusters", SPAA 2012,
 * section 4), and what it reads is brought there before. Since tasks are submitted in the order of the loops, it is known at
 * submission which copies of a tile will be true when the task runs: the moves are tasks, too, submitted before it, and the
 * dependences do the rest.
 *
 *   - A tile has two kinds of columns: those that live on the host, and those that live on its device (struct split). Of each
 *     kind the host and every device have a true copy or not. Whoever writes makes its copy the only true one.
 *   - A copy on a device is a slot of its memory, all slots as large as the largest operand. Tiles that live there keep theirs;
 *     the others are in as many as there is memory for, and the one that was not used for longest gives way. The move into its
 *     slot is a writer of the slot: it comes after the tasks that still read what was there. Nobody waits, so nothing can
 *     deadlock, provided that a task's own operands fit.
 *   - A tile in single, of a matrix in double, lives on the host. What it was filled as decides (struct tile_form, was_single),
 *     which no task changes, so the submitting thread may look at it while tasks widen the tile. A move to a device looks at what
 *     the tile is when it runs, as its other readers do: one in single goes as it is, and is in double there.
 *   - Names in depend clauses: on the host the first element of each part of the tile, or the cache's slot; on a device the slot.
 */
#ifndef OMPFACT_OMP_DEVICE_COPIES_RESIDENCE_H
#define OMPFACT_OMP_DEVICE_COPIES_RESIDENCE_H

#include "omp/task.h"

/* run->residence, with room for so many tiles, and what is saved, beside the resident ones; slots for these, which are moved
   there, and for enough others. false: no memory, here or there, or a device has failed. */
bool residence_create(struct run *run, int tiles);
/* What is true on devices alone comes home, after the team is done. false: a device has failed. */
bool residence_return(struct run *run);
void residence_destroy(struct run *run);

/* Submits the moves of a task that is being submitted; then tells it where it runs, its tiles, and run->names. */
void residence_settle(struct run *run, struct task *t, const struct operand *operands, int64_t urgency);

#endif
