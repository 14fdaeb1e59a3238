/*
 * Spaces of tiles, each with a board of flags in front. One lock_all epoch lasts from creation to destruction.
 *
 * A space that is read in place is memory that the ranks of a node share (shared.c). On top of this memory is a window if ranks
 * of other nodes read it. Otherwise a space is a window of MPI's own memory, which MPI may also share between the ranks of a
 * node.
 *
 * Where messages serve other nodes, no window spans nodes: MPI makes no such window, or a window would take all memory of a
 * space of which little will be used.
 */
#include "rma/state.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool rma_copies(const struct rma *rma)
{
    return !rma->nodes.in_place || rma->ranks_on_node < rma->ranks;
}

enum { PAGE = 4096 };

/* Whole pages: MPICH 4.0.2 places the windows of the ranks of one node one behind another by their sizes. Odd sizes misalign
   the bases, and accumulates into such a window were lost. */
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

/* Errors of this rank's own window go to this library; error handlers of other windows stay as they are. */
static int open_window(struct rma_space *s, int made, double begun)
{
    int class = MPI_SUCCESS, *model, known;
    if (made == MPI_SUCCESS)
        made = MPI_Win_set_errhandler(s->window, MPI_ERRORS_RETURN);
    if (made == MPI_SUCCESS)
        /* NOCHECK: no exclusive lock is ever taken, and threaded MPICH has had lock_all bugs without it (pmodels/mpich#5971). */
        made = MPI_Win_lock_all(MPI_MODE_NOCHECK, s->window);
    if (made == MPI_SUCCESS)        /* ranks of a node store into each other's windows (MPI 4.0, section 12.4) */
        made = MPI_Win_get_attr(s->window, MPI_WIN_MODEL, &model, &known);
    if (made == MPI_SUCCESS && !(known && *model == MPI_WIN_UNIFIED))
        made = MPI_ERR_WIN;
    if (made != MPI_SUCCESS)
        MPI_Error_class(made, &class);
    s->register_s = MPI_Wtime() - begun;
    return worst_of(s->rma, class == MPI_SUCCESS || class == MPI_ERR_NO_MEM ? class : MPI_ERR_WIN);
}

/* Tiles begin at a cache line if the base of every rank is off by the same amount, because all ranks must know where another
   rank's tiles begin. */
static int align(struct rma_space *s)
{
    int missing = (int)(-((uintptr_t)s->board + (uintptr_t)s->first) % RMA_ALIGNMENT), least_most[2] = { -missing, missing };
    RMA_TRY(rma_allreduce(s->rma, least_most, 2, MPI_INT, MPI_MAX));
    if (-least_most[0] == least_most[1])
        s->first += missing;
    return MPI_SUCCESS;
}

static int allocate_window(struct rma_space *s, size_t bytes)
{
    MPI_Info info;
    double begun = MPI_Wtime();
    RMA_TRY(MPI_Info_create(&info));
    MPI_Info_set(info, "mpi_minimum_memory_alignment", "64");       /* MPI 4.0, section 12.2.3; else align() */
    MPI_Info_set(info, "same_disp_unit", "true");
    int code = MPI_Win_allocate((MPI_Aint)whole_pages(bytes + RMA_ALIGNMENT), 1, info,
                                s->by_messages ? s->rma->node : s->rma->comm, &s->board, &s->window);
    MPI_Info_free(&info);
    RMA_TRY(open_window(s, code, begun));
    return align(s);
}

static int map_memory(struct rma_space *s, size_t bytes, bool sparse)
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
    return MPI_SUCCESS;
}

static int create_window(struct rma_space *s, size_t bytes)
{
    double begun = MPI_Wtime();
    int made = MPI_Win_create(s->board, (MPI_Aint)bytes, 1, MPI_INFO_NULL, s->rma->comm, &s->window);
    int code = open_window(s, made, begun);
    if (made != MPI_SUCCESS)
        rma_unshare(s->peer, s->rma->ranks);
    return code;
}

/* In memory of our own the pages are advised before a window exists, because the window may take all of them. */
static int allocate(struct rma_space *s, size_t bytes, struct rma_use use)
{
    struct rma *rma = s->rma;
    void (*advise)(void *, size_t) = use.sparse ? rma_advise_sparse : rma_advise_huge;
    if (!rma->nodes.in_place) {
        RMA_TRY(allocate_window(s, bytes));
        advise(s->board + s->first, s->bytes);
        return MPI_SUCCESS;
    }
    RMA_TRY(map_memory(s, bytes, use.sparse));
    advise(s->board + s->first, s->bytes);
    return rma->nodes.count == 1 || s->by_messages || use.on_node ? MPI_SUCCESS : create_window(s, bytes);
}

int rma_space_create_for(struct rma *rma, size_t bytes, int64_t tiles, int tile_rows, struct rma_use use,
                         struct rma_space **space)
{
    *space = NULL;
    struct rma_space *s = malloc(sizeof *s);
    struct rma_mapping *peer = calloc((size_t)rma->ranks, sizeof *peer);
    int no_memory = s == NULL || peer == NULL;
    RMA_TRY(rma_allreduce(rma, &no_memory, 1, MPI_INT, MPI_MAX));
    if (no_memory) {
        free(s);
        free(peer);
        return MPI_ERR_NO_MEM;
    }
    bool by_messages = rma->messages != NULL && (rma->between == RMA_MESSAGES || use.sparse);
    *s = (struct rma_space){ .rma = rma, .window = MPI_WIN_NULL, .by_messages = by_messages, .bytes = bytes, .tiles = tiles,
                             .tile_rows = tile_rows, .tile_columns = INT_MAX, .sums = rma->sums, .peer = peer };
    size_t board = whole_pages(((size_t)tiles + 1) * rma_word_bytes(s));
    s->first = (MPI_Aint)board;
    int code = allocate(s, board + whole_pages(bytes), use);
    if (code != MPI_SUCCESS) {      /* a window that only some ranks have cannot be freed, and its memory neither */
        free(s);
        free(peer);
        return code;
    }
    *space = s;
    return MPI_SUCCESS;
}

int rma_space_create(struct rma *rma, size_t bytes, int64_t tiles, int tile_rows, struct rma_space **space)
{
    return rma_space_create_for(rma, bytes, tiles, tile_rows, (struct rma_use){ 0 }, space);
}

int rma_space_create_sparse(struct rma *rma, size_t bytes, int64_t tiles, int tile_rows, struct rma_space **space)
{
    return rma_space_create_for(rma, bytes, tiles, tile_rows, (struct rma_use){ .sparse = true }, space);
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
    free(s);
    *space = NULL;
}

/* ---- a run ---------------------------------------------------------------------------------------------------------------- */

int rma_error(const struct rma *rma)
{
    return atomic_load(&((struct rma *)rma)->error);
}

int rma_open(struct rma *rma, struct rma_space *const *spaces, const bool *settled, int count, struct rma_cache *cache)
{
    rma->opener = pthread_self();
    rma->needs_mpi = rma_copies(rma);
    rma->run++;
    for (int i = 0; i < count; i++) {
        spaces[i]->settled = settled[i];
        memset(spaces[i]->board, 0, (size_t)spaces[i]->tiles * rma_word_bytes(spaces[i]));
        RMA_TRY(rma_space_sync(spaces[i]));
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
