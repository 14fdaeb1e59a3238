/* The caller's access to a matrix: its properties, its tiles, filling it. */
#include "src/matrix/layers.h"

#include <stdlib.h>

ompfact_grid *ompfact_grid_of(const ompfact_matrix *A)
{
    return A->grid;
}

ompfact_shape ompfact_shape_of(const ompfact_matrix *A)
{
    const ompfact_shape *s = &A->shape;
    return (ompfact_shape){ .m = s->m, .n = s->n, .type = shape_type(s), .structure = s->structure,
                            .full_storage = s->full_storage, .nb = s->nb, .purpose = s->purpose, .accuracy = s->accuracy,
                            .band = s->band, .max_rank = s->max_rank, .copies = layers_count(A),
                            .tile_precision = s->tile_precision, .bf16_tiles = s->bf16_tiles };
}

int64_t ompfact_rows(const ompfact_matrix *A)
{
    return A->shape.m;
}

int64_t ompfact_cols(const ompfact_matrix *A)
{
    return A->shape.n;
}

int ompfact_tile_rows(const ompfact_matrix *A)
{
    return A->mt;
}

int ompfact_tile_cols(const ompfact_matrix *A)
{
    return A->nt;
}

int ompfact_tile_height(const ompfact_matrix *A)
{
    return A->rows.largest;
}

int ompfact_tile_width(const ompfact_matrix *A)
{
    return A->cols.largest;
}

int ompfact_tile_row_of(const ompfact_matrix *A, int64_t row)
{
    return tiling_part(&A->rows, row);
}

int ompfact_tile_col_of(const ompfact_matrix *A, int64_t col)
{
    return tiling_part(&A->cols, col);
}

char ompfact_type(const ompfact_matrix *A)
{
    return A->precision->type;
}

const char *ompfact_layout(const ompfact_matrix *A)
{
    return A->pattern->name;
}

int ompfact_owner(const ompfact_matrix *A, int i, int j)
{
    if (i < 0 || j < 0 || i >= A->mt || j >= A->nt)
        return -1;
    int row = is_upper(&A->shape) ? j : i, col = is_upper(&A->shape) ? i : j;
    return layout_is_stored(A->layout, row, col) ? layout_owner(A->layout, row, col) : -1;
}

ompfact_report ompfact_last_report(const ompfact_matrix *A)
{
    ompfact_report report = A->report;
    report.register_s = A->register_s;
    return report;
}

void ompfact_ipiv(const ompfact_matrix *A, int64_t *ipiv)
{
    for (int64_t i = 0; i < shorter_side(A); i++)
        ipiv[i] = 1 + (A->pivoted ? A->ipiv[i] : i);
}

bool are_interchanges(const ompfact_matrix *A, const int64_t *ipiv, int64_t from, int64_t end, int base)
{
    for (int64_t i = from; i < end; i++)
        if (ipiv[i] < i + base || ipiv[i] >= A->shape.m + base)
            return false;
    return true;
}

static ompfact_status check_not_spread(const ompfact_matrix *A)
{
    if (!A->spread)
        return OMPFACT_SUCCESS;
    return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the factors of a matrix in %d copies are spread over its layers: "
                "ompfact_bring_home() brings their tiles to the ranks that own them", layers_count(A));
}

static bool next_tile(const ompfact_matrix *A, int *i, int *j)
{
    if (A->mt == 0 || A->nt == 0)
        return false;
    if (*j < 0) {
        *j = first_col(A, 0);
        *i = *j < A->nt ? first_row(A, *j, 0) : A->mt;
    } else {
        *i = next_row(A, *i, *j);
    }
    while (*j < A->nt && *i >= A->mt) {
        *j = first_col(A, *j + 1);
        *i = *j < A->nt ? first_row(A, *j, 0) : A->mt;
    }
    return *j < A->nt;
}

bool ompfact_next_tile(const ompfact_matrix *A, int *i, int *j)
{
    return is_upper(&A->shape) ? next_tile(A, j, i) : next_tile(A, i, j);
}

