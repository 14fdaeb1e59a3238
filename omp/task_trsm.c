#include "omp/task.h"

static void trsm(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1];
    t->kernels->trsm(t->with.side, t->with.uplo, t->with.transa, t->with.diag, B->mb, B->nb, A->data, A->mb, B->data, B->mb);
}

void task_trsm(struct run *run, enum side side, enum uplo uplo, enum trans trans, enum diag diag, struct operand A,
               struct operand B)
{
    double order = side == LEFT ? B.mb : B.nb;
    struct task *t = task_create(run, TASK_TRSM, trsm, order * B.mb * B.nb, 2, (struct operand[]){ A, B });
    if (t == NULL)
        return;
    trans = trans_in_memory(&A, trans);
    if (B.mirrored) {
        side = side == LEFT ? RIGHT : LEFT;
        trans = other_trans(trans);
    }
    t->with = (struct task_arguments){ .side = side, .uplo = uplo_in_memory(&A, uplo), .transa = trans, .diag = diag };
    task_submit(t);
}
