/* Norms of a distributed matrix: each thread handles a share of its rank's tiles, then the results of threads and ranks are
   combined. */
#include "omp/kernels/truncation.h"
#include "src/matrix/layers.h"

#include <math.h>
#include <stdlib.h>

struct survey {
    ompfact_matrix *A;
    void (*add)(const ompfact_matrix *A, const ompfact_tile *tile, double *found);
    ompfact_tile *tiles;
    int64_t tiles_count;
    int shares;
    int64_t length;         /* number of results of a share */
    double *found;          /* shares x length; at the end the first one has the total */
    char *scratch;          /* for compressed matrices: a tile for each share */
};

static void add_up_share(void *context, int64_t share)
{
    const struct survey *s = context;
    size_t bytes = (size_t)s->A->rows.largest * (size_t)s->A->cols.largest * s->A->precision->size;
    for (int64_t q = share; q < s->tiles_count; q += s->shares) {
        ompfact_tile t = s->tiles[q];
        matrix_read(matrix_here(s->A), t.i, t.j, s->scratch == NULL ? NULL : s->scratch + (size_t)share * bytes, &t);
        s->add(s->A, &t, s->found + share * s->length);
    }
}

/* Lists the tiles to be used; false: no memory. */
static bool prepare_survey(struct survey *s)
{
    const ompfact_matrix *here = matrix_here(s->A);
    s->found = calloc((size_t)s->shares * (size_t)s->length + 1, sizeof *s->found);
    s->tiles = malloc((size_t)(layout_tiles(here->layout, here->me) + 1) * sizeof *s->tiles);
    if (s->A->compressed != NULL)
        s->scratch = malloc((size_t)s->shares * (size_t)s->A->rows.largest * (size_t)s->A->cols.largest * s->A->precision->size);
    if (s->found == NULL || s->tiles == NULL || (s->A->compressed != NULL && s->scratch == NULL))
        return false;
    for (int i = -1, j = -1; ompfact_next_tile(here, &i, &j);)
        if (!is_unused(here, i, j) && is_here(here, i, j))
            matrix_view(here, i, j, &s->tiles[s->tiles_count++]);
    return true;
}

static double both(MPI_Op op, double a, double b)
{
    return op == MPI_SUM ? a + b : larger_or_nan(a, b);
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

/* Combines the results for all tiles, on every rank; the caller frees them. Collective. */
static ompfact_status survey(struct survey *s, MPI_Op op, double **found)
{
    ompfact_grid *grid = s->A->grid;
    s->shares = grid->settings.threads;
    *found = NULL;
    ompfact_status status = agree_memory(grid, prepare_survey(s), "for %lld column sums", (long long)s->length);
    if (status == OMPFACT_SUCCESS) {
        run_each(s->shares, s->shares, add_up_share, s);
        for (int64_t i = s->length; i < s->shares * s->length; i++)
            s->found[i % s->length] = both(op, s->found[i % s->length], s->found[i]);
        status = reduce_over_ranks(grid, s->found, s->length, op);
    }
    free(s->tiles);
    free(s->scratch);
    if (status != OMPFACT_SUCCESS)
        free(s->found);
    else
        *found = s->found;
    return status;
}

static void add_columns(const ompfact_matrix *A, const ompfact_tile *t, double *sums)
{
    A->precision->host->sums(part_used(A, t->i, t->j), t->mb, t->nb, t->data, t->ld, sums + t->col,
                             stores_triangle(&A->shape) ? sums + t->row : NULL);
}

ompfact_status column_sums(ompfact_matrix *A, double **sums)
{
    return survey(&(struct survey){ .A = A, .add = add_columns, .length = A->shape.n }, MPI_SUM, sums);
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
    return survey(&(struct survey){ .A = A, .add = raise_maxima, .length = A->shape.n }, MPI_MAX, maxima);
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
    TRY(survey(&(struct survey){ .A = A, .add = add_squares, .length = A->shape.n }, MPI_SUM, norms));
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
static ompfact_status norm1(ompfact_matrix *A, void (*add)(const ompfact_matrix *A, const ompfact_tile *tile, double *sums),
                            double *norm)
{
    double *sums;
    TRY(survey(&(struct survey){ .A = A, .add = add, .length = A->shape.n }, MPI_SUM, &sums));
    *norm = largest_of(sums, A->shape.n);
    free(sums);
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
    double *sums;
    if (stores_triangle(&A->shape))
        return ompfact_norm1(A, norm);
    TRY(survey(&(struct survey){ .A = A, .add = add_rows, .length = A->shape.m + A->shape.n }, MPI_SUM, &sums));
    *norm = largest_of(sums, A->shape.m);
    free(sums);
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
    double *found;
    TRY(survey(&(struct survey){ .A = A, .add = raise_largest_used, .length = 1 }, MPI_MAX, &found));
    *largest = *found;
    free(found);
    return OMPFACT_SUCCESS;
}

static void raise_largest_above(const ompfact_matrix *A, const ompfact_tile *t, double *largest)
{
    if (t->i <= t->j)
        *largest = fmax(*largest, A->precision->host->largest(t->i == t->j ? UPPER : GENERAL, t->mb, t->nb, t->data, t->ld));
}

ompfact_status ompfact_growth(ompfact_matrix *A, ompfact_matrix *factors, double *growth)
{
    double *before, *after;
    if (A->shape.structure != OMPFACT_GENERAL || factors->shape.structure != OMPFACT_GENERAL)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "growth is defined for an LU factorization");
    TRY(survey(&(struct survey){ .A = A, .add = raise_largest, .length = 1 }, MPI_MAX, &before));
    ompfact_status status = survey(&(struct survey){ .A = factors, .add = raise_largest_above, .length = 1 }, MPI_MAX, &after);
    if (status == OMPFACT_SUCCESS) {
        *growth = *before > 0 ? *after / *before : 1;
        free(after);
    }
    free(before);
    return status;
}
