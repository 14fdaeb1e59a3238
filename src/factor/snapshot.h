/* The state of a factorization before a step, for a saver (src/checkpoint/saver.h): saved by tasks during a run, and directly
   after it. */
#ifndef OMPFACT_SRC_FACTOR_SNAPSHOT_H
#define OMPFACT_SRC_FACTOR_SNAPSHOT_H

#include "src/checkpoint/saver.h"
#include "src/factor/factor.h"

/* snapshot_front: saves what the panel of step k will write: its column, and its row unless that waits for whole columns.
   snapshot_rest: saves all other tiles. Both if run_is_due(run, k). */
void snapshot_front(struct run *run, const struct job *job, int k);
void snapshot_rest(struct run *run, const struct job *job, int k);

/* Begins to save the factorization of job->A, if checkpoints are on. Collective. */
ompfact_status snapshot_begin(struct job *job);
/* Returns OMPFACT_STOPPED after a run that was stopped. */
ompfact_status snapshot_stopped(struct job *job);
/* Called after the run with its status and info: saves the factors if they are complete, and adds to A's report. Collective. */
ompfact_status snapshot_end(struct job *job, ompfact_status status, int64_t info);

/* Saves the factors in job->A directly, after the factorization. *checkpoints: the number of complete checkpoints, on the
   first rank; 0: failed, and the callback has received the reason. */
ompfact_status snapshot_save(struct job *job, int *checkpoints);

/* Discards what a failed call has restored. Tests whether A is ready for this factorization to begin or to continue. resume.c */
ompfact_status take_up(ompfact_matrix *A, const char *factorization);
/* If the grid has a checkpoint of such a factorization, restores A's tiles and pivots from it, and sets A->done to the number
   of completed steps. `beside` restores the data beside tiles, unless it is NULL. Collective. resume.c */
struct saved_tiles;
typedef ompfact_status resume_beside(ompfact_matrix *A, const struct saved_tiles *from);
ompfact_status resume(ompfact_matrix *A, const char *factorization, const char *pivot, resume_beside *beside);
/* The info of LU after a factorization that continued behind so many steps: the first zero on U's diagonal in the former
   steps, if there is one, replaces their info. Collective. */
ompfact_status resumed_info(ompfact_matrix *A, int done, int64_t *info);

#endif
