/*
 * Interchanges of rows in matrices that are not being factored: of L's columns when all later pivots are known, and of
 * right-hand sides. Works tile column by tile column; each row moves once, from its first place to its last.
 *
 * Every rank computes all moves. Rows for rank r are contiguous in the order of their targets, column-major, so both ranks
 * know the place of each row. Rows travel in rounds through the grid's staging memory; rows that remain on their rank go
 * through local memory. All rows of a round are read before any is written.
 */
#include "src/factor/factor.h"

#include <stdlib.h>
#include <string.h>

/* Rows that leave or arrive. Those of a rank are together, and among these those of a tile. */
struct rows_at {
    int64_t *first;     /* [ranks + 1] */
    int *tile, *row;    /* [rows]: the place of the row */
    int *place;         /* [rows]: index among the rows of the rank */
};

struct interchange {
    ompfact_matrix *M;
    int me, ranks;
    const int64_t *source;      /* [m]: the row that moves to row i */
    int64_t *target;            /* [m]: its inverse */
    int *tile;                  /* [m]: the tile row of row i */
    int *place;                 /* [m]: index of the row that moves to row i, among rows with the same two ranks */
    int64_t *count[2];          /* [end][ranks] */
    struct rows_at out, in;
    char *local;                /* rows that remain on this rank */
    int64_t room;               /* most bytes of a rank's rows in a round */
    int64_t *scratch;
    int64_t moved, moved_bytes; /* total parts of rows for other ranks, and their bytes */
    int j, column, columns;     /* the round: its tile column, its first column in that, and their number */
};

/* ---- memory ------------------------------------------------------------------------------------------------------------- */

static bool create_side(struct rows_at *s, int64_t rows, int ranks)
{
    size_t n = (size_t)rows + 1;
    *s = (struct rows_at){ .first = malloc(((size_t)ranks + 1) * sizeof *s->first), .tile = malloc(n * sizeof(int)),
                        .row = malloc(n * sizeof(int)), .place = malloc(n * sizeof(int)) };
    return s->first != NULL && s->tile != NULL && s->row != NULL && s->place != NULL;
}

static void destroy_side(struct rows_at *s)
{
    free(s->first);
    free(s->tile);
    free(s->row);
    free(s->place);
}

static ompfact_status create(struct interchange *x, ompfact_matrix *M)
{
    size_t m = (size_t)M->shape.m + 1;
    *x = (struct interchange){ .M = M, .me = M->me, .ranks = M->ranks, .target = malloc(m * sizeof *x->target),
                               .tile = malloc(m * sizeof(int)), .place = malloc(m * sizeof(int)),
                               .scratch = malloc((2 * (size_t)M->ranks + 2) * sizeof(int64_t)) };
    int64_t column = M->shape.m * (int64_t)M->precision->size, threads = M->grid->settings.threads;
    int64_t staging = column > STAGING_BYTES ? column : STAGING_BYTES;
    x->room = M->ranks > 1 || threads == 1 ? staging : 2 * staging;
    for (int end = 0; end < 2; end++)
        x->count[end] = malloc(((size_t)M->ranks + 1) * sizeof(int64_t));
    x->local = malloc((size_t)x->room);
    bool made = create_side(&x->out, M->shape.m, M->ranks) && x->local != NULL && x->scratch != NULL;
    made &= create_side(&x->in, M->shape.m, M->ranks);
    ompfact_status status = OMPFACT_SUCCESS;
    if (!made || x->target == NULL || x->tile == NULL || x->place == NULL || x->count[0] == NULL || x->count[1] == NULL)
        status = fail(M->grid, OMPFACT_NO_MEMORY, "rank %d: no memory to interchange rows", M->me);
    for (int i = 0; i < M->mt && status == OMPFACT_SUCCESS; i++)
        for (int64_t row = M->rows.start[i]; row < M->rows.start[i + 1]; row++)
            x->tile[row] = i;
    status = agree(M->grid, status);
    if (status == OMPFACT_SUCCESS && M->ranks > 1)
        status = staging_get(M->grid, staging);
    return status;
}

static void destroy(struct interchange *x)
{
    free(x->target);
    free(x->tile);
    free(x->place);
    free(x->count[0]);
    free(x->count[1]);
    destroy_side(&x->out);
    destroy_side(&x->in);
    free(x->local);
    free(x->scratch);
}

/* ---- the moves in a tile column ----------------------------------------------------------------------------------------- */

static int owner(const struct interchange *x, int64_t row)
{
    return layout_owner(x->M->layout, x->tile[row], x->j);
}

static void add(struct rows_at *s, int64_t at, const struct interchange *x, int64_t row, int place)
{
    s->tile[at] = x->tile[row];
    s->row[at] = (int)(row - x->M->rows.start[x->tile[row]]);
    s->place[at] = place;
}

/* Sorts this rank's rows of one side by the rank on the other side. */
static void sort_side(struct rows_at *s, const int64_t *count, int ranks)
{
    s->first[0] = 0;
    for (int r = 0; r < ranks; r++)
        s->first[r + 1] = s->first[r] + count[r];
}

