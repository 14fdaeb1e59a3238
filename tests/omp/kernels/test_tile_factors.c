/* Factorizations of one tile, for all four types: factors multiplied back, failing pivots, memory that must stay untouched. No
   MPI. */
#include "tests/omp/kernels/test_kernels.h"

/* Fills a tile with a problem's entries, and the unused triangle of a Hermitian one with NaNs. */
static ompfact_tile tile_of(const struct problem *p)
{
    ompfact_tile t = new_tile((int)p->m, (int)p->n, 1);
    fill_tile((void *)p, &t);
    return t;
}

/* Multiplies the factors and compares. Columns from `until` on are not compared. */
static void check_factors(const struct problem *p, const ompfact_tile *F, int until)
{
    number *dense = calloc((size_t)(p->m * p->n), sizeof *dense);
    for (int c = 0; c < p->n; c++)
        for (int r = 0; r < p->m; r++)
            dense[r + c * p->m] = is_beyond(p, r, c) ? 0 : at(F, r, c);
    for (int c = 0; c < until; c++)
        for (int r = 0; r < p->m; r++)
            check_close(product_of_factors(p, dense, r, c), entry_of(p, r, c), 10.0 * (double)(p->m + p->n),
                        p->hermitian ? "potrf" : "getrf", r, c);
    free(dense);
}

static void check_beyond(const struct problem *p, const ompfact_tile *t)
{
    int touched = 0;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            touched += is_beyond(p, r, c) && !isnan(creal(at(t, r, c)));
    ck_assert_int_eq(touched, 0);
}

static int factor(const struct problem *p, const ompfact_tile *A)
{
    return k->potrf(p->upper ? UPPER : LOWER, A->nb, A->data, A->ld);
}

/* L L^H, or U^H U, is A. Beyond the diagonal nothing is read or written. */
START_TEST(potrf)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SIZES; s++)
        for (int upper = 0; upper < 2; upper++) {
            struct problem p = { .type = precision->type, .hermitian = true, .upper = upper, .m = sizes[s], .n = sizes[s],
                                 .seed = 5 };
            ompfact_tile A = tile_of(&p);
            ck_assert_int_eq(factor(&p, &A), 0);
            check_factors(&p, &A, sizes[s]);
            check_beyond(&p, &A);
            check_padding(&A);
            FREE(&A);
        }
}
END_TEST

/* The first leading minor that is not positive definite is found wherever it is, whether its pivot is negative or NaN. */
START_TEST(potrf_fails)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SIZES; s++)
        for (int fails = 1; fails <= sizes[s]; fails += fails < sizes[s] && sizes[s] > 20 ? 1 + sizes[s] / 11 : 1) {
            struct problem p = { .type = precision->type, .hermitian = true, .upper = fails % 2 == s % 2, .m = sizes[s],
                                 .n = sizes[s],
                                 .fails = fails, .fails_too = sizes[s] };
            ompfact_tile A = tile_of(&p);
            ck_assert_int_eq(factor(&p, &A), fails);
            check_beyond(&p, &A);
            p.fails = p.fails_too = 0;
            fill_tile(&p, &A);
            set(&A, fails - 1, fails - 1, NAN);
            ck_assert_int_eq(factor(&p, &A), fails);
            FREE(&A);
        }
}
END_TEST

/* L U is A, in square, tall and wide tiles. */
START_TEST(getrf)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SIZES; s++)
        for (int form = 0; form < 3; form++) {
            struct problem p = { .type = precision->type, .m = sizes[s], .n = sizes[s], .seed = 6 };
            if (form == 1)
                p.m = 3 * p.n / 2 + 1;
            else if (form == 2)
                p.n = 3 * p.m / 2 + 1;
            ompfact_tile A = tile_of(&p);
            ck_assert_int_eq(k->getrf((int)p.m, (int)p.n, A.data, A.ld), 0);
            check_factors(&p, &A, (int)p.n);
            check_padding(&A);
            FREE(&A);
        }
}
END_TEST

/* The first zero pivot is reported. Its column stays unscaled, and the columns to the right of it are still eliminated. */
START_TEST(getrf_continues)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SIZES; s++)
        for (int place = 0; place < 3; place++) {
            int n = sizes[s], fails = place == 0 ? 1 : place == 1 ? n / 2 + 1 : n, zero = fails - 1;
            struct problem p = { .type = precision->type, .m = n, .n = n, .seed = 7, .fails = fails, .fails_too = n };
            ompfact_tile A = tile_of(&p);
            ck_assert_int_eq(k->getrf(n, n, A.data, A.ld), fails);
            ck_assert(at(&A, zero, zero) == 0);
            check_factors(&p, &A, zero);
            for (int r = fails; r < n; r++) {       /* the column as elimination left it */
                number left = entry_of(&p, r, zero);
                for (int i = 0; i < zero; i++)
                    left -= at(&A, r, i) * at(&A, i, zero);
                check_close(at(&A, r, zero), left, 10 * n, "getrf", r, zero);
            }
            FREE(&A);
        }
}
END_TEST

/* A pivot that is larger than all numbers subtracted from it is rounded a few times, and not once for each earlier column. (The
   BLAS may update a single last column differently.) */
START_TEST(dominant_pivots)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SIZES; s++)
        for (int hermitian = 0; hermitian < 2 && sizes[s] % 64 != 1; hermitian++) {
            int n = sizes[s];
            struct problem p = { .type = precision->type, .hermitian = hermitian, .m = n, .n = n, .seed = 8 };
            ompfact_tile A = tile_of(&p);
            double worst = 0;
            ck_assert_int_eq(hermitian ? k->potrf(LOWER, n, A.data, A.ld) : k->getrf(n, n, A.data, A.ld), 0);
            for (int i = 0; i < n; i++) {
                number sum = 0, pivot = hermitian ? at(&A, i, i) * at(&A, i, i) : at(&A, i, i);
                for (int l = 0; l < i; l++)
                    sum += at(&A, i, l) * (hermitian ? conj(at(&A, i, l)) : at(&A, l, i));
                number error = entry_of(&p, i, i) - pivot - sum;
                worst = fmax(worst, cabs(error) / (precision->eps * cabs(entry_of(&p, i, i))));
            }
            ck_assert_msg(worst < 6, "%s, n = %d: %g eps", hermitian ? "potrf" : "getrf", n, worst);
            FREE(&A);
        }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { potrf, potrf_fails, getrf, getrf_continues, dominant_pivots };
    return run_for_all_types("tile factors", sizeof tests / sizeof tests[0], tests);
}
