/* The loops of a triangular solve, and what they walk. */
#ifndef OMPFACT_SRC_SOLVE_TRIANGULAR_H
#define OMPFACT_SRC_SOLVE_TRIANGULAR_H

#include "src/solve/solve.h"

static inline bool is_forward(const struct job *job)
{
    return (job->uplo == LOWER) == (job->trans == NO_TRANS);
}

/* My next tile op(T)_mk of column k from row m down: its row, or mt. op(T)_mk is stored at (m,k), or at (k,m) if transposed. */
static inline int next_factor(const struct job *job, int k, int m)
{
    const ompfact_matrix *T = job->A;
    if (job->trans == NO_TRANS)
        return first_row(T, k, m);
    for (m = first_col(T, m); m < T->mt && !owns(T, k, m); m = first_col(T, m + 1))
        ;
    return m;
}

/* The ranks that own tiles of op(T) in row k left of (forward) or right of (backward) the diagonal; returns how many. */
int contributors(const struct job *job, int k, int *ranks);

void solve_loops(struct run *run, const void *job);

#endif
