/* Chooses the tile size of a shape without nb. */
#include "src/choose/choose.h"

#include "src/factor/pivot.h"
#include "src/machine/machine_known.h"

#include <stdlib.h>

struct tile_question shape_question(const ompfact_shape *s, ompfact_pivot pivot, int ranks, int threads, int ranks_on_node)
{
    bool triangle = stores_triangle(s), turned = shape_is_transposed(s);
    return (struct tile_question){ .cholesky = triangle, .qr = is_for_qr(s), .type = shape_type(s),
                                   .pivots = pivot_method(pivot, ranks) != OMPFACT_PIVOT_NONE,
                                   .m = turned ? s->n : shape_rows(s), .n = turned ? shape_rows(s) : s->n, .ranks = ranks,
                                   .threads = threads, .ranks_on_node = ranks_on_node };
}

/* If all sizes are given, only the tile columns of right-hand sides need nb. */
int shape_nb(const ompfact_shape *s)
{
    enum { OF_RHS = 256 };
    bool has_all_sizes = s->row_heights != NULL && (stores_triangle(s) || s->col_widths != NULL);
    return s->nb == 0 && has_all_sizes ? OF_RHS : s->nb;
}

ompfact_status shape_check_choice(const ompfact_shape *s, char message[MESSAGE])
{
    if (s->weights != NULL)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "weights belong to tiles: give their size by nb");
    if (precision_of(shape_type(s)) == NULL)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "a matrix's type is one of s, d, c, z");
    return OMPFACT_SUCCESS;
}

/* Chooses the best size for the first rank's node; devices and machines may differ elsewhere. The choice assumes all cores of
   this node, so it does not depend on the number of threads. */
ompfact_status ompfact_tile_size(ompfact_grid *grid, const ompfact_shape *shape, int *nb)
{
    struct machine_known *known;
    *nb = shape_nb(shape);
    if (*nb != 0)
        return OMPFACT_SUCCESS;
    TRY(agree(grid, shape_check_choice(shape, grid->message)));
    if (shape->accuracy > 0) {
        *nb = tile_size_compressed(shape->n, ompfact_ranks(grid));
        return OMPFACT_SUCCESS;
    }
    int on_node = ompfact_ranks_on_node(grid);
    struct tile_question q = shape_question(shape, grid->pivot, ompfact_ranks(grid), grid->cores, on_node);
    if (tile_size_is_open(&q)) {
        TRY(machine_with_rates(grid, q.type, &known));
        *nb = machine_tile_for_devices(&known->machine, &grid->device_use, q.ranks, q.m, q.n,
                                       tile_size_choose(&known->machine, &q));
    } else {
        *nb = tile_size_choose(NULL, &q);
    }
    TRY_MPI(grid, rma_bcast(grid->rma, nb, 1, MPI_INT, 0));
    return OMPFACT_SUCCESS;
}

ompfact_status shape_guess_nb(const ompfact_shape *shape, int ranks, int *nb, char message[MESSAGE])
{
    CLEANUP(free_at) struct machine_known *known = NULL;
    *nb = shape_nb(shape);
    if (*nb != 0)
        return OMPFACT_SUCCESS;
    TRY(shape_check_choice(shape, message));
    if (shape->accuracy > 0) {
        *nb = tile_size_compressed(shape->n, ranks);
        return OMPFACT_SUCCESS;
    }
    struct tile_question q = shape_question(shape, OMPFACT_PIVOT_AUTO, ranks, default_threads(1), 0);
    if (tile_size_is_open(&q) && (known = machine_know(blas_select_kernels())) == NULL)
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for the rates of a machine");
    *nb = tile_size_choose(known == NULL ? NULL : &known->machine, &q);
    return OMPFACT_SUCCESS;
}
