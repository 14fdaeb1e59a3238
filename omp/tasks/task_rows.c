/*
 * The interchange of rows in one tile column (pivots.h). A buffer is dense: the rows of a rank are contiguous, column-major,
 * and their number is the leading dimension. So the data for another rank are contiguous.
 */
#include "omp/tasks/task_places.h"

/* The address of an element of a buffer. A share begins behind the rows of former shares times the columns. */
static char *in_buffer(const struct task *t, const struct task_tile *buffer, int64_t elements)
{
    size_t skipped = buffer->slot == NULL ? 0 : buffer->slot->skipped;
    return buffer->data + (size_t)elements * t->precision->size - skipped;
}

static void count_rows(const struct task *t, int rows, int columns)
{
    struct moved_rows *moved = t->with.moves.moved;
    atomic_fetch_add_explicit(&moved->rows, rows, memory_order_relaxed);
    atomic_fetch_add_explicit(&moved->bytes, (int64_t)rows * columns * (int64_t)t->precision->size, memory_order_relaxed);
}

static int owner_of(const struct task *t, int m)
{
    const struct tile_owners *owners = t->with.moves.owners;
    return owners->owner(owners->context, m, t->j);
}

static struct share share_of(const struct task *t, int rank, int below)
{
    return pivots_share(pivots_in(t, 0), t->with.moves.owners, t->j, rank, below);
}

/* A walk over the tiles of a group, of tile row with.k and below, that have interchanged rows. */
struct group {
    struct share share;     /* all interchanged rows of the rank */
    int m, number;          /* row of the tile, and its number in the group */
    int first, count;       /* index of its first row among all rows below, and number of its rows */
    int before;             /* number of rows of the same rank before them */
    struct task_tile tile;
};

static struct group group_of(const struct task *t, const struct task_tile *tile)
{
    struct group g = { .m = t->with.k, .tile = *tile };
    pivots_of_tile(pivots_in(t, 0), g.m, &g.first);
    if (!t->with.alone) {
        g.share = share_of(t, t->with.moves.rank, pivots_in(t, 0)->below);
        g.before = share_of(t, t->with.moves.rank, g.first).count;
    }
    return g;
}

/* Whether tile row m belongs to the rank of the group. */
static bool is_of_rank(const struct task *t, int m)
{
    return t->with.alone || owner_of(t, m) == t->with.moves.rank;
}

/* Goes on to the next tile of the group. False: there is none. */
static bool next_tile(const struct task *t, struct group *g)
{
    const struct pivots *p = pivots_in(t, 0);
    const int *tile = below_tile(p);
    g->first += g->count;
    g->before += g->count;
    while (g->first < p->below && !is_of_rank(t, tile[g->first]))
        g->first += pivots_from(p, g->first);
    if (g->first == p->below)
        return false;
    for (; g->m < tile[g->first]; g->m++)
        if (is_of_rank(t, g->m + 1)) {
            g->number++;
            g->tile.data += t->with.stride;
        }
    g->count = pivots_from(p, g->first);
    const int64_t *start = t->with.moves.rows->start;
    g->tile.mb = (int)(start[g->m + 1] - start[g->m]);
    return g->number <= t->with.more;
}

/* Some columns of a tile in one memory, and the kernels for this memory. */
struct columns {
    int first, count;
    bool on_device;
    size_t size;            /* bytes of an element */
    const struct kernels *kernels;
};

static bool next_columns(const struct task *t, const struct task_tile *A, struct columns *c)
{
    int first = c->first + c->count, here = A->on_device != NULL ? A->host : A->nb, end = first < here ? here : A->nb;
    if (first >= A->nb)
        return false;
    *c = (struct columns){ first, end - first, first >= here, t->precision->size,
                           first < here ? t->kernels : task_device_kernels(t) };
    return true;
}

static char *rows_of(const struct columns *c, const struct task_tile *A)
{
    return (c->on_device ? A->on_device : A->data) + (size_t)(c->first - (c->on_device ? A->host : 0)) * (size_t)A->mb * c->size;
}

/* Copies rows of A to rows of a buffer, or back. Rows on a device are collected in the device's memory and moved in one piece
   if the buffer has no other rows between them. */
static void gather(const struct task *t, const struct columns *c, int count, const int *from, const struct task_tile *A,
                   char *buffer, int ld)
{
    if (!c->on_device)
        c->kernels->copy_rows(count, c->count, from, rows_of(c, A), A->mb, NULL, buffer, ld);
    else
        task_rows_from_device(t, count, c->count, from, rows_of(c, A), A->mb, buffer, ld);
}

