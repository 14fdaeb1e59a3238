/*
 * The exchange of rows in one tile column (pivots.h). Buffers are dense: a rank's rows lie together, column-major, their number the leading
 * dimension; so what another rank needs is contiguous.
 */
#include "omp/task.h"

static const struct pivots *pivots_of(const struct task *t)
{
    return (const struct pivots *)(const void *)t->tile[0].data;
}

/* The rows before a share, times columns, give where it begins. */
static char *part_of(const struct task *t, const struct task_tile *buffer, int64_t elements)
{
    size_t skipped = buffer->slot == NULL ? 0 : buffer->slot->skipped;
    return buffer->data + (size_t)elements * t->kernels->size - skipped;
}

static void count_rows(const struct task *t, int rows, int columns)
{
    struct moved_rows *moved = t->with.moves.moved;
    atomic_fetch_add_explicit(&moved->rows, rows, memory_order_relaxed);
    atomic_fetch_add_explicit(&moved->bytes, (int64_t)rows * columns * (int64_t)t->kernels->size, memory_order_relaxed);
}

/* The rows of tile row m that are exchanged, among those of the tile's rank. */
struct piece {
    int first, count;       /* among all rows below */
    int before;             /* rows of the same rank before them */
    struct share share;     /* of that rank */
};

static struct piece piece_of(const struct task *t, int m, int rank)
{
    const struct pivots *p = pivots_of(t);
    const struct tile_owners *owners = t->with.moves.owners;
    struct piece piece;
    piece.count = pivots_of_tile(p, m, &piece.first);
    piece.share = pivots_share(p, owners, t->j, rank);
    piece.before = pivots_before(p, owners, t->j, rank, piece.first);
    return piece;
}

static int owner_of(const struct task *t, int m)
{
    const struct tile_owners *owners = t->with.moves.owners;
    return owners->owner(owners->context, m, t->j);
}

static char *column_of(const struct task *t, const struct task_tile *A, int column)
{
    return A->data + (size_t)column * (size_t)A->mb * t->kernels->size;
}

/* ---- in tile row k ------------------------------------------------------------------------------------------------------------- */

/* The rows that leave, share by share, and behind them those that move within A, which then do. */
static void rows_out(struct task *t)
{
    const struct pivots *p = pivots_of(t);
    const struct task_tile *A = &t->tile[1], *down = &t->tile[2];
    int n = A->nb;
    for (int e = 0; e < p->below;) {
        int m = below_tile(p)[e];
        struct piece piece = piece_of(t, m, owner_of(t, m));
        char *to = part_of(t, down, (int64_t)piece.share.first * n + piece.before);
        t->kernels->copy_rows(piece.count, n, below_from(p) + e, A->data, A->mb, NULL, to, piece.share.count);
        e += piece.count;
    }
    char *moving = part_of(t, down, (int64_t)p->below * n);
    t->kernels->copy_rows(p->inside, n, inside_from(p), A->data, A->mb, NULL, moving, p->inside);
    t->kernels->copy_rows(p->inside, n, NULL, moving, p->inside, inside_to(p), A->data, A->mb);
    for (int i = 0; t->publication != NULL && i < t->publication->count; i++) {
        struct share share = pivots_share(p, t->with.moves.owners, t->j, t->publication->reader[i]);
        t->publication->part[i] = rma_part(share.first, share.count);
    }
}

void task_rows_out(struct run *run, struct moves moves, struct operand pivots, struct operand A, struct operand down)
{
    struct task *t = task_create(run, TASK_LASWP, rows_out, 0, 3, (struct operand[]){ pivots, A, down });
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .moves = moves };
    task_submit(t);
}

