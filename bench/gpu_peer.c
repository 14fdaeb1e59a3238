/*
 * usage: bench/gpu_peer device
 *        bench/gpu_peer gemm|potrf|getrf|getrf-none|geqrf s|d N [TIMES]      (default TIMES = 3)
 *
 * NVIDIA's routines on the first device: "device" prints its name; the others print the best rate of TIMES runs in GFLOP/s and
 * its time in seconds: cuBLAS's GEMM, cuSOLVER's Xpotrf, Xgetrf with and without pivoting, Xgeqrf, of order N. A time is that of
 * the host's clock, from the call until the device has finished. The program compiles without CUDA and loads its libraries. With
 * exit status 2 the reason on standard error states why there is no measurement.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "offload/cuda_library.h"

/* The 64-bit routines of cusolverDn.h. Types of numbers are those of library_types.h. */
struct solver {
    int (*create_params)(void **params);
    int (*potrf_size)(void *handle, void *params, int uplo, int64_t n, int type, const void *A, int64_t lda, int compute,
                      size_t *on_device, size_t *on_host);
    int (*potrf)(void *handle, void *params, int uplo, int64_t n, int type, void *A, int64_t lda, int compute, void *work,
                 size_t bytes, void *host_work, size_t host_bytes, int *info);
    int (*getrf_size)(void *handle, void *params, int64_t m, int64_t n, int type, const void *A, int64_t lda, int compute,
                      size_t *on_device, size_t *on_host);
    int (*getrf)(void *handle, void *params, int64_t m, int64_t n, int type, void *A, int64_t lda, int64_t *ipiv, int compute,
                 void *work, size_t bytes, void *host_work, size_t host_bytes, int *info);
    int (*geqrf_size)(void *handle, void *params, int64_t m, int64_t n, int type, const void *A, int64_t lda, int tau_type,
                      const void *tau, int compute, size_t *on_device, size_t *on_host);
    int (*geqrf)(void *handle, void *params, int64_t m, int64_t n, int type, void *A, int64_t lda, int tau_type, void *tau,
                 int compute, void *work, size_t bytes, void *host_work, size_t host_bytes, int *info);
};

struct problem {
    const struct cuda_library *cuda;
    struct solver solver;
    void *stream, *blas, *handle, *params;
    int n, type;            /* CUDA_R_32F, CUDA_R_64F */
    size_t size;            /* bytes of a number */
    char *A, *B, *C;        /* on the device; B and C for GEMM alone */
    char *tau;              /* for QR alone */
    char *work, *host_work;
    size_t work_bytes, host_bytes;
    int64_t *ipiv;
    int *info, *host_info;  /* on the device; pinned on the host */
};

static _Noreturn void quit(const char *what, const char *why)
{
    fprintf(stderr, "gpu_peer: %s%s%s\n", what, *why == '\0' ? "" : ": ", why);
    exit(2);
}

static void check(const struct problem *p, int error, const char *call)
{
    if (error != 0)
        quit(call, p->cuda->error_text(error));
}

static void check_status(int status, const char *call)
{
    char text[40];
    snprintf(text, sizeof text, "status %d", status);
    if (status != 0)
        quit(call, text);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- device and libraries -------------------------------------------------------------------------------------------------- */

/* The name of the first device, from the driver. */
static void find_name(char name[100])
{
    char why[300];
    if (cuda_count(why, sizeof why) == 0)
        quit(why, "");
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    int (*get_device)(int *, int) = driver == NULL ? NULL : (int (*)(int *, int))dlsym(driver, "cuDeviceGet");
    int (*get_name)(char *, int, int) = driver == NULL ? NULL : (int (*)(char *, int, int))dlsym(driver, "cuDeviceGetName");
    int device = 0;
    if (get_device == NULL || get_name == NULL || get_device(&device, 0) != 0 || get_name(name, 100, device) != 0)
        quit("NVIDIA's driver does not name its device", "");
}

static void get(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);
    if (address == NULL)
        quit("cuSOLVER has no function", name);
    *(void **)function = address;
}

/* Opens a library that cuda_load has loaded again. */
static struct solver load_solver(void)
{
    struct solver s;
    void *library = dlopen("libcusolver.so.12", RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL)
        library = dlopen("libcusolver.so.11", RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL)
        quit("cuSOLVER is not where it was", "");
    get(library, "cusolverDnCreateParams", &s.create_params);
    get(library, "cusolverDnXpotrf_bufferSize", &s.potrf_size);
    get(library, "cusolverDnXpotrf", &s.potrf);
    get(library, "cusolverDnXgetrf_bufferSize", &s.getrf_size);
    get(library, "cusolverDnXgetrf", &s.getrf);
    get(library, "cusolverDnXgeqrf_bufferSize", &s.geqrf_size);
    get(library, "cusolverDnXgeqrf", &s.geqrf);
    return s;
}

/* ---- the matrices ---------------------------------------------------------------------------------------------------------- */

static void *allocate(const struct problem *p, size_t bytes)
{
    void *data = NULL;
    check(p, p->cuda->allocate(&data, bytes == 0 ? 1 : bytes), "cudaMalloc");
    return data;
}

