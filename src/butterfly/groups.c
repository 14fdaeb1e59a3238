/* Groups of a matrix or of right-hand sides, and the patches of groups in tiles. */
#include "src/butterfly/groups.h"

bool groups_create(struct groups *g, const ompfact_matrix *A, bool both_sides, int depth)
{
    *g = (struct groups){ .A = A, .both_sides = both_sides };
    if (spans_create(&g->rows, &A->rows, depth) && spans_create(&g->cols, &A->cols, both_sides ? depth : 0))
        return true;
    groups_destroy(g);
    return false;
}

void groups_destroy(struct groups *g)
{
    spans_destroy(&g->rows);
    spans_destroy(&g->cols);
}

int64_t groups_end(const struct groups *g)
{
    return g->rows.count * g->cols.count;
}

/* ---- patches and their owners ------------------------------------------------------------------------------------------- */

static struct patch patch_of(const struct groups *g, const struct group *group, int u, int v)
{
    const struct image *row = &group->rows->image[u], *col = &group->cols->image[v];
    bool turned = g->both_sides && row->first < col->first;
    struct patch patch = { .u = u, .v = v, .turned = turned, .i = turned ? col->tile : row->tile,
                           .j = turned ? row->tile : col->tile, .part = GENERAL };
    if (g->both_sides && row->first == col->first)
        patch.part = row->backwards ? UPPER : LOWER;
    patch.rank = layout_owner(g->A->layout, patch.i, patch.j);
    return patch;
}

/* Chooses one of the ranks that have at least 3/4 as many patches as the rank with most. A hash of the position picks among them:
   in some layouts one rank would otherwise compute most groups. */
static int worker_of(const struct group *group, int64_t position)
{
    int rank[GROUP_PATCHES], times[GROUP_PATCHES], ranks = 0, most = 0, chosen = 0;
    for (int k = 0, r; k < group->count; k++) {
        for (r = 0; r < ranks && rank[r] != group->patch[k].rank; r++)
            ;
        if (r == ranks) {
            rank[ranks] = group->patch[k].rank;
            times[ranks++] = 0;
        }
        most = ++times[r] > most ? times[r] : most;
    }
    for (int r = 0; r < ranks; r++)
        if (4 * times[r] >= 3 * most)
            rank[chosen++] = rank[r];
    return rank[((uint64_t)position * 0x9E3779B97F4A7C15u >> 33) % (uint64_t)chosen];
}

bool group_at(const struct groups *g, int64_t position, struct group *group)
{
    int64_t a = position / g->cols.count, b = position % g->cols.count;
    if (g->both_sides && b > a)
        return false;
    group->rows = &g->rows.span[a];
    group->cols = &g->cols.span[b];
    group->count = 0;
    group->square = g->both_sides && a == b;
    for (int v = 0; v < group->cols->images; v++)
        for (int u = 0; u < group->rows->images; u++)
            if (!group->square || u >= v)
                group->patch[group->count++] = patch_of(g, group, u, v);
    group->worker = worker_of(group, position);
    return true;
}

/* ---- elements of a patch ------------------------------------------------------------------------------------------------ */

/* The distances of rows and of columns in a tile, exchanged where the matrix is an upper triangle. */
static struct steps steps_in_tile(const struct groups *g, const struct group *group, const struct patch *patch)
{
    const ompfact_matrix *A = g->A;
    const struct image *down = &group->rows->image[patch->u], *right = &group->cols->image[patch->v];
    int m = group->rows->size, n = group->cols->size;
    bool mirrored = is_upper(&A->shape), across = patch->turned != mirrored;
    int64_t ld = tiling_size(&A->rows, mirrored ? patch->j : patch->i);
    struct steps s = { .row_step = across ? ld : 1, .column_step = across ? 1 : ld };
    int64_t first = down->at * s.row_step + right->at * s.column_step;
    first += down->backwards ? (m - 1) * s.row_step : 0;
    first += right->backwards ? (n - 1) * s.column_step : 0;
    s.row_step = down->backwards ? -s.row_step : s.row_step;
    s.column_step = right->backwards ? -s.column_step : s.column_step;
    char *tile = mirrored ? matrix_tile_in_place(A, patch->j, patch->i) : matrix_tile_in_place(A, patch->i, patch->j);
    s.data = tile + first * (int64_t)A->precision->size;
    return s;
}

static bool is_conjugate(const struct groups *g, const struct patch *patch)
{
    return is_hermitian(&g->A->shape) && patch->turned != is_upper(&g->A->shape);
}

void patch_prefetch(const struct groups *g, const struct group *group, const struct patch *patch)
{
    prefetch_steps(g->A->precision, group->rows->size, group->cols->size, steps_in_tile(g, group, patch));
}

void patch_read(const struct groups *g, const struct group *group, const struct patch *patch, void *to, int ld)
{
    copy_by_steps(g->A->precision, is_conjugate(g, patch), patch->part, group->rows->size, group->cols->size,
                  steps_in_tile(g, group, patch), (struct steps){ to, 1, ld });
}

void patch_write(const struct groups *g, const struct group *group, const struct patch *patch, const void *from, int ld)
{
    copy_by_steps(g->A->precision, is_conjugate(g, patch), patch->part, group->rows->size, group->cols->size,
                  (struct steps){ (void *)from, 1, ld }, steps_in_tile(g, group, patch));
}
