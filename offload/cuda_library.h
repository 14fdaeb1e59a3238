/*
 * The libraries of makers of devices, loaded when a backend is opened: NVIDIA's CUDA 12 or 13, or AMD's ROCm 6 or 7, whose HIP
 * and rocBLAS have CUDA's functions under other names (cuda_names.c). So there is one table for both, with CUDA's terms. The
 * used functions are declared here, from the reference manuals (CUDA Runtime and Driver API, cuBLAS, cuSOLVER; HIP, rocBLAS,
 * rocSOLVER; the same in these versions), with pointers to void for handles, modules, streams and numbers, so that a build
 * needs no files of either.
 */
#ifndef OMPFACT_OFFLOAD_CUDA_LIBRARY_H
#define OMPFACT_OFFLOAD_CUDA_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* cudaError_t, cublasStatus_t and cusolverStatus_t are int, and 0 is success; so are HIP's, which has these numbers, too. */
enum {
    CUDA_NOT_READY = 600,
    CUDA_PEER_ENABLED = 704,    /* enabled before, which is no failure */
    CUDA_IS_REGISTERED = 712,   /* host memory is registered, or a part of it */
    CUDA_TO_DEVICE = 1,
    CUDA_TO_HOST = 2,
    CUDA_ON_DEVICE = 3,         /* cudaMemcpyKind */
    CUDA_NON_BLOCKING = 1,      /* a stream that does not wait for the default one */
    CUDA_NO_TIMING = 2,         /* an event */
    CUDA_PORTABLE = 1,          /* pinned memory, for all devices */
};
enum { CUBLAS_N, CUBLAS_T, CUBLAS_C };
enum { CUBLAS_EMULATED_FP64 = 8, CUBLAS_WHERE_FASTER = 1 };      /* a mode; a strategy */
enum { CUDA_REAL_32 = 0, CUDA_COMPLEX_32 = 4, CUDA_REAL_BF16 = 14 };        /* cudaDataType */
enum { CUBLAS_IN_SINGLE = 68, CUBLAS_FAST_BF16 = 75, CUBLAS_FAST_TF32 = 77, CUBLAS_BF16X9 = 78 };       /* cublasComputeType_t */
enum { CUBLAS_ANY_ALGORITHM = -1 };
enum { CUBLAS_LOWER, CUBLAS_UPPER };
enum { CUBLAS_LEFT, CUBLAS_RIGHT };
enum { CUBLAS_NON_UNIT, CUBLAS_UNIT };

/* The numbers that stand for BLAS's letters: cuBLAS's as above; rocBLAS's are different. */
struct cuda_words {
    int no_trans, trans, conj_trans, lower, upper, left, right, non_unit, unit;
};

/* BLAS and LAPACK for one type. Factors are on the host, matrices on the device. */
struct cuda_kernels {
    int (*gemm)(void *handle, int transa, int transb, int m, int n, int k, const void *alpha, const void *A, int lda,
                const void *B, int ldb, const void *beta, void *C, int ldc);
    int (*herk)(void *handle, int uplo, int trans, int n, int k, const void *alpha, const void *A, int lda, const void *beta,
                void *C, int ldc);
    int (*syrk)(void *handle, int uplo, int trans, int n, int k, const void *alpha, const void *A, int lda, const void *beta,
                void *C, int ldc);
    int (*hemm)(void *handle, int side, int uplo, int m, int n, const void *alpha, const void *A, int lda, const void *B, int ldb,
                const void *beta, void *C, int ldc);
    int (*trsm)(void *handle, int side, int uplo, int trans, int diag, int m, int n, const void *alpha, const void *A, int lda,
                void *B, int ldb);
    int (*trmm)(void *handle, int side, int uplo, int trans, int diag, int m, int n, const void *alpha, const void *A, int lda,
                const void *B, int ldb, void *C, int ldc);
    int (*geam)(void *handle, int transa, int transb, int m, int n, const void *alpha, const void *A, int lda, const void *beta,
                const void *B, int ldb, void *C, int ldc);
    int (*potrf)(void *handle, int uplo, int n, void *A, int lda, void *work, int lwork, int *info);
    int (*potrf_size)(void *handle, int uplo, int n, void *A, int lda, int *lwork);
    int (*getrf)(void *handle, int m, int n, void *A, int lda, void *work, int *ipiv, int *info);
    int (*getrf_size)(void *handle, int m, int n, void *A, int lda, int *lwork);
    int (*geqrf)(void *handle, int m, int n, void *A, int lda, void *tau, void *work, int lwork, int *info);
    int (*geqrf_size)(void *handle, int m, int n, void *A, int lda, int *lwork);
    int (*dgmm)(void *handle, int side, int m, int n, const void *A, int lda, const void *x, int incx, void *C, int ldc);
    /* rocSOLVER's functions in place of these four; they use the handle's workspace. */
    int (*potrf_alone)(void *handle, int uplo, int n, void *A, int lda, int *info);
    int (*getrf_alone)(void *handle, int m, int n, void *A, int lda, int *info);
};

