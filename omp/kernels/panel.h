/* LU with partial pivoting of a whole panel in one piece of memory, on one rank. */
#ifndef OMPFACT_OMP_KERNELS_PANEL_H
#define OMPFACT_OMP_KERNELS_PANEL_H

#include "omp/kernels/kernels.h"

#include <stdatomic.h>

/*
 * P A = L U: step j < min(m,n) interchanged rows j and swap[j] (0-based, swap[j] >= j), as in LAPACK. Continues after a zero
 * pivot, whose column remains unscaled. Returns the 1-based column of the first zero pivot, or 0. idle: the present number of
 * idle threads of this team, which take part.
 */
int getrf_panel(const struct precision *precision, const atomic_int *idle, int m, int n, void *A, int lda, int *swap);

#endif
