/* All target regions: the one that determines the kind of a device, and the portable kernels, one generic body for four
   precisions. */
#include "offload/regions.h"
#include "offload/portable.h"
#include "omp/kernels/bf16_numbers.h"

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

/* ---- bfloat16 -------------------------------------------------------------------------------------------------------------- */

static void widen_region(int device, size_t count, const uint16_t *A, float *B)
{
    int teams = teams_for((int64_t)count);
    #pragma omp target teams distribute parallel for device(device) num_teams(teams) is_device_ptr(A, B)
    for (size_t i = 0; i < count; i++)
        B[i] = bf16_value(A[i]);
}

static void round_region(int device, size_t count, const float *A, uint16_t *B)
{
    int teams = teams_for((int64_t)count);
    #pragma omp target teams distribute parallel for device(device) num_teams(teams) is_device_ptr(A, B)
    for (size_t i = 0; i < count; i++)
        B[i] = (uint16_t)bf16_bits(A[i]);
}

/* The sum of each of some parts of A, which have `length` numbers. */
static void changes_region(int device, size_t count, int length, const double *A, double *sums, int parts)
{
    int teams = teams_for(parts);
    #pragma omp target teams distribute parallel for device(device) num_teams(teams) is_device_ptr(A, sums)
    for (int p = 0; p < parts; p++) {
        double sum = 0;
        for (size_t i = (size_t)p * (size_t)length; i < count && i < (size_t)(p + 1) * (size_t)length; i++)
            sum += bf16_change(A[i]) * bf16_change(A[i]);
        sums[p] = sum;
    }
}

static void widen(size_t count, const void *A, float *B)
{
    int device = portable_begin();
    if (device >= 0 && count > 0)
        widen_region(device, count, A, B);
    portable_end();
}

static void round_numbers(size_t count, const float *A, void *B)
{
    int device = portable_begin();
    if (device >= 0 && count > 0)
        round_region(device, count, A, B);
    portable_end();
}

static void changes(size_t count, const double *A, double *sum)
{
    enum { LENGTH = 512 };
    int device = portable_begin(), parts = (int)((count + LENGTH - 1) / LENGTH);
    double *sums = device >= 0 ? portable_scratch(device, ((size_t)parts + 1) * sizeof *sums) : NULL;
    if (sums != NULL) {
        if (parts > 0)
            changes_region(device, count, LENGTH, A, sums, parts);
        add_region_sums(device, parts, sums, sum);
        portable_free(device, sums);
    }
    portable_end();
}

const struct bf16_kernels portable_bf16 = { .widen = widen, .round = round_numbers, .changes = changes };
