#include "omp/task.h"

static struct multiplicand factor_of(struct task_tile tile, struct shape shape)
{
    return (struct multiplicand){ .data = tile.data, .ld = tile.mb, .part = shape.part, .diag = shape.diag, .trans = shape.trans };
}

void task_product(struct run *run, struct shape shape_a, struct operand A, struct shape shape_b, struct operand B,
                  struct operand C)
{
    struct task task;
    /* The diagonal tile of a wide or tall matrix is not square: its factors are no larger than its shorter side. */
    int inner_a = shape_a.trans == NO_TRANS ? A.nb : A.mb, inner_b = shape_b.trans == NO_TRANS ? B.mb : B.nb;
    int k = inner_a < inner_b ? inner_a : inner_b;
    if (!task_admit(run, &task, TASK_PRODUCT, 2.0 * C.mb * C.nb * k, 3, (struct operand[]){ A, B, C }))
        return;
    char *a = task.tile[0].data, *b = task.tile[1].data, *c = task.tile[2].data;
#pragma omp task untied firstprivate(task, shape_a, shape_b, k) depend(in : *a, *b) depend(inout : *c) priority(task.priority)
    {
        if (task_begin(&task) &&
            task.kernels->product(task.tile[2].mb, task.tile[2].nb, k, factor_of(task.tile[0], shape_a),
                                  factor_of(task.tile[1], shape_b), task.tile[2].data, task.tile[2].mb) != 0)
            task_no_memory(&task);
        task_end(&task);
    }
}
