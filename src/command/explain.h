/* --explain: what layouts there were to choose from, and why it is this one;
   what is known of the machine, and what that changes; what limits a run. Local. */
#ifndef OMPFACT_SRC_COMMAND_EXPLAIN_H
#define OMPFACT_SRC_COMMAND_EXPLAIN_H

#include "src/command/instance.h"

/* Of the plan of a problem, which has its bounds. Writes all of it with the report's table, or where there is none to stderr.
   Returns 0, or COMMAND_USAGE and one line in text. */
int explain_case(const struct instance *x, char text[COMMAND_TEXT]);

/* How far a run was from what limited it most: nothing where no bound is known. */
void explain_time(FILE *out, const ompfact_forecast *forecast, double seconds);

#endif
