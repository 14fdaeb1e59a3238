/*
 * Refinement of what factors that are compressed, or of mixed precision, have solved: with the matrix itself, whose tiles are
 * made again for each residual, since they are kept nowhere.
 *
 *     R = B - A X,   X += (L L^H)^-1 R  or  (L U)^-1 R,   until  |r| <= 256 u |A| |x|  in each column,
 * at least once
 *
 * 2-norms, of A the Frobenius norm, u the unit roundoff. Each rank multiplies its own tiles, one after the other, by all of X, of
 * which every rank has a copy, a tile column of X at a time; what that comes to is summed up over threads and ranks.
 */
#include "omp/kernels/workspace.h"
#include "src/solve/solve.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_ITERATIONS = 100, NO_CONVERGENCE = -31 };
static const double SMALL = 256;

struct exact {
    ompfact_matrix *A, *B, *X, *R;
    void (*fill)(void *context, const ompfact_tile *tile);
    void *context;
    ompfact_tile *tiles;        /* mine, of A */
    int64_t tiles_count;
    int threads, width;         /* columns of X that are worked on, at most */
    double *sums;               /* n x width numbers as pairs of doubles: X, then A X */
    char *x, *y;                /* n x width of A's type; and one for each share of the threads */
    double *norms;              /* [2 nrhs]: squares of R's and X's columns */
    atomic_bool no_memory;
    int column;                 /* tile column of X */
};

static int64_t rows_of(const struct exact *e)
{
    return e->A->shape.n;
}

static char *element(const struct exact *e, char *array, int64_t row, int64_t column)
{
    return array + (size_t)(row + column * rows_of(e)) * e->A->precision->size;
}

static double *sum_of(const struct exact *e, int64_t row, int64_t column)
{
    return &e->sums[2 * (row + column * rows_of(e))];
}

/* ---- A X ------------------------------------------------------------------------------------------------------------------- */

/* Y_i += A_ij X_j, and Y_j += A_ij^H X_i of a Hermitian matrix. */
static void multiply_tile(struct exact *e, ompfact_tile t, char *y)
{
    const struct precision *p = e->A->precision;
    int columns = tiling_size(&e->X->cols, e->column), n = (int)rows_of(e);
    t.data = workspace_take((size_t)t.mb * (size_t)t.nb * p->size);
    if (t.data == NULL) {
        atomic_store(&e->no_memory, true);
        return;
    }
    e->fill(e->context, &t);
    if (stores_triangle(&e->A->shape) && t.i == t.j) {
        p->kernels->hemm(part_used(e->A, t.i, t.j), t.mb, columns, 1, t.data, t.ld, element(e, e->x, t.col, 0), n,
                         element(e, y, t.row, 0), n);
    } else {
        p->kernels->gemm(NO_TRANS, NO_TRANS, t.mb, columns, t.nb, 1, t.data, t.ld, element(e, e->x, t.col, 0), n,
                         element(e, y, t.row, 0), n);
        if (stores_triangle(&e->A->shape))
            p->kernels->gemm(CONJ_TRANS, NO_TRANS, t.nb, columns, t.mb, 1, t.data, t.ld, element(e, e->x, t.row, 0), n,
                             element(e, y, t.col, 0), n);
    }
    workspace_give(t.data);
}

static void multiply_share(void *context, int64_t share)
{
    struct exact *e = context;
    for (int64_t q = share; q < e->tiles_count; q += e->threads)
        multiply_tile(e, e->tiles[q], element(e, e->y, 0, share * e->width));
}

