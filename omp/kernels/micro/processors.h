/* The kind of processor, which is determined only here, and the packed kernels of each kind that this program was compiled
   for. */
#ifndef OMPFACT_OMP_KERNELS_MICRO_PROCESSORS_H
#define OMPFACT_OMP_KERNELS_MICRO_PROCESSORS_H

#include "omp/kernels/micro/packed.h"

/* The vectors that compiled code may use: 64 bytes of AVX-512, 32 of AVX2, or the compiler's default. */
enum vectors { VECTORS_WIDE, VECTORS_MIDDLE, VECTORS_PLAIN, VECTORS_COUNT };
enum vectors vectors(void);

extern const struct packed_kernels *const packed_avx512[TYPES], *const packed_avx2[TYPES], *const packed_neon[TYPES],
    *const packed_generic[TYPES];

/* C += alpha A B^H, A of m rows and B of n, packed tiles with so many pairs of numbers in bfloat16 in a row (bf16.h). */
typedef void bf16_multiply(int m, int n, int pairs, float alpha, const void *A, const void *B, float *C, int ldc);
/* The one of this processor, for real elements (1 part) or complex ones (2 parts); NULL: it has no such instructions. */
bf16_multiply *bf16_product(int parts);

#endif
