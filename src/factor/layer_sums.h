/* Copies of the matrix in a factorization: what comes around the parts of its steps. */
#ifndef OMPFACT_SRC_FACTOR_LAYER_SUMS_H
#define OMPFACT_SRC_FACTOR_LAYER_SUMS_H

#include "src/factor/factor.h"

/* Whether the algorithm knows copies, if A has any. OMPFACT_BAD_ARGUMENT and a message if not. */
ompfact_status layers_check(ompfact_matrix *A, const struct algorithm *algorithm);
/* Does this rank's layer do step k? */
bool layers_do(const struct job *job, int k);
/* What my tiles of panel k, or of row k in column n, are on all layers is added up where the step is done, before it; the others
   publish theirs. */
void layers_before_panel(struct run *run, const struct job *job, int k);
void layers_before_row(struct run *run, const struct job *job, int k, int n);
/* Who alone reads a part of a sum, which is no factor of its layer's; else -1. For readers functions. */
int layers_only_reader(const struct job *job, const struct operand *tile);

#endif