/* The numbers of my tiles of M in this tile column, and zeros for others'. */
static void spread(struct exact *e, ompfact_matrix *M)
{
    int64_t columns = tiling_size(&M->cols, e->column);
    for (int64_t k = 0; k < 2 * rows_of(e) * columns; k++)
        e->sums[k] = 0;
    for (int i = first_row(M, e->column, 0); i < M->mt; i = next_row(M, i, e->column)) {
        ompfact_tile t;
        matrix_view(M, i, e->column, &t);
        for (int c = 0; c < t.nb; c++)
            for (int r = 0; r < t.mb; r++)
                M->precision->get((char *)t.data + (size_t)(r + (int64_t)c * t.ld) * M->precision->size, sum_of(e, t.row + r, c),
                                  sum_of(e, t.row + r, c) + 1);
    }
}

/* The sums become A's product with the tile column of X. Collective. */
static ompfact_status multiply(struct exact *e)
{
    const struct precision *p = e->A->precision;
    int64_t n = rows_of(e), columns = tiling_size(&e->X->cols, e->column);
    spread(e, e->X);
    TRY(reduce_over_ranks(e->A->grid, e->sums, 2 * n * columns, MPI_SUM));
    for (int64_t k = 0; k < n * columns; k++)
        p->set(element(e, e->x, k, 0), e->sums[2 * k], e->sums[2 * k + 1]);
    for (int t = 0; t < e->threads; t++)
        p->kernels->clear((int)n, (int)columns, element(e, e->y, 0, (int64_t)t * e->width), (int)n);
    run_each(e->threads, e->threads, multiply_share, e);
    for (int64_t k = 0; k < n * columns; k++) {
        double sum[2] = { 0, 0 };
        for (int t = 0; t < e->threads; t++) {
            double re, im;
            p->get(element(e, e->y, k, (int64_t)t * e->width), &re, &im);
            sum[0] += re;
            sum[1] += im;
        }
        e->sums[2 * k] = sum[0];
        e->sums[2 * k + 1] = sum[1];
    }
    return reduce_over_ranks(e->A->grid, e->sums, 2 * n * columns, MPI_SUM);
}

/* ---- a refinement ---------------------------------------------------------------------------------------------------------- */

/* R = B - A X in this tile column, and the squares of norms of what is mine of it. */
static void subtract(struct exact *e)
{
    const struct precision *p = e->A->precision;
    for (int i = first_row(e->B, e->column, 0); i < e->B->mt; i = next_row(e->B, i, e->column)) {
        ompfact_tile b, x, r;
        matrix_view(e->B, i, e->column, &b);
        matrix_view(e->X, i, e->column, &x);
        matrix_view(e->R, i, e->column, &r);
        for (int c = 0; c < b.nb; c++)
            for (int k = 0; k < b.mb; k++) {
                size_t at = (size_t)(k + (int64_t)c * b.ld) * p->size;
                const double *sum = sum_of(e, b.row + k, c);
                double re, im;
                p->get((char *)x.data + at, &re, &im);
                e->norms[2 * (b.col + c) + 1] += re * re + im * im;
                p->get((char *)b.data + at, &re, &im);
                e->norms[2 * (b.col + c)] += (re - sum[0]) * (re - sum[0]) + (im - sum[1]) * (im - sum[1]);
                p->set((char *)r.data + at, re - sum[0], im - sum[1]);
            }
    }
}

/* R, and whether all of its columns are small: what the first rank finds, for all. Collective. */
static ompfact_status find_residual(struct exact *e, int *small)
{
    ompfact_grid *grid = e->A->grid;
    double limit = SMALL * e->A->precision->eps * e->A->compressed->norm;
    for (int64_t c = 0; c < 2 * e->X->shape.n; c++)
        e->norms[c] = 0;
    for (e->column = 0; e->column < e->X->nt; e->column++) {
        TRY(multiply(e));
        subtract(e);
    }
    ompfact_status status = OMPFACT_SUCCESS;
    if (atomic_load(&e->no_memory))
        status = fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory for a tile", e->A->me);
    TRY(agree(grid, status));
    TRY(reduce_over_ranks(grid, e->norms, 2 * e->X->shape.n, MPI_SUM));
    *small = 1;
    for (int64_t c = 0; c < e->X->shape.n; c++)
        *small &= sqrt(e->norms[2 * c]) <= limit * sqrt(e->norms[2 * c + 1]);
    TRY_MPI(grid, rma_bcast(grid->rma, small, 1, MPI_INT, 0));
    return OMPFACT_SUCCESS;
}

