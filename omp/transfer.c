/* Transfers of tiles between ranks. The first task that reads a tile requests it at submission; the last task that writes a
   tile publishes it when it is done. */
#include "omp/transfer.h"
#include "omp/execute.h"
#include "omp/help.h"
#include "omp/order.h"
#include "omp/submit.h"

#include <omp.h>

/* Data that are no tile of a matrix have no place in a matrix. */
static void place_of(const struct rma_address *tile, struct event *e)
{
    e->i = e->j = -1;
    if (tile->what == NULL)
        rma_tile_place(tile, &e->i, &e->j);
}

/* Called when the tile of the slot has arrived: the tasks that read it may run. */
static void arrived(struct rma_slot *slot)
{
    const struct fetched *f = fetched_in(slot);
    struct run *run = f->run;
    struct events *events = run_worker(run)->events;
    if (events != NULL && rma_is_transfer(&slot->from)) {
        struct event e = { .kind = EVENT_FETCH, .from = slot->route.parent,
                           .flow = run_flow(run, slot->from.id, rma_rank(run->rma)), .start = f->request_time,
                           .end = run_clock() };
        place_of(&slot->from, &e);
        trace_add(events, e);
    }
    order_arrive(run, slot);
    omp_fulfill_event((omp_event_handle_t)(uintptr_t)f->event);
    atomic_fetch_sub_explicit(&run->fetching, 1, memory_order_release);
}

/* Writes all readers of the tile into run->readers; returns their number. */
static int readers_of(struct run *run, const struct operand *tile)
{
    return run->plan->readers == NULL ? 0 : run->plan->readers(run->plan->context, tile, run->readers);
}

struct rma_slot *run_fetch_tile(struct run *run, const struct operand *tile)
{
    struct rma_slot *slot = rma_cache_find(run->cache, run->step->k, &tile->address);
    if (slot != NULL)
        return slot;
    struct rma_backoff backoff = { 0 };
    struct rma_route route = { .parent = tile->address.rank };
    if (run->routes && tile->address.unit == 0)
        route = rma_find_route(rma_nodes(run->rma), &tile->address, run->readers, readers_of(run, tile));
    while ((slot = rma_cache_take(run->cache, run->step->k, &tile->address, &route)) == NULL)
        run_help(run, &backoff);
    char *token = (char *)slot;
    omp_event_handle_t event = (omp_event_handle_t)0;   /* the directive sets it */
#pragma omp task detach(event) firstprivate(run) depend(out : *token)
    run_worker(run)->gathered++;
    struct fetched *f = &run->fetched[rma_slot_number(run->cache, slot)];
    *f = (struct fetched){ .run = run, .event = (uint64_t)event, .request_time = run->plan->trace != NULL ? run_clock() : 0,
                           .used = ATOMIC_FLAG_INIT };
    slot->arrived = arrived;
    slot->context = f;
    slot->urgency = run_urgency_of(run, run->due, URGENT_READ);
    order_fetch(run, slot);
    atomic_fetch_add_explicit(&run->fetching, 1, memory_order_relaxed);
    rma_fetch(run->rma, slot);
    return slot;
}

static void publication_sent(struct rma_publication *p)
{
    struct run *run = p->context;
    if (run->plan->trace != NULL && rma_is_transfer(&p->tile)) {
        struct event e = { .kind = EVENT_PUBLICATION, .flow = run_flow(run, p->tile.id, rma_rank(run->rma)),
                           .start = p->request_time, .end = run_clock() };
        place_of(&p->tile, &e);
        trace_add(run_worker(run)->events, e);
    }
    reserve_free_publication(&run->reserve, p);
}

/* Readers would wait for ever if a flag were lost, so this function waits for memory: see reserve.h. */
struct rma_publication *run_publication_of(struct run *run, const struct operand *o)
{
    int count = readers_of(run, o);
    if (count == 0)
        return NULL;
    struct rma_publication *p;
    struct rma_backoff backoff = { 0 };
    while ((p = reserve_new_publication(&run->reserve, count)) == NULL)
        run_help(run, &backoff);
    *p = (struct rma_publication){ .tile = o->address, .count = count, .context = run, .sent = publication_sent,
                                   .word = (struct rma_word *)(p->reader + count) };
    for (int i = 0; i < count; i++)
        p->reader[i] = run->readers[i];
    return p;
}
