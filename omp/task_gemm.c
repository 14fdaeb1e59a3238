#include "omp/task.h"

static void gemm(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1], *C = &t->tile[2];
    t->kernels->gemm(t->with.transa, t->with.transb, C->mb, C->nb, t->with.k, t->with.alpha, A->data, A->mb, B->data, B->mb, C->data, C->mb);
}

void task_gemm(struct run *run, double alpha, enum trans transa, struct operand A, enum trans transb, struct operand B,
               struct operand C)
{
    int k = transa == NO_TRANS ? A.nb : A.mb;
    bool swapped = C.mirrored;      /* C^H += alpha op(B)^H op(A)^H */
    struct task *t = task_create(run, TASK_GEMM, gemm, 2.0 * C.mb * C.nb * k, 3,
                                 (struct operand[]){ swapped ? B : A, swapped ? A : B, C });
    if (t == NULL)
        return;
    transa = trans_in_memory(&A, transa);
    transb = trans_in_memory(&B, transb);
    t->with = (struct task_arguments){ .alpha = alpha, .transa = swapped ? other_trans(transb) : transa,
                                       .transb = swapped ? other_trans(transa) : transb, .k = k };
    task_submit(t);
}