/* Another rank's rows come into A. */
static void rows_in(struct task *t)
{
    const struct pivots *p = pivots_of(t);
    const struct task_tile *up = &t->tile[1], *A = &t->tile[2];
    int total = pivots_share(p, t->with.moves.owners, t->j, t->with.moves.rank).count, done = 0;
    for (int e = 0, count; e < p->below; e += count) {
        int first, m = below_tile(p)[e];
        count = pivots_of_tile(p, m, &first);
        if (owner_of(t, m) != t->with.moves.rank)
            continue;
        t->kernels->copy_rows(count, A->nb, NULL, part_of(t, up, done), total, below_to(p) + first, A->data, A->mb);
        done += count;
    }
    count_rows(t, total, A->nb);
}

void task_rows_in(struct run *run, struct moves moves, struct operand pivots, struct operand up, struct operand A)
{
    struct task *t = task_create(run, TASK_LASWP, rows_in, 0, 3, (struct operand[]){ pivots, up, A });
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .moves = moves };
    task_submit(t);
}

/* ---- in a tile row below --------------------------------------------------------------------------------------------------------- */

/* B's rows go to where their rank's rows are collected, and with the last of them A's owner is told how many these are. */
static void rows_up(struct task *t)
{
    const struct task_tile *B = &t->tile[1], *up = &t->tile[2];
    struct piece piece = piece_of(t, t->with.k, t->with.moves.rank);
    t->kernels->copy_rows(piece.count, B->nb, below_row(pivots_of(t)) + piece.first, B->data, B->mb, NULL, part_of(t, up, piece.before),
                          piece.share.count);
    if (t->publication != NULL)
        t->publication->part[0] = rma_part(0, piece.share.count);
}

void task_rows_up(struct run *run, struct moves moves, struct operand pivots, struct operand B, struct operand up)
{
    struct task *t = task_create(run, TASK_LASWP, rows_up, 0, 3, (struct operand[]){ pivots, B, up });
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .moves = moves, .k = B.i };
    task_submit(t);
}

/* Columns column .. column + columns - 1 of the rows that come to B. */
static void come_down(const struct task *t, const struct piece *piece, const struct task_tile *down, const struct task_tile *B, int column,
                      int columns)
{
    int64_t before = (int64_t)piece->share.first * B->nb + piece->before + (int64_t)column * piece->share.count;
    t->kernels->copy_rows(piece->count, columns, NULL, part_of(t, down, before), piece->share.count,
                          below_row(pivots_of(t)) + piece->first, column_of(t, B, column), B->mb);
}

static void rows_down(struct task *t)
{
    const struct task_tile *B = &t->tile[2];
    struct piece piece = piece_of(t, t->i, t->with.moves.rank);
    come_down(t, &piece, &t->tile[1], B, 0, B->nb);
    count_rows(t, piece.count, B->nb);
}

void task_rows_down(struct run *run, struct moves moves, struct operand pivots, struct operand down, struct operand B)
{
    struct task *t = task_create(run, TASK_LASWP, rows_down, 0, 3, (struct operand[]){ pivots, down, B });
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .moves = moves };
    task_submit(t);
}

/* Strips of columns, so that B's lines are still in the cache when the other rows come. */
static void rows_swap(struct task *t)
{
    enum { STRIP = 32 };
    const struct pivots *p = pivots_of(t);
    const struct task_tile *down = &t->tile[1], *B = &t->tile[2], *A = &t->tile[3];
    struct piece piece = piece_of(t, t->with.k, t->with.moves.rank);
    for (int c = 0; piece.count > 0 && c < B->nb; c += STRIP) {
        int columns = B->nb - c < STRIP ? B->nb - c : STRIP;
        t->kernels->copy_rows(piece.count, columns, below_row(p) + piece.first, column_of(t, B, c), B->mb, below_to(p) + piece.first,
                              column_of(t, A, c), A->mb);
        come_down(t, &piece, down, B, c, columns);
    }
}

void task_rows_swap(struct run *run, struct moves moves, struct operand pivots, struct operand down, struct operand B, struct operand A)
{
    struct task *t = task_create(run, TASK_LASWP, rows_swap, 0, 4, (struct operand[]){ pivots, down, B, A });
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .moves = moves, .k = B.i };
    task_submit(t);
}
