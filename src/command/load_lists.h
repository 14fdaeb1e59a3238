/* What the ranks' speeds make of each step, as lists for JSON. */
#ifndef OMPFACT_SRC_COMMAND_LOAD_LISTS_H
#define OMPFACT_SRC_COMMAND_LOAD_LISTS_H

#include "src/command/refuse.h"
#include "src/ompfact_plan.h"

/* Times are in updates of a tile on the slowest rank.
   All are NULL where nothing is known, cpb where nothing bounds the layout's steps. */
struct loads {
    char *abe;              /* of each rank, all steps */
    char *abe_steps;        /* the last steps of at most 200 points, into which the steps are divided as evenly as can be */
    char *abe_max;          /* of each point: the time of the rank that takes longest in its steps */
    char *abe_ideal;        /* of each point: the time if the ranks that take part shared it out evenly, ABE* */
    char *cabe_spread;      /* most minus least of what the ranks have had by their end */
    char *cpb;              /* critical path bounds of the steps */
};

/* from: NULL where nothing is known. 0, or COMMAND_USAGE and a line; loads_forget either way. */
int loads_write(const ompfact_loads *from, struct loads *loads, char text[COMMAND_TEXT]);
void loads_forget(struct loads *loads);

#endif
