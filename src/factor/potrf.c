/*
 * Cholesky factorization by tiles (Golub, Van Loan, "Matrix Computations", section 4.2.9; Beaumont et al., IPDPS 2023, section
 * III-B, for the readers of tiles).
 *
 *     A = ( A_kk     ) = ( L_kk     ) ( L_kk^H L_mk^H )        A_kk = L_kk L_kk^H
 *         ( A_mk A22 )   ( L_mk L22 ) (        L22^H  )        L_mk = A_mk L_kk^-H
 *                                                              A22  - L_mk L_mk^H  is factored next
 *
 * For a matrix given by its upper triangle, A = U^H U, these are the tiles of L = U^H: fetch(), tile() and final() mark the
 * stored tiles as conjugate transposes, and the tasks handle this (omp/task.h).
 *
 * A step is a panel and the updates of the columns right of it; src/factor/schedule.c has their order.
 */
#include "src/factor/factor.h"

static void panel(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    if (owns(A, k, k))
        task_potrf(run, final(A, k, k));                                                            /* A_kk = L_kk L_kk^H */
    for (int m = first_row(A, k, k + 1); m < A->mt; m = next_row(A, m, k))
        task_trsm(run, RIGHT, LOWER, CONJ_TRANS, NON_UNIT, fetch(A, k, k), final(A, m, k));         /* A_mk = A_mk L_kk^-H */
}

static void update(struct run *run, const struct job *job, int k, int n, int from, int to)
{
    const ompfact_matrix *A = job->A;
    if (from <= n && n < to && owns(A, n, n))
        task_herk(run, -1, NO_TRANS, fetch(A, n, k), tile(A, n, n));                                /* A_nn -= A_nk A_nk^H */
    int first = first_row(A, n, from > n ? from : n + 1);
    if (first >= to)
        return;
    struct operand A_nk = fetch(A, n, k);
    for (int m = first; m < to; m = next_row(A, m, n))
        task_gemm(run, -1, NO_TRANS, fetch(A, m, k), CONJ_TRANS, A_nk, tile(A, m, n));              /* A_mn -= A_mk A_nk^H */
}

const struct algorithm cholesky = { .name = "potrf", .panel = panel, .update = update, .layout = LAYOUT_CHOLESKY,
                                    .packs = packs_below_diagonal, .compressible = true, .layered = true,
                                    .summed = SUMS_ARE_APART, .scaled_by_factors = true, .urgency = longest_path,
                                    .tree = RMA_CHAIN };
