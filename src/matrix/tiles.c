/* The caller's access to a matrix: its properties and its tiles. */
#include "omp/kernels/rounding.h"
#include "omp/kernels/truncation.h"
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

/* Multiplies U V^H out, in double. */
static void read_low_rank(const ompfact_matrix *A, const struct tile_form *form, ompfact_tile *t, void *scratch)
{
    struct low_rank_work w = { .precision = A->precision };
    A->precision->kernels->clear(t->mb, t->nb, scratch, t->mb);
    if (form->narrow)
        add_single_columns(A->precision, t->mb, t->nb, form->rank, t->data, scratch);
    else
        low_rank_expand(&w, t->mb, t->nb, form->rank, t->data, scratch, t->mb);
    t->data = scratch;
}

void matrix_read(const ompfact_matrix *A, int i, int j, void *scratch, ompfact_tile *t)
{
    matrix_view(A, i, j, t);
    const struct tile_form *form = A->compressed != NULL ? compressed_form_at(A, t->i, t->j) : NULL;
    if (form == NULL || form->rank == TILE_DENSE)
        return;
    if (form->rank < 0) {
        tile_in_precision(false, t->mb, t->nb, precision_narrowed(A->precision, form_precision(form)), t->data, A->precision,
                          scratch);
        t->data = scratch;
        return;
    }
    read_low_rank(A, form, t, scratch);
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
    int rank = compressed_form_at(A, i, j)->rank;
    return rank < 0 ? TILE_DENSE : rank;
}

void ompfact_tile_restore(ompfact_matrix *A, ompfact_tile *tile)
{
    (void)A;
    tile->data = NULL;
}
