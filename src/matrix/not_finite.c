/* The first NaN or infinity of a distributed matrix: each rank searches its own tiles, then the first place of all is
   chosen. */
#include "src/matrix/layers.h"

int64_t not_finite_in(const ompfact_matrix *A, const ompfact_tile *t)
{
    size_t place = A->precision->host->not_finite(part_used(A, t->i, t->j), t->mb, t->nb, t->data, t->ld);
    if (place == 0)
        return INT64_MAX;
    int64_t r = (int64_t)(place - 1) % t->mb, c = (int64_t)(place - 1) / t->mb;
    double re, im;
    A->precision->get((char *)t->data + A->precision->size * (size_t)(r + c * t->ld), &re, &im);
    return 2 * (t->row + r + (t->col + c) * A->shape.m) + (re == re && im == im);
}

ompfact_status ompfact_find_not_finite(ompfact_matrix *A, int64_t *row, int64_t *col, bool *nan)
{
    const ompfact_matrix *here = matrix_here(A);
    int64_t m = A->shape.m, first = A->compressed != NULL ? A->compressed->not_finite : INT64_MAX;
    for (int i = -1, j = -1; A->compressed == NULL && ompfact_next_tile(here, &i, &j);) {
        if (is_unused(A, i, j) || !is_here(here, i, j))
            continue;
        ompfact_tile t;
        matrix_view(here, i, j, &t);
        int64_t found = not_finite_in(A, &t);
        first = found < first ? found : first;
    }
    TRY_MPI(A->grid, rma_allreduce(A->grid->rma, &first, 1, MPI_INT64_T, MPI_MIN));
    bool any = first < INT64_MAX;
    *row = any ? first / 2 % m : -1;
    *col = any ? first / 2 / m : -1;
    *nan = any && first % 2 == 0;
    return OMPFACT_SUCCESS;
}
