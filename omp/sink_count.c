/* The sink that counts: what the tasks of this rank cost and move, and how many remote tiles are in use at one time. */
#include "omp/walk.h"

#include <stdlib.h>

struct counting {
    struct run_tally *tally;
    const struct rma_nodes *nodes;
    int *ranks;                     /* scratch of run_crosses() */
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

bool run_crosses(const struct rma_nodes *nodes, readers_function *readers, const void *context, const struct operand *o,
                 int *ranks)
{
    struct rma_way way = { .parent = o->address.rank };
    if (nodes == NULL)
        return true;
    if (readers != NULL && o->address.unit == 0)
        way = rma_find_way(nodes, &o->address, ranks, readers(context, o, ranks));
    return !way.borrowed && rma_crosses(nodes, way.parent);
}

/* A tile of another rank, for the first time in its step. */
static void count_remote(struct run *run, const struct operand *o)
{
    const struct counting *c = run->counting;
    const struct run_plan *plan = run->plan;
    int crosses = run_crosses(c->nodes, plan->routes ? plan->readers : NULL, plan->context, o, c->ranks);
    c->tally->transfers++;
    c->tally->transfer_bytes += (int64_t)o->address.bytes;
    c->tally->wire_transfers += crosses;
    c->tally->wire_bytes += crosses * (int64_t)o->address.bytes;
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
        if (rma_is_transfer(&o->address))
            count_remote(run, o);
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

void run_count(const struct run_plan *plan, const struct rma_nodes *nodes, struct run_tally *tally)
{
    static const struct sink sink = { .task = count_task, .close_step = close_counted_step };
    *tally = (struct run_tally){ 0 };
    struct counting counting = { .tally = tally, .nodes = nodes, .seen = plan->devices != NULL ? rma_table_create(0) : NULL,
                                 .ranks = nodes != NULL ? malloc((size_t)nodes->ranks * sizeof *counting.ranks) : NULL };
    struct run run = { .plan = plan, .sink = &sink, .counting = &counting };
    bool ready = (counting.seen != NULL || plan->devices == NULL) && (counting.ranks != NULL || nodes == NULL);
    if (run_open_steps(&run) && ready) {
        run_walk(&run);
        tally->tiles = counting.seen != NULL ? rma_table_count(counting.seen) : 0;
    } else {
        tally->no_memory = true;
    }
    rma_table_destroy(&counting.seen);
    free(counting.ranks);
    run_destroy_steps(&run);
}
