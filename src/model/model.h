/*
 * A model of execution: how long a factorization takes on so many ranks of so many threads, if its kernels run at given rates and
 * transfers take what a wire says, or nothing (Gustavson, Karlsson, Kagstrom, "Distributed SBP Cholesky Factorization Algorithms
 * with Near-Optimal Scheduling", section 6.3).
 *
 * Everything here is local.
 *
 *   T = max_k T_compute + min_k T_idle          over the ranks k, the times of a rank being means over its threads
 *
 * so the least idle time says how far a schedule is from the best that any schedule of these tasks on these ranks can do.
 */
#ifndef OMPFACT_SRC_MODEL_MODEL_H
#define OMPFACT_SRC_MODEL_MODEL_H

#include "src/model/model_graph.h"

struct trace;

/* Transfers in an order that no protocol has: see transfers_ideal.c. Tiles at once that a rank sends, and receives. The graph's
   are to be flat. */
struct model_ideal {
    int sends, receives;
};

/* What carries tiles from rank to rank; ranks are named, nodes are its matter. Times are seconds from the start of the run. A
   tile takes a message's latency, too, before its bytes come. */
struct model_wire {
    void *context;
    double (*latency)(void *context, int from, int to);                         /* of a message without a body */
    double (*alone)(void *context, int from, int to, int64_t bytes);            /* of a tile on unused links */
    bool (*start)(void *context, double now, int transfer, int from, int to,
                  int64_t bytes);                               /* false: no memory */
    double (*wait)(void *context, double until);    /* while tiles are on their way: till one is there, at most so long; when */
    int (*arrived)(void *context);                  /* a transfer that is there; -1: no other one */
};

/* GFLOP/s of each kernel on one thread; 0: it takes no time. */
struct model_rates {
    double gflops[TASK_KINDS];
};

/*
 * What executes the graph. A rank's first thread submits its tasks, one by one, and computes while it may not, and when that is
 * done. In dynamic order a rank has a slot for a tile as soon as its loops come to it: the cache is taken to
 * have one for all of them. When the tile is final a flag goes to each rank that takes it from there, a message. With slot and
 * flag the tile can be read, the most urgent first, RMA_READS_OF_ONE at a time from one rank and RMA_READS in all. A read is a
 * message to the source and the bytes back, which share the wire with those of other reads; then the reader sends flags on.
 */
struct model_machine {
    int threads;                    /* of each rank; 0: 1 */
    int max_tasks;                  /* in flight on a rank; 0: no bound */
    double task_s;                  /* of the first thread, to submit a task */
    struct model_rates rates;       /* of all ranks, or */
    const struct model_rates *rates_of;     /* [rank]; NULL: all have the same */
    const struct model_wire *wire;  /* NULL: transfers take no time */
    const struct model_ideal *ideal;        /* NULL: transfers go by flags and reads */
};

/* What a task takes one of its rank's threads. */
static inline double model_task_seconds(const struct model_machine *machine, int rank, enum task_kind kind, double flops)
{
    const struct model_rates *rates = machine->rates_of != NULL ? &machine->rates_of[rank] : &machine->rates;
    return rates->gflops[kind] > 0 ? flops / (1e9 * rates->gflops[kind]) : 0;
}

struct model_rank {
    double compute, idle;           /* seconds, means over the threads; their sum is the makespan */
    int64_t tasks, transfers, transfer_bytes;   /* executed, received */
};

struct model_outcome {
    double makespan;
    double work;                    /* of all tasks, thread-seconds */
    double max_compute, min_idle;   /* of all ranks: no schedule is faster than max_compute */
    double flops;
    int64_t tasks, transfers;
};

/* Executes the graph. ranks, traces: NULL, or room for one of each rank; a trace has a list for each thread, where times are
   the model's. Returns 0, or 1 where there is no memory. */
int model_run(const struct model_graph *graph, const struct model_machine *machine, struct model_outcome *outcome,
              struct model_rank *ranks, struct trace *traces);

#endif
