/* The emulation's state, calls and counts. */
#include "tests/cuda/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct engine engine = {
    .held = PTHREAD_MUTEX_INITIALIZER, .recorded = PTHREAD_COND_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER,
};
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pid_t process;           /* the process that has started it: a forked copy has no streams */
static _Thread_local int device_set = -1;
static _Thread_local const char *this_call = "";
static _Thread_local bool was_lost, was_refused;

void *emulated_need(size_t bytes)
{
    void *data = calloc(1, bytes == 0 ? 1 : bytes);
    if (data == NULL) {
        fprintf(stderr, "emulated CUDA: no memory on the host\n");
        exit(99);
    }
    return data;
}

/* ---- a call ------------------------------------------------------------------------------------------------------------- */

static void start(void)
{
    process = getpid();
    engine.settings = emulated_settings();
    engine.device = emulated_need((size_t)engine.settings.devices * sizeof *engine.device);
    for (int i = 0; i < engine.settings.devices; i++)
        engine.device[i].line = -1;
}

/* Streams stop before the libraries that they use are unloaded. */
__attribute__((destructor)) static void end(void)
{
    if (process != getpid())
        return;
    pthread_mutex_lock(&engine.held);
    engine.ending = true;
    emulated_wake_all();
    while (engine.threads > 0)
        pthread_cond_wait(&engine.ended, &engine.held);
    emulated_print_counts(true);
    pthread_mutex_unlock(&engine.held);
}

bool emulated_begin(const char *call)
{
    pthread_once(&once, start);
    pthread_mutex_lock(&engine.held);
    this_call = call;
    was_lost = engine.lost;
    was_refused = strcmp(call, engine.settings.refuse) == 0;
    if (was_refused)
        emulated_print_fault("refuse");
    return !was_lost && !was_refused;
}

int emulated_end(int error)
{
    if (engine.released)
        emulated_print_counts(false);
    engine.released = false;
    pthread_mutex_unlock(&engine.held);
    return was_lost ? LAUNCH_FAILURE : was_refused ? UNSUPPORTED_CALL : error;
}

bool emulated_lost(void)
{
    return engine.lost;
}

const char *emulated_call(void)
{
    return this_call;
}

/* ---- devices ------------------------------------------------------------------------------------------------------------ */

int emulated_devices(void)
{
    return engine.settings.devices;
}

int emulated_capability(void)
{
    return engine.settings.capability;
}

int emulated_set_device(int device)
{
    if (device < 0 || device >= engine.settings.devices)
        return BAD_DEVICE;
    device_set = device;
    return 0;
}

int emulated_device_set(void)
{
    return device_set;
}

int emulated_device_needed(void)
{
    if (device_set < 0)
        emulated_accuse("device", "%s in a thread that has not set a device", this_call);
    return device_set < 0 ? 0 : device_set;
}

/* ---- counts ------------------------------------------------------------------------------------------------------------- */

void emulated_count_made(int device, bool device_memory)
{
    struct counts *c = &engine.device[device].counts;
    c->allocations++;
    c->device_memory_allocations += device_memory;
    c->kernels_before_last_allocation = c->kernels;
    c->left++;
}

void emulated_count_released(int device)
{
    engine.device[device].counts.left--;
    engine.released = engine.users == 0;
}

/* ---- errors ------------------------------------------------------------------------------------------------------------- */

static const struct {
    int error;
    const char *name, *text;
} errors[] = {
    { 0, "SUCCESS", "no error" },
    { INVALID_VALUE, "INVALID_VALUE", "invalid argument" },
    { NO_MEMORY, "OUT_OF_MEMORY", "out of memory" },
    { BAD_PITCH, "INVALID_PITCH_VALUE", "invalid pitch argument" },
    { BAD_DIRECTION, "INVALID_MEMCPY_DIRECTION", "invalid copy direction for memcpy" },
    { NO_DEVICE, "NO_DEVICE", "no CUDA-capable device is detected" },
    { BAD_DEVICE, "INVALID_DEVICE", "invalid device ordinal" },
    { BAD_IMAGE, "INVALID_IMAGE", "device kernel image is invalid" },
    { NO_CONTEXT, "INVALID_CONTEXT", "invalid device context" },
    { PEER_UNSUPPORTED, "PEER_ACCESS_UNSUPPORTED", "peer access is not supported between these two devices" },
    { BAD_HANDLE, "INVALID_HANDLE", "invalid resource handle" },
    { NOT_FOUND, "NOT_FOUND", "named symbol not found" },
    { NOT_READY, "NOT_READY", "device not ready" },
    { PEER_ENABLED, "PEER_ACCESS_ALREADY_ENABLED", "peer access is already enabled" },
    { IS_REGISTERED, "HOST_MEMORY_ALREADY_REGISTERED", "part or all of the requested memory range is already mapped" },
    { NOT_REGISTERED, "HOST_MEMORY_NOT_REGISTERED", "pointer does not correspond to a registered memory region" },
    { LAUNCH_FAILURE, "LAUNCH_FAILED", "unspecified launch failure" },
    { UNSUPPORTED_CALL, "NOT_SUPPORTED", "operation not supported" },
};

static int place_of(int error)
{
    int i = (int)(sizeof errors / sizeof errors[0]) - 1;
    while (i >= 0 && errors[i].error != error)
        i--;
    return i;
}

const char *emulated_error_name(int error)
{
    int i = place_of(error);
    return i < 0 ? NULL : errors[i].name;
}

const char *emulated_error_text(int error)
{
    int i = place_of(error);
    return i < 0 ? NULL : errors[i].text;
}
