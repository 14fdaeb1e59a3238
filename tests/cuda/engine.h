/* Declarations that the parts of libcuda.so.1 share. */
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
    int rank;                   /* rank of this process */
    char report[4096];          /* "": no report */
    char refuse[80];            /* the call that always fails; "": none */
};
struct settings emulated_settings(void);

/* ---- engine.c ----------------------------------------------------------------------------------------------------------- */

/* The work of a process on one device. */
struct counts {
    long operations, kernels, bytes_to_device, bytes_from_device, waits;
    long allocations, device_memory_allocations, kernels_before_last_allocation, left;
};

struct device {
    struct counts counts, reported; /* reported: the counts in its line of the report */
    long line;                  /* offset of that line; -1: not written yet */
    size_t in_use;              /* bytes */
    struct stream *standard;    /* the default stream, from its first use on */
};

/* Operations seen done: of each stream all up to that number. */
struct clock {
    int count;
    uint64_t *seen;
};

struct engine {
    pthread_mutex_t held;
    pthread_cond_t recorded;    /* signalled when an event is recorded */
    pthread_cond_t ended;       /* signalled when a stream's thread ends */
    struct settings settings;
    struct device *device;
    struct stream **stream;     /* all streams that ever existed */
    int streams, threads;
    int users;                  /* live streams and handles */
    struct clock host;
    long requests, queued;      /* requests of device memory; queued operations */
    bool lost, ending, released;        /* released: something was released while there were no users */
};
extern struct engine engine;

/* Allocates zeroed memory; ends the process if there is none. */
void *emulated_need(size_t bytes);
const char *emulated_call(void);
void emulated_count_made(int device, bool device_memory);
void emulated_count_released(int device);

/* ---- report_lines.c ------------------------------------------------------------------------------------------------- */

void emulated_print_fault(const char *kind);
void emulated_print_counts(bool last);

/* ---- ordered.c ---------------------------------------------------------------------------------------------------------- */

struct operation {
    struct operation *next;     /* the next operation of its stream */
    struct operation *older;    /* an older operation that new ones are compared with */
    struct stream *stream;
    uint64_t number;
    struct work work;           /* run is NULL: the operation only waits or records */
    struct recording *awaited, *record;
    bool finished;
};

void emulated_clock_merge(struct clock *into, const struct clock *from);
void emulated_clock_free(struct clock *clock);
bool emulated_overlap(const struct range *a, const struct range *b);

/* Numbers the operation, reports conflicts, and keeps it for comparison with later ones. */
void emulated_order(struct operation *operation);

/* An operation that uses this memory and that the host has not seen done, or that is not finished. */
struct operation *emulated_unseen_user(const struct range *range);
struct operation *emulated_unfinished_user(const struct range *range);

/* ---- streams.c ---------------------------------------------------------------------------------------------------------- */

struct stream {
    int index, device;
    pthread_cond_t changed;
    struct operation *first, *last;
    uint64_t queued, done;      /* operations of the queue, with waits and records */
    uint64_t random;
    bool closing;
    struct clock clock;
};

/* The stream of that name; NULL is the default stream of the thread's device. The result NULL, with an accusation: there is no
   such stream. */
struct stream *emulated_stream(void *name);
void emulated_queue(struct stream *stream, struct operation *operation);
/* Blocks until the stream has done `queued` operations. */
void emulated_drain(struct stream *stream, uint64_t queued);
/* Blocks until all operations of a device are done, and marks them as seen by the host. */
void emulated_drain_device(int device);
void emulated_wake_all(void);

/* ---- memory.c ----------------------------------------------------------------------------------------------------------- */

/* Whether the whole range is in one live allocation of the device, or in registered memory. */
bool emulated_on_device(const struct range *range, int device);
bool emulated_registered(const struct range *range);
bool emulated_registered_in_part(const struct range *range);
size_t emulated_hull(const struct range *range);

#endif
