/* Any processor: 16 registers of 16 bytes, 8 of them for sums. */
#define PACKED_KERNELS packed_generic
#define MICRO _generic
#define TARGET
#define VECTOR_BYTES 16
#define STRIPS_AT_ONCE 1
#define VECTORS_AT_ONCE 4
#define COLUMNS_AT_ONCE 2
#define COMPLEX_STRIPS_AT_ONCE 1
#define COMPLEX_COLUMNS_AT_ONCE 1
#include "omp/kernels/micro/packed_types.h"
