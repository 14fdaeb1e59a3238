/*
 * The readers of final tiles, and the costs of a layout: transfers, balance, distinct ranks per row and column.
 *
 * Right-looking, owner computes (Beaumont et al., IPDPS 2023, sections III-A, III-B). The final tile (i,j) of LU is read by
 * the owners of row i right of it (i >= j) and of column j below it (i <= j); in Cholesky by those of colrow i:
 *
 *          j     i                        j     i
 *        .  .  .  .  .                  .
 *   LU   .  .  .  .  .      Cholesky    .  .
 *        .  .  .  .  .                  .  .  .
 *   i    .  X  r  r  r             i    .  X  r  r        row i, columns j+1 .. i
 *        .  .  .  .  .                  .  .  .  r  .     column i, rows below i
 *        .  .  .  .  .                  .  .  .  r  .  .
 */
#include "layouts/arithmetic.h"
#include "layouts/rank_set.h"
#include "layouts/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one tile ------------------------------------------------------------------------------------------------------- */

struct reader_list {
    const struct layout *layout;
    int *ranks;
    unsigned char *seen;
    int count;
};

static void add_reader(struct reader_list *list, int rank)
{
    if (list->seen[rank])
        return;
    list->seen[rank] = 1;
    list->ranks[list->count++] = rank;
}

/* Adds the owners of (i, from .. to-1), which repeat after one width of the pattern. */
static void add_row(struct reader_list *list, int i, int from, int to)
{
    const struct layout *l = list->layout;
    const int *row = l->cell + (int64_t)(i % l->rows) * l->cols;
    if (to - from > l->cols)
        to = from + l->cols;
    for (int j = from, col = from % l->cols; j < to; j++) {
        add_reader(list, row[col]);
        if (++col == l->cols)
            col = 0;
    }
}

