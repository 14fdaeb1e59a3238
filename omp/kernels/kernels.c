/* The host's kernels: one generic body for four precisions. */
#include "omp/kernels/kernels.h"
#include "omp/kernels/micro/processors.h"
#include "omp/kernels/micro/targets.h"
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
    COLS = 4,           /* columns of the block that kernels_strips.h keeps in registers */
    NARROW = 128,       /* largest numbers of rows and columns of B for which kernels_narrow.h multiplies in place of BLAS */
    LONG = 128,         /* least number of rows for which kernels_inner.h multiplies by A^H in place of BLAS */
    PACKING = 64,       /* least rows, columns and inner dimension for which packing pays */
    SMALL_ORDER = 16,   /* largest order of a triangle that is packed on the stack */
    SMALL_BYTES = 8192, /* bytes for this on the stack: a thread's stack may be small, and many calls use it */
};

/* The rows of column j that are in a part of m rows: from first_of() to end_of() - 1. */
static inline int first_of(enum uplo part, int j)
{
    return part == LOWER ? j : 0;
}

static inline int end_of(enum uplo part, int j, int m)
{
    return part == UPPER && j + 1 < m ? j + 1 : m;
}

#define BODY "omp/kernels/kernels_body.h"
#include "omp/kernels/each_precision.h"

const struct precision *precision_of(char type)
{
    static const struct precision *const precisions[TYPES] = {
        [TYPE_S] = &s_precision, [TYPE_D] = &d_precision, [TYPE_C] = &c_precision, [TYPE_Z] = &z_precision
    };
    int i = type_index(type);
    return i < 0 ? NULL : precisions[i];
}
