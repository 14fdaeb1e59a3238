/*
 * Kernels that cuBLAS, cuSOLVER and AMD's libraries do not have, in C, for the compiler's own targets: local.mk makes PTX of
 * this file, without CUDA, and code objects, without ROCm. A kernel's threads share its elements in turn, for any number of
 * threads: compiled for the host a kernel is a function that handles all elements.
 */
#include "offload/device_code.h"
#include "omp/kernels/bf16_numbers.h"
#include "omp/kernels/letters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined __NVPTX__
#define KERNEL __attribute__((nvptx_kernel)) void
#define BARRIER() __nvvm_bar_sync(0)            /* of a block */

static inline int64_t first(void)
{
    return (int64_t)__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
}

static inline int64_t threads(void)
{
    return (int64_t)__nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_ntid_x();
}
#elif defined __AMDGCN__
#define KERNEL __attribute__((amdgpu_kernel)) void

/* The barrier of a block: the instruction alone does not order writes. */
static inline void barrier(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#define BARRIER() barrier()

static inline int64_t first(void)
{
    return (int64_t)__builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
}

static inline int64_t threads(void)
{
    return __builtin_amdgcn_grid_size_x();
}
#else
#define KERNEL void
#define BARRIER() ((void)0)

static inline int64_t first(void)
{
    return 0;
}

static inline int64_t threads(void)
{
    return 1;
}
#endif

/* ---- elements of any type, only moved -------------------------------------------------------------------------------------- */

struct two_words {
    uint64_t word[2];
};

/* Rows to[r] of B = rows from[r] of A, n columns. */
#define COPY_ROWS(bytes, element)                                                                                              \
    KERNEL ompfact_copy_rows_##bytes(struct row_lists rows, int n, const element *A, int lda, element *B, int ldb)             \
    {                                                                                                                          \
        for (int64_t e = first(); e < (int64_t)rows.count * n; e += threads()) {                                               \
            int r = (int)(e % rows.count), c = (int)(e / rows.count);                                                          \
            int from = rows.from_is_given ? rows.from[r] : r, to = rows.to_is_given ? rows.to[r] : r;                          \
            B[to + (size_t)c * (size_t)ldb] = A[from + (size_t)c * (size_t)lda];                                               \
        }                                                                                                                      \
    }

COPY_ROWS(4, uint32_t)
COPY_ROWS(8, uint64_t)
COPY_ROWS(16, struct two_words)

/* ---- sums ----------------------------------------------------------------------------------------------------------------- */

/* For one block: *sum := the sum of sums[1 ..], which are as many as sums[0]. There is room for one for each thread. */
KERNEL ompfact_add_sums(double *sums, double *sum)
{
    int64_t count = (int64_t)sums[0];
    double mine = 0;
    for (int64_t t = first(); t < count; t += threads())
        mine += sums[1 + t];
    sums[1 + first()] = mine;       /* no other thread has read it */
    BARRIER();
    mine = 0;
    for (int64_t t = 0; t < threads(); t++)
        mine += sums[1 + t];
    if (first() == 0)
        *sum = mine;
}

/* ---- bfloat16 -------------------------------------------------------------------------------------------------------------- */

/* B := A. */
KERNEL ompfact_widen_bf16(int64_t count, const uint16_t *A, float *B)
{
    for (int64_t i = first(); i < count; i += threads())
        B[i] = bf16_value(A[i]);
}

/* B := A, rounded. */
KERNEL ompfact_round_bf16(int64_t count, const float *A, uint16_t *B)
{
    for (int64_t i = first(); i < count; i += threads())
        B[i] = (uint16_t)bf16_bits(A[i]);
}

/* The squares of the changes when A is rounded, a sum for each thread, as in the kernels `squares`. */
KERNEL ompfact_changes_bf16(int64_t count, const double *A, double *sums)
{
    double mine = 0;
    for (int64_t i = first(); i < count; i += threads())
        mine += bf16_change(A[i]) * bf16_change(A[i]);
    sums[1 + first()] = mine;
    if (first() == 0)
        sums[0] = (double)threads();
}

/* ---- numbers --------------------------------------------------------------------------------------------------------------- */

#define KERNEL_NAME(name) JOIN(JOIN(JOIN(ompfact_, name), _), LETTER)

#define BODY "offload/device_code_body.h"
#include "omp/kernels/each_precision.h"
