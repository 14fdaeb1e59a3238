/*
 * A pattern over the tiles of a matrix, with an index such that a walk over the tiles of a rank does not visit the tiles of
 * others.
 */
#include "layouts/free_cells.h"
#include "layouts/refusal.h"

#include <stdlib.h>
#include <string.h>

/* ---- the index ------------------------------------------------------------------------------------------------------ */

/*
 * Two passes through the cells, column by column, so that the groups of a rank have increasing columns and the rows of a group
 * increase, in time and memory proportional to the number of cells.
 */

/* group_of_rank: cumulative numbers of the pattern's columns with each rank. latest: scratch memory for one int a rank. */
static void count_groups(const struct layout *l, int *group_of_rank, int *latest)
{
    for (int rank = 0; rank < l->ranks; rank++)
        latest[rank] = -1;
    for (int col = 0; col < l->cols; col++)
        for (int row = 0; row < l->rows; row++) {
            int rank = l->cell[(int64_t)row * l->cols + col];
            group_of_rank[rank + 1] += latest[rank] != col;
            latest[rank] = col;
        }
    for (int rank = 0; rank < l->ranks; rank++)
        group_of_rank[rank + 1] += group_of_rank[rank];
}

/* Puts each cell into a group. next[rank] is the group that the rank opens next. */
static void fill_groups(const struct layout *l, struct layout_group *groups, int *group, int *place, int *next)
{
    memcpy(next, l->group_of_rank, (size_t)l->ranks * sizeof *next);
    for (int col = 0; col < l->cols; col++)
        for (int row = 0; row < l->rows; row++) {
            int64_t c = (int64_t)row * l->cols + col;
            int rank = l->cell[c], g = next[rank] - 1;
            if (g < l->group_of_rank[rank] || groups[g].col != col) {
                g = next[rank]++;
                groups[g].col = col;
            }
            group[c] = g;
            place[c] = groups[g].count++;
            groups[g].tail += row < l->mt % l->rows;
        }
}

static void fill_rows(const struct layout *l, struct layout_group *groups, int *rows)
{
    int count = l->group_of_rank[l->ranks], first = 0;
    for (int g = 0; g < count; g++) {
        groups[g].first = first;
        first += groups[g].count;
    }
    for (int64_t c = 0; c < (int64_t)l->rows * l->cols; c++)
        rows[groups[l->group[c]].first + l->place[c]] = (int)(c / l->cols);
}

/* Builds everything in l behind cell. Returns 1 without memory; layout_destroy then frees what was allocated. */
static int build_index(struct layout *l)
{
    size_t cells = (size_t)l->rows * (size_t)l->cols, ranks = (size_t)l->ranks;
    int *group, *place, *row, *group_of_rank, *scratch = calloc(ranks, sizeof *scratch);
    l->group = group = calloc(cells, sizeof *group);
    l->place = place = calloc(cells, sizeof *place);
    l->row = row = calloc(cells, sizeof *row);
    l->group_of_rank = group_of_rank = calloc(ranks + 1, sizeof *group_of_rank);

    struct layout_group *groups = NULL;
    if (group != NULL && place != NULL && row != NULL && group_of_rank != NULL && scratch != NULL) {
        count_groups(l, group_of_rank, scratch);
        l->groups = groups = calloc((size_t)group_of_rank[ranks], sizeof *groups);
    }
    if (groups != NULL) {
        fill_groups(l, groups, group, place, scratch);
        fill_rows(l, groups, row);
    }
    free(scratch);
    return groups == NULL;
}

/* ---- create and destroy --------------------------------------------------------------------------------------------- */

/* Returns 1 and a text if the layout is impossible. *any_free: whether cells are free. */
static int check(const struct pattern *p, int mt, int nt, bool *any_free, char *text)
{
    *any_free = false;
    if (mt < 1 || nt < 1)
        return layout_refuse(text, "a layout needs at least one tile, not %d x %d", mt, nt);
    for (int64_t c = 0; c < (int64_t)p->rows * p->cols; c++) {
        if (p->cell[c] != LAYOUT_FREE)
            continue;
        *any_free = true;
        if (mt != nt || p->rows != p->cols || c % (p->cols + 1) != 0)
            return layout_refuse(text, "layout %s leaves cell (%d,%d) free: only the diagonal of a symmetric matrix may be",
                                 p->name, (int)(c / p->cols), (int)(c % p->cols));
    }
    if (*any_free && p->rows == 1)
        return layout_refuse(text, "layout %s contains no rank", p->name);
    return 0;
}

/* Fills in l->cell and the size of the repeating part: the pattern, or with free cells all tiles; for a large matrix as many
   complete repetitions of the pattern as are enough to balance the work. */
static int fill_cells(struct layout *l, const struct pattern *p, bool any_free)
{
    enum { ENOUGH = 2048 };
    size_t cells = (size_t)p->rows * (size_t)p->cols;
    int assigned = l->nt <= ENOUGH || l->nt <= p->rows ? l->nt : p->rows >= ENOUGH ? p->rows : ENOUGH / p->rows * p->rows;
    int *cell = any_free ? assign_free_tiles(p, assigned, l->nt) : calloc(cells, sizeof *cell);
    if (cell == NULL)
        return 1;
    if (!any_free)
        memcpy(cell, p->cell, cells * sizeof *cell);
    l->cell = cell;
    l->rows = any_free ? assigned : p->rows;
    l->cols = any_free ? assigned : p->cols;
    return 0;
}

