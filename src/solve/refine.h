/* What the ways of refining a solution share. */
#ifndef OMPFACT_SRC_SOLVE_REFINE_H
#define OMPFACT_SRC_SOLVE_REFINE_H

#include "src/solve/solve.h"

/* The most solves with the factors, where GMRES helps. */
enum { GMRES_SOLVES = 100 };

struct method;
struct gmres;

struct refinement {
    const struct method *method;
    ompfact_matrix *A, *B;          /* not changed */
    ompfact_matrix *X, *R;          /* solution and residual */
    ompfact_matrix *F, *Y;          /* single: the factors, and what they solve for */
    struct gmres *gmres;            /* NULL before the first correction by it */
    double allowed;                 /* sqrt(n) eps ||A|| */
    double *sizes;                  /* of R's columns: the largest moduli */
    double *errors;                 /* of each column: |r| / (allowed |x|), 0 if it is right; the same on every rank */
    int solves;                     /* with the factors, of the column that had most */
    ompfact_report factored, solved;
};

/* What column j of R is divided by before it goes to single, and its correction times that. */
double size_of_residual(const struct refinement *f, int64_t j);
/* Column c of a tile of X or of what is like it; and it times that. */
double *column_of(const struct refinement *f, const ompfact_tile *t, int c);
void scale_column(const struct refinement *f, const ompfact_tile *t, int c, double by);
/* W := F^-1 W, computed in single in Y, which has W's tile columns. *fits: all numbers of W are there in single. Collective. */
ompfact_status precondition(struct refinement *f, ompfact_matrix *W, ompfact_matrix *Y, bool *fits);

/* ---- gmres.c, gmres_basis.c -------------------------------------------------------------------------------------------- */

/* X += C, where A C = R, nearly, in the columns that are not right yet. The first call takes the memory. Collective. */
ompfact_status gmres_correct(struct refinement *f, bool *fits);
void gmres_destroy(struct gmres **gmres);
/* Bytes that it takes on X's own rank, X on paper or not, beside struct refinement's matrices. */
int64_t gmres_bytes(const ompfact_matrix *X, int threads);

#endif
