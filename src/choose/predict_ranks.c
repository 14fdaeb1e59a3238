/* Predicts ranks of tiles from samples of their rows and columns. */
#include "src/choose/predict.h"

#include "omp/kernels/truncation.h"
#include "omp/kernels/workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sampled rows and columns of a tile: this number, plus twice the largest rank that may be found, or all. */
enum { SAMPLE = 96 };

struct sampling {
    ompfact_grid *grid;
    const ompfact_matrix *A;        /* on paper */
    const struct entries *entries;
    double *found;                  /* mt x nt: ranks of the tiles that this rank samples, 0 elsewhere */
    atomic_bool no_memory;
};

struct sample sample_of(const ompfact_matrix *A, int i, int j, int side)
{
    int mb = tiling_size(&A->rows, i), nb = tiling_size(&A->cols, j);
    return (struct sample){ .i = i, .j = j, .mb = mb, .nb = nb, .m = side < mb ? side : mb, .n = side < nb ? side : nb };
}

int64_t sample_place(const struct tiling *t, int tile, int index, int count)
{
    return t->start[tile] + (int64_t)index * tiling_size(t, tile) / count;
}

/* The sample of a square tile on the diagonal has too many diagonal elements. */
double sample_squares(const struct sample *x, double diagonal, double rest)
{
    double m = x->m, n = x->n, mb = x->mb, nb = x->nb, share = mb * nb / (m * n);
    if (x->i == x->j && x->mb == x->nb && x->m > 1)
        share = mb * (mb - 1) / (m * (m - 1));
    return diagonal * mb / m + rest * share;
}

static void look(const struct sampling *s, const struct sample *x)
{
    const ompfact_matrix *A = s->A;
    enum uplo part = part_used(A, x->i, x->j);
    size_t size = A->precision->size;
    for (int c = 0; c < x->n; c++)
        for (int r = 0; r < x->m; r++) {
            char *value = x->values + ((size_t)c * (size_t)x->m + (size_t)r) * size;
            memset(value, 0, size);
            if (part == GENERAL || (part == LOWER ? r >= c : r <= c))
                s->entries->entry(s->entries->context, sample_place(&A->rows, x->i, r, x->m),
                                  sample_place(&A->cols, x->j, c, x->n), value);
        }
}

/* Samples the q-th tile of this rank. False: the tile is not stored, or there is no memory. */
static bool take_sample(struct sampling *s, int64_t q, struct sample *x)
{
    const ompfact_matrix *A = s->A;
    int64_t tile = q * rma_ranks(s->grid->rma) + rma_rank(s->grid->rma);
    int most = A->compressed->how.most;
    *x = sample_of(A, (int)(tile / A->nt), (int)(tile % A->nt), most > SAMPLE / 2 ? 2 * most : SAMPLE);
    if (is_unused(A, x->i, x->j))
        return false;
    size_t m = (size_t)x->m, n = (size_t)x->n;
    size_t columns = (size_t)(largest_rank(&A->compressed->how, x->mb, x->nb) + LOW_RANK_BLOCK);
    x->values = workspace_take((m * n + columns * (m + n)) * A->precision->size);
    if (x->values == NULL) {
        atomic_store(&s->no_memory, true);
        return false;
    }
    look(s, x);
    return true;
}

static double square(double x)
{
    return x * x;
}

/* The estimated sum of squares of the whole tile. */
static void measure_tile(void *context, int64_t q)
{
    struct sampling *s = context;
    const ompfact_matrix *A = s->A;
    struct sample x;
    if (!take_sample(s, q, &x))
        return;
    double all = square(frobenius_norm(A->precision, part_used(A, x.i, x.j), x.m, x.n, x.values, x.m)), diagonal = 0;
    double twice = stores_triangle(&A->shape) && x.i != x.j ? 2 : 1;
    if (x.i == x.j && x.mb == x.nb && x.m < x.mb)
        diagonal = square(frobenius_norm(A->precision, GENERAL, 1, x.n, x.values, x.m + 1));
    s->found[(int64_t)x.i * A->nt + x.j] = twice * sample_squares(&x, diagonal, all - diagonal);
    workspace_give(x.values);
}

static void rank_tile(void *context, int64_t q)
{
    struct sampling *s = context;
    const ompfact_matrix *A = s->A;
    struct sample x;
    if (!take_sample(s, q, &x))
        return;
    struct low_rank_work w = { .precision = A->precision };
    double m = x.m, n = x.n, tolerance = A->compressed->how.tolerance * sqrt(m * n / ((double)x.mb * x.nb));
    int most = largest_rank(&A->compressed->how, x.mb, x.nb), rank = LOW_RANK_NONE;
    size_t bytes = (size_t)x.m * (size_t)x.n * A->precision->size;
    if (abs(x.i - x.j) >= A->compressed->band && isfinite(tolerance))
        rank = low_rank_compress(&w, x.m, x.n, x.values, tolerance, most, x.values + bytes);
    if (rank == LOW_RANK_NO_MEMORY)
        atomic_store(&s->no_memory, true);
    s->found[(int64_t)x.i * A->nt + x.j] = rank < 0 ? TILE_DENSE : rank;
    workspace_give(x.values);
}

/* The results of all ranks. */
static ompfact_status each_tile(struct sampling *s, void (*body)(void *context, int64_t q))
{
    ompfact_grid *grid = s->grid;
    int64_t tiles = (int64_t)s->A->mt * s->A->nt, ranks = rma_ranks(grid->rma), me = rma_rank(grid->rma);
    memset(s->found, 0, (size_t)tiles * sizeof *s->found);
    run_each(grid->settings.threads, (tiles - me + ranks - 1) / ranks, body, s);
    TRY(agree_memory(grid, !atomic_load(&s->no_memory), "for samples of tiles"));
    return reduce_over_ranks(grid, s->found, tiles, MPI_SUM);
}

ompfact_status predict_ranks(ompfact_grid *grid, ompfact_matrix *A, const struct entries *entries, double *found)
{
    struct sampling s = { .grid = grid, .A = A, .entries = entries, .found = found };
    double squares = 0;
    TRY(each_tile(&s, measure_tile));
    for (int64_t t = 0; t < (int64_t)A->mt * A->nt; t++)
        squares += found[t];
    compressed_set_tolerance(A, sqrt(squares));
    return each_tile(&s, rank_tile);
}
