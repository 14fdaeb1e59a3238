/*
 * Corrections by GMRES, for refinement where the factors alone no longer do (E. Carson, N. Higham, "Accelerating the Solution of
 * Linear Systems by Iterative Refinement in Three Precisions", SIAM J. Sci. Comput. 40, 2018). In each column, D the diagonal
 * matrix of the residuals' sizes, and v_0, v_1, ... orthonormal:
 *
 *     w = F^-1 R D^-1,  z = |w|,  v_0 = w / z              F^-1 in single, all else in double
 *     w = -F^-1 A v_j                                      the factors precondition from the left
 *     v_j+1 h_j+1,j = w - V h_j,  h_j = V^H w              classical Gram-Schmidt, twice
 *     X -= V y D,  y minimising | z e_0 - H y |            Givens rotations
 *
 * F^-1 is applied in single, so that one cycle gains few digits whatever is asked of it: it ends at a ratio of 10^-4. The columns
 * of a tile column go side by side and share solves and products with A; one that is done has zeros for its v. Tile columns come
 * one after the other, so that all takes the memory of one.
 */
#include "src/solve/refine.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double complex number;

/* After so many steps GMRES starts anew. */
enum { STEPS = 20, TRIANGLE = STEPS * (STEPS + 1) / 2 };
static const double TOLERANCE = 1e-4;   /* of z, at which a column is done */

/* What a step has made of a column. Ranks agree on the last of these. */
enum outcome { GOES_ON, IS_DONE, IS_USELESS };

/* Of a right-hand side. */
struct column {
    bool done;
    int steps;
    double z;
    double norm;                    /* of w */
    number h[STEPS];                /* of this step */
    number upper[TRIANGLE];         /* H after the rotations, column by column */
    number c[STEPS];                /* the rotations: ( conj(c) s; -s c ) */
    double s[STEPS];
    number g[STEPS + 1];            /* z e_0 after the rotations */
};

/* My tiles in a tile row. */
struct block {
    ompfact_tile v, w;
    char *basis;                    /* STEPS vectors for each column of w, each as long as w */
};

struct gmres {
    ompfact_matrix *V, *W, *Y;      /* one tile column each: v_j, w, and single */
    int tile_column;                /* of X, which they stand for */
    char *basis;
    struct column *columns;
    int width;                      /* how many */
    struct block *blocks;
    int64_t blocks_count;
    int shares;
    int vectors;                    /* of the basis, that products are with; 0: of w with itself */
    double *sums;                   /* of each share and column that many, or 1; elements of X's type */
};

/* ---- block by block ---------------------------------------------------------------------------------------------------- */

static int sums_of_column(const struct gmres *g)
{
    return g->vectors > 0 ? g->vectors : 1;
}

/* Doubles of a share. */
static int64_t sums_of_share(const struct refinement *f)
{
    return (int64_t)f->gmres->width * sums_of_column(f->gmres) * (int64_t)(f->A->precision->size / sizeof(double));
}

static char *sum_at(const struct refinement *f, int64_t share, int c, int k)
{
    int64_t before = (int64_t)c * sums_of_column(f->gmres) + k;
    return (char *)(f->gmres->sums + share * sums_of_share(f)) + f->A->precision->size * (size_t)before;
}

static char *basis_of(const struct refinement *f, const struct block *b, int c, int k)
{
    return b->basis + f->A->precision->size * (size_t)b->w.ld * (STEPS * (size_t)c + (size_t)k);
}

static void multiply_share(void *context, int64_t share)
{
    const struct refinement *f = context;
    const struct gmres *g = f->gmres;
    for (int64_t q = share; q < g->blocks_count; q += g->shares)
        for (int c = 0; c < g->width; c++) {
            const ompfact_tile *w = &g->blocks[q].w;
            const void *x = column_of(f, w, c), *left = g->vectors > 0 ? basis_of(f, &g->blocks[q], c, 0) : x;
            if (!g->columns[c].done)
                f->A->precision->kernels->gemm(CONJ_TRANS, NO_TRANS, sums_of_column(g), 1, w->mb, 1, left, w->ld, x, w->ld,
                                               sum_at(f, share, c, 0), sums_of_column(g));
        }
}

