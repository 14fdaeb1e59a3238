/* --tune: measures this machine and writes what machine.h describes. */
#ifndef OMPFACT_SRC_COMMAND_TUNE_H
#define OMPFACT_SRC_COMMAND_TUNE_H

#include "src/command/machine.h"
#include "src/ompfact.h"

#include <stdio.h>

/* How long to measure. */
struct tune_effort {
    double kernel_seconds;      /* of one of the few runs of each kernel */
    int largest;                /* tile size */
    int order;                  /* of the matrices that are factored */
    int largest_on_device;      /* tile size */
    double device_seconds;      /* of a factorization with devices, about, at most */
};
extern const struct tune_effort tune_full;      /* less than a minute in all; with devices two */

/* Collective, outside runs: measures; rank 0 writes the user's file and prints it. 0, or COMMAND_USAGE and a
   line on rank 0. */
int tune_run(ompfact_grid *grid, const struct tune_effort *effort, FILE *out, char text[COMMAND_TEXT]);

/* Rank 0's devices by themselves: rates, and the host's share near the formula's that is fastest, for 1, 2, 4 .. devices. For tune_run().
   Local: the others wait. */
void tune_devices(ompfact_grid *grid, const struct tune_effort *effort, struct machine *machine);

/* Collective over the grid's ranks. GFLOP/s of potrf in double precision, the best of a few; 0: the matrix does not fit, or something else
   went wrong. */
double tune_potrf(ompfact_grid *grid, int n, int nb);

/* Local: t_s and t_w of seconds[i] = t_s + t_w words[i], by least squares of the relative errors. False: that fits no t_s, t_w > 0. */
bool tune_fit(int count, const double *words, const double *seconds, double *t_s, double *t_w);

#endif
