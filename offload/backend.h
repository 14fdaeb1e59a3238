/* What the backends share: the open devices of a rank, and the lane that a thread has begun. */
#ifndef OMPFACT_OFFLOAD_BACKEND_H
#define OMPFACT_OFFLOAD_BACKEND_H

#include "offload/offload.h"
#include "offload/runtime.h"

#include <stdatomic.h>

enum device_kind {
    DEVICE_NONE,        /* target regions do not run there */
    DEVICE_EMULATED,    /* LLVM's: the host's cores and memory under other names */
    DEVICE_NVIDIA,
    DEVICE_OTHER,
};

struct offload {
    struct devices table;           /* first: its address is this one's */
    int *physical;                  /* [table.count]: OpenMP's number of each device, or CUDA's, or HIP's */
    enum device_kind kind;          /* of them all */
    int sharers;                    /* at most so many ranks use the same device */
    enum emulation emulation;
    atomic_int failed;              /* 0; 1 while text is being written; 2 */
    char text[300];
    struct cuda *cuda;              /* of the backends "cuda" and "hip" */
    void (*close)(struct offload *offload);     /* what the backend has opened; may be NULL */
};

/* What a thread does between begin and end. */
struct current {
    struct offload *offload;
    int device;             /* 1 .. count, as in omp/device.h */
    enum lane lane;
    void *scratch;          /* of devices by OpenMP */
    size_t scratch_bytes;
};
extern _Thread_local struct current current;

static inline struct offload *offload_of(struct devices *devices)
{
    return (struct offload *)devices;
}

static inline int physical_of(const struct offload *offload, int device)
{
    return offload->physical[device - 1];
}

/* Of a device's free memory, but for a part for the workspaces of libraries. */
static inline size_t share_of_memory(const struct offload *offload, size_t bytes)
{
    return bytes / 16 * 15 / (size_t)offload->sharers;
}

/* Keeps the first failure's line alone. failure.c */
void offload_fail(struct offload *offload, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The line that was kept; NULL if nothing has failed. failure.c */
const char *offload_failure(struct devices *devices);
/* On the current device; where: "to" or "from" it. */
void copy_failed(size_t bytes, const char *where);

/* Each fills in the table of open devices, but for its kernels: 0, or 1 and one line. */
int open_cuda(struct offload *offload, char *text, size_t text_size);
int open_hip(struct offload *offload, char *text, size_t text_size);
int open_host(struct offload *offload, char *text, size_t text_size);
int open_portable(struct offload *offload, char *text, size_t text_size);
const struct kernels *kernels_of_host(char type);

/* OpenMP's functions, which are loaded, or no device would be open. */
const struct runtime *openmp(void);

/* What they have in common where OpenMP alone does it: memory, moves that are done when they return, no tickets. */
void use_openmp(struct offload *offload);

#endif
