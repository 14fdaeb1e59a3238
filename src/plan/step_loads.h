/* What the ranks' speeds make of each step. */
#ifndef OMPFACT_SRC_PLAN_STEP_LOADS_H
#define OMPFACT_SRC_PLAN_STEP_LOADS_H

#include "src/matrix/matrix.h"
#include "src/ompfact_plan.h"

struct step_loads {
    ompfact_loads view;     /* of what follows; time NULL: nothing is known */
    double *time;
    ompfact_step_load *point;
};

/* Whether there is anything to know: of Cholesky or LU where speeds are given, or the layout is made for such. */
bool job_has_loads(const ompfact_job *job, const ompfact_matrix *A);
/* Of Cholesky or LU of a matrix that is not empty, made by this shape. step_loads_forget either way. */
ompfact_status step_loads_create(const ompfact_shape *shape, const ompfact_matrix *A, struct step_loads *loads,
                                 char message[MESSAGE]);
void step_loads_forget(struct step_loads *loads);

#endif
