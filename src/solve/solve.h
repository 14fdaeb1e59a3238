/* Functions that solves, products and checks share. */
#ifndef OMPFACT_SRC_SOLVE_SOLVE_H
#define OMPFACT_SRC_SOLVE_SOLVE_H

#include "src/factor/factor.h"

/* ---- solves ---------------------------------------------------------------------------------------------------------------- */

/* Checks that B was made for A, and that A's factors solve A X = B. OMPFACT_BAD_ARGUMENT and a message if not. */
ompfact_status check_rhs(const ompfact_matrix *A, const ompfact_matrix *B);
ompfact_status check_system(const ompfact_matrix *A, const ompfact_matrix *B);
/* The same for factors, which suit if they are of this factorization. */
ompfact_status check_solve(const ompfact_matrix *A, const ompfact_matrix *B, bool suits, const char *factorization);

/* Refuses a side, a triangle or an op that is none of these letters: a caller's own letters are converted without a check.
   trsm.c */
ompfact_status check_letter(const ompfact_matrix *A, const char *name, int letter, const char *letters);

/* B := op(T)^-1 B, where T is the triangle of job->A that the job names. Collective. substitute.c */
ompfact_status substitute(struct job *job);
/* job->B := op(T)^-1 B or B op(T)^-1, where T is the triangle of job->A that the job names; B has A's tile rows (columns).
   Collective. trsm.c */
ompfact_status solve_matrix(struct job *job, ompfact_report *report);
/* B := (re + i im) B, or the complex conjugate of that. Local. trsm.c */
void scale_tiles(ompfact_matrix *B, double re, double im, bool conjugate);

/* B := op(A)^-1 B with the factors L U in A. Collective. potrs_getrs.c */
ompfact_status solve_lu(ompfact_matrix *A, enum trans trans, ompfact_matrix *B);

/* The square triangle of the factors of QR (UPPER) or LQ (LOWER) in F, as a matrix of its own for substitution, which ignores the
   other triangle. Collective. gels.c */
ompfact_status triangle_of(ompfact_matrix *F, enum uplo uplo, ompfact_matrix **T);
/* X := op(T)^-1 X with this triangle; ompfact_matrix_create_rhs() made X for it. The work is added to `report`. Collective.
   gels.c */
ompfact_status solve_with(ompfact_matrix *T, enum uplo uplo, enum trans trans, ompfact_matrix *X, ompfact_report *report);
/* X := R^-1 B_1, where R is the triangle of geqrf in F, and B_1 as many rows of B, which ompfact_matrix_create_rhs() made for F.
   Collective. gels.c */
ompfact_status solve_with_triangle(ompfact_matrix *F, ompfact_matrix *B, ompfact_matrix **X);
/* B := A^H, where B's tiles have the owners of A's. GENERAL: all tiles; LOWER: those on B's diagonal and below it. Collective.
   conj_transpose.c */
ompfact_status transpose_tiles(ompfact_matrix *A, enum uplo part, ompfact_matrix *B);

/* A dense general matrix with A's tiles and elements; A's diagonal tiles get their other triangles. Collective; after an error
   the caller destroys G. general.c */
ompfact_status matrix_make_general(ompfact_matrix *A, ompfact_matrix **G);

/* The columns of a tile of B or of a partial sum that belong to tile column job->column of B. triangular.c */
struct operand columns_of(const struct job *job, struct operand tile);

/* B := B - op(A) X. X has the tile columns of op(A) as tile rows, B its tile rows, both the same tile columns; W is the `work` of
   a matrix with B's tile rows and columns, from ompfact_matrix_create_rhs(). The work is added to `report`. Collective.
   multiply.c */
ompfact_status subtract_product(enum trans trans, ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, ompfact_matrix *W,
                                ompfact_report *report);

/* ---- test ratios: check.c ----------------------------------------------------------------------------------------------- */

/* Checks that they have the shape of A's factors. OMPFACT_BAD_ARGUMENT and a message if not. */
ompfact_status check_factors(const ompfact_matrix *A, const ompfact_matrix *factors);
/* LAPACK's convention: an error over a norm of zero is infinite. */
double ratio_of(double error, double scale);
/* The largest of ||r|| / (norm ||x||) over columns, from the norms of the columns. */
double worst_column(int64_t columns, double norm, const double *errors, const double *solutions);
/* The same for residuals R and solutions X, in units of R's rows times eps. Collective. */
ompfact_status ratio_of_columns(ompfact_matrix *X, ompfact_matrix *R, double norm, double *ratio);

#endif
