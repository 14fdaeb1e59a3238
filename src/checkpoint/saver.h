/*
 * Saves a factorization while it runs.
 *
 * A snapshot is the state before a step K: everything that steps before K have made final, and all other tiles with the updates
 * of just these steps. Tiles that are final are written once, in the first snapshot after they have become so; what is in work
 * is written in each. K is found while the run goes on:
 *
 *     quiet      until it is time, or a rank is to end the factorization, which calls the others;
 *     choosing   each rank tells the others the first step before which it can still save (rma/rma.h, talk); K is the largest;
 *     chosen     until this rank's loops are at step K, where they hand on a task for each of its tiles that is to be saved,
 *                and end there, if any rank has said that it wants that;
 *     saving     until these tasks are done;
 *     sealing    a thread of its own writes tables and waits for the disk;
 *     telling    each rank tells the others what it has written, or that it could not;
 *     naming     on the first rank that thread replaces the manifest, and removes what the old one named and it does not.
 *
 * Invariants
 *   - A rank that has told its step does not go past it before it has heard the others (run_is_due waits). They tell theirs when
 *     their clock says so, whatever they wait for, with any poll: so nobody waits for tasks that come later. The first rank does
 *     so when its thread has put the manifest before this one in place: it waits for a disk, and that alone.
 *   - The tasks that save only read. A tile's task is behind the updates with steps before K and before those with K, by the
 *     names of OpenMP, as that is the order in which the loops have handed them on.
 *   - All ranks come through the same states in the same order, and what they tell each other comes in the same order, too.
 *     When a run ends some may have begun to choose and others not: saver_end() sees to it that all have.
 *   - Files that the manifest names are not touched. It is replaced when those that the new one names are on the disk. So who
 *     has told that its files are there keeps them until it has heard that another's are not: they may be named already.
 */
#ifndef OMPFACT_SRC_CHECKPOINT_SAVER_H
#define OMPFACT_SRC_CHECKPOINT_SAVER_H

#include "omp/tasks/tasks.h"
#include "src/checkpoint/checkpoint.h"
#include "src/checkpoint/tile_file.h"
#include "src/matrix/matrix.h"

struct saver;

/* For one factorization of A, whose first `done` steps are complete. beside: largest number of items that this rank saves in
   addition to its tiles. *spoiled, which is read until saver_end(): data saved from now on is worthless; NULL: it never is.
   OMPFACT_SUCCESS and NULL: nothing is to be saved. Collective. */
ompfact_status saver_begin(ompfact_matrix *A, const char *factorization, const char *pivot, int done, int64_t beside,
                           const atomic_bool *spoiled, struct saver **saver);
/* For a run, and its loops. */
const struct run_saver *saver_of_run(const struct saver *saver);
const struct saving *saver_saving(const struct saver *saver);
/* The loops are about to save before a step; tiles that were final before step saver_saved() are in files. Then all tasks are
   submitted. */
int saver_saved(const struct saver *saver);
void saver_add(struct saver *saver);            /* counts one more task, before its submission */
void saver_added(struct saver *saver);          /* all tasks are submitted */
/* After the run: sound, its tasks have left correct results; whole, all steps are done, too. Collective. */
ompfact_status saver_end(struct saver *saver, bool sound, bool whole);
/* After that, for a whole run: any thread saves this rank's tiles and other items that are not saved, and then the last
   checkpoint is put in place. Collective. */
void saver_open_last(struct saver *saver);
void saver_put(struct saver *saver, const struct to_save *what);
ompfact_status saver_close_last(struct saver *saver);
bool saver_has_stopped(const struct saver *saver);      /* whether the loops ended before the last step on request; NULL: no */
int saver_checkpoints(const struct saver *saver);       /* checkpoints in place that this rank knows; the first rank knows all */
void saver_destroy(struct saver **saver);               /* collective */

#endif
