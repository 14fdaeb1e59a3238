/*
 * A test ratio where norms leave the range of the type. Ratios stay what they are for s A, t X and s t B, and with powers of two
 * nothing is rounded: copies are judged whose largest elements are about 1, so that no product of two norms, or of residuals
 * and columns, over- or underflows.
 */
#include "src/solve/check_in_range.h"

#include "src/solve/trsm.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* The exponent of the largest modulus; INT_MIN of zeros, INT_MAX where it is infinite or NaN. Collective. */
static ompfact_status largest_exponent(ompfact_matrix *A, int *exponent)
{
    double *maxima, largest = 0;
    TRY(column_maxima(A, &maxima));
    for (int64_t j = 0; j < A->shape.n; j++)
        largest = larger_or_nan(largest, maxima[j]);
    free(maxima);
    *exponent = largest == 0 ? INT_MIN : isfinite(largest) ? ilogb(largest) : INT_MAX;
    return OMPFACT_SUCCESS;
}

/* A := 2^exponent A, in two steps, for the power alone may be out of range. */
static void scale_by_power(ompfact_matrix *A, int exponent)
{
    scale_tiles(A, ldexp(1, exponent / 2), 0, false);
    scale_tiles(A, ldexp(1, exponent - exponent / 2), 0, false);
}

/* X's copy borrows its memory for partial sums. */
static ompfact_status copy_scaled(ompfact_matrix *A, int exponent, ompfact_matrix **copy)
{
    TRY(ompfact_matrix_create_like(A, copy));
    ompfact_status status = ompfact_redistribute(A, *copy);
    if (status != OMPFACT_SUCCESS)
        ompfact_matrix_destroy(copy);
    else
        scale_by_power(*copy, exponent);
    return status;
}

/* B as it is: its result is scaled back. */
static ompfact_status judge_scaled(judge_ratio *judge, ompfact_matrix *A, int of_A, ompfact_matrix *X, int of_X,
                                   ompfact_matrix *B, double *ratio)
{
    ompfact_matrix *As = NULL, *Xs = NULL;
    ompfact_status status = copy_scaled(A, of_A, &As);
    if (status == OMPFACT_SUCCESS)
        status = copy_scaled(X, of_X, &Xs);
    if (status == OMPFACT_SUCCESS) {
        struct ompfact_matrix *own = Xs->work;
        Xs->work = X->work;
        scale_by_power(B, of_A + of_X);
        status = on_the_way(judge(As, Xs, B, ratio));
        scale_by_power(B, -of_A - of_X);
        Xs->work = own;
    }
    ompfact_matrix_destroy(&Xs);
    ompfact_matrix_destroy(&As);
    return status;
}

ompfact_status judge_in_range(judge_ratio *judge, ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio)
{
    int a, x, b, far = -ilogb(A->precision->smallest) / 4;
    TRY(largest_exponent(A, &a));
    TRY(largest_exponent(X, &x));
    TRY(largest_exponent(B, &b));
    bool whole = a != INT_MIN && x != INT_MIN && a != INT_MAX && x != INT_MAX && b != INT_MAX;
    bool near = abs(a) < far && abs(x) < far && (b == INT_MIN || abs(b) < far);
    if (!whole || near)
        return judge(A, X, B, ratio);
    int product = b != INT_MIN && b > a + x ? b : a + x;        /* the larger one of A X and B is to be about 1 */
    return judge_scaled(judge, A, -a, X, a - product, B, ratio);
}
