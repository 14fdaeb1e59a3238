/* The packed kernels of each kind of processor that this program was compiled for; processors.c says which of them run here. */
#ifndef OMPFACT_OMP_KERNELS_MICRO_PROCESSORS_H
#define OMPFACT_OMP_KERNELS_MICRO_PROCESSORS_H

#include "omp/kernels/micro/packed.h"

extern const struct packed_kernels *const packed_avx512[TYPES], *const packed_avx2[TYPES], *const packed_neon[TYPES],
    *const packed_generic[TYPES];

#endif
