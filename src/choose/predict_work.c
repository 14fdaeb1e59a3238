/*
 * Predicts the work of compressed tiles from their ranks before the factorization. Each task counts as many flops as
 * omp/tasks/low_rank_tiles.c counts, with estimates of two numbers that only the arithmetic gives:
 *
 *     the product of two tiles of ranks a and b adds PRODUCT min(a,b) columns, because the small matrix between them is truncated
 *     a truncated tile keeps the share KEPT of the rank to which it was compressed, because a factorization may omit more, and at
 *     least the share ADDED of the columns that one product adds
 *
 * The shares are close to those of Cholesky and LU of kernel matrices (doc/unequal.md). Truncations are most of the work, and the
 * columns that products have added to a tile determine when it is truncated.
 */
#include "src/choose/predict.h"

#include "omp/kernels/flops.h"
#include "omp/kernels/truncation.h"

#include <math.h>
#include <stdlib.h>

static const double PRODUCT = 0.5, KEPT = 0.9, ADDED = 0.5;
/* The prediction computes only these steps of a tile. Each of them stands for a number of steps. */
enum { STEPS = 256 };

struct forecast {
    const ompfact_matrix *A;
    double *rank;       /* mt x nt: the rank at the end for a final tile, the rank at the start for other tiles */
    double *work;
    int step;           /* tiles that become final in this step: the diagonal tile, the tiles below it, and for LU the tiles
                           beside it */
};

/* The tile that is written, (i,j) of the factorization. */
struct tile {
    double m, n;
    double rank, pending;       /* columns, and the last columns that products have added; TILE_DENSE: the tile is dense */
    double kept, room;          /* columns that a truncation leaves, and columns that fit into the memory of the tile */
    double work;
};

/* For an upper triangle it is tile (j,i). */
static double *place_of(const struct forecast *f, double *values, int i, int j)
{
    return is_upper(&f->A->shape) ? &values[(int64_t)j * f->A->nt + i] : &values[(int64_t)i * f->A->nt + j];
}

/* ---- what is done to a tile ------------------------------------------------------------------------------------------------ */

static void truncate_tile(struct tile *t, double columns)
{
    double u = fmin(t->m, columns), v = fmin(t->n, columns), rank = fmin(t->kept, fmin(u, v));
    t->work += long_qr_flops(t->m, columns) + long_qr_flops(t->n, columns) + 2 * u * v * columns + reduce_flops(u, v, rank) +
               long_product_flops(t->m, u, rank) + long_product_flops(t->n, v, rank);
    t->rank = rank;
    t->pending = 0;
}

/* The number of repetitions times the number of columns. */
static void add_columns(struct tile *t, double columns, int times)
{
    t->kept = fmax(t->kept, ADDED * columns);
    for (int q = 0; q < times; q++) {
        double before = t->rank - t->pending, count = t->rank + columns;
        t->pending += columns;
        t->rank = count;
        if (count > t->room || (t->pending > LOW_RANK_PENDING && t->pending >= before))
            truncate_tile(t, count);
    }
}

/* Truncates the columns that a product of dense tiles has added, like low_rank_compress(). For a tile of zeros nothing suggests
   that the product has few columns. */
static void compress_again(struct tile *t)
{
    t->work += 2 * t->m * t->n * t->rank;
    if (t->rank == 0) {
        t->rank = TILE_DENSE;
        return;
    }
    double columns = LOW_RANK_BLOCK * ceil(t->kept / LOW_RANK_BLOCK);
    t->work += columns * (6 * t->m * t->n + 2 * t->m * columns);
    truncate_tile(t, columns);
}

/* Adds `times` products of tiles of ranks a and b, with inner dimension k; at least one of the three tiles is not dense. */
static void update_low(struct tile *t, double a, double b, double k, int times)
{
    bool low_a = a != TILE_DENSE, low_b = b != TILE_DENSE;
    double columns = low_a && low_b ? fmin(a, b) : low_a ? a : b, product;
    if (columns == 0)
        return;
    if (low_a && low_b)
        product = 2 * a * b * k;
    else
        product = 2 * k * columns * (low_a ? t->n : t->m);
    if (t->rank == TILE_DENSE) {
        product += low_a && low_b ? 2 * a * b * (b <= a ? t->m : t->n) : 0;
        t->work += times * (product + 2 * t->m * t->n * columns);
        return;
    }
    if (low_a && low_b) {
        columns *= PRODUCT;
        product += reduce_flops(a, b, columns) + 2 * columns * (t->m * a + t->n * b);
    }
    t->work += times * product;
    add_columns(t, columns, times);
}

