/*
 * Corrections by GMRES, for refinement where the factors alone no longer do (E. Carson, N. Higham, "Accelerating the Solution of
 * Linear Systems by Iterative Refinement in Three Precisions", SIAM J. Sci. Comput. 40, 2018). In each column, D the diagonal
 * matrix of the residuals' sizes, and v_0, v_1, ... orthonormal:
 *
 *     z = F^-1 R D^-1,  v_0 = z / |z|                      F^-1 in single, all else in double
 *     w = -F^-1 A v_j                                      the factors precondition from the left
 *     v_j+1 h_j+1,j = w - V h_j,  h_j = V^H w              classical Gram-Schmidt, twice
 *     X -= V y D,  y minimising | |z| e_0 - H y |          Givens rotations
 *
 * F^-1 is applied in single, so that one cycle gains few digits whatever is asked of it: it ends at a ratio of 10^-4. The columns
 * go side by side and share solves and products with A; one that is done has zeros for its v.
 */
#include "src/solve/refine.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

typedef double complex number;

enum { TRIANGLE = GMRES_STEPS * (GMRES_STEPS + 1) / 2 };
static const double TOLERANCE = 1e-4;   /* of |z|, at which a column is done */

/* Of a right-hand side. */
struct column {
    double size;                    /* of the residual; 0: nothing to do */
    double scale;                   /* of what becomes the next v */
    double start;                   /* |z| */
    int steps;
    bool done;
    number h[GMRES_STEPS];          /* of this step */
    number upper[TRIANGLE];         /* H after the rotations, column by column */
    number c[GMRES_STEPS];          /* the rotations: ( conj(c) s; -s c ) */
    double s[GMRES_STEPS];
    number g[GMRES_STEPS + 1];      /* |z| e_0 after the rotations */
};

struct gmres {
    ompfact_matrix *V;              /* column c of X has the columns from c * GMRES_STEPS on */
    ompfact_matrix *W;              /* like X */
    struct column *columns;
    ompfact_tile *tiles;            /* mine, of R */
    int64_t tiles_count;
    int shares;
    double *sums;                   /* shares x length; elements of X's type, GMRES_STEPS for each of its columns */
    int64_t length;
    int step;                       /* j */
};

/* ---- tile by tile ------------------------------------------------------------------------------------------------------ */

static char *column_of(const struct refinement *f, const ompfact_tile *t, int c)
{
    return (char *)t->data + f->A->precision->size * (size_t)c * (size_t)t->ld;
}

static char *sums_of(const struct refinement *f, int64_t share, int64_t column)
{
    const struct gmres *g = f->gmres;
    return (char *)(g->sums + share * g->length) + f->A->precision->size * (size_t)column * GMRES_STEPS;
}

static void project_share(void *context, int64_t share)
{
    const struct refinement *f = context;
    const struct gmres *g = f->gmres;
    const struct kernels *k = f->A->precision->kernels;
    for (int64_t q = share; q < g->tiles_count; q += g->shares)
        for (int c = 0; c < g->tiles[q].nb; c++) {
            const ompfact_tile *r = &g->tiles[q];
            ompfact_tile v;
            matrix_view(g->V, r->i, (int)r->col + c, &v);
            k->gemm(CONJ_TRANS, NO_TRANS, g->step + 1, 1, r->mb, 1, v.data, v.ld, column_of(f, r, c), r->ld,
                    sums_of(f, share, r->col + c), GMRES_STEPS);
        }
}

static void square_share(void *context, int64_t share)
{
    const struct refinement *f = context;
    const struct gmres *g = f->gmres;
    const struct kernels *k = f->A->precision->kernels;
    for (int64_t q = share; q < g->tiles_count; q += g->shares)
        for (int c = 0; c < g->tiles[q].nb; c++) {
            const ompfact_tile *r = &g->tiles[q];
            k->gemm(CONJ_TRANS, NO_TRANS, 1, 1, r->mb, 1, column_of(f, r, c), r->ld, column_of(f, r, c), r->ld,
                    sums_of(f, share, r->col + c), GMRES_STEPS);
        }
}

