/*
 * Memory of tasks and of publications, and what is kept of it for when there is no more.
 *
 * Why a run without memory ends. A rank that finds none for a task waits for its tasks in flight, which give theirs back; and
 * when all have and malloc still says no, because others have taken the memory, there is the reserve: two tasks, and a
 * publication with room for all readers, made before the run begins.
 *   - Only the submitting thread takes from it, and what it takes it submits, in the order of the loops, before it takes the same
 *     again. But while it holds a task that is not submitted it may need another one, which moves a tile for it, and submits that
 *     first: so two.
 *   - What is taken and submitted comes back: by the argument of rma/cache.c the first unfinished task X of all ranks runs. If X
 *     is not submitted because its rank waits here, all tasks of that rank in flight come before X, so they are done: the reserve
 *     is back, but for what X holds itself, and X or its move gets it. A publication comes back with the poll that
 *     sends its flags.
 * Nothing else is allocated while tasks are submitted without which they could not be: see rma_find_way, run_tally and
 * residence_create.
 */
#ifndef OMPFACT_OMP_RESERVE_H
#define OMPFACT_OMP_RESERVE_H

#include "omp/task.h"

enum { RESERVE_TASKS = 2 };

struct reserve {
    struct task task[RESERVE_TASKS];
    struct rma_publication *publication;
    atomic_bool task_taken[RESERVE_TASKS], publication_taken;
};

bool reserve_create(struct reserve *reserve, int readers);      /* false: no memory */
void reserve_destroy(struct reserve *reserve);

/* For the submitting thread; NULL: there is none now. */
struct task *reserve_new_task(struct reserve *reserve);
struct rma_publication *reserve_new_publication(struct reserve *reserve, int readers);     /* room for as many words, too */
/* By any thread. */
void reserve_free_task(struct reserve *reserve, struct task *task);
void reserve_free_publication(struct reserve *reserve, struct rma_publication *publication);

#endif
