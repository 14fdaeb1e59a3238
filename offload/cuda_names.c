/* The names of the functions of struct cuda_library in NVIDIA's and AMD's libraries. */
#include "offload/cuda_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* NULL: the library has no such function. "?" stands for the letter of a type, one of `types`. */
struct name {
    enum cuda_part part;
    const char *cuda, *hip;
    size_t field;
    const char *types;
};
#define FIELD(name) offsetof(struct cuda_library, name), NULL
#define KERNEL(name, types) offsetof(struct cuda_kernels, name), types

static const struct name names[] = {
    { CUDA_RUNTIME, "cudaGetDeviceCount", "hipGetDeviceCount", FIELD(count_devices) },
    { CUDA_RUNTIME, "cudaSetDevice", "hipSetDevice", FIELD(set_device) },
    { CUDA_RUNTIME, "cudaMemGetInfo", "hipMemGetInfo", FIELD(memory_info) },
    { CUDA_RUNTIME, "cudaMalloc", "hipMalloc", FIELD(allocate) },
    { CUDA_RUNTIME, "cudaFree", "hipFree", FIELD(release) },
    { CUDA_RUNTIME, "cudaHostAlloc", "hipHostMalloc", FIELD(host_allocate) },
    { CUDA_RUNTIME, "cudaFreeHost", "hipHostFree", FIELD(host_release) },
    { CUDA_RUNTIME, "cudaHostRegister", "hipHostRegister", FIELD(host_register) },
    { CUDA_RUNTIME, "cudaHostUnregister", "hipHostUnregister", FIELD(host_unregister) },
    { CUDA_RUNTIME, "cudaDeviceCanAccessPeer", "hipDeviceCanAccessPeer", FIELD(can_access_peer) },
    { CUDA_RUNTIME, "cudaDeviceEnablePeerAccess", "hipDeviceEnablePeerAccess", FIELD(enable_peer_access) },
    { CUDA_RUNTIME, "cudaMemcpyPeerAsync", "hipMemcpyPeerAsync", FIELD(copy_peer) },
    { CUDA_RUNTIME, "cudaDeviceGetStreamPriorityRange", "hipDeviceGetStreamPriorityRange", FIELD(stream_priorities) },
    { CUDA_RUNTIME, "cudaStreamCreateWithPriority", "hipStreamCreateWithPriority", FIELD(stream_create) },
    { CUDA_RUNTIME, "cudaStreamDestroy", "hipStreamDestroy", FIELD(stream_destroy) },
    { CUDA_RUNTIME, "cudaStreamSynchronize", "hipStreamSynchronize", FIELD(stream_wait) },
    { CUDA_RUNTIME, "cudaMemcpyAsync", "hipMemcpyAsync", FIELD(copy) },
    { CUDA_RUNTIME, "cudaMemcpy2DAsync", "hipMemcpy2DAsync", FIELD(copy_2d) },
    { CUDA_RUNTIME, "cudaMemset2DAsync", "hipMemset2DAsync", FIELD(set_2d) },
    { CUDA_RUNTIME, "cudaEventCreateWithFlags", "hipEventCreateWithFlags", FIELD(event_create) },
    { CUDA_RUNTIME, "cudaEventDestroy", "hipEventDestroy", FIELD(event_destroy) },
    { CUDA_RUNTIME, "cudaEventRecord", "hipEventRecord", FIELD(event_record) },
    { CUDA_RUNTIME, "cudaEventQuery", "hipEventQuery", FIELD(event_query) },
    { CUDA_RUNTIME, "cudaGetLastError", "hipGetLastError", FIELD(last_error) },
    { CUDA_RUNTIME, "cudaGetErrorString", "hipGetErrorString", FIELD(error_text) },
    { CUDA_DRIVER, "cuGetErrorString", NULL, FIELD(driver_text) },
    { CUDA_DRIVER, "cuModuleLoadData", "hipModuleLoadData", FIELD(module_load) },
    { CUDA_DRIVER, "cuModuleUnload", "hipModuleUnload", FIELD(module_unload) },
    { CUDA_DRIVER, "cuModuleGetFunction", "hipModuleGetFunction", FIELD(module_function) },
    { CUDA_DRIVER, "cuLaunchKernel", "hipModuleLaunchKernel", FIELD(launch) },
    { CUDA_BLAS, "cublasCreate_v2", "rocblas_create_handle", FIELD(blas_create) },
    { CUDA_BLAS, "cublasDestroy_v2", "rocblas_destroy_handle", FIELD(blas_destroy) },
    { CUDA_BLAS, "cublasSetStream_v2", "rocblas_set_stream", FIELD(blas_set_stream) },
    { CUDA_BLAS, "cublasSetWorkspace_v2", NULL, FIELD(blas_set_workspace) },
    { CUDA_BLAS, "cublasGetStatusString", "rocblas_status_to_string", FIELD(blas_text) },
    { CUDA_BLAS, "cublasSetMathMode", NULL, FIELD(blas_set_math_mode) },
    { CUDA_BLAS, "cublasGetVersion_v2", NULL, FIELD(blas_version) },
    { CUDA_BLAS, "cublasGemmEx", NULL, FIELD(gemm_ex) },
    { CUDA_SOLVER, "cusolverDnCreate", NULL, FIELD(solver_create) },
    { CUDA_SOLVER, "cusolverDnDestroy", NULL, FIELD(solver_destroy) },
    { CUDA_SOLVER, "cusolverDnSetStream", NULL, FIELD(solver_set_stream) },
    { CUDA_BLAS, "cublas?gemm_v2", "rocblas_?gemm", KERNEL(gemm, "sdcz") },
    { CUDA_BLAS, "cublas?syrk_v2", "rocblas_?syrk", KERNEL(herk, "sd") },
    { CUDA_BLAS, "cublas?herk_v2", "rocblas_?herk", KERNEL(herk, "cz") },
    { CUDA_BLAS, "cublas?syrk_v2", "rocblas_?syrk", KERNEL(syrk, "cz") },
    { CUDA_BLAS, "cublas?symm_v2", "rocblas_?symm", KERNEL(hemm, "sd") },
    { CUDA_BLAS, "cublas?hemm_v2", "rocblas_?hemm", KERNEL(hemm, "cz") },
    { CUDA_BLAS, "cublas?trsm_v2", "rocblas_?trsm", KERNEL(trsm, "sdcz") },
    { CUDA_BLAS, "cublas?trmm_v2", "rocblas_?trmm", KERNEL(trmm, "sdcz") },
    { CUDA_BLAS, "cublas?geam", "rocblas_?geam", KERNEL(geam, "sdcz") },
    { CUDA_SOLVER, "cusolverDn?potrf", NULL, KERNEL(potrf, "sdcz") },
    { CUDA_SOLVER, "cusolverDn?potrf_bufferSize", NULL, KERNEL(potrf_size, "sdcz") },
    { CUDA_SOLVER, "cusolverDn?getrf", NULL, KERNEL(getrf, "sdcz") },
    { CUDA_SOLVER, "cusolverDn?getrf_bufferSize", NULL, KERNEL(getrf_size, "sdcz") },
    { CUDA_SOLVER, "cusolverDn?geqrf", NULL, KERNEL(geqrf, "sdcz") },
    { CUDA_SOLVER, "cusolverDn?geqrf_bufferSize", NULL, KERNEL(geqrf_size, "sdcz") },
    { CUDA_BLAS, "cublas?dgmm", NULL, KERNEL(dgmm, "sdcz") },
    { CUDA_SOLVER, NULL, "rocsolver_?potrf", KERNEL(potrf_alone, "sdcz") },
    { CUDA_SOLVER, NULL, "rocsolver_?getrf_npvt", KERNEL(getrf_alone, "sdcz") },
};
enum { NAMES = sizeof names / sizeof names[0] };

