#include "omp/tasks/task_places.h"

static void transpose(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1];
    t->kernels->conj_transpose(A->mb, A->nb, A->data, A->mb, B->data, B->mb);
}

static void transpose_alone(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1];
    t->precision->host->transpose(A->mb, A->nb, A->data, A->mb, B->data, B->mb);
}

void task_transpose(struct run *run, struct operand A, struct operand B)
{
    task_submit(task_create(run, TASK_ADD, A.symmetric ? transpose_alone : transpose, 0, 2, (struct operand[]){ A, B }));
}
