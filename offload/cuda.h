/* Backend "cuda": what its lanes and tickets (cuda.c) and its kernels (cuda_kernels.c) know of each other. */
#ifndef OMPFACT_OFFLOAD_CUDA_H
#define OMPFACT_OFFLOAD_CUDA_H

#include "offload/backend.h"
#include "offload/cuda_library.h"

#include <pthread.h>
#include <stdbool.h>

/* A stream with what kernels need, held by one thread from begin to end. */
struct cuda_lane {
    pthread_mutex_t held;
    void *stream;
    void *blas, *solver;    /* made by the lane's first kernel */
    void *work;             /* on the device */
    size_t work_bytes;
};

struct cuda {
    const struct cuda_library *library;
    int *ordinal;               /* CUDA's number of each device */
    struct cuda_lane *lanes;    /* LANES of each device */
    pthread_mutex_t events_held;
    struct cuda_event {
        void *event;
        int device;
        bool used;
    } *events;                  /* a ticket is a place here, from 1 */
    uint64_t event_count;
};

/* Of the lane that this thread has begun. NULL after a failure: then there is nothing to do. */
struct cuda_lane *cuda_lane(void);

/* With its handles. */
struct cuda_lane *cuda_kernel_lane(void);

/* Did the call that is named succeed? If not, that is the devices' failure. CUDA's and cuBLAS's own words; cuSOLVER has none. */
bool cuda_ok(int error, const char *call);
bool cuda_blas_ok(int status, const char *call);
bool cuda_solver_ok(int status, const char *call);

/* Device memory that stays the lane's. NULL, and a failure, where there is none. What was there before is lost. */
void *cuda_work(struct cuda_lane *lane, size_t bytes);

const struct kernels *cuda_kernels(char type);

#endif
