/*
 * Memory of tasks and of publications, and what is kept of it for when there is no more.
 *
 * Tasks come in blocks, which live as long as the run, and go round: a thread puts those that it has freed on a stack, `freed`,
 * some at a time, and the submitting thread, when it has none left, takes that stack whole. It alone takes, and never a part, so
 * no task leaves the stack and comes back while another thread pushes (the ABA problem of stacks that are popped). Who frees a
 * task has finished with it: what was written there is seen by the thread that fills it in again. A thread that finds nothing to
 * do gives back what it has, so none is kept from a submitting thread that waits.
 *
 * Why a run without memory ends. A rank that finds none for a task waits for its tasks in flight, which give theirs back; and
 * when all have and malloc still says no there is the reserve: the first two tasks, which need no block, and a publication with
 * room for all readers, made before the run begins.
 *   - Only the submitting thread takes from it, and what it takes it submits, in the order of the loops, before it takes the same
 *     again. But while it holds a task that is not submitted it may need another one, which moves a tile for it, and submits that
 *     first: so two.
 *   - What is taken and submitted comes back: by the argument of rma/cache.c the first unfinished task X of all ranks runs. If X
 *     is not submitted because its rank waits here, all tasks of that rank in flight come before X, so they are done: the reserve
 *     is back, but for what X holds itself, and X or its move gets it. A publication comes back with the poll that
 *     sends its flags.
 * Nothing else is allocated while tasks are submitted without which they could not be: see rma_find_route, run_tally and
 * residence_create.
 */
#ifndef OMPFACT_OMP_RESERVE_H
#define OMPFACT_OMP_RESERVE_H

#include "omp/task.h"

enum { RESERVE_TASKS = 2, BLOCK_TASKS = 32, FREED_TASKS = 16 };

struct task_block {
    struct task task[BLOCK_TASKS];
    struct task_block *next;
};

/* What a thread has freed and not yet given back; zero: nothing. */
struct freed {
    struct task *top, *bottom;
    int count;
};

struct reserve {
    struct task first[RESERVE_TASKS];
    /* the submitting thread's: */
    struct task_block *blocks;
    struct task *unused;                /* linked by `left`, as the freed ones */
    struct rma_publication *publication;
    /* any thread's: */
    _Alignas(64) _Atomic(struct task *) freed;
    atomic_bool publication_taken;
};

bool reserve_create(struct reserve *reserve, int readers);      /* false: no memory */
void reserve_destroy(struct reserve *reserve);

/* For the submitting thread; NULL: there is none now. */
struct task *reserve_new_task(struct reserve *reserve);
struct rma_publication *reserve_new_publication(struct reserve *reserve, int readers);     /* room for as many words, too */
/* By any thread: what it has freed goes to the submitting thread when it is many, or when that is asked for. */
void reserve_free_task(struct reserve *reserve, struct freed *mine, struct task *task);
void reserve_give_back(struct reserve *reserve, struct freed *mine);
void reserve_free_publication(struct reserve *reserve, struct rma_publication *publication);

#endif
