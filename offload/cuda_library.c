/* NVIDIA's libraries: the driver, CUDA's runtime, cuBLAS and cuSOLVER. */
#include "offload/cuda_library.h"
#include "offload/device_code.h"

#include "config.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The libraries of one version of CUDA. */
static const char *const versions[][CUDA_PARTS] = {
    { "libcudart.so.13", "libcublas.so.13", "libcusolver.so.12", "libcuda.so.1" },
    { "libcudart.so.12", "libcublas.so.12", "libcusolver.so.11", "libcuda.so.1" },
};
enum { VERSIONS = sizeof versions / sizeof versions[0], NEWEST = 13, OLDEST = 12 };
static const int least_capability[VERSIONS] = { 75, 0 };        /* CUDA 13 does not support devices before Turing */

static struct cuda_library library = {
    .maker = "NVIDIA",
    .blas = "cuBLAS",
    .solver = "cuSOLVER",
    .words = { .no_trans = CUBLAS_N, .trans = CUBLAS_T, .conj_trans = CUBLAS_C, .lower = CUBLAS_LOWER, .upper = CUBLAS_UPPER,
               .left = CUBLAS_LEFT, .right = CUBLAS_RIGHT, .non_unit = CUBLAS_NON_UNIT, .unit = CUBLAS_UNIT },
    .code = device_code,
};
static char failure[300];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- the driver --------------------------------------------------------------------------------------------------------- */

/* NULL, with the reason in dlerror(): there is no driver, or it has no such function. */
static void *driver_function(const char *name)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    return driver == NULL ? NULL : dlsym(driver, name);
}

/* The version of CUDA that the driver supports, 1000 x major + 10 x minor, or 0. */
static int driver_version(void)
{
    int version = 0;
    int (*get)(int *) = (int (*)(int *))driver_function("cuDriverGetVersion");
    return get != NULL && get(&version) == 0 ? version : 0;
}

int cuda_capability(void)
{
    enum { MAJOR = 75, MINOR = 76 };    /* CUdevice_attribute */
    int (*count_devices)(int *) = (int (*)(int *))driver_function("cuDeviceGetCount");
    int (*get)(int *, int, int) = (int (*)(int *, int, int))driver_function("cuDeviceGetAttribute");
    int count = 0, least = INT_MAX, major, minor;
    if (count_devices == NULL || get == NULL || count_devices(&count) != 0)
        return least;
    for (int device = 0; device < count; device++)
        if (get(&major, MAJOR, device) == 0 && get(&minor, MINOR, device) == 0 && 10 * major + minor < least)
            least = 10 * major + minor;
    return least;
}

const char *cuda_driver_text(const struct cuda_library *l, int error)
{
    const char *text = NULL;
    if (l->driver_text == NULL)
        return l->error_text(error);
    return l->driver_text(error, &text) == 0 && text != NULL ? text : "unknown error";
}

size_t cuda_driver_memory(void)
{
    size_t available = 0, total = 0;
    int (*get)(size_t *, size_t *) = (int (*)(size_t *, size_t *))driver_function("cuMemGetInfo_v2");
    return get == NULL ? SIZE_MAX : get(&available, &total) == 0 ? available : 0;
}

/* The number of devices that the driver finds; 0, and the reason. */
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

/* Loads the newest libraries that the driver supports, which must be at least as new, and that support all devices. */
static void load(void)
{
    int driver = driver_version(), least = cuda_capability();
    for (int v = 0; v < VERSIONS; v++) {
        const struct cuda_release release = {
            versions[v], { getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda" }, "lib64"
        };
        if ((driver != 0 && driver < (NEWEST - v) * 1000) || least < least_capability[v])
            continue;
        if (cuda_take_release(&library, &release, failure, sizeof failure))     /* the first failure is about the version to
                                                                                   install */
            return;
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
