/*
 * A Hermitian tile factored with signs, or a complex symmetric tile, for which ^H means ^T in the following:
 *
 *     P A P^H = L D L^H         L unit lower, D of blocks of order 1 and 2, P a permutation by rook pivoting (C. Ashcraft,
 *                               R. Grimes, J. Lewis, "Accurate symmetric indefinite linear equation solvers", 1998, section 2.3)
 *     D_b = g J g^H             a block of order 1: g = sqrt|d|; a block of order 2 is turned by 45 degrees, after which its
 *                               diagonal is large, and eliminated: it has an eigenvalue of each sign. For symmetric tiles g is
 *                               complex, and no sign is negative
 *     A = G J G^H               G = P^H L g S, J = diag(-1 .. -1, 1 .. 1): S puts the columns with negative signs first
 *
 * L stays in the tile's triangle, and D's diagonal on the tile's diagonal. The rest of G is a signed block, plain data that
 * travels as a tile.
 */
#ifndef OMPFACT_OMP_KERNELS_SIGNED_BLOCK_H
#define OMPFACT_OMP_KERNELS_SIGNED_BLOCK_H

#include "omp/kernels/kernels.h"

#include <stdbool.h>

struct signed_block {
    int n;                      /* order of the tile */
    int negative;               /* number of negative signs in J */
    int perturbed;              /* number of pivots that were below the threshold and were replaced */
    int symmetric;              /* 1: the tile is complex symmetric; else 0 */
    double largest, smallest;   /* largest modulus of D's elements; smallest modulus of its pivots, for a block of order 2
                                   those after its elimination */
    double scale;               /* largest modulus of the whole matrix, for the caller */
    _Alignas(8) char arrays[];  /* arrays of n each: elements of the tile's type (roots: two in a row), then ints */
};

size_t signed_block_bytes(int n, size_t size);
/* The most memory that a thread needs to factor a tile of order n, and to solve with it for another tile of this order. */
size_t signed_workspace(const struct precision *precision, int n);

static inline void *signed_pivots(const struct signed_block *b)                 /* pivot of D's row i, not in the order of J */
{
    return (void *)b->arrays;
}
static inline void *signed_roots(const struct signed_block *b, size_t size)     /* [n][2]: row i of its block of g */
{
    return (void *)(b->arrays + (size_t)b->n * size);
}
static inline int *signed_order(const struct signed_block *b, size_t size)      /* P: row i of L is row order[i] of the tile */
{
    return (int *)(void *)(b->arrays + 3 * (size_t)b->n * size);
}
static inline int *signed_place(const struct signed_block *b, size_t size)      /* S: column i of G is column place[i] of L g */
{
    return signed_order(b, size) + b->n;
}
static inline int *signed_pair(const struct signed_block *b, size_t size)       /* 0: a block of order 1; 1, 2: the first or
                                                                                   second row of a block of order 2 */
{
    return signed_order(b, size) + 2 * b->n;
}

/* The adjoint of the tile and its factors. */
static inline enum trans signed_adjoint(const struct signed_block *b)
{
    return b->symmetric ? TRANS : CONJ_TRANS;
}

/* Factors the tile, whose triangle `uplo` is read and written; an upper triangle becomes L^H. A pivot below the threshold is
   replaced by one of that modulus with its sign or phase. Functions return 0, or 1 if there is no memory. */
int signed_factor(const struct precision *precision, bool symmetric, enum uplo uplo, int n, void *A, int lda, double threshold,
                  struct signed_block *b);
/* B := G^-1 B or G^-H B, or from the right B G^-H, B m x n. signs, except for G^-H from the left: then B := J B or B J. A is
   the tile, with L in the triangle `uplo`. */
int signed_solve(const struct precision *precision, enum side side, enum uplo uplo, enum trans trans, bool signs, int m, int n,
                 const void *A, int lda, const struct signed_block *b, void *B, int ldb);
/* X = B G^-H J, or from the left X^H = J G^-1 B. X replaces B, packed (micro/packed.h). */
int signed_solve_packed(const struct precision *precision, enum side side, enum uplo uplo, int m, int n, const void *A, int lda,
                        const struct signed_block *b, void *B, int ldb);
/* B := J B, n columns. */
void signed_rows(const struct precision *precision, const struct signed_block *b, int n, void *B, int ldb);
/* G = the whole matrix G, n x n. */
int signed_expand(const struct precision *precision, enum uplo uplo, const void *A, int lda, const struct signed_block *b,
                  void *G, int ldg);
/* W = G^-H J, n x n: signed_solve from the right for a unit matrix. */
int signed_inverse(const struct precision *precision, enum uplo uplo, const void *A, int lda, const struct signed_block *b,
                   void *W, int ldw);
/* C -= op(A) J op(B) with the signs of an inner dimension of b->n, or on one triangle C -= op(A) J op(A)^H, by the kernels for
   the place of A, B and C. CONJ_TRANS and ^H stand for G's adjoint; op(A) and op(B) are exactly as given, for symmetric tiles
   with TRANS. */
void signed_gemm(const struct precision *precision, const struct kernels *kernels, enum trans transa, enum trans transb, int m,
                 int n, const void *A, int lda, const struct signed_block *b, const void *B, int ldb, void *C, int ldc);
void signed_herk(const struct precision *precision, const struct kernels *kernels, enum uplo uplo, enum trans trans, int n,
                 const void *A, int lda, const struct signed_block *b, void *C, int ldc);

#endif
