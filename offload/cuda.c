/*
 * Backend "cuda": cuBLAS, cuSOLVER and a few kernels of this library (device_code.c), on memory of CUDA's runtime; and "hip":
 * rocBLAS, rocSOLVER and the same kernels, on memory of HIP's. They do not use OpenMP's target regions.
 */
#include "offload/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* ---- memory ---------------------------------------------------------------------------------------------------------------- */

static bool use_device(struct devices *devices, int device)
{
    const struct offload *o = offload_of(devices);
    return o->cuda->library->set_device(cuda_device_of(o, device)->ordinal) == 0;
}

static void *allocate(struct devices *devices, int device, size_t bytes)
{
    const struct cuda_library *l = offload_of(devices)->cuda->library;
    void *data = NULL;
    devices->allocations++;
    if (!use_device(devices, device) || l->allocate(&data, bytes == 0 ? 1 : bytes) != 0) {
        l->last_error();        /* otherwise a later call would return this error */
        return NULL;
    }
    return data;
}

static void release(struct devices *devices, int device, void *data)
{
    if (data == NULL)
        return;
    devices->allocations++;
    use_device(devices, device);
    offload_of(devices)->cuda->library->release(data);
}

static size_t memory(struct devices *devices, int device)
{
    struct offload *o = offload_of(devices);
    const struct cuda_library *l = o->cuda->library;
    size_t available, total;
    int error = l->set_device(cuda_device_of(o, device)->ordinal);
    if (error == 0)
        error = l->memory_info(&available, &total);
    if (error != 0) {
        char words[100];
        offload_fail(o, "device %d: %s: %s", device, cuda_called(l, "cudaMemGetInfo", words), l->error_text(error));
        return 0;
    }
    return share_of_memory(o, available);
}

/*
 * Without cudaHostRegisterReadOnly, which few devices support (cudaDevAttrHostRegisterReadOnlySupported), read-only pages
 * cannot be pinned. So such pages become writable permanently, although they are never written. A thread that has not chosen a
 * device would start the first device.
 */
static bool pin(struct devices *devices, void *on_host, size_t bytes, bool to_read)
{
    const struct cuda_library *l = offload_of(devices)->cuda->library;
    int error = 0;
    devices->allocations++;
    if (bytes > 0 && use_device(devices, 1) && (!to_read || mprotect(on_host, bytes, PROT_READ | PROT_WRITE) == 0) &&
        (error = l->host_register(on_host, bytes, CUDA_PORTABLE)) == 0)
        return true;
    l->last_error();            /* otherwise a later call would return this error */
    devices->unpinned += error == CUDA_IS_REGISTERED ? 0 : (int64_t)bytes;
    return false;
}

static void unpin(struct devices *devices, void *on_host)
{
    const struct cuda_library *l = offload_of(devices)->cuda->library;
    devices->allocations++;
    if (!use_device(devices, 1) || l->host_unregister(on_host) != 0)
        l->last_error();
}

/* ---- from one device to another -------------------------------------------------------------------------------------------- */

static bool link_devices(const struct cuda_library *l, int device, int from)
{
    int can = 0, error = device == from ? 0 : l->can_access_peer(&can, device, from);
    if (error == 0 && can)
        error = l->set_device(device);
    if (error == 0 && can)
        error = l->enable_peer_access(from, 0);
    if (error != 0)
        l->last_error();        /* otherwise a later call would return this error */
    return can && (error == 0 || error == CUDA_PEER_ENABLED);
}

static bool linked(struct devices *devices, int device, int from)
{
    return offload_of(devices)->cuda->linked[(device - 1) * devices->count + from - 1];
}

static void find_links(struct offload *o)
{
    bool *link = o->cuda->linked;
    for (int d = 1; d <= o->table.count; d++)
        for (int from = 1; from <= o->table.count; from++)
            *link++ = link_devices(o->cuda->library, physical_of(o, d), physical_of(o, from));
}

/* ---- opening --------------------------------------------------------------------------------------------------------------- */

