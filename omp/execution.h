/* The run as the files see it that carry it out or count it; those that make its tasks see task.h. */
#ifndef OMPFACT_OMP_EXECUTION_H
#define OMPFACT_OMP_EXECUTION_H

#include "omp/ready.h"
#include "omp/reserve.h"
#include "omp/trace.h"

/* One thread's own counters, a cache line apart from the next thread's. */
struct worker {
    _Alignas(64) int64_t gathered;  /* tasks of the runtime that this thread has run */
    _Atomic double flops;           /* read by the thread that reports */
    unsigned jitter_state;          /* of random numbers */
    struct events *events;          /* NULL: no trace is kept */
    double idle_since;              /* 0: it is not idle, or no trace is kept */
    bool idle;
};

/* A step whose tasks are being walked. */
struct open_step {
    int k;                          /* -1: none */
    struct rma_table *seen;         /* tiles read in the step: counting, the remote ones; executing, the owned ones */
    char **shared;                  /* executing: owned tiles that several tasks of the step read */
    int shared_count, shared_room;
};

enum { OPEN_STEPS = 2 };            /* at a time: see run_step */
enum { MOST_NAMES = TASK_OPERANDS * MOST_PARTS + RUN_DEVICES };

/* What the task that is being submitted depends on. */
struct names {
    int in_count, out_count;
    char *in[MOST_NAMES], *out[MOST_NAMES];
};

struct run {
    const struct run_plan *plan;
    struct task *(*sink)(struct run *run, const struct task *task, const struct operand *operands);
    void (*close_step)(struct run *run, struct open_step *step);
    struct open_step open[OPEN_STEPS], *step;
    bool fetch_only;

    /* counting and visiting */
    struct run_tally *tally;
    int last_step_tiles;
    struct rma_table *seen;         /* tiles; NULL: not counted */
    const struct visitor *visitor;

    /* executing */
    struct rma *rma;
    struct rma_cache *cache;
    const struct run_settings *settings;
    struct worker *worker;
    int threads, max_tasks;
    int *readers;                   /* scratch of the submitting thread */
    struct names names;             /* the same */
    struct reserve reserve;
    struct residence *residence;    /* NULL: no devices */
    bool routes;                    /* tiles may come down a tree */
    struct ready ready;
    int64_t submitted;              /* tasks */
    atomic_int in_flight;           /* tasks and empty writers */
    atomic_int fetching;            /* tiles that have been asked for and are not here */
    atomic_int idle;                /* threads without a task */
    int tasks_peak;
    struct order *order;            /* NULL: the order is not checked */
    atomic_bool finished, no_memory, broken;
    char fault[256];                /* against the order; the first one */
    pthread_mutex_t device_lock;    /* of tasks that devices have begun, what they have done, and the fault */
    struct task *begun, **begun_end;        /* the oldest first */
    atomic_int begun_count, begun_on[RUN_DEVICES];      /* all; kernels alone */
    struct ready device_ready[RUN_DEVICES];             /* kernels for devices that compute by themselves */
    struct device_tally device_tally;
    double lane_end[RUN_DEVICES][LANES];    /* in traces */
    _Atomic int64_t info;           /* smallest failing pivot, or INFO_NONE */
    double total_flops, next_share, next_report;
};

#define INFO_NONE INT64_MAX

static inline bool is_move(const struct task *task)
{
    return task_facts(task->kind)->is_move;
}

/* A tile's entry in a table of the run: mine go by their memory, where buffers have one name after the other, others' by their names. */
static inline const void *key_matrix(const struct operand *o)
{
    return o->mine ? NULL : o->matrix;
}
static inline int64_t key_id(const struct operand *o)
{
    return o->mine ? (int64_t)(intptr_t)o->data : o->address.id;
}

/* For submit.c and residence.c. */
struct rma_slot *run_fetch_tile(struct run *run, const struct operand *tile, int64_t urgency);      /* where the remote tile arrives */
/* One more name that the task depends on; `lasts`: not a slot of the cache, which is soon written again. */
void run_name(struct run *run, enum access access, char *name, bool lasts);
struct task *run_enter(struct run *run, const struct task *task, int64_t urgency);      /* the task's copy in flight, without operands */

struct task *run_new_task(struct run *run, const struct task *task, const struct operand *operands);
void run_close_submitted_step(struct run *run, struct open_step *step);

/* Tables for the steps; false: no memory. */
bool run_open_steps(struct run *run);
void run_destroy_steps(struct run *run);
/* The loops have ended. */
void run_close_steps(struct run *run);

/* The name of a transfer: the same at both ends, and of no other one in a run on one matrix. */
int64_t run_flow(const struct run *run, int64_t tile, int reader);

/* One round of what a thread without a task does: poll, execute a task if there is one, pause if nothing moved. */
void run_help(struct run *run, struct rma_backoff *backoff);
struct worker *run_worker(struct run *run);     /* of the calling thread */
/* Computes the task, or has a device begin it, and sees it through to the end: then it is freed. */
void run_task(struct run *run, struct worker *me, struct task *task);
/* The one to run next, or NULL; and among which ready ones a task waits. */
struct task *run_next_task(struct run *run);
struct ready *run_ready_of(struct run *run, const struct task *task);
/* Sees through one that a device has done; false: there is none. */
bool run_begun_task(struct run *run, struct worker *me);

#endif
