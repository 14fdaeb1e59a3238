/* Fills matrices whose tiles have forms. Each tile is computed twice, first for its norm, then to be stored. */
#include "src/matrix/compressed.h"
#include "omp/kernels/rounding.h"
#include "omp/kernels/tile_sums.h"
#include "omp/kernels/truncation.h"
#include "omp/kernels/workspace.h"
#include "src/matrix/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bounds for norms whose squares, and squares of errors, neither overflow nor underflow. */
static const double NORM_MIN = 1e-100, NORM_MAX = 1e140;

/* The measures of a tile: its sum of squares counts twice if the tile represents two. */
struct measure {
    double squares, largest;
};

/* The tiles of this rank that are used, and the results of threads. */
struct filling {
    ompfact_matrix *A;
    ompfact_tile *tiles;
    int64_t count;
    void (*fill)(void *context, const ompfact_tile *tile);
    void *context;
    struct measure *measure;    /* [tile]; for a tile that is not finite no squares, and a NaN */
    _Atomic int64_t not_finite;
    atomic_bool no_memory;
};

/* Fills tile q in workspace of the thread, with so many bytes more behind it. NULL: no memory. */
static char *make(struct filling *f, int64_t q, size_t more, ompfact_tile *made)
{
    *made = f->tiles[q];
    made->data = workspace_take((size_t)made->mb * (size_t)made->nb * f->A->precision->size + more);
    if (made->data != NULL)
        f->fill(f->context, made);
    else
        atomic_store(&f->no_memory, true);
    return made->data;
}

static bool note_not_finite(struct filling *f, const ompfact_tile *t)
{
    int64_t found = not_finite_in(f->A, t), first = atomic_load(&f->not_finite);
    while (found < first && !atomic_compare_exchange_weak(&f->not_finite, &first, found))
        ;
    return found < INT64_MAX;
}

static void measure_tile(void *context, int64_t q)
{
    struct filling *f = context;
    const struct precision *p = f->A->precision;
    ompfact_tile t;
    if (make(f, q, 0, &t) == NULL)
        return;
    enum uplo part = part_used(f->A, t.i, t.j);
    if (note_not_finite(f, &t)) {
        f->measure[q].largest = NAN;
    } else {
        double norm = frobenius_norm(p, part, t.mb, t.nb, t.data, t.ld);
        f->measure[q] = (struct measure){ norm * norm * (stores_triangle(&f->A->shape) && t.i != t.j ? 2 : 1),
                                          p->host->largest(part, t.mb, t.nb, t.data, t.ld) };
    }
    workspace_give(t.data);
}

/* Marks the tile as lost, for lack of memory. */
static void lose(struct filling *f, int64_t q)
{
    struct tile_form *form = compressed_form_at(f->A, f->tiles[q].i, f->tiles[q].j);
    form->rank = f->A->shape.accuracy > 0 ? 0 : TILE_DENSE;
    note_lost_tile(&f->A->compressed->how, f->tiles[q].i, f->tiles[q].j);
    atomic_store(&f->no_memory, true);
}

/* The precision that the rule gives to tile q. */
static enum tile_precision by_rule(const struct filling *f, int64_t q)
{
    const ompfact_matrix *A = f->A;
    const ompfact_tile *t = &f->tiles[q];
    double squares = f->measure[q].squares / (stores_triangle(&A->shape) ? 2 : 1);
    return isnan(f->measure[q].largest) ? IN_DOUBLE : precision_by_rule(A, t->i, t->j, sqrt(squares));
}

/* Stores the tile rounded in its place, unless the result is IN_DOUBLE. For a dense tile the rule suffices (doc/accuracy.md). */
static enum tile_precision keep_rounded(const struct filling *f, int64_t q, int rank, const char *made)
{
    const ompfact_matrix *A = f->A;
    const ompfact_tile *t = &f->tiles[q];
    enum tile_precision precision = by_rule(f, q);
    if (rank >= 0 && precision != IN_DOUBLE) {
        double change = columns_to_single(A->precision, t->mb, t->nb, rank, made, t->data);
        return change <= A->compressed->how.rounding ? IN_SINGLE : IN_DOUBLE;
    }
    if (precision != IN_DOUBLE)
        tile_in_precision(false, t->mb, t->nb, A->precision, made, precision_narrowed(A->precision, precision), t->data);
    return precision;
}

/* Stores the tile: its elements, or with a rank its columns. bytes: their size in double. */
static void keep(struct filling *f, int64_t q, int rank, const char *made, size_t bytes)
{
    ompfact_matrix *A = f->A;
    const ompfact_tile *t = &f->tiles[q];
    struct tile_form *form = compressed_form_at(A, t->i, t->j);
    enum tile_precision precision = keep_rounded(f, q, rank, made);
    size_t sums = A->has_sums ? bytes_of_sums(t->mb, t->nb, A->precision->size) : 0;
    *form = (struct tile_form){ .how = form->how, .rank = rank >= 0 ? rank : dense_in(precision),
                                .narrow = rank >= 0 && precision == IN_SINGLE, .filled = precision, .touched = form->touched };
    if (rank < 0 && precision != IN_DOUBLE)
        form->norm = sqrt(f->measure[q].squares);
    if (!tile_grows(form, (bytes >> precision) + sums))
        lose(f, q);
    else if (precision == IN_DOUBLE)
        memcpy(t->data, made, bytes);
}

