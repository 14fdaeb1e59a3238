/* Symmetric indefinite factorization by tiles. */
#include "src/factor/factor.h"

ompfact_status ompfact_hetrf(ompfact_matrix *A, int64_t *info)
{
    (void)info;
    return fail(A->grid, OMPFACT_BAD_ARGUMENT, "hetrf is not built yet");
}

ompfact_status ompfact_sytrf(ompfact_matrix *A, int64_t *info)
{
    (void)info;
    return fail(A->grid, OMPFACT_BAD_ARGUMENT, "sytrf is not built yet");
}

ompfact_status ompfact_hetrs(ompfact_matrix *A, ompfact_matrix *B)
{
    (void)B;
    return fail(A->grid, OMPFACT_BAD_ARGUMENT, "hetrs is not built yet");
}

ompfact_status ompfact_sytrs(ompfact_matrix *A, ompfact_matrix *B)
{
    (void)B;
    return fail(A->grid, OMPFACT_BAD_ARGUMENT, "sytrs is not built yet");
}

ompfact_status ompfact_inertia(ompfact_matrix *A, ompfact_inertia_counts *counts)
{
    (void)counts;
    return fail(A->grid, OMPFACT_BAD_ARGUMENT, "inertia is not built yet");
}
