/* --simulate: the case run on a platform of SimGrid, on paper. */
#ifndef OMPFACT_SRC_COMMAND_SIMULATE_H
#define OMPFACT_SRC_COMMAND_SIMULATE_H

#include "src/command/instance.h"

/* Whether the routine can be simulated, and the platform that the options name, for as many nodes as there are; once. 0, or
   COMMAND_USAGE and a line. The session's platform is destroyed by the caller either way. */
int simulate_open(struct session *session, char text[COMMAND_TEXT]);
/* How long the factorization of x->plan takes there, a fact, and its trace. 0, or COMMAND_USAGE and a line. */
int simulate_case(struct instance *x, char text[COMMAND_TEXT]);

#endif
