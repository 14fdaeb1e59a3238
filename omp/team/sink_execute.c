/* The sink that executes: a task of the loops becomes an OpenMP task, and its remote tiles are requested. */
#include "omp/team/sink_execute.h"
#include "omp/device_copies/residence.h"
#include "omp/help.h"
#include "omp/order.h"
#include "omp/submit.h"
#include "omp/transfer.h"

/* Fills in tiles and names of a task in a run without devices. A tile that is read in place may have the address of another
   tile, so its name is its slot. */
static void settle_on_host(struct run *run, struct task *t, const struct operand *operands)
{
    run->names.in_count = run->names.out_count = 0;
    for (int i = 0; i < t->count; i++) {
        const struct operand *o = &operands[i];
        struct task_tile *tile = &t->tile[i];
        *tile = (struct task_tile){ .data = o->data, .mb = memory_rows(o), .nb = memory_columns(o),
                                    .traits = o->traits };
        if (!o->mine) {
            tile->slot = run_fetch_tile(run, o);
            rma_slot_hold(tile->slot);
            tile->data = tile->slot->data;
        }
        order_use_operand(run, t, i, o);
        run_name(run, o->access, o->mine ? tile->data : (char *)tile->slot, o->mine);
        for (int more = 1; more <= o->more; more++)
            run_name(run, o->access, tile->data + (size_t)more * o->stride, true);
    }
}

static struct task *execute_task(struct run *run, const struct task *task, const struct operand *operands)
{
    const struct operand *output = &operands[task->count - 1];
    const struct task_facts *facts = task_facts(task->kind);
    bool publishes = output->access == FINAL && (output->split == NULL || facts->hands_over);
    run->due = output->due;
    if (run->fetch_only) {
        for (int i = 0; i < task->count; i++)
            if (!operands[i].mine)
                run_fetch_tile(run, &operands[i]);
        return NULL;
    }
    struct rma_publication *publication = publishes ? run_publication_of(run, output) : NULL;
    if (publishes && output->split != NULL && publication == NULL)
        return NULL;        /* no rank reads the tile, so nothing gathers it */
    bool is_panel = output->access == FINAL || facts->is_panel;
    int64_t urgency = run_urgency_of(run, output->due, is_panel ? URGENT_PANEL : URGENT_UPDATE);
    struct task *t = run_copy_task(run, task);
    if (!facts->only_reads)
        order_output(run, t, output->access);
    t->publication = publication;
    if (output->access == FINAL)
        t->lane = LANE_PANEL;
    if (run->residence != NULL)
        residence_settle(run, t, operands, urgency);
    else
        settle_on_host(run, t, operands);
    if (t->device != HOST && (facts->place == WITH_OUTPUT || facts->place == WITH_STACK))
        t->kernels = run->plan->devices->kernels(t->precision->type);
    run_enter(run, t, urgency);
    return t;
}

/*
 * LLVM keeps a node for every reader of an address until the next writer. A tile that many tasks of one step read is not read
 * after the step, and mostly not written either. The number of such nodes would grow with the cube of the number of tiles. So
 * an empty writer follows the readers of the step.
 */
static void close_executed_step(struct run *run, struct open_step *step)
{
    rma_cache_end_step(run->cache, step->k);
    for (int i = 0; i < step->shared_count; i++)
        run_write_nothing(run, step->shared[i]);
    step->shared_count = 0;
}

static void wait_for_all(struct run *run)
{
    struct rma_backoff backoff = { 0 };
    while (run_in_flight(run) > 0 ||
           atomic_load_explicit(&run->fetching, memory_order_acquire) > 0)
        run_help(run, &backoff);
}

/* Whether too many tasks are in flight before step k. Tasks of the last two steps may always be in flight. Others may be in
   flight if they are of the last SAVED_STEPS steps and will be done in time. */
static bool too_many_in_flight(struct run *run, int k)
{
    const int64_t *before = run->submitted_before;
    int64_t in_flight = run_in_flight(run), done = run->submitted - in_flight;
    int64_t two = k < 2 ? run->submitted : run->submitted - before[(k - 2) % SAVED_STEPS];
    if (in_flight <= two)
        return false;
    double soon = run->plan->saver->soon_s * (double)done / (run_clock() - run->start);
    return (double)in_flight > soon || in_flight > run->submitted - before[k % SAVED_STEPS];
}

static enum due is_due(struct run *run, int k)
{
    const struct run_saver *saver = run->plan->saver;
    struct rma_backoff backoff = { 0 };
    if (saver == NULL)
        return DUE_NO;
    while (too_many_in_flight(run, k))
        run_help(run, &backoff);
    run->submitted_before[k % SAVED_STEPS] = run->submitted;
    enum due due;
    while ((due = saver->due(saver->context, k)) == DUE_UNKNOWN)
        run_help(run, &backoff);
    return due;
}

const struct sink sink_execute = { .task = execute_task, .close_step = close_executed_step, .wait = wait_for_all,
                                   .is_due = is_due };
