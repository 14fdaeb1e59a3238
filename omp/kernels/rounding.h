/* Tiles from double to single precision and back, column-major without gaps (ld = m) or packed (micro/packed.h). */
#ifndef OMPFACT_OMP_KERNELS_ROUNDING_H
#define OMPFACT_OMP_KERNELS_ROUNDING_H

#include "omp/kernels/kernels.h"

#include <stdbool.h>

/* B := A, m x n, each of its precision, which have the same kind of numbers: both in columns or both packed. */
void tile_in_precision(bool packed, int m, int n, const struct precision *of_a, const void *A, const struct precision *of_b,
                       void *B);
/* B += A, both in columns without gaps, A in single and B in double. */
void add_single_tile(const struct precision *of_b, int m, int n, const void *A, void *B);
/* At least || |T| ||_2 of a triangle of order n, || || the norm of the moduli: sqrt(||T||_1 ||T||_inf); UNIT: T has ones on its
   diagonal. Not finite where there is no memory. */
double triangle_norm2_bound(const struct precision *precision, enum uplo uplo, enum diag diag, int n, const void *T, int ldt);

#endif
