/* The host's kernels: one generic body, four precisions. */
#include "omp/kernels.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Orders below which halving stops. With BLIS 0.9's AVX-512 kernels TRSM of 256 runs at 0.4 of GEMM's rate by itself. */
enum { TRSM_SMALL = 64, POTRF_SMALL = 32, GETRF_SMALL = 24 };

#define PRECISION_s
#include "omp/precision_on.h"
#include "omp/kernels_body.h"
#include "omp/precision_off.h"
#undef PRECISION_s

#define PRECISION_d
#include "omp/precision_on.h"
#include "omp/kernels_body.h"
#include "omp/precision_off.h"
#undef PRECISION_d

#define PRECISION_c
#include "omp/precision_on.h"
#include "omp/kernels_body.h"
#include "omp/precision_off.h"
#undef PRECISION_c

#define PRECISION_z
#include "omp/precision_on.h"
#include "omp/kernels_body.h"
#include "omp/precision_off.h"
#undef PRECISION_z

const struct kernels *host_kernels(char type)
{
    static const struct kernels *const tables[] = { &s_kernels, &d_kernels, &c_kernels, &z_kernels };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (tables[i]->type == type)
            return tables[i];
    return NULL;
}
