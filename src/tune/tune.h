/* The parts of ompfact_tune(). */
#ifndef OMPFACT_SRC_TUNE_TUNE_H
#define OMPFACT_SRC_TUNE_TUNE_H

#include "src/grid/grid.h"
#include "src/machine/machine.h"

/* Rank 0's devices by themselves: rates, and the host's share near the formula's that is fastest, for 1, 2, 4 .. devices. Local:
   the others wait. */
void tune_devices(ompfact_grid *grid, const ompfact_effort *effort, struct machine *machine);

/* What a task takes a rank by itself, with 1, 4, 16 .. threads and with all. Local: the others wait. */
void tune_tasks(struct machine *machine);

/* GFLOP/s of potrf in double precision, the best of a few; 0: the matrix does not fit, or something else went wrong.
   Collective over the grid's ranks. */
double tune_potrf(ompfact_grid *grid, int n, int nb);

/* Local: fits t_s and t_w of seconds[i] = t_s + t_w words[i]; t_s by the first point, of one word, t_w by least squares of the
   relative errors of the others. False: no t_s, t_w > 0 fit. */
bool tune_fit(int count, const double *words, const double *seconds, double *t_s, double *t_w);

#endif
