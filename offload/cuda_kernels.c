/* cuBLAS's and cuSOLVER's kernels on the stream of the lane that the thread has begun: one generic body, four precisions. */
#include "offload/cuda.h"
#include "offload/regions.h"

#include <stdlib.h>
#include <string.h>

enum { INFO_BYTES = 256 };      /* before what else a kernel works with, which stays aligned */

static const struct cuda_kernels *library_of(char type)
{
    static const char types[] = "sdcz";
    return &current.offload->cuda->library->kernels[strchr(types, type) - types];
}

static int fill_mode(enum uplo uplo)
{
    return uplo == LOWER ? CUBLAS_LOWER : CUBLAS_UPPER;
}

static int side_mode(enum side side)
{
    return side == LEFT ? CUBLAS_LEFT : CUBLAS_RIGHT;
}

static int diag_type(enum diag diag)
{
    return diag == UNIT ? CUBLAS_UNIT : CUBLAS_NON_UNIT;
}

static bool cuda_settled(struct cuda_lane *lane)
{
    return cuda_ok(current.offload->cuda->library->stream_wait(lane->stream), "cudaStreamSynchronize");
}

/* Columns of `width` bytes, `pitch` bytes apart, from place to place on the device. */
static bool cuda_put_2d(struct cuda_lane *lane, void *target, size_t target_pitch, const void *source, size_t source_pitch,
                        size_t width, size_t count)
{
    return cuda_ok(current.offload->cuda->library->copy_2d(target, target_pitch, source, source_pitch, width, count,
                                                           CUDA_ON_DEVICE, lane->stream),
                   "cudaMemcpy2DAsync");
}

/* Columns from the device to the host, as cuda_put_2d() copies them; done when it returns. */
static bool cuda_get_2d(struct cuda_lane *lane, void *target, size_t target_pitch, const void *source, size_t source_pitch,
                        size_t width, size_t count)
{
    return cuda_ok(current.offload->cuda->library->copy_2d(target, target_pitch, source, source_pitch, width, count, CUDA_TO_HOST,
                                                           lane->stream),
                   "cudaMemcpy2DAsync") &&
           cuda_settled(lane);
}

/* LAPACK's info, of the lane's last kernel. */
static int cuda_info(struct cuda_lane *lane, const void *on_device, const char *call)
{
    int info = 0;
    if (!cuda_ok(current.offload->cuda->library->copy(&info, on_device, sizeof info, CUDA_TO_HOST, lane->stream),
                 "cudaMemcpyAsync") ||
        !cuda_settled(lane))
        return 0;
    if (info < 0) {
        offload_fail(current.offload, "device %d: %s: cuSOLVER refuses argument %d", current.device, call, -info);
        return 0;
    }
    return info;
}

#define PRECISION_s
#include "omp/kernels/precision_on.h"
#include "offload/cuda_kernels_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_d
#include "omp/kernels/precision_on.h"
#include "offload/cuda_kernels_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_c
#include "omp/kernels/precision_on.h"
#include "offload/cuda_kernels_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_z
#include "omp/kernels/precision_on.h"
#include "offload/cuda_kernels_body.h"
#include "omp/kernels/precision_off.h"

const struct kernels *cuda_kernels(char type)
{
    static const struct kernels *const tables[TYPES] = {
        [TYPE_S] = &s_cuda_table, [TYPE_D] = &d_cuda_table, [TYPE_C] = &c_cuda_table, [TYPE_Z] = &z_cuda_table
    };
    int i = type_index(type);
    return i < 0 ? NULL : tables[i];
}
