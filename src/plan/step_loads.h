/* The load of each step with speeds. */
#ifndef OMPFACT_SRC_PLAN_STEP_LOADS_H
#define OMPFACT_SRC_PLAN_STEP_LOADS_H

#include "src/matrix/matrix.h"
#include "src/ompfact_plan.h"

struct step_loads {
    ompfact_loads view;     /* public view of the members below; time NULL: not known */
    double *time;
    ompfact_step_load *point;
};

/* Whether there are loads: for Cholesky or LU with speeds, or with a layout for speeds. */
bool job_has_loads(const ompfact_job *job, const ompfact_matrix *A);
/* For Cholesky or LU of a matrix of this shape that is not empty. The caller calls step_loads_forget in either case. */
ompfact_status step_loads_create(const ompfact_shape *shape, const ompfact_matrix *A, struct step_loads *loads,
                                 char message[MESSAGE]);
void step_loads_forget(struct step_loads *loads);

#endif
