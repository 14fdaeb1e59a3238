/* Norms of a distributed matrix: each thread handles a share of its rank's tiles, then the results of threads and ranks are
   combined. */
#include "omp/kernels/truncation.h"
#include "src/matrix/layers.h"

#include <math.h>
#include <stdlib.h>

/* Adds what a tile has to the results of a share. */
typedef void add_tile(const ompfact_matrix *A, const ompfact_tile *tile, double *found);

struct survey {
    ompfact_matrix *A;
    add_tile *add;
    ompfact_tile *tiles;
    int64_t tiles_count;
    int shares;
    int64_t length;         /* number of results of a share */
    double *found;          /* shares x length; at the end the first one has the total */
    char *scratch;          /* for compressed matrices: a tile for each share */
    size_t tile_bytes;
};

static void add_up_share(void *context, int64_t share)
{
    const struct survey *s = context;
    for (int64_t q = share; q < s->tiles_count; q += s->shares) {
        ompfact_tile t = s->tiles[q];
        matrix_read(matrix_here(s->A), t.i, t.j, s->scratch == NULL ? NULL : s->scratch + (size_t)share * s->tile_bytes, &t);
        s->add(s->A, &t, s->found + share * s->length);
    }
}

ompfact_tile *used_tiles(const ompfact_matrix *here, int64_t *count)
{
    ompfact_tile *tiles = malloc((size_t)(layout_tiles(here->layout, here->me) + 1) * sizeof *tiles);
    *count = 0;
    for (int i = -1, j = -1; tiles != NULL && ompfact_next_tile(here, &i, &j);)
        if (!is_unused(here, i, j) && is_here(here, i, j))
            matrix_view(here, i, j, &tiles[(*count)++]);
    return tiles;
}

/* In pieces, so that counts fit into an int. */
ompfact_status reduce_over_ranks(ompfact_grid *grid, double *values, int64_t length, MPI_Op op)
{
    enum { PIECE = 1 << 20 };
    for (int64_t first = 0; first < length; first += PIECE)
        TRY_MPI(grid,
                rma_allreduce(grid->rma, values + first, length - first < PIECE ? (int)(length - first) : PIECE, MPI_DOUBLE, op));
    return OMPFACT_SUCCESS;
}

/* Combines the results for all tiles, on every rank; the caller frees them, after an error, too. Collective. */
static ompfact_status survey(ompfact_matrix *A, add_tile *add, int64_t length, MPI_Op op, double **found)
{
    ompfact_grid *grid = A->grid;
    struct survey s = { .A = A, .add = add, .length = length, .shares = grid->settings.threads,
                        .tile_bytes = (size_t)A->rows.largest * (size_t)A->cols.largest * A->precision->size };
    CLEANUP(free_at) ompfact_tile *tiles = s.tiles = used_tiles(matrix_here(A), &s.tiles_count);
    CLEANUP(free_at) char *scratch = s.scratch = A->compressed != NULL ? malloc((size_t)s.shares * s.tile_bytes) : NULL;
    *found = s.found = calloc((size_t)s.shares * (size_t)length + 1, sizeof *s.found);
    TRY(agree_memory(grid, s.found != NULL && tiles != NULL && (A->compressed == NULL || scratch != NULL), "for %lld column sums",
                     (long long)length));
    run_each(s.shares, s.shares, add_up_share, &s);
    for (int64_t i = length; i < s.shares * length; i++) {
        double *both = &s.found[i % length], other = s.found[i];
        *both = op == MPI_SUM ? *both + other : larger_or_nan(*both, other);
    }
    return reduce_over_ranks(grid, s.found, length, op);
}

static void add_columns(const ompfact_matrix *A, const ompfact_tile *t, double *sums)
{
    A->precision->host->sums(part_used(A, t->i, t->j), t->mb, t->nb, t->data, t->ld, sums + t->col,
                             stores_triangle(&A->shape) ? sums + t->row : NULL);
}

ompfact_status column_sums(ompfact_matrix *A, double **sums)
{
    return survey(A, add_columns, A->shape.n, MPI_SUM, sums);
}

/* Adds the sums of rows, and behind them those of columns, which the kernel computes in any case. */
static void add_rows(const ompfact_matrix *A, const ompfact_tile *t, double *sums)
{
    A->precision->host->sums(GENERAL, t->mb, t->nb, t->data, t->ld, sums + A->shape.m + t->col, sums + t->row);
}