/* Returns the number of rows that the busiest rank sends or receives. */
static int64_t find_moves(struct interchange *x)
{
    int64_t m = x->M->shape.m, most = 0, *load = x->scratch;
    memset(x->count[0], 0, (size_t)x->ranks * sizeof(int64_t));
    memset(x->count[1], 0, (size_t)x->ranks * sizeof(int64_t));
    memset(load, 0, 2 * (size_t)x->ranks * sizeof *load);
    for (int64_t i = 0; i < m; i++) {
        x->target[x->source[i]] = i;
        if (x->source[i] == i)
            continue;
        int from = owner(x, x->source[i]), to = owner(x, i);
        if (from == x->me)
            x->place[i] = (int)x->count[0][to]++;
        if (to == x->me && from != x->me)
            x->place[i] = (int)x->count[1][from];
        x->count[1][from] += to == x->me;
        x->moved += from != to;
        load[from]++;
        load[x->ranks + to]++;
    }
    for (int r = 0; r < 2 * x->ranks; r++)
        most = load[r] > most ? load[r] : most;
    sort_side(&x->out, x->count[0], x->ranks);
    sort_side(&x->in, x->count[1], x->ranks);
    int64_t *next[2] = { load, load + x->ranks };
    for (int r = 0; r < x->ranks; r++) {
        next[0][r] = x->out.first[r];
        next[1][r] = x->in.first[r];
    }
    for (int64_t i = 0; i < m; i++) {
        if (x->source[i] == i)
            continue;       /* then the row is its own target, too */
        int64_t target = x->target[i];
        if (owner(x, i) == x->me) {
            int to = owner(x, target), from = owner(x, x->source[i]);
            add(&x->out, next[0][to]++, x, i, x->place[target]);
            add(&x->in, next[1][from]++, x, i, x->place[i]);
        }
    }
    return most;
}

static int first_of(int before, int code)
{
    return before != MPI_SUCCESS ? before : code;
}

/* ---- a round ------------------------------------------------------------------------------------------------------------ */

enum { STRIP = 16 };    /* columns for one thread at a time */

/* The place of a rank's rows during a round. */
static char *box(const struct interchange *x, const struct rows_at *s, int rank)
{
    struct rma_exchange *exchange = x->M->grid->exchange;
    size_t size = x->M->precision->size, mine = (size_t)(s->first[x->me + 1] - s->first[x->me]);
    if (rank == x->me)
        return x->local;
    size_t rows = (size_t)s->first[rank] - (rank > x->me ? mine : 0);
    char *base = s == &x->out ? rma_exchange_outbox(exchange) : (char *)rma_exchange_inbox(exchange);
    return base + rows * (size_t)x->columns * size;
}

/* Copies the rows of one side in columns first .. first + count - 1 of the round. */
static void copy_strip(const struct interchange *x, const struct rows_at *s, int first, int count)
{
    const struct kernels *k = x->M->precision->kernels;
    size_t size = x->M->precision->size;
    for (int r = 0; r < x->ranks; r++) {
        int rows = (int)(s->first[r + 1] - s->first[r]);
        char *there = rows == 0 ? NULL : box(x, s, r) + (size_t)first * (size_t)rows * size;
        for (int64_t at = s->first[r], end; at < s->first[r + 1]; at = end) {
            for (end = at + 1; end < s->first[r + 1] && s->tile[end] == s->tile[at]; end++)
                ;
            int ld = tiling_size(&x->M->rows, s->tile[at]);
            char *here = (char *)matrix_tile(x->M, s->tile[at], x->j) + (size_t)(x->column + first) * (size_t)ld * size;
            if (s == &x->out)
                k->copy_rows((int)(end - at), count, s->row + at, here, ld, s->place + at, there, rows);
            else
                k->copy_rows((int)(end - at), count, s->place + at, there, rows, s->row + at, here, ld);
        }
    }
}

static int strip_width(const struct interchange *x, int64_t strip)
{
    return x->columns - (int)strip * STRIP < STRIP ? x->columns - (int)strip * STRIP : STRIP;
}

static void take(void *context, int64_t strip)
{
    const struct interchange *x = context;
    copy_strip(x, &x->out, (int)strip * STRIP, strip_width(x, strip));
}

static void put(void *context, int64_t strip)
{
    const struct interchange *x = context;
    copy_strip(x, &x->in, (int)strip * STRIP, strip_width(x, strip));
}

/* If no other rank has rows, each strip is copied back while it is in the cache. */
static void take_and_put(void *context, int64_t strip)
{
    take(context, strip);
    put(context, strip);
}

static void byte_places(const struct interchange *x, const struct rows_at *s, int64_t *first)
{
    int64_t bytes = (int64_t)x->columns * (int64_t)x->M->precision->size;
    first[0] = 0;
    for (int r = 0; r < x->ranks; r++)
        first[r + 1] = first[r] + (r == x->me ? 0 : (s->first[r + 1] - s->first[r]) * bytes);
}

