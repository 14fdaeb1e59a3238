/* The sink that counts: what the tasks of this rank cost and move, and how many remote tiles are in use at one time. */
#include "omp/walk.h"

struct counting {
    struct run_tally *tally;
    int last_step_tiles;
    struct rma_table *seen;         /* tiles; NULL: not counted */
};

static int remote_tiles(const struct run *run)
{
    int tiles = 0;
    for (int i = 0; i < OPEN_STEPS; i++)
        tiles += rma_table_count(run->open[i].seen);
    return tiles;
}

static struct task *count_task(struct run *run, const struct task *task, const struct operand *operands)
{
    struct rma_table *seen = run->counting->seen;
    struct run_tally *tally = run->counting->tally;
    tally->tasks += !run->fetch_only;
    tally->flops += run->fetch_only ? 0 : task->flops;
    for (int i = 0; i < task->count; i++) {
        const struct operand *o = &operands[i];
        if (seen != NULL)
            tally->no_memory |= rma_table_insert(seen, key_matrix(o), key_id(o), 0) != 0;
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
    struct counting *c = run->counting;
    int tiles = rma_table_count(step->seen), both = tiles + c->last_step_tiles;
    if (both > c->tally->step_tiles_next)
        c->tally->step_tiles_next = both;
    c->last_step_tiles = tiles;
}

void run_count(const struct run_plan *plan, struct run_tally *tally)
{
    static const struct sink sink = { .task = count_task, .close_step = close_counted_step };
    *tally = (struct run_tally){ 0 };
    struct counting counting = { .tally = tally, .seen = plan->devices != NULL ? rma_table_create(0) : NULL };
    struct run run = { .plan = plan, .sink = &sink, .counting = &counting };
    if (run_open_steps(&run) && (counting.seen != NULL || plan->devices == NULL)) {
        run_walk(&run);
        tally->tiles = counting.seen != NULL ? rma_table_count(counting.seen) : 0;
    } else {
        tally->no_memory = true;
    }
    rma_table_destroy(&counting.seen);
    run_destroy_steps(&run);
}
