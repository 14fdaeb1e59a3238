#include "offload/cuda_library.h"

#include "config.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNTIME, BLAS, SOLVER, DRIVER, LIBRARIES };

/* Those of one version of CUDA. */
static const char *const versions[][LIBRARIES] = {
    { "libcudart.so.13", "libcublas.so.13", "libcusolver.so.12", "libcuda.so.1" },
    { "libcudart.so.12", "libcublas.so.12", "libcusolver.so.11", "libcuda.so.1" },
};
enum { VERSIONS = sizeof versions / sizeof versions[0], NEWEST = 13, OLDEST = 12 };

static struct cuda_library library;
static char failure[300];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- the driver --------------------------------------------------------------------------------------------------------- */

/* NULL, and dlerror() says why: there is no driver, or it has no such function. */
static void *driver_function(const char *name)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    return driver == NULL ? NULL : dlsym(driver, name);
}

/* The version of CUDA that the driver is for, 1000 x major + 10 x minor, or 0. */
static int driver_version(void)
{
    int version = 0;
    int (*get)(int *) = (int (*)(int *))driver_function("cuDriverGetVersion");
    return get != NULL && get(&version) == 0 ? version : 0;
}

size_t cuda_driver_memory(void)
{
    size_t available = 0, total = 0;
    int (*get)(size_t *, size_t *) = (int (*)(size_t *, size_t *))driver_function("cuMemGetInfo_v2");
    return get == NULL ? SIZE_MAX : get(&available, &total) == 0 ? available : 0;
}

/* Devices that the driver finds; 0, and why. */
static int driver_count(char *text, size_t text_size)
{
    int (*start)(unsigned) = (int (*)(unsigned))driver_function("cuInit");
    if (start == NULL) {
        const char *why = dlerror();
        snprintf(text, text_size, "NVIDIA's driver does not load (%s)", why == NULL ? "libcuda.so.1" : why);
        return 0;
    }
    int (*count_devices)(int *) = (int (*)(int *))driver_function("cuDeviceGetCount");
    int (*describe)(int, const char **) = (int (*)(int, const char **))driver_function("cuGetErrorString");
    int count = 0, version = driver_version(), error = start(0);
    const char *why = NULL;
    if (error != 0 && describe != NULL)
        describe(error, &why);
    if (error != 0)
        snprintf(text, text_size, "NVIDIA's driver does not start (%s)", why == NULL ? "unknown error" : why);
    else if (version < OLDEST * 1000)
        snprintf(text, text_size, "NVIDIA's driver is too old: it is for CUDA %d.%d, and %d.0 is needed", version / 1000,
                 version % 1000 / 10, OLDEST);
    else if (count_devices == NULL || count_devices(&count) != 0 || count == 0)
        snprintf(text, text_size, "NVIDIA's driver finds no device");
    else
        return count;
    return 0;
}

/* ---- the libraries ------------------------------------------------------------------------------------------------------ */

