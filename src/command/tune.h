/* --tune: measures this machine and writes what machine.h describes. */
#ifndef OMPFACT_SRC_COMMAND_TUNE_H
#define OMPFACT_SRC_COMMAND_TUNE_H

#include "src/command/refuse.h"
#include "src/ompfact.h"

/* Collective, outside runs: measures, writes the user's file and prints it on stdout; rank 0 does both. 0, or COMMAND_USAGE and a
   line on rank 0. */
int tune_run(ompfact_grid *grid, char text[COMMAND_TEXT]);

/* Local: t_s and t_w of seconds[i] = t_s + t_w words[i], by least squares of the relative errors. False: that fits no t_s, t_w > 0. */
bool tune_fit(int count, const double *words, const double *seconds, double *t_s, double *t_w);

#endif
