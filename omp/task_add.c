#include "omp/task.h"

void task_add(struct run *run, double alpha, struct operand A, struct operand B)
{
    struct task task;
    if (!task_admit(run, &task, TASK_ADD, 2.0 * B.mb * B.nb, 2, (struct operand[]){ A, B }))
        return;
    char *a = task.tile[0].data, *b = task.tile[1].data;
#pragma omp task untied firstprivate(task, alpha) depend(in : *a) depend(inout : *b) priority(task.priority)
    {
        if (task_begin(&task))
            task.kernels->add(task.tile[1].mb, task.tile[1].nb, alpha, task.tile[0].data, task.tile[0].mb, task.tile[1].data,
                              task.tile[1].mb);
        task_end(&task);
    }
}
