/* Which file has what, and tiles of one size from tiles of another. */
#include "src/checkpoint/restart.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is where --------------------------------------------------------------------------------------------------------- */

/* Visits all records; false: one is of no tile of the matrix. */
static bool each_record(struct saved_tiles *s, void (*visit)(struct saved_tiles *s, struct saved_place at,
                                                             const struct saved_record *record))
{
    for (int f = 0; f < s->from->manifest.files; f++)
        for (int64_t n = 0; n < s->reader[f].count; n++) {
            const struct saved_record *record = &s->reader[f].record[n];
            bool is_tile = record->kind == SAVED_TILE;
            if (record->i < 0 || (is_tile && record->i >= s->rows.count) || record->j < 0 || record->j >= s->cols.count)
                return false;
            visit(s, (struct saved_place){ f, n }, record);
        }
    return true;
}

static void note_tile(struct saved_tiles *s, struct saved_place at, const struct saved_record *record)
{
    if (record->kind == SAVED_TILE)
        s->place[record->i + (int64_t)record->j * s->rows.count] = at;
    else
        s->beside_of[record->j + 1]++;
}

/* Each column's begin moves to its end, which is the next one's begin. */
static void note_beside(struct saved_tiles *s, struct saved_place at, const struct saved_record *record)
{
    if (record->kind != SAVED_TILE)
        s->beside[s->beside_of[record->j]++] = at;
}

static int note_places(struct saved_tiles *s)
{
    int nt = s->cols.count;
    if (!each_record(s, note_tile))
        return EINVAL;
    for (int j = 0; j < nt; j++)
        s->beside_of[j + 1] += s->beside_of[j];
    s->beside = malloc(((size_t)s->beside_of[nt] + 1) * sizeof *s->beside);
    if (s->beside == NULL)
        return ENOMEM;
    each_record(s, note_beside);
    for (int j = nt; j > 0; j--)
        s->beside_of[j] = s->beside_of[j - 1];
    s->beside_of[0] = 0;
    return 0;
}

static int find_places(struct saved_tiles *s, const char **name)
{
    const struct manifest *m = &s->from->manifest;
    int64_t tiles = (int64_t)m->mt * m->nt;
    s->reader = calloc((size_t)m->files + 1, sizeof *s->reader);
    s->place = malloc(((size_t)tiles + 1) * sizeof *s->place);
    s->beside_of = calloc((size_t)m->nt + 2, sizeof *s->beside_of);
    if (s->reader == NULL || s->place == NULL || s->beside_of == NULL)
        return ENOMEM;
    for (int64_t i = 0; i < tiles; i++)
        s->place[i] = (struct saved_place){ .reader = -1 };
    for (int f = 0; f < m->files; f++) {
        int error = tile_reader_create(&s->reader[f], s->from->folder, m, f);
        if (error != 0) {
            *name = m->file[f].name;
            return error;
        }
    }
    return note_places(s);
}

int saved_open(struct saved_tiles *s, const struct restart *from, const char **name)
{
    const struct manifest *m = &from->manifest;
    char why[MESSAGE];
    *name = NULL;
    *s = (struct saved_tiles){ .from = from };
    if (tiling_create(&s->rows, m->m, 1, m->heights, m->mt, why) != OMPFACT_SUCCESS ||
        tiling_create(&s->cols, m->n, 1, m->widths, m->nt, why) != OMPFACT_SUCCESS)
        return ENOMEM;
    return find_places(s, name);
}

void saved_close(struct saved_tiles *s)
{
    for (int f = 0; s->reader != NULL && f < s->from->manifest.files; f++)
        tile_reader_forget(&s->reader[f]);
    free(s->reader);
    free(s->place);
    free(s->beside);
    free(s->beside_of);
    tiling_destroy(&s->rows);
    tiling_destroy(&s->cols);
}

const struct saved_record *saved_find(const struct saved_tiles *s, enum saved_kind kind, int i, int j,
                                      const struct tile_reader **reader)
{
    for (int64_t n = s->beside_of[j]; n < s->beside_of[j + 1]; n++) {
        const struct saved_place *at = &s->beside[n];
        const struct saved_record *record = &s->reader[at->reader].record[at->record];
        if (record->kind == (int32_t)kind && record->i == i) {
            *reader = &s->reader[at->reader];
            return record;
        }
    }
    return NULL;
}

/* ---- tiles ----------------------------------------------------------------------------------------------------------------- */

struct filling {
    const ompfact_matrix *A;
    const struct saved_tiles *from;
    atomic_int error;
    atomic_int file;                /* to blame; -1: none */
};

static void blame(struct filling *f, int error, int file)
{
    int none = 0;
    if (atomic_compare_exchange_strong(&f->error, &none, error))
        atomic_store(&f->file, file);
}

/* The tile row that has this row. */
static int part_at(const struct tiling *t, int64_t at)
{
    int low = 0, high = t->count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(t->start[middle] <= at ? &low : &high) = middle;
    }
    return low;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* What old tile (i,j) has of the new one. */
static void copy_part(const struct filling *f, const ompfact_tile *to, int i, int j, const char *old)
{
    const struct saved_tiles *s = f->from;
    int64_t row = larger(to->row, s->rows.start[i]), col = larger(to->col, s->cols.start[j]);
    int64_t end_row = smaller(to->row + to->mb, s->rows.start[i + 1]), end_col = smaller(to->col + to->nb, s->cols.start[j + 1]);
    size_t size = f->A->precision->size;
    int64_t ld = tiling_size(&s->rows, i);
    for (int64_t c = col; c < end_col; c++)
        memcpy((char *)to->data + size * (size_t)(row - to->row + (c - to->col) * to->ld),
               old + size * (size_t)(row - s->rows.start[i] + (c - s->cols.start[j]) * ld), size * (size_t)(end_row - row));
}

