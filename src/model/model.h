/*
 * A model of execution: how long a factorization takes on so many ranks of so many threads, if its kernels run at given rates and
 * communication costs nothing, or what a link of given latency and bandwidth makes it cost (Gustavson, Karlsson, Kagstrom,
 * "Distributed SBP Cholesky Factorization Algorithms with Near-Optimal Scheduling", section 6.3).
 *
 * The tasks, their order and their waits come from the loops themselves, which every rank walks with the visiting sink: the model
 * has no description of an algorithm of its own. Everything here is local.
 *
 *   T = max_k T_compute + min_k T_idle          over the ranks k, the times of a rank being means over its threads
 *
 * so the least idle time says how far a schedule is from the best that any schedule of these tasks on these ranks can do.
 */
#ifndef OMPFACT_SRC_MODEL_MODEL_H
#define OMPFACT_SRC_MODEL_MODEL_H

#include "src/factor/factor.h"

struct model_graph;

/* The tasks of all ranks of a matrix on paper. NULL: no memory. */
struct model_graph *model_graph_create(ompfact_matrix *A, const struct algorithm *algorithm, ompfact_schedule schedule);
void model_graph_destroy(struct model_graph **graph);

/*
 * What executes them. A transfer starts when its tile is final and its reader has asked for it, as the loops do: in dynamic order at
 * once. A rank sends one tile at a time and receives one at a time, first come first served; nothing else is in a message's way.
 */
struct model_machine {
    int threads;                    /* of each rank; 0: 1 */
    double gflops[TASK_KINDS];      /* of each kernel, on one thread; 0: it takes no time */
    double latency;                 /* seconds */
    double bandwidth;               /* bytes per second of a rank's link, each way; 0: infinite */
};

struct model_rank {
    double compute, idle;           /* seconds, means over the threads; their sum is the makespan */
    double receiving;               /* seconds in which its incoming link is in use */
    int64_t tasks, transfers, transfer_bytes;   /* executed, received */
};

struct model_outcome {
    double makespan;
    double work;                    /* of all tasks, thread-seconds */
    double max_compute, min_idle;   /* of all ranks: no schedule is faster than max_compute */
    double critical_path;           /* the longest path of tasks and transfers: nor faster than this, on any number of threads */
    double flops;
    int64_t tasks, transfers;
};

/* Executes the graph. ranks: NULL, or room for one of each rank. Returns 0, or 1 where there is no memory. */
int model_run(const struct model_graph *graph, const struct model_machine *machine, struct model_outcome *outcome,
              struct model_rank *ranks);

#endif
