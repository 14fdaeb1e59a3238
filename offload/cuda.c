/*
 * Backend "cuda": cuBLAS and cuSOLVER on memory that OpenMP gives, one stream a lane. Both use a device's primary context, so
 * that pointers of the one are good for the other.
 */
#include "offload/cuda.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- failures ----------------------------------------------------------------------------------------------------------- */

bool cuda_ok(int error, const char *call)
{
    if (error != 0)
        offload_fail(current.offload, "device %d: %s: %s", current.device, call,
                     current.offload->cuda->library->error_text(error));
    return error == 0;
}

bool cuda_blas_ok(int status, const char *call)
{
    if (status != 0)
        offload_fail(current.offload, "device %d: %s: %s", current.device, call,
                     current.offload->cuda->library->blas_text(status));
    return status == 0;
}

bool cuda_solver_ok(int status, const char *call)
{
    if (status != 0)
        offload_fail(current.offload, "device %d: %s: cuSOLVER's status %d", current.device, call, status);
    return status == 0;
}

/* ---- lanes -------------------------------------------------------------------------------------------------------------- */

static struct cuda_lane *lane_of(const struct offload *o, int device, enum lane lane)
{
    return &o->cuda->lanes[(device - 1) * LANES + (int)lane];
}

struct cuda_lane *cuda_lane(void)
{
    return atomic_load(&current.offload->failed) ? NULL : lane_of(current.offload, current.device, current.lane);
}

struct cuda_lane *cuda_kernel_lane(void)
{
    struct cuda_lane *lane = cuda_lane();
    const struct cuda_library *l = current.offload->cuda->library;
    if (lane == NULL || lane->solver != NULL)
        return lane;
    bool ready = cuda_blas_ok(l->blas_create(&lane->blas), "cublasCreate") &&
                 cuda_blas_ok(l->blas_set_stream(lane->blas, lane->stream), "cublasSetStream") &&
                 cuda_solver_ok(l->solver_create(&lane->solver), "cusolverDnCreate") &&
                 cuda_solver_ok(l->solver_set_stream(lane->solver, lane->stream), "cusolverDnSetStream");
    return ready ? lane : NULL;
}

void *cuda_work(struct cuda_lane *lane, size_t bytes)
{
    const struct cuda_library *l = current.offload->cuda->library;
    if (bytes <= lane->work_bytes)
        return lane->work;
    lane->work_bytes = 0;
    if (!cuda_ok(l->stream_wait(lane->stream), "cudaStreamSynchronize") || !cuda_ok(l->release(lane->work), "cudaFree"))
        return NULL;
    lane->work = NULL;
    if (!cuda_ok(l->allocate(&lane->work, bytes), "cudaMalloc, for what a kernel works with"))
        return NULL;
    lane->work_bytes = bytes;
    return lane->work;
}

static void begin(struct devices *devices, int device, enum lane lane)
{
    struct offload *o = offload_of(devices);
    pthread_mutex_lock(&lane_of(o, device, lane)->held);
    current = (struct current){ .offload = o, .device = device, .lane = lane };
    if (!atomic_load(&o->failed))
        cuda_ok(o->cuda->library->set_device(o->cuda->ordinal[device - 1]), "cudaSetDevice");
}

static void move(void *target, const void *source, size_t bytes, int kind, const char *call)
{
    struct cuda_lane *lane = cuda_lane();
    if (lane != NULL && bytes > 0)
        cuda_ok(current.offload->cuda->library->copy(target, source, bytes, kind, lane->stream), call);
}

static void up(struct devices *devices, void *on_device, const void *on_host, size_t bytes)
{
    (void)devices;
    move(on_device, on_host, bytes, CUDA_TO_DEVICE, "cudaMemcpyAsync to it");
}

static void down(struct devices *devices, void *on_host, const void *on_device, size_t bytes)
{
    (void)devices;
    move(on_host, on_device, bytes, CUDA_TO_HOST, "cudaMemcpyAsync from it");
}

static void wait(struct devices *devices)
{
    (void)devices;
    struct cuda_lane *lane = cuda_lane();
    if (lane != NULL)
        cuda_ok(current.offload->cuda->library->stream_wait(lane->stream), "cudaStreamSynchronize");
}

