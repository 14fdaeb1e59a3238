/* x86-64 with AVX-512: 32 registers of 64 bytes, 24 of them for sums. */
#if defined __x86_64__
#define PACKED_KERNELS packed_avx512
#define MICRO _avx512
#define TARGET TARGET_WIDE
#define VECTOR_BYTES 64
#define STRIPS_AT_ONCE 3
#define VECTORS_AT_ONCE 3
#define COLUMNS_AT_ONCE 8
#define COMPLEX_STRIPS_AT_ONCE 3
#define COMPLEX_COLUMNS_AT_ONCE 4
#include "omp/kernels/micro/packed_types.h"
#endif
