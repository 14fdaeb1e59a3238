/*
 * QR of whole panels that lie in one piece of memory, on one rank. Both make compact WY forms with one triangular factor: n
 * reflectors are Q = I - V T V^H, T upper triangular n x n, whose strictly lower triangle becomes zero. As LAPACK's, reflectors
 * are such that R's diagonal is real.
 *
 * ib: columns that are not halved any more, at most. idle: how many threads of this team wait for work, at any moment; they take
 * part. Both return 0, or 1 where there is no memory for workspace; then the panel is lost.
 */
#ifndef OMPFACT_OMP_KERNELS_PANEL_QR_H
#define OMPFACT_OMP_KERNELS_PANEL_QR_H

#include "omp/kernels/kernels.h"

#include <stdatomic.h>

/* A = Q R with q = min(m,n) reflectors: R in A's upper trapezoid,
   V, unit lower trapezoidal m x q, below the diagonal. T is q x q. */
int geqrt_panel(const struct precision *precision, const atomic_int *idle, int m, int n, int ib, void *A, int lda, void *T,
                int ldt);

/*
 * (R; B) = Q (R; 0) for an upper triangle R, n x n, on top of an upper trapezoid B, m x n, m <= n: LAPACK's tpqrt with L = m. n
 * reflectors (I; V), V replaces B; T is n x n. Below the diagonals of R and B nothing is read or written.
 */
int tpqrt_panel(const struct precision *precision, const atomic_int *idle, int m, int n, int ib, void *R, int ldr, void *B,
                int ldb, void *T, int ldt);

#endif
