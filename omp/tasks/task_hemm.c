#include "omp/tasks/task_places.h"

static void hemm(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1], *C = &t->tile[2];
    t->kernels->hemm(t->with.uplo, C->mb, C->nb, t->with.alpha, A->data, A->mb, B->data, B->mb, C->data, C->mb);
}

static void symm(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1], *C = &t->tile[2];
    t->precision->host->symm(t->with.uplo, C->mb, C->nb, t->with.alpha, A->data, A->mb, B->data, B->mb, C->data, C->mb);
}

void task_hemm(struct run *run, double alpha, struct operand A, struct operand B, struct operand C)
{
    struct task *t = task_create(run, TASK_HEMM, A.symmetric ? symm : hemm, 2.0 * C.mb * C.nb * A.nb, 3,
                                 (struct operand[]){ A, B, C });
    task_submit_with(t, (struct task_arguments){ .uplo = uplo_in_memory(&A, LOWER), .alpha = alpha });
}
