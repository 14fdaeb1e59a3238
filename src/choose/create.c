/* Creates a matrix from its shape: first the tiles and the layout, then the matrix. */
#include "src/choose/choose.h"

#include "src/io/digest.h"
#include "src/machine/break_even.h"
#include "src/matrix/layers.h"

#include <string.h>

/* Checks the members of the shape that must agree on all ranks. */
static ompfact_status check_same_shape(ompfact_grid *grid, const ompfact_shape *s)
{
    static const char *const names[] = { "m", "n", "nb", "type", "structure", "full_storage", "purpose", "mt", "nt", "layout",
                                         "accuracy", "band", "max_rank", "cut", "copies", "tile_precision",
                                         "bf16_tiles" };
    int64_t accuracy, tile_precision, layout = shape_is_auto(s) ? 1 : shape_leaves_bounds(s) ? 2 : 0;
    memcpy(&accuracy, &s->accuracy, sizeof accuracy);
    memcpy(&tile_precision, &s->tile_precision, sizeof tile_precision);
    bool triangle = stores_triangle(s);
    int64_t values[] = { s->m == 0 ? shape_rows(s) : s->m, s->n, s->nb, shape_type(s), s->structure, s->full_storage,
                         s->purpose, s->row_heights != NULL ? s->mt : -1,
                         !triangle && s->col_widths != NULL ? s->nt : -1, layout, accuracy, s->band,
                         s->max_rank, s->cut, s->copies, tile_precision, s->bf16_tiles };
    return check_alike(grid, names, values, sizeof values / sizeof values[0]);
}

/* A negative count is refused later. */
static uint64_t digest_ints(uint64_t before, const int *values, int64_t count)
{
    return digest_of(before, values, count > 0 ? (size_t)count * sizeof *values : 0);
}

/* Checks what must also agree: the cells of a map, a callback or a file, and the lists of tile sizes. */
static ompfact_status check_same(ompfact_grid *grid, const ompfact_shape *s, const struct pattern *p)
{
    uint64_t digest = digest_ints(0, p->cell, (int64_t)p->rows * p->cols);
    digest = digest_ints(digest, (int[]){ p->rows, p->cols }, 2);
    digest = digest_ints(digest, s->row_heights, s->row_heights != NULL ? s->mt : 0);
    digest = digest_ints(digest, s->col_widths, !stores_triangle(s) && s->col_widths != NULL ? s->nt : 0);
    int64_t both[2] = { (int64_t)(digest >> 1), -(int64_t)(digest >> 1) };
    TRY_MPI(grid, rma_allreduce(grid->rma, both, 2, MPI_INT64_T, MPI_MAX));
    return both[0] == -both[1]
               ? OMPFACT_SUCCESS
               : fail(grid, OMPFACT_BAD_LAYOUT, "layout %s, or the sizes of tiles, are not the same on every rank", p->name);
}

ompfact_status shape_complete(ompfact_grid *grid, const ompfact_shape *shape, ompfact_shape *tiled)
{
    TRY(check_same_shape(grid, shape));
    *tiled = *shape;
    TRY(ompfact_tile_size(grid, shape, &tiled->nb));
    if (tiled->accuracy > 0 && tiled->max_rank == 0)
        TRY(break_even_rank(grid, shape_type(shape), tiled->nb, &tiled->max_rank));
    if (tiled->accuracy > 0 && tiled->max_rank == 0)
        tiled->max_rank = -1;
    return OMPFACT_SUCCESS;
}

/* `tiled` has all defaults but the layout; `shape` is the caller's shape. Collective. */
static ompfact_status create_tiled(ompfact_grid *grid, const ompfact_shape *shape, ompfact_shape tiled, ompfact_matrix **A)
{
    int64_t room = 0;
    char bounded[BOUNDED_LAYOUT];
    TRY(agree(grid, matrix_check_shape(&tiled, grid->message)));
    TRY(memory_check_all(grid, copies_of_shape(&tiled) * matrix_least_bytes(&tiled), "the matrix's elements"));
    TRY(shape_choose_bounds(grid, &tiled, bounded));
    if (copies_of_shape(&tiled) > 1 && (grid->abft || grid->any_devices))
        return fail(grid, OMPFACT_BAD_ARGUMENT, "copies of a matrix are for grids without abft and devices");
    if (tiled.tile_precision > 0 && grid->rounds_single)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "tiles of mixed precision need products in single precision, and the grid's "
                    "devices emulate these with fewer bits");
    if (tiled.bf16_tiles && grid->abft && grid->any_devices)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "tiles in bfloat16 are for grids without abft, or without devices");
    bool in_proportion = shape->accuracy > 0 && shape->max_rank == 0;
    const struct rma_nodes *nodes = rma_nodes(grid->rma);
    tiled.node_of = nodes->in_place ? nodes->node_of : NULL;
    tiled.nodes = nodes->count;
    if (shape_is_auto(shape))
        TRY(memory_share(grid, &room));
    ompfact_status status = shape_on_paper(&tiled, rma_ranks(grid->rma), room, rma_rank(grid->rma), A, grid->message);
    status = agree(grid, status);
    if (status == OMPFACT_SUCCESS)
        status = check_same(grid, shape, (*A)->pattern);
    TRY(matrix_settle(grid, status, A));
    if (in_proportion)              /* tiles at the edges may be smaller, and given sizes may be any */
        (*A)->compressed->how.order = tiled.nb;
    (*A)->room = room;
    (*A)->shape.speeds = NULL;      /* the caller owns these arrays only during this call */
    (*A)->shape.node_of = NULL;
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_matrix_create(ompfact_grid *grid, const ompfact_shape *shape, ompfact_matrix **A)
{
    ompfact_shape tiled;
    CLEANUP(cut_sizes_forget) struct cut_sizes own = { NULL, NULL };
    *A = NULL;
    TRY(shape_complete(grid, shape, &tiled));
    TRY(agree(grid, shape_cut(&tiled, &own, grid->message)));
    return create_tiled(grid, shape, tiled, A);
}
