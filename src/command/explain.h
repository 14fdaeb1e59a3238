/* --explain: what layouts there were to choose from, and why it is this one;
   what is known of the machine, and what that changes; what limits a run. Local. */
#ifndef OMPFACT_SRC_COMMAND_EXPLAIN_H
#define OMPFACT_SRC_COMMAND_EXPLAIN_H

#include "src/command/instance.h"

/* Of the plan of a problem, which has its bounds. Writes all of it with the report's table, or where there is none to stderr.
   Returns 0, or COMMAND_USAGE and one line in text. */
int explain_case(const struct instance *x, char text[COMMAND_TEXT]);

/* explain_machine.c, in plain lines: tile size, threads of a rank and ranks of a node. */
void explain_machine(FILE *out, const ompfact_outlook *outlook);
/* Prints what would let reads proceed, for a run on several nodes whose reads were not observed to proceed. */
void explain_between(FILE *out);
/* Rates of the devices, the host's share by the formula, and the one that is taken. Nothing where no devices are asked for. */
void explain_devices(FILE *out, const ompfact_outlook *outlook);
/* The tile size, and the devices and threads of a rank, that were the fastest when --tune measured devices, or nothing. */
void explain_best_share(FILE *out, const ompfact_machine_share *best);

/* How far a run was from what limited it most: nothing where no bound is known. */
void explain_time(FILE *out, const ompfact_forecast *forecast, double seconds);

#endif
