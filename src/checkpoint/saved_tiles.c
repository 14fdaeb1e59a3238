/* An opened checkpoint: finds which file has which item. */
#include "src/checkpoint/restart.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* By columns, kinds and rows. */
static int compare(const void *a, const void *b)
{
    const struct saved_record *x = ((const struct saved_place *)a)->record, *y = ((const struct saved_place *)b)->record;
    if (x->j != y->j)
        return x->j < y->j ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->i > y->i) - (x->i < y->i);
}

static const struct saved_place *find(const struct saved_tiles *s, enum saved_kind kind, int i, int j)
{
    const struct saved_record wanted = { .kind = (int32_t)kind, .i = i, .j = j };
    const struct saved_place key = { .record = &wanted };
    return bsearch(&key, s->place, (size_t)s->places, sizeof *s->place, compare);
}

const struct saved_record *saved_find(const struct saved_tiles *s, enum saved_kind kind, int i, int j,
                                      const struct tile_reader **reader)
{
    const struct saved_place *at = find(s, kind, i, j);
    *reader = at != NULL ? at->reader : NULL;
    return at != NULL ? at->record : NULL;
}

bool saved_has(const struct saved_tiles *s, int i, int j)
{
    char structure = s->from->manifest.structure;
    return structure == 'g' || (structure == 'u' || structure == 't' ? i <= j : i >= j);
}

/* ---- errors, and a slow disk ----------------------------------------------------------------------------------------------- */

/* Reports an error in a file, or in the folder. Local. */
static ompfact_status refuse_file(ompfact_grid *grid, const char *folder, const char *file, int error)
{
    bool damaged = error == EINVAL || error == EISDIR;
    return fail(grid, error == ENOMEM ? OMPFACT_NO_MEMORY : OMPFACT_BAD_ARGUMENT, "checkpoint %.100s: %.64s %s%s", folder, file,
                damaged ? "is damaged, or belongs to another checkpoint" : "cannot be read: ", damaged ? "" : strerror(error));
}

ompfact_status restart_lost(ompfact_grid *grid, const char *folder, const char *file, int error)
{
    ompfact_status status = refuse_file(grid, folder, file, error);
    return status == OMPFACT_BAD_ARGUMENT ? OMPFACT_CHECKPOINT_LOST : status;
}

void restart_answer(void *grid)
{
    rma_progress(((const ompfact_grid *)grid)->rma, true);
}

/* ---- opened ---------------------------------------------------------------------------------------------------------------- */

static ompfact_status refuse(ompfact_grid *grid, const struct saved_tiles *s, int64_t file, int error)
{
    const struct manifest *m = &s->from->manifest;
    return refuse_file(grid, s->from->folder, file < 0 ? "manifest.json" : m->file[file].name, error);
}

/* The rank that reads a file for all, which is usually not the rank that wrote it, so that the file is visible to more than its
   writer. */
static int reader_of(const ompfact_grid *grid, int file)
{
    return (file + 1) % rma_ranks(grid->rma);
}

/* Reads tables and tiles of this rank's share of the files. */
static ompfact_status read_share(ompfact_grid *grid, struct saved_tiles *s)
{
    const struct manifest *m = &s->from->manifest;
    s->reader = calloc((size_t)m->files + 1, sizeof *s->reader);
    if (s->reader == NULL)
        return refuse(grid, s, -1, ENOMEM);
    for (int f = 0; f < m->files; f++) {
        if (reader_of(grid, f) != rma_rank(grid->rma))
            continue;
        int error = tile_reader_create(&s->reader[f], s->from->folder, m, f);
        if (error == 0)
            error = tile_reader_verify(&s->reader[f], restart_answer, grid);
        if (error != 0)
            return refuse(grid, s, f, error);
    }
    return OMPFACT_SUCCESS;
}

/* Makes room for the tables that other ranks have read. */
static ompfact_status expect_tables(ompfact_grid *grid, struct saved_tiles *s, const int64_t *count)
{
    const struct manifest *m = &s->from->manifest;
    for (int f = 0; f < m->files; f++)
        if (reader_of(grid, f) != rma_rank(grid->rma) &&
            tile_reader_expect(&s->reader[f], s->from->folder, m, f, count[f]) != 0)
            return refuse(grid, s, -1, ENOMEM);
    return OMPFACT_SUCCESS;
}

static ompfact_status receive_table(ompfact_grid *grid, const struct tile_reader *r, int from)
{
    enum { PIECE = 1 << 20 };       /* records: counts of MPI are int */
    for (int64_t at = 0; at < r->count; at += PIECE) {
        int64_t count = r->count - at < PIECE ? r->count - at : PIECE;
        TRY_MPI(grid, rma_bcast(grid->rma, &r->record[at], (int)(count * (int64_t)sizeof *r->record), MPI_BYTE, from));
    }
    return OMPFACT_SUCCESS;
}

