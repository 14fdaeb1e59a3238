/* Between solve.c, which says how a triangular solve goes, substitute.c, which plans and runs one, and those who solve inside. */
#ifndef OMPFACT_SRC_SOLVE_SUBSTITUTE_H
#define OMPFACT_SRC_SOLVE_SUBSTITUTE_H

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

/* Was B made for A? And can A X = B be solved with A's factors? OMPFACT_BAD_ARGUMENT and a message if not. */
ompfact_status check_rhs(const ompfact_matrix *A, const ompfact_matrix *B);
ompfact_status check_system(const ompfact_matrix *A, const ompfact_matrix *B);

/* B := op(A)^-1 B with the factors L U in A. Collective. */
ompfact_status solve_lu(ompfact_matrix *A, enum trans trans, ompfact_matrix *B);

/* B := op(T)^-1 B, T the triangle of job->A that the job names. Collective. */
ompfact_status substitute(struct job *job);

#endif
