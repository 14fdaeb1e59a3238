/* Only one job at a time uses a folder for checkpoints: two jobs would remove each other's files. */
#ifndef OMPFACT_SRC_CHECKPOINT_FOLDER_LOCK_H
#define OMPFACT_SRC_CHECKPOINT_FOLDER_LOCK_H

#include "src/grid/grid.h"

/*
 * Locks the folder, for all grids of this job that use it, and all their processes. *lock: for folder_unlock(); NULL if this rank
 * has no part in the lock. The lock ends with its processes, however they end. On a file system without locks the folder has
 * none. OMPFACT_BAD_ARGUMENT, on every rank: another job has the folder. Collective.
 */
struct folder_lock;
ompfact_status folder_lock(ompfact_grid *grid, const char *folder, struct folder_lock **lock);
void folder_unlock(struct folder_lock **lock);      /* *lock may be NULL; local */

#endif
