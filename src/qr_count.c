/* What a QR factorization sends, from its loops: there are no closed counts, for the trees decide who sends what. */
#include "src/matrix.h"

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
