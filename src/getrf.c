/*
 * LU factorization without pivoting, by tiles (Golub, Van Loan, "Matrix Computations", section 3.2.10; Beaumont et
 * al., IPDPS 2023, section III-A, for who reads what).
 *
 *     A = ( A_kk A_kn ) = ( L_kk     ) ( U_kk U_kn )        A_kk = L_kk U_kk
 *         ( A_mk A22  )   ( L_mk L22 ) (      U22  )        L_mk = A_mk U_kk^-1,  U_kn = L_kk^-1 A_kn
 *                                                           A22  - L_mk U_kn  is factored next
*
 * A step is a panel, here a block column and a block row, and the updates right of and below it; src/schedule.c orders them.
 */
#include "src/matrix.h"

static void panel(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    if (owns(A, k, k))
        task_getrf(run, final(A, k, k));                                                            /* A_kk = L_kk U_kk */
    for (int m = first_row(A, k, k + 1); m < A->mt; m = next_row(A, m, k))
        task_trsm(run, RIGHT, UPPER, NO_TRANS, NON_UNIT, fetch(A, k, k), final(A, m, k));           /* A_mk = A_mk U_kk^-1 */
    for (int n = first_col(A, k + 1); n < A->nt; n = first_col(A, n + 1))
        if (owns(A, k, n))
            task_trsm(run, LEFT, LOWER, NO_TRANS, UNIT, fetch(A, k, k), final(A, k, n));            /* A_kn = L_kk^-1 A_kn */
}

static void update(struct run *run, const struct job *job, int k, int n, int from, int to)
{
    const ompfact_matrix *A = job->A;
    for (int m = first_row(A, n, from > k ? from : k + 1); m < to; m = next_row(A, m, n))
        task_gemm(run, -1, NO_TRANS, fetch(A, m, k), NO_TRANS, fetch(A, k, n), tile(A, m, n));      /* A_mn -= A_mk A_kn */
}

const struct algorithm lu = { .panel = panel, .update = update, .layout = LAYOUT_LU, .go_on = true };

/* Tiles on the diagonal are square, but for the last one. */
static bool diagonal_is_square(const ompfact_matrix *A)
{
    int last = (A->mt < A->nt ? A->mt : A->nt) - 1;
    for (int k = 0; k < last; k++)
        if (tiling_size(&A->rows, k) != tiling_size(&A->cols, k))
            return false;
    return true;
}

ompfact_status ompfact_getrf(ompfact_matrix *A, int64_t *info)
{
    if (A->shape.structure != OMPFACT_GENERAL)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "getrf needs a matrix made as OMPFACT_GENERAL");
    if (!diagonal_is_square(A))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "getrf needs square tiles on the diagonal: row heights equal to column widths");
    A->contents = CONTENTS_PLAIN;
    TRY(factorize(A, &lu, info));
    A->contents = *info == 0 ? CONTENTS_LU : CONTENTS_PLAIN;
    return OMPFACT_SUCCESS;
}
