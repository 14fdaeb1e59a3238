/* Creation of matrices: their window, and right-hand sides. */
#include "src/matrix/layers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int widest_panel(const ompfact_matrix *A)
{
    int widest = 0;
    for (int k = 0; k < steps_of(A); k++)
        widest = tiling_size(&A->cols, k) > widest ? tiling_size(&A->cols, k) : widest;
    return widest;
}

bool matrix_has_ipiv(ompfact_matrix *A)
{
    if (A->ipiv == NULL)
        A->ipiv = calloc((size_t)shorter_side(A) + 1, sizeof *A->ipiv);
    return A->ipiv != NULL;
}

void matrix_clear(ompfact_matrix *A)
{
    for (; A != NULL; A = A->leading) {
        memset((char *)rma_space_base(A->space) + A->first_byte, 0, matrix_own_bytes(A, A->me));
        matrix_touched(A);
    }
}

void matrix_pin(ompfact_matrix *A)
{
    for (; A != NULL; A = A->leading)
        if (A->pinned.count == 0)
            pinned_add_space(&A->pinned, A->grid->devices, A->space, A->grid->rma);
}

/* ---- the window --------------------------------------------------------------------------------------------------------- */

/* The time of the slowest rank. Collective. Not needed on one node. */
static ompfact_status time_window(ompfact_grid *grid, ompfact_matrix **matrices, int count)
{
    double seconds = rma_space_register_seconds(matrices[0]->space);
    if (rma_nodes(grid->rma)->count == 1)
        return OMPFACT_SUCCESS;
    TRY_MPI(grid, rma_allreduce(grid->rma, &seconds, 1, MPI_DOUBLE, MPI_MAX));
    for (int i = 0; i < count; i++)
        matrices[i]->register_s = seconds;
    return OMPFACT_SUCCESS;
}

/* Creates one window for several matrices on paper, which are consecutive in it. Collective; all matrices get it or none. */
static ompfact_status allocate(ompfact_grid *grid, ompfact_matrix **matrices, int count)
{
    size_t bytes = 0;
    int64_t tiles = 0;
    for (int i = 0; i < count; i++) {
        matrices[i]->grid = grid;
        grid_hold(grid);
        matrices[i]->first_byte = (MPI_Aint)bytes;
        matrices[i]->first_id = tiles;
        size_t mine = aligned(matrix_own_bytes(my_layer(matrices[i]), matrices[i]->me));
        /* The next matrix begins at the same offset on every rank. */
        int64_t most = (int64_t)mine;
        if (i + 1 < count)
            TRY_MPI(grid, rma_allreduce(grid->rma, &most, 1, MPI_INT64_T, MPI_MAX));
        bytes += (size_t)most;
        tiles += (int64_t)matrices[i]->mt * matrices[i]->nt * layers_count(matrices[i]);
    }
    bool sparse = matrices[0]->compressed != NULL;      /* tiles take memory when they are filled */
    TRY(memory_check(grid, (sparse ? 0 : (int64_t)bytes) + tiles * RMA_FLAG_BYTES, "the tiles"));
    struct rma_space *space;
    TRY_MPI(grid, (sparse ? rma_space_create_sparse : rma_space_create)(grid->rma, bytes, tiles,
                                                                        matrices[0]->mt > 0 ? matrices[0]->mt : 1, &space));
    for (int i = 0; i < count; i++) {
        matrices[i]->space = space;
        layers_settle(matrices[i]);
    }
    matrices[0]->owns_space = true;
    my_layer(matrices[0])->untouched = sparse ? 0 : (int64_t)bytes;
    grid->untouched += my_layer(matrices[0])->untouched;
    return time_window(grid, matrices, count);
}

/* For a matrix on paper. */
static ompfact_status add_sums(ompfact_grid *grid, ompfact_matrix *A)
{
    if (A->shape.accuracy > 0)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "abft is for dense tiles: a matrix with an accuracy cannot have it");
    if (!storage_add_sums(A))
        return fail(grid, OMPFACT_NO_MEMORY, "no memory for a matrix's addresses");
    return matrix_check_largest_tile(A, grid->message);
}

ompfact_status matrix_settle(ompfact_grid *grid, ompfact_status status, ompfact_matrix **A)
{
    if (status == OMPFACT_SUCCESS && grid->abft)
        status = add_sums(grid, *A);
    status = agree(grid, status);
    if (status == OMPFACT_SUCCESS)
        status = allocate(grid, A, 1);
    return matrix_only_after(status, A);
}

/* ---- right-hand sides --------------------------------------------------------------------------------------------------- */

/* A pattern of one column: tile row i belongs to the owner of A's diagonal tile (i,i); rows below the last diagonal tile belong
   to its owner. */
static struct pattern *diagonal_pattern(const ompfact_matrix *A)
{
    struct pattern *p = pattern_alloc(A->ranks, A->mt > 0 ? A->mt : 1, 1);
    if (p == NULL)
        return NULL;
    snprintf(p->name, sizeof p->name, "diagonal");
    for (int i = 0; i < p->rows; i++)
        p->cell[i] = A->nt == 0 ? 0 : layout_owner(A->layout, i, i < A->nt ? i : A->nt - 1);
    return p;
}

ompfact_status matrix_rhs_on_paper(const ompfact_matrix *A, int64_t nrhs, ompfact_matrix **B, char message[MESSAGE])
{
    struct pattern *diagonal = diagonal_pattern(A);
    CLEANUP(free_at) int *heights = tiling_sizes(&A->rows);
    *B = NULL;
    if (diagonal == NULL || heights == NULL) {
        pattern_destroy(&diagonal);
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for the layout of right-hand sides");
    }
    /* The width does not depend on A's largest tile, because right-hand sides of A, of A^H and of parts of A must have the same
       tile columns. */
    int64_t width = nrhs < A->shape.nb ? nrhs : A->shape.nb;
    ompfact_shape shape = { .m = A->shape.m, .n = nrhs, .nb = A->shape.nb, .type = A->shape.type, .row_heights = heights,
                            .mt = A->mt };
    TRY(matrix_on_paper(&shape, diagonal, A->me, B, message));
    struct pattern *columns = pattern_2dbc(1, A->ranks);
    if (columns == NULL)
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for the layout of right-hand sides");
    shape.n = width * A->ranks;
    shape.nb = width > 0 ? (int)width : 1;
    return matrix_on_paper(&shape, columns, A->me, &(*B)->work, message);
}

ompfact_status ompfact_matrix_create_rhs(ompfact_matrix *A, int64_t nrhs, ompfact_matrix **B)
{
    ompfact_grid *grid = A->grid;
    *B = NULL;
    TRY(check_alike(grid, (const char *const[]){ "number of right-hand sides" }, &nrhs, 1));
    if (nrhs < 0)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "right-hand sides have 0 or more columns");
    ompfact_status status = agree(grid, matrix_rhs_on_paper(A, nrhs, B, grid->message));
    if (status == OMPFACT_SUCCESS)
        status = allocate(grid, (ompfact_matrix *[]){ *B, (*B)->work }, 2);
    return matrix_only_after(status, B);
}