/* The sums of V^H w, so many vectors of V, or of w^H w where that is 0, over all ranks. Collective. */
static ompfact_status multiply(struct refinement *f, int vectors)
{
    struct gmres *g = f->gmres;
    g->vectors = vectors;
    int64_t length = sums_of_share(f);
    memset(g->sums, 0, (size_t)(g->shares * length) * sizeof *g->sums);
    run_each(g->shares, g->shares, multiply_share, f);
    for (int64_t i = length; i < g->shares * length; i++)
        g->sums[i % length] += g->sums[i];
    return reduce_over_ranks(f->A->grid, g->sums, length, MPI_SUM);
}

static number sum_of(const struct refinement *f, int c, int k)
{
    double re, im;
    f->A->precision->get(sum_at(f, 0, c, k), &re, &im);
    return re + im * (number)I;
}

/* Column c of `to` -= V times the first `count` sums. */
static void subtract_combination(const struct refinement *f, const struct block *b, const ompfact_tile *to, int c, int count)
{
    f->A->precision->kernels->gemm(NO_TRANS, NO_TRANS, to->mb, 1, count, -1, basis_of(f, b, c, 0), b->w.ld, sum_at(f, 0, c, 0),
                                   sums_of_column(f->gmres), column_of(f, to, c), to->ld);
}

/* w -= V h */
static void reject_block(void *context, int64_t q)
{
    const struct refinement *f = context;
    const struct gmres *g = f->gmres;
    for (int c = 0; c < g->width; c++)
        if (!g->columns[c].done)
            subtract_combination(f, &g->blocks[q], &g->blocks[q].w, c, g->vectors);
}

/* X -= V y D */
static void update_block(void *context, int64_t q)
{
    const struct refinement *f = context;
    const struct gmres *g = f->gmres;
    ompfact_tile x;
    matrix_view(f->X, g->blocks[q].w.i, g->tile_column, &x);
    for (int c = 0; c < x.nb; c++)
        if (g->columns[c].steps > 0)
            subtract_combination(f, &g->blocks[q], &x, c, g->columns[c].steps);
}

static void copy_column(const struct refinement *f, const ompfact_tile *w, const void *from, void *to)
{
    memcpy(to, from, f->A->precision->size * (size_t)w->mb);
}

/* w = R D^-1 */
static void begin_block(void *context, int64_t q)
{
    const struct refinement *f = context;
    const struct gmres *g = f->gmres;
    const ompfact_tile *w = &g->blocks[q].w;
    ompfact_tile r;
    matrix_view(f->R, w->i, g->tile_column, &r);
    f->A->precision->kernels->clear(w->mb, w->nb, w->data, w->ld);
    for (int c = 0; c < r.nb; c++)
        if (!g->columns[c].done) {
            copy_column(f, w, column_of(f, &r, c), column_of(f, w, c));
            scale_column(f, w, c, 1 / size_of_residual(f, r.col + c));
        }
}

/* v_j = w / |w| */
static void keep_block(void *context, int64_t q)
{
    const struct refinement *f = context;
    const struct gmres *g = f->gmres;
    const struct block *b = &g->blocks[q];
    f->A->precision->kernels->clear(b->v.mb, b->v.nb, b->v.data, b->v.ld);
    for (int c = 0; c < g->width; c++)
        if (!g->columns[c].done) {
            copy_column(f, &b->w, column_of(f, &b->w, c), column_of(f, &b->v, c));
            scale_column(f, &b->v, c, 1 / g->columns[c].norm);
            copy_column(f, &b->w, column_of(f, &b->v, c), basis_of(f, b, c, g->columns[c].steps));
        }
}

static void each_block(struct refinement *f, void (*body)(void *context, int64_t q))
{
    run_each(f->gmres->shares, f->gmres->blocks_count, body, f);
}

/* ---- a column's small problem ------------------------------------------------------------------------------------------ */

/* h, the rest of whose column is |w|, becomes a column of the triangle. */
static enum outcome rotate(struct column *p)
{
    int j = p->steps;
    number *upper = p->upper + j * (j + 1) / 2;
    for (int k = 0; k < j; k++) {
        number a = p->h[k], b = p->h[k + 1];
        p->h[k] = conj(p->c[k]) * a + p->s[k] * b;
        p->h[k + 1] = p->c[k] * b - p->s[k] * a;
    }
    double r = hypot(cabs(p->h[j]), p->norm);
    if (!isnormal(r))       /* the factors take v_j for nothing, or for no number: what was found before is the best */
        return IS_USELESS;
    p->c[j] = p->h[j] / r;
    p->s[j] = p->norm / r;
    p->h[j] = r;
    p->g[j + 1] = -p->s[j] * p->g[j];
    p->g[j] *= conj(p->c[j]);
    for (int k = 0; k <= j; k++)
        upper[k] = p->h[k];
    return cabs(p->g[j + 1]) > TOLERANCE * p->z ? GOES_ON : IS_DONE;
}

