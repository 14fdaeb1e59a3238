/*
 * Factorization of Hermitian or symmetric indefinite matrices by tiles, like Cholesky's with signs (Bunch, Kaufman, "Some
 * stable methods for calculating inertia and solving symmetric linear systems", 1977, for the pivots inside a tile).
 *
 *     A = ( A_kk     ) = ( G_kk     ) ( J_k     ) ( G_kk^H X_mk^H )        A_kk = G_kk J_k G_kk^H
 *         ( A_mk A22 )   ( X_mk X22 ) (     J22 ) (        X22^H  )        X_mk = A_mk G_kk^-H J_k
 *                                                                          A22  - X_mk J_k X_mk^H  is factored next
 *
 * G_kk = P^H L g S is no triangle: L is in tile (k,k), the rest in a signed block beside it, and J_k is given by the number of
 * its negative signs (signs.h). An update reads only that number: there is no copy of L D. For a matrix given by its upper
 * triangle these are the tiles of X^H, as in potrf.c. For a complex symmetric matrix ^H means ^T in all of this, and J = I.
 * Pivots are searched only inside the diagonal tiles, so nothing bounds growth.
 */
#include "src/butterfly/butterfly.h"
#include "src/checkpoint/restart.h"
#include "src/factor/signs.h"
#include "src/factor/snapshot.h"

#include <math.h>

static void solve(struct run *run, const struct job *job, int k, int m)
{
    const ompfact_matrix *A = job->A;
    if (signs_inverts(A))
        task_signed_multiply(run, signs_inverse(job, k), final(A, m, k));
    else
        task_signed_solve(run, RIGHT, CONJ_TRANS, true, fetch(A, k, k), signs_at(job, k), final(A, m, k));
}

static void panel(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    if (owns(A, k, k)) {
        task_sytrf(run, job->signs->scale, with_access(UPDATE, signs_at(job, k)), final(A, k, k));  /* A_kk = G_kk J G_kk^H */
        task_release(run, with_access(FINAL, signs_at(job, k)));
    }
    signs_request(run, job, k);
    signs_invert(run, job, k);
    for (int m = first_row(A, k, k + 1); m < A->mt; m = next_row(A, m, k))                          /* X_mk = A_mk G_kk^-H J */
        solve(run, job, k, m);
}

static void update(struct run *run, const struct job *job, int k, int n, int from, int to)
{
    const ompfact_matrix *A = job->A;
    if (from <= n && n < to && owns(A, n, n))
        task_signed_herk(run, fetch(A, n, k), signs_at(job, k), tile(A, n, n));                     /* A_nn -= X_nk J X_nk^H */
    int first = first_row(A, n, from > n ? from : n + 1);
    if (first >= to)
        return;
    struct operand X_nk = fetch(A, n, k), J = signs_at(job, k);
    for (int m = first; m < to; m = next_row(A, m, n))
        task_signed_gemm(run, fetch(A, m, k), J, X_nk, tile(A, m, n));                              /* A_mn -= X_mk J X_nk^H */
}

const struct algorithm indefinite = { .name = "sytrf", .panel = panel, .update = update, .layout = LAYOUT_CHOLESKY,
                                      .packs = packs_below_diagonal, .memory = signs_memory, .urgency = longest_path,
                                      .tree = RMA_CHAIN, .keep = keep_signs, .most_kept = most_signs, .summed = SUMS_ARE_APART,
                                      .scaled_by_factors = true };

/* Does the steps before `end` that are not done. A matrix of zeros needs no factorization. */
static ompfact_status factor_before(ompfact_matrix *A, struct signs *signs, int end, int64_t *info)
{
    ompfact_report mixed = report_of_nothing();
    *info = 0;
    if (A->done == 0) {
        TRY(largest_modulus(A, &signs->scale));
        *info = signs->scale == 0 && A->shape.n > 0;
    }
    A->contents = CONTENTS_PLAIN;
    A->pivoted = false;
    if (*info > 0)
        return OMPFACT_SUCCESS;
    if (A->done == 0 && !A->resumed)        /* A := W^T A W; after some steps A has this form already */
        TRY(after_write(butterfly_of_matrix(A, signs->depth, &mixed)));
    if (!isfinite(signs->scale))    /* with a NaN, no pivot would be small */
        signs->scale = 0;
    ompfact_status status = factorize(A, &indefinite, &(struct job){ .signs = signs, .end = end }, info);
    status = signs->depth > 0 ? after_write(status) : status;
    report_add(&A->report, &mixed);
    if (status == OMPFACT_SUCCESS && *info == 0 && A->done == 0)
        A->contents = CONTENTS_INDEFINITE;
    return status;
}

/* In a factorization in parts, rows are not mixed. */
static ompfact_status factor_signed(ompfact_matrix *A, int64_t *info)
{
    struct signs *signs;
    TRY(check_dense(A));
    TRY(check_one_copy(A, "an indefinite factorization"));
    TRY(signs_begin(A, &signs));
    signs->depth = is_in_part(A) ? 0 : butterfly_depth(A->grid->butterfly);
    TRY(resume(A, "sytrf", signs_pivoting(signs->depth), restore_signs));
    return factor_before(A, signs, steps_of(A), info);
}

static ompfact_status eliminate_signed(ompfact_matrix *A, int64_t rows, int64_t *info)
{
    struct signs *signs;
    int end;
    TRY(steps_to(A, "sytrf", rows, &end));
    TRY(signs_begin(A, &signs));
    *info = 0;
    if (end == A->done)
        return OMPFACT_SUCCESS;
    signs->depth = 0;
    return factor_before(A, signs, end, info);
}

static ompfact_status check_hetrf(const ompfact_matrix *A)
{
    if (!is_hermitian(&A->shape))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "hetrf needs a matrix made as OMPFACT_HERMITIAN_LOWER or _UPPER");
    return OMPFACT_SUCCESS;
}

static ompfact_status check_sytrf(const ompfact_matrix *A)
{
    if (!is_own_transpose(&A->shape))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "sytrf needs a matrix made as OMPFACT_SYMMETRIC_LOWER or _UPPER");
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_hetrf(ompfact_matrix *A, int64_t *info)
{
    TRY(check_hetrf(A));
    return factor_signed(A, info);
}

ompfact_status ompfact_sytrf(ompfact_matrix *A, int64_t *info)
{
    TRY(check_sytrf(A));
    return factor_signed(A, info);
}

ompfact_status ompfact_hetrf_partial(ompfact_matrix *A, int64_t rows, int64_t *info)
{
    TRY(check_hetrf(A));
    return eliminate_signed(A, rows, info);
}

ompfact_status ompfact_sytrf_partial(ompfact_matrix *A, int64_t rows, int64_t *info)
{
    TRY(check_sytrf(A));
    return eliminate_signed(A, rows, info);
}