ompfact_status ompfact_tile_get(ompfact_matrix *A, int i, int j, ompfact_tile *tile)
{
    *tile = (ompfact_tile){ .i = i, .j = j };
    if (i < 0 || i >= A->mt || j < 0 || j >= A->nt)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "there is no tile (%d,%d) among %d x %d", i, j, A->mt, A->nt);
    if (ompfact_owner(A, i, j) != A->me)
        return fail(A->grid, OMPFACT_NOT_OWNER, "tile (%d,%d) does not belong to rank %d", i, j, A->me);
    TRY(check_not_spread(A));
    if (ompfact_tile_rank(A, i, j) >= 0)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "tile (%d,%d) is compressed, to rank %d", i, j, ompfact_tile_rank(A, i, j));
    if (kept_precision(A, i, j) != IN_DOUBLE)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "tile (%d,%d) is in %s, and the matrix in double", i, j,
                    kept_precision(A, i, j) == IN_SINGLE ? "single precision" : "bfloat16");
    matrix_view(A, i, j, tile);
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_tile_read(const ompfact_matrix *A, int i, int j, void *room, ompfact_tile *tile)
{
    *tile = (ompfact_tile){ .i = i, .j = j };
    if (ompfact_owner(A, i, j) != A->me)
        return fail(A->grid, OMPFACT_NOT_OWNER, "tile (%d,%d) does not belong to rank %d", i, j, A->me);
    TRY(check_not_spread(A));
    matrix_read(A, i, j, room, tile);
    return OMPFACT_SUCCESS;
}

int ompfact_tile_rank(const ompfact_matrix *A, int i, int j)
{
    if (A->compressed == NULL || ompfact_owner(A, i, j) != A->me)
        return -1;
    int rank = is_upper(&A->shape) ? compressed_form(A, j, i)->rank : compressed_form(A, i, j)->rank;
    return rank < 0 ? TILE_DENSE : rank;
}

void ompfact_tile_restore(ompfact_matrix *A, ompfact_tile *tile)
{
    (void)A;
    tile->data = NULL;
}

/* ---- filling ------------------------------------------------------------------------------------------------------------ */

struct filling {
    ompfact_tile *tiles;
    void (*fill)(void *context, const ompfact_tile *tile);
    void *context;
};

static void fill_one(void *context, int64_t index)
{
    const struct filling *f = context;
    f->fill(f->context, &f->tiles[index]);
}

ompfact_status ompfact_fill_tiles(ompfact_matrix *A, void (*fill)(void *context, const ompfact_tile *tile), void *context)
{
    if (A->compressed != NULL) {
        matrix_begins_anew(A);
        return compressed_fill(A, fill, context);
    }
    int64_t count = layout_tiles(A->layout, A->me), n = 0;
    struct filling f = { .fill = fill, .context = context, .tiles = malloc((size_t)(count + 1) * sizeof *f.tiles) };
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile alone, *t = f.tiles != NULL ? &f.tiles[n++] : &alone;
        matrix_view(A, i, j, t);
        if (t == &alone)        /* there is no memory for a list; the call is local, and other ranks would not fail */
            fill(context, t);
    }
    run_each(A->grid->settings.threads, n, fill_one, &f);
    free(f.tiles);
    matrix_touched(A);
    matrix_begins_anew(A);
    return OMPFACT_SUCCESS;
}

struct entries {
    const ompfact_matrix *A;
    void (*entry)(void *context, int64_t i, int64_t j, void *value);
    void *context;
};

static void fill_entries(void *context, const ompfact_tile *t)
{
    const struct entries *e = context;
    enum uplo part = part_used(e->A, t->i, t->j);
    for (int c = 0; c < t->nb; c++)
        for (int r = part == LOWER ? c : 0; r < (part == UPPER ? c + 1 : t->mb); r++)
            e->entry(e->context, t->row + r, t->col + c,
                     (char *)t->data + e->A->precision->size * (size_t)(r + (int64_t)c * t->ld));
}

ompfact_status ompfact_fill_entries(ompfact_matrix *A, void (*entry)(void *context, int64_t i, int64_t j, void *value),
                                    void *context)
{
    return ompfact_fill_tiles(A, fill_entries, &(struct entries){ .A = A, .entry = entry, .context = context });
}
