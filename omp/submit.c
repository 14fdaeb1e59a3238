/* The sinks: where a task of the loops goes. One adds up what it costs and moves, the other makes it ready to be an OpenMP task. */
#include "omp/internal.h"

#include <omp.h>
#include <stdlib.h>

bool task_admit(struct run *run, struct task *task, double flops, int count, const struct operand *operands)
{
    return run->sink(run, task, flops, count, operands);
}

/* ---- counting ------------------------------------------------------------------------------------------------------------------- */

bool run_count_task(struct run *run, struct task *task, double flops, int count, const struct operand *operands)
{
    (void)task;
    struct run_tally *tally = run->tally;
    tally->tasks++;
    tally->flops += flops * operands[count - 1].kernels->flops_scale;
    for (int i = 0; i < count; i++) {
        const struct operand *o = &operands[i];
        if (o->mine || rma_table_find(run->seen, o->matrix, o->address.id) >= 0)
            continue;
        tally->no_memory |= rma_table_insert(run->seen, o->matrix, o->address.id, 0) != 0;
        tally->transfers++;
        tally->transfer_bytes += (int64_t)o->address.bytes;
    }
    return false;
}

void run_close_counted_step(struct run *run)
{
    int tiles = rma_table_count(run->seen), both = tiles + run->last_step_tiles;
    if (tiles > run->tally->step_tiles)
        run->tally->step_tiles = tiles;
    if (both > run->tally->step_tiles_next)
        run->tally->step_tiles_next = both;
    run->last_step_tiles = tiles;
    rma_table_clear(run->seen);
}

void run_step(struct run *run, int k)
{
    run->step = k;
    if (run->tally != NULL)
        run_close_counted_step(run);
    else
        run_close_submitted_step(run);
}

/* ---- executing ------------------------------------------------------------------------------------------------------------------ */

static void fulfill(void *context)
{
    omp_fulfill_event((omp_event_handle_t)(uintptr_t)context);
}

enum { MOST_URGENT = 3 };

/* The slot in which the remote tile arrives; the first task of a step that reads it starts its fetch. */
static struct rma_slot *fetch_tile(struct run *run, const struct operand *tile)
{
    struct rma_slot *slot = rma_cache_find(run->cache, &tile->address);
    if (slot != NULL)
        return slot;
    struct rma_backoff backoff = { 0 };
    while ((slot = rma_cache_take(run->cache, &tile->address)) == NULL)
        run_help(run, &backoff);
    char *data = slot->data;
    omp_event_handle_t event = (omp_event_handle_t)0;   /* set by the directive */
#pragma omp task detach(event) depend(out : *data) priority(MOST_URGENT)
    {
    }
    slot->arrived = fulfill;
    slot->context = (void *)(uintptr_t)event;
    rma_fetch(run->rma, slot);
    return slot;
}

/* Waits until one more task may be in flight. */
static void enter_flight(struct run *run)
{
    struct rma_backoff backoff = { 0 };
    while (atomic_load_explicit(&run->in_flight, memory_order_relaxed) >= run->max_tasks)
        run_help(run, &backoff);
    int in_flight = atomic_fetch_add_explicit(&run->in_flight, 1, memory_order_relaxed) + 1;
    if (in_flight > run->tasks_peak)
        run->tasks_peak = in_flight;
}

/*
 * LLVM keeps a node of every reader of an address until the next writer comes. A tile that many tasks read in one step is read no
 * more after it, and mostly written no more: the nodes would grow with the cube of the tile count. So an empty writer follows the
 * step's readers.
 */
void run_close_submitted_step(struct run *run)
{
    rma_cache_forget(run->cache);
    rma_table_clear(run->seen);
    for (int i = 0; i < run->shared_count; i++) {
        char *data = run->shared[i];
        enter_flight(run);
#pragma omp task untied firstprivate(run) depend(inout : *data)
        atomic_fetch_sub_explicit(&run->in_flight, 1, memory_order_release);
    }
    run->shared_count = 0;
}

/* The second reader of an owned tile in a step puts it on the list. Without memory some nodes stay: more memory later, no error. */
static void note_reader(struct run *run, const struct operand *tile)
{
    enum { ONCE, OFTEN };
    int before = rma_table_find(run->seen, tile->matrix, tile->address.id);
    rma_table_insert(run->seen, tile->matrix, tile->address.id, before < 0 ? ONCE : OFTEN);
    if (before != ONCE)
        return;
    if (run->shared_count == run->shared_room) {
        int room = 2 * run->shared_room + 64;
        char **larger = realloc(run->shared, (size_t)room * sizeof *larger);
        if (larger == NULL)
            return;
        run->shared = larger;
        run->shared_room = room;
    }
    run->shared[run->shared_count++] = tile->data;
}

static struct task_tile tile_of(struct run *run, const struct operand *o)
{
    struct task_tile tile = { .data = o->data, .mb = o->mb, .nb = o->nb };
    if (!o->mine) {
        tile.slot = fetch_tile(run, o);
        rma_slot_hold(tile.slot);
        tile.data = tile.slot->data;
    } else if (o->access == READ) {
        note_reader(run, o);
    }
    return tile;
}

/* NULL where nobody else reads the tile. Readers would wait for ever for a lost flag, so memory is waited for: tasks free it. */
static struct rma_publication *publication_of(struct run *run, const struct operand *o)
{
    int count = run->plan->readers == NULL ? 0 : run->plan->readers(run->plan->context, o, run->readers);
    if (count == 0)
        return NULL;
    struct rma_publication *p;
    struct rma_backoff backoff = { 0 };
    while ((p = malloc(sizeof *p + (size_t)count * sizeof p->reader[0])) == NULL)
        run_help(run, &backoff);
    p->tile = o->address;
    p->count = count;
    for (int i = 0; i < count; i++)
        p->reader[i] = run->readers[i];
    return p;
}

static int urgency(const struct run *run, const struct operand *output)
{
    int steps = output->due - run->step;
    return steps < 0 ? MOST_URGENT : steps > MOST_URGENT ? 0 : MOST_URGENT - steps;
}

bool run_submit_task(struct run *run, struct task *task, double flops, int count, const struct operand *operands)
{
    const struct operand *output = &operands[count - 1];
    *task = (struct task){ .run = run, .kernels = output->kernels, .count = count, .priority = urgency(run, output) };
    task->flops = flops * task->kernels->flops_scale;
    for (int i = 0; i < count; i++)
        task->tile[i] = tile_of(run, &operands[i]);
    if (output->access == FINAL)
        task->publication = publication_of(run, output);
    enter_flight(run);
    return true;
}