/* Adds the owners of (from .. to-1, j), which repeat after one height of the pattern. */
static void add_column(struct reader_list *list, int j, int from, int to)
{
    const struct layout *l = list->layout;
    const int *col = l->cell + j % l->cols;
    if (to - from > l->rows)
        to = from + l->rows;
    for (int i = from, row = from % l->rows; i < to; i++) {
        add_reader(list, col[(int64_t)row * l->cols]);
        if (++row == l->rows)
            row = 0;
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
    struct reader_list list = { .layout = l, .ranks = ranks, .seen = seen };
    add_row(&list, i, from, to);
    return finish_list(&list);
}

int layout_column_owners(const struct layout *l, int j, int from, int to, int *ranks, unsigned char *seen)
{
    struct reader_list list = { .layout = l, .ranks = ranks, .seen = seen };
    add_column(&list, j, from, to);
    return finish_list(&list);
}

int layout_colrow_owners(const struct layout *l, int i, int *ranks, unsigned char *seen)
{
    struct reader_list list = { .layout = l, .ranks = ranks, .seen = seen };
    add_row(&list, i, 0, i + 1);
    add_column(&list, i, i + 1, l->mt);
    return finish_list(&list);
}

int layout_readers(const struct layout *l, enum layout_algorithm algorithm, int i, int j, int *ranks, unsigned char *seen)
{
    struct reader_list list = { .layout = l, .ranks = ranks, .seen = seen };
    int owner = layout_owner(l, i, j);
    seen[owner] = 1;
    if (algorithm == LAYOUT_CHOLESKY) {
        add_row(&list, i, j + 1, i + 1);
        add_column(&list, i, i + 1, l->mt);
    } else {
        if (i >= j)
            add_row(&list, i, j + 1, l->nt);
        if (i <= j)
            add_column(&list, j, i + 1, l->mt);
    }
    seen[owner] = 0;
    return finish_list(&list);
}

/* ---- all tiles: each line is walked from its end, with the growing set of the ranks behind ----------------------------- */

/*
 * After one width of the pattern a row has no new rank, and after one height a column. The final tiles beyond have the same
 * readers, all ranks of the line except the owner, and are counted together.
 */

struct count {
    const struct layout *layout;
    const int64_t *above, *before;  /* number of elements, or tiles, in the tile rows above each one and in the tile columns
                                       before each one */
    struct rank_set *behind;
    int64_t sum;
};

/* Counts the final tiles (i0 .. i1-1, j0 .. j1-1), which have this number of readers each. */
static void count_tiles(struct count *c, int i0, int i1, int j0, int j1, int readers)
{
    c->sum += readers * (c->above[i1] - c->above[i0]) * (c->before[j1] - c->before[j0]);
}

/* Counts the final tile (i,j), which all ranks behind it except its owner read. */
static void count_tile(struct count *c, int i, int j)
{
    count_tiles(c, i, i + 1, j, j + 1, c->behind->count - rank_set_has(c->behind, layout_owner(c->layout, i, j)));
}

static void pass(struct count *c, int i, int j)
{
    rank_set_add(c->behind, layout_owner(c->layout, i, j));
}

/* LU: the tiles of row i left of the diagonal. */
static void count_row(struct count *c, int i)
{
    int nt = c->layout->nt, met = greatest(nt - c->layout->cols, 0);
    rank_set_clear(c->behind);
    for (int j = nt - 1; j >= met; j--) {
        if (i > j)
            count_tile(c, i, j);
        pass(c, i, j);
    }
    count_tiles(c, i, i + 1, 0, least(i, met), c->behind->count - 1);
}

/* LU: the tiles of column j above the diagonal. */
static void count_column(struct count *c, int j)
{
    int mt = c->layout->mt, met = greatest(mt - c->layout->rows, 0);
    rank_set_clear(c->behind);
    for (int i = mt - 1; i >= met; i--) {
        if (i < j)
            count_tile(c, i, j);
        pass(c, i, j);
    }
    count_tiles(c, 0, least(j, met), j, j + 1, c->behind->count - 1);
}

/* The owners below the diagonal tile (k,k), and those right of it. */
static void pass_column(struct count *c, int k)
{
    const struct layout *l = c->layout;
    for (int i = k + 1; i < l->mt && i - k <= l->rows; i++)
        pass(c, i, k);
}

static void pass_row(struct count *c, int k)
{
    const struct layout *l = c->layout;
    for (int j = k + 1; j < l->nt && j - k <= l->cols; j++)
        pass(c, k, j);
}

/* LU: the diagonal tile (k,k). */
static void count_diagonal(struct count *c, int k)
{
    rank_set_clear(c->behind);
    pass_row(c, k);
    pass_column(c, k);
    count_tile(c, k, k);
}

/* Cholesky: the tiles of row i, from the diagonal to the left. */
static void count_colrow(struct count *c, int i)
{
    int met = greatest(i + 1 - c->layout->cols, 0);
    rank_set_clear(c->behind);
    pass_column(c, i);
    for (int j = i; j >= met; j--) {
        count_tile(c, i, j);
        pass(c, i, j);
    }
    count_tiles(c, i, i + 1, 0, met, c->behind->count - 1);
}

/* Cumulative sizes of n tile rows or columns, with those of other steps 0; NULL: no memory. */
static int64_t *sum_sizes(const int *size, int n, const bool *step, int steps)
{
    int64_t *sum = calloc((size_t)n + 1, sizeof *sum);
    for (int k = 0; k < n && sum != NULL; k++) {
        bool counts = step == NULL || (k < steps && step[k]);
        sum[k + 1] = sum[k] + (!counts ? 0 : size != NULL ? size[k] : 1);
    }
    return sum;
}

/* Tiles down to the diagonal become final in the step of their column, tiles right of it in the step of their row. */
struct sizes {
    int64_t *rows, *columns, *rows_of_steps, *columns_of_steps;
};

static void count_all(struct count *c, enum layout_algorithm algorithm, const struct sizes *sizes)
{
    const struct layout *l = c->layout;
    c->above = sizes->rows;
    c->before = sizes->columns_of_steps;
    for (int i = 0; i < l->mt; i++)
        if (algorithm == LAYOUT_CHOLESKY)
            count_colrow(c, i);
        else
            count_row(c, i);
    for (int k = 0; k < least(l->mt, l->nt) && algorithm == LAYOUT_LU; k++)
        count_diagonal(c, k);
    c->above = sizes->rows_of_steps;
    c->before = sizes->columns;
    for (int j = 0; j < l->nt && algorithm == LAYOUT_LU; j++)
        count_column(c, j);
}

int64_t layout_transferred_in(const struct layout *l, enum layout_algorithm algorithm, const int *height, const int *width,
                              const bool *step)
{
    struct rank_set set;
    struct count c = { .layout = l, .behind = &set };
    int steps = least(l->mt, l->nt);
    struct sizes s = { sum_sizes(height, l->mt, NULL, 0), sum_sizes(width, l->nt, NULL, 0),
                       sum_sizes(height, l->mt, step, steps), sum_sizes(width, l->nt, step, steps) };
    int failed = rank_set_create(&set, l->ranks) || s.rows == NULL || s.columns == NULL || s.rows_of_steps == NULL ||
                 s.columns_of_steps == NULL;
    if (!failed)
        count_all(&c, algorithm, &s);
    rank_set_destroy(&set);
    free(s.rows);
    free(s.columns);
    free(s.rows_of_steps);
    free(s.columns_of_steps);
    return failed ? -1 : c.sum;
}

int64_t layout_transferred(const struct layout *l, enum layout_algorithm algorithm, const int *height, const int *width)
{
    return layout_transferred_in(l, algorithm, height, width, NULL);
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
        if (tiles > summary->tiles_max)
            summary->tiles_max = tiles;
        if (tiles < summary->tiles_min)
            summary->tiles_min = tiles;
    }
}

