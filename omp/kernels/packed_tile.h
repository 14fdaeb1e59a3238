/* What tasks do with packed tiles (micro/packed.h), in the calling thread's workspace. Those that compute return 0, or 1: there
   is no memory. */
#ifndef OMPFACT_OMP_KERNELS_PACKED_TILE_H
#define OMPFACT_OMP_KERNELS_PACKED_TILE_H

#include "omp/kernels/kernels.h"
#include "omp/kernels/micro/packed.h"

enum { PACKED_ORDER = 512 };    /* the largest order of what is factored packed in one piece */

/* A tile in memory and its rows, of which packed strips are made: the columns of a tile whose conjugate transpose is kept. */
struct packed_tile {
    const struct precision *precision;
    int m, n;
    struct view rows;
};

/* The most workspace that a thread needs for tiles of so many rows and columns. */
size_t packed_workspace(const struct precision *precision, int m, int n);
/* Is this triangular solve one that goes through the columns from the first to the last, as packed ones do? */
bool is_forward(enum side side, enum uplo uplo, enum trans trans);
/* kernels.h's trsm, a forward one; `packed`: B, from the left B^H (with TRANS B^T), is left packed in its place. */
int packed_trsm(const struct precision *precision, enum side side, enum trans trans, enum diag diag, int m, int n, const void *A,
                int lda, void *B, int ldb, bool packed);
/* kernels.h's gemm with transb = NO_TRANS; A is packed piece by piece. */
int packing_gemm(const struct precision *precision, enum trans transa, int m, int n, int k, double alpha, const void *A, int lda,
                 const void *B, int ldb, void *C, int ldc);
/* C += alpha A B^H, A m x k, B n x k: one is packed, and the rows of the other one, on this side, are packed piece by piece. */
int packing_gemm_beside(const struct precision *precision, enum side side, int m, int n, int k, double alpha, struct view rows,
                        const void *packed, void *C, int ldc);
/* C += A^H B, A k x m packed, B k x n. */
int packed_gemm_inner(const struct precision *precision, int m, int n, int k, const void *A, const void *B, int ldb, void *C,
                      int ldc);
/* A tile that is packed where it lies becomes what it was. */
int unpack_in_place(const struct packed_tile *tile);

#endif
