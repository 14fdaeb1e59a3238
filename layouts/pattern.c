/* Patterns and their costs. */
#include "layouts/arithmetic.h"
#include "layouts/layout.h"
#include "layouts/rank_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct pattern *pattern_alloc(int ranks, int rows, int cols)
{
    if ((int64_t)rows * cols > INT32_MAX)
        return NULL;
    struct pattern *pattern = calloc(1, sizeof *pattern);
    if (pattern == NULL)
        return NULL;
    pattern->ranks = ranks;
    pattern->rows = rows;
    pattern->cols = cols;
    pattern->cell = calloc((size_t)rows * (size_t)cols, sizeof *pattern->cell);
    if (pattern->cell == NULL)
        pattern_destroy(&pattern);
    return pattern;
}

struct pattern *pattern_copy(const struct pattern *from)
{
    struct pattern *copy = pattern_alloc(from->ranks, from->rows, from->cols);
    if (copy == NULL)
        return NULL;
    memcpy(copy->cell, from->cell, (size_t)from->rows * (size_t)from->cols * sizeof *copy->cell);
    memcpy(copy->name, from->name, sizeof copy->name);
    return copy;
}

struct pattern *pattern_transposed(const struct pattern *from)
{
    struct pattern *p = pattern_alloc(from->ranks, from->cols, from->rows);
    if (p == NULL)
        return NULL;
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t j = 0; j < p->cols; j++)
            p->cell[i * p->cols + j] = from->cell[j * from->cols + i];
    memcpy(p->name, from->name, sizeof p->name);
    return p;
}

void pattern_destroy(struct pattern **pattern)
{
    if (*pattern != NULL)
        free((*pattern)->cell);
    free(*pattern);
    *pattern = NULL;
}

bool pattern_has_free_cells(const struct pattern *pattern)
{
    for (int64_t c = 0; c < (int64_t)pattern->rows * pattern->cols; c++)
        if (pattern->cell[c] == LAYOUT_FREE)
            return true;
    return false;
}

/* ---- costs ---------------------------------------------------------------------------------------------------------- */

/* Sets the set to the distinct ranks of one row or column: `count` cells at a distance of `stride`. */
static void gather(struct rank_set *set, const int *cell, int count, int stride)
{
    rank_set_clear(set);
    for (int k = 0; k < count; k++, cell += stride)
        if (*cell != LAYOUT_FREE)
            rank_set_add(set, *cell);
}

static void gather_row(struct rank_set *set, const struct pattern *p, int row)
{
    gather(set, p->cell + (int64_t)row * p->cols, p->cols, 1);
}

static void gather_col(struct rank_set *set, const struct pattern *p, int col)
{
    gather(set, p->cell + col, p->rows, p->cols);
}

double pattern_cost_lu(const struct pattern *pattern)
{
    struct rank_set set;
    if (rank_set_create(&set, pattern->ranks))
        return NAN;

    int64_t in_rows = 0, in_cols = 0;
    for (int row = 0; row < pattern->rows; row++) {
        gather_row(&set, pattern, row);
        in_rows += set.count;
    }
    for (int col = 0; col < pattern->cols; col++) {
        gather_col(&set, pattern, col);
        in_cols += set.count;
    }
    rank_set_destroy(&set);
    return (double)in_rows / pattern->rows + (double)in_cols / pattern->cols;
}

/*
 * The sum of |R n C| over the rows R and columns C of the pattern that meet in a colrow of the lcm square: those whose indices
 * are equal modulo g. -1 without memory.
 */
static int64_t shared_ranks(const struct pattern *p, int g)
{
    struct rank_set set;
    int *rows_with = calloc((size_t)p->ranks, sizeof *rows_with);
    int failed = rank_set_create(&set, p->ranks) || rows_with == NULL;
    int64_t shared = failed ? -1 : 0;

    for (int residue = 0; residue < g && !failed; residue++) {
        memset(rows_with, 0, (size_t)p->ranks * sizeof *rows_with);
        for (int row = residue; row < p->rows; row += g) {
            gather_row(&set, p, row);
            for (int rank = 0; rank < p->ranks; rank++)
                rows_with[rank] += rank_set_has(&set, rank);
        }
        for (int col = residue; col < p->cols; col += g) {
            gather_col(&set, p, col);
            for (int rank = 0; rank < p->ranks; rank++)
                if (rank_set_has(&set, rank))
                    shared += rows_with[rank];
        }
    }
    rank_set_destroy(&set);
    free(rows_with);
    return shared;
}

/* |R u C| = |R| + |C| - |R n C|, so the means of |R| and |C| are those of LU, and the lcm square is never built. */
double pattern_cost_cholesky(const struct pattern *pattern)
{
    int g = gcd(pattern->rows, pattern->cols);
    int64_t lcm = (int64_t)pattern->rows / g * pattern->cols;
    int64_t shared = shared_ranks(pattern, g);
    return shared < 0 ? NAN : pattern_cost_lu(pattern) - (double)shared / (double)lcm;
}