/* Adds all tiles that become final in step k. Those below the diagonal have equal work, and the ranks repeat with the pattern's
   rows. */
static void add_step(const struct layout *l, enum layout_algorithm algorithm, int k, int updates, bool ends, int64_t *work)
{
    int64_t diagonal = layout_work_of_tile(algorithm, true, updates, ends);
    int64_t other = layout_work_of_tile(algorithm, false, updates, ends);
    work[layout_owner(l, k, k)] += diagonal;
    for (int i = k + 1; i < l->mt && i - k <= l->rows; i++)
        work[layout_owner(l, i, k)] += other * ((l->mt - 1 - i) / l->rows + 1);
    for (int j = k + 1; j < l->nt && j - k <= l->cols && algorithm == LAYOUT_LU; j++)
        work[layout_owner(l, k, j)] += other * ((l->nt - 1 - j) / l->cols + 1);
}

void layout_add_work_in(const struct layout *l, enum layout_algorithm algorithm, const bool *step, int64_t *work)
{
    int updates = 0;
    for (int k = 0; k < least(l->mt, l->nt); k++) {
        bool ends = step == NULL || step[k];
        add_step(l, algorithm, k, updates, ends, work);
        updates += ends;
    }
}

void layout_work_of_ranks(const struct layout *l, enum layout_algorithm algorithm, int64_t *work)
{
    memset(work, 0, (size_t)l->ranks * sizeof *work);
    layout_add_work_in(l, algorithm, NULL, work);
}

void layout_work_of_part(const struct layout *l, enum layout_algorithm algorithm, int from, int steps, int64_t *work)
{
    memset(work, 0, (size_t)l->ranks * sizeof *work);
    for (int j = 0; j < l->nt; j++)
        for (int i = algorithm == LAYOUT_CHOLESKY && j > from ? j : from; i < l->mt; i++)
            work[layout_owner(l, i, j)] += layout_work_between(algorithm, i, j, 0, steps - 1);
}

double layout_abe_max_over_mean(const struct layout *l, enum layout_algorithm algorithm, const double *speeds)
{
    int64_t *work = calloc((size_t)l->ranks, sizeof *work);
    double most = 0, total = 0, together = 0;
    if (work == NULL)
        return NAN;
    layout_work_of_ranks(l, algorithm, work);
    for (int rank = 0; rank < l->ranks; rank++) {
        double speed = speeds != NULL ? speeds[rank] / speeds[0] : 1, time = (double)work[rank] / speed;
        most = time > most ? time : most;
        total += (double)work[rank];
        together += speed;
    }
    free(work);
    return most * together / total;
}

/* After one height or width of the pattern a line has no new rank. */
static void summarise_lines(const struct layout *l, struct rank_set *set, struct layout_summary *summary)
{
    summary->max_ranks_per_row = summary->max_ranks_per_col = 0;
    for (int i = 0; i < l->mt; i++) {
        int stored = l->part == LAYOUT_LOWER ? least(i + 1, l->nt) : l->nt;
        rank_set_clear(set);
        for (int j = 0; j < least(stored, l->cols); j++)
            rank_set_add(set, layout_owner(l, i, j));
        if (set->count > summary->max_ranks_per_row)
            summary->max_ranks_per_row = set->count;
    }
    for (int j = 0; j < l->nt; j++) {
        int top = l->part == LAYOUT_LOWER ? j : 0;
        rank_set_clear(set);
        for (int i = top; i < l->mt && i - top < l->rows; i++)
            rank_set_add(set, layout_owner(l, i, j));
        if (set->count > summary->max_ranks_per_col)
            summary->max_ranks_per_col = set->count;
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
