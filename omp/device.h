/*
 * What a run asks of the devices of its rank. offload/ fills it in; omp/ knows neither OpenMP target nor CUDA.
 *
 * A device computes and moves in lanes. Between begin and end the calling thread has taken a lane: the kernels that it calls act
 * on that device's memory, and what it moves, moves there, in the order of the calls. It may all be done later than the calls
 * return: end gives a ticket, and done says when. Lanes of a device are independent of each other. Several threads may want the
 * same lane: begin waits for the one that has it, which only issues work and never waits for anything but the device.
 */
#ifndef OMPFACT_OMP_DEVICE_H
#define OMPFACT_OMP_DEVICE_H

#include "omp/kernels/kernels.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HOST = 0 };      /* devices are 1 .. count */

enum lane {
    LANE_UPDATE,        /* kernels: the bulk of the work, */
    LANE_PANEL,         /*   and what others wait for, before it */
    LANE_UP,            /* moves to the device */
    LANE_DOWN,          /* moves from the device */
    LANES
};

struct devices {
    int count;
    const char *backend;        /* "cuda", "host", "portable" */
    bool asynchronous;          /* work may be done later than the calls return */
    /* The table of a precision for memory of a device, to be called between begin and end. potrf and getrf wait for it. */
    const struct kernels *(*kernels)(char type);
    /* Memory of a device; NULL: there is none left. Any thread. */
    void *(*allocate)(struct devices *devices, int device, size_t bytes);
    void (*release)(struct devices *devices, int device, void *data);
    size_t (*memory)(struct devices *devices, int device);      /* bytes that may still be allocated */

    void (*begin)(struct devices *devices, int device, enum lane lane);
    void (*up)(struct devices *devices, void *on_device, const void *on_host, size_t bytes);
    void (*down)(struct devices *devices, void *on_host, const void *on_device, size_t bytes);
    void (*wait)(struct devices *devices);      /* until all that was begun in the lane is done */
    uint64_t (*end)(struct devices *devices);   /* a ticket; 0: all is done */

    /* Of a ticket, once: 0 not yet; else it is spent. Any thread. */
    int (*done)(struct devices *devices, uint64_t ticket);
    /* One line on the first thing that went wrong on any device, or NULL. After it kernels and moves do nothing, and all tickets
       are done. */
    const char *(*failure)(struct devices *devices);
    /* Host memory that tiles lie in, before and after it is used: moves may be faster. Any memory will do without. */
    void (*pin)(struct devices *devices, void *on_host, size_t bytes);
    void (*unpin)(struct devices *devices, void *on_host);
};

#endif
