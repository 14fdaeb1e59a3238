/* --tune: measures this machine and writes what machine.h describes. */
#ifndef OMPFACT_SRC_COMMAND_TUNE_H
#define OMPFACT_SRC_COMMAND_TUNE_H

#include "src/command/tune_parts.h"

#include <stdbool.h>
#include <stdio.h>

extern const struct tune_effort tune_full;      /* less than a minute in all; with devices two */

/* Collective, outside runs: measures; rank 0 writes the user's file and prints it. 0, or COMMAND_USAGE and a
   line on rank 0. */
int tune_run(ompfact_grid *grid, const struct tune_effort *effort, FILE *out, char text[COMMAND_TEXT]);

/* Local: t_s and t_w of seconds[i] = t_s + t_w words[i]; t_s by the first, of a word, t_w by least squares of the others'
   relative errors. False: that fits no t_s, t_w > 0. */
bool tune_fit(int count, const double *words, const double *seconds, double *t_s, double *t_w);

#endif
