/* The steps of a walk, and the sinks that do not execute: one adds up what the tasks cost and move, one shows them to a visitor. */
#include "omp/execution.h"

#include <stdlib.h>

const char *task_name(enum task_kind kind)
{
    static const char *const names[TASK_KINDS] = { [TASK_POTRF] = "potrf", [TASK_GETRF] = "getrf", [TASK_TRSM] = "trsm", [TASK_SYRK] = "syrk",
                                                   [TASK_GEMM] = "gemm", [TASK_HEMM] = "hemm", [TASK_ADD] = "add", [TASK_PRODUCT] = "product",
                                                   [TASK_STACK] = "stack", [TASK_PIVOTS] = "pivots", [TASK_LASWP] = "laswp",
                                                   [TASK_GEQRT] = "geqrt", [TASK_TPQRT] = "tpqrt", [TASK_TRMM] = "trmm", [TASK_HAND_OVER] = "hand over",
                                                   [TASK_UPLOAD] = "upload", [TASK_DOWNLOAD] = "download" };
    return names[kind];
}

struct task *task_create(struct run *run, enum task_kind kind, void (*compute)(struct task *task), double flops, int count,
                         const struct operand *operands)
{
    const struct operand *output = &operands[count - 1];
    struct task task = { .run = run, .kind = kind, .compute = compute, .precision = output->precision,
                         .kernels = output->precision->kernels, .count = count,
                         .i = output->mirrored ? output->j : output->i, .j = output->mirrored ? output->i : output->j,
                         .flops = flops * output->precision->flops_scale };
    return run->sink(run, &task, operands);
}

/* ---- steps ------------------------------------------------------------------------------------------------------------------------ */

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
    if (step->k >= 0 && run->close_step != NULL)
        run->close_step(run, step);
    rma_table_clear(step->seen);
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

void run_close_steps(struct run *run)
{
    for (int i = 0; i < OPEN_STEPS; i++)
        close_step(run, &run->open[i]);
}

/* ---- counting --------------------------------------------------------------------------------------------------------------------- */

static int remote_tiles(const struct run *run)
{
    int tiles = 0;
    for (int i = 0; i < OPEN_STEPS; i++)
        tiles += rma_table_count(run->open[i].seen);
    return tiles;
}

static struct task *count_task(struct run *run, const struct task *task, const struct operand *operands)
{
    struct run_tally *tally = run->tally;
    tally->tasks += !run->fetch_only;
    tally->flops += run->fetch_only ? 0 : task->flops;
    for (int i = 0; i < task->count; i++) {
        const struct operand *o = &operands[i];
        if (run->seen != NULL)
            tally->no_memory |= rma_table_insert(run->seen, key_matrix(o), key_id(o), 0) != 0;
        if (o->mine || rma_table_find(run->step->seen, o->matrix, o->address.id) >= 0)
            continue;
        tally->no_memory |= rma_table_insert(run->step->seen, o->matrix, o->address.id, 0) != 0;
        if (rma_is_transfer(&o->address)) {
            tally->transfers++;
            tally->transfer_bytes += (int64_t)o->address.bytes;
        }
    }
    int tiles = remote_tiles(run);
    if (tiles > tally->step_tiles)
        tally->step_tiles = tiles;
    return NULL;
}

static void close_counted_step(struct run *run, struct open_step *step)
{
    int tiles = rma_table_count(step->seen), both = tiles + run->last_step_tiles;
    if (both > run->tally->step_tiles_next)
        run->tally->step_tiles_next = both;
    run->last_step_tiles = tiles;
}

void run_count(const struct run_plan *plan, struct run_tally *tally)
{
    *tally = (struct run_tally){ 0 };
    struct run run = { .plan = plan, .sink = count_task, .close_step = close_counted_step, .tally = tally,
                       .seen = plan->devices != NULL ? rma_table_create(0) : NULL };
    if (run_open_steps(&run) && (run.seen != NULL || plan->devices == NULL)) {
        plan->loops(&run, plan->context);
        run_close_steps(&run);
        tally->tiles = run.seen != NULL ? rma_table_count(run.seen) : 0;
    } else {
        tally->no_memory = true;
    }
    rma_table_destroy(&run.seen);
    run_destroy_steps(&run);
}

/* ---- visiting --------------------------------------------------------------------------------------------------------------------- */

static struct task *visit_task(struct run *run, const struct task *task, const struct operand *operands)
{
    const struct visitor *v = run->visitor;
    if (!run->fetch_only)
        v->task(v->context, task->kind, run->step->k, task->flops, task->count, operands);
    for (int i = 0; run->fetch_only && v->fetch != NULL && i < task->count; i++)
        if (!operands[i].mine)
            v->fetch(v->context, run->step->k, &operands[i]);
    return NULL;
}

bool run_visit(const struct run_plan *plan, const struct visitor *visitor)
{
    struct run run = { .plan = plan, .sink = visit_task, .visitor = visitor };
    bool opened = run_open_steps(&run);
    if (opened)
        plan->loops(&run, plan->context);
    run_destroy_steps(&run);
    return opened;
}
