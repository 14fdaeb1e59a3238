/* The run, for the files that execute or count it; the files that create its tasks include task.h. */
#ifndef OMPFACT_OMP_EXECUTION_H
#define OMPFACT_OMP_EXECUTION_H

#include "omp/ready.h"
#include "omp/reserve.h"
#include "omp/trace.h"

#include <pthread.h>

struct open_step;

/* The functions that handle the tasks of a walk. NULL: nothing is done. */
struct sink {
    struct task *(*task)(struct run *run, const struct task *task, const struct operand *operands);     /* for task_create */
    void (*close_step)(struct run *run, struct open_step *step);
    void (*wait)(struct run *run);
    enum due (*is_due)(struct run *run, int k);         /* called by run_is_due; NULL: never due */
};

/* The counters of one thread, on cache lines of its own. */
struct worker {
    _Alignas(64) int64_t gathered;  /* runtime tasks that this thread has run */
    _Atomic int64_t left;           /* tasks and empty writers that it has completed; read by the submitting thread */
    bool gathers;                   /* the thread is in gather(), and run_next_task() follows */
    struct at_hand at_hand;         /* tasks that it has found ready in gather() */
    struct freed freed;             /* completed tasks that it has not yet given back */
    double flops;
    _Atomic double counted;         /* read by the thread that reports progress */
    unsigned jitter_state;          /* state of the random numbers */
    unsigned polls;                 /* polls between tasks, for help.c */
    struct events *events;          /* the thread's events; NULL: no trace is kept */
    double idle_since;              /* start of its idle time; 0: not idle, or no trace */
    bool idle;
    struct packed_tile *packed;     /* tiles that this thread has packed, for packing.c */
    int packed_count, packed_room;
};

/* A step that the loops walk now. */
struct open_step {
    int k;                          /* number of the step; -1: none */
    struct rma_table *seen;         /* tiles that were read in the step: the remote ones when counting, the owned ones when
                                       executing */
    int64_t tiles;                  /* when counting: the number of tiles that `seen` stands for */
    char **shared;                  /* when executing: owned tiles that several tasks of the step read */
    int shared_count, shared_room;
};

enum { OPEN_STEPS = 2 };            /* most steps that are open at a time: see run_step */
enum { SAVED_STEPS = 8 };           /* most steps with tasks in flight, if a run may be saved */
enum { MOST_NAMES = TASK_OPERANDS * (MOST_PARTS > GROUP_TILES ? MOST_PARTS : GROUP_TILES) + RUN_DEVICES };

/* The dependences of the task that is being submitted. */
struct names {
    int in_count, out_count;
    char *in[MOST_NAMES], *out[MOST_NAMES];
};

/* Tasks for devices, waiting or begun: for execute.c. */
struct device_work {
    struct ready ready[RUN_DEVICES][LANES];             /* ready tasks for asynchronous devices */
    struct task *begun[RUN_DEVICES][LANES];             /* list of begun tasks, the oldest first; under the lock of devices */
    struct task **begun_end[RUN_DEVICES][LANES];
    atomic_int begun_count, begun_in[RUN_DEVICES][LANES];
    double lane_end[RUN_DEVICES][LANES];                /* end of the last task in the trace; under the lock of devices */
};

/* Progress reports to the caller: for help.c. */
struct reports {
    double total_flops, next_share, next_time;
};

/* A tile of another rank after its request: the context of its slot. */
struct fetched {
    struct run *run;
    uint64_t event;                 /* event to fulfil on arrival */
    double request_time;            /* time of the request, with a trace */
    atomic_flag used;               /* set by the first task that uses the tile */
    struct task_record *record;     /* record of the arrival; NULL: the order is not checked */
    _Atomic double norm;            /* norm of the tile: task_norm_of() */
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
    int64_t alike;                  /* when counting: the number of columns that a task stands for */
    struct counting *counting;      /* the state of sink_count.c */
    const struct visitor *visitor;  /* the visitor of sink_visit.c */

    /* executing: */
    struct rma *rma;
    const struct run_settings *settings;
    struct worker *worker;
    int threads, max_tasks;
    bool routes;                    /* tiles may arrive through a tree of ranks */
    struct order *order;            /* NULL: the order is not checked */

    /* of the submitting thread: */
    struct rma_cache *cache;        /* the cache; other threads release its slots */
    struct fetched *fetched;        /* [slot]: the state of fetches; other threads handle the arrival */
    struct reserve reserve;         /* memory for tasks; other threads free tasks and publications */
    struct residence *residence;    /* copies on devices; NULL: no devices */
    struct names names;             /* names of the task that is being submitted */
    int due;                        /* step in which the output of this task becomes final, for the urgency of its reads */
    int *readers;                   /* scratch memory for all ranks */
    int64_t submitted;              /* number of submitted tasks */
    int64_t submitted_before[SAVED_STEPS];      /* [k % SAVED_STEPS]: number of tasks submitted before step k */
    double start;                   /* run_clock() at the start */
    int64_t entered, left;          /* `entered`: tasks and empty writers that have entered flight; `left`: those that had left
                                       it at the last count */
    int tasks_peak;

    /* of all threads, on cache lines apart from those of the submitting thread and, if written often, from each other: */
    struct ready ready;
    _Alignas(64) atomic_int fetching;   /* tiles that have been requested and have not arrived */
    _Alignas(64) atomic_int idle;   /* threads without a task */
    _Alignas(64) atomic_bool finished, no_memory, broken;
    atomic_int begun;               /* threads that have started */
    atomic_int unpacked;            /* number of tiles taken for unpacking */
    pthread_mutex_t device_lock;    /* protects the tasks that devices have begun, their counters, and the fault */
    struct device_work device_work;
    struct device_tally device_tally;
    _Atomic int64_t info;           /* smallest failing pivot, or INFO_NONE: read by every task, on a cache line apart from
                                       written data */
    char fault[256];                /* the first violation of the order */
    struct reports reports;         /* progress reports, by the first thread */
};

#define INFO_NONE INT64_MAX

/* Counts a task that the calling thread has completed. Each thread has its own counter; run_in_flight adds them up. */
static inline void count_left(struct worker *me)
{
    int64_t left = atomic_load_explicit(&me->left, memory_order_relaxed);
    atomic_store_explicit(&me->left, left + 1, memory_order_release);
}

static inline bool is_move(const struct task *task)
{
    return task_facts(task->kind)->is_move;
}

/* The key of a tile in the tables of the run: for a tile of this rank its memory, since buffers have several names, otherwise
   its name. */
static inline const void *key_matrix(const struct operand *o)
{
    return o->mine ? NULL : o->matrix;
}
static inline int64_t key_id(const struct operand *o)
{
    return o->mine ? (int64_t)(intptr_t)o->data : o->address.id;
}

#endif
