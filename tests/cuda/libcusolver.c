/* libcusolver.so.12 by the host's LAPACK, and LU without pivoting by its BLAS. */
#include "tests/cuda/emulated.h"

#include <complex.h>
#include <lapacke.h>
#include <limits.h>
#include <stdlib.h>

/* Codes of cusolverStatus_t. */
enum { NOT_INITIALIZED = 1, ALLOCATION_FAILED = 2, BAD_ARGUMENT = 3, EXECUTION_FAILED = 6, INTERNAL_ERROR = 7 };

#ifdef EMULATED_ROCM
enum { HANDLE = BLAS_HANDLE };      /* rocSOLVER uses rocBLAS's handles */
#else
enum { HANDLE = SOLVER_HANDLE };
#endif

/* Sizes of workspaces that the emulation requires although it needs none: elements, bytes. */
enum { WORK = 20000, DEVICE_BYTES = 4096, HOST_BYTES = 64 };

static int end(int error)
{
    error = emulated_end(error);
    return error == 0 ? 0 : error == LAUNCH_FAILURE ? EXECUTION_FAILED : error == BAD_HANDLE ? NOT_INITIALIZED :
           error == NO_MEMORY ? ALLOCATION_FAILED : error == INVALID_VALUE ? BAD_ARGUMENT : INTERNAL_ERROR;
}

/* ---- handles ------------------------------------------------------------------------------------------------------------ */

#ifndef EMULATED_ROCM
int cusolverDnCreate(void **handle)
{
    return end(emulated_begin(__func__) ? emulated_handle_create(HANDLE, handle) : 0);
}

int cusolverDnDestroy(void *handle)
{
    emulated_begin(__func__);
    return end(emulated_handle_destroy(HANDLE, handle));
}

int cusolverDnSetStream(void *handle, void *stream)
{
    return end(emulated_begin(__func__) ? emulated_handle_set_stream(HANDLE, handle, stream) : 0);
}

int cusolverDnCreateParams(void **params)
{
    return end(emulated_begin(__func__) ? emulated_handle_create(SOLVER_PARAMS, params) : 0);
}

int cusolverDnDestroyParams(void *params)
{
    emulated_begin(__func__);
    return end(emulated_handle_destroy(SOLVER_PARAMS, params));
}
#endif

/* ---- arguments ---------------------------------------------------------------------------------------------------------- */

/* All arguments that a factorization may have. */
struct arguments {
    char uplo;
    int m, n, lda;
    void *A, *tau;
    int *ipiv, *info;
    int64_t *long_ipiv;
};

static char uplo_of(int uplo)
{
#ifdef EMULATED_ROCM
    return uplo == 122 ? 'L' : uplo == 121 ? 'U' : 0;       /* rocblas_fill */
#else
    return uplo == 0 ? 'L' : uplo == 1 ? 'U' : 0;
#endif
}

static bool is_matrix(int64_t m, int64_t n, int64_t lda)
{
    return m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1) && lda <= INT_MAX && n <= INT_MAX;
}

static int launch(void *handle, const char *call, bool right, void (*run)(const void *), const struct arguments *a,
                  size_t element, const void *work, size_t bytes)
{
    int least = a->m < a->n ? a->m : a->n;
    const struct range used[] = {
        is_written(a->A, a->m, a->n, a->lda, element),
        is_written(a->info, 1, 1, 1, sizeof *a->info),
        is_written(work, (int64_t)bytes, 1, (int64_t)bytes, 1),
        is_written(a->ipiv, a->ipiv == NULL ? 0 : least, 1, least, sizeof *a->ipiv),
        is_written(a->long_ipiv, a->long_ipiv == NULL ? 0 : least, 1, least, sizeof *a->long_ipiv),
        is_written(a->tau, a->tau == NULL ? 0 : least, 1, least, element),
    };
    const struct work kernel = { call, run, a, sizeof *a, used, sizeof used / sizeof used[0] };
    if (!emulated_begin(call))
        return end(0);
    if (emulated_find(HANDLE, handle) == NULL)
        return end(BAD_HANDLE);
    return end(right ? emulated_launch_on(HANDLE, handle, &kernel) : INVALID_VALUE);
}

#ifndef EMULATED_ROCM
/* The largest n does not need the largest workspace. */
static int wanted(char uplo, int n)
{
    return WORK + (uplo == 'U' ? WORK / 2 : 0) + n % 16 * 64;
}

/* The size of a workspace. */
static int size(void *handle, const char *call, bool right, int elements, int *lwork)
{
    if (!emulated_begin(call))
        return end(0);
    if (emulated_find(HANDLE, handle) == NULL)
        return end(BAD_HANDLE);
    if (right && lwork != NULL)
        *lwork = elements;
    return end(right && lwork != NULL ? 0 : INVALID_VALUE);
}
#endif

/* LAPACK's pivots, for calls that return them in 64 bits; NULL: no memory. */
static int *pivots(const struct arguments *a)
{
    return a->ipiv != NULL ? a->ipiv : malloc((size_t)(a->m < a->n ? a->m : a->n) * sizeof *a->ipiv + 1);
}

static void give_pivots(const struct arguments *a, int *ipiv)
{
    for (int i = 0; a->ipiv == NULL && i < (a->m < a->n ? a->m : a->n); i++)
        a->long_ipiv[i] = ipiv[i];
    if (a->ipiv == NULL)
        free(ipiv);
}

#define PRECISION_s
#define CUSOLVER(name) JOIN(cusolverDnS, name)
#include "omp/kernels/precision_on.h"
#include "tests/cuda/libcusolver_body.h"
#include "omp/kernels/precision_off.h"
#undef CUSOLVER

