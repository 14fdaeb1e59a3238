/* Kernels for packed tiles (micro/packed.h), in the calling thread's workspace. Functions that compute return 0, or 1 if there
   is no memory. */
#ifndef OMPFACT_OMP_KERNELS_PACKED_TILE_H
#define OMPFACT_OMP_KERNELS_PACKED_TILE_H

#include "omp/kernels/kernels.h"
#include "omp/kernels/micro/packed.h"

enum { PACKED_ORDER = 512 };    /* the largest order of a tile that is factored packed and in one piece */

/* A tile in memory, and the rows that are packed as strips: the columns of a tile that is stored as its conjugate transpose. */
struct packed_tile {
    const struct precision *precision;
    int m, n;
    struct view rows;
};

/* The most workspace that a thread needs for tiles with so many rows and columns. */
size_t packed_workspace(const struct precision *precision, int m, int n);
/* Whether this triangular solve goes from the first column to the last, as packed solves do. */
bool is_forward(enum side side, enum uplo uplo, enum trans trans);
/* A forward trsm of kernels.h. packed: B, or from the left B^H (with TRANS B^T), is left packed in its place. */
int packed_trsm(const struct precision *precision, enum side side, enum trans trans, enum diag diag, int m, int n, const void *A,
                int lda, void *B, int ldb, bool packed);
/* kernels.h's gemm with transb = NO_TRANS; A is packed piece by piece. */
int packing_gemm(const struct precision *precision, enum trans transa, int m, int n, int k, double alpha, const void *A, int lda,
                 const void *B, int ldb, void *C, int ldc);
/* C += alpha A B^H, A m x k, B n x k: one factor is packed, and the rows of the other one, on this side, are packed piece by
   piece. */
int packing_gemm_beside(const struct precision *precision, enum side side, int m, int n, int k, double alpha, struct view rows,
                        const void *packed, void *C, int ldc);
/* C += A^H B, A k x m packed, B k x n. */
int packed_gemm_inner(const struct precision *precision, int m, int n, int k, const void *A, const void *B, int ldb, void *C,
                      int ldc);
/* Unpacks a packed tile in its place. */
int unpack_in_place(const struct packed_tile *tile);

#endif
