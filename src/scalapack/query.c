/*
 * Workspaces: how much of them is wanted. We need none, but the call may go on to somebody who does, also one of another size. So
 * ScaLAPACK's own routine is asked, but not where it would refuse the sub-matrices, for it prints that. Where they may begin it
 * is in PDGELS, PDORMQR and PDGETRI; the others take all that we take.
 */
#include "src/scalapack/blacs.h"
#include "src/scalapack/call.h"

/* ---- where ScaLAPACK's own takes sub-matrices --------------------------------------------------------------------------- */

/* Of an array's rows or columns. */
struct start {
    int block;          /* of how many */
    int inside;         /* how far in a block */
    int process;        /* row or column of the grid, counted on beyond its last */
};

static struct start first_row(const struct call *c, enum word array)
{
    int block = desc_of(c, array)[MB_], before = first_row_of(c, array) - 1;
    return (struct start){ block, before % block, desc_of(c, array)[RSRC_] + before / block };
}

static struct start first_col(const struct call *c, enum word array)
{
    int block = desc_of(c, array)[NB_], before = first_col_of(c, array) - 1;
    return (struct start){ block, before % block, desc_of(c, array)[CSRC_] + before / block };
}

static bool are_alike(struct start a, struct start b)
{
    return a.block == b.block && a.inside == b.inside;
}

/* Rows of A and of B that are on the same processes. */
static bool are_rows_together(const struct call *c)
{
    int nprow, npcol, myrow, mycol;
    struct start a = first_row(c, ARRAY_A), b = first_row(c, ARRAY_B);
    blacs_grid(desc_of(c, ARRAY_A)[CTXT_], &nprow, &npcol, &myrow, &mycol);
    return are_alike(a, b) && a.process % nprow == b.process % nprow;
}

static bool takes_system(const struct call *c)
{
    bool tall = rows_of(c, ARRAY_A) >= cols_of(c, ARRAY_A);
    return tall ? are_rows_together(c) : are_alike(first_col(c, ARRAY_A), first_row(c, ARRAY_B));
}

static bool takes_product(const struct call *c)
{
    bool left = letter_of(c, SIDE) == 'L';
    return left ? are_rows_together(c) : are_alike(first_row(c, ARRAY_A), first_col(c, ARRAY_B));
}

static bool takes_inverse(const struct call *c)
{
    struct start row = first_row(c, ARRAY_A), col = first_col(c, ARRAY_A);
    return are_alike(row, col) && row.inside == 0;
}

static const struct particular {
    const struct routine *routine;
    bool (*takes)(const struct call *c);
} particular[] = {
    { &scalapack_gels, takes_system },
    { &scalapack_ormqr, takes_product },
    { &scalapack_unmqr, takes_product },
    { &scalapack_getri, takes_inverse },
};

static bool is_taken_by_next(const struct call *c)
{
    for (size_t i = 0; i < sizeof particular / sizeof particular[0]; i++)
        if (particular[i].routine == c->routine)
            return particular[i].takes(c);
    return true;
}

/* ---- questions and answers ---------------------------------------------------------------------------------------------- */

bool is_query(const struct call *c)
{
    return (c->of[LWORK] != NULL && number_of(c, LWORK) == -1) || (c->of[LIWORK] != NULL && number_of(c, LIWORK) == -1);
}

/* WORK(1), which tells how long WORK is to be, and IWORK(1): of a condition in complex types RWORK(1), of reals. */
static void set_work(const struct call *c, int work, int iwork)
{
    bool complex = c->type == 'c' || c->type == 'z';
    set_real(c, WORK, 0, work);
    if (complex)
        set_real(c, WORK, 1, 0);
    if (c->of[IWORK] != NULL && complex && c->of[RCOND] != NULL)
        set_real(c, IWORK, 0, iwork);
    else if (c->of[IWORK] != NULL)
        *(int *)c->of[IWORK] = iwork;
}

/* What overflows there (a 32-bit number) is no answer. */
void answer_query(struct call *c)
{
    bool asks = has_next(c) && is_taken_by_next(c);
    if (asks)
        hand_on(c);
    if (!asks || *(const int *)c->of[INFO] != 0 || !(real_of(c, WORK) >= 1)) {
        set_work(c, 1, 1);
        set_info(c, 0);
    }
}

void report_workspace(const struct call *c)
{
    int work = c->of[LWORK] != NULL ? number_of(c, LWORK) : 0, iwork = c->of[LIWORK] != NULL ? number_of(c, LIWORK) : 1;
    if (work >= 1 && iwork >= 1)
        set_work(c, work, iwork);
}
