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
#include <string.h>

#include "layouts/internal.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

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

static int readers_but(const struct rank_set *set, int owner)
{
    return set->count - rank_set_has(set, owner);
}

/* LU: the tiles of row i left of the diagonal. */
static int64_t transfers_of_row(const struct layout *l, int i, struct rank_set *set)
{
    int64_t transfers = 0;
    rank_set_clear(set);
    for (int j = l->nt - 1; j >= 0; j--) {
        int owner = layout_owner(l, i, j);
        if (i > j) transfers += readers_but(set, owner);
        rank_set_add(set, owner);
    }
    return transfers;
}

/* LU: the tiles of column j above the diagonal. */
static int64_t transfers_of_column(const struct layout *l, int j, struct rank_set *set)
{
    int64_t transfers = 0;
    rank_set_clear(set);
    for (int i = l->mt - 1; i >= 0; i--) {
        int owner = layout_owner(l, i, j);
        if (i < j) transfers += readers_but(set, owner);
        rank_set_add(set, owner);
    }
    return transfers;
}

/* LU: the diagonal tile (k,k). */
static int64_t transfers_of_diagonal(const struct layout *l, int k, struct rank_set *set)
{
    rank_set_clear(set);
    for (int j = k + 1; j < l->nt; j++)
        rank_set_add(set, layout_owner(l, k, j));
    for (int i = k + 1; i < l->mt; i++)
        rank_set_add(set, layout_owner(l, i, k));
    return readers_but(set, layout_owner(l, k, k));
}

/* Cholesky: the tiles of row i, from the diagonal to the left. */
static int64_t transfers_of_colrow(const struct layout *l, int i, struct rank_set *set)
{
    int64_t transfers = 0;
    rank_set_clear(set);
    for (int m = i + 1; m < l->mt; m++)
        rank_set_add(set, layout_owner(l, m, i));
    for (int j = i; j >= 0; j--) {
        int owner = layout_owner(l, i, j);
        transfers += readers_but(set, owner);
        rank_set_add(set, owner);
    }
    return transfers;
}

static int64_t count_transfers(const struct layout *l, enum layout_algorithm algorithm, struct rank_set *set)
{
    int64_t transfers = 0;
    if (algorithm == LAYOUT_CHOLESKY) {
        for (int i = 0; i < l->mt; i++)
            transfers += transfers_of_colrow(l, i, set);
        return transfers;
    }
    for (int i = 0; i < l->mt; i++)
        transfers += transfers_of_row(l, i, set);
    for (int j = 0; j < l->nt; j++)
        transfers += transfers_of_column(l, j, set);
    for (int k = 0; k < least(l->mt, l->nt); k++)
        transfers += transfers_of_diagonal(l, k, set);
    return transfers;
}

int64_t layout_transfers(const struct layout *l, enum layout_algorithm algorithm)
{
    struct rank_set set;
    if (rank_set_create(&set, l->ranks)) return -1;
    int64_t transfers = count_transfers(l, algorithm, &set);
    rank_set_destroy(&set);
    return transfers;
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

static double max_over_mean(const struct layout *l, enum layout_algorithm algorithm, int64_t *work)
{
    layout_work_of_ranks(l, algorithm, work);

    int64_t most = 0, total = 0;
    for (int rank = 0; rank < l->ranks; rank++) {
        if (work[rank] > most) most = work[rank];
        total += work[rank];
    }
    return (double)most * l->ranks / (double)total;
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
    int64_t *work = calloc((size_t)l->ranks, sizeof *work);
    int failed = rank_set_create(&set, l->ranks) || !work;
    if (!failed) {
        summary->transfers = count_transfers(l, algorithm, &set);
        summary->flops_max_over_mean = max_over_mean(l, algorithm, work);
        summarise_tiles(l, summary);
        summarise_lines(l, &set, summary);
    }
    rank_set_destroy(&set);
    free(work);
    return failed;
}
