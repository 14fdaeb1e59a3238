/* Finds the devices of the node, chooses those of this rank, and the backend that computes on them. */
#include "offload/backend.h"
#include "offload/cuda.h"
#include "offload/cuda_library.h"
#include "offload/regions.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* ---- available devices -------------------------------------------------------------------------------------------------- */

/* Devices of one kind, with consecutive numbers. */
struct pool {
    enum device_kind kind;
    int first, count;
    const char *numbered;       /* "cuda" or "hip": the library of these numbers; NULL: OpenMP */
};

static bool forbidden(void)
{
    const char *value = getenv("OMP_TARGET_OFFLOAD");
    return value != NULL && strcasecmp(value, "disabled") == 0;
}

/* Removes the files of an emulated device that has been tested. */
static enum device_kind kind_of(int device)
{
    enum device_kind kind = region_kind(device);
    if (kind == DEVICE_EMULATED)
        runtime_remove_files();
    return kind;
}

/* LLVM's emulated devices come first or last. Accelerators are tested only as far as necessary, because each test starts
   one. */
static void find_devices(int all, struct pool *emulated, struct pool *others)
{
    enum { EMULATED = 4 };      /* NUM_DEVICES of LLVM's host plugin */
    *emulated = (struct pool){ .kind = DEVICE_EMULATED };
    bool in_front = kind_of(0) == DEVICE_EMULATED;
    while (emulated->count < all && emulated->count < EMULATED &&
           kind_of(in_front ? emulated->count : all - 1 - emulated->count) == DEVICE_EMULATED)
        emulated->count++;
    *others = (struct pool){ .first = in_front ? emulated->count : 0, .count = all - emulated->count };
    emulated->first = in_front ? 0 : others->count;
    if (others->count > 0)
        others->kind = kind_of(others->first);
}

/* ---- opening ------------------------------------------------------------------------------------------------------------ */

static int decline(char *text, size_t text_size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int decline(char *text, size_t text_size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, text_size, format, arguments);
    va_end(arguments);
    return 1;
}

/* "2 devices were" or "devices were": the begin of a refusal. */
static const char *requested_devices(const struct offload_request *r, char words[40])
{
    if (r->devices < 0)
        snprintf(words, 40, "devices were");
    else
        snprintf(words, 40, "%d device%s", r->devices, r->devices == 1 ? " was" : "s were");
    return words;
}

struct backend {
    const char *name;
    int (*open)(struct offload *offload, char *text, size_t text_size);
    const struct kernels *(*kernels)(char type);
};
static const struct backend backends[] = {
    { "cuda", open_cuda, cuda_kernels },
    { "hip", open_hip, cuda_kernels },
    { "host", open_host, kernels_of_host },
    { "portable", open_portable, portable_kernels },
};
enum { BACKENDS = sizeof backends / sizeof backends[0] };

static const struct backend *backend_named(const char *name)
{
    for (int i = 0; i < BACKENDS; i++)
        if (strcmp(backends[i].name, name) == 0)
            return &backends[i];
    return NULL;
}

static int check_request(const struct offload_request *r, char *text, size_t text_size)
{
    if (r->devices < -1)
        return decline(text, text_size, "the number of devices is %d: 0 or more, or -1 for this rank's share", r->devices);
    if (r->rank_on_node < 0 || r->rank_on_node >= r->ranks_on_node)
        return decline(text, text_size, "rank %d of %d on a node", r->rank_on_node, r->ranks_on_node);
    if (r->backend != NULL && strcmp(r->backend, "auto") != 0 && backend_named(r->backend) == NULL)
        return decline(text, text_size, "unknown device backend \"%s\": auto, cuda, hip, host or portable", r->backend);
    return 0;
}

static bool is_named(const char *backend, const char *name)
{
    return backend != NULL && strcmp(backend, name) == 0;
}

