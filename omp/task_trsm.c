#include "omp/task.h"

void task_trsm(struct run *run, enum side side, enum uplo uplo, enum trans trans, enum diag diag, struct operand A,
               struct operand B)
{
    struct task task;
    double order = side == LEFT ? B.mb : B.nb;
    if (!task_admit(run, &task, TASK_TRSM, order * B.mb * B.nb, 2, (struct operand[]){ A, B }))
        return;
    char *a = task.tile[0].data, *b = task.tile[1].data;
#pragma omp task untied firstprivate(task, side, uplo, trans, diag) depend(in : *a) depend(inout : *b) priority(task.priority)
    {
        if (task_begin(&task))
            task.kernels->trsm(side, uplo, trans, diag, task.tile[1].mb, task.tile[1].nb, task.tile[0].data, task.tile[0].mb,
                               task.tile[1].data, task.tile[1].mb);
        task_end(&task);
    }
}
