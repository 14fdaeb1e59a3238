#include "omp/task.h"

void task_hemm(struct run *run, double alpha, struct operand A, struct operand B, struct operand C)
{
    struct task task;
    if (!task_admit(run, &task, TASK_HEMM, 2.0 * C.mb * C.nb * A.nb, 3, (struct operand[]){ A, B, C }))
        return;
    char *a = task.tile[0].data, *b = task.tile[1].data, *c = task.tile[2].data;
#pragma omp task untied firstprivate(task, alpha) depend(in : *a, *b) depend(inout : *c) priority(task.priority)
    {
        if (task_begin(&task))
            task.kernels->hemm(task.tile[2].mb, task.tile[2].nb, alpha, task.tile[0].data, task.tile[0].mb, task.tile[1].data,
                               task.tile[1].mb, task.tile[2].data, task.tile[2].mb);
        task_end(&task);
    }
}