static void close_device(const struct cuda_library *l, struct cuda_device *d)
{
    l->set_device(d->ordinal);
    for (int i = 0; i < LANES; i++) {
        struct cuda_lane *lane = &d->lane[i];
        if (lane->solver != NULL && lane->solver != lane->blas)
            l->solver_destroy(lane->solver);
        if (lane->blas != NULL)
            l->blas_destroy(lane->blas);
        if (lane->work != NULL)
            l->release(lane->work);
        if (lane->workspace != NULL)
            l->release(lane->workspace);
        if (lane->scratch != NULL)
            l->release(lane->scratch);
        for (int k = 0; k < CUDA_INVERSES; k++)
            if (lane->inverses[k].data != NULL)
                l->release(lane->inverses[k].data);
        if (lane->stream != NULL)
            l->stream_destroy(lane->stream);
        pthread_mutex_destroy(&lane->held);
    }
    pthread_mutex_destroy(&d->inverses_held);
    if (d->module != NULL)
        l->module_unload(d->module);
}

static void close_cuda(struct offload *o)
{
    struct cuda *c = o->cuda;
    const struct cuda_library *l = c->library;
    for (uint64_t i = 0; i < c->ticket_count; i++)
        l->event_destroy(c->ticket[i].event);
    while (c->cells != NULL) {
        struct cuda_cells *cells = c->cells;
        c->cells = cells->next;
        l->host_release(cells->cell);
        free(cells);
    }
    for (int d = 0; c->device != NULL && d < o->table.count; d++)
        close_device(l, &c->device[d]);
    pthread_mutex_destroy(&c->tickets_held);
    free(c->ticket);
    free(c->device);
    free(c->linked);
    free(c);
    o->cuda = NULL;
}

static bool has_kernels(int lane)
{
    return lane == LANE_UPDATE || lane == LANE_UPDATE_TOO || lane == LANE_PANEL;
}

static bool emulates(const struct cuda_library *l, void *blas)
{
    return l->blas_set_bits != NULL && l->blas_set_math_mode(blas, CUBLAS_EMULATED_FP64) == 0 &&
           l->blas_set_emulation(blas, CUBLAS_WHERE_FASTER) == 0 && l->blas_set_bits(blas, CUDA_EMULATED_BITS) == 0;
}

/* Whether this version of cuBLAS computes by bf16x9. */
static bool has_bf16x9(const struct cuda_library *l, void *blas)
{
    enum { FIRST = 120900 };
    int version;
    return l->blas_version(blas, &version) == 0 && version >= FIRST;
}

/* The device that is being opened, and the text for a failure. */
struct opening {
    const struct cuda_library *library;
    int device;
    char *text;
    size_t text_size;
};

/* Writes the text. Returns false, for its caller to return. */
static bool decline(const struct opening *o, const char *call, const char *why)
{
    char words[100];
    snprintf(o->text, o->text_size, "device %d cannot be used: %s: %s", o->device, cuda_called(o->library, call, words), why);
    return false;
}

static bool runtime_good(const struct opening *o, int error, const char *call)
{
    return error == 0 || decline(o, call, o->library->error_text(error));
}

static bool blas_good(const struct opening *o, int status, const char *call)
{
    return status == 0 || decline(o, call, o->library->blas_text(status));
}

static bool solver_good(const struct opening *o, int status, const char *call)
{
    char text[40];
    snprintf(text, sizeof text, "status %d", status);
    return status == 0 || decline(o, call, text);
}

/* Opens BLAS and the solver on the lane's stream. */
static bool open_libraries(const struct opening *o, struct cuda_lane *lane, enum emulation emulation)
{
    const struct cuda_library *l = o->library;
    if (!blas_good(o, l->blas_create(&lane->blas), "cublasCreate") ||
        !blas_good(o, l->blas_set_stream(lane->blas, lane->stream), "cublasSetStream"))
        return false;
    if (emulation == EMULATE_FP64 && !emulates(l, lane->blas))
        return decline(o, "--emulate fp64", "this cuBLAS does not emulate double precision (CUDA 13.0 update 2 does)");
    if (emulation == EMULATE_BF16X9 && !has_bf16x9(l, lane->blas))
        return decline(o, "--emulate bf16x9", "this cuBLAS does not compute by bf16x9 (CUDA 12.9 does)");
    if (l->solver_create == NULL) {
        lane->solver = lane->blas;
        return true;
    }
    return solver_good(o, l->solver_create(&lane->solver), "cusolverDnCreate") &&
           solver_good(o, l->solver_set_stream(lane->solver, lane->stream), "cusolverDnSetStream");
}

