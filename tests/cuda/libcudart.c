/* libcudart.so.13: the functions of the runtime that are used. */
#include "tests/cuda/emulated.h"

static _Thread_local int last_error;

/* The result of a call, which cudaGetLastError() returns again. */
static int end(int error)
{
    error = emulated_end(error);
    if (error != 0 && error != NOT_READY)
        last_error = error;
    return error;
}

/* A call in one line: its work unless the devices are lost, and its work in any case. */
#define CALL(what) end(emulated_begin(__func__) ? (what) : 0)
#define RELEASE(what) (emulated_begin(__func__), end(what))

/* ---- devices ------------------------------------------------------------------------------------------------------------ */

int cudaRuntimeGetVersion(int *version)
{
    if (version != NULL)
        *version = 13000;
    return version == NULL ? INVALID_VALUE : 0;
}

int cudaGetLastError(void)
{
    bool lost = !emulated_begin(__func__);
    int error = last_error;
    last_error = 0;
    emulated_end(0);
    return lost ? LAUNCH_FAILURE : error;
}

const char *cudaGetErrorString(int error)
{
    const char *text = emulated_error_text(error);
    return text == NULL ? "unrecognized error code" : text;
}

static int count_devices(int *count)
{
    *count = emulated_devices();
    return *count == 0 ? NO_DEVICE : 0;
}

int cudaGetDeviceCount(int *count)
{
    return CALL(count == NULL ? INVALID_VALUE : count_devices(count));
}

int cudaSetDevice(int device)
{
    return CALL(emulated_set_device(device));
}

int cudaGetDevice(int *device)
{
    if (!emulated_begin(__func__) || device == NULL)
        return end(INVALID_VALUE);
    *device = emulated_device_set() < 0 ? 0 : emulated_device_set();
    return end(0);
}

int cudaDeviceSynchronize(void)
{
    return CALL(emulated_device_wait());
}

int cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (!emulated_begin(__func__))
        return end(0);
    emulated_device_needed();
    if (least != NULL)
        *least = 0;
    if (greatest != NULL)
        *greatest = -5;
    return end(0);
}

static bool is_device(int device)
{
    return device >= 0 && device < emulated_devices();
}

int cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (!emulated_begin(__func__) || can == NULL)
        return end(INVALID_VALUE);
    *can = device != peer;
    return end(is_device(device) && is_device(peer) ? 0 : BAD_DEVICE);
}

int cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    enum { MOST = 32 };
    static bool enabled[MOST][MOST];
    if (!emulated_begin(__func__))
        return end(0);
    int device = emulated_device_needed();
    if (flags != 0 || !is_device(peer) || peer == device)
        return end(flags != 0 ? INVALID_VALUE : BAD_DEVICE);
    if (peer >= MOST || device >= MOST)
        return end(PEER_UNSUPPORTED);
    int error = enabled[device][peer] ? PEER_ENABLED : 0;
    enabled[device][peer] = true;
    return end(error);
}

/* ---- memory ------------------------------------------------------------------------------------------------------------- */

int cudaMalloc(void **data, size_t bytes)
{
    return CALL(emulated_allocate(data, bytes));
}

int cudaFree(void *data)
{
    return RELEASE(emulated_free(data));
}

int cudaMallocHost(void **data, size_t bytes)
{
    return CALL(emulated_allocate_host(data, bytes));
}

int cudaHostAlloc(void **data, size_t bytes, unsigned flags)
{
    (void)flags;
    return CALL(emulated_allocate_host(data, bytes));
}

int cudaFreeHost(void *data)
{
    return RELEASE(emulated_free_host(data));
}

int cudaHostRegister(void *data, size_t bytes, unsigned flags)
{
    return CALL(emulated_register(data, bytes, flags));
}

int cudaHostUnregister(void *data)
{
    return RELEASE(emulated_unregister(data));
}

int cudaMemGetInfo(size_t *available, size_t *total)
{
    if (!emulated_begin(__func__) || available == NULL || total == NULL)
        return end(INVALID_VALUE);
    emulated_memory_info(emulated_device_needed(), available, total);
    return end(0);
}

/* The first members of cudaPointerAttributes, which later versions have extended. */
struct attributes {
    int type, device;
    const void *on_device, *on_host;
};

int cudaPointerGetAttributes(void *attributes, const void *data)
{
    int device;
    if (!emulated_begin(__func__) || attributes == NULL)
        return end(INVALID_VALUE);
    int type = emulated_memory_type(data, &device);
    *(struct attributes *)attributes = (struct attributes){ type, device, type != OF_NOBODY ? data : NULL,
                                                            type != OF_DEVICE ? data : NULL };
    return end(0);
}

/* ---- streams and events ------------------------------------------------------------------------------------------------- */

int cudaStreamCreateWithPriority(void **stream, unsigned flags, int priority)
{
    (void)flags, (void)priority;
    return CALL(emulated_stream_create(stream));
}

int cudaStreamDestroy(void *stream)
{
    return RELEASE(emulated_stream_destroy(stream));
}

int cudaStreamSynchronize(void *stream)
{
    return CALL(emulated_stream_wait(stream));
}

int cudaStreamQuery(void *stream)
{
    return CALL(emulated_stream_query(stream));
}

int cudaStreamWaitEvent(void *stream, void *event, unsigned flags)
{
    (void)flags;
    return CALL(emulated_stream_wait_event(stream, event));
}

int cudaEventCreateWithFlags(void **event, unsigned flags)
{
    (void)flags;
    return CALL(emulated_event_create(event));
}

int cudaEventDestroy(void *event)
{
    return RELEASE(emulated_event_destroy(event));
}

int cudaEventRecord(void *event, void *stream)
{
    return CALL(emulated_event_record(event, stream));
}

int cudaEventQuery(void *event)
{
    return CALL(emulated_event_query(event));
}

int cudaEventSynchronize(void *event)
{
    return CALL(emulated_event_wait(event));
}

/* ---- copies ------------------------------------------------------------------------------------------------------------- */

int cudaMemcpy(void *target, const void *source, size_t bytes, int kind)
{
    const struct copy copy = { target, source, bytes, bytes, bytes, 1, kind, true };
    return CALL(emulated_copy(NULL, &copy));
}

int cudaMemcpyAsync(void *target, const void *source, size_t bytes, int kind, void *stream)
{
    const struct copy copy = { target, source, bytes, bytes, bytes, 1, kind, false };
    return CALL(emulated_copy(stream, &copy));
}

int cudaMemcpy2DAsync(void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t width, size_t height,
                      int kind, void *stream)
{
    const struct copy copy = { target, source, target_pitch, source_pitch, width, height, kind, false };
    return CALL(emulated_copy(stream, &copy));
}

static bool is_of(const void *data, int device)
{
    int its;
    return emulated_memory_type(data, &its) != OF_DEVICE || its == device;
}

int cudaMemcpyPeerAsync(void *target, int target_device, const void *source, int source_device, size_t bytes, void *stream)
{
    const struct copy copy = { target, source, bytes, bytes, bytes, 1, DEVICE_TO_DEVICE, false };
    return CALL(is_of(target, target_device) && is_of(source, source_device) ? emulated_copy(stream, &copy) : INVALID_VALUE);
}

int cudaMemsetAsync(void *target, int value, size_t bytes, void *stream)
{
    return CALL(emulated_set(stream, target, bytes, value, bytes, 1));
}

int cudaMemset2DAsync(void *target, size_t pitch, int value, size_t width, size_t height, void *stream)
{
    return CALL(emulated_set(stream, target, pitch, value, width, height));
}
