/*
 * The inverse of a triangle by substitution with the unit matrix, whose zeros above the diagonal are never touched: n^3 / 3
 * flops, as LAPACK's trtri. Each column of X is solved for by itself, so T X - I is small (Du Croz, Higham, "Stability of methods
 * for matrix inversion", 1992).
 *
 * A tile of T is read by others as a factor as long as tiles of X are read in its place, so X has memory of its own.
 */
#include "src/inverse/inverse.h"

#include <string.h>

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

/* ---- back to A ------------------------------------------------------------------------------------------------------------- */

struct replacing {
    ompfact_matrix *A;
    const ompfact_matrix *X;
    bool diagonal;
};

/* The part of a tile on the diagonal, element by element. */
static void replace_diagonal(const struct replacing *r, int k)
{
    const struct precision *p = r->A->precision;
    int n = tiling_size(&r->A->rows, k);
    char *to = matrix_tile(r->A, k, k);
    const char *from = matrix_tile(r->X, k, k);
    for (int j = 0; j < n; j++)
        for (int i = r->diagonal ? j : j + 1; i < n; i++) {
            double re, im;
            p->get(from + (i + (size_t)j * (size_t)n) * p->size, &re, &im);
            if (is_upper(&r->A->shape))
                p->set(to + (j + (size_t)i * (size_t)n) * p->size, re, -im);
            else
                p->set(to + (i + (size_t)j * (size_t)n) * p->size, re, im);
        }
}

/* Column j of X's tiles. */
static void replace_column(void *context, int64_t j)
{
    const struct replacing *r = context;
    const struct kernels *k = r->A->precision->kernels;
    int n = tiling_size(&r->X->cols, (int)j);
    for (int i = first_row(r->X, (int)j, (int)j); i < r->X->mt; i = next_row(r->X, i, (int)j)) {
        int m = tiling_size(&r->X->rows, i);
        const void *from = matrix_tile(r->X, i, (int)j);
        if (i == j)
            replace_diagonal(r, i);
        else if (is_upper(&r->A->shape))
            k->conj_transpose(m, n, from, m, matrix_tile(r->A, (int)j, i), n);
        else
            k->copy_rows(m, n, NULL, from, m, NULL, matrix_tile(r->A, i, (int)j), m);
    }
}

void replace_triangle(ompfact_matrix *A, const ompfact_matrix *X, bool diagonal)
{
    struct replacing r = { A, X, diagonal };
    run_each(A->grid->settings.threads, X->nt, replace_column, &r);
}