static void update(struct tile *t, double a, double b, double k, int times)
{
    if (a != TILE_DENSE || b != TILE_DENSE) {
        update_low(t, a, b, k, times);
        return;
    }
    t->work += times * 2 * t->m * t->n * k;
    for (int q = 0; q < times && t->rank != TILE_DENSE; q++)
        compress_again(t);
}

/* Updates of Cholesky's diagonal tiles: low_rank_herk(). */
static void update_diagonal(struct tile *t, double a, double k, int times)
{
    double few = fmin(a, k);
    t->work += times * (a == TILE_DENSE ? t->n * t->n * k : long_qr_flops(k, a) + 2 * t->n * few * a + t->n * t->n * few);
}

/* A solve from the left first makes V^H V = I: low_rank_lean_right(). A mirrored tile is solved from the other side, and is n x m
   in memory. */
static void solve(struct tile *t, bool left, bool mirrored)
{
    double rows = left ? t->m : t->n, m = mirrored ? t->n : t->m, n = mirrored ? t->m : t->n;
    if (t->rank == TILE_DENSE) {
        t->work += rows * t->m * t->n;
        return;
    }
    if (t->pending > 0)
        truncate_tile(t, t->rank);
    double few = fmin(n, t->rank);
    if (left != mirrored)
        t->work += long_qr_flops(n, t->rank) + 2 * m * few * t->rank + long_product_flops(n, few, few);
    t->work += rows * rows * t->rank;
}

/* ---- the factorization ----------------------------------------------------------------------------------------------------- */

/* Tile (i,j), which becomes final in this step. */
static void write_tile(struct forecast *f, int i, int j)
{
    const ompfact_matrix *A = f->A;
    bool cholesky = stores_triangle(&A->shape);
    double *rank = place_of(f, f->rank, i, j), m = tiling_size(&A->rows, i), n = tiling_size(&A->cols, j);
    struct tile t = { .m = m, .n = n, .rank = *rank, .kept = KEPT * *rank };
    t.room = (double)compressed_room(&A->shape, (int)m, (int)n) / (m + n);
    for (int k = 0, stride = 1 + f->step / STEPS; k < f->step; k += stride) {
        int times = f->step - k < stride ? f->step - k : stride;
        double inner = tiling_size(&A->cols, k), a = *place_of(f, f->rank, i, k);
        if (cholesky && i == j)
            update_diagonal(&t, a, inner, times);
        else
            update(&t, a, cholesky ? *place_of(f, f->rank, j, k) : *place_of(f, f->rank, k, j), inner, times);
    }
    if (i != j)
        solve(&t, i < j, is_upper(&A->shape));
    else
        t.work += cholesky ? n * n * n / 3 : getrf_flops(m, n);
    *rank = t.rank;
    *place_of(f, f->work, i, j) = t.work;
}

static void write_below(void *context, int64_t q)
{
    struct forecast *f = context;
    write_tile(f, f->step + (int)q, f->step);
}

static void write_beside(void *context, int64_t q)
{
    struct forecast *f = context;
    write_tile(f, f->step, f->step + 1 + (int)q);
}

bool predict_work(const ompfact_matrix *A, int threads, double *found)
{
    int64_t tiles = (int64_t)A->mt * A->nt;
    struct forecast f = { .A = A, .rank = found, .work = calloc((size_t)tiles + 1, sizeof *f.work) };
    if (f.work == NULL)
        return false;
    for (; f.step < steps_of(A); f.step++) {
        run_each(threads, A->mt - f.step, write_below, &f);
        if (!stores_triangle(&A->shape))
            run_each(threads, A->nt - f.step - 1, write_beside, &f);
    }
    for (int64_t t = 0; t < tiles; t++)
        found[t] = f.work[t];
    free(f.work);
    return true;
}
