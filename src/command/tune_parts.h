/* The parts of --tune. */
#ifndef OMPFACT_SRC_COMMAND_TUNE_PARTS_H
#define OMPFACT_SRC_COMMAND_TUNE_PARTS_H

#include "src/command/refuse.h"
#include "src/machine/machine.h"
#include "src/ompfact.h"

/* How long to measure. */
struct tune_effort {
    double kernel_seconds;      /* of one of the few runs of each kernel */
    int largest;                /* tile size */
    int order;                  /* of the matrices that are factored */
    int largest_on_device;      /* tile size */
    double device_seconds;      /* of a factorization with devices, about, at most */
};

/* Rank 0's devices by themselves: rates, and the host's share near the formula's that is fastest, for 1, 2, 4 .. devices. For
   tune_run(). Local: the others wait. */
void tune_devices(ompfact_grid *grid, const struct tune_effort *effort, struct machine *machine);

/* Collective over the grid's ranks. GFLOP/s of potrf in double precision, the best of a few; 0: the matrix does not fit, or
   something else went wrong. */
double tune_potrf(ompfact_grid *grid, int n, int nb);

#endif
