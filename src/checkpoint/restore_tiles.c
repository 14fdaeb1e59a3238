/* Makes tiles of one size from tiles of another, and restores other state. */
#include "src/checkpoint/restart.h"

#include "omp/kernels/rounding.h"
#include "omp/kernels/tile_sums.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- tiles ----------------------------------------------------------------------------------------------------------------- */

struct filling {
    const ompfact_matrix *A;
    const struct saved_tiles *from;
    atomic_int error;
    atomic_int file;                /* the file with the error; -1: none */
};

/* reader NULL: the error is in the manifest. */
static void blame(struct filling *f, int error, const struct tile_reader *reader)
{
    int none = 0;
    if (atomic_compare_exchange_strong(&f->error, &none, error))
        atomic_store(&f->file, reader != NULL ? (int)(reader - f->from->reader) : -1);
}

/* The part of the new tile that old tile (i,j) has. */
static void copy_part(const struct filling *f, const ompfact_tile *to, int i, int j, const char *old)
{
    const struct saved_tiles *s = f->from;
    int64_t row = larger_count(to->row, s->rows.start[i]), col = larger_count(to->col, s->cols.start[j]);
    int64_t end_row = smaller_count(to->row + to->mb, s->rows.start[i + 1]);
    int64_t end_col = smaller_count(to->col + to->nb, s->cols.start[j + 1]);
    size_t size = f->A->precision->size;
    int64_t ld = tiling_size(&s->rows, i);
    for (int64_t c = col; c < end_col; c++)
        memcpy((char *)to->data + size * (size_t)(row - to->row + (c - to->col) * to->ld),
               old + size * (size_t)(row - s->rows.start[i] + (c - s->cols.start[j]) * ld), size * (size_t)(end_row - row));
}

/* NULL: the error is reported. */
static char *read_tile(struct filling *f, int i, int j)
{
    const struct saved_tiles *s = f->from;
    size_t bytes = (size_t)tiling_size(&s->rows, i) * (size_t)tiling_size(&s->cols, j) * f->A->precision->size;
    const struct tile_reader *reader;
    const struct saved_record *record = saved_find(s, SAVED_TILE, i, j, &reader);
    char *old = record->bytes != (int64_t)bytes ? NULL : malloc(bytes);
    int error = old != NULL ? tile_reader_get(reader, record, old) : record->bytes != (int64_t)bytes ? EINVAL : ENOMEM;
    restart_answer(f->A->grid);
    if (error == 0)
        return old;
    blame(f, error, reader);
    free(old);
    return NULL;
}

/* Each old tile is read once for all new tiles of this rank that need it; other threads may write other parts of these. */
static void give_tile(void *context, int64_t index)
{
    struct filling *f = context;
    const ompfact_matrix *A = f->A;
    const struct saved_tiles *s = f->from;
    int i = (int)(index % s->rows.count), j = (int)(index / s->rows.count);
    int64_t end_row = s->rows.start[i + 1], end_col = s->cols.start[j + 1];
    char *old = NULL;
    if (!saved_has(s, i, j))
        return;
    for (int n = tiling_part(&A->cols, s->cols.start[j]); n < A->nt && A->cols.start[n] < end_col; n++)
        for (int m = tiling_part(&A->rows, s->rows.start[i]); m < A->mt && A->rows.start[m] < end_row; m++) {
            ompfact_tile to;
            if (is_unused(A, m, n) || ompfact_owner(A, m, n) != A->me)
                continue;
            if (old == NULL && (old = read_tile(f, i, j)) == NULL)
                return;
            matrix_view(A, m, n, &to);
            copy_part(f, &to, i, j, old);
        }
    free(old);
}

/* ---- tiles in forms of their own ------------------------------------------------------------------------------------------- */

/* Elements of a tile of this form; -1: there is no such form. Columns added since the last truncation exceed the largest rank, if
   there is room. */
static int64_t elements_of(const ompfact_matrix *A, const struct saved_record *r, int mb, int nb)
{
    int most = A->shape.accuracy > 0 ? largest_rank(&A->compressed->how, mb, nb) : 0;
    int64_t all = (int64_t)mb * nb, low = (int64_t)most * (mb + nb), columns = (int64_t)r->rank * (mb + nb);
    if (r->rank < 0)
        return r->pending == 0 ? all : -1;
    bool sound = A->shape.accuracy > 0 && r->rank >= 0 && r->pending >= 0 && r->pending <= r->rank &&
                 r->rank - r->pending <= most && columns <= (all > low ? all : low);
    return sound ? columns : -1;
}

/* The precision of the tile, now and when the matrix was filled. */
static enum tile_precision now_in(const struct saved_record *r)
{
    return r->rank == TILE_BF16 ? IN_BF16 : r->rank == TILE_SINGLE || r->precision == SAVED_NARROW ? IN_SINGLE : IN_DOUBLE;
}

static enum tile_precision filled_in(const struct saved_record *r)
{
    return r->precision == SAVED_FROM_BF16 ? IN_BF16 : r->precision == SAVED_WIDENED ? IN_SINGLE : now_in(r);
}

