/* What the ways of refining a solution by factors share. */
#ifndef OMPFACT_SRC_SOLVE_REFINE_H
#define OMPFACT_SRC_SOLVE_REFINE_H

#include "src/solve/solve.h"

/* The most solves with the factors, where GMRES helps, and else, as LAPACK has it; and its ITER where these are not enough. */
enum { GMRES_SOLVES = 100, MAX_ITERATIONS = 30, NO_CONVERGENCE = -MAX_ITERATIONS - 1 };

struct gmres;
struct generated;

struct method {
    ompfact_status (*factor)(ompfact_matrix *A, int64_t *info);
    ompfact_status (*solve)(ompfact_matrix *A, ompfact_matrix *B);
};
extern const struct method method_cholesky, method_lu;

struct refinement {
    const struct method *method;
    ompfact_matrix *A, *B;          /* not changed */
    ompfact_matrix *X, *R;          /* solution and residual */
    ompfact_matrix *F, *Y;          /* the factors, and what they solve for: in single, or as A */
    ompfact_status (*subtract)(struct refinement *f, ompfact_matrix *V, ompfact_matrix *W);     /* W -= A V. Collective. */
    ompfact_status (*norms)(ompfact_matrix *M, double **norms);     /* of M's columns, on every rank; freed by the caller */
    struct generated *generated;    /* A, where no rank keeps it (refine_compressed.c) */
    ompfact_refinement way;
    struct gmres *gmres;            /* NULL before the first correction by it */
    double allowed;                 /* a column is right where |r| <= allowed |x| */
    double *sizes;                  /* of R's columns: |r| */
    double *errors;                 /* of each column: |r| / (allowed |x|), 0 if it is right; the same on every rank */
    double worst;                   /* the largest of them */
    int solves;                     /* with the factors, of the column that had most */
    ompfact_report factored, solved;
};

/* Of matrices of one tiling and layout: to := from, in to's precision. *fits, unless NULL: nothing was lost on any rank.
   Collective. */
ompfact_status copy_tiles(ompfact_matrix *from, ompfact_matrix *to, bool *fits);
/* R and Y, and a list of errors; refinement_destroy() gives them back with all else, after an error, too. X is there.
   Collective. */
ompfact_status refinement_prepare(struct refinement *f);
/* X, too: what is to be there beside A, B and F, which are the caller's. Collective. */
ompfact_status refinement_create(struct refinement *f);
void refinement_destroy(struct refinement *f);
/* The `subtract` of an A that is kept, and dense. */
ompfact_status subtract_dense(struct refinement *f, ompfact_matrix *V, ompfact_matrix *W);
/* R = B - A X. Collective. */
ompfact_status compute_residual(struct refinement *f);
/* Solves with the factors, once at least, until X is right or there is no hope. R is X's residual. *iterations: the solves, or as
   LAPACK's ITER why X is not right. Collective. */
ompfact_status improve_with_factors(struct refinement *f, int *iterations);
/* The same from X = 0 on. *iterations is LAPACK's ITER. Collective. */
ompfact_status refine_with_factors(struct refinement *f, int *iterations);

/* What column j of R is divided by before it goes to single, and its correction times that. */
double size_of_residual(const struct refinement *f, int64_t j);
/* Column c of a tile of X or of what is like it; and it times that. */
char *column_of(const struct refinement *f, const ompfact_tile *t, int c);
void scale_column(const struct refinement *f, const ompfact_tile *t, int c, double by);
/* W := F^-1 W, computed in Y, in F's precision, which has W's tile columns. *fits: all numbers of W are there in that.
   Collective. */
ompfact_status precondition(struct refinement *f, ompfact_matrix *W, ompfact_matrix *Y, bool *fits);

/* ---- gmres.c, gmres_basis.c -------------------------------------------------------------------------------------------- */

/* X += C, where A C = R, nearly, in the columns that are not right yet. The first call takes the memory. Collective. */
ompfact_status gmres_correct(struct refinement *f, bool *fits);
void gmres_destroy(struct gmres **gmres);
/* Bytes that it takes on X's own rank, X on paper or not, beside struct refinement's matrices; with factors in single or not. */
int64_t gmres_bytes(const ompfact_matrix *X, int threads, bool single);

/* ---- refine_compressed.c ------------------------------------------------------------------------------------------------- */

/* Bytes that ompfact_refine() takes on X's own rank, X on paper or not, GMRES included. */
int64_t generated_bytes(const ompfact_matrix *X, int threads);

#endif
