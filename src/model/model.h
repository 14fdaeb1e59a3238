/*
 * A model of execution: how long a factorization takes on a number of ranks and threads, if kernels run at given rates, and
 * transfers take the time that a wire computes, or none (Gustavson, Karlsson, Kagstrom, "Distributed SBP Cholesky Factorization
 * Algorithms with Near-Optimal Scheduling", section 6.3).
 *
 * All functions are local.
 *
 *   T = max_k T_compute + min_k T_idle          over the ranks k; the times of a rank are means over its threads
 *
 * No schedule of these tasks on these ranks is faster than max_k T_compute. So the least idle time bounds what a better schedule
 * could gain.
 */
#ifndef OMPFACT_SRC_MODEL_MODEL_H
#define OMPFACT_SRC_MODEL_MODEL_H

#include "src/model/model_graph.h"

struct trace;

/* Transfers in an order that no protocol can reach: see transfers_ideal.c. The members are the numbers of tiles that a rank can
   send at once, and receive. The graph's routes must be flat. */
struct model_ideal {
    int sends, receives;
};

/* The network between ranks. Calls name ranks; the wire maps them to nodes. Times are seconds from the start of the run. A tile
   also takes a message's latency before its bytes arrive. */
struct model_wire {
    void *context;
    double (*latency)(void *context, int from, int to);                         /* seconds of a message without a body */
    double (*alone)(void *context, int from, int to, int64_t bytes);            /* seconds of a tile on unused links */
    bool (*start)(void *context, double now, int transfer, int from, int to,
                  int64_t bytes);                               /* false: no memory */
    double (*wait)(void *context, double until);    /* while tiles are in flight: waits for an arrival, at most until `until`;
                                                       returns the time */
    int (*arrived)(void *context);                  /* a transfer that has arrived; -1: none is left */
};

/* GFLOP/s of each kernel on one thread; 0: the kernel takes no time. */
struct model_rates {
    double gflops[TASK_KINDS];
};

/*
 * The machine that executes the graph. A rank's first thread submits tasks one by one. It computes while the submitter has to
 * wait, and when all is submitted. In dynamic order a rank has a slot for a tile from the item that requests it on: the cache is
 * assumed to hold all such tiles. When a tile is final a flag is sent as a message to each rank that takes the tile from there. A
 * rank with slot and flag can read the tile. It reads the most urgent first, at most RMA_READS_OF_ONE tiles at a time from one
 * rank and RMA_READS in all. A read is a message to the source, and the bytes back, which share the wire with other reads. Then
 * the reader sends flags to the ranks that take the tile from it.
 */
struct model_machine {
    int threads;                    /* threads of each rank; 0: 1 */
    int max_tasks;                  /* tasks in flight on a rank; 0: no limit */
    double task_s;                  /* seconds of the first thread to submit a task */
    struct model_rates rates;       /* rates of all ranks, unless rates_of is set */
    const struct model_rates *rates_of;     /* rates of each rank; NULL: all have the same */
    const struct model_wire *wire;  /* NULL: transfers take no time */
    const struct model_ideal *ideal;        /* NULL: transfers go by flags and reads */
};

/* Seconds of a thread for the task. */
static inline double model_task_seconds(const struct model_machine *machine, int rank, enum task_kind kind, double flops)
{
    const struct model_rates *rates = machine->rates_of != NULL ? &machine->rates_of[rank] : &machine->rates;
    return rates->gflops[kind] > 0 ? flops / (1e9 * rates->gflops[kind]) : 0;
}

struct model_rank {
    double compute, idle;           /* compute, idle: seconds, means over the threads; their sum is the makespan */
    int64_t tasks, transfers, transfer_bytes;   /* tasks executed; transfers received, and their bytes */
};

struct model_outcome {
    double makespan;
    double work;                    /* thread-seconds of all tasks */
    double max_compute, min_idle;   /* over all ranks: no schedule is faster than max_compute */
    double flops;
    int64_t tasks, transfers;
};

/* Executes the graph. ranks, traces: NULL, or arrays with an element for each rank. A trace has a list for each thread; its times
   are the model's. Returns 0, or 1: no memory. */
int model_run(const struct model_graph *graph, const struct model_machine *machine, struct model_outcome *outcome,
              struct model_rank *ranks, struct trace *traces);

#endif