/* The sums over all tiles of all ranks. Collective. */
static ompfact_status sum_up(struct refinement *f, void (*body)(void *context, int64_t share))
{
    struct gmres *g = f->gmres;
    for (int64_t i = 0; i < g->shares * g->length; i++)
        g->sums[i] = 0;
    run_each(g->shares, g->shares, body, f);
    for (int64_t i = g->length; i < g->shares * g->length; i++)
        g->sums[i % g->length] += g->sums[i];
    return reduce_over_ranks(f->A->grid, g->sums, g->length, MPI_SUM);
}

static number sum_of(const struct refinement *f, int64_t column, int k)
{
    double re, im;
    f->A->precision->get(sums_of(f, 0, column) + f->A->precision->size * (size_t)k, &re, &im);
    return re + im * (number)I;
}

/* to -= V times the sums, `count` of each column. */
static void subtract_combination(const struct refinement *f, const ompfact_tile *to, int c, int count)
{
    ompfact_tile v;
    matrix_view(f->gmres->V, to->i, (int)to->col + c, &v);
    f->A->precision->kernels->gemm(NO_TRANS, NO_TRANS, to->mb, 1, count, -1, v.data, v.ld, sums_of(f, 0, to->col + c),
                                   GMRES_STEPS, column_of(f, to, c), to->ld);
}

/* w -= V h */
static void reject_tile(void *context, int64_t q)
{
    const struct refinement *f = context;
    const ompfact_tile *r = &f->gmres->tiles[q];
    for (int c = 0; c < r->nb; c++)
        subtract_combination(f, r, c, f->gmres->step + 1);
}

/* X -= V y D */
static void update_tile(void *context, int64_t q)
{
    const struct refinement *f = context;
    ompfact_tile x;
    matrix_view(f->X, f->gmres->tiles[q].i, f->gmres->tiles[q].j, &x);
    for (int c = 0; c < x.nb; c++)
        if (f->gmres->columns[x.col + c].steps > 0)
            subtract_combination(f, &x, c, f->gmres->columns[x.col + c].steps);
}

/* W = R, each column times its scale. */
static void scale_tile(void *context, int64_t q)
{
    const struct refinement *f = context;
    const struct kernels *k = f->A->precision->kernels;
    const ompfact_tile *r = &f->gmres->tiles[q];
    ompfact_tile w;
    matrix_view(f->gmres->W, r->i, r->j, &w);
    k->clear(w.mb, w.nb, w.data, w.ld);
    for (int c = 0; c < r->nb; c++)
        k->add(r->mb, 1, f->gmres->columns[r->col + c].scale, column_of(f, r, c), r->ld, column_of(f, &w, c), w.ld);
}

/* v_j = w */
static void keep_tile(void *context, int64_t q)
{
    const struct refinement *f = context;
    const struct kernels *k = f->A->precision->kernels;
    const ompfact_tile *r = &f->gmres->tiles[q];
    ompfact_tile w, v;
    matrix_view(f->gmres->W, r->i, r->j, &w);
    for (int c = 0; c < w.nb; c++) {
        matrix_view(f->gmres->V, r->i, (int)r->col + c, &v);
        k->clear(v.mb, 1, column_of(f, &v, f->gmres->step), v.ld);
        k->add(w.mb, 1, 1, column_of(f, &w, c), w.ld, column_of(f, &v, f->gmres->step), v.ld);
    }
}

static void each_of_mine(struct refinement *f, void (*body)(void *context, int64_t q))
{
    run_each(f->gmres->shares, f->gmres->tiles_count, body, f);
}

/* ---- a column's small problem ------------------------------------------------------------------------------------------ */