#define PRECISION_d
#define CUSOLVER(name) JOIN(cusolverDnD, name)
#include "omp/kernels/precision_on.h"
#include "tests/cuda/libcusolver_body.h"
#include "omp/kernels/precision_off.h"
#undef CUSOLVER

#define PRECISION_c
#define CUSOLVER(name) JOIN(cusolverDnC, name)
#include "omp/kernels/precision_on.h"
#include "tests/cuda/libcusolver_body.h"
#include "omp/kernels/precision_off.h"
#undef CUSOLVER

#define PRECISION_z
#define CUSOLVER(name) JOIN(cusolverDnZ, name)
#include "omp/kernels/precision_on.h"
#include "tests/cuda/libcusolver_body.h"
#include "omp/kernels/precision_off.h"

#ifndef EMULATED_ROCM
/* ---- the 64-bit routines ------------------------------------------------------------------------------------------------ */

/* Types by the codes of library_types.h. */
static const struct type {
    size_t element;
    void (*potrf)(const void *), (*getrf)(const void *), (*geqrf)(const void *);
} types[] = {
    [0] = { sizeof(float), s_run_potrf, s_run_getrf, s_run_geqrf },
    [1] = { sizeof(double), d_run_potrf, d_run_getrf, d_run_geqrf },
    [4] = { sizeof(float _Complex), c_run_potrf, c_run_getrf, c_run_geqrf },
    [5] = { sizeof(double _Complex), z_run_potrf, z_run_getrf, z_run_geqrf },
};

/* NULL: there is no type of that code. */
static const struct type *type_of(int type)
{
    bool known = type >= 0 && type < (int)(sizeof types / sizeof types[0]) && types[type].element > 0;
    return known ? &types[type] : NULL;
}

static bool is_work(const void *work, size_t bytes, const void *host_work, size_t host_bytes)
{
    return work != NULL && bytes >= DEVICE_BYTES && host_work != NULL && host_bytes >= HOST_BYTES;
}

static int size_64(void *handle, const char *call, bool right, size_t *on_device, size_t *on_host)
{
    int lwork;
    right = right && on_device != NULL && on_host != NULL;
    if (right) {
        *on_device = DEVICE_BYTES;
        *on_host = HOST_BYTES;
    }
    return size(handle, call, right, 0, &lwork);
}

int cusolverDnXpotrf_bufferSize(void *handle, void *params, int uplo, int64_t n, int type, const void *A, int64_t lda,
                                int compute, size_t *on_device, size_t *on_host)
{
    (void)params, (void)A;
    bool right = uplo_of(uplo) != 0 && type_of(type) != NULL && compute == type && is_matrix(n, n, lda);
    return size_64(handle, __func__, right, on_device, on_host);
}

int cusolverDnXpotrf(void *handle, void *params, int uplo, int64_t n, int type, void *A, int64_t lda, int compute, void *work,
                     size_t bytes, void *host_work, size_t host_bytes, int *info)
{
    (void)params;
    const struct type *t = type_of(type);
    bool right = uplo_of(uplo) != 0 && t != NULL && compute == type && is_matrix(n, n, lda) &&
                 is_work(work, bytes, host_work, host_bytes);
    const struct arguments a = { .uplo = uplo_of(uplo), .m = (int)n, .n = (int)n, .A = A, .lda = (int)lda, .info = info };
    return launch(handle, __func__, right, right ? t->potrf : NULL, &a, right ? t->element : 0, work, bytes);
}

int cusolverDnXgetrf_bufferSize(void *handle, void *params, int64_t m, int64_t n, int type, const void *A, int64_t lda,
                                int compute, size_t *on_device, size_t *on_host)
{
    (void)params, (void)A;
    return size_64(handle, __func__, type_of(type) != NULL && compute == type && is_matrix(m, n, lda), on_device, on_host);
}

int cusolverDnXgetrf(void *handle, void *params, int64_t m, int64_t n, int type, void *A, int64_t lda, int64_t *ipiv, int compute,
                     void *work, size_t bytes, void *host_work, size_t host_bytes, int *info)
{
    (void)params;
    const struct type *t = type_of(type);
    bool right = t != NULL && compute == type && is_matrix(m, n, lda) && is_work(work, bytes, host_work, host_bytes);
    const struct arguments a = { .m = (int)m, .n = (int)n, .A = A, .lda = (int)lda, .long_ipiv = ipiv, .info = info };
    return launch(handle, __func__, right, right ? t->getrf : NULL, &a, right ? t->element : 0, work, bytes);
}

int cusolverDnXgeqrf_bufferSize(void *handle, void *params, int64_t m, int64_t n, int type, const void *A, int64_t lda,
                                int type_tau, const void *tau, int compute, size_t *on_device, size_t *on_host)
{
    (void)params, (void)A, (void)tau;
    bool right = type_of(type) != NULL && type_tau == type && compute == type && is_matrix(m, n, lda);
    return size_64(handle, __func__, right, on_device, on_host);
}

int cusolverDnXgeqrf(void *handle, void *params, int64_t m, int64_t n, int type, void *A, int64_t lda, int type_tau, void *tau,
                     int compute, void *work, size_t bytes, void *host_work, size_t host_bytes, int *info)
{
    (void)params;
    const struct type *t = type_of(type);
    bool right = t != NULL && type_tau == type && compute == type && is_matrix(m, n, lda) && tau != NULL &&
                 is_work(work, bytes, host_work, host_bytes);
    const struct arguments a = { .m = (int)m, .n = (int)n, .A = A, .lda = (int)lda, .tau = tau, .info = info };
    return launch(handle, __func__, right, right ? t->geqrf : NULL, &a, right ? t->element : 0, work, bytes);
}
#endif