/* A Hermitian matrix has tiles of one triangle alone. */
static bool is_stored(const ompfact_matrix *A, int i, int j)
{
    return !is_hermitian(&A->shape) || (is_upper(&A->shape) ? i <= j : i >= j);
}

static void fill_part(struct filling *f, const ompfact_tile *to, int i, int j)
{
    const struct saved_tiles *s = f->from;
    size_t bytes = (size_t)tiling_size(&s->rows, i) * (size_t)tiling_size(&s->cols, j) * f->A->precision->size;
    struct saved_place place = s->place[i + (int64_t)j * s->rows.count];
    if (!is_stored(f->A, i, j))
        return;
    if (place.reader < 0) {
        blame(f, ENOENT, -1);
        return;
    }
    const struct saved_record *record = &s->reader[place.reader].record[place.record];
    char *old = malloc(bytes);
    int error = old == NULL ? ENOMEM : record->bytes != (int64_t)bytes ? EINVAL : 0;
    if (error == 0)
        error = tile_reader_get(&s->reader[place.reader], record, old);
    if (error == 0)
        copy_part(f, to, i, j, old);
    else
        blame(f, error, place.reader);
    free(old);
}

static void fill(void *context, const ompfact_tile *to)
{
    struct filling *f = context;
    const struct saved_tiles *s = f->from;
    if (is_unused(f->A, to->i, to->j))
        return;
    for (int j = part_at(&s->cols, to->col); j < s->cols.count && s->cols.start[j] < to->col + to->nb; j++)
        for (int i = part_at(&s->rows, to->row); i < s->rows.count && s->rows.start[i] < to->row + to->mb; i++)
            fill_part(f, to, i, j);
}

/* ---- compressed tiles ------------------------------------------------------------------------------------------------------ */

/* A tile of the checkpoint's own size, of any rank, where it was. */
static void put_compressed(void *context, int64_t index)
{
    struct filling *f = context;
    const ompfact_matrix *A = f->A;
    const struct saved_tiles *s = f->from;
    int i = (int)(index % A->mt), j = (int)(index / A->mt);
    if (!is_stored(A, i, j) || ompfact_owner(A, i, j) != A->me)
        return;
    struct saved_place place = s->place[index];
    const struct saved_record *r = place.reader < 0 ? NULL : &s->reader[place.reader].record[place.record];
    struct tile_form *form = is_upper(&A->shape) ? compressed_form(A, j, i) : compressed_form(A, i, j);
    int mb = tiling_size(&A->rows, i), nb = tiling_size(&A->cols, j), most = largest_rank(&A->compressed->how, mb, nb);
    if (r == NULL || r->rank < TILE_DENSE || r->rank > most || r->pending < 0 || r->pending > r->rank + (r->rank < 0)) {
        blame(f, EINVAL, place.reader);
        return;
    }
    size_t elements = r->rank == TILE_DENSE ? (size_t)mb * (size_t)nb : (size_t)r->rank * (size_t)(mb + nb);
    int error = r->bytes != (int64_t)(elements * A->precision->size) ? EINVAL : 0;
    if (error == 0 && !tile_grows(&A->compressed->how, form, (size_t)r->bytes))
        error = ENOMEM;
    if (error == 0)
        error = tile_reader_get(&s->reader[place.reader], r, matrix_tile(A, i, j));
    if (error != 0)
        blame(f, error, place.reader);
    form->rank = r->rank;
    form->pending = r->pending;
    form->left_out = r->left_out;
}

/* It is as if the matrix had been filled with what the checkpoint's was. */
static ompfact_status restore_compressed(ompfact_matrix *A, struct filling *f)
{
    const struct manifest *m = &f->from->from->manifest;
    struct compressed *c = A->compressed;
    c->how.tolerance = m->tolerance;
    c->how.allowance = m->allowance;
    c->norm = m->norm;
    c->not_finite = m->not_finite;
    run_each(A->grid->settings.threads, (int64_t)A->mt * A->nt, put_compressed, f);
    matrix_touched(A);
    A->contents = CONTENTS_PLAIN;
    return OMPFACT_SUCCESS;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------- */

/* Of each finished panel. */
static int read_pivots(ompfact_matrix *A, const struct saved_tiles *s)
{
    for (int k = 0; k < s->from->manifest.step; k++) {
        const struct tile_reader *reader;
        const struct saved_record *record = saved_find(s, SAVED_PIVOTS, k, k, &reader);
        int64_t first = s->rows.start[k], end = s->cols.start[k + 1];
        end = smaller(end, shorter_side(A));
        if (record == NULL || record->bytes != (end - first) * (int64_t)sizeof *A->ipiv)
            return EINVAL;
        int error = tile_reader_get(reader, record, A->ipiv + first);
        if (error != 0)
            return error;
    }
    return 0;
}

ompfact_status restart_tiles(ompfact_matrix *A, const struct saved_tiles *s)
{
    struct filling f = { .A = A, .from = s };
    atomic_store(&f.file, -1);
    ompfact_status status = A->compressed != NULL ? restore_compressed(A, &f) : ompfact_fill_tiles(A, fill, &f);
    int error = atomic_load(&f.error), file = atomic_load(&f.file);
    if (status == OMPFACT_SUCCESS && error == 0 && s->from->manifest.pivot[0] != 'n')
        error = read_pivots(A, s);
    if (status == OMPFACT_SUCCESS && error != 0)
        status = restart_refuse(A->grid, s->from->folder, file < 0 ? "manifest.json" : s->from->manifest.file[file].name, error);
    return agree(A->grid, status);
}
