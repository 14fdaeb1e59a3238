/*
 * Refinement of what factors that are compressed, or of mixed precision, have solved: as refine.c has it, with the matrix itself,
 * whose tiles are made again for each product, since they are kept nowhere.
 *
 *     R = B - A X;  repeat   X += F^-1 R,  R = B - A X        by GMRES where that does not halve the error (gmres.c)
 *     until |r| <= 256 u |A| |x| in each column, once at least
 *
 * 2-norms, of A the Frobenius norm, u the unit roundoff. Each rank multiplies its own tiles, one after the other, by all of V, of
 * which every rank has a copy, a tile column of V at a time; what that comes to is summed up over threads and ranks.
 */
#include "omp/kernels/workspace.h"
#include "src/solve/refine.h"

#include <stdlib.h>

static const double SMALL = 256;

/* The matrix A, and room for its products. */
struct generated {
    ompfact_matrix *A;
    void (*fill)(void *context, const ompfact_tile *tile);
    void *context;
    ompfact_tile *tiles;        /* tiles of A that this rank owns */
    int64_t tiles_count;
    int threads, width;         /* width: largest number of columns of V in one product */
    double *sums;               /* n x width numbers as pairs of doubles: V, then A V */
    char *v, *y;                /* n x width of A's type; and one for each share of the threads */
    void *memory;               /* of sums, v and y */
    atomic_bool no_memory;
    int columns;                /* columns of V in the present product */
};

static int64_t rows_of(const struct generated *g)
{
    return g->A->shape.n;
}

static char *element(const struct generated *g, char *array, int64_t row, int64_t column)
{
    return array + (size_t)(row + column * rows_of(g)) * g->A->precision->size;
}

static double *sum_of(const struct generated *g, int64_t row, int64_t column)
{
    return &g->sums[2 * (row + column * rows_of(g))];
}

/* ---- A V ------------------------------------------------------------------------------------------------------------------- */

/* Y_i += A_ij V_j, and Y_j += A_ij^H V_i for a Hermitian matrix. */
static void multiply_tile(struct generated *g, ompfact_tile t, char *y)
{
    const struct precision *p = g->A->precision;
    int n = (int)rows_of(g);
    t.data = workspace_take((size_t)t.mb * (size_t)t.nb * p->size);
    if (t.data == NULL) {
        atomic_store(&g->no_memory, true);
        return;
    }
    g->fill(g->context, &t);
    if (stores_triangle(&g->A->shape) && t.i == t.j) {
        p->kernels->hemm(part_used(g->A, t.i, t.j), t.mb, g->columns, 1, t.data, t.ld, element(g, g->v, t.col, 0), n,
                         element(g, y, t.row, 0), n);
    } else {
        p->kernels->gemm(NO_TRANS, NO_TRANS, t.mb, g->columns, t.nb, 1, t.data, t.ld, element(g, g->v, t.col, 0), n,
                         element(g, y, t.row, 0), n);
        if (stores_triangle(&g->A->shape))
            p->kernels->gemm(CONJ_TRANS, NO_TRANS, t.nb, g->columns, t.mb, 1, t.data, t.ld, element(g, g->v, t.row, 0), n,
                             element(g, y, t.col, 0), n);
    }
    workspace_give(t.data);
}

static void multiply_share(void *context, int64_t share)
{
    struct generated *g = context;
    for (int64_t q = share; q < g->tiles_count; q += g->threads)
        multiply_tile(g, g->tiles[q], element(g, g->y, 0, share * g->width));
}

/* The numbers of this rank's tiles in this tile column of V, and zeros for other tiles. */
static void spread(struct generated *g, ompfact_matrix *V, int column)
{
    const struct precision *p = V->precision;
    for (int64_t k = 0; k < 2 * rows_of(g) * g->columns; k++)
        g->sums[k] = 0;
    for (int i = first_row(V, column, 0); i < V->mt; i = next_row(V, i, column)) {
        ompfact_tile t;
        matrix_view(V, i, column, &t);
        for (int c = 0; c < t.nb; c++)
            for (int r = 0; r < t.mb; r++)
                p->get((char *)t.data + (size_t)(r + (int64_t)c * t.ld) * p->size, sum_of(g, t.row + r, c),
                       sum_of(g, t.row + r, c) + 1);
    }
}

/* The sums become A's product with this tile column of V. Collective. */
static ompfact_status multiply(struct generated *g, ompfact_matrix *V, int column)
{
    const struct precision *p = g->A->precision;
    g->columns = tiling_size(&V->cols, column);
    int64_t n = rows_of(g), numbers = n * g->columns;
    spread(g, V, column);
    TRY(reduce_over_ranks(g->A->grid, g->sums, 2 * numbers, MPI_SUM));
    for (int64_t k = 0; k < numbers; k++)
        p->set(element(g, g->v, k, 0), g->sums[2 * k], g->sums[2 * k + 1]);
    for (int t = 0; t < g->threads; t++)
        p->kernels->clear((int)n, g->columns, element(g, g->y, 0, (int64_t)t * g->width), (int)n);
    run_each(g->threads, g->threads, multiply_share, g);
    return add_up_shares(g->A, g->y, g->threads, n * g->width, numbers, g->sums);
}

