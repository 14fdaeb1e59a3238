/* What factors tell of their matrix, in a report's terms. */
#ifndef OMPFACT_SRC_COMMAND_FACTORS_H
#define OMPFACT_SRC_COMMAND_FACTORS_H

#include "src/ompfact.h"

/* The facts of these names. */
struct told {
    double logdet, det_phase, smallest_pivot;
    int64_t det_sign;
};

/* Collective. What is not known of A, which a refinement has not `factored`, or not asked of rectangular matrices, is left out as
   reports leave it out. */
ompfact_status factors_tell(ompfact_matrix *A, bool factored, int64_t info, bool pivots, struct told *told);

#endif