static void keep_dense(void *context, int64_t q)
{
    struct filling *f = context;
    ompfact_tile t;
    if (make(f, q, 0, &t) == NULL)
        return;
    keep(f, q, TILE_DENSE, t.data, (size_t)t.mb * (size_t)t.nb * f->A->precision->size);
    workspace_give(t.data);
}

/* Stores the tile dense, or as the columns that suffice. */
static void keep_compressed(void *context, int64_t q)
{
    struct filling *f = context;
    const ompfact_matrix *A = f->A;
    const ompfact_tile *t = &f->tiles[q];
    struct low_rank_work w = { .precision = A->precision };
    int most = largest_rank(&A->compressed->how, t->mb, t->nb), rank = LOW_RANK_NONE;
    size_t size = A->precision->size, bytes = (size_t)t->mb * (size_t)t->nb * size,
           columns = (size_t)(most + LOW_RANK_BLOCK) * (size_t)(t->mb + t->nb) * size;
    ompfact_tile filled;
    char *made = make(f, q, bytes + columns, &filled);
    if (made == NULL)
        return;
    if (!is_in_band(A, t->i, t->j)) {
        memcpy(made + bytes, made, bytes);
        rank = low_rank_compress(&w, t->mb, t->nb, made + bytes, A->compressed->how.tolerance, most, made + 2 * bytes);
    }
    if (rank == LOW_RANK_NO_MEMORY)
        lose(f, q);
    else if (rank == LOW_RANK_NONE)
        keep(f, q, TILE_DENSE, made, bytes);
    else
        keep(f, q, rank, made + 2 * bytes, (size_t)rank * (size_t)(t->mb + t->nb) * size);
    workspace_give(made);
}

/* The memory of this node, divided among its ranks, minus a share for other purposes. */
static ompfact_status set_bound(ompfact_matrix *A)
{
    const double OF_ALL = 0.9;
    int64_t room;
    TRY(memory_share(A->grid, &room));
    atomic_store(&A->compressed->left, (int64_t)(OF_ALL * (double)room));
    return OMPFACT_SUCCESS;
}

/* Threads keep their workspace until all tiles are done. */
static void each_tile(struct filling *f, void (*body)(void *context, int64_t q))
{
    run_each(f->A->grid->settings.threads, f->count, body, f);
}

static ompfact_status find_norm(struct filling *f)
{
    ompfact_grid *grid = f->A->grid;
    double squares = 0, largest = 0;
    each_tile(f, measure_tile);
    for (int64_t q = 0; q < f->count; q++) {
        squares += f->measure[q].squares;
        largest = fmax(largest, f->measure[q].largest);
    }
    int64_t first = atomic_load(&f->not_finite);
    TRY_MPI(grid, rma_allreduce(grid->rma, &squares, 1, MPI_DOUBLE, MPI_SUM));
    TRY_MPI(grid, rma_allreduce(grid->rma, &largest, 1, MPI_DOUBLE, MPI_MAX));
    TRY_MPI(grid, rma_allreduce(grid->rma, &first, 1, MPI_INT64_T, MPI_MIN));
    f->A->compressed->not_finite = first;
    double norm = sqrt(squares);
    if (f->A->shape.accuracy > 0 && largest > 0 && !(norm >= NORM_MIN && norm <= NORM_MAX))
        return fail(grid, OMPFACT_BAD_ARGUMENT,
                    "the largest element of the matrix is %.3g: scale it, for compressed matrices have norms from %g to %g",
                    largest, NORM_MIN, NORM_MAX);
    compressed_set_tolerance(f->A, norm);
    return OMPFACT_SUCCESS;
}

static ompfact_status agree_on_memory(struct filling *f)
{
    ompfact_status status = compressed_lost_message(f->A, OMPFACT_NO_MEMORY);
    if (status == OMPFACT_SUCCESS && atomic_load(&f->no_memory))
        status = fail(f->A->grid, OMPFACT_NO_MEMORY, "rank %d: no memory to compress tiles", f->A->me);
    return agree(f->A->grid, status);
}

/* Tiles that are not finite remain dense, because their norm is not small. */
ompfact_status compressed_fill(ompfact_matrix *A, void (*fill)(void *context, const ompfact_tile *tile), void *context)
{
    struct filling f = { .A = A, .fill = fill, .context = context, .not_finite = INT64_MAX };
    CLEANUP(free_at) ompfact_tile *tiles = f.tiles = used_tiles(A, &f.count);
    CLEANUP(free_at) struct measure *measure = f.measure = calloc((size_t)f.count + 1, sizeof *measure);
    atomic_store(&A->compressed->lost, 0);
    TRY(agree_memory(A->grid, tiles != NULL && measure != NULL, "for a list of tiles"));
    TRY(find_norm(&f));
    TRY(agree_on_memory(&f));
    TRY(set_bound(A));
    each_tile(&f, A->shape.accuracy > 0 ? keep_compressed : keep_dense);
    return agree_on_memory(&f);
}
