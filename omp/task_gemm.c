#include "omp/task.h"

void task_gemm(struct run *run, double alpha, enum trans transa, struct operand A, enum trans transb, struct operand B,
               struct operand C)
{
    struct task task;
    int k = transa == NO_TRANS ? A.nb : A.mb;
    if (!task_admit(run, &task, TASK_GEMM, 2.0 * C.mb * C.nb * k, 3, (struct operand[]){ A, B, C }))
        return;
    char *a = task.tile[0].data, *b = task.tile[1].data, *c = task.tile[2].data;
#pragma omp task untied firstprivate(task, alpha, transa, transb, k) depend(in : *a, *b) depend(inout : *c) priority(task.priority)
    {
        if (task_begin(&task))
            task.kernels->gemm(transa, transb, task.tile[2].mb, task.tile[2].nb, k, alpha, task.tile[0].data, task.tile[0].mb,
                               task.tile[1].data, task.tile[1].mb, task.tile[2].data, task.tile[2].mb);
        task_end(&task);
    }
}
