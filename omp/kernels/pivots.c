#include "omp/kernels/pivots.h"

#include <stdlib.h>

size_t pivots_bytes(int room)
{
    return sizeof(struct pivots) + (size_t)room * (sizeof(int64_t) + PIVOTS_ARRAYS * sizeof(int));
}

/* ---- consecutive interchanges ------------------------------------------------------------------------------------------- */

/* Rows and places are counted from the first row of the step. Only the first `count` places and those of chosen rows change
   their rows. A place behind the first ones is named by the interchange j that brings up its row: ~j. */
struct moved {
    int count;
    int64_t *at;            /* [count]: the row at a place */
    int64_t *where;         /* [count]: the place of a row that is not chosen yet */
    int64_t *behind;        /* [count]: the row, of the first ones, at place ~j */
};

/* The interchange of place j with that of a row. Returns the latter place. */
static int64_t interchange(struct moved *m, int j, int64_t row)
{
    int64_t place = row < m->count ? m->where[row] : ~j, away = m->at[j];
    if (place < 0)
        m->behind[~place] = away;
    else
        m->at[place] = away;
    m->where[away] = place;
    m->at[j] = row;
    return place;
}

/* ---- the resulting moves ------------------------------------------------------------------------------------------------ */

static int tile_of(const struct tile_rows *rows, int64_t row, int from)
{
    int low = from, high = rows->count - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (rows->start[middle] <= row)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static int compare_keys(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void add_inside(struct pivots *p, int64_t to, int64_t from)
{
    pivots_array(p, INSIDE_TO)[p->inside] = (int)to;
    pivots_array(p, INSIDE_FROM)[p->inside++] = (int)from;
}

static void list_moves(struct pivots *p, const struct tile_rows *rows, int k, const struct moved *m)
{
    int64_t first = rows->start[k], height = rows->start[k + 1] - first;
    int64_t sorted[m->count + 1];       /* the rows that come from tiles below; of each the row times count, plus its place */
    for (int j = 0; j < m->count; j++) {
        int64_t row = m->at[j];
        if (row >= height)
            sorted[p->below++] = row * m->count + j;
        else if (row != j)
            add_inside(p, j, row);
        if (row >= m->count && row < height)
            add_inside(p, row, m->behind[j]);
    }
    qsort(sorted, (size_t)p->below, sizeof *sorted, compare_keys);
    for (int i = 0, tile = k; i < p->below; i++) {
        int64_t row = first + sorted[i] / m->count;
        int to = (int)(sorted[i] % m->count);
        tile = tile_of(rows, row, tile);
        pivots_array(p, BELOW_TILE)[i] = tile;
        pivots_array(p, BELOW_ROW)[i] = (int)(row - rows->start[tile]);
        pivots_array(p, BELOW_TO)[i] = to;
        pivots_array(p, BELOW_FROM)[i] = (int)m->behind[to];
    }
}

void pivots_make(struct pivots *p, int room, const struct tile_rows *rows, int k, int count, const int64_t *chosen,
                 int64_t *scratch)
{
    int64_t first = rows->start[k];
    *p = (struct pivots){ .count = count, .room = room };
    struct moved m = { count, scratch, scratch + count, scratch + 2 * count };
    for (int j = 0; j < count; j++)
        m.at[j] = m.where[j] = j;
    for (int j = 0; j < count; j++) {
        int64_t place = interchange(&m, j, chosen[j] - first);
        pivot_rows(p)[j] = place < 0 ? chosen[~place] : first + place;
    }
    list_moves(p, rows, k, &m);
}

/* ---- shares ------------------------------------------------------------------------------------------------------------- */

int pivots_from(const struct pivots *p, int first)
{
    const int *tile = below_tile(p);
    int end = first;
    while (end < p->below && tile[end] == tile[first])
        end++;
    return end - first;
}

int pivots_of_tile(const struct pivots *p, int m, int *first)
{
    const int *tile = below_tile(p);
    int low = 0, high = p->below;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (tile[middle] < m)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    return low < p->below && tile[low] == m ? pivots_from(p, low) : 0;
}

struct share pivots_share(const struct pivots *p, const struct tile_owners *owners, int n, int rank, int below)
{
    struct share share = { 0 };
    const int *tile = below_tile(p);
    for (int i = 0, owner = -1; i < below; i++) {
        if (i == 0 || tile[i] != tile[i - 1])
            owner = owners->owner(owners->context, tile[i], n);
        share.first += owner < rank;
        share.count += owner == rank;
    }
    return share;
}

/* ---- stacks and candidates ---------------------------------------------------------------------------------------------- */

/* An odd number of cache lines: columns whose distance is a power of two would use only a few sets of a cache. */
static int64_t leading_dimension(int64_t room, size_t size)
{
    int64_t line = 64 / (int64_t)size, lines = (room + line - 1) / line;
    return (lines | 1) * line;
}

enum { PAGE = 4096 };       /* bytes: memory for transfers from devices is pinned in pages */

struct row_stack *row_stack_create(int64_t room, int width, size_t size, bool keeps)
{
    struct row_stack *s = calloc(1, sizeof *s);
    int64_t ld = leading_dimension(room, size);
    size_t bytes = ((size_t)ld * (size_t)width * size + 255) / 256 * 256 + 256;
    if (s == NULL || ld > INT32_MAX) {
        free(s);
        return NULL;
    }
    *s = (struct row_stack){ .ld = (int)ld, .room = (int)room, .width = width, .bytes = bytes, .data = aligned_alloc(64, bytes),
                             .copy = keeps ? aligned_alloc(64, bytes) : NULL, .row = malloc(((size_t)room + 1) * sizeof *s->row),
                             .order = malloc(((size_t)room + 1) * sizeof *s->order),
                             .scratch = malloc(3 * ((size_t)width + 1) * sizeof *s->scratch),
                             .swap = aligned_alloc(PAGE, ((size_t)width * sizeof *s->swap + PAGE) / PAGE * PAGE) };
    if (s->data == NULL || (keeps && s->copy == NULL) || s->row == NULL || s->order == NULL || s->scratch == NULL ||
        s->swap == NULL)
        row_stack_destroy(&s);
    return s;
}

void row_stack_destroy(struct row_stack **stack)
{
    struct row_stack *s = *stack;
    if (s == NULL)
        return;
    free(s->data);
    free(s->copy);
    free(s->row);
    free(s->order);
    free(s->scratch);
    free(s->swap);
    free(s);
    *stack = NULL;
}

static size_t header_bytes(int room)
{
    return (sizeof(struct candidates) + (size_t)room * sizeof(int64_t) + 63) / 64 * 64;
}

size_t candidates_bytes(int room, int width, size_t size)
{
    return header_bytes(room) + (size_t)room * (size_t)width * size;
}

void *candidates_data(const struct candidates *c)
{
    return (char *)c + header_bytes(c->room);
}
