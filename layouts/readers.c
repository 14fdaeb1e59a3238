/*
 * Who reads a final tile, and what a layout amounts to: transfers, balance, distinct ranks per row and column.
 *
 * Right-looking, owner computes (Beaumont et al., IPDPS 2023, sections III-A, III-B). The final tile (i,j) of LU is read by
 * the owners of row i right of it (i >= j) and of column j below it (i <= j); of Cholesky by those of colrow i:
 *
 *          j     i                        j     i
 *        .  .  .  .  .                  .
 *   LU   .  .  .  .  .      Cholesky    .  .
 *        .  .  .  .  .                  .  .  .
 *   i    .  X  r  r  r             i    .  X  r  r        row i, columns j+1 .. i
 *        .  .  .  .  .                  .  .  .  r  .     column i, rows below i
 *        .  .  .  .  .                  .  .  .  r  .  .
 */
#include <math.h>
#include <string.h>

#include "layouts/internal.h"

/* ---- one tile ------------------------------------------------------------------------------------------------------- */

struct reader_list {
    const struct layout *layout;
    int *ranks;
    unsigned char *seen;
    int count;
};

static void add_reader(struct reader_list *list, int rank)
{
    if (list->seen[rank]) return;
    list->seen[rank] = 1;
    list->ranks[list->count++] = rank;
}

/* Owners of (i, from .. to-1); past one width of the pattern they repeat. */
static void add_row(struct reader_list *list, int i, int from, int to)
{
    const struct layout *l = list->layout;
    const int *row = l->cell + (int64_t)(i % l->rows) * l->cols;
    if (to - from > l->cols) to = from + l->cols;
    for (int j = from, col = from % l->cols; j < to; j++) {
        add_reader(list, row[col]);
        if (++col == l->cols) col = 0;
    }
}

/* Owners of (from .. to-1, j); past one height of the pattern they repeat. */
static void add_column(struct reader_list *list, int j, int from, int to)
{
    const struct layout *l = list->layout;
    const int *col = l->cell + j % l->cols;
    if (to - from > l->rows) to = from + l->rows;
    for (int i = from, row = from % l->rows; i < to; i++) {
        add_reader(list, col[(int64_t)row * l->cols]);
        if (++row == l->rows) row = 0;
    }
}

static int finish_list(const struct reader_list *list)
{
    for (int k = 0; k < list->count; k++)
        list->seen[list->ranks[k]] = 0;
    return list->count;
}

int layout_row_owners(const struct layout *l, int i, int from, int to, int *ranks, unsigned char *seen)
{
    struct reader_list list = {.layout = l, .ranks = ranks, .seen = seen};
    add_row(&list, i, from, to);
    return finish_list(&list);
}

int layout_column_owners(const struct layout *l, int j, int from, int to, int *ranks, unsigned char *seen)
{
    struct reader_list list = {.layout = l, .ranks = ranks, .seen = seen};
    add_column(&list, j, from, to);
    return finish_list(&list);
}

int layout_colrow_owners(const struct layout *l, int i, int *ranks, unsigned char *seen)
{
    struct reader_list list = {.layout = l, .ranks = ranks, .seen = seen};
    add_row(&list, i, 0, i + 1);
    add_column(&list, i, i + 1, l->mt);
    return finish_list(&list);
}

int layout_readers(const struct layout *l, enum layout_algorithm algorithm, int i, int j, int *ranks, unsigned char *seen)
{
    struct reader_list list = {.layout = l, .ranks = ranks, .seen = seen};
    int owner = layout_owner(l, i, j);
    seen[owner] = 1;
    if (algorithm == LAYOUT_CHOLESKY) {
        add_row(&list, i, j + 1, i + 1);
        add_column(&list, i, i + 1, l->mt);
    } else {
        if (i >= j) add_row(&list, i, j + 1, l->nt);
        if (i <= j) add_column(&list, j, i + 1, l->mt);
    }
    seen[owner] = 0;
    return finish_list(&list);
}

/* ---- all tiles: each line is walked from its end, while the set of the readers behind grows ---------------------------- */

struct count {
    const struct layout *layout;
    const int *height, *width;      /* of tile rows and columns; NULL: tiles are counted, not elements */
    struct rank_set *behind;
    int64_t sum;
};

/* The final tile (i,j) goes to all ranks behind it but its owner. */
static void count_tile(struct count *c, int i, int j)
{
    int readers = c->behind->count - rank_set_has(c->behind, layout_owner(c->layout, i, j));
    c->sum += c->height ? (int64_t)readers * c->height[i] * c->width[j] : readers;
}

static void pass(struct count *c, int i, int j)
{
    rank_set_add(c->behind, layout_owner(c->layout, i, j));
}

/* LU: the tiles of row i left of the diagonal. */
static void count_row(struct count *c, int i)
{
    rank_set_clear(c->behind);
    for (int j = c->layout->nt - 1; j >= 0; j--) {
        if (i > j) count_tile(c, i, j);
        pass(c, i, j);
    }
}

