/* The work of a tile: the flops of its owner in nb^3 / 3. They are integers, so that sums are the same on every rank. */
#ifndef OMPFACT_LAYOUTS_WORK_H
#define OMPFACT_LAYOUTS_WORK_H

#include "layouts/arithmetic.h"
#include "layouts/layout.h"

/* The work of a tile with so many updates. ends: its last step, in which it becomes final, counts, too. */
static inline int64_t layout_work_of_tile(enum layout_algorithm algorithm, bool on_diagonal, int64_t updates, bool ends)
{
    int64_t update = algorithm == LAYOUT_CHOLESKY && on_diagonal ? 3 : 6;                   /* syrk or gemm */
    int64_t final = !on_diagonal ? 3 : algorithm == LAYOUT_CHOLESKY ? 1 : 2;                /* trsm, potrf or getrf */
    return updates * update + (ends ? final : 0);
}

/* The work of tile (i,j) in the steps first .. last. */
static inline int64_t layout_work_between(enum layout_algorithm algorithm, int i, int j, int first, int last)
{
    int end = least(i, j);                          /* its last step, in which it becomes final */
    int updates = least(end - 1, last) - first + 1;
    return layout_work_of_tile(algorithm, i == j, updates > 0 ? updates : 0, first <= end && end <= last);
}

/* The work of tile (i,j) in all steps. */
static inline int64_t layout_work(enum layout_algorithm algorithm, int i, int j)
{
    return layout_work_between(algorithm, i, j, 0, INT32_MAX);
}

/* Cholesky's work on all tiles (i,j), i >= j, of nt x nt with i = a and j = b modulo `period`, 0 <= a, b < period. */
int64_t layout_work_of_cell(int a, int b, int period, int nt);

/* Adds to each rank's work that of the cells of a square pattern for Cholesky on all nt x nt tiles, without free cells. */
void add_work_of_cells(const struct pattern *pattern, int nt, int64_t *work);

#endif
