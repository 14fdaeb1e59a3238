/*
 * The inverse of a Hermitian positive definite matrix by its Cholesky factor (LAPACK's potri; Du Croz, Higham, "Stability of
 * methods for matrix inversion", 1992, for what it does to rounding errors): X = L^-1, then
 *
 *     A^-1 = L^-H L^-1,      A_ij = sum_k X_ki^H X_kj,  k = i, i + 1, ...,  i >= j
 *
 * n^3 / 3 flops each. Of A = U^H U, L = U^H: see src/factor/potrf.c.
 */
#include "src/inverse/inverse.h"

#include <string.h>

static void product_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *A = job->A, *X = job->B;
    for (int k = 0; k < A->nt; k++) {
        run_step(run, k, k);
        for (int j = first_col(A, 0); j <= k; j = first_col(A, j + 1))
            for (int i = first_row(A, j, j); i <= k; i = next_row(A, i, j)) {
                if (i == j)                                                                         /* A_jj += X_kj^H X_kj */
                    task_herk(run, 1, CONJ_TRANS, fetch(X, k, j), tile(A, j, j));
                else                                                                                /* A_ij += X_ki^H X_kj */
                    task_gemm(run, 1, CONJ_TRANS, fetch(X, k, i), NO_TRANS, fetch(X, k, j), tile(A, i, j));
            }
    }
}

/* Clears the triangle of a diagonal tile, and the whole of another tile. */
static void clear_triangle(ompfact_matrix *A)
{
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t;
        size_t size = A->precision->size;
        matrix_view(A, i, j, &t);
        enum uplo part = part_used(A, i, j);
        for (int c = 0; c < t.nb && !is_unused(A, i, j); c++) {
            int first = part == LOWER ? c : 0, end = part == UPPER ? c + 1 : t.mb;
            memset((char *)t.data + (first + (size_t)c * (size_t)t.ld) * size, 0, (size_t)(end - first) * size);
        }
    }
}

static ompfact_status invert(ompfact_matrix *A, ompfact_matrix *X)
{
    struct job job = { .A = A, .B = X };
    struct job_plan product = { .run.loops = product_loops, .uses = { { A, false }, { X, true } }, .on_devices = A };
    ompfact_report part;
    TRY(invert_triangle(A, LOWER, NO_TRANS, NON_UNIT, X, &A->report));
    clear_triangle(A);
    A->contents = CONTENTS_PLAIN;
    TRY(after_write(job_run(A->grid, &job, &product, &part, NULL)));
    report_add(&A->report, &part);
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_potri(ompfact_matrix *A, int64_t *info)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *X = NULL;
    TRY(check_whole(A, NULL));
    if (A->contents != CONTENTS_CHOLESKY)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors of potrf with info 0");
    TRY(check_dense(A));
    A->report = report_of_nothing();
    TRY(first_zero_pivot(A, A->mt, info));
    if (*info != 0)
        return OMPFACT_SUCCESS;
    TRY(matrix_create_lower(A, &X));
    return invert(A, X);
}
