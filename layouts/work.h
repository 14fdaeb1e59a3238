/*
 * The work of a tile: the flops that its owner spends on it, in nb^3 / 3. They are integers, so that sums are the same on every
 * rank.
 */
#ifndef OMPFACT_LAYOUTS_WORK_H
#define OMPFACT_LAYOUTS_WORK_H

#include "layouts/arithmetic.h"
#include "layouts/layout.h"

/* On a tile that is updated so often, and whose last step, in which it becomes final, is among those that count if it ends. */
static inline int64_t layout_work_of_tile(enum layout_algorithm algorithm, bool on_diagonal, int64_t updates, bool ends)
{
    int64_t update = algorithm == LAYOUT_CHOLESKY && on_diagonal ? 3 : 6;                   /* syrk or gemm */
    int64_t final = !on_diagonal ? 3 : algorithm == LAYOUT_CHOLESKY ? 1 : 2;                /* trsm, potrf or getrf */
    return updates * update + (ends ? final : 0);
}

/* On tile (i,j) in the steps first .. last. */
static inline int64_t layout_work_between(enum layout_algorithm algorithm, int i, int j, int first, int last)
{
    int end = least(i, j);                          /* its last step, in which it becomes final */
    int updates = least(end - 1, last) - first + 1;
    return layout_work_of_tile(algorithm, i == j, updates > 0 ? updates : 0, first <= end && end <= last);
}

/* On tile (i,j) in all steps. */
static inline int64_t layout_work(enum layout_algorithm algorithm, int i, int j)
{
    return layout_work_between(algorithm, i, j, 0, INT32_MAX);
}

/* Cholesky's on all tiles (i,j), i >= j, of nt x nt with i = a and j = b modulo `period`, 0 <= a, b < period. */
int64_t layout_work_of_cell(int a, int b, int period, int nt);

/* Adds to each rank's work what the cells of a square pattern are for Cholesky on all nt x nt tiles, free ones apart. */
void add_work_of_cells(const struct pattern *pattern, int nt, int64_t *work);

#endif