/* ---- tickets ------------------------------------------------------------------------------------------------------------ */

/* A free event of this device, or a new one: its place, from 1; 0 if there is none. With events_held. */
static uint64_t take_event(struct cuda *c, int device)
{
    for (uint64_t i = 0; i < c->event_count; i++)
        if (!c->events[i].used && c->events[i].device == device) {
            c->events[i].used = true;
            return i + 1;
        }
    struct cuda_event *more = realloc(c->events, (size_t)(c->event_count + 1) * sizeof *more);
    void *event;
    if (more == NULL) {
        offload_fail(current.offload, "no memory on the host for the events of devices");
        return 0;
    }
    c->events = more;
    if (!cuda_ok(c->library->event_create(&event, CUDA_NO_TIMING), "cudaEventCreate"))
        return 0;
    more[c->event_count++] = (struct cuda_event){ .event = event, .device = device, .used = true };
    return c->event_count;
}

static uint64_t end(struct devices *devices)
{
    struct offload *o = offload_of(devices);
    struct cuda *c = o->cuda;
    struct cuda_lane *lane = cuda_lane();
    uint64_t ticket = 0;
    void *event = NULL;
    if (lane != NULL) {
        pthread_mutex_lock(&c->events_held);
        ticket = take_event(c, current.device);
        event = ticket == 0 ? NULL : c->events[ticket - 1].event;
        pthread_mutex_unlock(&c->events_held);
    }
    if (event != NULL)
        cuda_ok(c->library->event_record(event, lane->stream), "cudaEventRecord");
    pthread_mutex_unlock(&lane_of(o, current.device, current.lane)->held);
    current = (struct current){ .offload = NULL };
    return ticket;
}

static int done(struct devices *devices, uint64_t ticket)
{
    struct offload *o = offload_of(devices);
    struct cuda *c = o->cuda;
    if (ticket == 0)
        return 1;
    pthread_mutex_lock(&c->events_held);
    struct cuda_event event = c->events[ticket - 1];
    pthread_mutex_unlock(&c->events_held);
    int error = atomic_load(&o->failed) ? 0 : c->library->set_device(c->ordinal[event.device - 1]);
    if (error == 0 && !atomic_load(&o->failed))
        error = c->library->event_query(event.event);
    if (error == CUDA_NOT_READY)
        return 0;
    if (error != 0)
        offload_fail(o, "device %d: its work ended with: %s", event.device, c->library->error_text(error));
    pthread_mutex_lock(&c->events_held);
    c->events[ticket - 1].used = false;
    pthread_mutex_unlock(&c->events_held);
    return 1;
}

/* ---- memory ------------------------------------------------------------------------------------------------------------- */

static size_t memory(struct devices *devices, int device)
{
    struct offload *o = offload_of(devices);
    const struct cuda_library *l = o->cuda->library;
    size_t available, total;
    int error = l->set_device(o->cuda->ordinal[device - 1]);
    if (error == 0)
        error = l->memory_info(&available, &total);
    if (error != 0) {
        offload_fail(o, "device %d: it does not tell its memory: %s", device, l->error_text(error));
        return 0;
    }
    return share_of_memory(o, available);
}

/* What cannot be pinned is moved all the same. A thread that has not chosen a device would start the first one. */
static void pin(struct devices *devices, void *on_host, size_t bytes)
{
    const struct cuda *c = offload_of(devices)->cuda;
    const struct cuda_library *l = c->library;
    if (bytes > 0 && (l->set_device(c->ordinal[0]) != 0 || l->host_register(on_host, bytes, CUDA_PORTABLE) != 0))
        l->last_error();        /* else a later call would be told */
}

static void unpin(struct devices *devices, void *on_host)
{
    const struct cuda *c = offload_of(devices)->cuda;
    const struct cuda_library *l = c->library;
    if (l->set_device(c->ordinal[0]) != 0 || l->host_unregister(on_host) != 0)
        l->last_error();
}

/* ---- opening ------------------------------------------------------------------------------------------------------------ */

