/* One walk through the loops of a plan, into the sink that the run has. */
#ifndef OMPFACT_OMP_WALK_H
#define OMPFACT_OMP_WALK_H

#include "omp/execution.h"

/* Tables for the steps; false: no memory. */
bool run_open_steps(struct run *run);
/* The loops, from the first step to the last. */
void run_walk(struct run *run);
void run_destroy_steps(struct run *run);

#endif
