/* What limits a run, in words: its work, the wire or the longest chain of tasks and transfers. */
#ifndef OMPFACT_SRC_COMMAND_LIMIT_LINES_H
#define OMPFACT_SRC_COMMAND_LIMIT_LINES_H

#include "src/command/instance.h"
#include "src/plan/limits.h"

/* Of a run, by what is known of where it ran; before it, as --explain tells, by a machine's rates. max_over_mean: of the ranks'
   work, or where their speeds differ of their times. Local; false: no memory. */
bool limits_of_run(const struct instance *x, double max_over_mean, struct limits *limits);
bool limits_before_run(const struct instance *x, double max_over_mean, struct limits *limits);

/* "work 1.2 s, wire 0.34 s, chain 0.1 s: ..." and which of them will limit the run, or how far from them one was. Nothing where
   none is known. */
void limits_print_forecast(FILE *out, const struct limits *limits);
void limits_print_run(FILE *out, const struct limits *limits, double seconds);

#endif