/* Which device CUDA takes OpenMP's memory to be on; -1 if it does not know. */
static int ordinal_of(const struct cuda_library *l, int physical)
{
    /* cudaPointerAttributes starts with these; it has grown from version to version */
    enum { TYPE, ORDINAL, INTS = 64, ON_DEVICE = 2 };
    int attributes[INTS] = { 0 };
    void *data = openmp()->target_alloc(256, physical);
    int error = data == NULL ? 1 : l->pointer_attributes(attributes, data);
    if (data != NULL)
        openmp()->target_free(data, physical);
    return error == 0 && attributes[TYPE] == ON_DEVICE ? attributes[ORDINAL] : -1;
}

static void close_cuda(struct offload *o)
{
    struct cuda *c = o->cuda;
    const struct cuda_library *l = c->library;
    for (int i = 0; c->ordinal != NULL && c->lanes != NULL && i < o->table.count * LANES; i++) {
        struct cuda_lane *lane = &c->lanes[i];
        l->set_device(c->ordinal[i / LANES]);
        if (lane->solver != NULL)
            l->solver_destroy(lane->solver);
        if (lane->blas != NULL)
            l->blas_destroy(lane->blas);
        if (lane->work != NULL)
            l->release(lane->work);
        if (lane->stream != NULL)
            l->stream_destroy(lane->stream);
        pthread_mutex_destroy(&lane->held);
    }
    for (uint64_t i = 0; i < c->event_count; i++)
        l->event_destroy(c->events[i].event);
    pthread_mutex_destroy(&c->events_held);
    free(c->events);
    free(c->lanes);
    free(c->ordinal);
    free(c);
    o->cuda = NULL;
}

/* The streams of a device; those of what others wait for go first. */
static int open_lanes(struct offload *o, int device, char *text, size_t text_size)
{
    struct cuda *c = o->cuda;
    const struct cuda_library *l = c->library;
    int least = 0, greatest = 0, error;
    c->ordinal[device - 1] = ordinal_of(l, physical_of(o, device));
    if (c->ordinal[device - 1] < 0) {
        snprintf(text, text_size, "device %d: CUDA does not know the memory that OpenMP has given there", device);
        return 1;
    }
    error = l->set_device(c->ordinal[device - 1]);
    if (error == 0)
        error = l->stream_priorities(&least, &greatest);
    for (int lane = 0; lane < LANES && error == 0; lane++)
        error = l->stream_create(&lane_of(o, device, (enum lane)lane)->stream, CUDA_NON_BLOCKING,
                                 lane == LANE_PANEL ? greatest : least);
    if (error != 0)
        snprintf(text, text_size, "device %d: its streams cannot be made: %s", device, l->error_text(error));
    return error != 0;
}

int open_cuda(struct offload *offload, char *text, size_t text_size)
{
    const struct cuda_library *library = cuda_load(text, text_size);
    int count = offload->table.count;
    if (library == NULL)
        return 1;
    struct cuda *c = offload->cuda = calloc(1, sizeof *c);
    if (c != NULL) {
        *c = (struct cuda){ .library = library, .events_held = PTHREAD_MUTEX_INITIALIZER };
        c->ordinal = calloc((size_t)count, sizeof *c->ordinal);
        c->lanes = calloc((size_t)count * LANES, sizeof *c->lanes);
    }
    int bad = c == NULL || c->ordinal == NULL || c->lanes == NULL;
    if (bad)
        snprintf(text, text_size, "no memory for the lanes of devices");
    for (int i = 0; !bad && i < count * LANES; i++)
        pthread_mutex_init(&c->lanes[i].held, NULL);
    for (int device = 1; !bad && device <= count; device++)
        bad = open_lanes(offload, device, text, text_size);
    if (bad) {
        if (c != NULL)
            close_cuda(offload);
        return 1;
    }
    use_openmp(offload);
    struct devices *t = &offload->table;
    t->asynchronous = true;
    t->memory = memory;
    t->begin = begin;
    t->up = up;
    t->down = down;
    t->wait = wait;
    t->end = end;
    t->done = done;
    t->pin = pin;
    t->unpin = unpin;
    offload->close = close_cuda;
    return 0;
}
