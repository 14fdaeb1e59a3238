/*
 * Windows of tiles with their boards of flags, the board first. One lock_all epoch from creation to destruction.
 *
 * A space that is read in place is memory that the ranks of a node share (shared.c), and on top of it, where there are ranks on
 * other nodes, a window for these. Else it is a window of MPI's own memory, which MPI may share between the ranks of a node, too.
 */
#include "rma/state.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* Whole pages: MPICH 4.0.2 lays the windows of one node's ranks behind one another by their sizes, so that odd sizes misalign the
   bases, and accumulates into such a window were lost. */
static size_t whole_pages(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

static int worst_of(struct rma *rma, int code)
{
    int worst = code;
    RMA_TRY(rma_allreduce(rma, &worst, 1, MPI_INT, MPI_MAX));
    return worst;
}

static int open_window(MPI_Win window)
{
    RMA_TRY(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN));
    /* NOCHECK: no exclusive lock is ever taken, and threaded MPICH has had lock_all bugs without it (pmodels/mpich#5971). */
    return MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
}

static int allocate_window(struct rma_space *s, size_t bytes)
{
    MPI_Info info;
    RMA_TRY(MPI_Info_create(&info));
    MPI_Info_set(info, "mpi_minimum_memory_alignment", "64");       /* MPI 4.0, section 12.2.3; others ignore it */
    MPI_Info_set(info, "same_disp_unit", "true");
    int code = MPI_Win_allocate((MPI_Aint)bytes, 1, info, s->rma->comm, &s->board, &s->window);
    MPI_Info_free(&info);
    if (code == MPI_SUCCESS)
        code = open_window(s->window);
    return worst_of(s->rma, code);
}

static int allocate_shared(struct rma_space *s, size_t bytes, bool sparse)
{
    struct rma *rma = s->rma;
    int file, shared = worst_of(rma, rma_share(rma, bytes, sparse, s->peer, &file));
    if (file >= 0)
        close(file);
    if (shared != MPI_SUCCESS) {
        rma_unshare(s->peer, rma->ranks);
        return shared;
    }
    s->board = s->peer[rma->rank].base;
    if (rma->ranks_on_node == rma->ranks)
        return MPI_SUCCESS;
    int code = MPI_Win_create(s->board, (MPI_Aint)bytes, 1, MPI_INFO_NULL, rma->comm, &s->window);
    if (code == MPI_SUCCESS)
        code = open_window(s->window);
    return worst_of(rma, code);
}

static int create(struct rma *rma, size_t bytes, int64_t tiles, int tile_rows, bool sparse, struct rma_space **space)
{
    *space = NULL;
    struct rma_space *s = malloc(sizeof *s);
    struct rma_mapping *peer = calloc((size_t)rma->ranks, sizeof *peer);
    struct rma_holding *holding = rma->wire == NULL ? NULL : calloc((size_t)tiles + 1, sizeof *holding);
    int no_memory = s == NULL || peer == NULL || (rma->wire != NULL && holding == NULL);
    RMA_TRY(rma_allreduce(rma, &no_memory, 1, MPI_INT, MPI_MAX));
    if (no_memory) {
        free(s);
        free(peer);
        free(holding);
        return MPI_ERR_NO_MEM;
    }
    *s = (struct rma_space){
        .rma = rma, .window = MPI_WIN_NULL, .tiles = tiles, .tile_rows = tile_rows, .sums = rma->sums, .peer = peer,
        .holding = holding
    };
    size_t board = whole_pages(((size_t)tiles + 1) * rma_word_bytes(s)), all = board + whole_pages(bytes);
    s->first = (MPI_Aint)board;
    s->bytes = bytes;
    int code = rma->nodes.in_place ? allocate_shared(s, all, sparse) : allocate_window(s, all);
    if (code != MPI_SUCCESS) {      /* a window that only some ranks have cannot be freed, nor its memory */
        free(s);
        free(peer);
        free(holding);
        return code;
    }
    (sparse ? rma_advise_sparse : rma_advise_huge)(s->board + s->first, bytes);
    *space = s;
    return MPI_SUCCESS;
}

int rma_space_create(struct rma *rma, size_t bytes, int64_t tiles, int tile_rows, struct rma_space **space)
{
    return create(rma, bytes, tiles, tile_rows, false, space);
}

int rma_space_create_sparse(struct rma *rma, size_t bytes, int64_t tiles, int tile_rows, struct rma_space **space)
{
    return create(rma, bytes, tiles, tile_rows, true, space);
}

void rma_space_destroy(struct rma_space **space)
{
    if (*space == NULL)
        return;
    struct rma_space *s = *space;
    rma_barrier(s->rma);
    if (s->window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(s->window);
        MPI_Win_free(&s->window);
    }
    rma_unshare(s->peer, s->rma->ranks);
    free(s->peer);
    free(s->holding);
    free(s);
    *space = NULL;
}

/* ---- a run ---------------------------------------------------------------------------------------------------------------- */

int rma_open(struct rma *rma, struct rma_space **spaces, const bool *settled, int count, struct rma_cache *cache)
{
    rma->opener = pthread_self();
    rma->needs_mpi = cache != NULL;
    for (int i = 0; i < count; i++) {
        spaces[i]->settled = settled[i];
        memset(spaces[i]->board, 0, (size_t)spaces[i]->tiles * rma_word_bytes(spaces[i]));
        if (spaces[i]->holding != NULL)
            memset(spaces[i]->holding, 0, (size_t)spaces[i]->tiles * sizeof *spaces[i]->holding);
        RMA_TRY(rma_space_sync(spaces[i]));
        rma->needs_mpi = rma->needs_mpi || spaces[i]->window != MPI_WIN_NULL;
    }
    rma->cache = cache;
    rma->spaces = spaces;
    rma->space_count = count;
    rma->counters = (struct rma_counters){ 0 };
    rma->closing = MPI_REQUEST_NULL;
    rma->closing_started = rma->closed = false;
    atomic_store(&rma->error, MPI_SUCCESS);
    rma_watch_reset(rma);
    rma_shares_reset(rma);
    return rma_barrier(rma);
}
