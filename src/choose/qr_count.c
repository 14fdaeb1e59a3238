/* Counts what a QR factorization takes on one rank, from its loops, and makes the plan that qr_sums.c also uses. */
#include "src/choose/choose.h"
#include "src/choose/qr_plan.h"

#include <stdlib.h>

/* ---- the plan ------------------------------------------------------------------------------------------------------------- */

static bool find_typical(struct qr_plan *p)
{
    const ompfact_matrix *A = p->A;
    p->typical = malloc(((size_t)A->nt + 1) * sizeof *p->typical);
    for (int n = A->nt - 1; p->typical != NULL && n >= 0; n--) {
        int like = n + A->layout->cols;
        while (like < A->nt && tiling_size(&A->cols, like) != tiling_size(&A->cols, n))
            like += A->layout->cols;
        p->typical[n] = like < A->nt ? p->typical[like] : n;
    }
    return p->typical != NULL;
}

bool qr_plan_make(ompfact_matrix *A, ompfact_tree tree, int ib, struct qr_plan *p)
{
    char text[MESSAGE];
    *p = (struct qr_plan){ .A = A };
    if (shape_is_transposed(&A->shape)) {
        if (matrix_transposed_on_paper(A, &p->transposed, text) != OMPFACT_SUCCESS)
            return false;
        p->A = p->transposed;
    }
    return reflectors_plan(p->A, tree, ib, &p->Q) && travel_plan(&p->Q, p->A, &p->t) && find_typical(p);
}

void qr_plan_forget(struct qr_plan *p)
{
    free(p->typical);
    travel_free(&p->t);
    reflectors_free(&p->Q);
    ompfact_matrix_destroy(&p->transposed);
}

int *qr_plan_columns(const struct qr_plan *p)
{
    const ompfact_matrix *A = p->A;
    int *columns = calloc((size_t)A->nt + 1, sizeof *columns);
    for (int n = A->done; columns != NULL && n < A->nt; n++)
        columns[p->typical[n]]++;
    return columns;
}

/* ---- a walk --------------------------------------------------------------------------------------------------------------- */

/* Counts for rank A->me. */
struct walk {
    struct job job;                 /* first member: readers receive the walk as their job */
    const struct qr_plan *plan;
    int *left;                      /* [typical column]: columns of its kind right of the panel */
};

/* The steps of factor_loops(), without waits. V and T, which all columns of a kind read, count once. */
static void typical_loops(struct run *run, const void *context)
{
    struct walk *w = (struct walk *)context;
    const struct qr_plan *p = w->plan;
    const ompfact_matrix *A = p->A;
    int steps = steps_of(A);
    for (int k = w->job.first; k < steps; k++) {
        run_step(run, k, k);
        run_alike(run, 1);
        qr.panel(run, &w->job, k);
        w->left[p->typical[k]]--;
        for (int n = first_col(A, k + 1); n < A->nt; n = first_col(A, n + 1)) {
            if (n != p->typical[n] || w->left[n] == 0)
                continue;
            run_alike(run, w->left[n]);
            qr.update(run, &w->job, k, n, k + 1, A->mt);
        }
    }
}

/* False: no memory. */
static bool tally(const struct qr_plan *p, struct run_tally *tally)
{
    struct walk w = { .plan = p, .left = qr_plan_columns(p),
                      .job = { .A = p->A, .algorithm = &qr, .reflectors = &p->Q, .travel = (struct travel *)&p->t,
                               .trans = CONJ_TRANS, .first = p->A->done, .seen = calloc((size_t)p->A->ranks, 1) } };
    bool made = w.left != NULL && w.job.seen != NULL;
    if (made)
        run_count(&(struct run_plan){ .loops = typical_loops, .context = &w, .readers = job_readers }, NULL, tally);
    free(w.left);
    free(w.job.seen);
    return made && !tally->no_memory;
}

bool qr_needs(const ompfact_matrix *A, ompfact_tree tree, int ib, struct run_needs *needs)
{
    struct qr_plan p;
    *needs = (struct run_needs){ .slot_bytes = matrix_largest_tile(A) };
    bool made = qr_plan_make((ompfact_matrix *)A, tree, ib, &p) && tally(&p, &needs->tally);
    if (made) {
        needs->bytes = reflectors_bytes(&p.Q) + travel_bytes(&p.t);
        size_t slot = travel_slot_bytes(&p.t);
        needs->slot_bytes = slot > needs->slot_bytes ? slot : needs->slot_bytes;
    }
    qr_plan_forget(&p);
    return made;
}
