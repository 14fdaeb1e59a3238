/* A QR factorization on paper, for those who count what it takes. Local. */
#ifndef OMPFACT_SRC_CHOOSE_QR_PLAN_H
#define OMPFACT_SRC_CHOOSE_QR_PLAN_H

#include "src/factor/reflectors.h"

/*
 * Behind a panel tile columns that are as wide and lie on the same column of the pattern have the same tasks, but for the names
 * of what travels in each. So one of a kind counts for all.
 */
struct qr_plan {
    ompfact_matrix *A;              /* that is factored: the one that was asked about, or on paper its conjugate transpose, */
    ompfact_matrix *transposed;     /*   which is this one's; else NULL */
    struct reflectors Q;
    struct travel t;
    int *typical;                   /* [column]: the last one of its kind */
};

/* False: no memory. qr_plan_forget() either way. */
bool qr_plan_make(ompfact_matrix *A, ompfact_tree tree, int ib, struct qr_plan *plan);
void qr_plan_forget(struct qr_plan *plan);
/* [typical column]: columns of its kind behind the panels that are done already. NULL: no memory; the caller frees it. */
int *qr_plan_columns(const struct qr_plan *plan);

#endif
