/* libcublas.so.13 by the host's BLAS. Scalar factors are on the host. */
#include "tests/cuda/emulated.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

#ifdef EMULATED_ROCM
/* Codes of rocblas_status. */
enum { NOT_INITIALIZED = 1, UNSUPPORTED = 2, ALLOCATION_FAILED = 5, INTERNAL_ERROR = 6, BAD_ARGUMENT = 11 };
enum { EXECUTION_FAILED = INTERNAL_ERROR };
static const char *const texts[] = {
    [0] = "rocblas_status_success", [NOT_INITIALIZED] = "rocblas_status_invalid_handle",
    [UNSUPPORTED] = "rocblas_status_not_implemented",
    [ALLOCATION_FAILED] = "rocblas_status_memory_error", [INTERNAL_ERROR] = "rocblas_status_internal_error",
    [BAD_ARGUMENT] = "rocblas_status_invalid_value",
};
/* The first codes of rocblas_operation, rocblas_fill, rocblas_diagonal and rocblas_side. */
enum { FIRST_OP = 111, FIRST_UPLO = 121, FIRST_DIAG = 131, FIRST_SIDE = 141 };
static const char uplos[] = "UL";
#else
/* Codes of cublasStatus_t. */
enum { NOT_INITIALIZED = 1, ALLOCATION_FAILED = 3, BAD_ARGUMENT = 7, EXECUTION_FAILED = 13, INTERNAL_ERROR = 14 };
enum { UNSUPPORTED = 15 };
static const char *const texts[] = {
    [0] = "CUBLAS_STATUS_SUCCESS", [NOT_INITIALIZED] = "CUBLAS_STATUS_NOT_INITIALIZED",
    [ALLOCATION_FAILED] = "CUBLAS_STATUS_ALLOC_FAILED", [BAD_ARGUMENT] = "CUBLAS_STATUS_INVALID_VALUE",
    [EXECUTION_FAILED] = "CUBLAS_STATUS_EXECUTION_FAILED", [INTERNAL_ERROR] = "CUBLAS_STATUS_INTERNAL_ERROR",
    [UNSUPPORTED] = "CUBLAS_STATUS_NOT_SUPPORTED",
};
enum { FIRST_OP = 0, FIRST_UPLO = 0, FIRST_DIAG = 0, FIRST_SIDE = 0 };
static const char uplos[] = "LU";
#endif

static int end(int error)
{
    error = emulated_end(error);
    return error == 0 ? 0 : error == LAUNCH_FAILURE ? EXECUTION_FAILED : error == BAD_HANDLE ? NOT_INITIALIZED :
           error == NO_MEMORY ? ALLOCATION_FAILED : error == INVALID_VALUE ? BAD_ARGUMENT :
           error == UNSUPPORTED_CALL ? UNSUPPORTED : INTERNAL_ERROR;
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

/* The handle has its own workspace again. */
int cublasSetStream_v2(void *handle, void *stream)
{
    struct object *object = emulated_begin(__func__) ? emulated_find(BLAS_HANDLE, handle) : NULL;
    if (object != NULL)
        object->workspace = (struct range){ 0 };
    return end(object != NULL ? emulated_handle_set_stream(BLAS_HANDLE, handle, stream) : BAD_HANDLE);
}

/* All kernels of the handle write to the workspace. */
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
    enum { FP64_EMULATED = 8 };
    struct object *object = emulated_begin(__func__) ? emulated_find(BLAS_HANDLE, handle) : NULL;
    if (object != NULL)
        object->in_pieces = mode == FP64_EMULATED;
    return end(object != NULL ? 0 : BAD_HANDLE);
}

int cublasSetEmulationStrategy(void *handle, int strategy)
{
    (void)strategy;
    return end(emulated_begin(__func__) && emulated_find(BLAS_HANDLE, handle) != NULL ? 0 : BAD_HANDLE);
}