/* Streams of lanes for which others wait have a higher priority. */
static bool open_device(const struct opening *o, struct cuda_device *d, enum emulation emulation)
{
    const struct cuda_library *l = o->library;
    int least = 0, greatest = 0;
    if (!runtime_good(o, l->set_device(d->ordinal), "cudaSetDevice") ||
        !runtime_good(o, l->stream_priorities(&least, &greatest), "cudaDeviceGetStreamPriorityRange"))
        return false;
    for (int i = 0; i < LANES; i++) {
        struct cuda_lane *lane = &d->lane[i];
        int priority = i == LANE_PANEL ? greatest : least;
        if (!runtime_good(o, l->stream_create(&lane->stream, CUDA_NON_BLOCKING, priority), "cudaStreamCreateWithPriority") ||
            (has_kernels(i) && !open_libraries(o, lane, emulation)))
            return false;
    }
    int error = cuda_load_code(l, d);
    return error == 0 || decline(o, "cuModuleLoadData", cuda_driver_text(l, error));
}

/* The defaults without measurement: on an H200 cuBLAS's syrk and trsm are much slower than its gemm
   (doc/results/performance.md). */
enum { HERK_BLOCK = 1024, TRSM_BLOCK = 512 };
enum { WITH_BF16 = 80 };        /* the least compute capability with products in bfloat16 */

static bool make_state(struct offload *o, const struct cuda_library *library)
{
    struct cuda *c = o->cuda = calloc(1, sizeof *c);
    if (c == NULL)
        return false;
    *c = (struct cuda){ .library = library, .tickets_held = PTHREAD_MUTEX_INITIALIZER };
    for (int type = 0; type < TYPES; type++)
        c->blocks[type] = (struct device_blocks){ .herk = HERK_BLOCK, .trsm = TRSM_BLOCK };
    c->device = calloc((size_t)o->table.count, sizeof *c->device);
    for (int d = 0; c->device != NULL && d < o->table.count; d++) {
        c->device[d].ordinal = physical_of(o, d + 1);
        pthread_mutex_init(&c->device[d].inverses_held, NULL);
        for (int i = 0; i < LANES; i++)
            pthread_mutex_init(&c->device[d].lane[i].held, NULL);
    }
    c->linked = calloc((size_t)o->table.count * (size_t)o->table.count, sizeof *c->linked);
    return c->device != NULL && c->linked != NULL;
}

/* library: NULL if it is missing; then the text has the reason. */
static int open_with(const struct cuda_library *library, struct offload *offload, char *text, size_t text_size)
{
    if (library == NULL)
        return 1;
    bool bad = !make_state(offload, library);
    if (bad)
        snprintf(text, text_size, "no memory for the lanes of devices");
    for (int device = 1; !bad && device <= offload->table.count; device++) {
        const struct opening o = { library, device, text, text_size };
        bad = !open_device(&o, cuda_device_of(offload, device), offload->emulation);
    }
    if (bad) {
        if (offload->cuda != NULL)
            close_cuda(offload);
        return 1;
    }
    find_links(offload);
    struct devices *t = &offload->table;
    t->asynchronous = true;
    t->blocks = offload->cuda->blocks;
    t->linked = linked;
    t->prepare = cuda_prepare;
    t->bf16 = cuda_bf16(!library->is_hip && cuda_capability() >= WITH_BF16);
    t->panels = library->is_hip ? NULL : cuda_panels;
    t->allocate = allocate;
    t->release = release;
    t->memory = memory;
    t->pin = pin;
    t->unpin = unpin;
    cuda_use_lanes(t);
    cuda_use_moves(t);
    offload->close = close_cuda;
    return 0;
}

int open_cuda(struct offload *offload, char *text, size_t text_size)
{
    return open_with(cuda_load(text, text_size), offload, text, text_size);
}

int open_hip(struct offload *offload, char *text, size_t text_size)
{
    return open_with(hip_load(text, text_size), offload, text, text_size);
}