/* count: records in each file that this rank has read, 0 in others. Collective. */
static ompfact_status share_tables(ompfact_grid *grid, struct saved_tiles *s, int64_t *count)
{
    int files = s->from->manifest.files;
    TRY_MPI(grid, rma_allreduce(grid->rma, count, files, MPI_INT64_T, MPI_SUM));
    TRY(agree(grid, expect_tables(grid, s, count)));
    for (int f = 0; f < files; f++) {
        TRY(receive_table(grid, &s->reader[f], reader_of(grid, f)));
        s->places += s->reader[f].count;
    }
    return OMPFACT_SUCCESS;
}

/* There are as many files as ranks times checkpoints, too many for each rank to open all. Collective. */
static ompfact_status read_tables(ompfact_grid *grid, struct saved_tiles *s)
{
    TRY(agree(grid, read_share(grid, s)));
    CLEANUP(free_at) int64_t *count = calloc((size_t)s->from->manifest.files + 1, sizeof *count);
    TRY(agree(grid, count == NULL ? refuse(grid, s, -1, ENOMEM) : OMPFACT_SUCCESS));
    for (int f = 0; f < s->from->manifest.files; f++)
        count[f] = s->reader[f].count;
    return share_tables(grid, s, count);
}

/* Checks that each item belongs to the matrix, and occurs once. */
static ompfact_status note_places(ompfact_grid *grid, struct saved_tiles *s)
{
    int64_t n = 0;
    s->place = malloc(((size_t)s->places + 1) * sizeof *s->place);
    if (s->place == NULL)
        return refuse(grid, s, -1, ENOMEM);
    for (int f = 0; f < s->from->manifest.files; f++)
        for (int64_t k = 0; k < s->reader[f].count; k++) {
            const struct saved_record *r = &s->reader[f].record[k];
            if (r->j >= s->cols.count || (r->kind == SAVED_TILE && (r->i >= s->rows.count || !saved_has(s, r->i, r->j))))
                return refuse(grid, s, f, EINVAL);
            s->place[n++] = (struct saved_place){ &s->reader[f], r };
        }
    qsort(s->place, (size_t)n, sizeof *s->place, compare);
    for (int64_t k = 1; k < n; k++)
        if (compare(&s->place[k - 1], &s->place[k]) == 0)
            return refuse(grid, s, s->place[k].reader - s->reader, EINVAL);
    return OMPFACT_SUCCESS;
}

static ompfact_status check_tiles(ompfact_grid *grid, const struct saved_tiles *s)
{
    for (int j = 0; j < s->cols.count; j++)
        for (int i = 0; i < s->rows.count; i++)
            if (saved_has(s, i, j) && find(s, SAVED_TILE, i, j) == NULL)
                return fail(grid, OMPFACT_BAD_ARGUMENT, "checkpoint %.100s: manifest.json lacks tile (%d,%d)", s->from->folder,
                            i, j);
    return OMPFACT_SUCCESS;
}

static ompfact_status prepare(ompfact_grid *grid, struct restart *from)
{
    const struct manifest *m = &from->manifest;
    struct saved_tiles *s = from->tiles = calloc(1, sizeof *s);
    if (s == NULL)
        return refuse_file(grid, from->folder, "manifest.json", ENOMEM);
    s->from = from;
    TRY(tiling_create(&s->rows, m->m, 1, m->heights, m->mt, grid->message));
    return tiling_create(&s->cols, m->n, 1, m->widths, m->nt, grid->message);
}

ompfact_status saved_open(ompfact_grid *grid, struct restart *from)
{
    TRY(agree(grid, prepare(grid, from)));
    TRY(read_tables(grid, from->tiles));
    ompfact_status status = note_places(grid, from->tiles);
    return agree(grid, status == OMPFACT_SUCCESS ? check_tiles(grid, from->tiles) : status);
}

static void forget_tiles(struct saved_tiles *s)
{
    if (s == NULL)
        return;
    for (int f = 0; s->reader != NULL && f < s->from->manifest.files; f++)
        tile_reader_forget(&s->reader[f]);
    free(s->reader);
    free(s->place);
    tiling_destroy(&s->rows);
    tiling_destroy(&s->cols);
    free(s);
}

void restart_free(struct restart **restart)
{
    if (*restart == NULL)
        return;
    forget_tiles((*restart)->tiles);
    free((*restart)->folder);
    manifest_forget(&(*restart)->manifest);
    free(*restart);
    *restart = NULL;
}
