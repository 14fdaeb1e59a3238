/* Copies of the matrix in a factorization: functions around the parts of its steps. */
#ifndef OMPFACT_SRC_FACTOR_LAYER_SUMS_H
#define OMPFACT_SRC_FACTOR_LAYER_SUMS_H

#include "src/factor/factor.h"

/* Checks whether the algorithm supports copies, if A has any. OMPFACT_BAD_ARGUMENT and a message if not. */
ompfact_status layers_check(ompfact_matrix *A, const struct algorithm *algorithm);
/* Whether this rank's layer does step k. */
bool layers_do(const struct job *job, int k);
/* Before panel k, or before row k in column n: the layer that does the step adds up its tiles from all layers, and the other
   layers publish theirs. */
void layers_before_panel(struct run *run, const struct job *job, int k);
void layers_before_row(struct run *run, const struct job *job, int k, int n);
/* The only reader of a part of a sum, which is no factor; -1 for a factor. For readers functions. */
int layers_only_reader(const struct job *job, const struct operand *tile);

#endif
