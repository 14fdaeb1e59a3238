/* All target regions: the one that tells what a device is, and the portable kernels, one generic body for four precisions. */
#include "offload/regions.h"
#include "offload/portable.h"

#include <complex.h>
#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The images differ in what the compiler says of itself. */
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
    BLOCK = 4,      /* rows and columns of C that a thread sums up at once */
    ORDER = 32,     /* of the diagonal blocks that are factored and solved with at once */
};

/* How a factor is stored and used. */
enum {
    SHAPE_GENERAL = 0,
    SHAPE_LOWER = 1,
    SHAPE_UPPER = 2,
    SHAPE_TRIANGLE = SHAPE_LOWER | SHAPE_UPPER,     /* either */
    SHAPE_UNIT = 4,
    SHAPE_TRANS = 8,
    SHAPE_HERMITIAN = 16,       /* the other triangle is this one's conjugate */
    SHAPE_NON_ZERO = 32,        /* zeros on the diagonal count as ones when it is solved with */
    SHAPE_PLAIN = 64,           /* without conjugates */
};

static int shape_of(enum uplo part, enum trans trans, enum diag diag)
{
    int triangle = part == LOWER ? SHAPE_LOWER : part == UPPER ? SHAPE_UPPER : SHAPE_GENERAL;
    int of_diagonal = triangle == SHAPE_GENERAL ? 0 : diag == UNIT ? SHAPE_UNIT : diag == NON_ZERO ? SHAPE_NON_ZERO : 0;
    int transposed = trans == CONJ_TRANS ? SHAPE_TRANS : trans == TRANS ? SHAPE_TRANS | SHAPE_PLAIN : 0;
    return triangle | of_diagonal | transposed;
}

/* Teams for a loop with so many turns. Where there are none given LLVM's runtime takes those of the teams before, which on the
   host, if they were another thread's, may be none; and there one team is all that is wanted. */
static int teams_for(int64_t turns)
{
    enum { TURNS = 128, MOST = 1 << 14 };
    int64_t teams = turns / TURNS + 1;
    return current.offload->kind == DEVICE_EMULATED ? 1 : teams < MOST ? (int)teams : MOST;
}

#define PRECISION_s
#include "omp/kernels/precision_on.h"
#include "offload/regions_body.h"
#include "offload/portable_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_d
#include "omp/kernels/precision_on.h"
#include "offload/regions_body.h"
#include "offload/portable_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_c
#include "omp/kernels/precision_on.h"
#include "offload/regions_body.h"
#include "offload/portable_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_z
#include "omp/kernels/precision_on.h"
#include "offload/regions_body.h"
#include "offload/portable_body.h"
#include "omp/kernels/precision_off.h"

const struct kernels *portable_kernels(char type)
{
    static const struct kernels *const tables[TYPES] = {
        [TYPE_S] = &s_portable_kernels, [TYPE_D] = &d_portable_kernels,
        [TYPE_C] = &c_portable_kernels, [TYPE_Z] = &z_portable_kernels
    };
    int i = type_index(type);
    return i < 0 ? NULL : tables[i];
}
