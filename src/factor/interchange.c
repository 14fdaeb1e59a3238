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

struct interchange {
    ompfact_matrix *M;
    struct row_lists lists;
    struct row_rounds *rounds;          /* NULL: each column so far had one owner */
    int j;                              /* a tile column that has one owner, this rank */
    int *tile, tiles;                   /* [mt]: its tiles with rows that move, and their number */
    int *from;                          /* [m]: the row that becomes row i, counted from the first row of these tiles */
    int64_t first, rows;                /* that row, and the number of rows from there to the end of these tiles */
    int strip;                          /* the columns that a thread moves at a time */
    atomic_bool no_memory;
    int64_t moved, moved_bytes;         /* parts of rows from other ranks, and their bytes */
};

static ompfact_status begin(struct interchange *x, ompfact_matrix *M)
{
    *x = (struct interchange){ .M = M, .tile = malloc(((size_t)M->mt + 1) * sizeof *x->tile),
                               .from = malloc(((size_t)M->shape.m + 1) * sizeof *x->from) };
    bool made = row_lists_create(&x->lists, M) && x->tile != NULL && x->from != NULL;
    return agree_memory(M->grid, made, "to interchange rows");
}

/* Completes the rounds; returns the first error of this rank. */
static ompfact_status finish(struct interchange *x)
{
    int code = x->rounds != NULL ? row_rounds_end(&x->rounds, &x->moved, &x->moved_bytes) : MPI_SUCCESS;
    row_lists_free(&x->lists);
    free(x->tile);
    free(x->from);
    if (code != MPI_SUCCESS)
        return fail_mpi(x->M->grid, code);
    if (atomic_load(&x->no_memory))
        return fail(x->M->grid, OMPFACT_NO_MEMORY, "rank %d: no memory to interchange rows", x->M->me);
    return OMPFACT_SUCCESS;
}

/* ---- the moves in a tile column ----------------------------------------------------------------------------------------- */

enum { NEAR_BYTES = 256 << 10 };        /* a strip that is written and soon read again should remain in a cache */

/* Copies some columns of the tiles, and then the rows of the copy to their places: all reads and writes of a tile are of
   consecutive rows. */
static void move_strip(void *interchange, int64_t strip)
{
    const struct interchange *x = interchange;
    const ompfact_matrix *M = x->M;
    const struct kernels *k = M->precision->kernels;
    const size_t size = M->precision->size;
    int column = (int)strip * x->strip, left = tiling_size(&M->cols, x->j) - column, count = left < x->strip ? left : x->strip;
    char *copy = workspace_take((size_t)x->rows * (size_t)count * size);
    if (copy == NULL) {
        atomic_store(&((struct interchange *)interchange)->no_memory, true);
        return;
    }
    for (int t = 0; t < 2 * x->tiles; t++) {
        int i = x->tile[t % x->tiles], mb = tiling_size(&M->rows, i);
        char *tile = (char *)matrix_tile(M, i, x->j) + (size_t)column * (size_t)mb * size;
        if (t < x->tiles)
            k->copy_rows(mb, count, NULL, tile, mb, NULL, copy + (size_t)(M->rows.start[i] - x->first) * size, (int)x->rows);
        else
            k->copy_rows(mb, count, x->from + M->rows.start[i], copy, (int)x->rows, NULL, tile, mb);
    }
    workspace_give(copy);
}

static bool moves(const ompfact_matrix *M, int i, const int64_t *source)
{
    int64_t row = M->rows.start[i];
    while (row < M->rows.start[i + 1] && source[row] == row)
        row++;
    return row < M->rows.start[i + 1];
}

/* Lists the tiles with rows that move, and where their rows come from. */
static void list_whole(struct interchange *x, int j, int64_t first, const int64_t *source)
{
    const ompfact_matrix *M = x->M;
    x->j = j;
    x->tiles = 0;
    for (int i = first < M->shape.m ? x->lists.tile[first] : M->mt; i < M->mt; i++)
        if (moves(M, i, source))
            x->tile[x->tiles++] = i;
    if (x->tiles == 0)
        return;
    x->first = M->rows.start[x->tile[0]];
    x->rows = M->rows.start[x->tile[x->tiles - 1] + 1] - x->first;
    for (int64_t row = x->first; row < x->first + x->rows; row++)
        x->from[row] = (int)(source[row] - x->first);
}

static void move_whole(struct interchange *x, int j, int64_t first, const int64_t *source)
{
    list_whole(x, j, first, source);
    if (x->tiles == 0)
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
