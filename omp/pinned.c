#include "omp/pinned.h"

#include <stdlib.h>

static bool make_room(struct pinned *p)
{
    if (p->count < p->room)
        return true;
    int room = 2 * p->room + 8;
    void **larger = realloc(p->memory, (size_t)room * sizeof *larger);
    if (larger == NULL)
        return false;
    p->memory = larger;
    p->room = room;
    return true;
}

void pinned_add(struct pinned *p, struct devices *devices, void *memory, size_t bytes, bool to_read)
{
    if (memory != NULL && bytes > 0 && make_room(p) && devices->pin(devices, memory, bytes, to_read))
        p->memory[p->count++] = memory;
}

void pinned_add_space(struct pinned *p, struct devices *devices, const struct rma_space *space, const struct rma *rma)
{
    for (int rank = 0; rank < rma_ranks(rma); rank++) {
        size_t bytes;
        void *memory = rma_space_memory(space, rank, &bytes);
        pinned_add(p, devices, memory, bytes, rank != rma_rank(rma));
    }
}

void pinned_release(struct pinned *p, struct devices *devices)
{
    for (int i = 0; i < p->count; i++)
        devices->unpin(devices, p->memory[i]);
    free(p->memory);
    *p = (struct pinned){ 0 };
}
