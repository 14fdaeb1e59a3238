#include "omp/tasks/task_places.h"

static void potrf(struct task *t)
{
    const struct task_tile *A = &t->tile[0];
    int info = t->kernels->potrf(t->with.uplo, A->nb, A->data, A->mb);
    if (info != 0)
        task_fail(t, t->with.row + info);
}

void task_potrf(struct run *run, struct operand A)
{
    double n = A.nb;
    struct task *t = task_create(run, TASK_POTRF, potrf, n * n * n / 3, 1, &A);
    if (task_submit_with(t, (struct task_arguments){ .uplo = uplo_in_memory(&A, LOWER), .row = A.row }))
        hand_over(run, A);
}
