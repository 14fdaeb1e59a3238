/* One walk through the loops of a plan, with the sink of the run. */
#ifndef OMPFACT_OMP_WALK_H
#define OMPFACT_OMP_WALK_H

#include "omp/execution.h"

/* Allocates the tables of the steps; false: no memory. */
bool run_open_steps(struct run *run);
/* Walks the loops, from the first step to the last. */
void run_walk(struct run *run);
void run_destroy_steps(struct run *run);

#endif
