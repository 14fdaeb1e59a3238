/* Devices by OpenMP only: its memory, and its copies, which are complete on return. */
#include "offload/backend.h"

#include <stdio.h>
#include <unistd.h>

_Thread_local struct current current;

const struct runtime *openmp(void)
{
    char text[8];
    return runtime_load(text, sizeof text);
}

void copy_failed(size_t bytes, const char *where)
{
    offload_fail(current.offload, "device %d: a copy of %zu bytes %s the device failed", current.device, bytes, where);
}

static void *allocate(struct devices *devices, int device, size_t bytes)
{
    return openmp()->target_alloc(bytes == 0 ? 1 : bytes, physical_of(offload_of(devices), device));
}

static void release(struct devices *devices, int device, void *data)
{
    if (data != NULL)
        openmp()->target_free(data, physical_of(offload_of(devices), device));
}

/* Half of the machine's free memory, since tiles may be on the host, too, divided among all emulated devices. */
static size_t memory(struct devices *devices, int device)
{
    (void)device;
    unsigned long long free_kib = 0;
    char line[100];
    FILE *file = fopen("/proc/meminfo", "r");
    while (file != NULL && free_kib == 0 && fgets(line, sizeof line, file) != NULL)
        sscanf(line, "MemAvailable: %llu", &free_kib);
    if (file != NULL)
        fclose(file);
    size_t bytes = free_kib > 0 ? (size_t)free_kib * 1024 : (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 2;
    return bytes / 2 / (size_t)openmp()->get_num_devices() / (size_t)offload_of(devices)->sharers;
}

static void begin(struct devices *devices, int device, enum lane lane)
{
    current = (struct current){ .offload = offload_of(devices), .device = device, .lane = lane };
}

static void copy(struct offload *o, bool up, void *to, const void *from, size_t bytes)
{
    if (atomic_load(&o->failed) || bytes == 0)
        return;
    int device = physical_of(o, current.device), host = openmp()->get_initial_device();
    if (openmp()->target_memcpy(to, from, bytes, 0, 0, up ? device : host, up ? host : device) != 0)
        copy_failed(bytes, up ? "to" : "from");
}

static void up(struct devices *devices, void *on_device, const void *on_host, size_t bytes)
{
    copy(offload_of(devices), true, on_device, on_host, bytes);
}

static void down(struct devices *devices, void *on_host, const void *on_device, size_t bytes)
{
    copy(offload_of(devices), false, on_host, on_device, bytes);
}

static void up_columns(struct devices *devices, void *on_device, size_t device_pitch, const void *on_host, size_t host_pitch,
                       size_t width, size_t count)
{
    for (size_t c = 0; c < count; c++)
        up(devices, (char *)on_device + c * device_pitch, (const char *)on_host + c * host_pitch, width);
}

static void down_columns(struct devices *devices, void *on_host, size_t host_pitch, const void *on_device, size_t device_pitch,
                         size_t width, size_t count)
{
    for (size_t c = 0; c < count; c++)
        down(devices, (char *)on_host + c * host_pitch, (const char *)on_device + c * device_pitch, width);
}

/* All work is done when calls return, so scratch memory may be released at the end, or for a larger one. */
static void *scratch(struct devices *devices, size_t bytes)
{
    if (bytes > current.scratch_bytes) {
        release(devices, current.device, current.scratch);
        current.scratch = allocate(devices, current.device, bytes);
        current.scratch_bytes = current.scratch == NULL ? 0 : bytes;
        if (current.scratch == NULL)
            offload_fail(current.offload, "device %d: no memory left for %zu bytes of rows", current.device, bytes);
    }
    return current.scratch;
}

static void prepare(struct devices *devices, const struct device_needs *needs)
{
    (void)devices, (void)needs;
}

static void wait(struct devices *devices)
{
    (void)devices;
}

static uint64_t end(struct devices *devices)
{
    release(devices, current.device, current.scratch);
    current = (struct current){ .offload = NULL };
    return 0;
}

static int done(struct devices *devices, uint64_t ticket, int *info)
{
    (void)devices, (void)ticket;
    *info = 0;
    return 1;
}

static bool pin(struct devices *devices, void *on_host, size_t bytes, bool to_read)
{
    (void)devices, (void)on_host, (void)bytes, (void)to_read;
    return false;
}

static void unpin(struct devices *devices, void *on_host)
{
    (void)devices, (void)on_host;
}

void use_openmp(struct offload *offload)
{
    struct devices *t = &offload->table;
    t->prepare = prepare;
    t->allocate = allocate;
    t->release = release;
    t->memory = memory;
    t->begin = begin;
    t->up = up;
    t->down = down;
    t->up_columns = up_columns;
    t->down_columns = down_columns;
    t->scratch = scratch;
    t->wait = wait;
    t->end = end;
    t->done = done;
    t->pin = pin;
    t->unpin = unpin;
}
