/*
 * Tiles in bfloat16: numbers of 8 significant bits in the range of single precision, rounded to nearest, and to zero below
 * single's smallest normal number. They are stored and multiplied, no other arithmetic is done on them.
 *
 * A packed tile (micro/packed.h) has columns in pairs, which instructions multiply at once: it is the packed tile of m x n/2
 * numbers of 32 bits, each the elements (i, 2 l) and (i, 2 l + 1) of the tile, the first one in the lower half. n is even.
 */
#ifndef OMPFACT_OMP_KERNELS_BF16_H
#define OMPFACT_OMP_KERNELS_BF16_H

#include "omp/kernels/kernels.h"
#include "omp/kernels/packed_tile.h"

#include <stdbool.h>

/* B := A, m x n, from or to bfloat16, the other one in type s or d: both in columns without gaps or both packed. */
void bf16_convert(bool packed, int m, int n, const struct precision *of_a, const void *A, const struct precision *of_b, void *B);
/* Frobenius norms of A, a type s, rounded to bfloat16, and of what that changes; in columns without gaps. */
struct bf16_rounded {
    double norm, change;
};
struct bf16_rounded bf16_measure(int m, int n, const float *A);
/* The Frobenius norm of A in bfloat16, in columns without gaps or packed. */
double bf16_norm(int m, int n, const void *A);
/* Whether this processor multiplies them. */
bool bf16_multiplies(void);
/* Where it does, in type s: C += alpha A B^T, A m x k, B n x k. */
void bf16_gemm(int m, int n, int k, double alpha, const void *A, const void *B, float *C, int ldc);
/* C += alpha A A^T on one triangle of the n x n matrix C, whose other triangle is zero. */
void bf16_herk(enum uplo uplo, int n, int k, double alpha, const void *A, float *C, int ldc);
/* As unpack_in_place(). */
int bf16_unpack_in_place(const struct packed_tile *tile);

#endif