struct cuda_library {
    const char *maker, *blas, *solver;      /* "NVIDIA", "cuBLAS", "cuSOLVER" */
    bool is_hip;
    struct cuda_words words;
    int blas_slower;            /* a status: done, but with less memory than wanted; 0: there is none */
    const char *code;           /* code of this library's kernels (device_code.h) */
    int (*count_devices)(int *count);
    int (*set_device)(int device);
    int (*memory_info)(size_t *free, size_t *total);
    int (*allocate)(void **data, size_t bytes);
    int (*release)(void *data);
    int (*host_allocate)(void **data, size_t bytes, unsigned flags);
    int (*host_release)(void *data);
    int (*host_register)(void *data, size_t bytes, unsigned flags);
    int (*host_unregister)(void *data);
    int (*can_access_peer)(int *can, int device, int peer);
    int (*enable_peer_access)(int peer, unsigned flags);
    int (*copy_peer)(void *target, int target_device, const void *source, int source_device, size_t bytes, void *stream);
    int (*stream_priorities)(int *least, int *greatest);
    int (*stream_create)(void **stream, unsigned flags, int priority);
    int (*stream_destroy)(void *stream);
    int (*stream_wait)(void *stream);
    int (*copy)(void *target, const void *source, size_t bytes, int kind, void *stream);
    int (*copy_2d)(void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t width, size_t height,
                   int kind, void *stream);
    int (*set_2d)(void *target, size_t pitch, int value, size_t width, size_t height, void *stream);
    int (*event_create)(void **event, unsigned flags);
    int (*event_destroy)(void *event);
    int (*event_record)(void *event, void *stream);
    int (*event_query)(void *event);
    int (*last_error)(void);
    const char *(*error_text)(int error);
    int (*blas_create)(void **handle);
    int (*blas_destroy)(void *handle);
    int (*blas_set_stream)(void *handle, void *stream);
    const char *(*blas_text)(int status);
    int (*blas_set_math_mode)(void *handle, int mode);
    int (*blas_set_emulation)(void *handle, int strategy);      /* NULL: older than CUDA 12.9 */
    int (*blas_set_bits)(void *handle, int bits);       /* NULL: older than CUDA 13.0 update 2, which emulates double precision */
    int (*blas_set_workspace)(void *handle, void *workspace, size_t bytes);
    int (*blas_version)(void *handle, int *version);
    int (*gemm_ex)(void *handle, int transa, int transb, int m, int n, int k, const void *alpha, const void *A, int type_a,
                   int lda, const void *B, int type_b, int ldb, const void *beta, void *C, int type_c, int ldc, int compute,
                   int algorithm);
    int (*solver_create)(void **handle);                        /* NULL: BLAS's handle is used */
    int (*solver_destroy)(void *handle);
    int (*solver_set_stream)(void *handle, void *stream);
    /* The driver's functions, for kernels of this library. */
    int (*driver_text)(int error, const char **text);   /* NULL: its errors are the runtime's */
    int (*module_load)(void **module, const void *code);
    int (*module_unload)(void *module);
    int (*module_function)(void **function, void *module, const char *name);
    int (*launch)(void *function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z, unsigned threads_x, unsigned threads_y,
                  unsigned threads_z, unsigned shared_bytes, void *stream, void **arguments, void **extra);
    struct cuda_kernels kernels[4];     /* s, d, c, z */
};

/* The libraries, loaded by the first call. NULL, and one line, if they are missing. */
const struct cuda_library *cuda_load(char *text, size_t text_size);
const struct cuda_library *hip_load(char *text, size_t text_size);

/* The number of devices that they can use; 0, and the reason in a few words: no driver, no library, no device. */
int cuda_count(char *text, size_t text_size);
int hip_count(char *text, size_t text_size);

/* The least compute capability of NVIDIA's devices, 10 x major + minor; INT_MAX: there are none. */
int cuda_capability(void);

/* The free memory of the device that the calling thread used last; SIZE_MAX without a driver. */
size_t cuda_driver_memory(void);

/* The text of a driver's error. */
const char *cuda_driver_text(const struct cuda_library *library, int error);

/* ---- cuda_names.c ---------------------------------------------------------------------------------------------------------- */

enum cuda_part { CUDA_RUNTIME, CUDA_BLAS, CUDA_SOLVER, CUDA_DRIVER, CUDA_PARTS };

/* The libraries of one version, and the folders to search if the loader does not find them: `folder` of these. */
struct cuda_release {
    const char *const *library;     /* [CUDA_PARTS] */
    const char *home[3];            /* may be NULL */
    const char *folder;
};

/* Loads one of them. NULL: dlerror() has the reason. */
void *cuda_open_part(const struct cuda_release *release, enum cuda_part part);

/* Loads them and fills in the functions. False: a library is missing, and `failure` names it, unless it has a text already.
   True with a failure: functions are missing. */
bool cuda_take_release(struct cuda_library *library, const struct cuda_release *release, char *failure, size_t failure_size);

/* The text of a call, whose first word is a CUDA function, with the name of the function in the library. */
const char *cuda_called(const struct cuda_library *library, const char *call, char words[100]);

#endif