int cublasSetFixedPointEmulationMaxMantissaBitCount(void *handle, int bits)
{
    bool known = emulated_begin(__func__) && emulated_find(BLAS_HANDLE, handle) != NULL;
    return end(!known ? BAD_HANDLE : bits < 0 ? INVALID_VALUE : 0);
}

int cublasGetVersion_v2(void *handle, int *version)
{
    bool known = emulated_begin(__func__) && emulated_find(BLAS_HANDLE, handle) != NULL;
    if (known && version != NULL)
        *version = 130100;
    return end(!known ? BAD_HANDLE : version == NULL ? INVALID_VALUE : 0);
}

const char *cublasGetStatusString(int status)
{
    bool known = status >= 0 && status < (int)(sizeof texts / sizeof texts[0]) && texts[status] != NULL;
    return known ? texts[status] : "<unknown>";
}

/* ---- arguments ---------------------------------------------------------------------------------------------------------- */

/* BLAS's letter for one of cuBLAS's codes; 0: there is none. */
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

/* Products in pieces of fewer bits need a larger workspace than a handle has. */
static void require_workspace(const struct object *handle, const char *call)
{
    bool in_pieces = strcmp(call, "cublasDgemm_v2") == 0 || strcmp(call, "cublasZgemm_v2") == 0;
    if (handle->in_pieces && in_pieces && handle->workspace.width == 0)
        emulated_accuse("allocating", "%s allocates a workspace, because it was given none", call);
}

