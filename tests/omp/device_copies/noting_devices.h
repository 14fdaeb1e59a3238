/* Devices whose memory is the host's. They execute each call at once, and list their moves. */
#ifndef OMPFACT_TESTS_OMP_DEVICE_COPIES_NOTING_DEVICES_H
#define OMPFACT_TESTS_OMP_DEVICE_COPIES_NOTING_DEVICES_H

#include "omp/device.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_HERE = 2 };

static struct {
    bool up;
    const void *here, *there;
    size_t bytes;
} moves[4000];
static atomic_int move_count, allocations;

static const struct kernels *kernels_here(char type)
{
    return precision_of(type)->kernels;
}

static void *allocate(struct devices *devices, int device, size_t bytes)
{
    (void)devices, (void)device;
    allocations++;
    return calloc(1, bytes);
}

static void release(struct devices *devices, int device, void *data)
{
    (void)devices, (void)device;
    free(data);
}

static void note_move(bool up, const void *here, const void *there, size_t bytes)
{
    int number = move_count++;
    moves[number].up = up;
    moves[number].here = here;
    moves[number].there = there;
    moves[number].bytes = bytes;
}

static void move_up(struct devices *devices, void *on_device, const void *on_host, size_t bytes)
{
    (void)devices;
    note_move(true, on_host, on_device, bytes);
    memcpy(on_device, on_host, bytes);
}

static void move_down(struct devices *devices, void *on_host, const void *on_device, size_t bytes)
{
    (void)devices;
    note_move(false, on_host, on_device, bytes);
    memcpy(on_host, on_device, bytes);
}

static void begin(struct devices *devices, int device, enum lane lane)
{
    (void)devices, (void)device, (void)lane;
}

static uint64_t no_ticket(struct devices *devices)
{
    (void)devices;
    return 0;
}

static void wait_for_lane(struct devices *devices)
{
    (void)devices;
}

static int is_done(struct devices *devices, uint64_t ticket, int *info)
{
    (void)devices;
    *info = 0;
    return ticket == 0;
}

static bool pin(struct devices *devices, void *on_host, size_t bytes, bool to_read)
{
    (void)devices, (void)on_host, (void)bytes, (void)to_read;
    return false;
}

static const char *no_failure(struct devices *devices)
{
    (void)devices;
    return NULL;
}

static struct devices devices = { .count = DEVICES_HERE, .backend = "memory", .kernels = kernels_here, .allocate = allocate,
                                  .release = release, .begin = begin, .up = move_up, .down = move_down, .wait = wait_for_lane,
                                  .end = no_ticket, .done = is_done, .failure = no_failure,
                                  .pin = pin };

#endif