/* LU: the tiles of column j above the diagonal. */
static void count_column(struct count *c, int j)
{
    rank_set_clear(c->behind);
    for (int i = c->layout->mt - 1; i >= 0; i--) {
        if (i < j) count_tile(c, i, j);
        pass(c, i, j);
    }
}

/* LU: the diagonal tile (k,k). */
static void count_diagonal(struct count *c, int k)
{
    rank_set_clear(c->behind);
    for (int j = k + 1; j < c->layout->nt; j++)
        pass(c, k, j);
    for (int i = k + 1; i < c->layout->mt; i++)
        pass(c, i, k);
    count_tile(c, k, k);
}

/* Cholesky: the tiles of row i, from the diagonal to the left. */
static void count_colrow(struct count *c, int i)
{
    rank_set_clear(c->behind);
    for (int m = i + 1; m < c->layout->mt; m++)
        pass(c, m, i);
    for (int j = i; j >= 0; j--) {
        count_tile(c, i, j);
        pass(c, i, j);
    }
}

int64_t layout_transferred(const struct layout *l, enum layout_algorithm algorithm, const int *height, const int *width)
{
    struct rank_set set;
    struct count c = {.layout = l, .height = height, .width = width, .behind = &set};
    if (rank_set_create(&set, l->ranks)) return -1;
    for (int i = 0; i < l->mt; i++)
        if (algorithm == LAYOUT_CHOLESKY) count_colrow(&c, i);
        else count_row(&c, i);
    for (int j = 0; j < l->nt && algorithm == LAYOUT_LU; j++)
        count_column(&c, j);
    for (int k = 0; k < least(l->mt, l->nt) && algorithm == LAYOUT_LU; k++)
        count_diagonal(&c, k);
    rank_set_destroy(&set);
    return c.sum;
}

int64_t layout_transfers(const struct layout *l, enum layout_algorithm algorithm)
{
    return layout_transferred(l, algorithm, NULL, NULL);
}

/* ---- summary -------------------------------------------------------------------------------------------------------- */

static void summarise_tiles(const struct layout *l, struct layout_summary *summary)
{
    summary->tiles_max = summary->tiles_min = layout_tiles(l, 0);
    for (int rank = 1; rank < l->ranks; rank++) {
        int64_t tiles = layout_tiles(l, rank);
        if (tiles > summary->tiles_max) summary->tiles_max = tiles;
        if (tiles < summary->tiles_min) summary->tiles_min = tiles;
    }
}

void layout_work_of_ranks(const struct layout *l, enum layout_algorithm algorithm, int64_t *work)
{
    memset(work, 0, (size_t)l->ranks * sizeof *work);
    for (int i = 0; i < l->mt; i++)
        for (int j = 0; j < (algorithm == LAYOUT_CHOLESKY ? i + 1 : l->nt); j++)
            work[layout_owner(l, i, j)] += layout_work(algorithm, i, j);
}

double layout_abe_max_over_mean(const struct layout *l, enum layout_algorithm algorithm, const double *speeds)
{
    int64_t *work = calloc((size_t)l->ranks, sizeof *work);
    double most = 0, total = 0, together = 0;
    if (!work) return NAN;
    layout_work_of_ranks(l, algorithm, work);
    for (int rank = 0; rank < l->ranks; rank++) {
        double speed = speeds ? speeds[rank] / speeds[0] : 1, time = (double)work[rank] / speed;
        most = time > most ? time : most;
        total += (double)work[rank];
        together += speed;
    }
    free(work);
    return most * together / total;
}

/* Past one height or width of the pattern a line meets no new rank. */
static void summarise_lines(const struct layout *l, struct rank_set *set, struct layout_summary *summary)
{
    summary->max_ranks_per_row = summary->max_ranks_per_col = 0;
    for (int i = 0; i < l->mt; i++) {
        int stored = l->part == LAYOUT_LOWER ? least(i + 1, l->nt) : l->nt;
        rank_set_clear(set);
        for (int j = 0; j < least(stored, l->cols); j++)
            rank_set_add(set, layout_owner(l, i, j));
        if (set->count > summary->max_ranks_per_row) summary->max_ranks_per_row = set->count;
    }
    for (int j = 0; j < l->nt; j++) {
        int top = l->part == LAYOUT_LOWER ? j : 0;
        rank_set_clear(set);
        for (int i = top; i < l->mt && i - top < l->rows; i++)
            rank_set_add(set, layout_owner(l, i, j));
        if (set->count > summary->max_ranks_per_col) summary->max_ranks_per_col = set->count;
    }
}

int layout_summarise(const struct layout *l, enum layout_algorithm algorithm, struct layout_summary *summary)
{
    struct rank_set set;
    summary->transfers = layout_transfers(l, algorithm);
    summary->flops_max_over_mean = summary->abe_max_over_mean = layout_abe_max_over_mean(l, algorithm, NULL);
    int failed = rank_set_create(&set, l->ranks) || summary->transfers < 0 || isnan(summary->flops_max_over_mean);
    if (!failed) {
        summarise_tiles(l, summary);
        summarise_lines(l, &set, summary);
    }
    rank_set_destroy(&set);
    return failed;
}
