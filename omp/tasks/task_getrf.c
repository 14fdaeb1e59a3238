#include "omp/tasks/task_places.h"
#include "omp/kernels/flops.h"

static void getrf(struct task *t)
{
    const struct task_tile *A = &t->tile[0];
    int info = t->kernels->getrf(A->mb, A->nb, A->data, A->mb);
    if (info != 0)
        task_fail(t, t->with.row + info);
}

void task_getrf(struct run *run, struct operand A)
{
    struct task *t = task_create(run, TASK_GETRF, getrf, getrf_flops(A.mb, A.nb), 1, &A);
    if (task_submit_with(t, (struct task_arguments){ .row = A.row }))
        hand_over(run, A);
}
