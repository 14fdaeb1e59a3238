/*
 * Interchanges of rows in matrices that are not being factored: of L's columns when all later pivots are known, and of
 * right-hand sides. Works tile column by tile column; each row moves once, from its first place to its last.
 *
 * A tile column whose moved rows all belong to one rank is this rank's work alone: it waits for no other rank. Rows of other
 * columns move in rounds of all ranks (row_rounds.h).
 */
#include "src/factor/row_rounds.h"
#include "omp/kernels/workspace.h"

#include <stdatomic.h>
#include <stdlib.h>

/* The rows of a tile from the first to the last that moves, counted from the tile's first row. */
struct stretch {
    int i, first, rows;
    int64_t before;                     /* rows of the stretches before it */
};

struct interchange {
    ompfact_matrix *M;
    struct row_lists lists;
    struct row_rounds *rounds;          /* NULL: each column so far had one owner */
    int j;                              /* a tile column that has one owner, this rank */
    struct stretch *stretch;            /* [mt]: its tiles with rows that move */
    int stretches;
    int64_t rows;                       /* the rows of all stretches */
    int *place, *from;                  /* [m]: the place of row i, and of the row that becomes row i, among these rows */
    int strip;                          /* the columns that a thread moves at a time */
    atomic_bool no_memory;
    int64_t moved, moved_bytes;         /* parts of rows from other ranks, and their bytes */
};

static ompfact_status begin(struct interchange *x, ompfact_matrix *M)
{
    *x = (struct interchange){ .M = M, .stretch = malloc(((size_t)M->mt + 1) * sizeof *x->stretch),
                               .place = malloc(((size_t)M->shape.m + 1) * sizeof *x->place),
                               .from = malloc(((size_t)M->shape.m + 1) * sizeof *x->from) };
    bool made = row_lists_create(&x->lists, M) && x->stretch != NULL && x->place != NULL && x->from != NULL;
    return agree_memory(M->grid, made, "to interchange rows");
}

/* Completes the rounds; returns the first error of this rank. */
static ompfact_status finish(struct interchange *x)
{
    int code = x->rounds != NULL ? row_rounds_end(&x->rounds, &x->moved, &x->moved_bytes) : MPI_SUCCESS;
    row_lists_free(&x->lists);
    free(x->stretch);
    free(x->place);
    free(x->from);
    if (code != MPI_SUCCESS)
        return fail_mpi(x->M->grid, code);
    if (atomic_load(&x->no_memory))
        return fail(x->M->grid, OMPFACT_NO_MEMORY, "rank %d: no memory to interchange rows", x->M->me);
    return OMPFACT_SUCCESS;
}

/* ---- the moves in a tile column ----------------------------------------------------------------------------------------- */

enum { NEAR_BYTES = 256 << 10 };        /* a strip that is written and soon read again should remain in a cache */

/* The address of the first row of a stretch in a column of the tile. */
static char *first_of(const struct interchange *x, const struct stretch *s, int column)
{
    size_t before = (size_t)column * (size_t)tiling_size(&x->M->rows, s->i) + (size_t)s->first;
    return (char *)matrix_tile(x->M, s->i, x->j) + before * x->M->precision->size;
}

/* Copies some columns of the stretches, and then the rows of the copy to their places. */
static void move_strip(void *interchange, int64_t strip)
{
    struct interchange *x = interchange;
    const struct kernels *k = x->M->precision->kernels;
    const size_t size = x->M->precision->size;
    int column = (int)strip * x->strip, left = tiling_size(&x->M->cols, x->j) - column, count = left < x->strip ? left : x->strip;
    char *copy = workspace_take((size_t)x->rows * (size_t)count * size);
    if (copy == NULL) {
        atomic_store(&x->no_memory, true);
        return;
    }
    for (const struct stretch *s = x->stretch; s < x->stretch + x->stretches; s++)
        k->copy_rows(s->rows, count, NULL, first_of(x, s, column), tiling_size(&x->M->rows, s->i), NULL,
                     copy + (size_t)s->before * size, (int)x->rows);
    for (const struct stretch *s = x->stretch; s < x->stretch + x->stretches; s++)
        k->copy_rows(s->rows, count, x->from + x->M->rows.start[s->i] + s->first, copy, (int)x->rows, NULL,
                     first_of(x, s, column), tiling_size(&x->M->rows, s->i));
    workspace_give(copy);
}

/* The stretch of tile row i; without rows if none moves. */
static struct stretch stretch_of(const struct interchange *x, int i, const int64_t *source)
{
    const int64_t *start = x->M->rows.start;
    int64_t first = start[i], end = start[i + 1];
    while (first < end && source[first] == first)
        first++;
    while (first < end && source[end - 1] == end - 1)
        end--;
    return (struct stretch){ i, (int)(first - start[i]), (int)(end - first), x->rows };
}

/* Lists the stretches from this tile row on, and where their rows come from. */
static void list_stretches(struct interchange *x, int top, const int64_t *source)
{
    const int64_t *start = x->M->rows.start;
    x->stretches = 0;
    x->rows = 0;
    for (int i = top; i < x->M->mt; i++) {
        struct stretch s = stretch_of(x, i, source);
        for (int r = 0; r < s.rows; r++)
            x->place[start[i] + s.first + r] = (int)x->rows++;
        if (s.rows > 0)
            x->stretch[x->stretches++] = s;
    }
    for (const struct stretch *s = x->stretch; s < x->stretch + x->stretches; s++)
        for (int64_t row = start[s->i] + s->first; row < start[s->i] + s->first + s->rows; row++)
            x->from[row] = x->place[source[row]];
}

