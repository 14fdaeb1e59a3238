/* What a QR factorization sends, from its loops: there are no closed counts, for the trees decide who sends what. */
#include "src/reflectors.h"

bool qr_needs(const ompfact_matrix *A, ompfact_tree tree, int ib, struct run_needs *needs)
{
    struct reflectors Q;
    struct travel t = { 0 };
    *needs = (struct run_needs){ .slot_bytes = matrix_largest_tile(A) };
    bool made = reflectors_plan(A, tree, ib, &Q) && travel_plan(&Q, A, &t);
    if (made) {
        struct job job = { .A = (ompfact_matrix *)A, .algorithm = &qr, .reflectors = &Q, .travel = &t, .trans = CONJ_TRANS };
        run_count(&(struct run_plan){ .loops = factor_loops, .context = &job }, &needs->tally);
        needs->bytes = reflectors_bytes(&Q) + travel_bytes(&t);
        size_t slot = travel_slot_bytes(&t);
        needs->slot_bytes = slot > needs->slot_bytes ? slot : needs->slot_bytes;
    }
    travel_forget(&t);
    reflectors_forget(&Q);
    return made && !needs->tally.no_memory;
}

bool qr_count(ompfact_matrix *A, ompfact_tree tree, int ib, struct qr_counts *counts)
{
    double flops = 0, most = 0;
    int me = A->me;
    bool counted = true;
    *counts = (struct qr_counts){ .flops_max_over_mean = 1 };
    for (A->me = 0; counted && A->me < A->ranks; A->me++) {
        struct run_needs needs;
        counted = qr_needs(A, tree, ib, &needs);
        if (!counted)
            break;
        counts->transfers += needs.tally.transfers;
        counts->transfer_bytes += needs.tally.transfer_bytes;
        flops += needs.tally.flops;
        most = needs.tally.flops > most ? needs.tally.flops : most;
    }
    A->me = me;
    if (flops > 0)
        counts->flops_max_over_mean = most * A->ranks / flops;
    return counted;
}
