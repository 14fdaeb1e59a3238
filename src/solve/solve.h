/* What solves, products and checks need of each other. */
#ifndef OMPFACT_SRC_SOLVE_SOLVE_H
#define OMPFACT_SRC_SOLVE_SOLVE_H

#include "src/factor/factor.h"

/* ---- solves ---------------------------------------------------------------------------------------------------------------- */

/* Was B made for A? And can A X = B be solved with A's factors? OMPFACT_BAD_ARGUMENT and a message if not. */
ompfact_status check_rhs(const ompfact_matrix *A, const ompfact_matrix *B);
ompfact_status check_system(const ompfact_matrix *A, const ompfact_matrix *B);

/* B := op(A)^-1 B with the factors L U in A. Collective. potrs_getrs.c */
ompfact_status solve_lu(ompfact_matrix *A, enum trans trans, ompfact_matrix *B);

/* The first zero on the diagonal of the triangle R, n x n, from 1; 0: none. Collective. determinant.c */
ompfact_status first_zero_pivot(const ompfact_matrix *R, int64_t *info);
/* The square triangle of the factors of QR (UPPER) or LQ (LOWER) in F, a matrix of its own, which substitution solves with;
   its other triangle counts for nothing. Collective. gels.c */
ompfact_status triangle_of(ompfact_matrix *F, enum uplo uplo, ompfact_matrix **T);
/* X := op(T)^-1 X with that, X made for it by ompfact_matrix_create_rhs(); what it took is added to `report`.
   Collective. gels.c */
ompfact_status solve_with(ompfact_matrix *T, enum uplo uplo, enum trans trans, ompfact_matrix *X, ompfact_report *report);
/* X := R^-1 B_1, R the triangle that geqrf left in F, B_1 as many rows of B, made for F by
   ompfact_matrix_create_rhs(). Collective. gels.c */
ompfact_status solve_with_triangle(ompfact_matrix *F, ompfact_matrix *B, ompfact_matrix **X);
/* B := A^H, B's tiles where A's are, GENERAL: all, LOWER: those on B's diagonal and below it. Collective. conj_transpose.c */
ompfact_status transpose_tiles(ompfact_matrix *A, enum uplo part, ompfact_matrix *B);

/* A dense general matrix with A's tiles and elements; A's diagonal tiles get their other triangles. Collective; after an error
   *G is to be destroyed. general.c */
ompfact_status matrix_make_general(ompfact_matrix *A, ompfact_matrix **G);

/* The columns of the operand, a tile of B or of a partial sum, that tile column job->column of B has. triangular.c */
struct operand columns_of(const struct job *job, struct operand tile);

/* B := B - op(A) X. X has tile rows like op(A)'s tile columns, B like its tile rows, both the same tile columns; W is the `work`
   of a matrix with B's tile rows and columns, as ompfact_matrix_create_rhs() makes it. Collective. multiply.c */
ompfact_status subtract_product(enum trans trans, ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, ompfact_matrix *W,
                                ompfact_report *report);

/* ---- test ratios: check.c ----------------------------------------------------------------------------------------------- */

/* Have they the shape of A's factors? OMPFACT_BAD_ARGUMENT and a message if not. */
ompfact_status check_factors(const ompfact_matrix *A, const ompfact_matrix *factors);
/* LAPACK's convention: an error where there should be none is infinitely large in units of nothing. */
double ratio_of(double error, double scale);
/* The largest of ||r|| / (norm ||x||) over columns, of which there are the norms. */
double worst_column(int64_t columns, double norm, const double *errors, const double *solutions);
/* The same of residuals R and solutions X, in units of R's rows times eps. Collective. */
ompfact_status ratio_of_columns(ompfact_matrix *X, ompfact_matrix *R, double norm, double *ratio);

#endif
