/* The sink that shows what the loops do to a visitor. */
#include "omp/walk.h"

static struct task *visit_task(struct run *run, const struct task *task, const struct operand *operands)
{
    const struct visitor *v = run->visitor;
    if (!run->fetch_only)
        v->task(v->context, task->kind, run->step->k, task->flops, task->count, operands);
    for (int i = 0; run->fetch_only && v->requested != NULL && i < task->count; i++)
        if (!operands[i].mine)
            v->requested(v->context, run->step->k, &operands[i], &operands[task->count - 1]);
    return NULL;
}

static void visit_wait(struct run *run)
{
    if (run->visitor->wait != NULL)
        run->visitor->wait(run->visitor->context);
}

bool run_visit(const struct run_plan *plan, const struct visitor *visitor)
{
    static const struct sink sink = { .task = visit_task, .wait = visit_wait };
    struct run run = { .plan = plan, .sink = &sink, .visitor = visitor };
    bool opened = run_open_steps(&run);
    if (opened)
        run_walk(&run);
    run_destroy_steps(&run);
    return opened;
}
