/* Access to a space: addresses, window syncs, and large pages. */
#include "rma/state.h"

#include <sys/mman.h>
#include <unistd.h>

void *rma_space_base(const struct rma_space *space)
{
    return space->board + space->first;
}

void *rma_space_in_place(const struct rma_space *space, int rank)
{
    return space == NULL || space->peer[rank].base == NULL ? NULL : space->peer[rank].base + space->first;
}

void *rma_space_memory(const struct rma_space *s, int rank, size_t *bytes)
{
    bool mine = rank == s->rma->rank;
    void *memory = mine ? rma_space_base(s) : rma_space_in_place(s, rank);
    *bytes = mine ? s->bytes : memory != NULL ? s->peer[rank].bytes - (size_t)s->first : 0;
    return memory;
}

int rma_space_sync(const struct rma_space *space)
{
    return space->window == MPI_WIN_NULL ? MPI_SUCCESS : MPI_Win_sync(space->window);
}

double rma_space_register_seconds(const struct rma_space *space)
{
    return space->register_s;
}

int rma_space_flush(const struct rma_space *space)
{
    return space->window == MPI_WIN_NULL ? MPI_SUCCESS : MPI_Win_flush_all(space->window);
}

void rma_space_repeats(struct rma_space *space, int tile_columns)
{
    space->tile_columns = tile_columns;
}

/* Ids count the tiles column by column. */
void rma_tile_place(const struct rma_address *tile, int *i, int *j)
{
    *i = (int)(tile->id % tile->space->tile_rows);
    *j = (int)(tile->id / tile->space->tile_rows % tile->space->tile_columns);
}

enum { HUGE_PAGE = 1 << 21 };

void rma_advise_huge(void *memory, size_t bytes)
{
    uintptr_t first = ((uintptr_t)memory + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE,
              end = ((uintptr_t)memory + bytes) / HUGE_PAGE * HUGE_PAGE;
    if (end > first)
        madvise((void *)first, end - first, MADV_HUGEPAGE);     /* a failure only costs speed */
}

void rma_advise_sparse(void *memory, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = ((uintptr_t)memory + page - 1) / page * page,
              end = ((uintptr_t)memory + bytes) / page * page;
    if (end > first)
        madvise((void *)first, end - first, MADV_NOHUGEPAGE);   /* a system that does not know large pages does not use them */
}