/* h, the rest of whose column is `below`, becomes a column of the triangle. */
static void rotate(struct column *p, double below)
{
    int j = p->steps;
    number *upper = p->upper + j * (j + 1) / 2;
    for (int k = 0; k < j; k++) {
        number a = p->h[k], b = p->h[k + 1];
        p->h[k] = conj(p->c[k]) * a + p->s[k] * b;
        p->h[k + 1] = p->c[k] * b - p->s[k] * a;
    }
    double r = hypot(cabs(p->h[j]), below);
    p->done = true;
    if (r == 0)     /* the factors take v_j for nothing: what was found before is the best */
        return;
    p->c[j] = p->h[j] / r;
    p->s[j] = below / r;
    p->h[j] = r;
    p->g[j + 1] = -p->s[j] * p->g[j];
    p->g[j] *= conj(p->c[j]);
    for (int k = 0; k <= j; k++)
        upper[k] = p->h[k];
    p->steps = j + 1;
    p->done = !(cabs(p->g[j + 1]) > TOLERANCE * p->start);      /* a NaN ends it, too */
}

/* The sums become y D. */
static void solve_columns(struct refinement *f)
{
    for (int64_t i = 0; i < f->X->shape.n; i++) {
        struct column *p = &f->gmres->columns[i];
        for (int k = p->steps - 1; k >= 0; k--) {
            p->g[k] /= p->upper[k * (k + 1) / 2 + k];
            for (int l = 0; l < k; l++)
                p->g[l] -= p->upper[k * (k + 1) / 2 + l] * p->g[k];
            number y = p->g[k] * p->size;
            f->A->precision->set(sums_of(f, 0, i) + f->A->precision->size * (size_t)k, creal(y), cimag(y));
        }
    }
}

/* ---- a cycle ----------------------------------------------------------------------------------------------------------- */

/* W = R D^-1. Collective. */
static ompfact_status begin(struct refinement *f)
{
    double *sizes;
    TRY(column_maxima(f->R, &sizes));
    for (int64_t i = 0; i < f->X->shape.n; i++) {
        double size = f->errors[i] > 0 ? sizes[i] : 0;
        f->gmres->columns[i] = (struct column){ .size = size, .scale = size > 0 ? 1 / size : 0 };
    }
    free(sizes);
    each_of_mine(f, scale_tile);
    return OMPFACT_SUCCESS;
}

/* v_0. Collective. */
static ompfact_status start(struct refinement *f)
{
    struct gmres *g = f->gmres;
    TRY(sum_up(f, square_share));
    for (int64_t i = 0; i < f->X->shape.n; i++) {
        struct column *p = &g->columns[i];
        p->start = sqrt(creal(sum_of(f, i, 0)));
        p->g[0] = p->start;
        p->done = !(p->start > 0);
        p->scale = p->done ? 0 : 1 / p->start;
    }
    g->step = 0;
    each_of_mine(f, scale_tile);
    each_of_mine(f, keep_tile);
    return OMPFACT_SUCCESS;
}

/* R = -F^-1 A v_j, W being v_j. Collective. */
static ompfact_status apply(struct refinement *f, bool *fits)
{
    ompfact_report report;
    matrix_clear(f->R);
    TRY(subtract_product(NO_TRANS, f->A, f->gmres->W, f->R, f->R->work, &report));
    report_add(&f->solved, &report);
    return precondition(f, f->R, fits);
}

/* R is made orthogonal to v_0 .. v_j; h. Collective. */
static ompfact_status orthogonalise(struct refinement *f)
{
    struct gmres *g = f->gmres;
    for (int pass = 0; pass < 2; pass++) {
        TRY(sum_up(f, project_share));
        for (int64_t i = 0; i < f->X->shape.n; i++)
            for (int k = 0; k <= g->step; k++)
                g->columns[i].h[k] = (pass == 0 ? 0 : g->columns[i].h[k]) + sum_of(f, i, k);
        each_of_mine(f, reject_tile);
    }
    return OMPFACT_SUCCESS;
}

