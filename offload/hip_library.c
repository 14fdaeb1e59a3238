/* AMD's libraries: HIP's runtime, rocBLAS and rocSOLVER. */
#include "offload/cuda_library.h"
#include "offload/device_code.h"

#include "config.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* The libraries of ROCm 7 and 6. */
static const char *const versions[][CUDA_PARTS] = {
    { "libamdhip64.so.7", "librocblas.so.5", "librocsolver.so.0", "libamdhip64.so.7" },
    { "libamdhip64.so.6", "librocblas.so.4", "librocsolver.so.0", "libamdhip64.so.6" },
};
enum { VERSIONS = sizeof versions / sizeof versions[0] };

/* rocblas_operation, rocblas_fill, rocblas_side, rocblas_diagonal; rocblas_status_perf_degraded. */
static struct cuda_library library = {
    .maker = "AMD",
    .blas = "rocBLAS",
    .solver = "rocSOLVER",
    .is_hip = true,
    .words = { .no_trans = 111, .trans = 112, .conj_trans = 113, .upper = 121, .lower = 122, .non_unit = 131, .unit = 132,
               .left = 141, .right = 142 },
    .blas_slower = 7,
    .code = device_code_amd,
};
static char failure[300];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static struct cuda_release release_of(int version)
{
    return (struct cuda_release){ versions[version], { getenv("ROCM_PATH"), "/opt/rocm" }, "lib" };
}

/* The newest version with an installed runtime; VERSIONS: none, and dlerror() has the reason. */
static int find_version(void **runtime)
{
    int v = 0;
    for (; v < VERSIONS; v++) {
        struct cuda_release release = release_of(v);
        *runtime = cuda_open_part(&release, CUDA_RUNTIME);
        if (*runtime != NULL)
            break;
    }
    return v;
}

/* The other libraries must have the runtime's version. */
static void load(void)
{
    void *runtime;
    struct cuda_release release = release_of(find_version(&runtime) % VERSIONS);
    cuda_take_release(&library, &release, failure, sizeof failure);
    if (failure[0] == '\0' && device_code_amd[0] == '\0')
        snprintf(failure, sizeof failure, "this build has no code for AMD's devices: %s", OFFLOAD_AMD_WHY_NOT);
}

const struct cuda_library *hip_load(char *text, size_t text_size)
{
    pthread_once(&once, load);
    if (failure[0] == '\0')
        return &library;
    snprintf(text, text_size, "%s", failure);
    return NULL;
}

/* rocBLAS is large, so it is not loaded if there is no device. */
int hip_count(char *text, size_t text_size)
{
    void *runtime;
    if (find_version(&runtime) == VERSIONS) {
        const char *why = dlerror();
        snprintf(text, text_size, "AMD's runtime does not load (%s)", why == NULL ? "libamdhip64.so" : why);
        return 0;
    }
    int (*count_devices)(int *) = (int (*)(int *))dlsym(runtime, "hipGetDeviceCount");
    const char *(*describe)(int) = (const char *(*)(int))dlsym(runtime, "hipGetErrorString");
    int count = 0, error = count_devices == NULL ? 0 : count_devices(&count);
    if (error == 0 && count > 0)
        return hip_load(text, text_size) == NULL ? 0 : count;
    snprintf(text, text_size, "AMD's runtime finds no device (%s)",
             error == 0 || describe == NULL ? "it counts none" : describe(error));
    return 0;
}
