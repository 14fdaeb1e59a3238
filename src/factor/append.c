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
