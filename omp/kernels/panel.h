/* LU with partial pivoting of a whole panel that lies in one piece of memory, on one rank. */
#ifndef OMPFACT_OMP_KERNELS_PANEL_H
#define OMPFACT_OMP_KERNELS_PANEL_H

#include "omp/kernels/kernels.h"

#include <stdatomic.h>

/*
 * P A = L U: rows j and swap[j] (0-based, swap[j] >= j) were interchanged in step j < min(m,n), as LAPACK does. Goes on past a
 * zero pivot, whose column stays unscaled; returns the first one's 1-based column, or 0. idle: how many threads of this team wait
 * for work, at any moment; they take part.
 */
int getrf_panel(const struct precision *precision, const atomic_int *idle, int m, int n, void *A, int lda, int *swap);

#endif
