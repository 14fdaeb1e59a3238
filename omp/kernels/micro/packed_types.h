/* The packed kernels of a kind of processor in all precisions, as a table [TYPES] with the name PACKED_KERNELS. packed_body.h
   lists what must be defined before. */
#include "omp/kernels/micro/processors.h"
#include "omp/kernels/micro/targets.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { STRIP_BYTES = 64 };
#define M(name) JOIN(NAME(name), MICRO)

#define BODY "omp/kernels/micro/packed_body.h"
#include "omp/kernels/each_precision.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
const struct packed_kernels *const PACKED_KERNELS[TYPES] = {
    [TYPE_S] = &PASTE(s_kernels, MICRO),
    [TYPE_D] = &PASTE(d_kernels, MICRO),
    [TYPE_C] = &PASTE(c_kernels, MICRO),
    [TYPE_Z] = &PASTE(z_kernels, MICRO),
};
