/* The loops of a triangular solve, and the tiles that they visit. */
#ifndef OMPFACT_SRC_SOLVE_TRIANGULAR_H
#define OMPFACT_SRC_SOLVE_TRIANGULAR_H

#include "src/matrix/layers.h"
#include "src/solve/solve.h"

static inline bool is_forward(const struct job *job)
{
    return (job->uplo == LOWER) == (job->trans == NO_TRANS);
}

/* This rank's next tile op(T)_mk of column k from row m down: its row, or mt. op(T)_mk is stored at (m,k), or at (k,m) if
   transposed. */
static inline int next_factor(const struct job *job, int k, int m)
{
    const ompfact_matrix *T = job->A;
    if (job->trans == NO_TRANS) {
        for (m = first_row(T, k, m); m < T->mt && !is_here(T, m, k); m = next_row(T, m, k))
            ;
        return m;
    }
    for (m = first_col(T, m); m < T->mt && !(owns(T, k, m) && is_here(T, k, m)); m = first_col(T, m + 1))
        ;
    return m;
}

/* The ranks that own tiles from .. to - 1 of op(T) in row, or column, k; returns their number. */
int factor_owners(const struct job *job, bool row, int k, int from, int to, int *ranks);

void solve_loops(struct run *run, const void *job);

#endif
