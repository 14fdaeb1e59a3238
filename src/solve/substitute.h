/* A triangular solve. */
#ifndef OMPFACT_SRC_SOLVE_SUBSTITUTE_H
#define OMPFACT_SRC_SOLVE_SUBSTITUTE_H

#include "src/solve/solve.h"

/* B := op(T)^-1 B, where T is the triangle of job->A that the job names. Collective. */
ompfact_status substitute(struct job *job);

#endif