/* NVIDIA's devices, which CUDA finds even if OpenMP does not; none (0) if they are not requested, or auto finds none. */
static int choose_cuda(const struct offload_request *r, const char *backend, struct pool *pool, char *text, size_t text_size)
{
    char words[40], why[300];
    *pool = (struct pool){ .kind = DEVICE_NVIDIA, .numbered = "cuda" };
    if (backend != NULL && !is_named(backend, "cuda"))
        return 0;
    pool->count = cuda_count(why, sizeof why);
    if (pool->count > 0)
        return 0;
    if (is_named(backend, "cuda"))
        return decline(text, text_size, "%s requested with the backend \"cuda\", but no NVIDIA device is usable: %s",
                       requested_devices(r, words), why);
    if (access("/dev/nvidiactl", F_OK) == 0)
        return decline(text, text_size, "%s requested, but the NVIDIA device cannot be used: %s", requested_devices(r, words),
                       why);
    return 0;
}

/* AMD's devices, in the same way. A processor may have a graphics unit that is not meant for computing: it does not count
   unless HIP supports it. */
static int choose_hip(const struct offload_request *r, const char *backend, struct pool *pool, char *text, size_t text_size)
{
    char words[40], why[300];
    *pool = (struct pool){ .kind = DEVICE_OTHER, .numbered = "hip" };
    if (backend != NULL && !is_named(backend, "hip"))
        return 0;
    pool->count = hip_count(why, sizeof why);
    if (pool->count == 0 && is_named(backend, "hip"))
        return decline(text, text_size, "%s requested with the backend \"hip\", but no AMD device is usable: %s",
                       requested_devices(r, words), why);
    return 0;
}

/* OpenMP's devices: accelerators before emulated ones, which auto does not use without a request. */
static int choose_openmp(const struct offload_request *r, const char *backend, struct pool *pool, char *text, size_t text_size)
{
    char words[40];
    const struct runtime *runtime = runtime_load(text, text_size);
    if (runtime == NULL)
        return 1;
    int all = runtime->get_num_devices();
    struct pool emulated = { .kind = DEVICE_EMULATED }, others = { .kind = DEVICE_NONE };
    if (all > 0)
        find_devices(all, &emulated, &others);
    *pool = others.count > 0 && !is_named(backend, "host") ? others : emulated;
    if (is_named(backend, "host") && pool->count == 0)
        return decline(text, text_size,
                       "%s requested with the backend \"host\", which is for LLVM's emulated devices, but there are none",
                       requested_devices(r, words));
    if (pool->kind == DEVICE_EMULATED && backend == NULL && r->devices < 0)
        pool->count = 0;
    return 0;
}

static int choose_pool(const struct offload_request *r, const char *backend, struct pool *pool, char *text, size_t text_size)
{
    if (choose_cuda(r, backend, pool, text, text_size) != 0)
        return 1;
    if (pool->count == 0 && choose_hip(r, backend, pool, text, text_size) != 0)
        return 1;
    return pool->count > 0 ? 0 : choose_openmp(r, backend, pool, text, text_size);
}

static int count_devices(const struct offload_request *r, const struct pool *pool, int *count, char *text, size_t text_size)
{
    char words[40];
    *count = r->devices >= 0 ? r->devices : pool->count / r->ranks_on_node;
    if (r->devices < 0 && *count == 0 && pool->count > 0)
        *count = 1;     /* more ranks than devices share devices */
    if (*count > 0 && pool->count == 0)
        return decline(text, text_size, "%s requested, but the OpenMP runtime finds none", requested_devices(r, words));
    if (*count > pool->count)
        return decline(text, text_size, "%s requested on each rank, but there %s %d on this node%s", requested_devices(r, words),
                       pool->count == 1 ? "is" : "are", pool->count,
                       pool->kind == DEVICE_EMULATED ? " (emulated by the host)" : "");
    return 0;
}

