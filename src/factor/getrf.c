/*
 * LU factorization by tiles (Golub, Van Loan, "Matrix Computations", sections 3.2.10 and 3.4; Beaumont et al., IPDPS 2023,
 * section III-A, for the readers of tiles).
 *
 *     P A = ( A_kk A_kn ) = ( L_kk     ) ( U_kk U_kn )        A_kk = L_kk U_kk
 *           ( A_mk A22  )   ( L_mk L22 ) (      U22  )        L_mk = A_mk U_kk^-1,  U_kn = L_kk^-1 A_kn
 *                                                             A22  - L_mk U_kn  is factored next
 *
 * A step is a panel, which is a block column, a block row, and the updates right of and below them; src/factor/schedule.c has
 * their order. With pivoting the panel begins with the search for pivots, and rows move in each column before its tile of the
 * block row is computed (pivot.h); rows of the columns left of the panel move at the end (exchange_left() or interchange.c).
 */
#include "src/factor/pivot.h"
#include "src/factor/snapshot.h"

static struct operand in_column(const struct job *job, struct operand tile)
{
    return job->pivoting != NULL ? of_column(tile) : tile;
}

static void column(struct run *run, const struct job *job, int k, int from)
{
    const ompfact_matrix *A = job->A;
    for (int m = first_row(A, k, from); m < A->mt; m = next_row(A, m, k))
        task_trsm(run, RIGHT, UPPER, NO_TRANS, NON_ZERO, fetch(A, k, k), final(A, m, k));           /* A_mk = A_mk U_kk^-1 */
}

static void panel(struct run *run, const struct job *job, int k)
{
    if (owns(job->A, k, k))
        task_getrf(run, final(job->A, k, k));                                                       /* A_kk = L_kk U_kk */
    column(run, job, k, k + 1);
}

static void row(struct run *run, const struct job *job, int k, int n)
{
    const ompfact_matrix *A = job->A;
    if (owns(A, k, n))                                                                              /* A_kn = L_kk^-1 A_kn */
        task_trsm(run, LEFT, LOWER, NO_TRANS, UNIT, fetch(A, k, k), in_column(job, final(A, k, n)));
}

static void update(struct run *run, const struct job *job, int k, int n, int from, int to)
{
    const ompfact_matrix *A = job->A;
    int first = first_row(A, n, from > k ? from : k + 1);
    if (first >= to)
        return;
    struct operand A_kn = fetch(A, k, n);
    for (int m = first; m < to; m = next_row(A, m, n))                                              /* A_mn -= A_mk A_kn */
        task_gemm(run, -1, NO_TRANS, fetch(A, m, k), NO_TRANS, A_kn, in_column(job, tile(A, m, n)));
}

const struct algorithm lu = { .name = "getrf", .panel = panel, .row = row, .update = update, .layout = LAYOUT_LU,
                              .packs = packs_below_diagonal, .compressible = true, .layered = true,
                              .summed = SUMS_ARE_COLUMNS, .scaled_by_factors = true, .urgency = longest_path,
                              .tree = RMA_FLAT, .continues = true };

static void pivoted_panel(struct run *run, const struct job *job, int k)
{
    if (find_pivots(run, job, k)) {
        take_factors(run, job, k);
        column(run, job, k, job->pivoting->mt);
    } else {
        exchange_rows(run, job, k, k);
        take_diagonal(run, job, k);
        column(run, job, k, k + 1);
    }
}

static const struct algorithm lu_pivoted = { .name = "getrf", .panel = pivoted_panel, .exchange = exchange_rows, .row = row,
                                             .update = update, .finish = exchange_left, .layout = LAYOUT_LU,
                                             .packs = packs_below_diagonal, .summed = SUMS_ARE_COLUMNS, .memory = pivoting_memory,
                                             .urgency = longest_path, .tree = RMA_CHAIN, .continues = true, .whole_columns = true,
                                             .keep = keep_pivots, .most_kept = most_pivots };

/* ---- the call ----------------------------------------------------------------------------------------------------------- */

/* Factors, and restores or saves checkpoints, unless this is a part of a factorization. */
static ompfact_status factorize_lu(ompfact_matrix *A, const struct algorithm *algorithm, const char *pivot,
                                   const struct job *with, int64_t *info)
{
    if (end_of(with) == steps_of(A))
        TRY(resume(A, "getrf", pivot, NULL));
    int done = A->done;
    if (with->pivoting != NULL)
        with->pivoting->first = done;
    TRY(factorize(A, algorithm, with, info));
    return done > 0 ? after_write(resumed_info(A, done, info)) : OMPFACT_SUCCESS;
}

static ompfact_status pivoted(ompfact_matrix *A, bool partial, int end, int64_t *info)
{
    struct pivoting *pivoting;
    TRY(check_dense(A));
    TRY(check_one_copy(A, "LU with pivoting"));
    TRY(pivoting_begin(A, partial, &pivoting));
    pivoting->end = end;
    pivoting->mt = end < steps_of(A) ? end : A->mt;
    struct job job = { .A = A, .pivoting = pivoting, .end = end };
    TRY(factorize_lu(A, &lu_pivoted, partial ? "partial" : "tournament", &job, info));
    TRY(after_write(pivoting_end(pivoting, A)));
    if (!pivoting->left_is_done)
        TRY(after_write(interchange_left(A, end)));
    A->left = A->done;
    for (int64_t i = A->rows.start[end]; A->done > 0 && i < shorter_side(A); i++)
        A->ipiv[i] = i;     /* rows that were not searched keep their places */
    return OMPFACT_SUCCESS;
}

static ompfact_status factor_before(ompfact_matrix *A, int end, int64_t *info)
{
    ompfact_pivot method = pivot_method(A->grid->pivot, rma_ranks(A->grid->rma));
    bool pivots = method != OMPFACT_PIVOT_NONE;
    if (A->done > 0 && A->pivoted != pivots)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "getrf of this matrix began %s pivoting and must continue so",
                    A->pivoted ? "with" : "without");
    ompfact_status status = pivots ? pivoted(A, method == OMPFACT_PIVOT_PARTIAL, end, info)
                                   : factorize_lu(A, &lu, "none", &(struct job){ .A = A, .end = end }, info);
    if (status > OMPFACT_SUCCESS)
        return status;
    if (status < OMPFACT_SUCCESS)
        A->done = A->left = 0;
    A->pivoted = pivots;
    A->contents = status == OMPFACT_SUCCESS && *info == 0 && A->done == 0 ? CONTENTS_LU : CONTENTS_PLAIN;
    return status;
}

ompfact_status ompfact_getrf(ompfact_matrix *A, int64_t *info)
{
    TRY(check_getrf(A));
    TRY(take_up(A, "getrf"));
    return factor_before(A, steps_of(A), info);
}

ompfact_status ompfact_getrf_partial(ompfact_matrix *A, int64_t rows, int64_t *info)
{
    int end;
    TRY(check_getrf(A));
    TRY(steps_to(A, "getrf", rows, &end));
    *info = 0;
    return end > A->done ? factor_before(A, end, info) : resumed_info(A, A->done, info);
}
