#include "omp/task.h"

static void getrf(struct task *t)
{
    const struct task_tile *A = &t->tile[0];
    int info = t->kernels->getrf(A->mb, A->nb, A->data, A->mb);
    if (info != 0)
        task_fail(t, t->with.row + info);
}

void task_getrf(struct run *run, struct operand A)
{
    double m = A.mb, n = A.nb, k = m < n ? m : n;
    struct task *t = task_create(run, TASK_GETRF, getrf, 2 * m * n * k - (m + n) * k * k + 2 * k * k * k / 3, 1, &A);
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .row = A.row };
    task_submit(t);
    hand_over(run, A);
}