static void scatter(const struct task *t, const struct columns *c, int count, const char *buffer, int ld, const int *to,
                    const struct task_tile *A)
{
    if (!c->on_device)
        c->kernels->copy_rows(count, c->count, NULL, buffer, ld, to, rows_of(c, A), A->mb);
    else
        task_rows_to_device(t, count, c->count, buffer, ld, to, rows_of(c, A), A->mb);
}

/* The next panel waits for its column, and other ranks wait for their rows; other interchanges may run later, in the lane of
   updates. That lane is not used if the task also handles columns on the host, because updates would wait for this. */
static enum lane lane_of(bool alone, const struct operand *pivots, const struct operand *A)
{
    bool has_time = alone && A->j != pivots->j + 1 && A->split != NULL && A->split->host == 0;
    return has_time ? LANE_UPDATE : LANE_PANEL;
}

/* ---- in tile row k --------------------------------------------------------------------------------------------------------- */

/* If one rank owns the column, `down` is a tile like A with its columns in the same places. The task copies the rows that
   leave A to `down`, in their order, and behind them the rows that move within A. Then it moves the latter. */
static void rows_out_alone(struct task *t)
{
    const struct pivots *p = pivots_in(t, 0);
    const struct task_tile *A = &t->tile[1], *down = &t->tile[2];
    for (struct columns c = { 0 }; next_columns(t, A, &c);) {
        char *leaving = rows_of(&c, down), *moving = leaving + (size_t)p->below * c.size;
        c.kernels->copy_rows(p->below, c.count, below_from(p), rows_of(&c, A), A->mb, NULL, leaving, down->mb);
        c.kernels->copy_rows(p->inside, c.count, inside_from(p), rows_of(&c, A), A->mb, NULL, moving, down->mb);
        c.kernels->copy_rows(p->inside, c.count, NULL, moving, down->mb, inside_to(p), rows_of(&c, A), A->mb);
    }
}

/* Copies the rows that leave A, share by share, and behind them the rows that move within A. Then it moves the latter. */
static void rows_out(struct task *t)
{
    const struct pivots *p = pivots_in(t, 0);
    const struct task_tile *A = &t->tile[1], *down = &t->tile[2];
    int n = A->nb;
    for (int e = 0; e < p->below;) {
        int rank = owner_of(t, below_tile(p)[e]), count = pivots_from(p, e);
        struct share share = share_of(t, rank, p->below), before = share_of(t, rank, e);
        for (struct columns c = { 0 }; next_columns(t, A, &c);) {
            char *to = in_buffer(t, down, (int64_t)share.first * n + before.count + (int64_t)c.first * share.count);
            gather(t, &c, count, below_from(p) + e, A, to, share.count);
        }
        e += count;
    }
    for (struct columns c = { 0 }; next_columns(t, A, &c);) {
        char *moving = in_buffer(t, down, (int64_t)p->below * n + (int64_t)c.first * p->inside);
        gather(t, &c, p->inside, inside_from(p), A, moving, p->inside);
        scatter(t, &c, p->inside, moving, p->inside, inside_to(p), A);
    }
    for (int i = 0; t->publication != NULL && i < t->publication->count; i++) {
        struct share share = share_of(t, t->publication->reader[i], p->below);
        t->publication->word[i].flag = rma_part(share.first, share.count);
    }
}

void task_rows_out(struct run *run, bool alone, struct moves moves, struct operand pivots, struct operand A, struct operand down)
{
    struct task *t =
        task_create(run, TASK_LASWP, alone ? rows_out_alone : rows_out, 0, 3, (struct operand[]){ pivots, A, down });
    if (t == NULL)
        return;
    t->lane = lane_of(alone, &pivots, &A);
    t->with = (struct task_arguments){ .moves = moves };
    task_submit(t);
}

/* Copies the rows of another rank to A. */
static void rows_in(struct task *t)
{
    const struct pivots *p = pivots_in(t, 0);
    const struct task_tile *up = &t->tile[1], *A = &t->tile[2];
    int total = share_of(t, t->with.moves.rank, p->below).count, done = 0;
    for (int e = 0, count; e < p->below; e += count) {
        count = pivots_from(p, e);
        if (!is_of_rank(t, below_tile(p)[e]))
            continue;
        for (struct columns c = { 0 }; next_columns(t, A, &c);)
            scatter(t, &c, count, in_buffer(t, up, done + (int64_t)c.first * total), total, below_to(p) + e, A);
        done += count;
    }
    count_rows(t, total, A->nb);
}

