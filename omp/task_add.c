#include "omp/task.h"

static void add(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1];
    t->kernels->add(B->mb, B->nb, t->with.alpha, A->data, A->mb, B->data, B->mb);
}

void task_add(struct run *run, double alpha, struct operand A, struct operand B)
{
    struct task *t = task_create(run, TASK_ADD, add, 2.0 * B.mb * B.nb, 2, (struct operand[]){ A, B });
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .alpha = alpha };
    task_submit(t);
}
