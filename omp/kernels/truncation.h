/*
 * Tiles as products of few columns: T = U V^H of rank r, U m x r, V n x r. Both are in one piece of memory: each column of U
 * is followed by the same column of V, so an additional column is m + n additional elements at the end.
 *
 * Errors of truncation and tolerances are Frobenius norms. All functions use the calling thread's workspace. Functions that
 * return a rank return LOW_RANK_NO_MEMORY if there is no memory; then the tile is lost.
 */
#ifndef OMPFACT_OMP_KERNELS_TRUNCATION_H
#define OMPFACT_OMP_KERNELS_TRUNCATION_H

#include "omp/kernels/kernels.h"

enum { LOW_RANK_NONE = -1, LOW_RANK_NO_MEMORY = -2 };

/* The results of a call for its caller. */
struct low_rank_work {
    const struct precision *precision;
    double flops;           /* sum of flops: a multiply-add counts two, as if the numbers were real */
    double left_out;        /* norm of what the last call left out */
};

/* The number of columns for which low_rank_compress needs room in addition to the largest rank that it may find. */
enum { LOW_RANK_BLOCK = 16 };
/* A tile is truncated when more than this number of columns, and as many as it had before, have been added. */
enum { LOW_RANK_PENDING = 32 };

/*
 * Compresses A, m x n with leading dimension m, to U V^H with at most `most` columns, U^H U = I; A is overwritten. Blocks of
 * random combinations of A's columns are made orthonormal and subtracted from A, until the rest of A is small enough
 * (Martinsson, Voronin, "A randomized blocked algorithm for efficiently computing rank-revealing factorizations of matrices",
 * SIAM J. Sci. Comput. 38, 2016). Then the columns are truncated. UV has room for most + LOW_RANK_BLOCK columns.
 * LOW_RANK_NONE: more columns are needed.
 */
int low_rank_compress(struct low_rank_work *w, int m, int n, void *A, double tolerance, int most, void *UV);
/* Truncates U V^H of `columns` columns to as few as the tolerance allows, in place; U^H U = I. */
int low_rank_truncate(struct low_rank_work *w, int m, int n, void *UV, int columns, double tolerance);
/* The same with V^H V = I, and without truncation: the number of columns decreases only by linear dependence. */
int low_rank_lean_right(struct low_rank_work *w, int m, int n, void *UV, int columns);
/* K, m x n with leading dimension m, becomes Z R with few columns: Z m x r, Z^H Z = I, R r x n with leading dimension min(m,n).
   K is overwritten. */
int low_rank_reduce(struct low_rank_work *w, int m, int n, void *K, double tolerance, void *Z, void *R);
/* B += U V^H. */
void low_rank_expand(struct low_rank_work *w, int m, int n, int columns, const void *UV, void *B, int ldb);
/* C += alpha U V^H V U^H on one triangle of the n x n matrix C. Columns of U and V are ld elements apart, and V has `rows`
   rows. Returns 0, or LOW_RANK_NO_MEMORY. */
int low_rank_herk(struct low_rank_work *w, enum uplo uplo, int n, int rows, int columns, double alpha, const void *U,
                  const void *V, int ld, void *C, int ldc);
/* The Frobenius norm of A, m x n; for a triangle, that of the Hermitian matrix. */
double frobenius_norm(const struct precision *precision, enum uplo part, int m, int n, const void *A, int lda);

#endif
