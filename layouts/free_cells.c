#include "layouts/free_cells.h"
#include "layouts/work.h"

#include <stdlib.h>

static int heaviest_first(const void *left, const void *right)
{
    const struct free_tile *a = left, *b = right;
    if (a->work != b->work)
        return a->work > b->work ? -1 : 1;
    return a->i < b->i ? -1 : a->i > b->i;      /* only tiles of one column have the same weight */
}

int least_loaded_of_colrow(const struct pattern *p, int d, const int64_t *work)
{
    int best = LAYOUT_FREE;
    for (int k = 0; k < p->rows; k++) {
        int candidates[2] = { p->cell[(int64_t)d * p->cols + k], p->cell[(int64_t)k * p->cols + d] };
        for (int c = 0; c < 2; c++) {
            int rank = candidates[c];
            if (rank == LAYOUT_FREE)
                continue;
            if (best == LAYOUT_FREE || work[rank] < work[best] || (work[rank] == work[best] && rank < best))
                best = rank;
        }
    }
    return best;
}

struct free_tile *list_free_tiles(const struct pattern *p, int n, int nt, int *count)
{
    int64_t per_row = (n - 1) / p->rows + 1;        /* most in one tile row */
    struct free_tile *tiles = malloc((size_t)n * (size_t)per_row * sizeof *tiles);
    *count = 0;
    for (int j = 0; j < n && tiles != NULL; j++) {
        if (p->cell[(int64_t)(j % p->rows) * (p->cols + 1)] != LAYOUT_FREE)
            continue;
        for (int64_t i = j; i < n; i += p->rows) {
            int64_t mirrored = i != j ? layout_work_of_cell(j, (int)i, n, nt) : 0;
            tiles[(*count)++] = (struct free_tile){ layout_work_of_cell((int)i, j, n, nt) + mirrored, (int)i, j };
        }
    }
    if (tiles != NULL)
        qsort(tiles, (size_t)*count, sizeof *tiles, heaviest_first);
    return tiles;
}

/* Assigns a rank to every free tile of owner (n x n, the pattern repeated). Free cells are on the diagonal, so their tiles are
   symmetric. */
static void assign_free(const struct pattern *p, int *owner, int n, const struct free_tile *tiles, int count, int64_t *work)
{
    for (const struct free_tile *t = tiles; t < tiles + count; t++) {
        int rank = least_loaded_of_colrow(p, t->i % p->rows, work);
        work[rank] += t->work;
        owner[(int64_t)t->i * n + t->j] = owner[(int64_t)t->j * n + t->i] = rank;
    }
}

int *assign_free_tiles(const struct pattern *p, int n, int nt)
{
    int count;
    int *owner = calloc((size_t)n * (size_t)n, sizeof *owner);
    struct free_tile *tiles = list_free_tiles(p, n, nt, &count);
    int64_t *work = calloc((size_t)p->ranks, sizeof *work);

    if (owner != NULL && tiles != NULL && work != NULL) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                owner[(int64_t)i * n + j] = p->cell[(int64_t)(i % p->rows) * p->cols + j % p->cols];
        add_work_of_cells(p, nt, work);
        assign_free(p, owner, n, tiles, count, work);
    } else {
        free(owner);
        owner = NULL;
    }
    free(tiles);
    free(work);
    return owner;
}