/* The sums become y D. */
static void solve_columns(struct refinement *f)
{
    struct gmres *g = f->gmres;
    g->vectors = STEPS;
    for (int c = 0; c < g->width; c++) {
        struct column *p = &g->columns[c];
        for (int k = p->steps - 1; k >= 0; k--) {
            p->g[k] /= p->upper[k * (k + 1) / 2 + k];
            for (int l = 0; l < k; l++)
                p->g[l] -= p->upper[k * (k + 1) / 2 + l] * p->g[k];
            number y = p->g[k] * size_of_residual(f, f->X->cols.start[g->tile_column] + c);
            f->A->precision->set(sum_at(f, 0, c, k), creal(y), cimag(y));
        }
    }
}

/* ---- a cycle ----------------------------------------------------------------------------------------------------------- */

static bool all_done(const struct gmres *g)
{
    for (int c = 0; c < g->width; c++)
        if (!g->columns[c].done)
            return false;
    return true;
}

/* W = R D^-1; false: this tile column is right. */
static bool begin(struct refinement *f, int tile_column)
{
    struct gmres *g = f->gmres;
    int64_t first = f->X->cols.start[tile_column], end = f->X->cols.start[tile_column + 1];
    g->tile_column = tile_column;
    for (int c = 0; c < g->width; c++)
        g->columns[c] = (struct column){ .done = first + c >= end || f->errors[first + c] == 0 };
    if (all_done(g))
        return false;
    each_block(f, begin_block);
    return true;
}

/* |w|, of each column. Collective. */
static ompfact_status measure(struct refinement *f)
{
    TRY(multiply(f, 0));
    for (int c = 0; c < f->gmres->width; c++)
        f->gmres->columns[c].norm = sqrt(creal(sum_of(f, c, 0)));
    return OMPFACT_SUCCESS;
}

/* z, W being F^-1 R D^-1. Collective. */
static ompfact_status start_columns(struct refinement *f)
{
    TRY(measure(f));
    for (int c = 0; c < f->gmres->width; c++) {
        struct column *p = &f->gmres->columns[c];
        p->g[0] = p->z = p->norm;
        p->done = !isnormal(p->z);
    }
    return OMPFACT_SUCCESS;
}

/* W = -F^-1 A v_j. Collective. */
static ompfact_status apply(struct refinement *f, bool *fits)
{
    struct gmres *g = f->gmres;
    ompfact_report report;
    matrix_clear(g->W);
    TRY(subtract_product(NO_TRANS, f->A, g->V, g->W, f->R->work, &report));
    report_add(&f->solved, &report);
    return precondition(f, g->W, g->Y, fits);
}

/* W is made orthogonal to v_0 .. v_j; h. Collective. */
static ompfact_status orthogonalise(struct refinement *f, int j)
{
    struct gmres *g = f->gmres;
    for (int c = 0; c < g->width; c++)
        memset(g->columns[c].h, 0, sizeof g->columns[c].h);
    for (int pass = 0; pass < 2; pass++) {
        TRY(multiply(f, j + 1));
        for (int c = 0; c < g->width; c++)
            for (int k = 0; k <= j; k++)
                g->columns[c].h[k] += sum_of(f, c, k);
        each_block(f, reject_block);
    }
    return measure(f);
}

/* The ranks, whose libraries may round as their processors like, agree on what became of each column. Collective. */
static ompfact_status finish_step(struct refinement *f)
{
    struct gmres *g = f->gmres;
    for (int c = 0; c < g->width; c++)
        g->sums[c] = g->columns[c].done ? IS_DONE : rotate(&g->columns[c]);
    TRY(reduce_over_ranks(f->A->grid, g->sums, g->width, MPI_MAX));
    for (int c = 0; c < g->width; c++)
        if (!g->columns[c].done) {
            g->columns[c].steps += g->sums[c] != IS_USELESS;
            g->columns[c].done = g->sums[c] != GOES_ON;
        }
    return OMPFACT_SUCCESS;
}

