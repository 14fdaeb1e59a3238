/*
 * Determinant and smallest pivot from factors, on any number of ranks, compared with a naive elimination of the whole matrix on
 * every rank.
 */
#include "tests/factoring.h"

enum { NB = 16 };

static ompfact_grid *grid;

static void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 2 });
}

static void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
}

struct expected {
    double logabs, smallest;
    number sign;
    int64_t k;
};

/* Pivots of an elimination without exchanges. For a Hermitian matrix they are L_kk^2. */
static struct expected eliminate(const struct problem *p)
{
    int64_t n = p->n;
    struct expected e = { .smallest = INFINITY, .sign = 1, .k = -1 };
    number *a = malloc((size_t)(n * n) * sizeof *a + 1);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            a[i + j * n] = entry_of(p, i, j);
    for (int64_t k = 0; k < n; k++) {
        number pivot = a[k + k * n];
        e.logabs += log(cabs(pivot));
        e.sign *= pivot / cabs(pivot);
        e.k = cabs(pivot) < e.smallest ? k : e.k;
        e.smallest = fmin(e.smallest, cabs(pivot));
        for (int64_t j = k + 1; j < n; j++)
            for (int64_t i = k + 1; i < n; i++)
                a[i + j * n] -= a[i + k * n] / pivot * a[k + j * n];
    }
    free(a);
    return e;
}

/* Whether all ranks have the same bits. */
static bool agreed_double(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return agreed(bits / 2);
}

/* log |det|, sign or phase, and the smallest pivot are right for all types, Cholesky and LU, on several layouts. */
START_TEST(from_factors)
{
    struct problem p = square("sdcz"[_i / 2], _i % 2, 4 * NB + 7);
    struct expected e = eliminate(&p);
    double eps = precision_of(p.type)->eps, tolerance = 30 * (double)p.n * eps;
    static const char *const layouts[] = { "2dbc", "g2dbc" };
    for (int l = 0; l < 2; l++) {
        ompfact_shape shape = shape_of(&p, NB, layouts[l]);
        ompfact_matrix *A = new_matrix(grid, &shape);
        int64_t info = -1, k = -2;
        double logabs, re, im, pivot;
        fill(A, &p);
        assert_everywhere(ompfact_determinant(A, &logabs, &re, &im) == OMPFACT_BAD_ARGUMENT);
        assert_everywhere(ompfact_smallest_pivot(A, &pivot, &k) == OMPFACT_BAD_ARGUMENT);
        assert_everywhere(factor(A, &p, &info) == OMPFACT_SUCCESS && info == 0);
        assert_everywhere(ompfact_determinant(A, &logabs, &re, &im) == OMPFACT_SUCCESS);
        assert_everywhere(agreed_double(logabs) && agreed_double(re) && agreed_double(im));
        assert_everywhere_msg(fabs(logabs - e.logabs) < tolerance * (double)p.n, "log |det| %.15g, naively %.15g", logabs,
                              e.logabs);
        assert_everywhere_msg(cabs(re + im * (number)I - e.sign) < tolerance, "sign (%g, %g), naively (%g, %g)", re, im,
                              creal(e.sign), cimag(e.sign));
        assert_everywhere(is_complex(p.type) || (im == 0 && fabs(re) == 1));
        assert_everywhere(ompfact_smallest_pivot(A, &pivot, &k) == OMPFACT_SUCCESS && k == e.k);
        assert_everywhere_msg(fabs(pivot / e.smallest - 1) < tolerance, "smallest pivot %g, naively %g", pivot, e.smallest);
        ompfact_matrix_destroy(&A);
    }
}
END_TEST

static void negative_entry(void *context, int64_t i, int64_t j, void *value)
{
    const struct problem *p = context;
    number entry = entry_of(p, i, j) * (i % 3 == 0 ? -1 : 1);
    precision_of(p->type)->set(value, creal(entry), cimag(entry));
}

/* Each negative row changes the sign. */
START_TEST(signs)
{
    for (int64_t n = 3 * NB - 3; n <= 3 * NB + 3; n += 3) {
        struct problem p = square('d', false, n);
        ompfact_shape shape = shape_of(&p, NB, NULL);
        ompfact_matrix *A = new_matrix(grid, &shape);
        int64_t info = -1;
        double logabs, re, im;
        assert_everywhere(ompfact_fill_entries(A, negative_entry, &p) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_getrf(A, &info) == OMPFACT_SUCCESS && info == 0);
        assert_everywhere(ompfact_determinant(A, &logabs, &re, &im) == OMPFACT_SUCCESS);
        assert_everywhere_msg(re == (n / 3 % 2 ? -1 : 1) && im == 0, "n = %lld: sign %g", (long long)n, re);
        ompfact_matrix_destroy(&A);
    }
}
END_TEST

/* A failed factorization, or a matrix that was filled again, has no determinant. A rectangular matrix has only pivots. */
START_TEST(refused)
{
    struct problem p = square('d', _i, 2 * NB);
    ompfact_shape shape = shape_of(&p, NB, NULL);
    ompfact_matrix *A = new_matrix(grid, &shape);
    int64_t info, k;
    double logabs, re, im, pivot;
    p.fails = NB;
    fill(A, &p);
    assert_everywhere(factor(A, &p, &info) == OMPFACT_SUCCESS && info == NB);
    assert_everywhere(ompfact_determinant(A, &logabs, &re, &im) == OMPFACT_BAD_ARGUMENT && is_one_line(ompfact_message(grid)));
    ompfact_matrix_destroy(&A);
    struct problem tall = { .type = 'd', .m = 3 * NB + 1, .n = 2 * NB + 5, .seed = 1 };
    shape = shape_of(&tall, NB, NULL);
    A = new_matrix(grid, &shape);
    fill(A, &tall);
    assert_everywhere(ompfact_getrf(A, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_determinant(A, &logabs, &re, &im) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_smallest_pivot(A, &pivot, &k) == OMPFACT_SUCCESS && pivot > 0 && k >= 0 && k < tall.n);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* The determinant of an empty matrix is 1, and the matrix has no pivot. */
START_TEST(nothing)
{
    struct problem p = square('z', _i, 0);
    ompfact_shape shape = shape_of(&p, NB, NULL);
    ompfact_matrix *A = new_matrix(grid, &shape);
    int64_t info, k = 0;
    double logabs, re, im, pivot;
    assert_everywhere(factor(A, &p, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_determinant(A, &logabs, &re, &im) == OMPFACT_SUCCESS && logabs == 0 && re == 1 && im == 0);
    assert_everywhere(ompfact_smallest_pivot(A, &pivot, &k) == OMPFACT_SUCCESS && isinf(pivot) && k == -1);
    ompfact_matrix_destroy(&A);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("determinant");
    TCase *tests = tcase_create("determinant");
    tcase_add_unchecked_fixture(tests, create_grid, destroy_grid);
    tcase_add_loop_test(tests, from_factors, 0, 8);
    tcase_add_test(tests, signs);
    tcase_add_loop_test(tests, refused, 0, 2);
    tcase_add_loop_test(tests, nothing, 0, 2);
    suite_add_tcase(suite, tests);
    return run_suite(argc, argv, suite);
}
