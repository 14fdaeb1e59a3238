/* The sink that counts: flops and transfers of the tasks of this rank, and the number of remote tiles in use at a time. */
#include "omp/walk.h"

#include <limits.h>
#include <stdlib.h>

struct counting {
    struct run_tally *tally;
    const struct rma_nodes *nodes;
    int *ranks;                     /* scratch of crosses() */
    int64_t last_step_tiles;
    struct rma_table *seen;         /* tiles; NULL: not counted */
};

/* No cache holds MOST tiles, and half as many more still fit into an int. */
static void raise_to(int *most, int64_t tiles)
{
    enum { MOST = INT_MAX / 2 };
    *most = tiles <= *most ? *most : tiles < MOST ? (int)tiles : MOST;
}

static int64_t remote_tiles(const struct run *run)
{
    int64_t tiles = 0;
    for (int i = 0; i < OPEN_STEPS; i++)
        tiles += run->open[i].tiles;
    return tiles;
}

/* Whether a remote tile comes from another node: from its owner, or through a tree from another reader. */
static bool crosses(const struct run *run, const struct operand *o)
{
    const struct counting *c = run->counting;
    const struct run_plan *plan = run->plan;
    struct rma_route route = { .parent = o->address.rank };
    if (c->nodes == NULL)
        return true;
    if (plan->routes && plan->readers != NULL && o->address.unit == 0)
        route = rma_find_route(c->nodes, &o->address, c->ranks, plan->readers(plan->context, o, c->ranks));
    return !route.in_parent && rma_crosses(c->nodes, route.parent);
}

/* Counts a remote tile at its first use in a step, and the tiles for which it stands. */
static void count_remote(struct run *run, const struct operand *o, int64_t tiles)
{
    struct run_tally *tally = run->counting->tally;
    int64_t across = crosses(run, o) ? tiles : 0;
    tally->transfers += tiles;
    tally->transfer_bytes += tiles * (int64_t)o->address.bytes;
    tally->wire_transfers += across;
    tally->wire_bytes += across * (int64_t)o->address.bytes;
}

static struct task *count_task(struct run *run, const struct task *task, const struct operand *operands)
{
    struct rma_table *seen = run->counting->seen;
    struct run_tally *tally = run->counting->tally;
    int64_t tasks = run->fetch_only ? 0 : run->alike;
    tally->tasks += tasks;
    tally->flops += (double)tasks * task->flops;
    for (int i = 0; i < task->count; i++) {
        const struct operand *o = &operands[i];
        if (seen != NULL)
            tally->no_memory |= rma_table_insert(seen, key_matrix(o), key_id(o), 0) != 0;
        if (o->mine || rma_table_find(run->step->seen, o->matrix, o->address.id) >= 0)
            continue;
        tally->no_memory |= rma_table_insert(run->step->seen, o->matrix, o->address.id, 0) != 0;
        int64_t tiles = o->j == operands[task->count - 1].j ? run->alike : 1;
        run->step->tiles += tiles;
        if (rma_is_transfer(&o->address))
            count_remote(run, o, tiles);
    }
    raise_to(&tally->step_tiles, remote_tiles(run));
    return NULL;
}

static void close_counted_step(struct run *run, struct open_step *step)
{
    struct counting *c = run->counting;
    raise_to(&c->tally->step_tiles_next, step->tiles + c->last_step_tiles);
    c->last_step_tiles = step->tiles;
}

void run_count(const struct run_plan *plan, const struct rma_nodes *nodes, struct run_tally *tally)
{
    static const struct sink sink = { .task = count_task, .close_step = close_counted_step };
    *tally = (struct run_tally){ 0 };
    struct counting counting = { .tally = tally, .nodes = nodes, .seen = plan->devices != NULL ? rma_table_create(0) : NULL,
                                 .ranks = nodes != NULL ? malloc((size_t)nodes->ranks * sizeof *counting.ranks) : NULL };
    struct run run = { .plan = plan, .sink = &sink, .counting = &counting, .alike = 1 };
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