static int launch(void *handle, const char *call, bool right, bool empty, void (*run)(const void *), const void *arguments,
                  size_t bytes, const struct range *range, int ranges)
{
    const struct work work = { call, run, arguments, bytes, range, ranges };
    if (!emulated_begin(call))
        return end(0);
    const struct object *object = emulated_find(BLAS_HANDLE, handle);
    if (object == NULL)
        return end(BAD_HANDLE);
    if (!right)
        return end(INVALID_VALUE);
    require_workspace(object, call);
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

/* ---- products in single precision by factors of fewer bits -------------------------------------------------------------- */

/* Codes of cudaDataType and cublasComputeType_t. All of them add in single precision. */
enum { REAL_32 = 0, COMPLEX_32 = 4, REAL_BF16 = 14 };
enum { AS_IT_IS_32 = 68, FAST_BF16 = 75, FAST_TF32 = 77, BF16X9 = 78 };

/* Bits behind the leading one that a factor keeps; 0: all; -1: the code is not known. */
static int bits_of(int compute)
{
    return compute == AS_IT_IS_32 || compute == BF16X9 ? 0 : compute == FAST_TF32 ? 10 : compute == FAST_BF16 ? 7 : -1;
}

struct product {
    int bits, parts;
    bool of_bf16;               /* factors are stored in bfloat16 */
    struct s_arguments s;
    struct c_arguments c;
};

/* Rounds to the nearest number, ties to even. Numbers that are not finite stay. */
static float rounded(float x, int bits)
{
    uint32_t u, rest = (UINT32_C(1) << (23 - bits)) - 1;
    memcpy(&u, &x, sizeof u);
    if ((u >> 23 & 255) == 255)
        return x;
    u = (u + rest / 2 + (u >> (23 - bits) & 1)) & ~rest;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* A rounded copy of m x n numbers. */
static float *all_rounded(const float *A, int m, int n, int ld, int bits)
{
    float *R = malloc((size_t)m * (size_t)n * sizeof *R + 1);
    if (R == NULL)
        abort();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            R[i + j * (ptrdiff_t)m] = rounded(A[i + j * (ptrdiff_t)ld], bits);
    return R;
}

/* A copy of m x n numbers in bfloat16, the upper halves of numbers in single. */
static float *all_widened(const void *numbers, int m, int n, int ld)
{
    const uint16_t *A = numbers;
    float *R = malloc((size_t)m * (size_t)n * sizeof *R + 1);
    if (R == NULL)
        abort();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            uint32_t bits = (uint32_t)A[i + j * (ptrdiff_t)ld] << 16;
            memcpy(&R[i + j * (ptrdiff_t)m], &bits, sizeof bits);
        }
    return R;
}

static void run_product(const void *arguments)
{
    struct product p = *(const struct product *)arguments;
    const struct s_arguments *a = &p.s;
    int rows_a = a->trans == 'N' ? a->m : a->k, rows_b = a->transb == 'N' ? a->k : a->n, parts = p.parts;
    bool copied = p.bits > 0 || p.of_bf16;
    if (copied) {
        int columns_a = a->m + a->k - rows_a, columns_b = a->k + a->n - rows_b;
        float *A = p.of_bf16 ? all_widened(a->A, rows_a, columns_a, a->lda)
                             : all_rounded((const float *)a->A, parts * rows_a, columns_a, parts * a->lda, p.bits);
        float *B = p.of_bf16 ? all_widened(a->B, rows_b, columns_b, a->ldb)
                             : all_rounded((const float *)a->B, parts * rows_b, columns_b, parts * a->ldb, p.bits);
        p.s.A = A, p.s.B = B, p.c.A = (void *)A, p.c.B = (void *)B;
        p.s.lda = p.c.lda = rows_a > 0 ? rows_a : 1;
        p.s.ldb = p.c.ldb = rows_b > 0 ? rows_b : 1;
    }
    if (parts == 1)
        s_run_gemm(&p.s);
    else
        c_run_gemm(&p.c);
    if (copied) {
        free((void *)p.s.A);
        free((void *)p.s.B);
    }
}

int cublasGemmEx(void *handle, int transa, int transb, int m, int n, int k, const void *alpha, const void *A, int type_a, int lda,
                 const void *B, int type_b, int ldb, const void *beta, void *C, int type_c, int ldc, int compute, int algorithm)
{
    int bits = bits_of(compute), parts = type_a == COMPLEX_32 ? 2 : 1;
    char ta = op(transa), tb = op(transb);
    struct product p = { .bits = bits, .parts = parts, .of_bf16 = type_a == REAL_BF16 };
    p.s = (struct s_arguments){ .trans = ta, .transb = tb, .m = m, .n = n, .k = k, .A = A, .lda = lda, .B = B, .ldb = ldb,
                                .C = C, .ldc = ldc };
    p.c = (struct c_arguments){ .trans = ta, .transb = tb, .m = m, .n = n, .k = k, .A = A, .lda = lda, .B = B, .ldb = ldb,
                                .C = C, .ldc = ldc };
    int rows_a = ta == 'N' ? m : k, rows_b = tb == 'N' ? k : n;
    bool right = ta != 0 && tb != 0 && m >= 0 && n >= 0 && k >= 0 && alpha != NULL && beta != NULL && is_ld(lda, rows_a) &&
                 is_ld(ldb, rows_b) && is_ld(ldc, m);
    bool known = type_a == REAL_32 || type_a == COMPLEX_32 || (p.of_bf16 && compute == AS_IT_IS_32);
    if (bits < 0 || !known || type_b != type_a || type_c != (p.of_bf16 ? REAL_32 : type_a) || algorithm != -1)
        return UNSUPPORTED;
    p.s.alpha = parts == 1 ? s_value(alpha) : 0;
    p.s.beta = parts == 1 ? s_value(beta) : 0;
    p.c.alpha = parts == 2 ? c_value(alpha) : 0;
    p.c.beta = parts == 2 ? c_value(beta) : 0;
    size_t element = (size_t)parts * sizeof(float), factor = p.of_bf16 ? sizeof(uint16_t) : element;
    const struct range used[] = { is_read(A, rows_a, m + k - rows_a, lda, factor),
                                  is_read(B, rows_b, k + n - rows_b, ldb, factor), is_written(C, m, n, ldc, element) };
    return launch(handle, __func__, right, m == 0 || n == 0, run_product, &p, sizeof p, used, 3);
}
