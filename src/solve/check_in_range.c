/*
 * Test ratios for norms outside the range of the type. Ratios of s A, t X and s B are those of A, X and B, and powers of two
 * round nothing. For solutions the check uses copies whose largest elements are about 1, so that no product of two norms, or of
 * residuals and columns, overflows or underflows. For factors, whose errors have the scale of A, it scales the norms alone.
 */
#include "src/solve/check_in_range.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* ---- how far ------------------------------------------------------------------------------------------------------------ */

enum { OF_ZEROS = INT_MIN, OF_NO_NUMBERS = INT_MAX };

/* The exponent of the largest modulus. Collective. */
static ompfact_status largest_exponent(ompfact_matrix *A, int *exponent)
{
    double largest;
    TRY(largest_modulus(A, &largest));
    *exponent = largest == 0 ? OF_ZEROS : isfinite(largest) ? ilogb(largest) : OF_NO_NUMBERS;
    return OMPFACT_SUCCESS;
}

static bool is_near(const ompfact_matrix *A, int exponent)
{
    return abs(exponent) < -ilogb(A->precision->smallest) / 4;
}

ompfact_status range_exponent(ompfact_matrix *A, int *exponent)
{
    int a;
    TRY(largest_exponent(A, &a));
    *exponent = a == OF_ZEROS || a == OF_NO_NUMBERS || is_near(A, a) ? 0 : -a;
    return OMPFACT_SUCCESS;
}

/* ---- scaling ------------------------------------------------------------------------------------------------------------ */

struct power {
    const ompfact_matrix *A;
    int exponent;
};

static void scale_tile(void *context, const ompfact_tile *t)
{
    const struct power *power = context;
    const struct precision *p = power->A->precision;
    enum uplo part = part_used(power->A, t->i, t->j);
    for (int64_t j = 0; j < t->nb; j++)
        for (int64_t i = 0; i < t->mb; i++)
            if (part == GENERAL || (part == UPPER ? i <= j : i >= j)) {
                void *element = (char *)t->data + (size_t)(i + j * t->ld) * p->size;
                double re, im;
                p->get(element, &re, &im);
                p->set(element, ldexp(re, power->exponent), ldexp(im, power->exponent));
            }
}

/* Filling a dense matrix cannot fail. */
void scale_by_power(ompfact_matrix *A, int exponent)
{
    if (exponent != 0)
        ompfact_fill_tiles(A, scale_tile, &(struct power){ A, exponent });
}

ompfact_status norm1_of_scaled(ompfact_matrix *A, int exponent, double *norm)
{
    scale_by_power(A, exponent);
    ompfact_status status = ompfact_norm1(A, norm);
    scale_by_power(A, -exponent);
    return status;
}

/* ---- solutions ---------------------------------------------------------------------------------------------------------- */

static ompfact_status copy_scaled(ompfact_matrix *A, int exponent, ompfact_matrix **copy)
{
    TRY(ompfact_matrix_create_like(A, copy));
    TRY(ompfact_redistribute(A, *copy));
    scale_by_power(*copy, exponent);
    return OMPFACT_SUCCESS;
}

/* B is not scaled; its result is scaled back. X's copy borrows its memory for partial sums. */
static ompfact_status judge_scaled(judge_ratio *judge, ompfact_matrix *A, int of_A, ompfact_matrix *X, int of_X,
                                   ompfact_matrix *B, double *ratio)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *As = NULL, *Xs = NULL;
    TRY(copy_scaled(A, of_A, &As));
    TRY(copy_scaled(X, of_X, &Xs));
    struct ompfact_matrix *own = Xs->work;
    Xs->work = X->work;
    if (B != NULL)
        scale_by_power(B, of_A + of_X);
    ompfact_status status = judge(As, Xs, B, ratio);
    if (B != NULL)
        scale_by_power(B, -of_A - of_X);
    Xs->work = own;
    return B != NULL ? after_write(status) : status;
}

ompfact_status judge_in_range(judge_ratio *judge, ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio)
{
    int a, x, b = 0;
    TRY(largest_exponent(A, &a));
    TRY(largest_exponent(X, &x));
    if (B != NULL)
        TRY(largest_exponent(B, &b));
    bool whole = a != OF_ZEROS && x != OF_ZEROS && a != OF_NO_NUMBERS && x != OF_NO_NUMBERS && b != OF_NO_NUMBERS;
    if (!whole || (is_near(A, a) && is_near(A, x) && (b == OF_ZEROS || is_near(A, b))))
        return judge(A, X, B, ratio);
    /* The larger one of A X and B becomes about 1; A times its inverse is about 1 already. */
    int product = B == NULL ? 0 : b != OF_ZEROS && b > a + x ? b : a + x;
    return judge_scaled(judge, A, -a, X, a - product, B, ratio);
}
