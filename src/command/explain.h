/* --explain: the possible layouts and the reason for the choice, the known facts about the machine and their effects, and the
   limits of a run. Local. */
#ifndef OMPFACT_SRC_COMMAND_EXPLAIN_H
#define OMPFACT_SRC_COMMAND_EXPLAIN_H

#include "src/command/instance.h"

/* Explains the plan of a problem, which has its bounds. Prints with the report's table or, without a table, on stderr. Returns 0,
   or COMMAND_USAGE and one line in text. */
int explain_case(const struct instance *x, char text[COMMAND_TEXT]);

/* Prints the tile size, and the devices and threads of a rank, that were fastest when --tune measured devices, or nothing. */
void explain_best_share(FILE *out, const ompfact_machine_share *best);

/* Prints the distance of a run from its largest bound, or nothing if no bound is known. */
void explain_time(FILE *out, const ompfact_forecast *forecast, double seconds);

#endif
