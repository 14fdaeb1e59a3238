#include "omp/task.h"

void task_getrf(struct run *run, struct operand A)
{
    struct task task;
    int64_t row = A.row;
    double m = A.mb, n = A.nb, k = m < n ? m : n;
    if (!task_admit(run, &task, TASK_GETRF, 2 * m * n * k - (m + n) * k * k + 2 * k * k * k / 3, 1, &A))
        return;
    char *a = task.tile[0].data;
#pragma omp task untied firstprivate(task, row) depend(inout : *a) priority(task.priority)
    {
        if (task_begin(&task)) {
            int info = task.kernels->getrf(task.tile[0].mb, task.tile[0].nb, task.tile[0].data, task.tile[0].mb);
            if (info != 0)
                task_fail(&task, row + info);
        }
        task_end(&task);
    }
}
