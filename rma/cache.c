/*
 * The cache of remote tiles has a fixed number of slots, so that memory is bounded whatever the look-ahead.
 *
 * Why a full cache cannot deadlock if it has at least as many slots as the open steps read remote tiles. Order the tasks of all
 * ranks as the loops create them, and suppose that nothing moves. Let X be the first unfinished task, of step k on rank r. All
 * tasks before X are done, so X's inputs are published. If X was submitted, its fetches hold their slots and complete, because
 * their owners poll; then X runs. If X was not submitted, the loop of r waits for a slot, at X or before it. All submitted tasks
 * are done and have released their slots. Only the open steps still hold slots, and these are fewer than the cache has, so one is
 * free. In both cases something moves. (routes.c has the argument for slots that other ranks read, too.)
 */
#include "rma/state.h"

/* ---- for the submitting thread ------------------------------------------------------------------------------------------ */

struct rma_slot *rma_cache_find(struct rma_cache *c, int step, const struct rma_address *tile)
{
    int i = rma_table_find(c->step[step % RMA_STEPS].table, tile->space, tile->id);
    return i < 0 ? NULL : &c->slot[i];
}

int rma_slot_number(const struct rma_cache *c, const struct rma_slot *s)
{
    return (int)(s - c->slot);
}

struct rma_slot *rma_cache_take(struct rma_cache *c, int step, const struct rma_address *tile, const struct rma_route *route)
{
    struct rma_step *open = &c->step[step % RMA_STEPS];
    if (c->free == NULL)
        c->free = atomic_exchange_explicit(&c->freed, NULL, memory_order_acquire);
    struct rma_slot *s = c->free;
    if (s == NULL || rma_table_insert(open->table, tile->space, tile->id, (int)(s - c->slot)) != 0)
        return NULL;
    c->free = s->next;
    open->held[open->held_count++] = s;
    char *in_place = rma_space_in_place(tile->space, tile->rank);
    s->data = in_place != NULL ? in_place + tile->disp : s->room;
    s->route = route != NULL ? *route : (struct rma_route){ .parent = tile->rank };
    int *child = c->child + (size_t)(s - c->slot) * c->most_children;
    for (int i = 0; i < s->route.children; i++)
        child[i] = route->child[i];
    s->route.child = child;
    s->copied = in_place == NULL && !s->route.in_parent;
    if (s->copied) {
        int in_use = atomic_fetch_add_explicit(&c->in_use, 1, memory_order_relaxed) + 1;
        if (in_use > c->peak)
            c->peak = in_use;
    }
    s->from = *tile;
    s->skipped = 0;
    s->size = RMA_ALL;
    atomic_store_explicit(&s->holds, 1, memory_order_relaxed);
    return s;
}

void rma_cache_end_step(struct rma_cache *c, int step)
{
    struct rma_step *open = &c->step[step % RMA_STEPS];
    rma_table_clear(open->table);
    while (open->held_count > 0)
        rma_slot_release(c, open->held[--open->held_count]);
}

/* ---- for any thread ----------------------------------------------------------------------------------------------------- */

void rma_slot_hold(struct rma_slot *slot)
{
    atomic_fetch_add_explicit(&slot->holds, 1, memory_order_relaxed);
}

void rma_slot_release(struct rma_cache *c, struct rma_slot *slot)
{
    if (atomic_fetch_sub_explicit(&slot->holds, 1, memory_order_acq_rel) > 1)
        return;
    if (slot->copied)
        atomic_fetch_sub_explicit(&c->in_use, 1, memory_order_relaxed);
    rma_push_slot(slot->route.in_parent ? &c->to_return : &c->freed, slot);
}

int rma_cache_in_use(const struct rma_cache *c)
{
    return atomic_load_explicit(&c->in_use, memory_order_relaxed);
}

int rma_cache_peak(const struct rma_cache *cache)
{
    return cache->peak;
}

/* ---- under the lock: reads, and forwarding down the tree ------------------------------------------------------------------- */

int rma_slot_read(struct rma *rma, struct rma_slot *s, MPI_Request *request)
{
    int n = (int)s->from.bytes;
    if (s->source < RMA_FIRST_SLOT)
        return rma_read(s->from.space, s->from.rank, s->from.disp, s->data, n, request);
    const struct rma_cache *c = rma->cache;
    MPI_Aint disp = (MPI_Aint)(s->source - RMA_FIRST_SLOT) * (MPI_Aint)c->slot_bytes;
    return rma_read(c->space, s->route.parent, disp, s->data, n, request);
}

static int first_of(int before, int code)
{
    return before != MPI_SUCCESS ? before : code;
}

static int acknowledge(const struct rma_cache *c, const struct rma_slot *s)
{
    return rma_acknowledge(c, s->route.parent, s->source - RMA_FIRST_SLOT);
}

/* Continues after an error, which the caller records, so that nobody waits. s->sent lives until all children have
   acknowledged it. */
int rma_slot_pass_on(struct rma *rma, struct rma_slot *s)
{
    struct rma_cache *c = rma->cache;
    int code = s->source >= RMA_FIRST_SLOT ? acknowledge(c, s) : MPI_SUCCESS;
    if (s->route.children == 0)
        return code;
    code = first_of(code, rma_space_sync(c->space));
    s->sent = (struct rma_word){ rma_flag_of(&s->from, (uint32_t)(s - c->slot) + RMA_FIRST_SLOT, s->size), s->sum };
    for (int i = 0; i < s->route.children; i++)
        code = first_of(code, rma_set_flag(s->from.space, s->route.child[i], s->from.id, &s->sent, true));
    rma_slot_hold(s);
    s->next_forwarded = c->forwarded;
    c->forwarded = s;
    return code;
}

bool rma_slots_collect(struct rma *rma)
{
    struct rma_cache *c = rma->cache;
    bool any = false;
    if (c == NULL || c->forwarded == NULL)
        return false;
    rma_space_sync(c->space);
    for (struct rma_slot **link = &c->forwarded; *link != NULL;) {
        struct rma_slot *s = *link;
        if (rma_acks(c, s) < (uint32_t)s->route.children) {
            link = &s->next_forwarded;
            continue;
        }
        for (int near = 0; near < 2; near++)
            atomic_store_explicit(&c->acks[rma_ack_of(s - c->slot, near)], 0, memory_order_relaxed);
        *link = s->next_forwarded;
        rma_slot_release(c, s);
        any = true;
    }
    return any;
}

void rma_slot_find_in_parent(const struct rma *rma, struct rma_slot *s)
{
    const struct rma_cache *c = rma->cache;
    s->parent_data = (char *)rma_space_in_place(c->space, s->route.parent) + (size_t)(s->source - RMA_FIRST_SLOT) * c->slot_bytes;
}

bool rma_slots_return(struct rma *rma)
{
    struct rma_cache *c = rma->cache;
    if (c == NULL || atomic_load_explicit(&c->to_return, memory_order_relaxed) == NULL)
        return false;
    struct rma_slot *s = atomic_exchange_explicit(&c->to_return, NULL, memory_order_acquire);
    while (s != NULL) {
        struct rma_slot *next = s->next;
        rma_note_error(rma, acknowledge(c, s));
        rma_push_slot(&c->freed, s);
        s = next;
    }
    return true;
}
