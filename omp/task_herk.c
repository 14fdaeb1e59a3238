#include "omp/task.h"

static void herk(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *C = &t->tile[1];
    t->kernels->herk(t->with.uplo, t->with.transa, C->nb, t->with.k, A->data, A->mb, C->data, C->mb);
}

void task_herk(struct run *run, struct operand A, struct operand C)
{
    struct task *t = task_create(run, TASK_SYRK, herk, (double)C.nb * C.nb * A.nb, 2, (struct operand[]){ A, C });
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .uplo = uplo_in_memory(&C, LOWER), .transa = trans_in_memory(&A, NO_TRANS), .k = A.nb };
    task_submit(t);
}