static void move_whole(struct interchange *x, int j, int64_t first, const int64_t *source)
{
    x->j = j;
    list_stretches(x, first < x->M->shape.m ? x->lists.tile[first] : x->M->mt, source);
    if (x->rows == 0)
        return;
    int64_t bytes = x->rows * (int64_t)x->M->precision->size;
    x->strip = bytes > NEAR_BYTES ? 1 : (int)(NEAR_BYTES / bytes);
    run_each(x->M->grid->settings.threads, (tiling_size(&x->M->cols, j) + x->strip - 1) / x->strip, move_strip, x);
}

/* Row source[i] of tile column j of M becomes row i, for i >= first, the first row of a tile. Errors are those of the staging
   memory, on all ranks. */
static ompfact_status move_column(struct interchange *x, int j, int64_t first, const int64_t *source)
{
    int owner = row_lists_column(&x->lists, j, first);
    if (owner == x->M->me)
        move_whole(x, j, first, source);
    if (owner >= 0)
        return OMPFACT_SUCCESS;
    if (x->rounds == NULL)
        TRY(row_rounds_begin(&x->lists, &x->rounds));
    row_rounds_add(x->rounds, j, first, source);
    return OMPFACT_SUCCESS;
}

/* ---- the rows to move --------------------------------------------------------------------------------------------------- */

/* rows[i] becomes the row at place i after interchanges from .. to-1 of the present rows[]; backwards if to < from. */
static void apply(const int64_t *ipiv, int64_t from, int64_t to, int64_t *rows)
{
    for (int64_t j = from; j != to; j += from < to ? 1 : -1) {
        int64_t at = from < to ? j : j - 1, row = rows[at];
        rows[at] = rows[ipiv[at]];
        rows[ipiv[at]] = row;
    }
}

static int64_t *identity(const ompfact_matrix *M)
{
    int64_t *rows = malloc(((size_t)M->shape.m + 1) * sizeof *rows);
    for (int64_t i = 0; rows != NULL && i < M->shape.m; i++)
        rows[i] = i;
    return rows;
}

/* Called when every rank has finished; adds the cost to M's report. */
static ompfact_status conclude(ompfact_matrix *M, const struct interchange *x, ompfact_status status, double start)
{
    double seconds = run_clock() - start;
    int64_t moved[2] = { x->moved, x->moved_bytes };
    TRY(agree(M->grid, status));
    TRY_MPI(M->grid, rma_allreduce(M->grid->rma, &seconds, 1, MPI_DOUBLE, MPI_MAX));
    TRY_MPI(M->grid, rma_allreduce(M->grid->rma, moved, 2, MPI_INT64_T, MPI_SUM));
    M->report.seconds += seconds;
    M->report.rows_exchanged += moved[0];
    M->report.transfer_bytes += moved[1];
    return OMPFACT_SUCCESS;
}

ompfact_status interchange_rows(ompfact_matrix *M, const int64_t *ipiv, int64_t count, bool back)
{
    double start = run_clock();
    CLEANUP(free_at) int64_t *rows = identity(M);
    struct interchange x = { 0 };
    ompfact_status status = agree_memory(M->grid, rows != NULL, "to interchange rows");
    if (status == OMPFACT_SUCCESS)
        status = begin(&x, M);
    if (status == OMPFACT_SUCCESS)
        apply(ipiv, back ? count : 0, back ? 0 : count, rows);
    for (int j = 0; j < M->nt && status == OMPFACT_SUCCESS; j++)
        status = move_column(&x, j, 0, rows);
    ompfact_status last = finish(&x);
    status = status == OMPFACT_SUCCESS ? last : status;
    return conclude(M, &x, status, start);
}

/* Applies to column j the interchanges of the later steps, except those before `first`, which it has. From the right: rows(j) =
   rows(j+1) after those of step j+1. */
static ompfact_status left_columns(struct interchange *x, int first, int end, int64_t *rows, int64_t *step)
{
    const ompfact_matrix *A = x->M;
    int64_t m = A->shape.m, count = shorter_side(A);
    for (int j = end - 2; j >= 0; j--) {
        int64_t from = A->rows.start[j + 1], to = A->rows.start[j + 2] < count ? A->rows.start[j + 2] : count;
        for (int64_t i = from; i < m; i++)
            step[i] = i;
        apply(A->ipiv, from, to, step);
        for (int64_t i = from; i < m && j + 1 >= first; i++)
            rows[i] = step[rows[i]];
        TRY(move_column(x, j, from, rows));
    }
    return OMPFACT_SUCCESS;
}

ompfact_status interchange_left(ompfact_matrix *A, int end)
{
    double start = run_clock();
    CLEANUP(free_at) int64_t *rows = identity(A), *step = identity(A);
    struct interchange x = { 0 };
    ompfact_status status = agree_memory(A->grid, rows != NULL && step != NULL, "to interchange rows");
    if (status == OMPFACT_SUCCESS)
        status = begin(&x, A);
    if (status == OMPFACT_SUCCESS)
        status = left_columns(&x, A->left, end, rows, step);
    ompfact_status last = finish(&x);
    status = status == OMPFACT_SUCCESS ? last : status;
    return conclude(A, &x, status, start);
}
