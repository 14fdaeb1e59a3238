/*
 * Workspace queries: returns the workspace that a call needs. We need none, but another library may serve the call, also one of
 * another size. So we query ScaLAPACK's own routine, except for sub-matrices that it would refuse with a printed message. PDGELS,
 * PDORMQR and PDGETRI restrict where sub-matrices may begin; the other routines accept all that we accept.
 */
#include "src/scalapack/blacs.h"
#include "src/scalapack/call.h"

/* ---- where ScaLAPACK's own takes sub-matrices --------------------------------------------------------------------------- */

/* Whether both sub-matrices begin at the same offset in equal blocks. */
static bool are_alike(struct cyclic a, struct cyclic b)
{
    return a.block == b.block && a.before % a.block == b.before % b.block;
}

/* The row of the process grid, counted beyond its last, where the rows begin. */
static int64_t process_row(struct cyclic rows)
{
    return rows.source + rows.before / rows.block;
}

/* Whether these rows of A and of B are on the same processes. */
static bool are_rows_together(const struct call *c)
{
    int nprow, npcol, myrow, mycol;
    struct cyclic a = cyclic_rows(c, ARRAY_A), b = cyclic_rows(c, ARRAY_B);
    blacs_grid(desc_of(c, ARRAY_A)[CTXT_], &nprow, &npcol, &myrow, &mycol);
    return are_alike(a, b) && process_row(a) % nprow == process_row(b) % nprow;
}

static bool takes_system(const struct call *c)
{
    bool tall = rows_of(c, ARRAY_A) >= cols_of(c, ARRAY_A);
    return tall ? are_rows_together(c) : are_alike(cyclic_cols(c, ARRAY_A), cyclic_rows(c, ARRAY_B));
}

static bool takes_product(const struct call *c)
{
    bool left = letter_of(c, SIDE) == 'L';
    return left ? are_rows_together(c) : are_alike(cyclic_rows(c, ARRAY_A), cyclic_cols(c, ARRAY_B));
}

static bool takes_inverse(const struct call *c)
{
    struct cyclic rows = cyclic_rows(c, ARRAY_A), cols = cyclic_cols(c, ARRAY_A);
    return are_alike(rows, cols) && rows.before % rows.block == 0;
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
    element_set(c->type, c->of[WORK], work, 0);
    if (c->of[IWORK] != NULL && element_is_complex(c->type) && c->of[RCOND] != NULL)
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
