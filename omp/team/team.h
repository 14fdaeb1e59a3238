/* A whole run, executed by a team of threads. */
#ifndef OMPFACT_OMP_TEAM_TEAM_H
#define OMPFACT_OMP_TEAM_TEAM_H

#include "omp/run.h"

struct run_outcome {
    int64_t info;                   /* smallest failing pivot of all ranks, 1-based and global; 0: none */
    struct rma_counters moved;      /* transfers of this rank */
    int cache_tiles, cache_peak;
    int tasks_peak;                 /* most tasks in flight */
    struct device_tally devices;
    char failure[256];              /* message about a failure of a device of this rank, or about the order of tasks; "": none */
    bool broken;                    /* the order of tasks was violated */
    double seconds;                 /* between the opening and the closing barrier */
    double flops;                   /* flops of the tasks of this rank; with low-rank tiles the flops that were done, which
                                       differ from those counted before */
};

/* Local: the number of cache slots that run_execute will create for this tally. */
int run_cache_tiles(const struct run_tally *tally, const struct run_settings *settings);
/* Collective: executes. Returns 0 or an MPI error code, the same on every rank. */
int run_execute(struct rma *rma, const struct run_plan *plan, const struct run_tally *tally, const struct run_settings *settings,
                struct run_outcome *outcome);

#endif
