/*
 * Workspace queries: returns the workspace that a call needs. We need none, but another library may serve the call, also one of
 * another size. So we query ScaLAPACK's own routine, except for sub-matrices that it would refuse with a printed message. PDGELS,
 * PDORMQR and PDGETRI restrict where sub-matrices may begin; the other routines accept all that we accept.
 */
#include "src/scalapack/blacs.h"
#include "src/scalapack/call.h"

/* ---- where ScaLAPACK's own takes sub-matrices --------------------------------------------------------------------------- */

/* One dimension of an array: its rows or columns. */
struct start {
    int block;          /* block size */
    int inside;         /* offset in a block */
    int process;        /* row or column of the process grid, counted beyond its last */
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

/* Whether these rows of A and of B are on the same processes. */
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

/* WORK(1), which returns the length of WORK, and IWORK(1); for condition numbers of complex types RWORK(1), of reals. */
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

/* A size that overflows 32 bits there is no answer. */
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
