#include "omp/task.h"

void task_herk(struct run *run, struct operand A, struct operand C)
{
    struct task task;
    if (!task_admit(run, &task, TASK_SYRK, (double)C.nb * C.nb * A.nb, 2, (struct operand[]){ A, C }))
        return;
    char *a = task.tile[0].data, *c = task.tile[1].data;
#pragma omp task untied firstprivate(task) depend(in : *a) depend(inout : *c) priority(task.priority)
    {
        if (task_begin(&task))
            task.kernels->herk(task.tile[1].nb, task.tile[0].nb, task.tile[0].data, task.tile[0].mb, task.tile[1].data,
                               task.tile[1].mb);
        task_end(&task);
    }
}
