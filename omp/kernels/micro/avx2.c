/* x86-64 with AVX2 and FMA: 16 registers of 32 bytes, 12 of them for sums. */
#if defined __x86_64__
#define PACKED_KERNELS packed_avx2
#define MICRO _avx2
#define TARGET TARGET_MIDDLE
#define VECTOR_BYTES 32
#define STRIPS_AT_ONCE 3
#define VECTORS_AT_ONCE 3
#define COLUMNS_AT_ONCE 4
#define COMPLEX_STRIPS_AT_ONCE 1
#define COMPLEX_COLUMNS_AT_ONCE 2
#include "omp/kernels/micro/packed_types.h"
#endif
