/* QR of a panel much taller than wide whose columns are far from dependent. */
#ifndef OMPFACT_OMP_KERNELS_PANEL_TALL_H
#define OMPFACT_OMP_KERNELS_PANEL_TALL_H

#include "omp/kernels/kernels.h"

#include <stdatomic.h>
#include <stdbool.h>

/* A = Q R, as geqrt_panel(). */
typedef int panel_factorization(const struct precision *precision, const atomic_int *idle, int m, int n, int ib, void *A, int lda,
                                void *T, int ldt);

/* What geqrt_panel does, which it is given for a panel that is not tall, of 2n x n. Returns whether it did; if not, A is as it
   was, and T's contents are undefined. */
bool geqrt_tall(panel_factorization *small, const struct precision *precision, const atomic_int *idle, int m, int n, int ib,
                void *A, int lda, void *T, int ldt);

#endif
