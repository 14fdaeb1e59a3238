/* The inverse of a triangle in a matrix of its own, on which all inverses are built. */
#ifndef OMPFACT_SRC_INVERSE_INVERSE_H
#define OMPFACT_SRC_INVERSE_INVERSE_H

#include "src/solve/solve.h"

/* X := op(T)^-1, T the triangle of A that uplo and diag name, op(T) lower. X, in A's tile rows, is lower triangular, with zeros
   in the rest of its tiles. Collective. */
ompfact_status invert_triangle(ompfact_matrix *A, enum uplo uplo, enum trans trans, enum diag diag, ompfact_matrix *X,
                               ompfact_report *report);

#endif
