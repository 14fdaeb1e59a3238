/* The parts of libcuda.so.1 among themselves. */
#ifndef OMPFACT_TESTS_CUDA_ENGINE_H
#define OMPFACT_TESTS_CUDA_ENGINE_H

#include "tests/cuda/emulated.h"

#include <pthread.h>

/* ---- settings.c --------------------------------------------------------------------------------------------------------- */

struct settings {
    int devices;
    int capability;             /* of all devices: 10 x major + minor */
    long delay;                 /* microseconds */
    uint64_t seed;
    long fail_alloc, lose_after;        /* 0: never */
    int rank;                   /* of this process */
    char report[4096];          /* "": none */
    char refuse[80];            /* the call that does nothing but fail; "": none */
};
struct settings emulated_settings(void);

/* ---- engine.c ----------------------------------------------------------------------------------------------------------- */

/* What a process has done on one device. */
struct counts {
    long operations, kernels, bytes_to_device, bytes_from_device, waits;
    long allocations, device_memory_allocations, kernels_before_last_allocation, left;
};

struct device {
    struct counts counts, told; /* those of its line in the report */
    long line;                  /* where that line is; -1: nowhere yet */
    size_t in_use;              /* bytes */
    struct stream *standard;    /* the default stream, once it is used */
};

/* What has been seen done: of each stream the operations up to that number. */
struct clock {
    int count;
    uint64_t *seen;
};

struct engine {
    pthread_mutex_t held;
    pthread_cond_t recorded;    /* some event */
    pthread_cond_t ended;       /* some thread of a stream */
    struct settings settings;
    struct device *device;
    struct stream **stream;     /* all there ever were */
    int streams, threads;
    int users;                  /* streams and handles that live */
    struct clock host;
    long requests, queued;      /* for device memory; operations */
    bool lost, ending, released;        /* something, while there were no users */
};
extern struct engine engine;

/* Zeroed; ends the process where there is none. */
void *emulated_need(size_t bytes);
const char *emulated_call(void);
void emulated_count_made(int device, bool device_memory);
void emulated_count_released(int device);

/* ---- told.c ------------------------------------------------------------------------------------------------------------- */

void emulated_print_fault(const char *kind);
void emulated_print_counts(bool last);

/* ---- ordered.c ---------------------------------------------------------------------------------------------------------- */

struct operation {
    struct operation *next;     /* of its stream */
    struct operation *older;    /* among those that others are compared with */
    struct stream *stream;
    uint64_t number;
    struct work work;           /* run is NULL: nothing but this */
    struct recording *awaited, *record;
    bool finished;
};

void emulated_clock_merge(struct clock *into, const struct clock *from);
void emulated_clock_free(struct clock *clock);
bool emulated_overlap(const struct range *a, const struct range *b);

/* Gives it its number, accuses, and keeps it for those that follow. */
void emulated_order(struct operation *operation);

/* One that uses this memory and that the host has not seen done, or that is not finished. */
struct operation *emulated_unseen_user(const struct range *range);
struct operation *emulated_unfinished_user(const struct range *range);

/* ---- streams.c ---------------------------------------------------------------------------------------------------------- */

struct stream {
    int index, device;
    pthread_cond_t changed;
    struct operation *first, *last;
    uint64_t queued, done;      /* all of the queue, waits and records too */
    uint64_t random;
    bool closing;
    struct clock clock;
};

/* The stream of that name; NULL names the default stream of the thread's device. NULL, and an accusation: there is none. */
struct stream *emulated_stream(void *name);
void emulated_queue(struct stream *stream, struct operation *operation);
/* Blocks until so much of its queue is done. */
void emulated_drain(struct stream *stream, uint64_t queued);
/* All of a device until now, which the host then has seen. */
void emulated_drain_device(int device);
void emulated_wake_all(void);

/* ---- memory.c ----------------------------------------------------------------------------------------------------------- */

/* Is all of it in one live allocation of the device, or registered? */
bool emulated_on_device(const struct range *range, int device);
bool emulated_registered(const struct range *range);
bool emulated_registered_in_part(const struct range *range);
size_t emulated_hull(const struct range *range);

#endif
