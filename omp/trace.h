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
    int64_t flow;       /* the same at both ends of a transfer, and of no other */
    double start, end;
};

struct events {
    struct event *event;
    int64_t count, room;
    bool no_memory;     /* some are missing */
};

/* Of one run: a list for each thread. */
struct trace {
    int threads;
    struct events *thread;
    double start, end;      /* of the run */
};

bool trace_create(struct trace *trace, int threads);     /* empty lists; false: no memory. What was there is freed */
void trace_destroy(struct trace *trace);
void trace_add(struct events *events, struct event event);

#endif