/* On the host, pinned. */
static char *allocate_here(const struct problem *p, size_t bytes)
{
    void *data = NULL;
    check(p, p->cuda->host_allocate(&data, bytes, CUDA_PORTABLE), "cudaHostAlloc");
    return data;
}

static void copy(const struct problem *p, void *to, const void *from, size_t bytes, int kind)
{
    check(p, p->cuda->copy(to, from, bytes, kind, p->stream), "cudaMemcpyAsync");
}

static void put_number(const struct problem *p, char *at, double value)
{
    if (p->size == sizeof(float))
        *(float *)at = (float)value;
    else
        *(double *)at = value;
}

/* Random numbers from -1/2 to 1/2. They repeat after a prime number of elements, so no two columns are equal for any order. */
static void fill(const struct problem *p, char *A)
{
    enum { PERIOD = 1048573 };
    size_t count = (size_t)p->n * (size_t)p->n, done = count < PERIOD ? count : PERIOD;
    char *numbers = allocate_here(p, done * p->size);
    uint64_t state = 1;
    for (size_t i = 0; i < done; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        put_number(p, numbers + i * p->size, (double)(state >> 11) / 9007199254740992.0 - 0.5);
    }
    copy(p, A, numbers, done * p->size, CUDA_TO_DEVICE);
    check(p, p->cuda->stream_wait(p->stream), "cudaStreamSynchronize");
    p->cuda->host_release(numbers);
    for (size_t more; done < count; done += more) {
        more = done < count - done ? done : count - done;
        copy(p, A + done * p->size, A, more * p->size, CUDA_ON_DEVICE);
    }
}

/* n on the diagonal makes the matrix positive definite for Cholesky, which reads one triangle, and LU safe without pivoting. */
static void dominate(const struct problem *p)
{
    size_t n = (size_t)p->n;
    char *diagonal = allocate_here(p, n * p->size);
    for (size_t i = 0; i < n; i++)
        put_number(p, diagonal + i * p->size, p->n);
    check(p, p->cuda->copy_2d(p->A, (n + 1) * p->size, diagonal, p->size, p->size, n, CUDA_TO_DEVICE, p->stream),
          "cudaMemcpy2DAsync");
    check(p, p->cuda->stream_wait(p->stream), "cudaStreamSynchronize");
    p->cuda->host_release(diagonal);
}

/* ---- the routines ---------------------------------------------------------------------------------------------------------- */

struct routine {
    const char *name;
    double flops;           /* the factor of n^3; the lower terms of LAPACK's count are less than a thousandth */
    bool dominant;
    void (*prepare)(struct problem *p);
    void (*run)(struct problem *p);
};

static void prepare_gemm(struct problem *p)
{
    p->B = allocate(p, (size_t)p->n * (size_t)p->n * p->size);
    p->C = allocate(p, (size_t)p->n * (size_t)p->n * p->size);
    fill(p, p->B);
    fill(p, p->C);
}

static void run_gemm(struct problem *p)
{
    double one = 1;
    float short_one = 1;
    const void *factor = p->size == sizeof(float) ? (const void *)&short_one : &one;
    const struct cuda_kernels *k = &p->cuda->kernels[p->size == sizeof(float) ? 0 : 1];
    check_status(k->gemm(p->blas, CUBLAS_N, CUBLAS_T, p->n, p->n, p->n, factor, p->A, p->n, p->B, p->n, factor, p->C, p->n),
                 "cuBLAS's gemm");
}

static void take_work(struct problem *p, int status, const char *call)
{
    check_status(status, call);
    p->work = allocate(p, p->work_bytes);
    p->host_work = p->host_bytes == 0 ? NULL : malloc(p->host_bytes);
    if (p->host_bytes > 0 && p->host_work == NULL)
        quit("no memory on the host", "");
}

static void prepare_potrf(struct problem *p)
{
    take_work(p, p->solver.potrf_size(p->handle, p->params, CUBLAS_LOWER, p->n, p->type, p->A, p->n, p->type, &p->work_bytes,
                                      &p->host_bytes),
              "cusolverDnXpotrf_bufferSize");
}

static void run_potrf(struct problem *p)
{
    check_status(p->solver.potrf(p->handle, p->params, CUBLAS_LOWER, p->n, p->type, p->A, p->n, p->type, p->work, p->work_bytes,
                                 p->host_work, p->host_bytes, p->info),
                 "cusolverDnXpotrf");
}

static void prepare_getrf(struct problem *p)
{
    take_work(p, p->solver.getrf_size(p->handle, p->params, p->n, p->n, p->type, p->A, p->n, p->type, &p->work_bytes,
                                      &p->host_bytes),
              "cusolverDnXgetrf_bufferSize");
}

static void prepare_pivoted(struct problem *p)
{
    prepare_getrf(p);
    p->ipiv = allocate(p, (size_t)p->n * sizeof *p->ipiv);
}

static void run_getrf(struct problem *p)
{
    check_status(p->solver.getrf(p->handle, p->params, p->n, p->n, p->type, p->A, p->n, p->ipiv, p->type, p->work, p->work_bytes,
                                 p->host_work, p->host_bytes, p->info),
                 "cusolverDnXgetrf");
}

