/*
 * Cholesky factorization by tiles (Golub, Van Loan, "Matrix Computations", section 4.2.9; Beaumont et al., IPDPS 2023, section
 * III-B, for who reads what).
 *
 *     A = ( A_kk     ) = ( L_kk     ) ( L_kk^H L_mk^H )        A_kk = L_kk L_kk^H
 *         ( A_mk A22 )   ( L_mk L22 ) (        L22^H  )        L_mk = A_mk L_kk^-H
 *                                                              A22  - L_mk L_mk^H  is factored next
 *
 * Of a matrix given by its upper triangle, A = U^H U, these are the tiles of L = U^H: fetch(), tile() and final() mark what
 * memory holds as their conjugate transposes, and the tasks act on that (omp/task.h).
 *
 * A step is a panel and the updates of the columns right of it; src/factor/schedule.c says in which order they come.
 */
#include "src/factor/snapshot.h"

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
                                    .packs = packs_below_diagonal, .compressible = true, .summed = SUMS_ARE_APART,
                                    .scaled_by_factors = true, .urgency = longest_way, .tree = RMA_CHAIN };

/*
 * Rows that are appended to a matrix whose factor L is there, in its first `kept` tile rows and columns:
 *
 *     ( A   B^H ) = ( L   ) ( L^H X^H )        X = B L^-H
 *     ( B   C   )   ( X M ) (     M^H )        C - X X^H = M M^H
 *
 * These are the steps of the whole, of which the tasks that write tiles of L are left out: their owners publish them.
 */
static void appended_panel(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    if (k >= A->kept) {
        panel(run, job, k);
        return;
    }
    for (int m = first_row(A, k, k); m < A->kept; m = next_row(A, m, k))
        task_release(run, final(A, m, k));                                                          /* L_mk is there */
    for (int m = first_row(A, k, A->kept); m < A->mt; m = next_row(A, m, k))
        task_trsm(run, RIGHT, LOWER, CONJ_TRANS, NON_UNIT, fetch(A, k, k), final(A, m, k));         /* X_mk = B_mk L_kk^-H */
}

static void appended_update(struct run *run, const struct job *job, int k, int n, int from, int to)
{
    update(run, job, k, n, from > job->A->kept ? from : job->A->kept, to);
}

/* L_nk: those who have appended tiles in column n. */
static int appended_readers(const struct job *job, const struct operand *o, int *ranks)
{
    const ompfact_matrix *A = job->A;
    if (o->i >= A->kept)
        return layout_readers(A->layout, LAYOUT_CHOLESKY, o->i, o->j, ranks, job->seen);
    return others(ranks, layout_column_owners(A->layout, o->i, A->kept, A->mt, ranks, job->seen), o->address.rank);
}

/* No tile is packed, for those of L are not. */
const struct algorithm cholesky_appended = { .name = "potrf", .panel = appended_panel, .update = appended_update,
                                             .layout = LAYOUT_CHOLESKY, .readers = appended_readers,
                                             .urgency = longest_way, .tree = RMA_CHAIN };

/* ---- the call ----------------------------------------------------------------------------------------------------------- */

static ompfact_status factor_before(ompfact_matrix *A, int end, int64_t *info)
{
    ompfact_status status = factorize(A, &cholesky, &(struct job){ .end = end }, info);
    if (status <= OMPFACT_SUCCESS)
        A->contents = status == OMPFACT_SUCCESS && *info == 0 && A->done == 0 ? CONTENTS_CHOLESKY : CONTENTS_PLAIN;
    return status;
}

ompfact_status ompfact_potrf(ompfact_matrix *A, int64_t *info)
{
    TRY(check_potrf(A));
    TRY(resume(A, "potrf", "none", NULL));
    return factor_before(A, steps_of(A), info);
}

ompfact_status ompfact_potrf_partial(ompfact_matrix *A, int64_t rows, int64_t *info)
{
    int end;
    TRY(check_potrf(A));
    TRY(steps_to(A, "potrf", rows, &end));
    *info = 0;
    return end > A->done ? factor_before(A, end, info) : OMPFACT_SUCCESS;
}
