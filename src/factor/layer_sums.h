/* Copies of the matrix in a factorization: what comes around the parts of its steps. */
#ifndef OMPFACT_SRC_FACTOR_LAYER_SUMS_H
#define OMPFACT_SRC_FACTOR_LAYER_SUMS_H

#include "src/factor/factor.h"

/* Whether the algorithm knows copies, if A has any. OMPFACT_BAD_ARGUMENT and a message if not. */
ompfact_status layers_check(ompfact_matrix *A, const struct algorithm *algorithm);
/* Does this rank's layer do step k? */
bool layers_do(const struct job *job, int k);
/* What my tiles of panel k, or of row k in column n, are on all layers is added up where the step is done. False: it is done on
   another layer, which gets what mine are. */
bool layers_before_panel(struct run *run, const struct job *job, int k);
bool layers_before_row(struct run *run, const struct job *job, int k, int n);
/* Who adds up the tile, where it is one that another layer has done its part of; else -1. For readers functions. */
int layers_adder(const struct job *job, const struct operand *tile);
/* Final tiles become those of A, whose factorization this was. Added to its report. Collective. */
ompfact_status layers_bring_home(ompfact_matrix *A);
/* The loops of that, for who models them. */
void layers_way_home(struct run *run, const void *job);

#endif
