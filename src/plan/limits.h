/*
 * What limits a factorization: its work, the wire, the longest chain of tasks and transfers, or the number of tasks. No order of
 * them undercuts any of the four. Local.
 */
#ifndef OMPFACT_SRC_PLAN_LIMITS_H
#define OMPFACT_SRC_PLAN_LIMITS_H

#include "src/machine/tile_size.h"
#include "src/matrix/matrix.h"
#include "src/model/model.h"
#include "src/ompfact_plan.h"

/* Seconds; NAN: not known. */
struct limits {
    double work;        /* of the most loaded rank, if all of its threads ran all of its flops at GEMM's rate */
    double link;        /* of the node that sends or receives most, at the full rate of its link */
    double chain;       /* of the tasks and transfers that wait for each other */
    double tasks;       /* of a rank, a mean, one submitted after the other */
};

/* Where it runs. */
struct limits_place {
    const struct machine *machine;      /* its kernels' rates; NULL: not known */
    double flat_gflops;                 /* more than 0: of every kernel, in place of these */
    int threads, ranks_on_node;         /* of a rank; of a node */
    const struct tile_question *question;   /* whose tasks are counted */
    double gemm_gflops;                 /* of all ranks together, as measured; 0: what the machine's rates say */
    double max_over_mean;               /* of the ranks' work, or where their speeds differ of their times */
};

/* The link of a node, both ways: the job's, or that between the nodes on which --tune measured; rate 0: not known. machine: or
   NULL. */
struct limits_link {
    double rate, latency;
};
struct limits_link limits_link(const ompfact_job *job, const struct machine *machine);
/* Of A, which the job makes: tile size, nodes and node_of of its shape are known. Cholesky and LU on hosts have all four, with
   devices the link, QR has its work and tasks. False: no memory. */
bool limits_find(const ompfact_job *job, const ompfact_matrix *A, const struct limits_place *at, struct limits *limits);
/* Of each kernel alike; of one of the threads of a machine, so many of which compute at once on tiles of order nb. */
struct model_rates flat_rates(double gflops);
struct model_rates rates_of_machine(const struct machine *machine, char type, int busy, int nb);

#endif
