/*
 * What cuBLAS and cuSOLVER lack, in C, for the compiler's own NVIDIA target: local.mk makes PTX of it, which needs nothing of
 * CUDA. A kernel's threads take turns at its elements, however many threads there are: compiled for the host it is a function
 * that does all of them.
 */
#include "offload/device_code.h"
#include "omp/kernels/letters.h"

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

/* ---- whatever the elements are: moved, not looked at ----------------------------------------------------------------------- */

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

/* ---- numbers --------------------------------------------------------------------------------------------------------------- */

#define KERNEL_NAME(name) JOIN(JOIN(JOIN(ompfact_, name), _), LETTER)

#define PRECISION_s
#include "omp/kernels/precision_on.h"
#include "offload/device_code_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_d
#include "omp/kernels/precision_on.h"
#include "offload/device_code_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_c
#include "omp/kernels/precision_on.h"
#include "offload/device_code_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_z
#include "omp/kernels/precision_on.h"
#include "offload/device_code_body.h"
#include "omp/kernels/precision_off.h"
