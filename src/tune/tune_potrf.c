/* Measures how fast a grid factors a matrix. */
#include "src/tune/tune.h"

#include <math.h>
#include <stdlib.h>

static void entry(void *context, int64_t i, int64_t j, void *value)
{
    *(double *)value = i == j ? *(const int *)context : 1.0 / (double)(1 + llabs(i - j));
}

double tune_potrf(ompfact_grid *grid, int n, int nb)
{
    enum { RUNS = 2 };
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *A = NULL;
    ompfact_shape shape = { .n = n, .nb = nb, .structure = OMPFACT_HERMITIAN_LOWER };
    double least = INFINITY;
    int64_t info = 0;
    if (ompfact_matrix_create(grid, &shape, &A) != OMPFACT_SUCCESS)
        return 0;
    for (int i = 0; i < RUNS; i++)
        if (ompfact_fill_entries(A, entry, &n) == OMPFACT_SUCCESS && ompfact_potrf(A, &info) == OMPFACT_SUCCESS && info == 0)
            least = fmin(least, ompfact_last_report(A).seconds);
    return isfinite(least) ? 1e-9 * n * (double)n * n / 3 / least : 0;
}