void task_rows_in(struct run *run, struct moves moves, struct operand pivots, struct operand up, struct operand A)
{
    struct task *t = task_create(run, TASK_LASWP, rows_in, 0, 3, (struct operand[]){ pivots, up, A });
    task_submit_with(t, (struct task_arguments){ .moves = moves });
}

/* ---- in tile rows below ---------------------------------------------------------------------------------------------------- */

/* The arguments of a task for a group of tiles. */
static struct task_arguments for_group(struct moves moves, const struct operand *B)
{
    return (struct task_arguments){ .moves = moves, .k = B->i, .more = B->more, .stride = B->stride };
}

/* Copies B's rows to the buffer of their rank. The last such task of a rank publishes the number of these rows to A's owner. */
static void rows_up(struct task *t)
{
    struct group g = group_of(t, &t->tile[1]);
    while (next_tile(t, &g))
        for (struct columns c = { 0 }; next_columns(t, &g.tile, &c);)
            gather(t, &c, g.count, below_row(pivots_in(t, 0)) + g.first, &g.tile,
                   in_buffer(t, &t->tile[2], g.before + (int64_t)c.first * g.share.count), g.share.count);
    if (t->publication != NULL)
        t->publication->word[0].flag = rma_part(0, g.share.count);
}

void task_rows_up(struct run *run, struct moves moves, struct operand pivots, struct operand B, struct operand up)
{
    struct task *t = task_create(run, TASK_LASWP, rows_up, 0, 3, (struct operand[]){ pivots, B, up });
    task_submit_with(t, for_group(moves, &B));
}

/* The rows of `down` that come to these columns of a tile. */
static char *coming(const struct task *t, const struct group *g, const struct columns *c, const struct task_tile *down)
{
    return in_buffer(t, down, (int64_t)g->share.first * g->tile.nb + g->before + (int64_t)c->first * g->share.count);
}

static void rows_down(struct task *t)
{
    struct group g = group_of(t, &t->tile[2]);
    int rows = 0;
    for (; next_tile(t, &g); rows += g.count)
        for (struct columns c = { 0 }; next_columns(t, &g.tile, &c);)
            scatter(t, &c, g.count, coming(t, &g, &c, &t->tile[1]), g.share.count, below_row(pivots_in(t, 0)) + g.first, &g.tile);
    count_rows(t, rows, t->tile[2].nb);
}

void task_rows_down(struct run *run, struct moves moves, struct operand pivots, struct operand down, struct operand B)
{
    struct task *t = task_create(run, TASK_LASWP, rows_down, 0, 3, (struct operand[]){ pivots, down, B });
    task_submit_with(t, for_group(moves, &B));
}

/* If one rank owns the column, `down` is a tile. */
static void swap_with_top(const struct task *t, const struct group *g)
{
    const struct pivots *p = pivots_in(t, 0);
    const struct task_tile *down = &t->tile[1], *B = &g->tile, *A = &t->tile[3];
    const bool alone = t->with.alone;
    const int *from = below_row(p) + g->first, *to = below_to(p) + g->first, ld = alone ? down->mb : g->share.count;
    for (struct columns c = { 0 }; next_columns(t, B, &c);) {
        char *rows = alone ? rows_of(&c, down) + (size_t)g->first * c.size : coming(t, g, &c, down);
        if (!c.on_device) {
            t->precision->host->swap_rows(g->count, c.count, from, rows_of(&c, B), B->mb, to, rows_of(&c, A), A->mb, rows, ld);
            continue;
        }
        c.kernels->copy_rows(g->count, c.count, from, rows_of(&c, B), B->mb, to, rows_of(&c, A), A->mb);
        if (alone)
            c.kernels->copy_rows(g->count, c.count, NULL, rows, ld, from, rows_of(&c, B), B->mb);
        else
            scatter(t, &c, g->count, rows, ld, from, B);
    }
}

static void rows_swap(struct task *t)
{
    struct group g = group_of(t, &t->tile[2]);
    while (next_tile(t, &g))
        swap_with_top(t, &g);
}

void task_rows_swap(struct run *run, bool alone, struct moves moves, struct operand pivots, struct operand down, struct operand B,
                    struct operand A)
{
    struct task *t = task_create(run, TASK_LASWP, rows_swap, 0, 4, (struct operand[]){ pivots, down, B, A });
    if (t == NULL)
        return;
    t->lane = lane_of(alone, &pivots, &A);
    t->with = for_group(moves, &B);
    t->with.alone = alone;
    task_submit(t);
}
