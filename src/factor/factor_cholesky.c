/* The calls of Cholesky's factorization: whole, in part, and with appended rows. */
#include "src/factor/snapshot.h"

#include <inttypes.h>

/* Does the steps from A->done to `end`, of all rows or of appended rows. */
static ompfact_status factor_cholesky(ompfact_matrix *A, int end, int64_t *info)
{
    ompfact_status status = factorize(A, A->kept > 0 ? &cholesky_appended : &cholesky, &(struct job){ .end = end }, info);
    A->kept = 0;
    if (status <= OMPFACT_SUCCESS)
        A->contents = status == OMPFACT_SUCCESS && *info == 0 && A->done == 0 ? CONTENTS_CHOLESKY : CONTENTS_PLAIN;
    return status;
}

ompfact_status ompfact_potrf(ompfact_matrix *A, int64_t *info)
{
    TRY(check_potrf(A));
    TRY(resume(A, "potrf", "none", NULL));
    return factor_cholesky(A, steps_of(A), info);
}

ompfact_status ompfact_potrf_partial(ompfact_matrix *A, int64_t rows, int64_t *info)
{
    int end;
    TRY(check_potrf(A));
    TRY(steps_to(A, "potrf", rows, &end));
    *info = 0;
    return end > A->done ? factor_cholesky(A, end, info) : OMPFACT_SUCCESS;
}

/* ---- appended rows --------------------------------------------------------------------------------------------------------- */

struct growing {
    const ompfact_matrix *from;
    void (*fill)(void *context, const ompfact_tile *tile);
    void *context;
};

static void fill_tile(void *context, const ompfact_tile *t)
{
    const struct growing *g = context;
    if (t->i >= g->from->mt || t->j >= g->from->nt)
        g->fill(g->context, t);
}

static ompfact_status check_append(ompfact_matrix *A, int64_t m)
{
    TRY(check_alike(A->grid, (const char *const[]){ "number of rows" }, &m, 1));
    TRY(check_parts(A));
    if (m < 0 || m > INT64_MAX / 2 - A->shape.n)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "%" PRId64 " rows cannot be appended", m);
    if (A->contents != CONTENTS_CHOLESKY)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "rows are appended to what ompfact_potrf() left with info 0");
    return OMPFACT_SUCCESS;
}

/* Copies a matrix that has grown often, or a matrix in copies, to one piece with regular tiles. */
static ompfact_status put_together(ompfact_matrix *A)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *B = NULL;
    if (matrix_pieces(A) < MATRIX_PIECES && A->layers == NULL)
        return OMPFACT_SUCCESS;
    TRY(matrix_create_even(A, &B));
    ompfact_status status = ompfact_redistribute(A, B);
    B->report = A->report;
    if (status == OMPFACT_SUCCESS)
        matrix_become(A, &B);
    return status;
}

ompfact_status ompfact_potrf_append(ompfact_matrix *A, int64_t m, void (*fill)(void *context, const ompfact_tile *tile),
                                    void *context, int64_t *info)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *B = NULL;
    TRY(check_append(A, m));
    *info = 0;
    if (m == 0)
        return OMPFACT_SUCCESS;
    TRY(put_together(A));       /* if the former call had no memory for it */
    TRY(matrix_create_larger(A, m, &B));
    struct growing rows = { A, fill, context };     /* that A does not have */
    TRY(agree(A->grid, ompfact_fill_tiles(B, fill_tile, &rows)));
    B->kept = A->mt;
    TRY(factor_cholesky(B, steps_of(B), info));
    if (*info == 0) {
        matrix_become(A, &B);
        put_together(A);        /* after success only, so that a failing call leaves A's tiles unchanged */
    }
    return OMPFACT_SUCCESS;
}
