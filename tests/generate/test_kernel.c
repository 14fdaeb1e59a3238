/* Kernel matrices: entries agree with the formulas, however tiles are cut. */
#include "tests/generate/refusals.h"

#include <float.h>
#include <math.h>

static const char *const kernels[] = { "sqexp", "matern12", "matern32", "matern52", "invdist" };
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* K, and the error of its argument in units of the last place. */
static long double formula(int kernel, long double r, long double length, double *units)
{
    const long double root[] = { 0, 1, sqrtl(3), sqrtl(5) }, s = kernel < 4 ? root[kernel] * r / length : 0, q = r / length;
    *units = 4 + 4 * (double)(kernel == 0 ? q * q / 2 : s);
    return kernel == 0   ? expl(-q * q / 2)
           : kernel == 1 ? expl(-s)
           : kernel == 2 ? (1 + s) * expl(-s)
           : kernel == 3 ? (1 + s + s * s / 3) * expl(-s)
                         : 1 / sqrtl(r * r + length * length);
}

/* Points on a line in space with growing distances. */
struct points_there {
    struct points points;
    double x[POINTS_DIMS][300];
};

static void lay_out(struct points_there *there, int count, int dims, double step)
{
    there->points = (struct points){ .count = count, .dims = dims };
    for (int d = 0; d < dims; d++) {
        there->points.x[d] = there->x[d];
        for (int i = 0; i < count; i++)
            there->x[d][i] = step * (i * i * (0.01 + 0.007 * d) + sin(i + d));
    }
}

static struct generator kernel_of(const char *spec, bool symmetric, const struct points_there *there)
{
    char text[IO_TEXT];
    struct generator g;
    ck_assert_msg(generate_parse(spec, symmetric, there->points.count, there->points.count, 1, &g, text) == 0, "%s", text);
    ck_assert(generate_wants_points(&g));
    generate_on(&g, &there->points);
    return g;
}

static double entry(const struct generator *g, int64_t i, int64_t j)
{
    double re, im;
    generate_entry(g, 'd', i, j, &re, &im);
    return im == 0 ? re : NAN;
}

/* Entries are those of the formulas, to a few units of the last place, in two and three dimensions, for lengths of any size. */
START_TEST(kernel_formulas)
{
    static const double lengths[] = { 0.05, 1, 30, 1e-200, 1e200 };
    struct points_there there;
    for (int which = 0; which < KERNELS * 10; which++) {
        const int kernel = which / 10, dims = 2 + which % 2;
        const double length = lengths[which / 2 % 5];
        char spec[64];
        snprintf(spec, sizeof spec, "%s:%g,0.25", kernels[kernel], length);
        lay_out(&there, 100, dims, length < 1e-100 || length > 1e100 ? length : 1);
        const struct generator g = kernel_of(spec, false, &there);
        for (int i = 0; i < 100; i++)
            for (int j = 0; j < 100; j++) {
                long double square = 0;
                for (int d = 0; d < dims; d++)
                    square += ((long double)there.x[d][i] - there.x[d][j]) * ((long double)there.x[d][i] - there.x[d][j]);
                double units;
                const long double value = formula(kernel, sqrtl(square), length, &units) + (i == j ? 0.25 : 0);
                const double got = entry(&g, i, j), vanishing = 1e-302;     /* vanishing: exp's result is too small */
                if (!(fabsl(got - value) <= units * DBL_EPSILON * value + vanishing))
                    ck_abort_msg("%s: A(%d,%d) = %.17g, not %.17Lg", spec, i, j, got, value);
            }
    }
}
END_TEST

/* exp(-s) is right to a unit of the last place from 0 to the smallest normal number, and then 0: no result is subnormal. */
START_TEST(kernel_range)
{
    struct points_there there = { .points = { .count = 2, .dims = 2 } };
    there.points.x[0] = there.x[0];
    there.points.x[1] = there.x[1];
    const struct generator g = kernel_of("matern12:1", true, &there);
    for (int i = 0; i < 80000; i++) {
        const double s = there.x[0][1] = i * 0.01;
        const long double value = expl(-(long double)s);
        const double got = entry(&g, 1, 0);
        if (!(got == 0 ? s > 708 : got >= DBL_MIN && fabsl(got - value) <= DBL_EPSILON * value))
            ck_abort_msg("exp(-%g) = %.17g, not %.17Lg", s, got, value);
    }
    for (int kernel = 0; kernel < KERNELS; kernel++) {
        char spec[64];
        snprintf(spec, sizeof spec, "%s:1e-3", kernels[kernel]);
        const struct generator far = kernel_of(spec, true, &there);
        there.x[0][1] = 1e305;
        ck_assert(entry(&far, 1, 0) == 0 && entry(&far, 0, 1) == 0);
        ck_assert(entry(&far, 0, 0) == (kernel < 4 ? 1 : 1e3));
    }
}
END_TEST

