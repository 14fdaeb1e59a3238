/*
 * Appends rows and columns to a matrix with a Cholesky factor L in its first `kept` tile rows and columns:
 *
 *     ( A   B^H ) = ( L   ) ( L^H X^H )        X = B L^-H
 *     ( B   C   )   ( X M ) (     M^H )        C - X X^H = M M^H
 *
 * These are the steps of the whole factorization without the tasks that write tiles of L; the owners of these tiles publish
 * them.
 */
#include "src/factor/factor.h"

#include <inttypes.h>

static void appended_panel(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    if (k >= A->kept) {
        cholesky.panel(run, job, k);
        return;
    }
    for (int m = first_row(A, k, k); m < A->kept; m = next_row(A, m, k))
        task_release(run, final(A, m, k));                                                          /* L_mk is final */
    for (int m = first_row(A, k, A->kept); m < A->mt; m = next_row(A, m, k))
        task_trsm(run, RIGHT, LOWER, CONJ_TRANS, NON_UNIT, fetch(A, k, k), final(A, m, k));         /* X_mk = B_mk L_kk^-H */
}

static void appended_update(struct run *run, const struct job *job, int k, int n, int from, int to)
{
    cholesky.update(run, job, k, n, from > job->A->kept ? from : job->A->kept, to);
}

/* The readers of L_nk are the ranks with appended tiles in column n. */
int appended_readers(const struct layout *l, int kept, int i, int j, int *ranks, unsigned char *seen)
{
    if (i >= kept)
        return layout_readers(l, LAYOUT_CHOLESKY, i, j, ranks, seen);
    return others(ranks, layout_column_owners(l, i, kept, l->mt, ranks, seen), layout_owner(l, i, j));
}

static int readers(const struct job *job, const struct operand *o, int *ranks)
{
    return appended_readers(job->A->layout, job->A->kept, o->i, o->j, ranks, job->seen);
}

/* Tiles of L are not packed: each has few readers, which pack it for each product. */
static bool packs_appended(const ompfact_matrix *A, int i, int j)
{
    return i >= A->kept && packs_below_diagonal(A, i, j);
}

const struct algorithm cholesky_appended = { .name = "potrf", .panel = appended_panel, .update = appended_update,
                                             .layout = LAYOUT_CHOLESKY, .readers = readers, .packs = packs_appended,
                                             .urgency = longest_path, .tree = RMA_CHAIN };

ompfact_status factor_cholesky(ompfact_matrix *A, int end, int64_t *info)
{
    ompfact_status status = factorize(A, A->kept > 0 ? &cholesky_appended : &cholesky, &(struct job){ .end = end }, info);
    A->kept = 0;
    if (status <= OMPFACT_SUCCESS)
        A->contents = status == OMPFACT_SUCCESS && *info == 0 && A->done == 0 ? CONTENTS_CHOLESKY : CONTENTS_PLAIN;
    return status;
}

/* ---- the call ----------------------------------------------------------------------------------------------------------- */

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

/* Fills and factors the rows of B that A does not have. */
static ompfact_status factor_appended(ompfact_matrix *B, struct growing *g, int64_t *info)
{
    TRY(agree(B->grid, ompfact_fill_tiles(B, fill_tile, g)));
    B->kept = g->from->mt;
    return factor_cholesky(B, steps_of(B), info);
}

/* Copies a matrix that has grown often, or a matrix in copies, to one piece with regular tiles. */
static ompfact_status put_together(ompfact_matrix *A)
{
    ompfact_matrix *B;
    if (matrix_pieces(A) < MATRIX_PIECES && A->layers == NULL)
        return OMPFACT_SUCCESS;
    TRY(matrix_create_even(A, &B));
    ompfact_status status = ompfact_redistribute(A, B);
    B->report = A->report;
    if (status == OMPFACT_SUCCESS)
        matrix_become(A, &B);
    ompfact_matrix_destroy(&B);
    return status;
}

ompfact_status ompfact_potrf_append(ompfact_matrix *A, int64_t m, void (*fill)(void *context, const ompfact_tile *tile),
                                    void *context, int64_t *info)
{
    ompfact_matrix *B;
    TRY(check_append(A, m));
    *info = 0;
    if (m == 0)
        return OMPFACT_SUCCESS;
    TRY(put_together(A));       /* if the former call had no memory for it */
    TRY(matrix_create_larger(A, m, &B));
    ompfact_status status = factor_appended(B, &(struct growing){ A, fill, context }, info);
    if (status == OMPFACT_SUCCESS && *info == 0) {
        matrix_become(A, &B);
        put_together(A);        /* after success only, so that a failing call leaves A's tiles unchanged */
    }
    ompfact_matrix_destroy(&B);
    return status;
}
