#include "src/factor/row_rounds.h"

#include <stdlib.h>
#include <string.h>

enum {
    PIECES = 32,    /* of one rank in a round */
    STRIP = 16      /* columns for one thread at a time */
};

/* What a rank sends, or receives, in the present round at most. */
struct load {
    int64_t bytes, rows;
    int pieces;
    int64_t column_rows;    /* its rows in the column at hand */
};

struct row_rounds {
    struct row_lists *lists;
    int64_t room;                       /* most bytes of a rank in a round */
    struct load *load;                  /* [ranks] */
    struct row_piece piece[PIECES];         /* of this rank */
    char *local;                        /* rows that remain on this rank */
    int64_t *at[PIECES][SIDES];         /* [ranks]: place of the rows of a piece in the outbox, the inbox, or for this rank in
                                           `local` */
    int64_t *begin[SIDES];              /* [ranks + 1]: place of each rank's bytes in the outbox, the inbox */
    int count;                          /* of pieces of this rank */
    bool any;                           /* some rank has pieces */
    int code;                           /* of MPI */
    int64_t moved, moved_bytes;
};

/* ---- memory ------------------------------------------------------------------------------------------------------------- */

static void free_rounds(struct row_rounds *x)
{
    if (x == NULL)
        return;
    for (int i = 0; i < PIECES; i++) {
        row_piece_free(&x->piece[i]);
        free(x->at[i][OUT]);
        free(x->at[i][IN]);
    }
    free(x->begin[OUT]);
    free(x->begin[IN]);
    free(x->load);
    free(x->local);
    free(x);
}

static struct row_rounds *create(struct row_lists *lists, int64_t room)
{
    size_t ranks = (size_t)lists->ranks;
    struct row_rounds *x = calloc(1, sizeof *x);
    if (x == NULL)
        return NULL;
    x->lists = lists;
    x->room = room;
    x->load = calloc(ranks, sizeof *x->load);
    x->local = malloc((size_t)room);
    bool made = x->load != NULL && x->local != NULL;
    for (int side = 0; side < SIDES; side++) {
        x->begin[side] = malloc((ranks + 1) * sizeof *x->begin[side]);
        made &= x->begin[side] != NULL;
        for (int i = 0; i < PIECES; i++) {
            x->at[i][side] = malloc(ranks * sizeof *x->at[i][side]);
            made &= x->at[i][side] != NULL;
        }
    }
    for (int i = 0; i < PIECES; i++)
        made &= row_piece_create(&x->piece[i], lists->ranks);
    if (!made) {
        free_rounds(x);
        return NULL;
    }
    return x;
}

ompfact_status row_rounds_begin(struct row_lists *lists, struct row_rounds **rounds)
{
    ompfact_matrix *M = lists->M;
    int64_t column = M->shape.m * (int64_t)M->precision->size, room = column > STAGING_BYTES ? column : STAGING_BYTES;
    struct row_rounds *x = create(lists, room);
    ompfact_status status = agree_memory(M->grid, x != NULL, "to interchange rows");
    if (status == OMPFACT_SUCCESS)
        status = staging_get(M->grid, room);
    if (status != OMPFACT_SUCCESS) {
        free_rounds(x);
        x = NULL;
    }
    *rounds = x;
    return status;
}

/* ---- a round ------------------------------------------------------------------------------------------------------------ */

static size_t bytes_of(const struct row_rounds *x, const struct row_piece *p, int side, int rank, int columns)
{
    return (size_t)row_piece_rows(p, side, rank) * (size_t)columns * x->lists->M->precision->size;
}

static void set_places(struct row_rounds *x)
{
    int me = x->lists->me;
    for (int side = 0; side < SIDES; side++) {
        int64_t place = 0, local = 0;
        for (int r = 0; r < x->lists->ranks; r++) {
            int64_t *at = r == me ? &local : &place;
            x->begin[side][r] = place;
            for (int i = 0; i < x->count; i++) {
                x->at[i][side][r] = *at;
                *at += (int64_t)bytes_of(x, &x->piece[i], side, r, x->piece[i].columns);
            }
        }
        x->begin[side][x->lists->ranks] = place;
    }
}

static int strips_of(const struct row_piece *p)
{
    return (p->columns + STRIP - 1) / STRIP;
}

