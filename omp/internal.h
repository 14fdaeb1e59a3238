/* What run.c (the team) and submit.c (the sinks) share. */
#ifndef OMPFACT_OMP_INTERNAL_H
#define OMPFACT_OMP_INTERNAL_H

#include "omp/task.h"

/* One thread's own counters, a cache line apart from the next thread's. */
struct worker {
    _Alignas(64) int64_t ended;     /* tasks */
    _Atomic double flops;           /* read by the thread that reports */
    bool delivering;                /* inside rma_deliver, which may run tasks: do not nest */
    unsigned jitter_state;
};

struct run {
    const struct run_plan *plan;
    bool (*sink)(struct run *run, struct task *task, double flops, int count, const struct operand *operands);
    int step;
    struct rma_table *seen;         /* tiles read in the step: counting, the remote ones; executing, the owned ones */

    /* counting */
    struct run_tally *tally;
    int last_step_tiles;

    /* executing */
    struct rma *rma;
    struct rma_cache *cache;
    const struct run_settings *settings;
    struct worker *worker;
    int threads, max_tasks;
    int *readers;                   /* scratch of the submitting thread */
    char **shared;                  /* owned tiles that several tasks of the step being submitted read */
    int shared_count, shared_room;
    atomic_int in_flight;
    int tasks_peak;
    atomic_bool finished, no_memory;
    _Atomic int64_t info;           /* smallest failing pivot, or INFO_NONE */
    double total_flops, next_share, next_report;
};

#define INFO_NONE INT64_MAX

bool run_count_task(struct run *run, struct task *task, double flops, int count, const struct operand *operands);
bool run_submit_task(struct run *run, struct task *task, double flops, int count, const struct operand *operands);

/* A step has been walked completely. */
void run_close_counted_step(struct run *run);
void run_close_submitted_step(struct run *run);

/* One round of what a thread without a task does: poll, execute a task if there is one, pause if nothing moved. */
void run_help(struct run *run, struct rma_backoff *backoff);

#endif