/* ---- functions ----------------------------------------------------------------------------------------------------------- */

/* Looks the function up. False: it is missing. `found` gets its name. */
static bool take(void *handle, const char *name, char letter, char *field, char found[60])
{
    snprintf(found, 60, "%s", name);
    char *place = strchr(found, '?');
    if (place != NULL)
        *place = letter;
    void *address = dlsym(handle, found);
    memcpy(field, &address, sizeof address);       /* POSIX's conversion of an object's address to a function's */
    return address != NULL;
}

static void take_functions(struct cuda_library *library, void *const handle[CUDA_PARTS], char *failure, size_t failure_size)
{
    char found[60];
    for (int i = 0; i < NAMES; i++) {
        const struct name *n = &names[i];
        const char *name = library->is_hip ? n->hip : n->cuda;
        for (int t = 0; name != NULL && t < 4; t++) {
            char *kernels = n->types == NULL ? (char *)library : (char *)&library->kernels[t], letter = "sdcz"[t];
            bool wanted = n->types == NULL ? t == 0 : strchr(n->types, letter) != NULL;
            if (wanted && !take(handle[n->part], name, library->is_hip ? letter : "SDCZ"[t], kernels + n->field, found) &&
                failure[0] == '\0')
                snprintf(failure, failure_size, "%s's libraries have no function %s", library->maker, found);
        }
    }
}