/* W -= the sums in this tile column, in this rank's tiles. */
static void subtract_sums(struct generated *g, ompfact_matrix *W, int column)
{
    const struct precision *p = W->precision;
    for (int i = first_row(W, column, 0); i < W->mt; i = next_row(W, i, column)) {
        ompfact_tile w;
        matrix_view(W, i, column, &w);
        for (int c = 0; c < w.nb; c++)
            for (int k = 0; k < w.mb; k++) {
                char *at = (char *)w.data + (size_t)(k + (int64_t)c * w.ld) * p->size;
                const double *sum = sum_of(g, w.row + k, c);
                double re, im;
                p->get(at, &re, &im);
                p->set(at, re - sum[0], im - sum[1]);
            }
    }
}

/* The function of struct refinement. */
static ompfact_status subtract_generated(struct refinement *f, ompfact_matrix *V, ompfact_matrix *W)
{
    struct generated *g = f->generated;
    ompfact_grid *grid = g->A->grid;
    for (int column = 0; column < V->nt; column++) {
        TRY(multiply(g, V, column));
        subtract_sums(g, W, column);
    }
    return agree_memory(grid, !atomic_load(&g->no_memory), "for a tile");
}

/* ---- a refinement ---------------------------------------------------------------------------------------------------------- */

int64_t generated_bytes(const ompfact_matrix *X, int threads)
{
    int64_t numbers = X->shape.m * X->cols.largest, size = (int64_t)X->precision->size;
    return numbers * (2 * (int64_t)sizeof(double) + (threads + 1) * size) + gmres_bytes(X, threads, false);
}

static bool create_lists(struct generated *g)
{
    size_t numbers = (size_t)rows_of(g) * (size_t)g->width, size = g->A->precision->size;
    const struct array arrays[] = { ARRAY(g->sums, 2 * numbers), ARRAY(g->v, numbers * size),
                                    ARRAY(g->y, (size_t)g->threads * numbers * size) };
    g->tiles = used_tiles(g->A, &g->tiles_count);
    g->memory = make_arrays(arrays, sizeof arrays / sizeof arrays[0]);
    return g->tiles != NULL && g->memory != NULL;
}

static ompfact_status refine_generated(struct refinement *f, int *iterations)
{
    TRY(agree_memory(f->A->grid, create_lists(f->generated), "to refine"));
    TRY(refinement_prepare(f));
    TRY(compute_residual(f));
    return after_write(improve_with_factors(f, iterations));
}

static ompfact_status check_generated(ompfact_matrix *A, ompfact_matrix *B, ompfact_matrix *X)
{
    ompfact_grid *grid = A->grid;
    if (A->compressed == NULL)
        return fail(grid, OMPFACT_BAD_ARGUMENT,
                    "refinement with the tiles of the matrix needs compressed factors or factors of mixed precision");
    if (A->contents != CONTENTS_CHOLESKY && A->contents != CONTENTS_LU)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors of potrf or getrf with info 0");
    TRY(check_system(A, B));
    TRY(check_system(A, X));
    if (B == X || B->shape.n != X->shape.n)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "there are as many solutions to refine as right-hand sides, in two matrices");
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_refine(ompfact_matrix *A, ompfact_matrix *B, ompfact_matrix *X,
                              void (*fill)(void *context, const ompfact_tile *tile), void *context, int *iterations)
{
    ompfact_grid *grid = A->grid;
    struct generated g = { .A = A, .fill = fill, .context = context, .threads = grid->settings.threads,
                           .width = X->cols.largest };
    struct refinement f = { .method = stores_triangle(&A->shape) ? &method_cholesky : &method_lu, .A = A, .B = B, .X = X,
                            .F = A, .subtract = subtract_generated, .norms = column_norms, .generated = &g,
                            .way = OMPFACT_REFINE_GMRES, .solved = report_of_nothing() };
    *iterations = NO_CONVERGENCE;
    TRY(check_generated(A, B, X));
    double start = run_clock();
    ompfact_report report = X->report;
    f.allowed = SMALL * A->precision->eps * A->compressed->norm;
    ompfact_status status = refine_generated(&f, iterations);
    f.X = NULL;     /* the caller destroys X */
    refinement_destroy(&f);
    free(g.memory);
    free(g.tiles);
    X->report = report;
    X->report.seconds += run_clock() - start;
    return status;
}
