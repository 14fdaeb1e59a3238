/*
 * Tiles in bfloat16: numbers of 8 significant bits in the range of single precision, rounded to nearest, and to zero below
 * single's smallest normal number. They are stored and multiplied, no other arithmetic is done on them.
 *
 * A packed tile (micro/packed.h) consists of pairs of numbers, which instructions multiply at once:
 *
 *     real       the packed tile of m x n/2 numbers of 32 bits, each the elements (i, 2 l) and (i, 2 l + 1); n is even
 *     complex    the packed tile of m x n numbers of 32 bits, each the real and the imaginary part of an element
 *
 * The first number of a pair is in the lower half. A packed tile of m x n complex numbers in single or double has the form of
 * one of m x 2n real numbers, with each real part before its imaginary part. So both kinds of tiles are converted alike.
 */
#ifndef OMPFACT_OMP_KERNELS_BF16_H
#define OMPFACT_OMP_KERNELS_BF16_H

#include "omp/kernels/kernels.h"
#include "omp/kernels/packed_tile.h"

#include <stdbool.h>

/* B := A, m x n, from or to bfloat16, the other one in single or double: both in columns without gaps or both packed. */
void bf16_convert(bool packed, int m, int n, const struct precision *of_a, const void *A, const struct precision *of_b, void *B);
/* Frobenius norms of real numbers, or of parts of complex ones, rounded to bfloat16, and of what that changes. */
struct bf16_rounded {
    double norm, change;
};
struct bf16_rounded bf16_measure(size_t count, const float *numbers);
/* The Frobenius norm of real numbers, or of parts of complex ones, in bfloat16. */
double bf16_norm(size_t count, const void *numbers);
/* Whether this processor multiplies them. */
bool bf16_multiplies(void);
/* If it does: C += alpha A B^H, A m x k and B n x k packed, C in columns of this precision, type s or c. */
void bf16_gemm(const struct precision *of_c, int m, int n, int k, double alpha, const void *A, const void *B, void *C, int ldc);
/* C += alpha A A^H on one triangle of the n x n matrix C, whose other triangle is zero. */
void bf16_herk(const struct precision *of_c, enum uplo uplo, int n, int k, double alpha, const void *A, void *C, int ldc);
/* The elements of a packed tile to columns, in the order of the tile's view; `columns` may be where the tile is. Returns 0, or 1
   if there is no memory. */
int bf16_unpack(const struct packed_tile *tile, void *columns);
static inline bool is_bf16(const struct precision *precision)
{
    return precision == &bf16_precision || precision == &bf16_complex_precision;
}

#endif