/* Each of OpenMP's devices must compute, and report the kind that was expected. */
static int take_devices(struct offload *o, const struct offload_request *r, const struct pool *pool, char *text, size_t text_size)
{
    for (int d = 0; d < o->table.count; d++) {
        o->physical[d] = pool->first + (int)(((int64_t)r->rank_on_node * o->table.count + d) % pool->count);
        if (pool->numbered == NULL && (kind_of(o->physical[d]) != pool->kind || pool->kind == DEVICE_NONE))
            return decline(text, text_size,
                           "device %d (OpenMP's number %d) exists but does not compute: a target region did not run on it",
                           d + 1, o->physical[d]);
    }
    return 0;
}

static const struct backend *backend_for(const char *name, const struct pool *pool)
{
    return backend_named(pool->numbered != NULL          ? pool->numbered
                         : name != NULL                  ? name
                         : pool->kind == DEVICE_EMULATED ? "host"
                                                         : "portable");
}

static int open_devices(const struct offload_request *r, const char *backend, const struct pool *pool, int count,
                        struct offload **open, char *text, size_t text_size)
{
    struct offload *o = calloc(1, sizeof *o);
    int *physical = calloc((size_t)count, sizeof *physical);
    if (o == NULL || physical == NULL) {
        free(o);
        free(physical);
        decline(text, text_size, "no memory for the list of devices");
        return OFFLOAD_NO_MEMORY;
    }
    o->table.count = count;
    o->table.failure = offload_failure;
    o->physical = physical;
    o->kind = pool->kind;
    o->emulation = r->emulation;
    o->sharers = 1 + (int)(((int64_t)r->ranks_on_node * count - 1) / pool->count);
    if (take_devices(o, r, pool, text, text_size) == 0) {
        const struct backend *b = backend_for(backend, pool);
        o->table.backend = b->name;
        o->table.kernels = b->kernels;
        if (b->open(o, text, text_size) == 0) {
            *open = o;
            return 0;
        }
    }
    free(physical);
    free(o);
    return 1;
}

/* The begin of a refusal. */
static const char *const emulations[EMULATIONS] = {
    [EMULATE_FP64] = "emulated double precision is a feature of cuBLAS",
        [EMULATE_BF16X9] = "products by bf16x9 are a feature of cuBLAS",
    [EMULATE_TF32] = "products in tf32 are a feature of cuBLAS", [EMULATE_BF16] = "products in bf16 are a feature of cuBLAS",
};

int offload_open(const struct offload_request *request, struct devices **devices, char *text, size_t text_size)
{
    char words[40];
    const struct offload_request *r = request;
    const char *backend = r->backend == NULL || strcmp(r->backend, "auto") == 0 ? NULL : r->backend;
    *devices = NULL;
    if (check_request(r, text, text_size) != 0)
        return 1;
    if (r->emulation != EMULATE_NONE && r->devices == 0)
        return decline(text, text_size, "%s, but no devices were requested", emulations[r->emulation]);
    if (r->devices == 0 || (r->devices < 0 && forbidden()))
        return 0;
    if (forbidden())
        return decline(text, text_size, "%s requested, but OMP_TARGET_OFFLOAD=%s forbids them: unset it, or request 0 devices",
                      requested_devices(r, words), getenv("OMP_TARGET_OFFLOAD"));
    struct pool pool;
    int count;
    struct offload *open = NULL;
    if (choose_pool(r, backend, &pool, text, text_size) != 0 || count_devices(r, &pool, &count, text, text_size) != 0)
        return 1;
    if (r->emulation != EMULATE_NONE && (count == 0 || !is_named(pool.numbered, "cuda")))
        return decline(text, text_size, "%s: this needs NVIDIA's devices, but %s", emulations[r->emulation],
                       count == 0 ? "there are none" : "these are others");
    int failed = count > 0 ? open_devices(r, backend, &pool, count, &open, text, text_size) : 0;
    *devices = open == NULL ? NULL : &open->table;
    return failed;
}

void offload_close(struct devices **devices)
{
    if (*devices == NULL)
        return;
    struct offload *o = offload_of(*devices);
    if (o->close != NULL)
        o->close(o);
    free(o->physical);
    free(o);
    *devices = NULL;
}
