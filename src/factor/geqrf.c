/*
 * QR factorization by tiles, with one block of reflectors for the tiles of a rank in a column (Golub, Van Loan, "Matrix
 * Computations", section 5.2; Demmel, Grigori, Hoemmen, Langou, "Communication-optimal parallel and sequential QR and LU
 * factorizations", 2012).
 *
 *     A = Q ( R_kk R_kn )       panel    ( A_kk )  = Q_k ( R_kk )        Q = Q_0 Q_1 ...
 *           (      A22  )                ( A_mk )        (  0   )
 *                               update   ( A_kn )  = Q_k^H ( A_kn )      A_mn is factored next
 *                                        ( A_mn )          ( A_mn )
 *
 * A panel is factored in parts, one on each rank with tiles of it. The triangles of the parts are then merged along a tree.
 * reflectors.h describes this, and reflect_column(), which does the update.
 */
#include "src/factor/reflectors.h"
#include "src/factor/saved_panels.h"

static void factor_domain(struct run *run, const struct job *job, int k, int f)
{
    const ompfact_matrix *A = job->A;
    const struct reflectors *Q = job->reflectors;
    const struct domain *d = &Q->panel[k].domain[f];
    struct operand stack = stack_of(job, k);
    for (int m = d->top; m < A->mt; m = next_row(A, m, k))
        task_stack(run, m == d->top, peek(A, m, k), stack);
    task_geqrt(run, Q->ib, d->rows, stack, with_access(FINAL, square_of(job, SQUARE_T, k, f)));         /* ( A_mk ) = Q ( R ) */
    stack.access = READ;
    if (Q->panel[k].domains > 1)
        task_triangle(run, stack, with_access(UPDATE, square_of(job, SQUARE_R, k, f)));
    int64_t row = 0;
    for (int m = d->top; m < A->mt; row += tiling_size(&A->rows, m), m = next_row(A, m, k))
        task_unstack(run, row, 0, stack, final(A, m, k));
}

/* Factors R_a above R_b, on the rank of R_a. */
static void factor_merge(struct run *run, const struct job *job, int k, int f, const struct qr_merge *merge)
{
    struct operand V = square_of(job, SQUARE_V, k, f);
    task_tpqrt(run, job->reflectors->ib, square_of(job, SQUARE_R, k, merge->from),
               with_access(UPDATE, square_of(job, SQUARE_R, k, merge->into)), with_access(UPDATE, V),
               with_access(FINAL, square_of(job, SQUARE_T, k, f)));
    task_release(run, with_access(FINAL, V));
}

static void factor_panel(struct run *run, const struct job *job, int k)
{
    const struct panel_tree *p = &job->reflectors->panel[k];
    for (int f = 0; f < p->domains; f++) {
        if (p->domain[f].rank != job->A->me)
            continue;
        factor_domain(run, job, k, f);
        for (int i = 0; i < p->domains - 1; i++)
            if (p->merge[i].into == f)
                factor_merge(run, job, k, p->domains + i, &p->merge[i]);
        if (f > 0)
            task_release(run, with_access(FINAL, square_of(job, SQUARE_R, k, f)));
    }
}

static void update(struct run *run, const struct job *job, int k, int n, int from, int to)
{
    (void)from;
    (void)to;
    reflect_column(run, job, k, n);
}

const struct algorithm qr = { .name = "geqrf", .keep = keep_panel, .most_kept = most_of_panels,
                              .panel = factor_panel, .update = update, .readers = panel_readers, .memory = reflectors_memory,
                              .urgency = longest_path, .tree = RMA_CHAIN, .continues = true, .whole_columns = true,
                              .exchanges = true, .packs = packs_reflectors, .summed = SUMS_ARE_COLUMNS, .mixes_rows = true };

/* ---- the call ----------------------------------------------------------------------------------------------------------- */

ompfact_status ompfact_geqrf(ompfact_matrix *A)
{
    int64_t info;
    TRY(check_geqrf(A, false));
    TRY(check_one_copy(A, "geqrf"));
    TRY(resume(A, "geqrf", "none", restore_panels));
    struct reflectors *Q;
    TRY(reflectors_get(A, &Q));
    struct job job = { .reflectors = Q, .travel = Q->travel, .trans = CONJ_TRANS };
    ompfact_status status = factorize(A, &qr, &job, &info);
    if (status > OMPFACT_SUCCESS)
        return status;
    if (status == OMPFACT_SUCCESS)
        put_triangles(A, Q);
    A->pivoted = false;
    A->contents = status == OMPFACT_SUCCESS ? CONTENTS_QR : CONTENTS_PLAIN;
    return status;
}
