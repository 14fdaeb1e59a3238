/* What a QR factorization sends, from its loops: there are no closed counts, for the trees decide who sends what. */
#include "src/reflectors.h"

/* The matrix that is factored: A, or on paper A^H. */
struct counted {
    ompfact_matrix *A, *transposed;
    struct reflectors Q;
    struct travel t;
};

static bool plan(ompfact_matrix *A, ompfact_tree tree, int ib, struct counted *c)
{
    char text[MESSAGE];
    *c = (struct counted){ .A = A };
    if (shape_is_transposed(&A->shape)) {
        if (matrix_transposed_on_paper(A, &c->transposed, text) != OMPFACT_SUCCESS)
            return false;
        c->A = c->transposed;
    }
    return reflectors_plan(c->A, tree, ib, &c->Q) && travel_plan(&c->Q, c->A, &c->t);
}

static void forget(struct counted *c)
{
    travel_forget(&c->t);
    reflectors_forget(&c->Q);
    ompfact_matrix_destroy(&c->transposed);
}

/* Of rank c->A->me. False: no memory. */
static bool tally(const struct counted *c, struct run_tally *tally)
{
    struct job job = { .A = c->A, .algorithm = &qr, .reflectors = &c->Q, .travel = &c->t, .trans = CONJ_TRANS };
    run_count(&(struct run_plan){ .loops = factor_loops, .context = &job }, tally);
    return !tally->no_memory;
}

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

bool qr_count(ompfact_matrix *A, ompfact_tree tree, int ib, struct qr_counts *counts)
{
    struct counted c;
    double flops = 0, most = 0, longest = 0, together = 0;
    const double *speeds = A->shape.speeds;
    bool made = plan(A, tree, ib, &c);
    int me = c.A->me;
    *counts = (struct qr_counts){ .flops_max_over_mean = 1, .abe_max_over_mean = 1 };
    for (c.A->me = 0; made && c.A->me < c.A->ranks; c.A->me++) {
        struct run_tally tallied;
        made = tally(&c, &tallied);
        counts->transfers += tallied.transfers;
        counts->transfer_bytes += tallied.transfer_bytes;
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
