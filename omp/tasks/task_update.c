/* Tasks of a factor whose matrix changes by a few columns: see omp/kernels/update_reflectors.h. */
#include "omp/kernels/update_reflectors.h"
#include "omp/task.h"
#include "omp/tasks/tasks.h"

static struct factor_rows rows_in(const struct task *t)
{
    const struct task_tile *L = &t->tile[2];
    return (struct factor_rows){ .data = L->data, .ld = L->mb, .mirrored = t->with.uplo == UPPER };
}

static bool subtracts(const struct task *t)
{
    return t->with.alpha < 0;
}

static void submit(struct run *run, void (*compute)(struct task *task), enum task_kind kind, double flops, double alpha,
                   struct operand Q, struct operand V, struct operand L)
{
    struct task *t = task_create(run, kind, compute, flops, 3, (struct operand[]){ Q, V, L });
    task_submit_with(t, (struct task_arguments){ .uplo = uplo_in_memory(&L, LOWER), .alpha = alpha, .row = L.row });
}

static void reflectors(struct task *t)
{
    const struct task_tile *Q = &t->tile[0], *V = &t->tile[1];
    int failed = update_reflectors(t->precision, subtracts(t), Q->nb, Q->mb, rows_in(t), V->data, V->mb, Q->data);
    if (failed > 0)
        task_fail(t, t->with.row + failed);
    if (failed < 0)
        task_no_memory(t);
}

void task_update_reflectors(struct run *run, double alpha, struct operand Q, struct operand V, struct operand L)
{
    submit(run, reflectors, TASK_TPQRT, 2.0 * L.nb * L.nb * V.nb, alpha, Q, V, L);
}

static void reflect(struct task *t)
{
    const struct task_tile *Q = &t->tile[0], *V = &t->tile[1];
    if (update_reflect(t->precision, subtracts(t), V->mb, Q->nb, Q->mb, Q->data, rows_in(t), V->data, V->mb) != 0)
        task_no_memory(t);
}

void task_update_reflect(struct run *run, double alpha, struct operand Q, struct operand V, struct operand L)
{
    submit(run, reflect, TASK_PRODUCT, 4.0 * L.mb * L.nb * V.nb, alpha, Q, V, L);
}
