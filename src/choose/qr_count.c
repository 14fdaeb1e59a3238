/*
 * What a QR factorization sends, from its loops: there are no closed counts, for the trees decide who sends what. Behind a panel
 * tile columns that are as wide and lie on the same column of the pattern have the same tasks, but for the names of what travels
 * in each. So one of a kind is walked and counts for all, what is read for all of them (V and T) counts once, and the time goes
 * with the pattern's columns instead of the matrix's.
 */
#include "src/choose/choose.h"
#include "src/factor/reflectors.h"

#include <stdlib.h>

/* The matrix that is factored: A, or on paper A^H. */
struct counted {
    ompfact_matrix *A, *transposed;
    struct reflectors Q;
    struct travel t;
    int *typical;           /* [column]: the last one of its kind */
    const struct rma_nodes *nodes;
    const struct watcher *watcher;
    double before, share;   /* of all work: what was done before this walk, and what it is */
};

/* One walk, of rank A->me. */
struct walk {
    struct job job;                 /* first: readers get the walk as their job */
    const struct counted *c;
    int *left;                      /* [typical column]: columns of its kind behind the panel */
};

/* ---- kinds of columns ------------------------------------------------------------------------------------------------------ */

static bool find_typical(struct counted *c)
{
    const ompfact_matrix *A = c->A;
    c->typical = malloc(((size_t)A->nt + 1) * sizeof *c->typical);
    for (int n = A->nt - 1; c->typical != NULL && n >= 0; n--) {
        int like = n + A->layout->cols;
        while (like < A->nt && tiling_size(&A->cols, like) != tiling_size(&A->cols, n))
            like += A->layout->cols;
        c->typical[n] = like < A->nt ? c->typical[like] : n;
    }
    return c->typical != NULL;
}

static bool plan(ompfact_matrix *A, ompfact_tree tree, int ib, struct counted *c)
{
    char text[MESSAGE];
    *c = (struct counted){ .A = A, .share = 1 };
    if (shape_is_transposed(&A->shape)) {
        if (matrix_transposed_on_paper(A, &c->transposed, text) != OMPFACT_SUCCESS)
            return false;
        c->A = c->transposed;
    }
    return reflectors_plan(c->A, tree, ib, &c->Q) && travel_plan(&c->Q, c->A, &c->t) && find_typical(c);
}

static void forget(struct counted *c)
{
    free(c->typical);
    travel_forget(&c->t);
    reflectors_forget(&c->Q);
    ompfact_matrix_destroy(&c->transposed);
}

/* ---- a walk ---------------------------------------------------------------------------------------------------------------- */

/* The steps of factor_loops(), as they are submitted where nothing waits. */
static void typical_loops(struct run *run, const void *context)
{
    struct walk *w = (struct walk *)context;
    const struct counted *c = w->c;
    const ompfact_matrix *A = c->A;
    int steps = steps_of(A);
    for (int k = 0; k < w->job.first; k++)
        w->left[c->typical[k]]--;
    for (int k = w->job.first; k < steps; k++) {
        run_step(run, k, k);
        run_alike(run, 1);
        qr.panel(run, &w->job, k);
        w->left[c->typical[k]]--;
        for (int n = first_col(A, k + 1); n < A->nt; n = first_col(A, n + 1)) {
            if (n != c->typical[n] || w->left[n] == 0)
                continue;
            run_alike(run, w->left[n]);
            qr.update(run, &w->job, k, n, k + 1, A->mt);
        }
        double rest = (double)(steps - k - 1) / steps;     /* of columns, and about as much of rows */
        if (c->watcher != NULL)
            c->watcher->look(c->watcher->context, c->before + c->share * (1 - rest * rest));
    }
}

/* Of rank c->A->me. False: no memory. */
static bool tally(const struct counted *c, struct run_tally *tally)
{
    struct walk w = { .c = c, .left = calloc((size_t)c->A->nt + 1, sizeof *w.left),
                      .job = { .A = c->A, .algorithm = &qr, .reflectors = &c->Q, .travel = (struct travel *)&c->t,
                              .trans = CONJ_TRANS, .first = c->A->done, .seen = calloc((size_t)c->A->ranks, 1) } };
    struct rma_nodes nodes = { 0 };
    if (c->nodes != NULL) {
        nodes = *c->nodes;
        nodes.rank = c->A->me;
    }
    bool made = w.left != NULL && w.job.seen != NULL;
    for (int n = 0; made && n < c->A->nt; n++)
        w.left[c->typical[n]]++;
    if (made)
        run_count(&(struct run_plan){ .loops = typical_loops, .context = &w, .readers = job_readers, .routes = true },
                  c->nodes != NULL ? &nodes : NULL, tally);
    free(w.left);
    free(w.job.seen);
    return made && !tally->no_memory;
}

/* ---- counts ---------------------------------------------------------------------------------------------------------------- */

bool qr_needs(const ompfact_matrix *A, ompfact_tree tree, int ib, struct run_needs *needs)
{
    struct counted c;
    *needs = (struct run_needs){ .slot_bytes = matrix_largest_tile(A) };
    bool made = plan((ompfact_matrix *)A, tree, ib, &c) && tally(&c, &needs->tally);
    if (made) {
        needs->bytes = reflectors_bytes(&c.Q) + travel_bytes(&c.t);
        size_t slot = travel_slot_bytes(&c.t);
        needs->slot_bytes = slot > needs->slot_bytes ? slot : needs->slot_bytes;
    }
    forget(&c);
    return made;
}

bool qr_count(ompfact_matrix *A, ompfact_tree tree, int ib, const struct rma_nodes *nodes, const struct watcher *watcher,
              struct qr_counts *counts)
{
    struct counted c;
    double flops = 0, most = 0, longest = 0, together = 0;
    const double *speeds = A->shape.speeds;
    bool made = plan(A, tree, ib, &c);
    int me = c.A->me;
    *counts = (struct qr_counts){ .flops_max_over_mean = 1, .abe_max_over_mean = 1 };
    c.nodes = nodes;
    c.watcher = watcher;
    c.share = 1.0 / c.A->ranks;
    for (c.A->me = 0; made && c.A->me < c.A->ranks; c.A->me++) {
        struct run_tally tallied;
        c.before = c.share * c.A->me;
        made = tally(&c, &tallied);
        counts->transfers += tallied.transfers;
        counts->transfer_bytes += tallied.transfer_bytes;
        counts->wire_transfers += tallied.wire_transfers;
        counts->wire_bytes += tallied.wire_bytes;
        flops += tallied.flops;
        double speed = speeds == NULL ? 1 : speeds[c.A->me];
        most = tallied.flops > most ? tallied.flops : most;
        longest = tallied.flops / speed > longest ? tallied.flops / speed : longest;
        together += speed;
    }
    c.A->me = me;
    if (flops > 0) {
        counts->flops_max_over_mean = most * c.A->ranks / flops;
        counts->abe_max_over_mean = longest * together / flops;
    }
    forget(&c);
    return made;
}
