/* The memory of a cache: its slots, in a space if other ranks read them. */
#include "rma/state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Memory from mmap: malloc keeps blocks of this size once it has seen one freed. */
static void *map_memory(size_t bytes, bool sparse)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    (sparse ? rma_advise_sparse : rma_advise_huge)(memory, bytes);
    return memory;
}

static void free_slots(struct rma_cache *c)
{
    for (int i = 0; i < RMA_STEPS; i++) {
        rma_table_destroy(&c->step[i].table);
        free(c->step[i].held);
    }
    free(c->slot);
    free(c->child);
}

/* The most children of a slot: heads in a tree (in a binomial tree as many as a rank has bits) and readers of this node. */
static int most_children(const struct rma *rma)
{
    enum { BITS = 31 };
    return BITS + rma->most_on_node - 1 < rma->ranks ? BITS + rma->most_on_node - 1 : rma->ranks;
}

static bool make_slots(struct rma_cache *c, bool forwards)
{
    bool made = true;
    c->most_children = forwards ? (size_t)most_children(c->rma) : 0;
    c->slot = calloc((size_t)c->slots + 1, sizeof *c->slot);
    c->child = calloc((size_t)c->slots * c->most_children + 1, sizeof *c->child);
    for (int i = 0; i < RMA_STEPS; i++) {
        c->step[i].table = rma_table_create(c->slots);
        c->step[i].held = calloc((size_t)c->slots + 1, sizeof *c->step[i].held);
        made &= c->step[i].table != NULL && c->step[i].held != NULL;
    }
    return made && c->slot != NULL && c->child != NULL;
}

/* Boards and slots have the same size on all ranks, so that a slot's number gives its place. Without trees only ranks of this
   node read them. */
static int make_space(struct rma_cache *c, bool sparse)
{
    int64_t most[2] = { (int64_t)c->slot_bytes, c->slots };
    RMA_TRY(rma_allreduce(c->rma, most, 2, MPI_INT64_T, MPI_MAX));
    c->slot_bytes = (size_t)most[0];
    c->bytes = (size_t)c->slots * c->slot_bytes;
    int64_t acks = rma_ack_of(most[1], false);
    struct rma_use use = { .sparse = sparse, .on_node = !rma_has_trees(&c->rma->nodes) };
    RMA_TRY(rma_space_create_for(c->rma, c->bytes, acks, 1, use, &c->space));
    c->acks = rma_board(c->space->board);
    c->data = rma_space_base(c->space);
    memset(c->acks, 0, (size_t)acks * sizeof *c->acks);
    return rma_barrier(c->rma);
}

static int make_memory(struct rma_cache *c, bool forwards, bool sparse)
{
    if (forwards)
        return make_space(c, sparse);
    c->data = c->bytes > 0 ? map_memory(c->bytes, sparse) : NULL;
    return c->data != NULL || c->bytes == 0 ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* All ranks come here, with or without memory, because they create the space together. */
static int worst_of(struct rma *rma, bool together, int code)
{
    if (together)
        RMA_TRY(rma_allreduce(rma, &code, 1, MPI_INT, MPI_MAX));
    return code;
}

int rma_cache_create(struct rma *rma, int slots, size_t slot_bytes, bool forwards, bool sparse, struct rma_cache **cache)
{
    *cache = NULL;
    struct rma_cache *c = calloc(1, sizeof *c);
    int code = worst_of(rma, forwards, c == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS);
    if (code != MPI_SUCCESS) {
        free(c);
        return code;
    }
    slot_bytes = (slot_bytes + RMA_ALIGNMENT - 1) / RMA_ALIGNMENT * RMA_ALIGNMENT;
    *c = (struct rma_cache){ .rma = rma, .slots = slots, .slot_bytes = slot_bytes, .bytes = (size_t)slots * slot_bytes };
    code = worst_of(rma, forwards, make_slots(c, forwards) ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    if (code == MPI_SUCCESS)
        code = make_memory(c, forwards, sparse);
    if (code != MPI_SUCCESS) {
        rma_cache_destroy(&c);
        return code;
    }
    for (int i = slots - 1; i >= 0; i--) {
        c->slot[i].room = c->data == NULL ? NULL : c->data + (size_t)i * c->slot_bytes;
        c->slot[i].next = c->free;
        c->free = &c->slot[i];
    }
    *cache = c;
    return MPI_SUCCESS;
}

void *rma_cache_memory(const struct rma_cache *cache, size_t *bytes)
{
    *bytes = cache->bytes;
    return cache->data;
}

const struct rma_space *rma_cache_space(const struct rma_cache *cache)
{
    return cache->space;
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
