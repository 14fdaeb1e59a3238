/* The candidates of layout "auto". */
#ifndef OMPFACT_SRC_PLAN_CHOICES_H
#define OMPFACT_SRC_PLAN_CHOICES_H

#include "src/matrix/matrix.h"
#include "src/ompfact_plan.h"

struct choices {
    ompfact_choice view;                /* public view of the members below */
    ompfact_candidate *candidate;       /* NULL: not known */
};

/* Finds the candidates for A's tiles, on as many ranks with as much memory; the shape has nodes and weights. The caller calls
   choices_forget in either case. */
ompfact_status choices_create(const ompfact_shape *shape, const ompfact_matrix *A, struct choices *choices,
                              char message[MESSAGE]);
void choices_forget(struct choices *choices);

#endif
