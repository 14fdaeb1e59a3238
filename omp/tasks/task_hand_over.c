/* Tasks that compute nothing: they publish a tile, or wait. */
#include "omp/tasks/task_places.h"

#include <string.h>

/* A tile in parts is never read as a whole, so its flag is only a signal. */
static void release(struct task *t)
{
    struct rma_publication *p = t->publication;
    if (p != NULL)
        memset(p->word, 0, (size_t)p->count * sizeof p->word[0]);
}

void task_release(struct run *run, struct operand A)
{
    task_submit(task_create(run, TASK_HAND_OVER, release, 0, 1, &A));
}

void hand_over(struct run *run, struct operand o)
{
    if (o.access == FINAL && o.split != NULL)
        task_release(run, o);
}

void task_wait(struct run *run, struct operand A, struct operand B)
{
    task_submit(task_create(run, TASK_HAND_OVER, do_nothing, 0, 2, (struct operand[]){ A, B }));
}
