/*
 * The inverse of a triangle by substitution with the unit matrix. The zeros above the diagonal are never touched: n^3 / 3 flops,
 * as LAPACK's trtri. Each column of X is solved for by itself, so T X - I is small (Du Croz, Higham, "Stability of methods for
 * matrix inversion", 1992).
 *
 * X has memory of its own, because ranks read tiles of T as a factor while tiles of X at the same places are published.
 */
#include "src/inverse/inverse.h"

static void make_unit(ompfact_matrix *X)
{
    matrix_clear(X);
    for (int k = 0; k < X->nt; k++)
        for (int i = 0; owns(X, k, k) && i < tiling_size(&X->rows, k); i++)
            X->precision->set((char *)matrix_tile(X, k, k) +
                                  (size_t)i * (size_t)(tiling_size(&X->rows, k) + 1) * X->precision->size, 1, 0);
}

ompfact_status invert_triangle(ompfact_matrix *A, enum uplo uplo, enum trans trans, enum diag diag, ompfact_matrix *X,
                               ompfact_report *report)
{
    struct job job = { .A = A, .B = X, .side = LEFT, .uplo = uplo, .trans = trans, .diag = diag, .triangular = true };
    make_unit(X);
    return solve_matrix(&job, report);
}
