/* What the inverses have in common: that of a triangle, in a matrix of its own. */
#ifndef OMPFACT_SRC_INVERSE_INVERSE_H
#define OMPFACT_SRC_INVERSE_INVERSE_H

#include "src/solve/trsm.h"

/* X := op(T)^-1, T the triangle of A that uplo and diag name, op(T) lower. X, in A's tile rows, has all its tiles on and below the
   diagonal, above which the diagonal's own have zeros. Collective. */
ompfact_status invert_triangle(ompfact_matrix *A, enum uplo uplo, enum trans trans, enum diag diag, ompfact_matrix *X,
                               ompfact_report *report);

/* My tiles of A's triangle (an upper one's are X's conjugate-transposed) := those of the lower triangular X; `diagonal`: that of A,
   too. Local, by the grid's threads. */
void replace_triangle(ompfact_matrix *A, const ompfact_matrix *X, bool diagonal);

#endif
