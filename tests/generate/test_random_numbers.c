/* Random entries. Sizes of deviations are in standard errors of a perfect generator, and 5 are practically never exceeded by
   chance. */
#include "tests/generate/one_entry.h"

#include <math.h>

enum { SIDE = 512, SAMPLES = SIDE * SIDE };

static double *sample(const char *spec, uint64_t seed, char type)
{
    const struct generator g = generator(spec, false, SIDE + 1, SIDE + 1, seed);
    double *x = malloc((SIDE + 1) * (SIDE + 1) * 2 * sizeof *x);
    generate_tile(&g, type, 0, 0, SIDE + 1, SIDE + 1, x, SIDE + 1);
    return x;
}

/* Mean and mean square are those of the distribution, and values are in its range. */
START_TEST(random_moments)
{
    static const struct {
        const char *spec;
        double mean, square, fourth, low, high;
    } known[] = {
        {"rand",  .5, 1 / 3., 1 / 5., 0x1p-53, 1 - 0x1p-53},
        {"rands", 0,  1 / 3., 1 / 5., -1 + 0x1p-52, 1 - 0x1p-52},
        {"randn", 0,  1, 3, -8.6, 8.6},
        {"randb", .5, .5, .5, 0, 1},
        {"randr", 0,  1, 1, -1, 1},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        for (int part = 0; part < 2; part++) {
            double *x = sample(known[k].spec, 11, 'z'), sum = 0, squares = 0;
            for (int e = 0; e < SAMPLES; e++) {
                const double v = x[2 * e + part];
                if (!(v >= known[k].low && v <= known[k].high))
                    ck_abort_msg("%s gave %.17g", known[k].spec, v);
                sum += v;
                squares += v * v;
            }
            const double n = SAMPLES, mean = known[k].mean, square = known[k].square;
            ck_assert_double_lt(fabs(sum / n - mean), 5 * sqrt((square - mean * mean) / n));
            ck_assert_double_le(fabs(squares / n - square), 5 * sqrt((known[k].fourth - square * square) / n));
            free(x);
        }
}
END_TEST

static void check_uncorrelated(const double *x, int x_step, const double *y, int y_step, int count, const char *what)
{
    double sum = 0;
    for (int e = 0; e < count; e++)
        sum += x[(size_t)e * (size_t)x_step] * y[(size_t)e * (size_t)y_step];
    ck_assert_msg(fabs(sum / count) < 5 / 3. / sqrt(count), "%s: %g", what, sum / count * 3);
}

/* Neighbouring rows, columns and seeds, the transpose, and real and imaginary parts are uncorrelated. */
START_TEST(random_correlations)
{
    for (uint64_t seed = 0; seed < 4; seed++) {
        double *x = sample("rands", seed, 'd'), *next = sample("rands", seed + 1, 'd'), *z = sample("rands", seed, 'z');
        check_uncorrelated(x, 1, x + 1, 1, SAMPLES, "rows");
        check_uncorrelated(x, 1, x + 2, 1, SAMPLES, "rows two apart");
        check_uncorrelated(x, 1, x + SIDE + 1, 1, SAMPLES, "columns");
        check_uncorrelated(x, 1, x + SIDE + 2, 1, SAMPLES, "diagonals");
        check_uncorrelated(x, 1, next, 1, SAMPLES, "seeds");
        check_uncorrelated(x, 1, next + 1, 1, SAMPLES, "seeds and rows");
        check_uncorrelated(x, 1, next + SIDE + 1, 1, SAMPLES, "seeds and columns");
        check_uncorrelated(z, 2, z + 1, 2, SAMPLES, "real and imaginary parts");
        check_uncorrelated(x + 1, 1, x + SIDE + 1, SIDE + 1, SIDE, "first column and first row");
        free(x);
        free(next);
        free(z);
    }
}
END_TEST

/* Leading and trailing bits fill 256 cells evenly (chi-square), over whole tiles and along one row. */
START_TEST(random_uniformity)
{
    enum { CELLS = 256 };
    const struct generator g = generator("rand", false, SAMPLES, SAMPLES, 1);
    double *x = sample("rand", 1, 'd');
    for (int test = 0; test < 4; test++) {
        double count[CELLS] = {0}, chi = 0;
        for (int e = 0; e < SAMPLES; e++) {
            const double u = test < 2 ? x[e] : real_entry(&g, 7, e), bits = ldexp(u, test % 2 ? 52 : 8);
            count[(int)fmod(bits, CELLS)]++;
        }
        for (int c = 0; c < CELLS; c++)
            chi += (count[c] - SAMPLES / CELLS) * (count[c] - SAMPLES / CELLS) / (SAMPLES / CELLS);
        ck_assert_double_lt(fabs(chi - (CELLS - 1)), 5 * sqrt(2 * (CELLS - 1)));
    }
    free(x);
}
END_TEST

/* These numbers are the same on every machine and in every version. */
START_TEST(random_pinned)
{
    const struct generator g = generator("rands", false, 10, 10, 1), far = generator("rand", false, 10, 10, UINT64_MAX);
    ck_assert(real_entry(&g, 0, 0) == 0x1.d21809c736892p-1);
    ck_assert(real_entry(&g, 1, 0) == -0x1.8cd6038902442p-1);
    ck_assert(real_entry(&g, 0, 1) == 0x1.54e3c183cfddcp-2);
    ck_assert(real_entry(&g, (int64_t)1 << 40, (int64_t)1 << 33) == -0x1.74e8bc1aa4a0cp-2);
    ck_assert(real_entry(&far, 3, 4) == 0x1.620e58d416816p-2);
}
END_TEST

static Suite *generate_suite(void)
{
    Suite *suite = suite_create("random numbers");
    TCase *tests = tcase_create("random numbers");
    tcase_add_test(tests, random_moments);
    tcase_add_test(tests, random_correlations);
    tcase_add_test(tests, random_uniformity);
    tcase_add_test(tests, random_pinned);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(generate_suite());
}
