/*
 * Tiles as products of few columns: T = U V^H of rank r, U m x r, V n x r. Both lie in one piece, each column of U above the same
 * one of V, so a column more is m + n elements more behind the others.
 *
 * What is left out of a tile is told as a Frobenius norm, and so are tolerances. All work in the calling thread's workspace.
 * Those that return a rank return LOW_RANK_NO_MEMORY where there is none; then the tile is lost.
 */
#ifndef OMPFACT_OMP_KERNELS_TRUNCATION_H
#define OMPFACT_OMP_KERNELS_TRUNCATION_H

#include "omp/kernels/kernels.h"

enum { LOW_RANK_NONE = -1, LOW_RANK_NO_MEMORY = -2 };

/* What a call has done, for its caller. */
struct low_rank_work {
    const struct precision *precision;
    double flops;           /* multiply-adds times two, as if the numbers were real: added up */
    double left_out;        /* of the last call */
};

/* Columns that low_rank_compress needs room for beyond the largest rank that it may find. */
enum { LOW_RANK_BLOCK = 16 };
/* A tile is truncated when more columns than this have been added, and as many as it had. */
enum { LOW_RANK_PENDING = 32 };

/*
 * A, m x n with leading dimension m, as U V^H with at most `most` columns, U^H U = I; A is overwritten. Random combinations of
 * A's columns are made orthonormal, a block at a time, and taken off A, whose rest says when it is enough (Martinsson, Voronin,
 * "A randomized blocked algorithm for efficiently computing rank-revealing factorizations of matrices", SIAM J. Sci. Comput. 38,
 * 2016); then they are truncated. UV has room for most + LOW_RANK_BLOCK columns. LOW_RANK_NONE: it takes more.
 */
int low_rank_compress(struct low_rank_work *w, int m, int n, void *A, double tolerance, int most, void *UV);
/* U V^H of `columns` columns by as few as the tolerance allows, in place; U^H U = I. */
int low_rank_truncate(struct low_rank_work *w, int m, int n, void *UV, int columns, double tolerance);
/* The same with V^H V = I, and no column less but what linear dependence takes. */
int low_rank_lean_right(struct low_rank_work *w, int m, int n, void *UV, int columns);
/* K, m x n with leading dimension m, as Z R with few columns: Z m x r, Z^H Z = I, R r x n with leading dimension min(m,n).
   K is overwritten. */
int low_rank_reduce(struct low_rank_work *w, int m, int n, void *K, double tolerance, void *Z, void *R);
/* B += alpha U V^H. */
void low_rank_expand(struct low_rank_work *w, int m, int n, int columns, double alpha, const void *UV, void *B, int ldb);
/* C += alpha U V^H V U^H on one triangle of the n x n matrix C: U and V as they lie in memory, ld elements from column to column,
   V with `rows` rows. 0, or LOW_RANK_NO_MEMORY. */
int low_rank_herk(struct low_rank_work *w, enum uplo uplo, int n, int rows, int columns, double alpha, const void *U,
                  const void *V, int ld, void *C, int ldc);
/* The Frobenius norm of A; of a triangle that of the Hermitian matrix it stands for. m x n. */
double frobenius_norm(const struct precision *precision, enum uplo part, int m, int n, const void *A, int lda);

#endif