/* v_j+1, if there is to be one. Collective. */
static ompfact_status finish_step(struct refinement *f, bool *done)
{
    struct gmres *g = f->gmres;
    TRY(sum_up(f, square_share));
    *done = true;
    for (int64_t i = 0; i < f->X->shape.n; i++) {
        struct column *p = &g->columns[i];
        double below = sqrt(creal(sum_of(f, i, 0)));
        if (!p->done)
            rotate(p, below);
        p->scale = p->done ? 0 : 1 / below;
        *done = *done && p->done;
    }
    *done = *done || ++g->step == GMRES_STEPS || f->solves >= GMRES_SOLVES;
    if (*done)
        return OMPFACT_SUCCESS;
    each_of_mine(f, scale_tile);
    each_of_mine(f, keep_tile);
    return OMPFACT_SUCCESS;
}

ompfact_status gmres_correct(struct refinement *f, bool *fits)
{
    bool done = false;
    TRY(begin(f));
    TRY(precondition(f, f->gmres->W, fits));
    if (!*fits)
        return OMPFACT_SUCCESS;
    TRY(start(f));
    while (!done) {
        TRY(apply(f, fits));
        if (!*fits)
            return OMPFACT_SUCCESS;
        TRY(orthogonalise(f));
        TRY(finish_step(f, &done));
    }
    solve_columns(f);
    each_of_mine(f, update_tile);
    return OMPFACT_SUCCESS;
}

/* ---- memory ------------------------------------------------------------------------------------------------------------ */

static ompfact_status create_basis(struct refinement *f)
{
    struct gmres *g = f->gmres;
    struct tiling columns = { 0 };
    ompfact_status status = tiling_create(&columns, f->X->shape.n * GMRES_STEPS, GMRES_STEPS, NULL, 0, f->A->grid->message);
    status = agree(f->A->grid, status);
    if (status == OMPFACT_SUCCESS)
        status = matrix_create_sized(f->X, &f->X->rows, &columns, &g->V);
    tiling_destroy(&columns);
    TRY(status);
    matrix_clear(g->V);
    return ompfact_matrix_create_rhs(f->A, f->X->shape.n, &g->W);
}

/* False: no memory. */
static bool create_lists(struct refinement *f)
{
    struct gmres *g = f->gmres;
    int64_t n = f->X->shape.n;
    g->shares = f->A->grid->settings.threads;
    g->length = n * GMRES_STEPS * (int64_t)(f->A->precision->size / sizeof(double));
    g->columns = malloc((size_t)(n + 1) * sizeof *g->columns);
    g->sums = malloc((size_t)(g->shares * g->length + 1) * sizeof *g->sums);
    g->tiles = malloc((size_t)(layout_tiles(f->R->layout, f->R->me) + 1) * sizeof *g->tiles);
    if (g->columns == NULL || g->sums == NULL || g->tiles == NULL)
        return false;
    for (int i = -1, j = -1; ompfact_next_tile(f->R, &i, &j);)
        matrix_view(f->R, i, j, &g->tiles[g->tiles_count++]);
    return true;
}

ompfact_status gmres_create(struct refinement *f)
{
    ompfact_grid *grid = f->A->grid;
    f->gmres = calloc(1, sizeof *f->gmres);
    bool ready = f->gmres != NULL && create_lists(f);
    TRY(agree(grid, ready ? OMPFACT_SUCCESS : fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory for GMRES", f->A->me)));
    return create_basis(f);
}

void gmres_destroy(struct gmres **gmres)
{
    struct gmres *g = *gmres;
    if (g == NULL)
        return;
    ompfact_matrix_destroy(&g->W);
    ompfact_matrix_destroy(&g->V);
    free(g->tiles);
    free(g->sums);
    free(g->columns);
    free(g);
    *gmres = NULL;
}