/* Copies a strip of a piece between the tiles and the boxes. */
static void copy_strip(struct row_rounds *x, int side, int64_t strip)
{
    const struct row_lists *lists = x->lists;
    struct rma_exchange *exchange = lists->M->grid->exchange;
    char *box = side == OUT ? rma_exchange_outbox(exchange) : (char *)rma_exchange_inbox(exchange);
    int i = 0;
    for (; strip >= strips_of(&x->piece[i]); i++)
        strip -= strips_of(&x->piece[i]);
    const struct row_piece *p = &x->piece[i];
    int first = (int)strip * STRIP, count = p->columns - first < STRIP ? p->columns - first : STRIP;
    for (int r = 0; r < lists->ranks; r++)
        row_piece_copy(lists, p, side, r, first, count,
                   (r == lists->me ? x->local : box) + x->at[i][side][r] + bytes_of(x, p, side, r, first));
}

static void take(void *rounds, int64_t strip)
{
    copy_strip(rounds, OUT, strip);
}

static void put(void *rounds, int64_t strip)
{
    copy_strip(rounds, IN, strip);
}

static void note(struct row_rounds *x, int code)
{
    x->code = x->code != MPI_SUCCESS ? x->code : code;
}

static void make_round(struct row_rounds *x)
{
    ompfact_grid *grid = x->lists->M->grid;
    int threads = grid->settings.threads;
    int64_t strips = 0, position = 0;
    if (!x->any)
        return;
    for (int i = 0; i < x->count; i++)
        strips += strips_of(&x->piece[i]);
    set_places(x);
    note(x, rma_exchange_agree(grid->exchange, &position));     /* from here on no rank reads the outbox of the round before */
    run_each(threads, strips, take, x);
    note(x, rma_exchange_move(grid->exchange, x->begin[OUT], x->begin[IN]));
    run_each(threads, strips, put, x);
    memset(x->load, 0, (size_t)x->lists->ranks * sizeof *x->load);
    x->count = 0;
    x->any = false;
}

/* ---- what a round has --------------------------------------------------------------------------------------------------- */

/* The number of rows in the lists that the present round uses. */
static int64_t listed(const struct row_rounds *x)
{
    return x->count == 0 ? 0 : x->piece[x->count - 1].first[OUT][x->lists->ranks];
}

/* Sets the rows of each rank in the column. */
static void share_out(struct row_rounds *x, int64_t first)
{
    const struct row_lists *lists = x->lists;
    for (int r = 0; r < lists->ranks; r++)
        x->load[r].column_rows = 0;
    for (int i = lists->tile[first]; i < lists->M->mt; i++)
        x->load[lists->owner[i]].column_rows += tiling_size(&lists->M->rows, i);
}

/* How many of the columns the present round can have. */
static int fitting(const struct row_rounds *x, int columns)
{
    const ompfact_matrix *M = x->lists->M;
    for (int r = 0; r < x->lists->ranks; r++) {
        const struct load *l = &x->load[r];
        if (l->column_rows == 0)
            continue;
        int64_t fit = (x->room - l->bytes) / (l->column_rows * (int64_t)M->precision->size);
        if (l->pieces == PIECES || l->rows + l->column_rows > M->shape.m)
            fit = 0;
        columns = fit < columns ? (int)fit : columns;
    }
    return columns;
}

static void load_up(struct row_rounds *x, int columns)
{
    for (int r = 0; r < x->lists->ranks; r++) {
        struct load *l = &x->load[r];
        l->bytes += l->column_rows * columns * (int64_t)x->lists->M->precision->size;
        l->rows += l->column_rows;
        l->pieces += l->column_rows > 0;
    }
    x->any = true;
}

static void add_piece(struct row_rounds *x, int j, int column, int columns, const int64_t *source, int64_t first)
{
    struct row_piece *p = &x->piece[x->count];
    p->j = j;
    p->column = column;
    p->columns = columns;
    row_lists_fill(x->lists, p, source, first, listed(x));
    x->count++;
    for (int r = 0; r < x->lists->ranks; r++)
        if (r != x->lists->me) {
            x->moved += column == 0 ? row_piece_rows(p, IN, r) : 0;
            x->moved_bytes += (int64_t)bytes_of(x, p, IN, r, columns);
        }
}

void row_rounds_add(struct row_rounds *x, int j, int64_t first, const int64_t *source)
{
    int width = tiling_size(&x->lists->M->cols, j);
    share_out(x, first);
    for (int column = 0, columns; column < width; column += columns) {
        columns = fitting(x, width - column);
        if (columns == 0) {
            make_round(x);
            share_out(x, first);
            columns = fitting(x, width - column);
        }
        load_up(x, columns);
        if (x->load[x->lists->me].column_rows > 0)
            add_piece(x, j, column, columns, source, first);
    }
}

int row_rounds_end(struct row_rounds **rounds, int64_t *moved, int64_t *bytes)
{
    struct row_rounds *x = *rounds;
    make_round(x);
    int code = x->code;
    *moved += x->moved;
    *bytes += x->moved_bytes;
    free_rounds(x);
    *rounds = NULL;
    return code;
}
