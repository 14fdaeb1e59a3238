#include "src/solve/gmres_basis.h"

#include <stdlib.h>
#include <string.h>

/* ---- block by block ----------------------------------------------------------------------------------------------------- */

static int sums_of_column(const struct gmres *g)
{
    return g->vectors > 0 ? g->vectors : 1;
}

static int64_t sums_of_share(const struct gmres *g)
{
    return (int64_t)g->width * sums_of_column(g);
}

static char *sum_at(const struct refinement *f, int64_t share, int c, int k)
{
    int64_t before = share * sums_of_share(f->gmres) + (int64_t)c * sums_of_column(f->gmres) + k;
    return f->gmres->sums + f->A->precision->size * (size_t)before;
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

ompfact_status gmres_multiply(struct refinement *f, int vectors)
{
    struct gmres *g = f->gmres;
    const struct precision *p = f->A->precision;
    g->vectors = vectors;
    int64_t length = sums_of_share(g);
    memset(g->sums, 0, (size_t)(g->shares * length) * p->size);
    run_each(g->shares, g->shares, multiply_share, f);
    TRY(add_up_shares(f->A, g->sums, g->shares, length, length, g->totals));
    for (int64_t i = 0; i < length; i++)
        p->set(g->sums + p->size * (size_t)i, g->totals[2 * i], g->totals[2 * i + 1]);
    return OMPFACT_SUCCESS;
}

number gmres_sum(const struct refinement *f, int c, int k)
{
    double re, im;
    f->A->precision->get(sum_at(f, 0, c, k), &re, &im);
    return re + im * (number)I;
}

void gmres_set_sum(const struct refinement *f, int c, int k, number sum)
{
    f->A->precision->set(sum_at(f, 0, c, k), creal(sum), cimag(sum));
}

/* Column c of `to` -= V times the first `count` sums. */
static void subtract_combination(const struct refinement *f, const struct block *b, const ompfact_tile *to, int c, int count)
{
    f->A->precision->kernels->gemm(NO_TRANS, NO_TRANS, to->mb, 1, count, -1, basis_of(f, b, c, 0), b->w.ld, sum_at(f, 0, c, 0),
                                   sums_of_column(f->gmres), column_of(f, to, c), to->ld);
}

/* w -= V h */
void gmres_reject_block(void *context, int64_t q)
{
    const struct refinement *f = context;
    const struct gmres *g = f->gmres;
    for (int c = 0; c < g->width; c++)
        if (!g->columns[c].done)
            subtract_combination(f, &g->blocks[q], &g->blocks[q].w, c, g->vectors);
}

/* X -= V y D */
void gmres_update_block(void *context, int64_t q)
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
void gmres_begin_block(void *context, int64_t q)
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
void gmres_keep_block(void *context, int64_t q)
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

void gmres_each_block(struct refinement *f, void (*body)(void *context, int64_t q))
{
    run_each(f->gmres->shares, f->gmres->blocks_count, body, f);
}

/* ---- memory ------------------------------------------------------------------------------------------------------------- */

/* Bytes of my tiles of a tile column. */
static int64_t column_bytes(const ompfact_matrix *X)
{
    if (X->mt == 0 || X->nt == 0)
        return 0;
    return layout_count(X->layout, X->me, 0) * X->rows.largest * X->cols.largest * (int64_t)X->precision->size;
}

int64_t gmres_bytes(const ompfact_matrix *X, int threads, bool single)
{
    int64_t column = column_bytes(X), solved = column + (int64_t)matrix_bytes(X->work, X->me),
            sums = STEPS * (threads * (int64_t)X->precision->size + 2 * (int64_t)sizeof(double));
    return (STEPS + 2) * column + (single ? solved / 2 : solved) + X->cols.largest * (sums + (int64_t)sizeof(struct column));
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
    size_t width = (size_t)g->width;
    char *basis;
    const struct array arrays[] = { ARRAY(g->columns, width), ARRAY(g->sums, (size_t)g->shares * STEPS * width * size),
                                    ARRAY(g->totals, 2 * STEPS * width), ARRAY(basis, STEPS * column_bytes(f->X)),
                                    ARRAY(g->blocks, layout_tiles(g->W->layout, g->W->me)) };
    g->memory = make_arrays(arrays, sizeof arrays / sizeof arrays[0]);
    if (g->memory == NULL)
        return false;
    for (int i = -1, j = -1; ompfact_next_tile(g->W, &i, &j);) {
        struct block *b = &g->blocks[g->blocks_count++];
        matrix_view(g->V, i, j, &b->v);
        matrix_view(g->W, i, j, &b->w);
        b->basis = basis;
        basis += size * STEPS * (size_t)b->w.mb * (size_t)g->width;
    }
    return true;
}

ompfact_status gmres_create(struct refinement *f)
{
    ompfact_grid *grid = f->A->grid;
    bool single = f->F->precision->size < f->A->precision->size;
    TRY(memory_check(grid, gmres_bytes(f->X, grid->settings.threads, single), "the vectors of GMRES"));
    f->gmres = calloc(1, sizeof *f->gmres);
    TRY(agree_memory(grid, f->gmres != NULL, "for GMRES"));
    TRY(create_matrices(f));
    return agree_memory(grid, create_lists(f), "for GMRES");
}

void gmres_destroy(struct gmres **gmres)
{
    struct gmres *g = *gmres;
    if (g == NULL)
        return;
    free(g->memory);
    ompfact_matrix_destroy(&g->Y);
    ompfact_matrix_destroy(&g->W);
    ompfact_matrix_destroy(&g->V);
    free(g);
    *gmres = NULL;
}
