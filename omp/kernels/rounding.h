/* Conversions of tiles between precisions, column-major without gaps (ld = m) or packed (micro/packed.h). */
#ifndef OMPFACT_OMP_KERNELS_ROUNDING_H
#define OMPFACT_OMP_KERNELS_ROUNDING_H

#include "omp/kernels/kernels.h"

#include <stdbool.h>

/* B := A, m x n, each in its precision. Both have the same kind of numbers, and both are in columns or both packed.
   A precision may be bfloat16 (bf16.h). */
void tile_in_precision(bool packed, int m, int n, const struct precision *of_a, const void *A, const struct precision *of_b,
                       void *B);
/* The Frobenius norm of a tile in its precision, in columns without gaps or packed. */
double tile_norm(const struct precision *of_a, int m, int n, const void *A);
/* B += A, both in columns without gaps, A in single and B in double. */
void add_single_tile(const struct precision *of_b, int m, int n, const void *A, void *B);
/* B += U V^H with U and V in single, stored in columns as in truncation.h; B in double and without gaps. */
void add_single_columns(const struct precision *of_b, int m, int n, int rank, const void *UV, void *B);
/* B := A in single, A in double, m x n, both in columns without gaps. Returns the Frobenius norm of the change, which is not
   finite if a number overflows in single. */
double tile_to_single(const struct precision *of_a, int m, int n, const void *A, void *B);
/* The same for U and V, m x rank and n x rank, one above the other (truncation.h). Returns a bound for the change of U V^H. */
double columns_to_single(const struct precision *of_uv, int m, int n, int rank, const void *UV, void *B);
/* An upper bound of || |T| ||_2, the norm of the moduli, for a triangle of order n: sqrt(||T||_1 ||T||_inf). UNIT: T has ones
   on its diagonal. Not finite if there is no memory. */
double triangle_norm2_bound(const struct precision *precision, enum uplo uplo, enum diag diag, int n, const void *T, int ldt);

#endif