/* Where the loader looks, then where CUDA is usually installed. */
static void *open_library(const char *name)
{
    const char *const homes[] = { getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda" };
    void *handle = dlopen(name, RTLD_NOW);
    for (int i = 0; handle == NULL && i < (int)(sizeof homes / sizeof homes[0]); i++) {
        char path[4096];
        if (homes[i] == NULL)
            continue;
        snprintf(path, sizeof path, "%s/lib64/%s", homes[i], name);
        handle = dlopen(path, RTLD_NOW);
    }
    return handle;
}

static void get_one(void *handle, const char *name, void *function)
{
    void *address = dlsym(handle, name);
    if (address == NULL && failure[0] == '\0')
        snprintf(failure, sizeof failure, "NVIDIA's libraries have no function %s", name);
    *(void **)function = address;       /* POSIX's way from an object's address to a function's */
}

/* A function for a type, whose letter takes the place of the "?". */
static void get_typed(void *handle, const char *pattern, char letter, void *function)
{
    char name[60];
    snprintf(name, sizeof name, "%s", pattern);
    for (char *c = name; *c != '\0'; c++)
        if (*c == '?')
            *c = letter;
    get_one(handle, name, function);
}

static void get_kernels(void *blas, void *solver, struct cuda_kernels kernels[4])
{
    for (int t = 0; t < 4; t++) {
        struct cuda_kernels *k = &kernels[t];
        char letter = "SDCZ"[t];
        get_typed(blas, "cublas?gemm_v2", letter, &k->gemm);
        get_typed(blas, t < 2 ? "cublas?syrk_v2" : "cublas?herk_v2", letter, &k->herk);
        get_typed(blas, t < 2 ? "cublas?symm_v2" : "cublas?hemm_v2", letter, &k->hemm);
        get_typed(blas, "cublas?trsm_v2", letter, &k->trsm);
        get_typed(blas, "cublas?trmm_v2", letter, &k->trmm);
        get_typed(blas, "cublas?geam", letter, &k->geam);
        get_typed(solver, "cusolverDn?potrf", letter, &k->potrf);
        get_typed(solver, "cusolverDn?potrf_bufferSize", letter, &k->potrf_size);
        get_typed(solver, "cusolverDn?getrf", letter, &k->getrf);
        get_typed(solver, "cusolverDn?getrf_bufferSize", letter, &k->getrf_size);
    }
}

static void get_functions(void *const handles[LIBRARIES])
{
    const struct {
        int library;
        const char *name;
        void *function;
    } wanted[] = {
        { RUNTIME, "cudaGetDeviceCount", &library.count_devices },
        { RUNTIME, "cudaSetDevice", &library.set_device },
        { RUNTIME, "cudaMemGetInfo", &library.memory_info },
        { RUNTIME, "cudaMalloc", &library.allocate },
        { RUNTIME, "cudaFree", &library.release },
        { RUNTIME, "cudaHostAlloc", &library.host_allocate },
        { RUNTIME, "cudaFreeHost", &library.host_release },
        { RUNTIME, "cudaHostRegister", &library.host_register },
        { RUNTIME, "cudaHostUnregister", &library.host_unregister },
        { RUNTIME, "cudaDeviceCanAccessPeer", &library.can_access_peer },
        { RUNTIME, "cudaDeviceEnablePeerAccess", &library.enable_peer_access },
        { RUNTIME, "cudaMemcpyPeerAsync", &library.copy_peer },
        { RUNTIME, "cudaDeviceGetStreamPriorityRange", &library.stream_priorities },
        { RUNTIME, "cudaStreamCreateWithPriority", &library.stream_create },
        { RUNTIME, "cudaStreamDestroy", &library.stream_destroy },
        { RUNTIME, "cudaStreamSynchronize", &library.stream_wait },
        { RUNTIME, "cudaMemcpyAsync", &library.copy },
        { RUNTIME, "cudaMemcpy2DAsync", &library.copy_2d },
        { RUNTIME, "cudaMemset2DAsync", &library.set_2d },
        { RUNTIME, "cudaEventCreateWithFlags", &library.event_create },
        { RUNTIME, "cudaEventDestroy", &library.event_destroy },
        { RUNTIME, "cudaEventRecord", &library.event_record },
        { RUNTIME, "cudaEventQuery", &library.event_query },
        { RUNTIME, "cudaGetLastError", &library.last_error },
        { RUNTIME, "cudaGetErrorString", &library.error_text },
        { DRIVER, "cuModuleLoadData", &library.module_load },
        { DRIVER, "cuModuleUnload", &library.module_unload },
        { DRIVER, "cuModuleGetFunction", &library.module_function },
        { DRIVER, "cuLaunchKernel", &library.launch },
        { BLAS, "cublasCreate_v2", &library.blas_create },
        { BLAS, "cublasDestroy_v2", &library.blas_destroy },
        { BLAS, "cublasSetStream_v2", &library.blas_set_stream },
        { BLAS, "cublasSetMathMode", &library.blas_set_math_mode },
        { BLAS, "cublasGetStatusString", &library.blas_text },
        { BLAS, "cublasGetVersion_v2", &library.blas_version },
        { BLAS, "cublasGemmEx", &library.gemm_ex },
        { SOLVER, "cusolverDnCreate", &library.solver_create },
        { SOLVER, "cusolverDnDestroy", &library.solver_destroy },
        { SOLVER, "cusolverDnSetStream", &library.solver_set_stream },
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        get_one(handles[wanted[i].library], wanted[i].name, wanted[i].function);
    *(void **)&library.blas_set_emulation = dlsym(handles[BLAS], "cublasSetEmulationStrategy");
    get_kernels(handles[BLAS], handles[SOLVER], library.kernels);
}

/* The newest libraries that the driver can work with: it must be as new as they are. */
static void load(void)
{
    int driver = driver_version();
    for (int v = 0; v < VERSIONS; v++) {
        void *handles[LIBRARIES] = { NULL };
        int missing = -1;
        if (driver != 0 && driver < (NEWEST - v) * 1000)
            continue;
        for (int i = 0; i < LIBRARIES && missing < 0; i++) {
            handles[i] = open_library(versions[v][i]);
            if (handles[i] == NULL)
                missing = i;
        }
        if (missing < 0) {
            failure[0] = '\0';
            get_functions(handles);
            return;
        }
        const char *why = dlerror();
        if (failure[0] == '\0')     /* the newest ones are those to install */
            snprintf(failure, sizeof failure, "%s does not load (%s)", versions[v][missing],
                     why == NULL ? "no reason given" : why);
        for (int i = 0; i < missing; i++)
            dlclose(handles[i]);
    }
    if (failure[0] == '\0')
        snprintf(failure, sizeof failure, "the driver is for CUDA %d.%d, and %d.0 is needed", driver / 1000, driver % 1000 / 10,
                 OLDEST);
}

const struct cuda_library *cuda_load(char *text, size_t text_size)
{
    pthread_once(&once, load);
    if (failure[0] == '\0')
        return &library;
    snprintf(text, text_size, "%s", failure);
    return NULL;
}

int cuda_count(char *text, size_t text_size)
{
    int count = driver_count(text, text_size);
    const struct cuda_library *l = count > 0 ? cuda_load(text, text_size) : NULL;
    int error = l == NULL ? 0 : l->count_devices(&count);
    if (error != 0)
        snprintf(text, text_size, "CUDA counts no devices: %s", l->error_text(error));
    return l == NULL || error != 0 ? 0 : count;
}
