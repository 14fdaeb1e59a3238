/* The host's kernels: one generic body, four precisions. */
#include "omp/kernels/kernels.h"
#include "omp/kernels/micro/processors.h"
#include "omp/kernels/packed_tile.h"
#include "omp/kernels/workspace.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLS = 4,           /* of the block that kernels_strips.h keeps in registers */
    NARROW = 128,       /* products of up to so many rows and columns of B are not BLAS's */
    LONG = 128,         /* and with A^H those of so many rows, or more */
    PACKING = 64,       /* least rows, columns and inner dimension for which packing pays */
    SMALL_ORDER = 16,   /* the largest order of a triangle that is packed on the stack, */
    SMALL_BYTES = 8192, /* in so many bytes: a thread's stack may be small, and has many calls on it */
};
#define INLINED static inline __attribute__((always_inline))
#define UNROLLED _Pragma("clang loop unroll(full)")

/* kernels_strips.h is compiled three times; the processor tells which is used. (The compiler's own way, target_clones, chooses
   before the sanitizers have started, and crashes with them.) */
#if defined __x86_64__
#define TARGET_WIDE __attribute__((target("arch=x86-64-v4")))       /* AVX-512 */
#define TARGET_MIDDLE __attribute__((target("arch=x86-64-v3")))     /* AVX2 and FMA */
/* Vectors that the compiler halves else: where all registers are in use. */
#define WHOLE_VECTORS __attribute__((min_vector_width(512)))
#else
#define TARGET_WIDE
#define TARGET_MIDDLE
#define WHOLE_VECTORS
#endif

/* The rows of column j that are in a part of m rows: from first_of() to end_of() - 1. */
static inline int first_of(enum uplo part, int j)
{
    return part == LOWER ? j : 0;
}

static inline int end_of(enum uplo part, int j, int m)
{
    return part == UPPER && j + 1 < m ? j + 1 : m;
}

#define PRECISION_s
#include "omp/kernels/precision_on.h"
#include "omp/kernels/kernels_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_d
#include "omp/kernels/precision_on.h"
#include "omp/kernels/kernels_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_c
#include "omp/kernels/precision_on.h"
#include "omp/kernels/kernels_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_z
#include "omp/kernels/precision_on.h"
#include "omp/kernels/kernels_body.h"
#include "omp/kernels/precision_off.h"

const struct precision *precision_of(char type)
{
    static const struct precision *const precisions[TYPES] = {
        [TYPE_S] = &s_precision, [TYPE_D] = &d_precision, [TYPE_C] = &c_precision, [TYPE_Z] = &z_precision
    };
    int i = type_index(type);
    return i < 0 ? NULL : precisions[i];
}
