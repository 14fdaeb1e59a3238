#include "omp/task.h"

void task_potrf(struct run *run, struct operand A)
{
    struct task task;
    int64_t row = A.row;
    double n = A.nb;
    if (!task_admit(run, &task, TASK_POTRF, n * n * n / 3, 1, &A))
        return;
    char *a = task.tile[0].data;
#pragma omp task untied firstprivate(task, row) depend(inout : *a) priority(task.priority)
    {
        if (task_begin(&task)) {
            int info = task.kernels->potrf(task.tile[0].nb, task.tile[0].data, task.tile[0].mb);
            if (info != 0)
                task_fail(&task, row + info);
        }
        task_end(&task);
    }
}
