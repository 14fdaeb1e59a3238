/*
 * What happened in a run, thread by thread: where its time went. Each thread writes its own list, so recording takes two looks at
 * the clock and no lock. Times are run_clock's, in seconds.
 */
#ifndef OMPFACT_OMP_TRACE_H
#define OMPFACT_OMP_TRACE_H

#include "omp/run.h"

enum event_kind {
    EVENT_TASK,         /* start to end on this thread, or in a lane of a device */
    EVENT_MOVE,         /* to or from a device */
    EVENT_WAIT,         /* the thread had no task that was ready */
    EVENT_FETCH,        /* asked for to arrived; `from` is the rank that it came from */
    EVENT_PUBLICATION,  /* final to flags sent */
    EVENT_SEND,         /* of one tile to one reader: when it became final; `flow` names the transfer */
    EVENT_RECEIVE       /* its first use there */
};

struct event {
    enum event_kind kind;
    enum task_kind task;
    int i, j, step;
    int from;
    int device;         /* HOST: none */
    enum lane lane;
    int64_t flow;       /* the same at both ends of a transfer and its fetch, and of no other */
    double start, end;
    double flops;       /* of a task */
};

struct events {
    struct event *event;
    int64_t count, room;
    bool no_memory;     /* some are missing */
};

/* What a rank had in hand at a moment. */
struct trace_sample {
    double time;
    int submitted, ready;   /* tasks in flight, and of these the ready ones that no thread has taken */
    int tiles;              /* copies of remote tiles in the cache */
    int64_t resident;       /* bytes of the process's memory that are there */
};

/* Of one run: a list for each thread, and the first thread's samples. */
struct trace {
    int threads;
    struct events *thread;
    struct trace_sample *sample;
    int samples, room;
    double start, end;      /* of the run */
};

bool trace_create(struct trace *trace, int threads);     /* empty lists; false: no memory. What was there is freed */
void trace_destroy(struct trace *trace);
void trace_add(struct events *events, struct event event);
/* Some thousands in a run of any length: false where it is too soon for one more. */
bool trace_sample_is_due(const struct trace *trace, double now, double start);
void trace_add_sample(struct trace *trace, struct trace_sample sample);      /* lost where there is no memory */
int64_t trace_resident(void);       /* now; 0: not known */

#endif
