/*
 * What a run asks of the devices of its rank. offload/ fills it in; omp/ knows neither OpenMP target nor CUDA.
 *
 * A device computes and moves in lanes. Between begin and end the calling thread has taken a lane: the kernels that it calls act
 * on that device's memory, and what it moves, moves there, in the order of the calls. It may all be done later than the calls
 * return: end gives a ticket, and done says when. Lanes of a device are independent of each other. Several threads may want the
 * same lane: begin waits for the one that has it, which only issues work.
 */
#ifndef OMPFACT_OMP_DEVICE_H
#define OMPFACT_OMP_DEVICE_H

#include "omp/kernels/kernels.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HOST = 0 };      /* devices are 1 .. count */

enum lane {
    LANE_UPDATE,        /* kernels: the bulk of the work; */
    LANE_UPDATE_TOO,    /*   more of it beside it, where a tile does not fill a device; */
    LANE_PANEL,         /*   and what others wait for, before both */
    LANE_UP,            /* moves to the device */
    LANE_DOWN,          /* moves from the device */
    LANES
};

/* What a run asks of each device beside tiles. */
struct device_needs {
    char type;
    int rows, columns;          /* of the largest operand, */
    int last_rows, last_columns;        /*   and of the last tile, which may want more memory to work with */
    int panel_rows;             /* of the highest panel that is factored in one piece; 0: none is */
    int tickets;                /* at a time */
    bool mixed;                 /* tiles of the host may be in single, where these are in double */
};

/* Of panels in one piece, where devices factor them. */
struct panel_kernels {
    /* P A = L U as getrf_panel() has it (kernels/panel.h); swap, on the host and pinned, becomes LAPACK's ipiv, from 1.
       Returns the first zero pivot's column, or 0, and if it `tells` that may be known later, as of getrf. */
    int (*getrf)(int m, int n, void *A, int lda, int *swap, bool tells);
    /* A = Q R as geqrt_panel() has it (kernels/panel_qr.h); T, q x q, on the host and pinned. */
    void (*geqrt)(int m, int n, void *A, int lda, void *T, int ldt);
};

/* How the kernels of a type are put together where there is a choice: columns of a block, 0: by the library's own. */
struct device_blocks {
    int herk;                   /* block columns: herk on the diagonal, gemm beside it */
    int trsm;                   /* products with the inverses of the blocks on the diagonal, made once for all tiles of a panel */
};

struct devices {
    int count;
    const char *backend;        /* "cuda", "hip", "host", "portable" */
    bool asynchronous;          /* work may be done later than the calls return */
    /* How often a thread has waited for a device, and how often memory, streams and the like were made or released. */
    _Atomic int64_t waits, allocations;
    _Atomic int64_t unpinned;   /* bytes that pin was asked for and could not pin, each time */
    /* The table of a precision for memory of a device, to be called between begin and end. What potrf and getrf return may be
       known later: they return 0, and done tells. */
    const struct kernels *(*kernels)(char type);
    /* Likewise of panels; NULL: the host factors these. */
    const struct panel_kernels *(*panels)(char type);
    /* [TYPES]; NULL: there is no choice. To be changed between runs alone. */
    struct device_blocks *blocks;
    /* Before the clock of a run starts: what its lanes work with is made, so that nothing is on the way. */
    void (*prepare)(struct devices *devices, const struct device_needs *needs);
    /* Memory of a device; NULL: there is none left. Any thread. */
    void *(*allocate)(struct devices *devices, int device, size_t bytes);
    void (*release)(struct devices *devices, int device, void *data);
    size_t (*memory)(struct devices *devices, int device);      /* bytes that may still be allocated */

    void (*begin)(struct devices *devices, int device, enum lane lane);
    void (*up)(struct devices *devices, void *on_device, const void *on_host, size_t bytes);
    void (*down)(struct devices *devices, void *on_host, const void *on_device, size_t bytes);
    /* Columns of `width` bytes, which begin `pitch` bytes apart. */
    void (*up_columns)(struct devices *devices, void *on_device, size_t device_pitch, const void *on_host, size_t host_pitch,
                       size_t width, size_t count);
    void (*down_columns)(struct devices *devices, void *on_host, size_t host_pitch, const void *on_device, size_t device_pitch,
                         size_t width, size_t count);
    /* May the first device copy from the second one's memory? NULL: none may. */
    bool (*linked)(struct devices *devices, int device, int from);
    /* From memory of a device that it is linked with. */
    void (*across)(struct devices *devices, void *on_device, int from, const void *on_other, size_t bytes);
    /* Memory of the device that is the lane's until end. NULL: there is none, which is the devices' failure. */
    void *(*scratch)(struct devices *devices, size_t bytes);
    void (*wait)(struct devices *devices);      /* until all that was begun in the lane is done */
    uint64_t (*end)(struct devices *devices);   /* a ticket; 0: all is done */

    /* Of a ticket, once: 0 not yet; else it is spent, and *info is what potrf or getrf would have returned, if one was begun. Any
       thread. */
    int (*done)(struct devices *devices, uint64_t ticket, int *info);
    /* One line on the first thing that went wrong on any device, or NULL. After it kernels and moves do nothing, and all tickets
       are done. */
    const char *(*failure)(struct devices *devices);
    /* Host memory that tiles lie in, before and after it is used: moves are faster, and wait for nothing. to_read: it is another
       rank's. False: it is not pinned, or was before; any memory will do without,
       but for what is pinned in part: CUDA moves nothing across the end of what is. */
    bool (*pin)(struct devices *devices, void *on_host, size_t bytes, bool to_read);
    void (*unpin)(struct devices *devices, void *on_host);
};

/* Ends what the thread has begun in a lane, and waits until it is done. Not while a run's clock runs. */
static inline void device_end_and_wait(struct devices *devices)
{
    int info;
    devices->wait(devices);
    uint64_t ticket = devices->end(devices);
    while (!devices->done(devices, ticket, &info))
        ;       /* all but the ticket is */
}

#endif
