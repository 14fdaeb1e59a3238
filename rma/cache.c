/*
 * The cache of remote tiles: a fixed number of slots, so that memory is bounded whatever the look-ahead.
 *
 * Why a full cache cannot deadlock, if it has at least as many slots as the steps that are open at one time read remote tiles. Order
 * all tasks of all ranks as the loops write them, and suppose nothing moves. Take the first unfinished task X, of step k on rank r. All
 * tasks before X are done, so X's inputs are published. If X was submitted, its fetches hold their slots and complete, as their
 * owners poll; X runs. If not, r's loop waits, at X or before it, for a slot while it submits. All submitted tasks are done and have
 * released; the slots still held are those of the steps that are open, which are fewer than the cache has: there is a free one.
 * Either way something moves. (Slots that others read, too: see tree.c.)
 */
#include "rma/state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { OPEN_STEPS = 2 };

/* What the submitting thread holds for one step: its table, tile -> slot, and the slots taken. */
struct open_step {
    struct rma_table *table;
    struct rma_slot **held;
    int held_count;
};

struct rma_cache {
    struct rma *rma;
    int slots;
    atomic_int in_use;                  /* copies */
    int peak;                           /* written by the submitting thread */
    struct rma_slot *slot;
    struct open_step step[OPEN_STEPS];
    char *data;                         /* bytes of it, for all slots */
    size_t bytes, slot_bytes;
    struct rma_slot *free;              /* for the submitting thread */
    _Atomic(struct rma_slot *) freed;   /* pushed by any thread, taken all at once by the submitting one */
    /* where it forwards: */
    struct rma_space *space;            /* the data, and a board of acks; NULL where it does not */
    rma_flag *acks;                     /* [slot]: children that have read it */
    struct rma_slot *lent;              /* slots whose children read them; under the lock */
};

/* Straight from the system, and back to it: malloc keeps blocks of this size once it has seen one freed. */
static void *map_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    rma_advise_huge(memory, bytes);
    return memory;
}

static void free_slots(struct rma_cache *c)
{
    for (int i = 0; i < OPEN_STEPS; i++) {
        rma_table_destroy(&c->step[i].table);
        free(c->step[i].held);
    }
    free(c->slot);
}

static bool make_slots(struct rma_cache *c)
{
    bool made = true;
    c->slot = calloc((size_t)c->slots + 1, sizeof *c->slot);
    for (int i = 0; i < OPEN_STEPS; i++) {
        c->step[i].table = rma_table_create(c->slots);
        c->step[i].held = calloc((size_t)c->slots + 1, sizeof *c->step[i].held);
        made &= c->step[i].table != NULL && c->step[i].held != NULL;
    }
    return made && c->slot != NULL;
}

/* The others' boards and slots are as large, so that a slot's number gives its place. */
static int make_space(struct rma_cache *c)
{
    int64_t most[2] = { (int64_t)c->slot_bytes, c->slots };
    RMA_TRY(rma_allreduce(c->rma, most, 2, MPI_INT64_T, MPI_MAX));
    c->slot_bytes = (size_t)most[0];
    c->bytes = (size_t)c->slots * c->slot_bytes;
    RMA_TRY(rma_space_create(c->rma, c->bytes, most[1], 1, &c->space));
    c->acks = rma_board(c->space->board);
    c->data = rma_space_base(c->space);
    memset(c->acks, 0, (size_t)most[1] * sizeof *c->acks);
    return rma_barrier(c->rma);
}

