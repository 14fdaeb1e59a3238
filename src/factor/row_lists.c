#include "src/factor/row_lists.h"

#include <stdlib.h>
#include <string.h>

bool row_lists_create(struct row_lists *x, ompfact_matrix *M)
{
    size_t m = (size_t)M->shape.m + 1, mt = (size_t)M->mt + 1, ranks = (size_t)M->ranks + 1;
    *x = (struct row_lists){ .M = M, .me = M->me, .ranks = M->ranks, .tile = malloc(m * sizeof *x->tile),
                             .owner = malloc(mt * sizeof *x->owner), .target = malloc(m * sizeof *x->target),
                             .index = malloc(m * sizeof *x->index), .order = malloc(m * sizeof *x->order),
                             .count = malloc(4 * ranks * sizeof *x->count) };
    bool made = x->tile != NULL && x->owner != NULL && x->target != NULL && x->index != NULL && x->order != NULL &&
                x->count != NULL;
    for (int side = 0; side < SIDES; side++) {
        x->side[side].tile = malloc(m * sizeof(int));
        x->side[side].row = malloc(m * sizeof(int));
        made &= x->side[side].tile != NULL && x->side[side].row != NULL;
    }
    for (int i = 0; i < M->mt && made; i++)
        for (int64_t row = M->rows.start[i]; row < M->rows.start[i + 1]; row++)
            x->tile[row] = i;
    return made;
}

void row_lists_free(struct row_lists *x)
{
    for (int side = 0; side < SIDES; side++) {
        free(x->side[side].tile);
        free(x->side[side].row);
    }
    free(x->tile);
    free(x->owner);
    free(x->target);
    free(x->index);
    free(x->order);
    free(x->count);
}

bool row_piece_create(struct row_piece *p, int ranks)
{
    bool made = true;
    for (int side = 0; side < SIDES; side++) {
        p->first[side] = malloc(((size_t)ranks + 1) * sizeof *p->first[side]);
        made &= p->first[side] != NULL;
    }
    return made;
}

void row_piece_free(struct row_piece *p)
{
    for (int side = 0; side < SIDES; side++)
        free(p->first[side]);
}

int row_lists_column(struct row_lists *x, int j, int64_t first)
{
    const ompfact_matrix *M = x->M;
    if (first >= M->shape.m)
        return x->me;
    int top = x->tile[first];
    bool alone = true;
    for (int i = top; i < M->mt; i++) {
        x->owner[i] = layout_owner(M->layout, i, j);
        alone &= x->owner[i] == x->owner[top];
    }
    return alone ? x->owner[top] : -1;
}

static int owner(const struct row_lists *x, int64_t row)
{
    return x->owner[x->tile[row]];
}

/* The first row of this rank that moves, from that row on; m: there is none. */
static int64_t next_moved(const struct row_lists *x, const int64_t *source, int64_t row)
{
    const ompfact_matrix *M = x->M;
    while (row < M->shape.m && (owner(x, row) != x->me || source[row] == row))
        row = owner(x, row) != x->me ? M->rows.start[x->tile[row] + 1] : row + 1;
    return row;
}

static void count_rows(struct row_lists *x, const int64_t *source, int64_t first, int64_t *out, int64_t *in)
{
    int64_t m = x->M->shape.m;
    memset(out, 0, (size_t)x->ranks * sizeof *out);
    memset(in, 0, (size_t)x->ranks * sizeof *in);
    for (int64_t i = first; i < m; i++) {
        x->target[source[i]] = i;
        if (source[i] != i && owner(x, source[i]) == x->me)
            x->index[i] = (int)out[owner(x, i)]++;
    }
    for (int64_t i = next_moved(x, source, first); i < m; i = next_moved(x, source, i + 1))
        in[owner(x, source[i])]++;
}

static void add_row(struct row_lists *x, int side, int64_t at, int64_t row)
{
    x->side[side].tile[at] = x->tile[row];
    x->side[side].row[at] = (int)(row - x->M->rows.start[x->tile[row]]);
}

void row_lists_fill(struct row_lists *x, struct row_piece *p, const int64_t *source, int64_t first, int64_t at)
{
    size_t ranks = (size_t)x->ranks;
    int64_t *count[SIDES] = { x->count, x->count + ranks }, *next[SIDES] = { x->count + 2 * ranks, x->count + 3 * ranks };
    count_rows(x, source, first, count[OUT], count[IN]);
    for (int side = 0; side < SIDES; side++) {
        p->first[side][0] = at;
        for (int r = 0; r < x->ranks; r++) {
            next[side][r] = p->first[side][r];
            p->first[side][r + 1] = p->first[side][r] + count[side][r];
        }
    }
    for (int64_t i = next_moved(x, source, first); i < x->M->shape.m; i = next_moved(x, source, i + 1)) {
        int to = owner(x, x->target[i]), from = owner(x, source[i]);
        x->order[next[OUT][to]] = x->index[x->target[i]];
        add_row(x, OUT, next[OUT][to]++, i);
        add_row(x, IN, next[IN][from]++, i);
    }
}

void row_piece_copy(const struct row_lists *x, const struct row_piece *p, int side, int rank, int first, int count, char *there)
{
    const struct kernels *k = x->M->precision->kernels;
    const int *tile = x->side[side].tile, *row = x->side[side].row;
    size_t size = x->M->precision->size;
    int rows = row_piece_rows(p, side, rank);
    for (int64_t at = p->first[side][rank], end; at < p->first[side][rank + 1]; at = end) {
        for (end = at + 1; end < p->first[side][rank + 1] && tile[end] == tile[at]; end++)
            ;
        int ld = tiling_size(&x->M->rows, tile[at]), together = (int)(end - at);
        char *here = (char *)matrix_tile(x->M, tile[at], p->j) + (size_t)(p->column + first) * (size_t)ld * size;
        if (side == OUT)
            k->copy_rows(together, count, row + at, here, ld, x->order + at, there, rows);
        else
            k->copy_rows(together, count, NULL, there + (size_t)(at - p->first[side][rank]) * size, rows, row + at, here, ld);
    }
}
