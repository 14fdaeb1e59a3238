/* The run as the files see it that carry it out or count it; those that make its tasks see task.h. */
#ifndef OMPFACT_OMP_EXECUTION_H
#define OMPFACT_OMP_EXECUTION_H

#include "omp/ready.h"
#include "omp/reserve.h"
#include "omp/trace.h"

#include <pthread.h>

struct open_step;

/* What becomes of a walk's tasks. NULL in place of a function: nothing. */
struct sink {
    struct task *(*task)(struct run *run, const struct task *task, const struct operand *operands);     /* for task_create */
    void (*close_step)(struct run *run, struct open_step *step);
    void (*wait)(struct run *run);
    enum due (*is_due)(struct run *run, int k);         /* for run_is_due; NULL: never */
};

/* One thread's own counters, a cache line apart from the next thread's. */
struct worker {
    _Alignas(64) int64_t gathered;  /* tasks of the runtime that this thread has run */
    _Atomic int64_t left;           /* tasks and empty writers that it has seen through: read by the submitting thread */
    bool gathers;                   /* it is in gather(), and run_next_task() follows: */
    struct at_hand at_hand;         /*   tasks that it has found ready there; else none */
    struct freed freed;             /* tasks that it has seen through, until it gives them back */
    double flops;
    _Atomic double counted;         /* read by the thread that reports progress */
    unsigned jitter_state;          /* of random numbers */
    unsigned polls;                 /* between tasks: help.c's */
    struct events *events;          /* NULL: no trace is kept */
    double idle_since;              /* 0: it is not idle, or no trace is kept */
    bool idle;
    struct packed_tile *packed;     /* tiles that this thread has packed: packing.c's */
    int packed_count, packed_room;
};

/* A step that is being walked. */
struct open_step {
    int k;                          /* -1: none */
    struct rma_table *seen;         /* tiles read in the step: counting, the remote ones; executing, the owned ones */
    int64_t tiles;                  /* counting: how many these stand for */
    char **shared;                  /* executing: owned tiles that several tasks of the step read */
    int shared_count, shared_room;
};

enum { OPEN_STEPS = 2 };            /* at a time: see run_step */
enum { SAVED_STEPS = 8 };           /* that have tasks in flight, where a run is saved, at most */
enum { MOST_NAMES = TASK_OPERANDS * MOST_PARTS + RUN_DEVICES };

/* What the task that is being submitted depends on. */
struct names {
    int in_count, out_count;
    char *in[MOST_NAMES], *out[MOST_NAMES];
};

/* Tasks that devices have taken, or are to take: execute.c's. */
struct device_work {
    struct ready ready[RUN_DEVICES][LANES];             /* for devices that work by themselves */
    struct task *begun[RUN_DEVICES][LANES];             /* the oldest first; under the lock of devices */
    struct task **begun_end[RUN_DEVICES][LANES];
    atomic_int begun_count, begun_in[RUN_DEVICES][LANES];
    double lane_end[RUN_DEVICES][LANES];                /* in traces; under the lock of devices */
};

/* What the caller is told now and then: help.c's. */
struct reports {
    double total_flops, next_share, next_time;
};

/* A tile of another rank, from when it is asked for: its slot's context. */
struct fetched {
    struct run *run;
    uint64_t event;                 /* to be fulfilled when it is here */
    double request_time;            /* when, where a trace is kept, */
    atomic_flag used;               /*   and whether a task has used it */
    struct task_record *record;     /* NULL: the order is not checked */
    _Atomic double norm;            /* task_norm_of() */
};

static inline struct fetched *fetched_in(const struct rma_slot *slot)
{
    return slot->context;
}

struct run {
    const struct run_plan *plan;
    const struct sink *sink;
    struct open_step open[OPEN_STEPS], *step;
    bool fetch_only;
    int64_t alike;                  /* counting: columns that a task stands for */
    struct counting *counting;      /* sink_count.c's, */
    const struct visitor *visitor;  /*   and sink_visit.c's */

    /* executing: */
    struct rma *rma;
    const struct run_settings *settings;
    struct worker *worker;
    int threads, max_tasks;
    bool routes;                    /* tiles may come down a tree */
    struct order *order;            /* NULL: the order is not checked */

    /* the submitting thread's: */
    struct rma_cache *cache;        /* but that others release slots, */
    struct fetched *fetched;        /* [slot]: and of what is in one see to its arrival */
    struct reserve reserve;         /*   and free tasks and publications */
    struct residence *residence;    /* NULL: no devices */
    struct names names;             /* of the task that is being submitted, */
    int due;                        /*   and when its output is, by which its reads are urgent */
    int *readers;                   /* scratch: room for all ranks */
    int64_t submitted;              /* tasks */
    int64_t submitted_before[SAVED_STEPS];      /* [k % SAVED_STEPS]: before step k */
    double start;                   /* run_clock() */
    int64_t entered, left;          /* tasks and empty writers into flight, and out of it when that was looked at last */
    int tasks_peak;

    /* any thread's, on lines of the cache apart from the submitting thread's and, where they are often written, each other's: */
    struct ready ready;
    _Alignas(64) atomic_int fetching;   /* tiles that have been asked for and are not here */
    _Alignas(64) atomic_int idle;   /* threads without a task */
    _Alignas(64) atomic_bool finished, no_memory, broken;
    atomic_int begun;               /* threads that are there */
    atomic_int unpacked;            /* tiles that have been taken to be unpacked */
    pthread_mutex_t device_lock;    /* of tasks that devices have begun, what they have done, and the fault */
    struct device_work device_work;
    struct device_tally device_tally;
    _Atomic int64_t info;           /* smallest failing pivot, or INFO_NONE: read by every task, apart from what they write */
    char fault[256];                /* against the order; the first one */
    struct reports reports;         /* the first thread's */
};

#define INFO_NONE INT64_MAX

/* Of what the calling thread has seen through. Each thread counts by itself; who wants to know adds up (run_in_flight). */
static inline void count_left(struct worker *me)
{
    int64_t left = atomic_load_explicit(&me->left, memory_order_relaxed);
    atomic_store_explicit(&me->left, left + 1, memory_order_release);
}

static inline bool is_move(const struct task *task)
{
    return task_facts(task->kind)->is_move;
}

/* A tile's entry in a table of the run: mine go by their memory, where buffers have one name after the other, others' by their
   names. */
static inline const void *key_matrix(const struct operand *o)
{
    return o->mine ? NULL : o->matrix;
}
static inline int64_t key_id(const struct operand *o)
{
    return o->mine ? (int64_t)(intptr_t)o->data : o->address.id;
}

#endif