static int make_round(struct interchange *x)
{
    int64_t strips = (x->columns + STRIP - 1) / STRIP, *out = x->scratch, *in = x->scratch + x->ranks + 1, position = 0;
    int threads = x->M->grid->settings.threads;
    if (x->ranks == 1) {
        run_each(threads, strips, take_and_put, x);
        return MPI_SUCCESS;
    }
    int code = rma_exchange_agree(x->M->grid->exchange, &position);     /* from here on no rank reads the outbox of the former
                                                                           round */
    run_each(threads, strips, take, x);
    byte_places(x, &x->out, out);
    byte_places(x, &x->in, in);
    code = first_of(code, rma_exchange_move(x->M->grid->exchange, out, in));
    run_each(threads, strips, put, x);
    return code;
}

/* Moves row source[i] to row i in tile column j of M. After an error on this rank it still takes part in the rounds of the
   others. */
static int move_column(struct interchange *x, int j, const int64_t *source)
{
    int width = tiling_size(&x->M->cols, j), code = MPI_SUCCESS;
    int64_t before = x->moved;
    x->j = j;
    x->source = source;
    int64_t most = find_moves(x), columns = most == 0 ? width : x->room / (most * (int64_t)x->M->precision->size);
    columns = columns > width ? width : columns;
    for (x->column = 0; x->column < width && most > 0; x->column += x->columns) {
        x->columns = width - x->column < (int)columns ? width - x->column : (int)columns;
        code = first_of(code, make_round(x));
    }
    x->moved_bytes += (x->moved - before) * width * (int64_t)x->M->precision->size;
    return code;
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

static ompfact_status agree_on_memory(ompfact_matrix *M, const int64_t *rows)
{
    ompfact_status status = OMPFACT_SUCCESS;
    if (rows == NULL)
        status = fail(M->grid, OMPFACT_NO_MEMORY, "rank %d: no memory to interchange rows", M->me);
    return agree(M->grid, status);
}

/* Called when every rank has finished; adds the cost to M's report. */
static ompfact_status conclude(ompfact_matrix *M, const struct interchange *x, ompfact_status status, double start)
{
    double seconds = run_clock() - start;
    TRY(agree(M->grid, status));
    TRY_MPI(M->grid, rma_allreduce(M->grid->rma, &seconds, 1, MPI_DOUBLE, MPI_MAX));
    M->report.seconds += seconds;
    M->report.rows_exchanged += x->moved;
    M->report.transfer_bytes += x->moved_bytes;
    return OMPFACT_SUCCESS;
}

ompfact_status interchange_rows(ompfact_matrix *M, const int64_t *ipiv, int64_t count, bool back)
{
    double start = run_clock();
    int64_t *rows = identity(M);
    struct interchange x = { 0 };
    ompfact_status status = agree_on_memory(M, rows);
    if (status == OMPFACT_SUCCESS) {
        apply(ipiv, back ? count : 0, back ? 0 : count, rows);
        status = create(&x, M);
        int code = MPI_SUCCESS;
        for (int j = 0; j < M->nt && status == OMPFACT_SUCCESS; j++)
            code = first_of(code, move_column(&x, j, rows));
        destroy(&x);
        if (code != MPI_SUCCESS)
            status = fail_mpi(M->grid, code);
    }
    free(rows);
    return conclude(M, &x, status, start);
}

/* Applies to column j the interchanges of the later steps, except those before `first`, which it has. From the right: rows(j) =
   rows(j+1) after those of step j+1. */
static int left_columns(struct interchange *x, int first, int end, int64_t *rows, int64_t *step)
{
    const ompfact_matrix *A = x->M;
    int64_t m = A->shape.m, count = shorter_side(A);
    int code = MPI_SUCCESS;
    for (int j = end - 2; j >= 0; j--) {
        int64_t from = A->rows.start[j + 1], to = A->rows.start[j + 2] < count ? A->rows.start[j + 2] : count;
        for (int64_t i = from; i < m; i++)
            step[i] = i;
        apply(A->ipiv, from, to, step);
        for (int64_t i = from; i < m && j + 1 >= first; i++)
            rows[i] = step[rows[i]];
        code = first_of(code, move_column(x, j, rows));
    }
    return code;
}

ompfact_status interchange_left(ompfact_matrix *A, int end)
{
    double start = run_clock();
    int64_t *rows = identity(A), *step = identity(A);
    struct interchange x = { 0 };
    ompfact_status status = agree_on_memory(A, rows == NULL ? NULL : step);
    if (status == OMPFACT_SUCCESS) {
        status = create(&x, A);
        int code = status == OMPFACT_SUCCESS ? left_columns(&x, A->left, end, rows, step) : MPI_SUCCESS;
        destroy(&x);
        if (code != MPI_SUCCESS)
            status = fail_mpi(A->grid, code);
    }
    free(rows);
    free(step);
    return conclude(A, &x, status, start);
}
