/* Moves between the host and devices, and between devices. Inverses of what is overwritten are discarded. */
#include "offload/cuda.h"

static void move(void *target, const void *source, size_t bytes, int kind, const char *call)
{
    struct cuda_lane *lane = bytes > 0 ? cuda_lane() : NULL;
    if (lane != NULL && kind == CUDA_TO_DEVICE)
        cuda_discard_inverses(target, bytes);
    if (lane != NULL)
        cuda_ok(cuda_now()->copy(target, source, bytes, kind, lane->stream), call);
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

static void across(struct devices *devices, void *on_device, int from, const void *on_other, size_t bytes)
{
    struct offload *o = offload_of(devices);
    struct cuda_lane *lane = bytes > 0 ? cuda_lane() : NULL;
    if (lane == NULL)
        return;
    cuda_discard_inverses(on_device, bytes);
    cuda_ok(cuda_now()->copy_peer(on_device, physical_of(o, current.device), on_other, physical_of(o, from), bytes, lane->stream),
            "cudaMemcpyPeerAsync");
}

void cuda_move_columns(void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t width, size_t count,
                       int kind)
{
    struct cuda_lane *lane = width > 0 && count > 0 ? cuda_lane() : NULL;
    if (lane != NULL && kind == CUDA_TO_DEVICE)
        cuda_discard_inverses(target, (count - 1) * target_pitch + width);
    if (lane != NULL)
        cuda_ok(cuda_now()->copy_2d(target, target_pitch, source, source_pitch, width, count, kind, lane->stream),
                "cudaMemcpy2DAsync");
}

static void up_columns(struct devices *devices, void *on_device, size_t device_pitch, const void *on_host, size_t host_pitch,
                       size_t width, size_t count)
{
    (void)devices;
    cuda_move_columns(on_device, device_pitch, on_host, host_pitch, width, count, CUDA_TO_DEVICE);
}

static void down_columns(struct devices *devices, void *on_host, size_t host_pitch, const void *on_device, size_t device_pitch,
                         size_t width, size_t count)
{
    (void)devices;
    cuda_move_columns(on_host, host_pitch, on_device, device_pitch, width, count, CUDA_TO_HOST);
}

void cuda_use_moves(struct devices *table)
{
    table->up = up;
    table->down = down;
    table->across = across;
    table->up_columns = up_columns;
    table->down_columns = down_columns;
}
