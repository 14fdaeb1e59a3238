/* One job at a time has a folder for checkpoints: two would remove each other's files. */
#ifndef OMPFACT_SRC_CHECKPOINT_FOLDER_LOCK_H
#define OMPFACT_SRC_CHECKPOINT_FOLDER_LOCK_H

#include "src/grid/grid.h"

/*
 * Locks the folder, for all grids of this job that want it, and all processes of theirs. *lock: to be given to folder_unlock(),
 * NULL where this rank has no part in it. The lock ends with the processes that have it, however they end; a file system without
 * locks goes without. OMPFACT_BAD_ARGUMENT, on every rank: another job has it. Collective.
 */
struct folder_lock;
ompfact_status folder_lock(ompfact_grid *grid, const char *folder, struct folder_lock **lock);
void folder_unlock(struct folder_lock **lock);      /* NULL is fine; local */

#endif
