/*
 * Memory of tasks and publications, and a reserve for the case that memory runs out.
 *
 * Tasks come in blocks, which live as long as the run, and are reused: a thread pushes tasks that it has freed on a stack,
 * `freed`, several at a time, and the submitting thread, when it has none left, takes the whole stack. Only this thread takes
 * tasks, and always all of them, so no task leaves the stack and comes back while another thread pushes (the ABA problem). A
 * thread that frees a task has finished with it, so its stores are visible to the thread that reuses the task. A thread without
 * work gives back its freed tasks, so a submitting thread that waits gets them all.
 *
 * Why a run without memory ends. A rank without memory for a task waits for its tasks in flight, which give theirs back. If
 * malloc still fails after that, the reserve serves: the first two tasks, which need no block, and a publication with room for
 * all readers, allocated before the run begins.
 *   - Only the submitting thread takes from the reserve. It submits what it takes, in the order of the loops, before it takes
 *     the same again. But while it holds a task that is not submitted, it may need another one that moves a tile for it, and
 *     submits that first: so the reserve has two.
 *   - What is taken and submitted comes back: by the argument of rma/cache.c the first unfinished task X of all ranks runs. If
 *     X is not submitted because its rank waits here, all tasks of that rank in flight come before X, so they are done. The
 *     reserve is back, except for what X itself holds, and X or its move gets it. A publication comes back with the poll that
 *     sends its flags.
 *
 * No other allocation during submission is necessary for tasks: see rma_find_route, run_tally and residence_create.
 */
#ifndef OMPFACT_OMP_RESERVE_H
#define OMPFACT_OMP_RESERVE_H

#include "omp/task.h"

enum { RESERVE_TASKS = 2, BLOCK_TASKS = 32, FREED_TASKS = 16 };

struct task_block {
    struct task task[BLOCK_TASKS];
    struct task_block *next;
};

/* Tasks that a thread has freed and not yet given back; zero: none. */
struct freed {
    struct task *top, *bottom;
    int count;
};

struct reserve {
    struct task first[RESERVE_TASKS];
    /* Fields of the submitting thread: */
    struct task_block *blocks;
    struct task *unused;                /* linked by `left`, like the freed ones */
    struct rma_publication *publication;
    /* Fields of any thread: */
    _Alignas(64) _Atomic(struct task *) freed;
    atomic_bool publication_taken;
};

bool reserve_create(struct reserve *reserve, int readers);      /* false: no memory */
void reserve_destroy(struct reserve *reserve);

/* For the submitting thread; NULL: there is none now. */
struct task *reserve_new_task(struct reserve *reserve);
struct rma_publication *reserve_new_publication(struct reserve *reserve, int readers);     /* with memory for as many board
                                                                                              entries */
/* Any thread: its freed tasks go to the submitting thread when they are many, or on request. */
void reserve_free_task(struct reserve *reserve, struct freed *mine, struct task *task);
void reserve_return(struct reserve *reserve, struct freed *mine);
void reserve_free_publication(struct reserve *reserve, struct rma_publication *publication);

#endif
