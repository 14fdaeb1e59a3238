#include "omp/tasks/task_places.h"

#include <string.h>

static void add(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1];
    t->kernels->add(B->mb, B->nb, t->with.alpha, A->data, A->mb, B->data, B->mb);
}

void task_add(struct run *run, double alpha, struct operand A, struct operand B)
{
    for (struct part p = { 0 }; next_part(&B, &p);) {
        struct operand operands[] = { part_of(A, p), part_of(B, p) };
        struct task *t = task_create(run, TASK_ADD, add, 2.0 * memory_rows(&B) * p.columns, 2, operands);
        task_submit_with(t, (struct task_arguments){ .alpha = alpha });
    }
    hand_over(run, B);
}

static void clear(struct task *t)
{
    const struct task_tile *B = &t->tile[0];
    memset(B->data, 0, (size_t)B->mb * (size_t)B->nb * t->precision->size);
}

void task_clear(struct run *run, struct operand B)
{
    task_submit(task_create(run, TASK_ADD, clear, 0, 1, &B));
}
