/* aarch64: 32 registers of 16 bytes, 16 of them for sums. */
#if defined __aarch64__
#define PACKED_KERNELS packed_neon
#define MICRO _neon
#define TARGET
#define VECTOR_BYTES 16
#define STRIPS_AT_ONCE 1
#define VECTORS_AT_ONCE 4
#define COLUMNS_AT_ONCE 4
#define COMPLEX_STRIPS_AT_ONCE 1
#define COMPLEX_COLUMNS_AT_ONCE 2
#include "omp/kernels/micro/packed_types.h"
#endif
