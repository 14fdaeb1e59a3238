/* Data and functions that the methods of refinement share. */
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
    ompfact_matrix *F, *Y;          /* the factors, and the right-hand sides of solves with them: in single, or in A's
                                       precision */
    ompfact_status (*subtract)(struct refinement *f, ompfact_matrix *V, ompfact_matrix *W);     /* W -= A V. Collective. */
    ompfact_status (*norms)(ompfact_matrix *M, double **norms);     /* norms of M's columns, on every rank; the caller frees
                                                                       them */
    struct generated *generated;    /* A, if no rank stores it (refine_compressed.c) */
    ompfact_refinement way;
    struct gmres *gmres;            /* NULL before the first correction by GMRES */
    double allowed;                 /* a column is finished if |r| <= allowed |x| */
    double *sizes;                  /* of R's columns: |r| */
    double *errors;                 /* of each column: |r| / (allowed |x|), 0 if it is finished; the same on every rank */
    double worst;                   /* the largest error */
    int solves;                     /* solves with the factors, of the column with the most */
    ompfact_report factored, solved;
};

/* Checks that a system can be refined, with a copy of A or of its factors. */
ompfact_status check_refined(const ompfact_matrix *A, const ompfact_matrix *B);
/* The report of B, of the solves that began at `start`. Collective. */
ompfact_status report_refined(const struct refinement *f, double start, ompfact_matrix *B);
/* Makes R and Y, and a list of errors. The caller calls refinement_destroy(), after an error, too. X exists. Collective. */
ompfact_status refinement_prepare(struct refinement *f);
/* The same, and X: all that is needed in addition to the caller's A, B and F. Collective. */
ompfact_status refinement_create(struct refinement *f);
void refinement_destroy(struct refinement *f);
/* The `subtract` of a stored dense A. */
ompfact_status subtract_dense(struct refinement *f, ompfact_matrix *V, ompfact_matrix *W);
/* R = B - A X. Collective. */
ompfact_status compute_residual(struct refinement *f);
/* Solves with the factors at least once, until X is accurate enough or refinement has failed. R is X's residual. *iterations: the
   solves, or the reason of failure in LAPACK's ITER. Collective. */
ompfact_status improve_with_factors(struct refinement *f, int *iterations);
/* The same from X = 0 on. *iterations is LAPACK's ITER. Collective. */
ompfact_status refine_with_factors(struct refinement *f, int *iterations);

/* ---- refine_tiles.c -------------------------------------------------------------------------------------------------------- */

/* For matrices of one tiling and layout: to := from, in to's precision. *fits, unless NULL: nothing was lost on any rank.
   Collective. */
ompfact_status copy_tiles(ompfact_matrix *from, ompfact_matrix *to, bool *fits);
/* The divisor of column j of R before it becomes single, by which its correction is multiplied. */
double size_of_residual(const struct refinement *f, int64_t j);
/* Column c of a tile of X or of a similar matrix; and multiplied by that. */
char *column_of(const struct refinement *f, const ompfact_tile *t, int c);
void scale_column(const struct refinement *f, const ompfact_tile *t, int c, double by);
/* The sums of arrays of `length` elements of A's type, one for each share and `stride` elements behind the other, over all ranks:
   two numbers each. Collective. */
ompfact_status add_up_shares(const ompfact_matrix *A, const char *arrays, int shares, int64_t stride, int64_t length,
                             double *totals);
/* W := F^-1 W, computed in Y, in F's precision, with W's tile columns. *fits: F's precision holds all numbers of W.
   Collective. */
ompfact_status precondition(struct refinement *f, ompfact_matrix *W, ompfact_matrix *Y, bool *fits);

/* ---- gmres.c, gmres_basis.c -------------------------------------------------------------------------------------------- */

/* X += C, where A C is approximately R, in the unfinished columns. The first call allocates the memory. Collective. */
ompfact_status gmres_correct(struct refinement *f, bool *fits);
void gmres_destroy(struct gmres **gmres);
/* Its bytes on X's own rank, with X on paper or not, in addition to struct refinement's matrices; with factors in single or
   not. */
int64_t gmres_bytes(const ompfact_matrix *X, int threads, bool single);

/* ---- refine_compressed.c ------------------------------------------------------------------------------------------------- */

/* Bytes of ompfact_refine() on X's own rank, with X on paper or not, including GMRES. */
int64_t generated_bytes(const ompfact_matrix *X, int threads);

#endif