/* The widest and the narrowest precision that tiles of the matrix may have. */
static bool is_precision_sound(const ompfact_matrix *A, const struct saved_record *r)
{
    enum tile_precision narrowest = A->shape.bf16_tiles ? IN_BF16 : A->shape.tile_precision > 0 ? IN_SINGLE : IN_DOUBLE;
    bool widened = r->precision == SAVED_WIDENED || r->precision == SAVED_FROM_BF16;
    bool known = r->precision >= SAVED_PLAIN && r->precision <= SAVED_FROM_BF16 && r->rank >= TILE_BF16;
    return known && filled_in(r) <= narrowest && (r->precision != SAVED_NARROW || r->rank >= 0) &&
           (!widened || now_in(r) < filled_in(r)) && (r->precision != SAVED_FROM_BF16 || r->rank < 0);
}

static bool is_sound(const ompfact_matrix *A, const struct saved_record *r, int mb, int nb)
{
    int64_t elements = elements_of(A, r, mb, nb);
    return elements >= 0 && is_precision_sound(A, r) && r->left_out >= 0 && r->rounded >= 0 &&
           r->bytes == elements * (int64_t)A->precision->size >> now_in(r);
}

/* From now on the norm bounds the error of a narrow tile. */
static void take_form(const ompfact_matrix *A, const struct saved_record *r, int i, int j, struct tile_form *form)
{
    form->rank = r->rank;
    form->pending = r->pending;
    form->left_out = r->left_out;
    form->rounded = r->rounded;
    form->narrow = r->precision == SAVED_NARROW;
    form->filled = filled_in(r);
    form->norm = 0;
    if (r->rank < TILE_DENSE)
        form->norm = tile_norm(precision_narrowed(A->precision, now_in(r)), tiling_size(&A->rows, i), tiling_size(&A->cols, j),
                               matrix_tile(A, i, j));
}

/* Restores a tile of the checkpoint's own size, of any form. */
static void put_compressed(void *context, int64_t index)
{
    struct filling *f = context;
    const ompfact_matrix *A = f->A;
    int i = (int)(index % A->mt), j = (int)(index / A->mt);
    if (is_unused(A, i, j) || ompfact_owner(A, i, j) != A->me)
        return;
    const struct tile_reader *reader;
    const struct saved_record *r = saved_find(f->from, SAVED_TILE, i, j, &reader);
    struct tile_form *form = compressed_form_at(A, i, j);
    int error = 0, mb = tiling_size(&A->rows, i), nb = tiling_size(&A->cols, j);
    if (r == NULL || !is_sound(A, r, mb, nb))
        error = EINVAL;
    else if (!tile_grows(form, (size_t)r->bytes + (A->has_sums ? bytes_of_sums(mb, nb, A->precision->size) : 0)))
        error = ENOMEM;
    else
        error = tile_reader_get(reader, r, matrix_tile(A, i, j));
    restart_answer(A->grid);
    if (error != 0) {
        blame(f, error, reader);
        return;
    }
    take_form(A, r, i, j, form);
}

/* Sets the state as if the matrix had been filled with the checkpoint's matrix. */
static void restore_compressed(struct filling *f)
{
    const struct manifest *m = &f->from->from->manifest;
    struct compressed *c = f->A->compressed;
    c->how.tolerance = m->tolerance;
    c->how.allowance = m->allowance;
    c->how.rounding = m->rounding;
    c->how.roundings = m->roundings;
    c->norm = m->norm;
    c->not_finite = m->not_finite;
    run_each(f->A->grid->settings.threads, (int64_t)f->A->mt * f->A->nt, put_compressed, f);
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------- */

/* Restores data of each finished panel. */
static void read_pivots(struct filling *f)
{
    const ompfact_matrix *A = f->A;
    const struct saved_tiles *s = f->from;
    for (int k = 0; k < s->from->manifest.step; k++) {
        const struct tile_reader *reader;
        const struct saved_record *record = saved_find(s, SAVED_PIVOTS, k, k, &reader);
        int64_t first = s->rows.start[k], end = smaller_count(s->cols.start[k + 1], shorter_side(A));
        int error = EINVAL;
        if (record != NULL && record->bytes == (end - first) * (int64_t)sizeof *A->ipiv)
            error = tile_reader_get(reader, record, A->ipiv + first);
        if (error == 0 && !are_interchanges(A, A->ipiv, first, end, 0))
            error = EINVAL;
        if (error != 0) {
            blame(f, error, reader);
            return;
        }
    }
}

ompfact_status restart_tiles(ompfact_matrix *A, const struct saved_tiles *s)
{
    struct filling f = { .A = A, .from = s };
    ompfact_status status = OMPFACT_SUCCESS;
    if (A->compressed != NULL)
        restore_compressed(&f);
    else
        run_each(A->grid->settings.threads, (int64_t)s->rows.count * s->cols.count, give_tile, &f);
    matrix_touched(A);
    matrix_begins_anew(A);
    if (s->from->manifest.pivot[0] == 'p' || s->from->manifest.pivot[0] == 't')     /* rows were exchanged */
        read_pivots(&f);
    int error = atomic_load(&f.error), file = atomic_load(&f.file);
    if (error != 0)
        status = restart_lost(A->grid, s->from->folder, file < 0 ? "manifest.json" : s->from->manifest.file[file].name, error);
    return agree(A->grid, status);
}
