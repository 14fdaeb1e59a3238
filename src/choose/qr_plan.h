/* A QR factorization on paper, for counts. Local. */
#ifndef OMPFACT_SRC_CHOOSE_QR_PLAN_H
#define OMPFACT_SRC_CHOOSE_QR_PLAN_H

#include "src/factor/reflectors.h"

/*
 * Right of a panel, tile columns of equal width on the same column of the pattern have the same tasks, except for the names of
 * the tiles that they read. So one column of a kind counts for all.
 */
struct qr_plan {
    ompfact_matrix *A;              /* the matrix that is factored: the caller's matrix or, on paper, its conjugate transpose */
    ompfact_matrix *transposed;     /* the caller's matrix of which A is the conjugate transpose; otherwise NULL */
    struct reflectors Q;
    struct travel t;
    int *typical;                   /* [column]: the last column of its kind */
};

/* False: no memory. The caller calls qr_plan_forget() in either case. */
bool qr_plan_make(ompfact_matrix *A, ompfact_tree tree, int ib, struct qr_plan *plan);
void qr_plan_forget(struct qr_plan *plan);
/* [typical column]: columns of its kind right of the finished panels. NULL: no memory; the caller frees the array. */
int *qr_plan_columns(const struct qr_plan *plan);

#endif
