/*
 * Checks that X is the inverse of A. The product A X would cost as much as the inverse. A few random columns V suffice: A (X V) -
 * V, or X^-1 (A^-1 V) - V for triangles, is either as small as rounding errors, or large (Freivalds, "Probabilistic machines can
 * use less running time", 1977).
 */
#include "src/inverse/inverse.h"
#include "src/solve/check_in_range.h"
#include "src/solve/solve.h"

enum { COLUMNS = 4 };

struct probe {
    const struct precision *precision;
    double sign;
};

/* A value in [-1, 1] that depends on the place alone. The mixing function is splitmix64's. */
static void probe_entry(void *context, int64_t i, int64_t j, void *value)
{
    const struct probe *p = context;
    uint64_t x = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)j * UINT64_C(0xd1b54a32d192ed03) + 1;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    p->precision->set(value, p->sign * (double)((int64_t)(x ^ x >> 31) >> 11) * 0x1p-52, 0);
}

static ompfact_status fill_probe(ompfact_matrix *V, double sign)
{
    return ompfact_fill_entries(V, probe_entry, &(struct probe){ V->precision, sign });
}

/* B := A X V - V. Y is scratch memory. */
static ompfact_status multiply_both(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *V, ompfact_matrix *Y, ompfact_matrix *B)
{
    matrix_clear(Y);
    TRY(fill_probe(B, -1));
    TRY(subtract_product(NO_TRANS, X, V, Y, Y->work, &(ompfact_report){ 0 }));  /* Y = -X V */
    return subtract_product(NO_TRANS, A, Y, B, B->work, &(ompfact_report){ 0 });   /* B = -V - A Y */
}

/* B := T^-1 B, or T^-H B of an upper triangle T of A. The solver's loops differ from those that invert. */
static ompfact_status solve(ompfact_matrix *A, ompfact_matrix *B)
{
    struct job job = { .A = A, .B = B, .W = B->work, .uplo = LOWER, .trans = NO_TRANS, .diag = NON_UNIT };
    return substitute(&job);
}

/* B := X^-1 A^-1 V - V, or X^-H A^-H V - V for upper triangles. */
static ompfact_status solve_both(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *V, ompfact_matrix *B)
{
    TRY(check_rhs(X, B));
    TRY(fill_probe(B, 1));
    TRY(solve(A, B));
    TRY(solve(X, B));
    for (int j = 0; j < B->nt; j++)
        for (int i = first_row(B, j, 0); i < B->mt; i = next_row(B, i, j))
            B->precision->kernels->add(tiling_size(&B->rows, i), tiling_size(&B->cols, j), -1, matrix_tile(V, i, j),
                                       tiling_size(&B->rows, i), matrix_tile(B, i, j), tiling_size(&B->rows, i));
    return OMPFACT_SUCCESS;
}

static ompfact_status judge(ompfact_matrix *A, ompfact_matrix *X, bool triangular, double *ratio)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *V = NULL, *Y = NULL, *B = NULL;
    double norm, norm_of_inverse;
    TRY(ompfact_norm1(A, &norm));
    TRY(ompfact_norm1(X, &norm_of_inverse));
    TRY(ompfact_matrix_create_rhs(A, COLUMNS, &V));
    TRY(ompfact_matrix_create_rhs(A, COLUMNS, &B));
    if (!triangular)
        TRY(ompfact_matrix_create_rhs(A, COLUMNS, &Y));
    TRY(fill_probe(V, 1));
    TRY(triangular ? solve_both(A, X, V, B) : multiply_both(A, X, V, Y, B));
    return ratio_of_columns(V, B, norm * norm_of_inverse, ratio);
}

static ompfact_status judge_whole(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *none, double *ratio)
{
    (void)none;
    return judge(A, X, false, ratio);
}

static ompfact_status judge_triangle(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *none, double *ratio)
{
    (void)none;
    return judge(A, X, true, ratio);
}

ompfact_status ompfact_residual_inverse(ompfact_matrix *A, ompfact_matrix *X, bool triangular, double *ratio)
{
    TRY(check_factors(A, X));
    if (!tiling_equal(&A->rows, &A->cols) || (triangular && !is_hermitian(&A->shape)))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "only a square matrix, or the triangle of a Hermitian one, has an inverse");
    return judge_in_range(triangular ? judge_triangle : judge_whole, A, X, NULL, ratio);
}
