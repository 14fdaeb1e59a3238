/*
 * QR of whole panels in one piece of memory, on one rank. Both functions make compact WY forms with one triangular factor: n
 * reflectors are Q = I - V T V^H, where T is upper triangular n x n, with zeros in its strictly lower triangle. As in LAPACK,
 * reflectors make R's diagonal real.
 *
 * ib: the largest number of columns that is not halved. idle: the present number of idle threads of this team, which take
 * part. Both functions return 0, or 1 if there is no memory for workspace; then the panel is lost.
 */
#ifndef OMPFACT_OMP_KERNELS_PANEL_QR_H
#define OMPFACT_OMP_KERNELS_PANEL_QR_H

#include "omp/kernels/kernels.h"

#include <stdatomic.h>

/* A = Q R with q = min(m,n) reflectors: R in A's upper trapezoid, V, unit lower trapezoidal m x q, below the diagonal. T is q x
   q. */
int geqrt_panel(const struct precision *precision, const atomic_int *idle, int m, int n, int ib, void *A, int lda, void *T,
                int ldt);

/*
 * (R; B) = Q (R; 0) for an upper triangle R, n x n, above an upper trapezoid B, m x n, m <= n: LAPACK's tpqrt with L = m. Of
 * the n reflectors (I; V), V replaces B; T is n x n. What is below the diagonals of R and B is neither read nor written.
 */
int tpqrt_panel(const struct precision *precision, const atomic_int *idle, int m, int n, int ib, void *R, int ldr, void *B,
                int ldb, void *T, int ldt);

#endif