static int make_memory(struct rma_cache *c, bool forwards)
{
    if (forwards)
        return make_space(c);
    c->data = c->bytes > 0 ? map_memory(c->bytes) : NULL;
    return c->data != NULL || c->bytes == 0 ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* All ranks come here, with or without memory, where the memory is to be a window. */
static int agree(struct rma *rma, bool forwards, int code)
{
    if (forwards)
        RMA_TRY(rma_allreduce(rma, &code, 1, MPI_INT, MPI_MAX));
    return code;
}

int rma_cache_create(struct rma *rma, int slots, size_t slot_bytes, bool forwards, struct rma_cache **cache)
{
    *cache = NULL;
    struct rma_cache *c = calloc(1, sizeof *c);
    int code = agree(rma, forwards, c == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS);
    if (code != MPI_SUCCESS) {
        free(c);
        return code;
    }
    slot_bytes = (slot_bytes + RMA_ALIGNMENT - 1) / RMA_ALIGNMENT * RMA_ALIGNMENT;
    *c = (struct rma_cache){ .rma = rma, .slots = slots, .slot_bytes = slot_bytes, .bytes = (size_t)slots * slot_bytes };
    code = agree(rma, forwards, make_slots(c) ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    if (code == MPI_SUCCESS)
        code = make_memory(c, forwards);
    if (code != MPI_SUCCESS) {
        rma_cache_destroy(&c);
        return code;
    }
    for (int i = slots - 1; i >= 0; i--) {
        c->slot[i].room = c->data == NULL ? NULL : c->data + (size_t)i * c->slot_bytes;
        c->slot[i].told.flag = (uint32_t)(i + RMA_FIRST_SLOT);
        c->slot[i].next = c->free;
        c->free = &c->slot[i];
    }
    *cache = c;
    return MPI_SUCCESS;
}

void rma_cache_destroy(struct rma_cache **cache)
{
    struct rma_cache *c = *cache;
    if (c == NULL)
        return;
    free_slots(c);
    if (c->space == NULL && c->data != NULL)
        munmap(c->data, c->bytes);
    rma_space_destroy(&c->space);
    free(c);
    *cache = NULL;
}

/* ---- for the submitting thread ---------------------------------------------------------------------------------------------------- */

struct rma_slot *rma_cache_find(struct rma_cache *c, int step, const struct rma_address *tile)
{
    int i = rma_table_find(c->step[step % OPEN_STEPS].table, tile->space, tile->id);
    return i < 0 ? NULL : &c->slot[i];
}

struct rma_slot *rma_cache_take(struct rma_cache *c, int step, const struct rma_address *tile)
{
    struct open_step *open = &c->step[step % OPEN_STEPS];
    if (c->free == NULL)
        c->free = atomic_exchange_explicit(&c->freed, NULL, memory_order_acquire);
    struct rma_slot *s = c->free;
    if (s == NULL || rma_table_insert(open->table, tile->space, tile->id, (int)(s - c->slot)) != 0)
        return NULL;
    c->free = s->next;
    open->held[open->held_count++] = s;
    char *in_place = rma_space_in_place(tile->space, tile->rank);
    s->data = in_place != NULL ? in_place + tile->disp : s->room;
    s->copied = in_place == NULL;
    if (s->copied) {
        int in_use = atomic_fetch_add_explicit(&c->in_use, 1, memory_order_relaxed) + 1;
        if (in_use > c->peak)
            c->peak = in_use;
    }
    s->from = *tile;
    s->parent = tile->rank;
    s->skipped = 0;
    s->children = 0;
    atomic_flag_clear_explicit(&s->used, memory_order_relaxed);
    atomic_store_explicit(&s->holds, 1, memory_order_relaxed);
    return s;
}

void rma_cache_forget(struct rma_cache *c, int step)
{
    struct open_step *open = &c->step[step % OPEN_STEPS];
    rma_table_clear(open->table);
    while (open->held_count > 0)
        rma_slot_release(c, open->held[--open->held_count]);
}

/* ---- for any thread ---------------------------------------------------------------------------------------------------------------- */

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
    slot->next = atomic_load_explicit(&c->freed, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&c->freed, &slot->next, slot, memory_order_release, memory_order_relaxed))
        ;
}

int rma_cache_peak(const struct rma_cache *cache)
{
    return cache->peak;
}

/* ---- under the lock: reads, and what goes on down the tree --------------------------------------------------------------------------- */

int rma_slot_read(struct rma *rma, struct rma_slot *s, MPI_Request *request)
{
    int n = (int)s->from.bytes;
    if (s->source >= RMA_FIRST_SLOT) {
        const struct rma_cache *c = rma->cache;
        MPI_Aint disp = (MPI_Aint)(s->source - RMA_FIRST_SLOT) * (MPI_Aint)c->slot_bytes;
        return rma_space_get(c->space, s->parent, disp, s->data, n, request);
    }
    return rma_space_get(s->from.space, s->from.rank, s->from.disp, s->data, n, request);
}

static int first_of(int before, int code)
{
    return before != MPI_SUCCESS ? before : code;
}

/* Goes on after an error, which the caller notes, so that nobody waits. */
int rma_slot_pass_on(struct rma *rma, struct rma_slot *s)
{
    static const uint32_t ONE = 1;      /* an accumulate's origin must live until it is flushed; s->told does: its children acknowledge it */
    struct rma_cache *c = rma->cache;
    int code = MPI_SUCCESS;
    if (s->source >= RMA_FIRST_SLOT)
        code = MPI_Accumulate(&ONE, 1, MPI_UINT32_T, s->parent, (MPI_Aint)((s->source - RMA_FIRST_SLOT) * sizeof *c->acks), 1, MPI_UINT32_T,
                              MPI_SUM, c->space->window);
    if (s->children == 0)
        return code;
    code = first_of(code, rma_space_sync(c->space));
    s->told.sum = s->sum;
    for (int i = 0; i < s->children; i++)
        code = first_of(code, rma_word_send(s->from.space, s->child[i], s->from.id, &s->told));
    rma_slot_hold(s);
    s->lender = c->lent;
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
        rma_flag *acks = &c->acks[s - c->slot];
        if (atomic_load_explicit(acks, memory_order_acquire) < (uint32_t)s->children) {
            link = &s->lender;
            continue;
        }
        atomic_store_explicit(acks, 0, memory_order_relaxed);
        *link = s->lender;
        rma_slot_release(c, s);
        any = true;
    }
    return any;
}

int rma_cache_flush(struct rma_cache *cache)
{
    return cache == NULL ? MPI_SUCCESS : MPI_Win_flush_all(cache->space->window);
}
