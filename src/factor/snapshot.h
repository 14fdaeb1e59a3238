/* The state of a factorization before a step, handed to a saver (src/checkpoint/saver.h): in a run by tasks, after it at once. */
#ifndef OMPFACT_SRC_FACTOR_SNAPSHOT_H
#define OMPFACT_SRC_FACTOR_SNAPSHOT_H

#include "src/checkpoint/saver.h"
#include "src/factor/factor.h"

/* What the panel of step k is about to write: its column, and its row where that does not wait for whole columns. Then all else.
   Both where run_is_due(run, k). */
void snapshot_front(struct run *run, const struct job *job, int k);
void snapshot_rest(struct run *run, const struct job *job, int k);

/* Begins to save the factorization of job->A, if the grid is told to. Collective. */
ompfact_status snapshot_begin(struct job *job);
/* OMPFACT_STOPPED, after a run that ended where it was told to. */
ompfact_status snapshot_stopped(struct job *job);
/* After its run, which came to this status and info: saves the factors, where they are whole, and what is to be told of it goes
   into A's report. Collective. */
ompfact_status snapshot_end(struct job *job, ompfact_status status, int64_t info);

/* Saves the factors in job->A at once, of a factorization that is over. *checkpoints: those that are in place then, on the first
   rank; 0, it has been told why not. Collective. */
ompfact_status snapshot_save(struct job *job, int *checkpoints);

/* Forgets what a call that came to nothing has restored. Is A for this factorization to begin with, or to go on from? resume.c */
ompfact_status take_up(ompfact_matrix *A, const char *factorization);
/* If the grid has a checkpoint of just such a factorization, A's tiles, and its pivots, become what they were in it, and
   A->done the steps that are done. What else there is beside tiles `beside` restores, unless it is NULL. Collective. resume.c
   */
struct saved_tiles;
typedef ompfact_status resume_beside(ompfact_matrix *A, const struct saved_tiles *from);
ompfact_status resume(ompfact_matrix *A, const char *factorization, const char *pivot, resume_beside *beside);
/* LU's info, after a factorization that has gone on behind so many steps: of those the first zero on U's diagonal, if there is
   one, stands for what they said. Collective. */
ompfact_status resumed_info(ompfact_matrix *A, int done, int64_t *info);

#endif
