/* What the ways of refining a solution share. */
#ifndef OMPFACT_SRC_SOLVE_REFINE_H
#define OMPFACT_SRC_SOLVE_REFINE_H

#include "src/solve/solve.h"

/* After so many steps GMRES starts anew; and the most solves with the factors. */
enum { GMRES_STEPS = 20, GMRES_SOLVES = 100 };

struct method;
struct gmres;

struct refinement {
    const struct method *method;
    ompfact_matrix *A, *B;          /* not changed */
    ompfact_matrix *X, *R;          /* solution and residual */
    ompfact_matrix *F, *Y;          /* single: the factors, and what they solve for */
    struct gmres *gmres;            /* NULL: classic */
    double allowed;                 /* sqrt(n) eps ||A|| */
    double *errors;                 /* of each column: |r| / (allowed |x|), 0 if it is right */
    int solves;                     /* with the factors */
    ompfact_report factored, solved;
};

/* R = F^-1 Q, computed in single; Q may be R. *fits: all numbers of Q are there in single. Collective. */
ompfact_status precondition(struct refinement *f, ompfact_matrix *Q, bool *fits);

/* ---- gmres.c ----------------------------------------------------------------------------------------------------------- */

/* For f's X and R, which are there. OMPFACT_NO_MEMORY leaves something to destroy, too. Collective. */
ompfact_status gmres_create(struct refinement *f);
void gmres_destroy(struct gmres **gmres);
/* X += D, where A D = R, nearly, in the columns that are not right yet. R is overwritten. Collective. */
ompfact_status gmres_correct(struct refinement *f, bool *fits);

#endif
