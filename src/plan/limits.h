/*
 * Bounds of a factorization: its work, its links, the longest chain of tasks and transfers, and the number of tasks. No order of
 * tasks is faster than any of them. Local.
 */
#ifndef OMPFACT_SRC_PLAN_LIMITS_H
#define OMPFACT_SRC_PLAN_LIMITS_H

#include "src/machine/tile_size.h"
#include "src/matrix/matrix.h"
#include "src/model/model.h"
#include "src/ompfact_plan.h"

/* The machine of the job. */
struct limits_place {
    const struct machine *machine;      /* rates of its kernels; NULL: not known */
    double flat_gflops;                 /* above 0: rate of every kernel, instead of the machine's rates */
    int threads, ranks_on_node;         /* threads of a rank; ranks of a node */
    const struct tile_question *question;   /* the facts that give the number of tasks */
    double gemm_gflops;                 /* measured rate of all ranks together; 0: the machine's rates count */
    double max_over_mean;               /* of the ranks' work or, if their speeds differ, of their times */
};

/* The link of a node in both directions: the job's, or the link between the nodes on which --tune measured; rate 0: not known.
   machine: may be NULL. */
struct limits_link {
    double rate, latency;
};
struct limits_link limits_link(const ompfact_job *job, const struct machine *machine);
/* Sets the forecast's bounds, in seconds, NAN if not known, for A of the job; tile size and nodes of its shape are known.
   Cholesky and LU on hosts have all four bounds, with devices the link, QR has work and tasks. False: no memory. */
bool limits_find(const ompfact_job *job, const ompfact_matrix *A, const struct limits_place *at, ompfact_forecast *forecast);
/* Rates: the same for each kernel; of one of the threads of a machine on which so many compute at once, on tiles of order nb. */
struct model_rates flat_rates(double gflops);
struct model_rates rates_of_machine(const struct machine *machine, char type, int busy, int nb);

#endif
