/*
 * The cache of remote tiles: a fixed number of slots, so that memory is bounded whatever the look-ahead.
 *
 * Why a full cache cannot deadlock, if it has at least as many slots as the steps that are open at one time read remote tiles.
 * Order all tasks of all ranks as the loops write them, and suppose nothing moves. Take the first unfinished task X, of step k on
 * rank r. All tasks before X are done, so X's inputs are published. If X was submitted, its fetches hold their slots and
 * complete, as their owners poll; X runs. If not, r's loop waits, at X or before it, for a slot while it submits. All submitted
 * tasks are done and have released; the slots still held are those of the steps that are open, which are fewer than the cache
 * has: there is a free one. Either way something moves. (Slots that others read, too: see routes.c.)
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

struct rma_slot *rma_cache_take(struct rma_cache *c, int step, const struct rma_address *tile, const struct rma_way *way)
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
    s->way = way != NULL ? *way : (struct rma_way){ .parent = tile->rank };
    int *child = c->child + (size_t)(s - c->slot) * c->most_children;
    for (int i = 0; i < s->way.children; i++)
        child[i] = way->child[i];
    s->way.child = child;
    s->copied = in_place == NULL && !s->way.borrowed;
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

void rma_cache_forget(struct rma_cache *c, int step)
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
    rma_push_slot(slot->way.borrowed ? &c->to_return : &c->freed, slot);
}

int rma_cache_in_use(const struct rma_cache *c)
{
    return atomic_load_explicit(&c->in_use, memory_order_relaxed);
}

int rma_cache_peak(const struct rma_cache *cache)
{
    return cache->peak;
}

/* ---- under the lock: reads, and what goes on down the tree -------------------------------------------------------------- */

int rma_slot_read(struct rma *rma, struct rma_slot *s, MPI_Request *request)
{
    int n = (int)s->from.bytes;
    if (s->source < RMA_FIRST_SLOT)
        return rma_read(s->from.space, s->from.rank, s->from.disp, s->data, n, request);
    const struct rma_cache *c = rma->cache;
    MPI_Aint disp = (MPI_Aint)(s->source - RMA_FIRST_SLOT) * (MPI_Aint)c->slot_bytes;
    return rma_read(c->space, s->way.parent, disp, s->data, n, request);
}

static int first_of(int before, int code)
{
    return before != MPI_SUCCESS ? before : code;
}

static int acknowledge(const struct rma_cache *c, const struct rma_slot *s)
{
    return rma_acknowledge(c, s->way.parent, s->source - RMA_FIRST_SLOT);
}

/* Goes on after an error, which the caller notes, so that nobody waits. s->told lives until all children have acknowledged it. */
int rma_slot_pass_on(struct rma *rma, struct rma_slot *s)
{
    struct rma_cache *c = rma->cache;
    int code = s->source >= RMA_FIRST_SLOT ? acknowledge(c, s) : MPI_SUCCESS;
    if (s->way.children == 0)
        return code;
    code = first_of(code, rma_space_sync(c->space));
    s->told = (struct rma_word){ rma_flag_of(&s->from, (uint32_t)(s - c->slot) + RMA_FIRST_SLOT, s->size), s->sum };
    for (int i = 0; i < s->way.children; i++)
        code = first_of(code, rma_tell(s->from.space, s->way.child[i], s->from.id, &s->told, true));
    rma_slot_hold(s);
    s->next_lent = c->lent;
    c->lent = s;
    return code;
}

bool rma_slots_collect(struct rma *rma)
{
    struct rma_cache *c = rma->cache;
    bool any = false;
    if (c == NULL || c->lent == NULL)
        return false;
    rma_space_sync(c->space);
    for (struct rma_slot **link = &c->lent; *link != NULL;) {
        struct rma_slot *s = *link;
        if (rma_acks(c, s) < (uint32_t)s->way.children) {
            link = &s->next_lent;
            continue;
        }
        for (int near = 0; near < 2; near++)
            atomic_store_explicit(&c->acks[rma_ack_of(s - c->slot, near)], 0, memory_order_relaxed);
        *link = s->next_lent;
        rma_slot_release(c, s);
        any = true;
    }
    return any;
}

void rma_slot_find_borrowed(const struct rma *rma, struct rma_slot *s)
{
    const struct rma_cache *c = rma->cache;
    s->borrowed = (char *)rma_space_in_place(c->space, s->way.parent) + (size_t)(s->source - RMA_FIRST_SLOT) * c->slot_bytes;
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
