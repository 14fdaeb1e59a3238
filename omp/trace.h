/*
 * The events of a run, thread by thread. Each thread writes its own list, so recording an event takes two reads of the clock
 * and no lock. Times are those of run_clock, in seconds.
 */
#ifndef OMPFACT_OMP_TRACE_H
#define OMPFACT_OMP_TRACE_H

#include "omp/run.h"

enum event_kind {
    EVENT_TASK,         /* start to end on this thread, or in a lane of a device */
    EVENT_MOVE,         /* to or from a device */
    EVENT_WAIT,         /* the thread had no ready task */
    EVENT_FETCH,        /* from request to arrival; `from` is the rank that sent the tile */
    EVENT_PUBLICATION,  /* from final to flags sent */
    EVENT_SEND,         /* to one reader of a tile: the moment when the tile became final; `flow` identifies the transfer */
    EVENT_RECEIVE       /* the first use at the reader */
};

struct event {
    enum event_kind kind;
    enum task_kind task;
    int i, j, step;
    int from;
    int device;         /* HOST: none */
    enum lane lane;
    int64_t flow;       /* identifies a transfer: the same value at both ends and in its fetch */
    double start, end;
    double flops;       /* flops of a task */
};

struct events {
    struct event *event;
    int64_t count, room;
    bool no_memory;     /* some events are missing */
};

/* A sample of the state of a rank. */
struct trace_sample {
    double time;
    int submitted, ready;   /* tasks in flight, and the ready ones among them that no thread has taken */
    int tiles;              /* copies of remote tiles in the cache */
    int64_t resident;       /* resident memory of the process in bytes */
};

/* The trace of one run: a list for each thread, and the samples of the first thread. */
struct trace {
    int threads;
    struct events *thread;
    struct trace_sample *sample;
    int samples, room;
    double start;           /* of the run */
};

bool trace_create(struct trace *trace, int threads);     /* empty lists; false: no memory. What was there is freed */
void trace_destroy(struct trace *trace);
void trace_add(struct events *events, struct event event);
/* Limits samples to some thousands in a run of any length: false if it is too early for another one. */
bool trace_sample_is_due(const struct trace *trace, double now, double start);
void trace_add_sample(struct trace *trace, struct trace_sample sample);      /* dropped if there is no memory */
int64_t trace_resident(void);       /* present value; 0: unknown */

#endif
