/* QR of a panel much taller than wide whose columns are far from dependent. */
#ifndef OMPFACT_OMP_kernelsELS_PANEL_TALL_H
#define OMPFACT_OMP_kernelsELS_PANEL_TALL_H

#include "omp/kernels/panel_qr.h"

#include <stdbool.h>

/* What geqrt_panel does. Returns whether it did; if not, A is as it was, and T's contents are undefined. */
bool geqrt_tall(const struct precision *precision, const atomic_int *idle, int m, int n, int ib, void *A, int lda, void *T, int ldt);

#endif
