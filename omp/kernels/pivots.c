#include "omp/kernels/pivots.h"

#include <stdlib.h>

size_t pivots_bytes(int room)
{
    return sizeof(struct pivots) + (size_t)room * (sizeof(int64_t) + PIVOTS_ARRAYS * sizeof(int));
}

/* ---- consecutive interchanges ------------------------------------------------------------------------------------------- */

/* The places that hold another row than before: place[i] holds row holds[i], counted from the first row of the step. */
struct moved {
    int64_t *place, *holds;
    int count;
};

static int find(const int64_t *list, int count, int64_t value)
{
    int i = 0;
    while (i < count && list[i] != value)
        i++;
    return i;
}

static int64_t *holder(struct moved *m, int64_t place)
{
    int i = find(m->place, m->count, place);
    if (i == m->count) {
        m->place[i] = m->holds[i] = place;
        m->count++;
    }
    return &m->holds[i];
}

static int64_t place_of(const struct moved *m, int64_t row)
{
    int i = find(m->holds, m->count, row);
    return i < m->count ? m->place[i] : row;
}

static void interchange(struct moved *m, int64_t a, int64_t b)
{
    if (a == b)
        return;
    holder(m, a);
    int64_t *at_b = holder(m, b), *at_a = holder(m, a), row = *at_a;
    *at_a = *at_b;
    *at_b = row;
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

static int compare_places(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void list_moves(struct pivots *p, const struct tile_rows *rows, int k, const struct moved *m, int64_t *sorted)
{
    int64_t first = rows->start[k], height = rows->start[k + 1] - first;
    for (int i = 0; i < m->count; i++)
        if (m->place[i] >= height) {
            sorted[p->below++] = m->place[i];
        } else if (m->holds[i] < height && m->holds[i] != m->place[i]) {
            pivots_array(p, INSIDE_TO)[p->inside] = (int)m->place[i];
            pivots_array(p, INSIDE_FROM)[p->inside++] = (int)m->holds[i];
        }
    qsort(sorted, (size_t)p->below, sizeof *sorted, compare_places);
    for (int i = 0, tile = k; i < p->below; i++) {
        tile = tile_of(rows, first + sorted[i], tile);
        pivots_array(p, BELOW_TILE)[i] = tile;
        pivots_array(p, BELOW_ROW)[i] = (int)(first + sorted[i] - rows->start[tile]);
        pivots_array(p, BELOW_TO)[i] = (int)place_of(m, sorted[i]);
        pivots_array(p, BELOW_FROM)[i] = (int)m->holds[find(m->place, m->count, sorted[i])];
    }
}

void pivots_make(struct pivots *p, int room, const struct tile_rows *rows, int k, int count, const int64_t *chosen,
                 int64_t *scratch)
{
    int64_t first = rows->start[k];
    *p = (struct pivots){ .count = count, .room = room };
    struct moved m = { .place = scratch, .holds = scratch + 2 * count };
    for (int j = 0; j < count; j++) {
        int64_t place = place_of(&m, chosen[j] - first);
        pivot_rows(p)[j] = first + place;
        interchange(&m, j, place);
    }
    int64_t sorted[count + 1];      /* at most the rows of a tile's column */
    list_moves(p, rows, k, &m, sorted);
}

/* ---- shares ------------------------------------------------------------------------------------------------------------- */

int pivots_of_tile(const struct pivots *p, int m, int *first)
{
    const int *tile = below_tile(p);
    int low = 0, high = p->below, end;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (tile[middle] < m)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < p->below && tile[end] == m; end++)
        ;
    *first = low;
    return end - low;
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
                             .scratch = malloc(4 * ((size_t)width + 1) * sizeof *s->scratch),
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
