/* The functions that loops call: tasks, steps, waits. Each call goes to the sink of the run. */
#include "omp/walk.h"

#include <stdlib.h>

struct task *task_create(struct run *run, enum task_kind kind, void (*compute)(struct task *task), double flops, int count,
                         const struct operand *operands)
{
    const struct operand *output = &operands[count - 1];
    struct task task = { .run = run, .kind = kind, .compute = compute, .precision = output->precision,
                         .kernels = output->precision->kernels, .count = count,
                         .i = output->mirrored ? output->j : output->i, .j = output->mirrored ? output->i : output->j,
                         .flops = flops * output->precision->flops_scale,
                         .counted = flops * output->precision->flops_scale };
    return run->sink->task(run, &task, operands);
}

void run_fetch_only(struct run *run, bool on)
{
    run->fetch_only = on;
}

void run_request(struct run *run, const struct operand *tile)
{
    if (run->fetch_only)
        task_create(run, TASK_HAND_OVER, do_nothing, 0, 1, tile);
}

void run_alike(struct run *run, int64_t columns)
{
    run->alike = columns;
}

void run_wait(struct run *run)
{
    if (run->sink->wait != NULL)
        run->sink->wait(run);
}

enum due run_is_due(struct run *run, int k)
{
    return run->sink->is_due != NULL ? run->sink->is_due(run, k) : DUE_NO;
}

/* ---- steps ----------------------------------------------------------------------------------------------------------------- */

bool run_open_steps(struct run *run)
{
    bool made = true;
    for (int i = 0; i < OPEN_STEPS; i++) {
        run->open[i] = (struct open_step){ .k = -1, .seen = rma_table_create(0) };
        made &= run->open[i].seen != NULL;
    }
    return made;
}

void run_destroy_steps(struct run *run)
{
    for (int i = 0; i < OPEN_STEPS; i++) {
        rma_table_destroy(&run->open[i].seen);
        free(run->open[i].shared);
    }
}

static void close_step(struct run *run, struct open_step *step)
{
    if (step->k >= 0 && run->sink->close_step != NULL)
        run->sink->close_step(run, step);
    rma_table_clear(step->seen);
    step->tiles = 0;
    step->k = -1;
}

void run_step(struct run *run, int k, int oldest)
{
    for (int i = 0; i < OPEN_STEPS; i++)
        if (run->open[i].k < oldest)
            close_step(run, &run->open[i]);
    run->step = &run->open[k % OPEN_STEPS];
    run->step->k = k;
}

void run_walk(struct run *run)
{
    run->plan->loops(run, run->plan->context);
    for (int i = 0; i < OPEN_STEPS; i++)
        close_step(run, &run->open[i]);
}
