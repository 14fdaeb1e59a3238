/* Facts from D of a matrix that was factored with signs. */
#include "src/factor/signs.h"

#include <math.h>

struct found {
    int64_t counts[2];          /* negative, perturbed */
    double largest, scale;
};

/* Counts in the first steps. */
static ompfact_status look(ompfact_matrix *A, int steps, struct found *f)
{
    double most[2] = { 0, 0 };
    *f = (struct found){ .largest = 0 };
    for (int k = 0; k < steps; k++) {
        if (!owns(A, k, k))
            continue;
        const struct signed_block *b = signs_block(A, k);
        f->counts[0] += b->negative;
        f->counts[1] += b->perturbed;
        most[0] = larger_or_nan(b->largest, most[0]);
        most[1] = b->scale;
    }
    TRY(reduce_over_ranks(A->grid, most, 2, MPI_MAX));
    TRY_MPI(A->grid, rma_allreduce(A->grid->rma, f->counts, 2, MPI_INT64_T, MPI_SUM));
    f->largest = most[0];
    f->scale = most[1];
    return OMPFACT_SUCCESS;
}

/* Eigenvalues of a complex symmetric matrix have no signs. */
static ompfact_status without_signs(const ompfact_matrix *A, ompfact_inertia_counts *counts)
{
    if (is_symmetric(&A->shape))
        counts->positive = counts->negative = counts->zero = -1;
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_inertia(ompfact_matrix *A, ompfact_inertia_counts *counts)
{
    const struct signs *signs = signs_of(A);
    int steps = steps_done(A);
    int64_t n = A->rows.start[steps];
    struct found f;
    if (signs != NULL && A->contents == CONTENTS_PLAIN && signs->scale == 0 && A->shape.n > 0 && !is_in_part(A)) {
        *counts = (ompfact_inertia_counts){ .zero = A->shape.n, .growth = NAN };
        return without_signs(A, counts);
    }
    if (!holds_signs(A))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors of hetrf or sytrf");
    TRY(look(A, steps, &f));
    *counts = (ompfact_inertia_counts){ .positive = n - f.counts[0], .negative = f.counts[0], .perturbed = f.counts[1],
                                        .growth = A->shape.n == 0 ? 1 : f.scale > 0 ? f.largest / f.scale : NAN };
    return without_signs(A, counts);
}