/* ---- libraries ----------------------------------------------------------------------------------------------------------- */

void *cuda_open_part(const struct cuda_release *release, enum cuda_part part)
{
    void *handle = dlopen(release->library[part], RTLD_NOW);
    for (int i = 0; handle == NULL && i < (int)(sizeof release->home / sizeof release->home[0]); i++) {
        char path[4096];
        if (release->home[i] == NULL)
            continue;
        snprintf(path, sizeof path, "%s/%s/%s", release->home[i], release->folder, release->library[part]);
        handle = dlopen(path, RTLD_NOW);
    }
    return handle;
}

bool cuda_take_release(struct cuda_library *library, const struct cuda_release *release, char *failure, size_t failure_size)
{
    void *handle[CUDA_PARTS] = { NULL };
    int opened = 0;
    while (opened < CUDA_PARTS && (handle[opened] = cuda_open_part(release, opened)) != NULL)
        opened++;
    if (opened == CUDA_PARTS) {
        failure[0] = '\0';
        take_functions(library, handle, failure, failure_size);
        *(void **)&library->blas_set_emulation = dlsym(handle[CUDA_BLAS], "cublasSetEmulationStrategy");
        *(void **)&library->blas_set_bits = dlsym(handle[CUDA_BLAS], "cublasSetFixedPointEmulationMaxMantissaBitCount");
        return true;
    }
    const char *why = dlerror();
    if (failure[0] == '\0')
        snprintf(failure, failure_size, "%s does not load (%s)", release->library[opened], why == NULL ? "no reason given" : why);
    for (int i = 0; i < opened; i++)
        dlclose(handle[i]);
    return false;
}

/* ---- names --------------------------------------------------------------------------------------------------------------- */

/* "cublasCreate" is cublasCreate_v2 in the library. */
static bool is_name(const char *name, const char *call, size_t length)
{
    return name != NULL && strncmp(name, call, length) == 0 && (name[length] == '\0' || strcmp(name + length, "_v2") == 0);
}

const char *cuda_called(const struct cuda_library *library, const char *call, char words[100])
{
    size_t length = strcspn(call, " ");
    int i = 0;
    while (i < NAMES && !is_name(names[i].cuda, call, length))
        i++;
    if (!library->is_hip || i == NAMES || names[i].hip == NULL)
        return call;
    snprintf(words, 100, "%s%s", names[i].hip, call + length);
    return words;
}
