/*
 * Corrections by GMRES, for refinement where the factors alone no longer do (E. Carson, N. Higham, "Accelerating the Solution of
 * Linear Systems by Iterative Refinement in Three Precisions", SIAM J. Sci. Comput. 40, 2018). In each column, D the diagonal
 * matrix of the residuals' sizes, and v_0, v_1, ... orthonormal:
 *
 *     w = F^-1 R D^-1,  z = |w|,  v_0 = w / z              F^-1 as the factors have it, all else in A's precision
 *     w = -F^-1 A v_j                                      the factors precondition from the left
 *     v_j+1 h_j+1,j = w - V h_j,  h_j = V^H w              classical Gram-Schmidt, twice
 *     X -= V y D,  y minimising | z e_0 - H y |            Givens rotations
 *
 * F^-1 is applied in the factors' precision, so a cycle gains few digits whatever its tolerance; it ends at a ratio of 10^-4. The
 * columns of a tile column advance together and share solves and products with A; a column that is done has zeros for its v. Tile
 * columns are corrected one after another, in the memory of one.
 */
#include "src/solve/gmres_basis.h"

#include <math.h>
#include <string.h>

static const double TOLERANCE = 1e-4;   /* of z, at which a column is done */

/* What a step has made of a column. Ranks agree on the last of these. */
enum outcome { GOES_ON, IS_DONE, IS_USELESS };

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
            gmres_set_sum(f, c, k, y);
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
    gmres_each_block(f, gmres_begin_block);
    return true;
}

/* |w|, of each column. Collective. */
static ompfact_status measure(struct refinement *f)
{
    TRY(gmres_multiply(f, 0));
    for (int c = 0; c < f->gmres->width; c++)
        f->gmres->columns[c].norm = sqrt(creal(gmres_sum(f, c, 0)));
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
    matrix_clear(g->W);
    TRY(f->subtract(f, g->V, g->W));
    return precondition(f, g->W, g->Y, fits);
}

/* W is made orthogonal to v_0 .. v_j; h. Collective. */
static ompfact_status orthogonalise(struct refinement *f, int j)
{
    struct gmres *g = f->gmres;
    for (int c = 0; c < g->width; c++)
        memset(g->columns[c].h, 0, sizeof g->columns[c].h);
    for (int pass = 0; pass < 2; pass++) {
        TRY(gmres_multiply(f, j + 1));
        for (int c = 0; c < g->width; c++)
            for (int k = 0; k <= j; k++)
                g->columns[c].h[k] += gmres_sum(f, c, k);
        gmres_each_block(f, gmres_reject_block);
    }
    return measure(f);
}

/* The ranks, whose libraries may round as their processors like, agree on what became of each column. Collective. */
static ompfact_status finish_step(struct refinement *f)
{
    struct gmres *g = f->gmres;
    for (int c = 0; c < g->width; c++)
        g->totals[c] = g->columns[c].done ? IS_DONE : rotate(&g->columns[c]);
    TRY(reduce_over_ranks(f->A->grid, g->totals, g->width, MPI_MAX));
    for (int c = 0; c < g->width; c++)
        if (!g->columns[c].done) {
            g->columns[c].steps += g->totals[c] != IS_USELESS;
            g->columns[c].done = g->totals[c] != GOES_ON;
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
        gmres_each_block(f, gmres_keep_block);
        TRY(apply(f, fits));
        if (!*fits)
            return OMPFACT_SUCCESS;
        ++*solves;
        TRY(orthogonalise(f, j));
        TRY(finish_step(f));
    }
    solve_columns(f);
    gmres_each_block(f, gmres_update_block);
    return OMPFACT_SUCCESS;
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
