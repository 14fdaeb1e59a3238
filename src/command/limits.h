/*
 * What limits a factorization: its work, the wire or the longest chain of tasks and transfers. No order of them undercuts any
 * of the three. Local.
 */
#ifndef OMPFACT_SRC_COMMAND_LIMITS_H
#define OMPFACT_SRC_COMMAND_LIMITS_H

#include "src/command/instance.h"
#include "src/model/model.h"

/* Seconds; NAN: not known. */
struct limits {
    double work;        /* of the most loaded rank, if all of its threads ran all of its flops at GEMM's rate */
    double link;        /* of the node that sends or receives most, at the full rate of its link */
    double chain;       /* of the tasks and transfers that wait for each other */
};

/*
 * By the rates of a machine, for nodes of so many ranks with so many threads each; of a run, by what is known of where it ran.
 * max_over_mean: of the ranks' work, or where their speeds differ of their times. Cholesky and LU on hosts have all three, with
 * devices the link, QR has its work. False: no memory.
 */
bool limits_forecast(const struct instance *x, const struct machine *machine, int ranks_on_node, double max_over_mean,
                     struct limits *limits);
bool limits_of_run(const struct instance *x, double max_over_mean, struct limits *limits);
/* Of one of the threads of a machine, so many of which compute at once on tiles of order nb. */
struct model_rates rates_of_machine(const struct machine *machine, char type, int busy, int nb);

/* "work 1.2 s, wire 0.34 s, chain 0.1 s: ..." and which of them will limit the run, or how far from them one was. Nothing where
   none is known. */
void limits_print_forecast(FILE *out, const struct limits *limits);
void limits_print_run(FILE *out, const struct limits *limits, double seconds);

#endif