/* From W = R D^-1 on. Collective. */
static ompfact_status run_cycle(struct refinement *f, int *solves, bool *fits)
{
    TRY(precondition(f, f->gmres->W, f->gmres->Y, fits));
    if (!*fits)
        return OMPFACT_SUCCESS;
    TRY(start_columns(f));
    *solves = 1;
    for (int j = 0; j < STEPS && f->solves + *solves < GMRES_SOLVES && !all_done(f->gmres); j++) {
        each_block(f, keep_block);
        TRY(apply(f, fits));
        if (!*fits)
            return OMPFACT_SUCCESS;
        ++*solves;
        TRY(orthogonalise(f, j));
        TRY(finish_step(f));
    }
    solve_columns(f);
    each_block(f, update_block);
    return OMPFACT_SUCCESS;
}

/* ---- memory ------------------------------------------------------------------------------------------------------------ */

/* Bytes of my tiles of a tile column. */
static int64_t column_bytes(const ompfact_matrix *X)
{
    if (X->mt == 0 || X->nt == 0)
        return 0;
    return layout_count(X->layout, X->me, 0) * X->rows.largest * X->cols.largest * (int64_t)X->precision->size;
}

int64_t gmres_bytes(const ompfact_matrix *X, int threads)
{
    int64_t column = column_bytes(X), work = (int64_t)matrix_bytes(X->work, X->me),
            sums = threads * STEPS * (int64_t)X->precision->size;
    return (STEPS + 2) * column + (column + work) / 2 + X->cols.largest * (sums + (int64_t)sizeof(struct column));
}

static ompfact_status create_matrices(struct refinement *f)
{
    const ompfact_matrix *X = f->X;
    struct tiling first = { .count = 1, .start = X->cols.start, .largest = X->cols.largest };
    TRY(matrix_create_sized(f->X, &X->rows, &first, &f->gmres->V));
    TRY(matrix_create_sized(f->X, &X->rows, &first, &f->gmres->W));
    return ompfact_matrix_create_rhs(f->F, X->cols.largest, &f->gmres->Y);
}

/* False: no memory. */
static bool create_lists(struct refinement *f)
{
    struct gmres *g = f->gmres;
    size_t size = f->A->precision->size;
    g->width = f->X->cols.largest;
    g->shares = f->A->grid->settings.threads;
    g->columns = malloc((size_t)g->width * sizeof *g->columns);
    g->sums = malloc((size_t)g->shares * STEPS * (size_t)g->width * size);
    g->basis = malloc(STEPS * (size_t)column_bytes(f->X) + 1);
    g->blocks = malloc((size_t)(layout_tiles(g->W->layout, g->W->me) + 1) * sizeof *g->blocks);
    if (g->columns == NULL || g->sums == NULL || g->basis == NULL || g->blocks == NULL)
        return false;
    char *basis = g->basis;
    for (int i = -1, j = -1; ompfact_next_tile(g->W, &i, &j);) {
        struct block *b = &g->blocks[g->blocks_count++];
        matrix_view(g->V, i, j, &b->v);
        matrix_view(g->W, i, j, &b->w);
        b->basis = basis;
        basis += size * STEPS * (size_t)b->w.mb * (size_t)g->width;
    }
    return true;
}

static ompfact_status agree_on_memory(struct refinement *f, bool there)
{
    ompfact_grid *grid = f->A->grid;
    return agree(grid, there ? OMPFACT_SUCCESS : fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory for GMRES", f->A->me));
}

/* Collective. */
static ompfact_status gmres_create(struct refinement *f)
{
    ompfact_grid *grid = f->A->grid;
    TRY(memory_check(grid, gmres_bytes(f->X, grid->settings.threads), "the vectors of GMRES"));
    f->gmres = calloc(1, sizeof *f->gmres);
    TRY(agree_on_memory(f, f->gmres != NULL));
    TRY(create_matrices(f));
    return agree_on_memory(f, create_lists(f));
}

void gmres_destroy(struct gmres **gmres)
{
    struct gmres *g = *gmres;
    if (g == NULL)
        return;
    free(g->blocks);
    free(g->basis);
    free(g->sums);
    free(g->columns);
    ompfact_matrix_destroy(&g->Y);
    ompfact_matrix_destroy(&g->W);
    ompfact_matrix_destroy(&g->V);
    free(g);
    *gmres = NULL;
}

/* ---- all tile columns -------------------------------------------------------------------------------------------------- */

ompfact_status gmres_correct(struct refinement *f, bool *fits)
{
    int most = 0;
    if (f->gmres == NULL)
        TRY(gmres_create(f));
    *fits = true;
    for (int column = 0; *fits && column < f->X->nt; column++) {
        int solves = 0;
        if (begin(f, column))
            TRY(run_cycle(f, &solves, fits));
        most = solves > most ? solves : most;
    }
    f->solves += most;
    return OMPFACT_SUCCESS;
}
