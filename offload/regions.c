/* All target regions: the one that determines the kind of a device, and the portable kernels, one generic body for four
   precisions. */
#include "offload/regions.h"
#include "offload/portable.h"

#include <complex.h>
#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The images have different predefined macros. */
enum device_kind region_kind(int device)
{
    int kind = DEVICE_NONE;
    #pragma omp target device(device) map(tofrom : kind)
    {
        if (!omp_is_initial_device())
#if defined __NVPTX__
            kind = DEVICE_NVIDIA;
#elif defined __AMDGCN__ || defined __SPIRV__
            kind = DEVICE_OTHER;
#else
            kind = DEVICE_EMULATED;
#endif
    }
    return (enum device_kind)kind;
}

enum {
    BLOCK = 4,      /* rows and columns of C that a thread computes at once */
    ORDER = 32,     /* order of the diagonal blocks that are factored and solved with at once */
};

/* The storage and use of a factor. */
enum {
    SHAPE_GENERAL = 0,
    SHAPE_LOWER = 1,
    SHAPE_UPPER = 2,
    SHAPE_TRIANGLE = SHAPE_LOWER | SHAPE_UPPER,     /* either triangle */
    SHAPE_UNIT = 4,
    SHAPE_TRANS = 8,
    SHAPE_HERMITIAN = 16,       /* the other triangle is the conjugate of this one */
    SHAPE_NON_ZERO = 32,        /* zeros on the diagonal count as ones in a solve */
    SHAPE_PLAIN = 64,           /* without conjugates */
};

static int shape_of(enum uplo part, enum trans trans, enum diag diag)
{
    int triangle = part == LOWER ? SHAPE_LOWER : part == UPPER ? SHAPE_UPPER : SHAPE_GENERAL;
    int of_diagonal = triangle == SHAPE_GENERAL ? 0 : diag == UNIT ? SHAPE_UNIT : diag == NON_ZERO ? SHAPE_NON_ZERO : 0;
    int transposed = trans == CONJ_TRANS ? SHAPE_TRANS : trans == TRANS ? SHAPE_TRANS | SHAPE_PLAIN : 0;
    return triangle | of_diagonal | transposed;
}

/* The number of teams for a loop with so many iterations. Without a number LLVM's runtime uses that of the former teams, which
   on the host may be none if they were another thread's. The host needs only one team. */
static int teams_for(int64_t turns)
{
    enum { TURNS = 128, MOST = 1 << 14 };
    int64_t teams = turns / TURNS + 1;
    return current.offload->kind == DEVICE_EMULATED ? 1 : teams < MOST ? (int)teams : MOST;
}

static void add_region_sums(int device, int count, const double *sums, double *sum)
{
    #pragma omp target device(device) is_device_ptr(sums, sum)
    {
        *sum = 0;
        for (int c = 0; c < count; c++)
            *sum += sums[c];
    }
}

#define BODY "offload/regions_body.h"
#include "omp/kernels/each_precision.h"
#define BODY "offload/portable_body.h"
#include "omp/kernels/each_precision.h"

const struct kernels *portable_kernels(char type)
{
    static const struct kernels *const tables[TYPES] = {
        [TYPE_S] = &s_portable_kernels, [TYPE_D] = &d_portable_kernels,
        [TYPE_C] = &c_portable_kernels, [TYPE_Z] = &z_portable_kernels
    };
    int i = type_index(type);
    return i < 0 ? NULL : tables[i];
}
