/*
 * The cache of remote tiles: a fixed number of slots, so that memory is bounded whatever the look-ahead.
 *
 * Why a full cache cannot deadlock, if it has at least as many slots as one step reads remote tiles. Order all tasks of all ranks
 * as the loops write them, and suppose nothing moves. Take the first unfinished task X, of step k on rank r. All tasks before X
 * are done, so X's inputs are published. If X was submitted, its fetches hold their slots and complete, as their owners poll; X
 * runs. If not, r's loop waits, at X or before it, for a slot while it submits step k or an earlier one. All submitted tasks are
 * done and have released; the slots still held are those of the step being submitted, which are fewer than the cache has: there
 * is a free one. Either way something moves.
 */
#include "rma/internal.h"

#include <stdlib.h>
#include <sys/mman.h>

struct rma_cache {
    int slots;
    atomic_int in_use;
    int peak;                           /* written by the submitting thread */
    struct rma_slot *slot;
    struct rma_slot **held;             /* slots taken in the step being submitted */
    int held_count;
    char *data;                         /* bytes of it, for all slots */
    size_t bytes;
    struct rma_table *table;            /* tile -> slot, of the step being submitted */
    struct rma_slot *free;              /* for the submitting thread */
    _Atomic(struct rma_slot *) freed;   /* pushed by any thread, taken all at once by the submitting one */
};

/* Straight from the system, and back to it: malloc keeps blocks of this size once it has seen one freed. */
static void *map_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

int rma_cache_create(int slots, size_t slot_bytes, struct rma_cache **cache)
{
    *cache = NULL;
    struct rma_cache *c = calloc(1, sizeof *c);
    if (c == NULL)
        return MPI_ERR_NO_MEM;
    slot_bytes = (slot_bytes + RMA_ALIGNMENT - 1) / RMA_ALIGNMENT * RMA_ALIGNMENT;
    c->slots = slots;
    c->table = rma_table_create(slots);
    c->bytes = (size_t)slots * slot_bytes;
    c->slot = calloc((size_t)slots + 1, sizeof *c->slot);
    c->held = calloc((size_t)slots + 1, sizeof *c->held);
    c->data = c->bytes > 0 ? map_memory(c->bytes) : NULL;
    if (c->table == NULL || c->slot == NULL || c->held == NULL || (c->bytes > 0 && c->data == NULL)) {
        rma_cache_destroy(&c);
        return MPI_ERR_NO_MEM;
    }
    for (int i = slots - 1; i >= 0; i--) {
        c->slot[i].data = c->data + (size_t)i * slot_bytes;
        c->slot[i].next = c->free;
        c->free = &c->slot[i];
    }
    *cache = c;
    return MPI_SUCCESS;
}

void rma_cache_destroy(struct rma_cache **cache)
{
    if (*cache == NULL)
        return;
    rma_table_destroy(&(*cache)->table);
    free((*cache)->slot);
    free((*cache)->held);
    if ((*cache)->data != NULL)
        munmap((*cache)->data, (*cache)->bytes);
    free(*cache);
    *cache = NULL;
}

struct rma_slot *rma_cache_find(struct rma_cache *c, const struct rma_address *tile)
{
    int i = rma_table_find(c->table, tile->space, tile->id);
    return i < 0 ? NULL : &c->slot[i];
}

struct rma_slot *rma_cache_take(struct rma_cache *c, const struct rma_address *tile)
{
    if (c->free == NULL)
        c->free = atomic_exchange_explicit(&c->freed, NULL, memory_order_acquire);
    struct rma_slot *s = c->free;
    if (s == NULL || rma_table_insert(c->table, tile->space, tile->id, (int)(s - c->slot)) != 0)
        return NULL;
    c->free = s->next;
    c->held[c->held_count++] = s;
    int in_use = atomic_fetch_add_explicit(&c->in_use, 1, memory_order_relaxed) + 1;
    if (in_use > c->peak)
        c->peak = in_use;
    s->from = *tile;
    atomic_store_explicit(&s->holds, 1, memory_order_relaxed);
    return s;
}

void rma_cache_forget(struct rma_cache *c)
{
    rma_table_clear(c->table);
    while (c->held_count > 0)
        rma_slot_release(c, c->held[--c->held_count]);
}

void rma_slot_hold(struct rma_slot *slot)
{
    atomic_fetch_add_explicit(&slot->holds, 1, memory_order_relaxed);
}

void rma_slot_release(struct rma_cache *c, struct rma_slot *slot)
{
    if (atomic_fetch_sub_explicit(&slot->holds, 1, memory_order_acq_rel) > 1)
        return;
    atomic_fetch_sub_explicit(&c->in_use, 1, memory_order_relaxed);
    slot->next = atomic_load_explicit(&c->freed, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&c->freed, &slot->next, slot, memory_order_release, memory_order_relaxed))
        ;
}

int rma_cache_peak(const struct rma_cache *cache)
{
    return cache->peak;
}
