/* Data that the backends share: the open devices of a rank, and the lane that a thread has begun. */
#ifndef OMPFACT_OFFLOAD_BACKEND_H
#define OMPFACT_OFFLOAD_BACKEND_H

#include "offload/offload.h"
#include "offload/runtime.h"

#include <stdatomic.h>

enum device_kind {
    DEVICE_NONE,        /* target regions do not run on the device */
    DEVICE_EMULATED,    /* LLVM's emulated device: the host's cores and memory */
    DEVICE_NVIDIA,
    DEVICE_OTHER,
};

struct offload {
    struct devices table;           /* first member: the table and this struct have the same address */
    int *physical;                  /* [table.count]: OpenMP's number of each device, or CUDA's, or HIP's */
    enum device_kind kind;          /* kind of all of them */
    int sharers;                    /* most ranks that use the same device */
    enum emulation emulation;
    atomic_int failed;              /* 0: no failure; 1: the text is being written; 2: the text is complete */
    char text[300];
    struct cuda *cuda;              /* data of the backends "cuda" and "hip" */
    void (*close)(struct offload *offload);     /* closes what the backend has opened; may be NULL */
};

/* The state of a thread between begin and end. */
struct current {
    struct offload *offload;
    int device;             /* 1 .. count, as in omp/device.h */
    enum lane lane;
    void *scratch;          /* scratch memory, for devices by OpenMP */
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

/* The part of a device's free memory for this rank, without a reserve for the workspaces of libraries. */
static inline size_t share_of_memory(const struct offload *offload, size_t bytes)
{
    return bytes / 16 * 15 / (size_t)offload->sharers;
}

/* Stores the line of the first failure only. failure.c */
void offload_fail(struct offload *offload, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The stored line; NULL if nothing has failed. failure.c */
const char *offload_failure(struct devices *devices);
/* Reports a failed copy of the current device; where: "to" or "from" the device. */
void copy_failed(size_t bytes, const char *where);

/* Each function fills in the table of open devices, except its kernels: returns 0, or 1 and one line. */
int open_cuda(struct offload *offload, char *text, size_t text_size);
int open_hip(struct offload *offload, char *text, size_t text_size);
int open_host(struct offload *offload, char *text, size_t text_size);
int open_portable(struct offload *offload, char *text, size_t text_size);
const struct kernels *kernels_of_host(char type);

/* OpenMP's functions, which are loaded while devices are open. */
const struct runtime *openmp(void);

/* Fills in the functions for devices by OpenMP: memory, moves that are complete on return, no tickets. */
void use_openmp(struct offload *offload);

#endif