static void add_tile(void *context, const ompfact_tile *x)
{
    const struct exact *e = context;
    ompfact_tile r;
    matrix_view(e->R, x->i, x->j, &r);
    e->A->precision->kernels->add(x->mb, x->nb, 1, r.data, r.ld, x->data, x->ld);
}

static ompfact_status iterate(struct exact *e, int *iterations)
{
    for (int i = 0; i <= MAX_ITERATIONS; i++) {
        int small;
        TRY(find_residual(e, &small));
        *iterations = small ? i : NO_CONVERGENCE;
        if ((small && i > 0) || i == MAX_ITERATIONS)
            return OMPFACT_SUCCESS;
        TRY(stores_triangle(&e->A->shape) ? ompfact_potrs(e->A, e->R) : ompfact_getrs(e->A, e->R));
        TRY(ompfact_fill_tiles(e->X, add_tile, e));
    }
    return OMPFACT_SUCCESS;
}

static bool create_lists(struct exact *e)
{
    size_t numbers = (size_t)rows_of(e) * (size_t)e->width, size = e->A->precision->size;
    e->tiles = malloc((size_t)(layout_tiles(e->A->layout, e->A->me) + 1) * sizeof *e->tiles);
    e->sums = malloc((2 * numbers + 1) * sizeof *e->sums);
    e->x = malloc(numbers * size + 1);
    e->y = malloc((size_t)e->threads * numbers * size + 1);
    e->norms = malloc((size_t)(2 * e->X->shape.n + 1) * sizeof *e->norms);
    if (e->tiles == NULL || e->sums == NULL || e->x == NULL || e->y == NULL || e->norms == NULL)
        return false;
    for (int i = -1, j = -1; ompfact_next_tile(e->A, &i, &j);)
        if (!is_unused(e->A, i, j))
            matrix_view(e->A, i, j, &e->tiles[e->tiles_count++]);
    return true;
}

static void destroy(struct exact *e)
{
    ompfact_matrix_destroy(&e->R);
    free(e->norms);
    free(e->y);
    free(e->x);
    free(e->sums);
    free(e->tiles);
}

ompfact_status ompfact_refine(ompfact_matrix *A, ompfact_matrix *B, ompfact_matrix *X,
                              void (*fill)(void *context, const ompfact_tile *tile), void *context, int *iterations)
{
    ompfact_grid *grid = A->grid;
    struct exact e = { .A = A, .B = B, .X = X, .fill = fill, .context = context, .threads = grid->settings.threads,
                       .width = X->cols.largest };
    *iterations = NO_CONVERGENCE;
    if (A->compressed == NULL)
        return fail(grid, OMPFACT_BAD_ARGUMENT,
                    "refinement with the tiles of the matrix needs compressed factors or factors of mixed precision");
    if (A->contents != CONTENTS_CHOLESKY && A->contents != CONTENTS_LU)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors of potrf or getrf with info 0");
    TRY(check_system(A, B));
    TRY(check_system(A, X));
    if (B == X || B->shape.n != X->shape.n)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "there are as many solutions to refine as right-hand sides, in two matrices");
    double start = run_clock();
    ompfact_report report = X->report;
    ompfact_status status = agree(grid, create_lists(&e) ? OMPFACT_SUCCESS
                                                         : fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory to refine", A->me));
    if (status == OMPFACT_SUCCESS)
        status = ompfact_matrix_create_rhs(A, X->shape.n, &e.R);
    if (status == OMPFACT_SUCCESS)
        status = after_write(iterate(&e, iterations));
    destroy(&e);
    X->report = report;
    X->report.seconds += run_clock() - start;
    return status;
}
