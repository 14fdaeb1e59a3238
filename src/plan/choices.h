/* What layout "auto" has to choose from. */
#ifndef OMPFACT_SRC_PLAN_CHOICES_H
#define OMPFACT_SRC_PLAN_CHOICES_H

#include "src/matrix/matrix.h"
#include "src/ompfact_plan.h"

struct choices {
    ompfact_choice view;                /* of what follows */
    ompfact_candidate *candidate;       /* NULL: nothing is known */
};

/* For A's tiles, on as many ranks of as much memory; the shape has nodes and weights. choices_forget either way. */
ompfact_status choices_create(const ompfact_shape *shape, const ompfact_matrix *A, struct choices *choices,
                              char message[MESSAGE]);
void choices_forget(struct choices *choices);

#endif