/* Any tile of any type, symmetric or not, has the entries of generate_entry, and A is symmetric to the last bit. */
START_TEST(kernel_tiles)
{
    enum { N = 300 };
    const char type = types[_i];
    const size_t size = size_of(type);
    char *tile = malloc(N * N * size), one[16];
    struct points_there there;
    for (int which = 0; which < 4 * KERNELS; which++) {
        char spec[64];
        snprintf(spec, sizeof spec, "%s:0.7,0.5", kernels[which / 4]);
        lay_out(&there, N, 2 + which % 2, 0.01);
        const struct generator g = kernel_of(spec, which & 2, &there);
        for (int j = 0; j < N; j += 111)
            for (int i = 0; i < N; i += 271) {
                const int rows = least(271, N - i), cols = least(111, N - j), ld = rows + 2;
                generate_tile(&g, type, i, j, rows, cols, tile, ld);
                for (int e = 0; e < rows * cols; e += 7) {
                    const int64_t row = i + e % rows, col = j + e / rows;
                    double re, im, mirrored;
                    generate_entry(&g, type, col, row, &mirrored, &im);
                    generate_entry(&g, type, row, col, &re, &im);
                    set(type, one, 0, re, im);
                    ck_assert(re == mirrored && im == 0);
                    ck_assert_mem_eq(tile + (size_t)(e / rows * ld + e % rows) * size, one, size);
                }
            }
    }
    free(tile);
}
END_TEST

/* The nugget is on the diagonal alone, also where two points coincide. */
START_TEST(kernel_nugget)
{
    struct points_there there;
    lay_out(&there, 3, 2, 0);
    const struct generator g = kernel_of("matern32:2,0.5", true, &there), plain = kernel_of("matern32:2", true, &there);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            ck_assert(entry(&g, i, j) == (i == j ? 1.5 : 1) && entry(&plain, i, j) == 1);
}
END_TEST

/* These numbers are the same on every machine and in every version, whether the processor fuses products and sums or not. */
START_TEST(kernel_pinned)
{
    static const double known[] = { 0x1.4adcc09eb3493p-3, 0x1.2f72db95b0fb8p-3, 0x1.4305368e10d67p-3, 0x1.4507a758741a7p-3,
                                    0x1.8be6b9ccea348p+0 };
    struct points_there there;
    lay_out(&there, 2, 3, 0);
    there.x[0][1] = 0.25;
    there.x[1][1] = -0.5;
    there.x[2][1] = 0.125;
    for (int kernel = 0; kernel < KERNELS; kernel++) {
        char spec[64];
        snprintf(spec, sizeof spec, "%s:0.3", kernels[kernel]);
        const struct generator g = kernel_of(spec, true, &there);
        ck_assert_msg(entry(&g, 1, 0) == known[kernel], "%s: %a", spec, entry(&g, 1, 0));
    }
}
END_TEST

/* A wrong length or nugget is refused in one line. */
START_TEST(kernel_refusals)
{
    static const struct refusal bad[] = {
        { "sqexp", "'sqexp': write sqexp:LENGTH[,NUGGET], LENGTH a positive number" },
        { "matern12:", "write matern12:LENGTH[,NUGGET]" },
        { "matern32:0", "not '0'" },
        { "matern32:-1,1", "not '-1,1'" },
        { "matern52:nan", "not 'nan'" },
        { "matern52:inf", "not 'inf'" },
        { "matern52:1e-320", "not '1e-320'" },
        { "invdist:1x", "not '1x'" },
        { "invdist:1;2", "not '1;2'" },
        { "sqexp:0.2,-1", "the nugget behind the length is a number from 0 up, not '-1'" },
        { "sqexp:0.2,", "not ''" },
        { "sqexp:0.2,1,2", "not '1,2'" },
        { "sqexp:0.2,nan", "not 'nan'" },
        { "sqexp:0.2,inf", "not 'inf'" },
        { "sqexp_dominant:1", "no form '_dominant'" },
    };
    char text[IO_TEXT];
    struct generator g;
    check_refusals(bad, sizeof bad / sizeof *bad, GENERATE_HERMITIAN);
    ck_assert_int_ne(generate_parse("sqexp:1", false, 4, 5, 1, &g, text), 0);
    says(text, "matrix kind", "'sqexp' is square, not 4 x 5");
}
END_TEST

static Suite *kernel_suite(void)
{
    Suite *suite = suite_create("kernel");
    TCase *tests = tcase_create("kernel");
    tcase_add_test(tests, kernel_formulas);
    tcase_add_test(tests, kernel_range);
    tcase_add_loop_test(tests, kernel_tiles, 0, 4);
    tcase_add_test(tests, kernel_nugget);
    tcase_add_test(tests, kernel_pinned);
    tcase_add_test(tests, kernel_refusals);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(kernel_suite());
}
