/*
 * The interface between a run and the devices of its rank. offload/ implements it; omp/ contains neither OpenMP target nor
 * CUDA.
 *
 * A device computes and moves data in lanes. Between begin and end the calling thread holds a lane: the kernels that it calls
 * use that device's memory, and its moves are from or to that memory, in the order of the calls. The work may be done after
 * the calls return: end gives a ticket, and done tests it. The lanes of a device are independent of each other. If several
 * threads need the same lane, begin waits for the thread that holds it, and that thread only issues work.
 */
#ifndef OMPFACT_OMP_DEVICE_H
#define OMPFACT_OMP_DEVICE_H

#include "omp/kernels/kernels.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HOST = 0 };      /* devices are 1 .. count */

enum lane {
    LANE_UPDATE,        /* kernels: most of the work */
    LANE_UPDATE_TOO,    /* more of that work at the same time, because one tile does not fill a device */
    LANE_PANEL,         /* kernels whose results others wait for; preferred to both */
    LANE_UP,            /* moves to the device */
    LANE_DOWN,          /* moves from the device */
    LANES
};

/* The memory that a run needs of each device in addition to tiles. */
struct device_needs {
    char type;
    int rows, columns;          /* size of the largest operand */
    int last_rows, last_columns;        /* size of the last tile, whose kernels may need more workspace */
    int panel_rows;             /* rows of the highest panel that is factored in one piece; 0: none */
    int tickets;                /* most tickets at a time */
    bool mixed;                 /* tiles may be in the other precision */
    bool bf16;                  /* tiles may be in bfloat16 */
};

/* Kernels for panels in one piece, on devices that factor them. */
struct panel_kernels {
    /* P A = L U, like getrf_panel() (kernels/panel.h). swap, on the host and pinned, becomes LAPACK's ipiv, from 1. Returns
       the column of the first zero pivot, or 0. With `reports` that column may be reported by the ticket, as for getrf. */
    int (*getrf)(int m, int n, void *A, int lda, int *swap, bool reports);
    /* A = Q R, like geqrt_panel() (kernels/panel_qr.h). T, q x q, is on the host and pinned. */
    void (*geqrt)(int m, int n, void *A, int lda, void *T, int ldt);
};

/* The block widths of kernels that can be composed of other kernels; 0: the library's own kernel is used. */
struct device_blocks {
    int herk;                   /* herk by block columns: herk on the diagonal, gemm below or above it */
    int trsm;                   /* trsm by products with the inverses of the diagonal blocks, which are computed once for all
                                   tiles of a panel */
};

/* Kernels for tiles in bfloat16 (kernels/bf16.h): `count` real numbers, or parts of complex ones, without gaps. */
struct bf16_kernels {
    void (*widen)(size_t count, const void *A, float *B);       /* B := A */
    void (*round)(size_t count, const float *A, void *B);       /* B := A, rounded */
    /* *sum := the sum of the squares of the changes when A is rounded to single and then to bfloat16. */
    void (*changes)(size_t count, const double *A, double *sum);
    /* C += alpha op(A) op(B) of real numbers, with products and sums in single; NULL: there is no such kernel. */
    void (*gemm)(enum trans transa, enum trans transb, int m, int n, int k, double alpha, const void *A, int lda, const void *B,
                 int ldb, float *C, int ldc);
};

struct devices {
    int count;
    const char *backend;        /* "cuda", "hip", "host", "portable" */
    bool asynchronous;          /* work may be done after the calls return */
    /* The number of waits of threads for a device, and of allocations and releases of memory, streams and other resources. */
    _Atomic int64_t waits, allocations;
    _Atomic int64_t unpinned;   /* bytes that pin was called for and could not pin, counted at each call */
    /* The kernels of a precision for memory of a device, to be called between begin and end. potrf and getrf may return 0
       before their result is known; then done returns it. */
    const struct kernels *(*kernels)(char type);
    const struct bf16_kernels *bf16;        /* to be called like these */
    /* The kernels of a precision for panels; NULL: the host factors panels. */
    const struct panel_kernels *(*panels)(char type);
    /* [TYPES]; NULL: there is no choice. May change between runs only. */
    struct device_blocks *blocks;
    /* Creates what the lanes need, before the clock of a run starts, so that a run creates nothing. */
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
    /* Whether the first device may copy from the second one's memory. NULL: none may. */
    bool (*linked)(struct devices *devices, int device, int from);
    /* Copies from memory of a device with which this one is linked. */
    void (*across)(struct devices *devices, void *on_device, int from, const void *on_other, size_t bytes);
    /* Memory of the device for the lane until end. NULL: there is none, which is a failure of the devices. */
    void *(*scratch)(struct devices *devices, size_t bytes);
    void (*wait)(struct devices *devices);      /* until all work begun in the lane is done */
    uint64_t (*end)(struct devices *devices);   /* a ticket; 0: all is done */

    /* Tests a ticket. 0: not done yet; else the ticket is spent, and *info is the result of potrf or getrf if one was begun.
       Any thread. */
    int (*done)(struct devices *devices, uint64_t ticket, int *info);
    /* One line about the first failure of any device, or NULL. After a failure kernels and moves do nothing, and all tickets
       are done. */
    const char *(*failure)(struct devices *devices);
    /* Pins host memory that has tiles, before its use; unpin follows after it. Moves of pinned memory are faster and
       asynchronous. to_read: the memory is another rank's. False: the memory is not pinned, or was pinned before. Memory need
       not be pinned, but it must not be pinned in part: CUDA moves nothing across the end of pinned memory. */
    bool (*pin)(struct devices *devices, void *on_host, size_t bytes, bool to_read);
    void (*unpin)(struct devices *devices, void *on_host);
};

/* Ends the calling thread's work in a lane, and waits until it is done. Not for use while the clock of a run runs. */
static inline void device_end_and_wait(struct devices *devices)
{
    int info;
    devices->wait(devices);
    uint64_t ticket = devices->end(devices);
    while (!devices->done(devices, ticket, &info))
        ;       /* all work is done, except for the ticket */
}

#endif
