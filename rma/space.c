/* Windows of tiles with their boards of flags: one window for each space, the board first. One lock_all epoch from creation to
   destruction. */
#include "rma/internal.h"

#include <stdlib.h>
#include <string.h>

/* Whole pages: MPICH 4.0.2 lays the windows of one node's ranks behind one another by their sizes, so that odd sizes misalign the
   bases, and accumulates into such a window were lost. */
static size_t whole_pages(size_t bytes)
{
    enum { PAGE = 4096 };
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

static int allocate_window(struct rma_space *space, size_t bytes, unsigned char **base)
{
    MPI_Info info;
    RMA_TRY(MPI_Info_create(&info));
    MPI_Info_set(info, "mpi_minimum_memory_alignment", "64");       /* MPI 4.0, section 12.2.3; others ignore it */
    MPI_Info_set(info, "same_disp_unit", "true");
    int code = MPI_Win_allocate((MPI_Aint)bytes, 1, info, space->rma->comm, base, &space->window);
    MPI_Info_free(&info);
    RMA_TRY(code);
    RMA_TRY(MPI_Win_set_errhandler(space->window, MPI_ERRORS_RETURN));
    /* NOCHECK: no exclusive lock is ever taken, and threaded MPICH has had lock_all bugs without it (pmodels/mpich#5971). */
    return MPI_Win_lock_all(MPI_MODE_NOCHECK, space->window);
}

int rma_space_create(struct rma *rma, size_t bytes, int64_t tiles, int tile_rows, struct rma_space **space)
{
    *space = NULL;
    struct rma_space *s = malloc(sizeof *s);
    int no_memory = s == NULL;
    RMA_TRY(rma_allreduce(rma, &no_memory, 1, MPI_INT, MPI_MAX));
    if (no_memory) {
        free(s);
        return MPI_ERR_NO_MEM;
    }
    size_t board = whole_pages((size_t)tiles + 1);
    *s = (struct rma_space){ .rma = rma, .window = MPI_WIN_NULL, .tiles = tiles, .tile_rows = tile_rows, .first = (MPI_Aint)board };
    int code = allocate_window(s, board + whole_pages(bytes), &s->board), worst = code;
    RMA_TRY(rma_allreduce(rma, &worst, 1, MPI_INT, MPI_MAX));
    if (worst != MPI_SUCCESS) {
        free(s);
        return worst;       /* a window that only some ranks have cannot be freed */
    }
    memset(s->board, 0, (size_t)tiles);
    *space = s;
    return MPI_SUCCESS;
}

void rma_space_destroy(struct rma_space **space)
{
    if (*space == NULL)
        return;
    /* MPI_Win_free spins where ranks outnumber cores; meeting first keeps that short. */
    rma_barrier((*space)->rma);
    MPI_Win_unlock_all((*space)->window);
    MPI_Win_free(&(*space)->window);
    free(*space);
    *space = NULL;
}

void *rma_space_base(const struct rma_space *space)
{
    return space->board + space->first;
}
