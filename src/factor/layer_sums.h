/* Copies of the matrix in a factorization: what comes around the parts of its steps. */
#ifndef OMPFACT_SRC_FACTOR_LAYER_SUMS_H
#define OMPFACT_SRC_FACTOR_LAYER_SUMS_H

#include "src/factor/factor.h"

/* Whether the algorithm knows copies, if A has any. OMPFACT_BAD_ARGUMENT and a message if not. */
ompfact_status layers_check(ompfact_matrix *A, const struct algorithm *algorithm);
/* Does this rank's layer do step k? */
bool layers_do(const struct job *job, int k);
/* What my tiles of panel k, or of row k in column n, are on all layers is added up where the step is done, before it; others tell
   of theirs. Afterwards these tiles, final, go to the first layer. */
void layers_before_panel(struct run *run, const struct job *job, int k);
void layers_before_row(struct run *run, const struct job *job, int k, int n);
void layers_after_panel(struct run *run, const struct job *job, int k);
void layers_after_row(struct run *run, const struct job *job, int k, int n);
/* Who alone reads what is no factor of its layer's: a part of a sum, a tile on its way home; else -1. For readers functions. */
int layers_only_reader(const struct job *job, const struct operand *tile);
bool layers_is_homeward(const struct operand *tile);
/* What has been added up and brought home, into the report of A's factorization. */
void layers_report(ompfact_matrix *A);

#endif