static void prepare_geqrf(struct problem *p)
{
    p->tau = allocate(p, (size_t)p->n * p->size);
    take_work(p, p->solver.geqrf_size(p->handle, p->params, p->n, p->n, p->type, p->A, p->n, p->type, p->tau, p->type,
                                      &p->work_bytes, &p->host_bytes),
              "cusolverDnXgeqrf_bufferSize");
}

static void run_geqrf(struct problem *p)
{
    check_status(p->solver.geqrf(p->handle, p->params, p->n, p->n, p->type, p->A, p->n, p->type, p->tau, p->type, p->work,
                                 p->work_bytes, p->host_work, p->host_bytes, p->info),
                 "cusolverDnXgeqrf");
}

static const struct routine routines[] = {
    { "gemm", 2, false, prepare_gemm, run_gemm },
    { "potrf", 1 / 3.0, true, prepare_potrf, run_potrf },
    { "getrf", 2 / 3.0, false, prepare_pivoted, run_getrf },
    { "getrf-none", 2 / 3.0, true, prepare_getrf, run_getrf },
    { "geqrf", 4 / 3.0, false, prepare_geqrf, run_geqrf },
};

static const struct routine *routine_named(const char *name)
{
    for (size_t i = 0; i < sizeof routines / sizeof routines[0]; i++)
        if (strcmp(routines[i].name, name) == 0)
            return &routines[i];
    return NULL;
}

/* ---- measuring ------------------------------------------------------------------------------------------------------------- */

static void open_problem(struct problem *p)
{
    char why[300];
    p->cuda = cuda_load(why, sizeof why);
    if (p->cuda == NULL)
        quit(why, "cuBLAS and cuSOLVER of CUDA 13 or 12 are needed; CUDA_HOME names their folder");
    p->solver = load_solver();
    check(p, p->cuda->set_device(0), "cudaSetDevice");
    check(p, p->cuda->stream_create(&p->stream, CUDA_NON_BLOCKING, 0), "cudaStreamCreateWithPriority");
    check_status(p->cuda->blas_create(&p->blas), "cublasCreate");
    check_status(p->cuda->blas_set_stream(p->blas, p->stream), "cublasSetStream");
    check_status(p->cuda->solver_create(&p->handle), "cusolverDnCreate");
    check_status(p->cuda->solver_set_stream(p->handle, p->stream), "cusolverDnSetStream");
    check_status(p->solver.create_params(&p->params), "cusolverDnCreateParams");
}

/* The least seconds. The first call is not counted, because it loads code. */
static double best_time(struct problem *p, const struct routine *routine, int times)
{
    double best = 0;
    for (int i = 0; i <= times; i++) {
        fill(p, p->A);
        if (routine->dominant)
            dominate(p);
        check(p, p->cuda->stream_wait(p->stream), "cudaStreamSynchronize");
        double start = now();
        routine->run(p);
        check(p, p->cuda->stream_wait(p->stream), routine->name);
        double seconds = now() - start;
        copy(p, p->host_info, p->info, sizeof *p->info, CUDA_TO_HOST);
        check(p, p->cuda->stream_wait(p->stream), "cudaStreamSynchronize");
        if (*p->host_info != 0)
            quit(routine->name, "info is not 0");
        if (i > 0 && (best == 0 || seconds < best))
            best = seconds;
    }
    return best;
}

int main(int argc, char **argv)
{
    const struct routine *routine = argc > 3 ? routine_named(argv[1]) : NULL;
    bool device = argc == 2 && strcmp(argv[1], "device") == 0;
    int n = argc > 3 ? atoi(argv[3]) : 0, times = argc > 4 ? atoi(argv[4]) : 3;
    if (!device &&
        (routine == NULL || n < 1 || times < 1 || argc > 5 || (strcmp(argv[2], "s") != 0 && strcmp(argv[2], "d") != 0))) {
        fprintf(stderr, "usage: gpu_peer device\n       gpu_peer gemm|potrf|getrf|getrf-none|geqrf s|d N [TIMES]\n");
        return 2;
    }
    enum { CUDA_R_32F, CUDA_R_64F };
    bool single = !device && argv[2][0] == 's';
    struct problem p = { .n = n, .type = single ? CUDA_R_32F : CUDA_R_64F, .size = single ? sizeof(float) : sizeof(double) };
    char name[100];
    find_name(name);
    open_problem(&p);
    if (device) {
        printf("%s\n", name);
        return 0;
    }
    p.A = allocate(&p, (size_t)n * (size_t)n * p.size);
    p.info = allocate(&p, sizeof *p.info);
    p.host_info = (int *)(void *)allocate_here(&p, sizeof *p.host_info);
    *p.host_info = 0;
    copy(&p, p.info, p.host_info, sizeof *p.host_info, CUDA_TO_DEVICE);
    routine->prepare(&p);
    double seconds = best_time(&p, routine, times);
    printf("%.3f %.6f\n", 1e-9 * routine->flops * n * n * n / seconds, seconds);
    return 0;
}
