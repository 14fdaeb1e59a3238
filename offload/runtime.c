#include "offload/runtime.h"

#include "config.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef void registration(void *images);
typedef int launch(void *location, int64_t device, int32_t teams, int32_t threads, void *region, void *arguments);

/* Of the process, as the images are: the library is loaded once, and stays. */
static void *registered_images;
static struct runtime runtime;
static registration *unregister_images;
static launch *launch_region;
static char failure[300];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool region_failed;

void runtime_register(void *images)
{
    registered_images = images;
}

/* The object's own, at exit, comes after the library's end: see unregister. */
void runtime_unregister(void *images)
{
    (void)images;
}

static void unregister(void)
{
    unregister_images(registered_images);
}

static void *function(void *library, const char *name)
{
    void *address = dlsym(library, name);
    if (address == NULL && failure[0] == '\0')
        snprintf(failure, sizeof failure, "the OpenMP target runtime %s has no %s", OFFLOAD_RUNTIME, name);
    return address;
}

/* Global, for the OpenMP runtime looks there for functions of devices. */
static void load(void)
{
    void *library = dlopen(OFFLOAD_RUNTIME, RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL)
        library = dlopen(OFFLOAD_RUNTIME_FOLDER "/" OFFLOAD_RUNTIME, RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL) {
        const char *why = dlerror();
        snprintf(failure, sizeof failure, "the OpenMP target runtime does not load: %s", why == NULL ? OFFLOAD_RUNTIME : why);
        return;
    }
    runtime.get_num_devices = (int (*)(void))function(library, "omp_get_num_devices");
    runtime.get_initial_device = (int (*)(void))function(library, "omp_get_initial_device");
    runtime.target_alloc = (void *(*)(size_t, int))function(library, "omp_target_alloc");
    runtime.target_free = (void (*)(void *, int))function(library, "omp_target_free");
    runtime.target_memcpy =
        (int (*)(void *, const void *, size_t, size_t, size_t, int, int))function(library, "omp_target_memcpy");
    registration *register_images = (registration *)function(library, "__tgt_register_lib");
    unregister_images = (registration *)function(library, "__tgt_unregister_lib");
    launch_region = (launch *)function(library, "__tgt_target_kernel");
    if (failure[0] != '\0')
        return;
    if (registered_images == NULL) {
        snprintf(failure, sizeof failure, "this program holds no code for devices");
        return;
    }
    register_images(registered_images);
    atexit(unregister);     /* so that it comes before the library's own end */
}

const struct runtime *runtime_load(char *text, size_t text_size)
{
    pthread_once(&once, load);
    if (failure[0] == '\0')
        return &runtime;
    snprintf(text, text_size, "%s", failure);
    return NULL;
}

bool runtime_region_failed(void)
{
    bool failed = region_failed;
    region_failed = false;
    return failed;
}

/* Any other answer than 0 would make the region run on the host, which nobody has asked for. */
int runtime_target_kernel(void *location, int64_t device, int32_t teams, int32_t threads, void *region, void *arguments)
{
    if (launch_region == NULL || launch_region(location, device, teams, threads, region, arguments) != 0)
        region_failed = true;
    return 0;
}
