/* libcublas.so.13 by the host's BLAS. Factors are on the host. */
#include "tests/cuda/emulated.h"

#include <complex.h>
#include <string.h>

#ifdef EMULATED_ROCM
/* Of rocblas_status. */
enum { NOT_INITIALIZED = 1, ALLOCATION_FAILED = 5, INTERNAL_ERROR = 6, BAD_ARGUMENT = 11, EXECUTION_FAILED = INTERNAL_ERROR };
static const char *const texts[] = {
    [0] = "rocblas_status_success", [NOT_INITIALIZED] = "rocblas_status_invalid_handle",
    [ALLOCATION_FAILED] = "rocblas_status_memory_error", [INTERNAL_ERROR] = "rocblas_status_internal_error",
    [BAD_ARGUMENT] = "rocblas_status_invalid_value",
};
/* Of rocblas_operation, rocblas_fill, rocblas_diagonal and rocblas_side, the first. */
enum { FIRST_OP = 111, FIRST_UPLO = 121, FIRST_DIAG = 131, FIRST_SIDE = 141 };
static const char uplos[] = "UL";
#else
/* Of cublasStatus_t. */
enum { NOT_INITIALIZED = 1, ALLOCATION_FAILED = 3, BAD_ARGUMENT = 7, EXECUTION_FAILED = 13, INTERNAL_ERROR = 14 };
static const char *const texts[] = {
    [0] = "CUBLAS_STATUS_SUCCESS", [NOT_INITIALIZED] = "CUBLAS_STATUS_NOT_INITIALIZED",
    [ALLOCATION_FAILED] = "CUBLAS_STATUS_ALLOC_FAILED", [BAD_ARGUMENT] = "CUBLAS_STATUS_INVALID_VALUE",
    [EXECUTION_FAILED] = "CUBLAS_STATUS_EXECUTION_FAILED", [INTERNAL_ERROR] = "CUBLAS_STATUS_INTERNAL_ERROR",
};
enum { FIRST_OP = 0, FIRST_UPLO = 0, FIRST_DIAG = 0, FIRST_SIDE = 0 };
static const char uplos[] = "LU";
#endif

static int end(int error)
{
    error = emulated_end(error);
    return error == 0 ? 0 : error == LAUNCH_FAILURE ? EXECUTION_FAILED : error == BAD_HANDLE ? NOT_INITIALIZED :
           error == NO_MEMORY ? ALLOCATION_FAILED : error == INVALID_VALUE ? BAD_ARGUMENT : INTERNAL_ERROR;
}

/* ---- handles ------------------------------------------------------------------------------------------------------------ */

int cublasCreate_v2(void **handle)
{
    return end(emulated_begin(__func__) ? emulated_handle_create(BLAS_HANDLE, handle) : 0);
}

int cublasDestroy_v2(void *handle)
{
    emulated_begin(__func__);
    return end(emulated_handle_destroy(BLAS_HANDLE, handle));
}

int cublasSetStream_v2(void *handle, void *stream)
{
    return end(emulated_begin(__func__) ? emulated_handle_set_stream(BLAS_HANDLE, handle, stream) : 0);
}

/* All kernels of the handle write there. */
int cublasSetWorkspace_v2(void *handle, void *workspace, size_t bytes)
{
    struct object *object = emulated_begin(__func__) ? emulated_find(BLAS_HANDLE, handle) : NULL;
    if (object == NULL)
        return end(BAD_HANDLE);
    object->workspace = is_written(workspace, (int64_t)bytes, 1, (int64_t)bytes, 1);
    return end(0);
}

int cublasSetMathMode(void *handle, int mode)
{
    (void)mode;
    return end(emulated_begin(__func__) && emulated_find(BLAS_HANDLE, handle) != NULL ? 0 : BAD_HANDLE);
}

int cublasSetEmulationStrategy(void *handle, int strategy)
{
    (void)strategy;
    return end(emulated_begin(__func__) && emulated_find(BLAS_HANDLE, handle) != NULL ? 0 : BAD_HANDLE);
}

const char *cublasGetStatusString(int status)
{
    bool known = status >= 0 && status < (int)(sizeof texts / sizeof texts[0]) && texts[status] != NULL;
    return known ? texts[status] : "<unknown>";
}

/* ---- arguments ---------------------------------------------------------------------------------------------------------- */

/* BLAS's letter for one of cuBLAS's numbers; 0: there is none. */
static char letter(const char *letters, int number)
{
    return number >= 0 && number < (int)strlen(letters) ? letters[number] : 0;
}

static char op(int trans)
{
    return letter("NTC", trans - FIRST_OP);
}

static char side_of(int side)
{
    return letter("LR", side - FIRST_SIDE);
}

static char uplo_of(int uplo)
{
    return letter(uplos, uplo - FIRST_UPLO);
}

static char diag_of(int diag)
{
    return letter("NU", diag - FIRST_DIAG);
}

static bool is_ld(int ld, int rows)
{
    return ld >= (rows > 1 ? rows : 1);
}

/* A kernel, unless it has nothing to do. */
static int launch(void *handle, const char *call, bool right, bool empty, void (*run)(const void *), const void *arguments,
                  size_t bytes, const struct range *range, int ranges)
{
    const struct work work = { call, run, arguments, bytes, range, ranges };
    if (!emulated_begin(call))
        return end(0);
    if (emulated_find(BLAS_HANDLE, handle) == NULL)
        return end(BAD_HANDLE);
    if (!right)
        return end(INVALID_VALUE);
    return end(empty ? 0 : emulated_launch_on(BLAS_HANDLE, handle, &work));
}

#define PRECISION_s
#define CUBLAS(name) JOIN(cublasS, name)
#include "omp/kernels/precision_on.h"
#include "tests/cuda/libcublas_body.h"
#include "omp/kernels/precision_off.h"
#undef CUBLAS

#define PRECISION_d
#define CUBLAS(name) JOIN(cublasD, name)
#include "omp/kernels/precision_on.h"
#include "tests/cuda/libcublas_body.h"
#include "omp/kernels/precision_off.h"
#undef CUBLAS

#define PRECISION_c
#define CUBLAS(name) JOIN(cublasC, name)
#include "omp/kernels/precision_on.h"
#include "tests/cuda/libcublas_body.h"
#include "omp/kernels/precision_off.h"
#undef CUBLAS

#define PRECISION_z
#define CUBLAS(name) JOIN(cublasZ, name)
#include "omp/kernels/precision_on.h"
#include "tests/cuda/libcublas_body.h"
#include "omp/kernels/precision_off.h"
