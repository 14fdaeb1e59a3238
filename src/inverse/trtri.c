/* The inverse of a triangular matrix. */
#include "src/inverse/inverse.h"

/* ---- copies to A -------------------------------------------------------------------------------------------------------- */

struct replacing {
    ompfact_matrix *A;
    const ompfact_matrix *X;
    bool diagonal;
};

/* Copies the triangle of tile (k,k) element by element. */
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

/* Copies column j of X's tiles. */
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

/* ---- the call ----------------------------------------------------------------------------------------------------------- */

/* A's triangle := the lower triangle of its inverse X, conjugate-transposed if A's is upper, with the diagonal or without it. */
static ompfact_status invert(ompfact_matrix *A, bool unit, ompfact_matrix *X)
{
    struct replacing r = { A, X, !unit };
    TRY(invert_triangle(A, LOWER, NO_TRANS, unit ? UNIT : NON_UNIT, X, &A->report));
    run_each(A->grid->settings.threads, X->nt, replace_column, &r);
    A->contents = CONTENTS_PLAIN;
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_trtri(ompfact_matrix *A, bool unit, int64_t *info)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *X = NULL;
    if (!is_hermitian(&A->shape))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "trtri needs a matrix made as OMPFACT_HERMITIAN_LOWER or _UPPER");
    TRY(check_dense(A));
    TRY(check_whole(A, NULL));
    *info = 0;
    A->report = report_of_nothing();
    if (!unit)
        TRY(first_zero_pivot(A, A->mt, info));
    if (*info != 0)
        return OMPFACT_SUCCESS;
    TRY(matrix_create_lower(A, &X));
    return invert(A, unit, X);
}