static void raise_maxima(const ompfact_matrix *A, const ompfact_tile *t, double *maxima)
{
    A->precision->host->maxima(t->mb, t->nb, t->data, t->ld, maxima + t->col);
}

ompfact_status column_maxima(ompfact_matrix *A, double **maxima)
{
    return survey(A, raise_maxima, A->shape.n, MPI_MAX, maxima);
}

static void add_squares(const ompfact_matrix *A, const ompfact_tile *t, double *squares)
{
    for (int c = 0; c < t->nb; c++) {
        const char *column = (const char *)t->data + A->precision->size * (size_t)c * (size_t)t->ld;
        double norm = frobenius_norm(A->precision, GENERAL, t->mb, 1, column, t->ld);
        squares[t->col + c] += norm * norm;
    }
}

ompfact_status column_norms(ompfact_matrix *A, double **norms)
{
    TRY(survey(A, add_squares, A->shape.n, MPI_SUM, norms));
    for (int64_t j = 0; j < A->shape.n; j++)
        (*norms)[j] = sqrt((*norms)[j]);
    return OMPFACT_SUCCESS;
}

static double largest_of(const double *values, int64_t count)
{
    double largest = 0;
    for (int64_t i = 0; i < count; i++)
        largest = larger_or_nan(largest, values[i]);
    return largest;
}

/* The largest sum of a column, as `add` adds them up. */
static ompfact_status norm1(ompfact_matrix *A, add_tile *add, double *norm)
{
    CLEANUP(free_at) double *sums = NULL;
    TRY(survey(A, add, A->shape.n, MPI_SUM, &sums));
    *norm = largest_of(sums, A->shape.n);
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_norm1(ompfact_matrix *A, double *norm)
{
    return norm1(A, add_columns, norm);
}

static void add_columns_stored(const ompfact_matrix *A, const ompfact_tile *t, double *sums)
{
    A->precision->host->sums(part_used(A, t->i, t->j), t->mb, t->nb, t->data, t->ld, sums + t->col, NULL);
}

ompfact_status norm1_of_triangle(ompfact_matrix *T, double *norm)
{
    return norm1(T, add_columns_stored, norm);
}

ompfact_status norm_inf(ompfact_matrix *A, double *norm)
{
    CLEANUP(free_at) double *sums = NULL;
    if (stores_triangle(&A->shape))
        return ompfact_norm1(A, norm);
    TRY(survey(A, add_rows, A->shape.m + A->shape.n, MPI_SUM, &sums));
    *norm = largest_of(sums, A->shape.m);
    return OMPFACT_SUCCESS;
}

static void raise_largest(const ompfact_matrix *A, const ompfact_tile *t, double *largest)
{
    *largest = fmax(*largest, A->precision->host->largest(GENERAL, t->mb, t->nb, t->data, t->ld));
}

static void raise_largest_used(const ompfact_matrix *A, const ompfact_tile *t, double *largest)
{
    *largest = fmax(*largest, A->precision->host->largest(part_used(A, t->i, t->j), t->mb, t->nb, t->data, t->ld));
}

ompfact_status largest_modulus(ompfact_matrix *A, double *largest)
{
    CLEANUP(free_at) double *found = NULL;
    TRY(survey(A, raise_largest_used, 1, MPI_MAX, &found));
    *largest = *found;
    return OMPFACT_SUCCESS;
}

static void raise_largest_above(const ompfact_matrix *A, const ompfact_tile *t, double *largest)
{
    if (t->i <= t->j)
        *largest = fmax(*largest, A->precision->host->largest(t->i == t->j ? UPPER : GENERAL, t->mb, t->nb, t->data, t->ld));
}

ompfact_status ompfact_growth(ompfact_matrix *A, ompfact_matrix *factors, double *growth)
{
    CLEANUP(free_at) double *before = NULL, *after = NULL;
    if (A->shape.structure != OMPFACT_GENERAL || factors->shape.structure != OMPFACT_GENERAL)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "growth is defined for an LU factorization");
    TRY(survey(A, raise_largest, 1, MPI_MAX, &before));
    TRY(survey(factors, raise_largest_above, 1, MPI_MAX, &after));
    *growth = *before > 0 ? *after / *before : 1;
    return OMPFACT_SUCCESS;
}
