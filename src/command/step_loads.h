/* What the ranks' speeds make of each step, as lists for JSON. */
#ifndef OMPFACT_SRC_COMMAND_STEP_LOADS_H
#define OMPFACT_SRC_COMMAND_STEP_LOADS_H

#include "src/command/refuse.h"
#include "src/ompfact.h"

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

/* Of Cholesky or LU of a matrix that is not empty. Local. 0, or COMMAND_USAGE and a line; loads_forget either way. */
int loads_create(const ompfact_shape *shape, const ompfact_matrix *A, struct loads *loads, char text[COMMAND_TEXT]);
void loads_forget(struct loads *loads);

#endif
