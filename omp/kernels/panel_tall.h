/* QR of a panel that is much taller than wide and whose columns are far from dependent. */
#ifndef OMPFACT_OMP_KERNELS_PANEL_TALL_H
#define OMPFACT_OMP_KERNELS_PANEL_TALL_H

#include "omp/kernels/kernels.h"

#include <stdatomic.h>
#include <stdbool.h>

/* A = Q R, like geqrt_panel(). */
typedef int panel_factorization(const struct precision *precision, const atomic_int *idle, int m, int n, int ib, void *A, int lda,
                                void *T, int ldt);

/* Factors like geqrt_panel, which is passed as `small` for a panel of 2n x n. Returns whether it did; if not, A is unchanged,
   and the contents of T are undefined. */
bool geqrt_tall(panel_factorization *small, const struct precision *precision, const atomic_int *idle, int m, int n, int ib,
                void *A, int lda, void *T, int ldt);

#endif
