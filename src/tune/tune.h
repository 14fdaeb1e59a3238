/* The parts of ompfact_tune(). */
#ifndef OMPFACT_SRC_TUNE_TUNE_H
#define OMPFACT_SRC_TUNE_TUNE_H

#include "omp/device.h"
#include "src/grid/grid.h"
#include "src/machine/machine.h"

/* Measures the first rank's devices alone: rates, and the fastest host's share near the formula's, for 1, 2, 4 .. devices. Local:
   the other ranks wait. */
void tune_devices(ompfact_grid *grid, const ompfact_effort *effort, struct machine *machine);

/* Seconds of a kernel on the first device with tiles of order n, to find the fastest block sizes: the least of a few tries on
   several tiles that share a factor. Local. Infinity: there is no memory on the host or the device, or the device has failed.
   device_trial.c */
enum device_trial {
    TRIAL_HERK,         /* C -= A A^H, a triangle of C */
    TRIAL_TRSM,         /* C := C A^-H, A a lower triangle */
};
double device_trial(struct devices *devices, enum device_trial kernel, char type, int n);

/* Measures the time of a task on one rank alone, with 1, 4, 16 .. threads and with all. Local: the other ranks wait. */
void tune_tasks(struct machine *machine);

/* GFLOP/s of potrf in double precision, the best of a few runs; 0: the matrix does not fit, or another error. Collective over the
   grid's ranks. */
double tune_potrf(ompfact_grid *grid, int n, int nb);

/* Local: fits t_s and t_w of seconds[i] = t_s + t_w words[i]: t_s by the first point, of one word, t_w by least squares of the
   relative errors of the others. false: no t_s, t_w > 0 fit. */
bool tune_fit(int count, const double *words, const double *seconds, double *t_s, double *t_w);

#endif