int layout_create(const struct pattern *pattern, int mt, int nt, enum layout_part part, struct layout **layout,
                  char text[LAYOUT_TEXT])
{
    bool any_free;
    *layout = NULL;
    if (check(pattern, mt, nt, &any_free, text))
        return 1;

    struct layout *l = *layout = calloc(1, sizeof *l);
    if (l != NULL) {
        l->ranks = pattern->ranks;
        l->mt = mt;
        l->nt = nt;
        l->part = part;
    }
    if (l != NULL && fill_cells(l, pattern, any_free) == 0 && build_index(l) == 0)
        return 0;
    layout_destroy(layout);
    layout_refuse(text, "no memory for layout %s on %d x %d tiles", pattern->name, mt, nt);
    return LAYOUT_NO_MEMORY;
}

void layout_destroy(struct layout **layout)
{
    struct layout *l = *layout;
    *layout = NULL;
    if (l == NULL)
        return;
    free((void *)l->cell);
    free((void *)l->group);
    free((void *)l->place);
    free((void *)l->groups);
    free((void *)l->group_of_rank);
    free((void *)l->row);
    free(l);
}

/* ---- walks ---------------------------------------------------------------------------------------------------------- */

/* The first group of the rank with a column >= col; behind the rank's last group if there is none. */
static int find_group(const struct layout *l, int rank, int col)
{
    int low = l->group_of_rank[rank], high = l->group_of_rank[rank + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (l->groups[middle].col < col)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The group of the rank over column j, or NULL. */
static const struct layout_group *group_over(const struct layout *l, int rank, int j)
{
    int g = find_group(l, rank, j % l->cols);
    return g < l->group_of_rank[rank + 1] && l->groups[g].col == j % l->cols ? &l->groups[g] : NULL;
}

/* The number of rows of the group above this row of the pattern. */
static int rows_above(const struct layout *l, const struct layout_group *group, int row)
{
    int low = 0, high = group->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (l->row[group->first + middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The tile row of the group's place-th row, in the same repetition of the pattern as tile row i, or in the next one; at most
   mt. */
static int row_of_place(const struct layout *l, const struct layout_group *group, int place, int i)
{
    int64_t row = i - i % l->rows;
    if (place == group->count) {
        row += l->rows;
        place = 0;
    }
    row += l->row[group->first + place];
    return row < l->mt ? (int)row : l->mt;
}

/* The number of rows of the group in the tile rows 0 .. mt-1, stored or not. */
static int rows_in_all(const struct layout *l, const struct layout_group *group)
{
    return l->mt / l->rows * group->count + group->tail;
}

static int count_in_column(const struct layout *l, const struct layout_group *group, int j)
{
    if (l->part == LAYOUT_FULL)
        return rows_in_all(l, group);
    if (j >= l->mt)
        return 0;
    return rows_in_all(l, group) - j / l->rows * group->count - rows_above(l, group, j % l->rows);
}

int layout_first(const struct layout *l, int rank, int j, int from)
{
    const struct layout_group *group = group_over(l, rank, j);
    if (l->part == LAYOUT_LOWER && from < j)
        from = j;
    if (group == NULL || from >= l->mt)
        return l->mt;
    return row_of_place(l, group, rows_above(l, group, from % l->rows), from);
}

int layout_next(const struct layout *l, int i, int j)
{
    if (!layout_is_stored(l, i, j))
        return layout_first(l, layout_owner(l, i, j), j, j);
    int64_t c = (int64_t)(i % l->rows) * l->cols + j % l->cols;
    return row_of_place(l, &l->groups[l->group[c]], l->place[c] + 1, i);
}

int layout_count(const struct layout *l, int rank, int j)
{
    const struct layout_group *group = group_over(l, rank, j);
    return group != NULL ? count_in_column(l, group, j) : 0;
}

int layout_below(const struct layout *l, int i, int j)
{
    if (!layout_is_stored(l, i, j))
        return layout_count(l, layout_owner(l, i, j), j);
    int64_t c = (int64_t)(i % l->rows) * l->cols + j % l->cols;
    const struct layout_group *group = &l->groups[l->group[c]];
    return rows_in_all(l, group) - i / l->rows * group->count - l->place[c] - 1;
}

int layout_first_column(const struct layout *l, int rank, int from)
{
    int first = l->group_of_rank[rank], end = l->group_of_rank[rank + 1];
    if (first == end || from >= l->nt)
        return l->nt;

    int g = find_group(l, rank, from % l->cols);
    int64_t col = from - from % l->cols;
    col += g < end ? l->groups[g].col : (int64_t)l->cols + l->groups[first].col;
    return col < l->nt ? (int)col : l->nt;
}

int layout_column_index(const struct layout *l, int rank, int col)
{
    int first = l->group_of_rank[rank], groups = l->group_of_rank[rank + 1] - first;
    return col / l->cols * groups + find_group(l, rank, col % l->cols) - first;
}

int64_t layout_tiles(const struct layout *l, int rank)
{
    int64_t tiles = 0;
    for (int g = l->group_of_rank[rank]; g < l->group_of_rank[rank + 1]; g++)
        for (int64_t j = l->groups[g].col; j < l->nt; j += l->cols)
            tiles += count_in_column(l, &l->groups[g], (int)j);
    return tiles;
}
