/* Kinds of matrices: entries by their formulas, symmetry, scales and spectra. */
#include "tests/generate/one_entry.h"
#include "tests/generate/refusals.h"

#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>

static const char *const all_kinds[] = { "zeros", "ones", "identity", "ij", "minij", "hilb", "lehmer", "kms", "kms:-0.9",
                                         "fiedler", "moler", "parter", "cauchy", "pei", "pei:3", "circul", "gfpp", "orthog",
                                         "diag_geo_small:50", "svd", "svd_arith_ofl:1e4", "poev_rcluster1:cond=1e6", "spd_ufl",
                                         "hilb_large", "rand", "rands", "randn_ofl", "randb", "randr_large", "exchange", "kkt",
                                         "kkt_large:m=3", "randn_sym", "svd_arith_sym:9", "circul_sym_zerocol4",
                                         "rand_dominant", "rands_dominant", "randn_dominant", "randb_dominant",
                                         "randr_dominant" };
enum { ALL_KINDS = sizeof all_kinds / sizeof *all_kinds, FIRST_SPECTRUM = 18, LAST_SPECTRUM = 22, FIRST_DOMINANT = 35 };

/* Kinds with a formula have the entries of SLATE's matrices. */
START_TEST(generate_formulas)
{
    static const struct {
        const char *spec;
        double above, on, below;        /* A(2,4), A(3,3), A(4,1), from 0, of a 12 x 7 matrix */
    } known[] = {
        {"zeros", 0, 0, 0},
        {"ones", 1, 1, 1},
        {"identity", 0, 1, 0},
        {"ij", 2.04, 3.03, 4.01},
        {"minij", 3, 4, 2},
        {"hilb", 1 / 7., 1 / 7., 1 / 6.},
        {"lehmer", 3 / 5., 1, 2 / 5.},
        {"kms", .25, 1, .125},
        {"kms:-2", 4, 1, -8},
        {"fiedler", 2, 0, 3},
        {"moler", 1, 4, 0},
        {"parter", 1 / -1.5, 2, 1 / 3.5},
        {"cauchy", 1 / 8., 1 / 8., 1 / 7.},
        {"pei", 1, 2, 1},
        {"pei:0.5", 1, 1.5, 1},
        {"circul", 3, 1, 10},
        {"gfpp", 0, .5, -1},
        {"orthog", -.19134171618254489, 0, -.35355339059327376},     /* sines of 15, 16 and 10 eighths of pi, halved */
        {"exchange", 1, 1, 0},
        {"diag_arith:4", 0, .625, 0},
        {"diag_geo:cond=64", 0, .125, 0},
        {"diag_rcluster0:4", 0, .25, 0},
        {"diag_cluster1:4", 0, 1, 0},
        {"ones_small", 0x1p-486, 0x1p-486, 0x1p-486},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const struct generator g = generator(known[k].spec, false, 12, 7, 1);
        ck_assert_double_eq_tol(real_entry(&g, 2, 4), known[k].above, 1e-15);
        ck_assert_double_eq_tol(real_entry(&g, 3, 3), known[k].on, 1e-15);
        ck_assert_double_eq_tol(real_entry(&g, 4, 1), known[k].below, 1e-15);
    }
}
END_TEST

/* Unknown kinds are refused, and the message lists the kinds. */
START_TEST(generate_refusals)
{
    static const struct refusal bad[] = {
        {"hilbert", "'hilbert' is unknown; known: zeros ones"},
        {"", "'' is unknown"},
        {"hilbert", "spd[:cond]"},
        {"rand_dominan", "'_dominan' is unknown; known: _dominant"},
        {"rand_", "'_' is unknown"},
        {"rand_zerocol", "'_zerocol' is unknown; known: _dominant _ufl"},
        {"rand_zerocol4", "a column from 0 to n - 1 = 3"},
        {"rand_zerocol1.5", "fraction from 0.0 to 1.0"},
        {"rand_zerocol-1", "zerocol-1"},
        {"rand_geo", "only diag, svd, poev and spd have"},
        {"svd_dominant", "only random kinds have"},
        {"svd:0.5", "cond is 1 or more, not 0.5"},
        {"svd:rho=5", "cond is a number, not 'rho=5'"},
        {"_dominant", "unknown"},
        {"RAND", "unknown"},
        {"ones_dominant", "no form '_dominant'"},
        {"ones:3", "takes no argument"},
        {"kkt:3", "from 0 to n/2 = 2, not 3"},
        {"kkt:m=1.5", "a number of constraints from 0 to n/2"},
        {"kkt:-1", "not -1"},
        {"kkt_dominant", "only random kinds have"},
        {"kms:", "rho is a number"},
        {"kms:0.5x", "'0.5x'"},
        {"pei:inf", "alpha is a number"},
        {"rand_dominant:1", "takes no argument"},
        {"a-kind-with-a-very-long-name-that-goes-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on", "kms[:rho]"},
    };
    char text[IO_TEXT];
    struct generator g;
    check_refusals(bad, sizeof bad / sizeof *bad, GENERATE_GENERAL);
    ck_assert_int_ne(generate_parse("rand", true, 4, 5, 1, &g, text), 0);
    says(text, "a symmetric matrix", "4 x 5");
    for (int k = 0; k < 3; k++) {
        const char *const square[] = { "poev", "kkt", "rand_sym" };
        ck_assert_int_ne(generate_parse(square[k], GENERATE_GENERAL, 4, 5, 1, &g, text), 0);
        says(text, "matrix kind", (const char *const[]){ "'poev' is square, not 4 x 5", "'kkt' is square",
                                                         "'rand' with '_sym' is square" }[k]);
    }
}
END_TEST

/* Any tile of any type has the entries of generate_entry, wherever tiles are cut. */
START_TEST(generate_tiles)
{
    enum { M = 300, N = 300 };
    const char type = types[_i];
    const size_t size = size_of(type);
    char *whole = malloc(M * N * size), *tile = malloc(M * N * size);
    for (int k = 0; k < 3 * ALL_KINDS; k++) {
        const struct generator g = generator(all_kinds[k / 3], (enum generate_symmetry)(k % 3), M, N, 5);
        double re, im;
        generate_tile(&g, type, 0, 0, M, N, whole, M);
        for (int e = 0; e < M * N; e += 37) {
            generate_entry(&g, type, e % M, e / M, &re, &im);
            set(type, tile, 0, re, im);
            ck_assert_mem_eq(whole + (size_t)e * size, tile, size);
        }
        for (int j = 0; j < N; j += 111)
            for (int i = 0; i < M; i += 271) {
                const int rows = least(271, M - i), cols = least(111, N - j), ld = rows + 2;
                generate_tile(&g, type, i, j, rows, cols, tile, ld);
                for (int jj = 0; jj < cols; jj++)
                    ck_assert_mem_eq(tile + (size_t)(jj * ld) * size, whole + (size_t)((j + jj) * M + i) * size,
                                     (size_t)rows * size);
            }
    }
    free(whole);
    free(tile);
}
END_TEST

/* A Hermitian matrix has a real diagonal; its lower triangle, and without phases the real parts, are those of the general one. */
START_TEST(generate_hermitian)
{
    for (int k = 0; k < ALL_KINDS; k++) {
        const struct generator h = generator(all_kinds[k], GENERATE_HERMITIAN, 9, 9, 3),
                               g = generator(all_kinds[k], GENERATE_GENERAL, 9, 9, 3);
        if (strstr(all_kinds[k], "_sym") != NULL)
            continue;
        for (int j = 0; j < 9; j++)
            for (int i = j; i < 9; i++) {
                double a, b, c, d, e, f;
                generate_entry(&h, 'z', i, j, &a, &b);
                generate_entry(&h, 'z', j, i, &c, &d);
                generate_entry(&g, 'z', i, j, &e, &f);
                ck_assert(a == c && b == -d && a == e && b == (i == j ? 0 : f));
                ck_assert((i == j && k >= FIRST_DOMINANT) || (k >= FIRST_SPECTRUM && k <= LAST_SPECTRUM) ||
                          real_entry(&h, i, j) == a);
            }
    }
}
END_TEST

/* A symmetric matrix has the general one's lower triangle, imaginary parts on the diagonal, too. */
START_TEST(generate_symmetric)
{
    for (int k = 0; k < ALL_KINDS; k++) {
        const struct generator s = generator(all_kinds[k], GENERATE_SYMMETRIC, 9, 9, 3),
                               g = generator(all_kinds[k], GENERATE_GENERAL, 9, 9, 3);
        bool hermitian = strncmp(all_kinds[k], "kkt", 3) == 0;
        for (int j = 0; j < 9; j++)
            for (int i = j; i < 9; i++) {
                double a, b, c, d, e, f;
                generate_entry(&s, 'z', i, j, &a, &b);
                generate_entry(&s, 'z', j, i, &c, &d);
                generate_entry(&g, 'z', i, j, &e, &f);
                ck_assert(a == c && b == d && a == e && (b == f || (hermitian && i == j)));
            }
    }
}
END_TEST

/* With _sym an entry is the mean of the general matrix's entry and its mirror image. */
START_TEST(generate_means)
{
    static const char *const kinds[][2] = { { "rands_sym", "rands" }, { "randn_sym_small", "randn_small" }, { "ij_sym", "ij" },
                                            { "parter_sym", "parter" }, { "svd_geo_sym:50", "svd_geo:50" },
                                            { "rand_sym_dominant", "rand_dominant" } };
    for (int k = 0; k < 3 * (int)(sizeof kinds / sizeof *kinds); k++) {
        const enum generate_symmetry symmetry = (enum generate_symmetry)(k % 3);
        const struct generator h = generator(kinds[k / 3][0], symmetry, 9, 9, 3),
                               g = generator(kinds[k / 3][1], GENERATE_GENERAL, 9, 9, 3);
        for (int e = 0; e < 81; e++) {
            double re, im, below[2], above[2];
            generate_entry(&h, types[_i], e % 9, e / 9, &re, &im);
            generate_entry(&g, types[_i], e % 9, e / 9, &below[0], &below[1]);
            generate_entry(&g, types[_i], e / 9, e % 9, &above[0], &above[1]);
            above[1] *= symmetry == GENERATE_HERMITIAN ? -1 : 1;
            ck_assert(fabs(re - (below[0] + above[0]) / 2) <= 1e-15 * fabs(re) && im == (below[1] + above[1]) / 2);
        }
    }
}
END_TEST

/* |A_ii| exceeds the sum of the others in its row and in its column for every dominant kind, in the smallest matrices too. */
START_TEST(generate_dominant)
{
    for (int k = FIRST_DOMINANT; k < ALL_KINDS; k++)
        for (int n = 1; n <= 6; n++)
            for (int variant = 0; variant < 400; variant++) {
                const struct generator g = generator(all_kinds[k], variant % 2, n, n, (uint64_t)variant);
                const char type = variant % 4 > 1 ? 'z' : 'd';
                for (int i = 0; i < n; i++) {
                    double row = 0, column = 0, re, im;
                    for (int j = 0; j < n; j++)
                        if (j != i) {
                            generate_entry(&g, type, i, j, &re, &im);
                            row += hypot(re, im);
                            generate_entry(&g, type, j, i, &re, &im);
                            column += hypot(re, im);
                        }
                    generate_entry(&g, type, i, i, &re, &im);
                    if (!(re > row && re > column))     /* compared here first, because each of Check's assertions costs a system
                                                           call */
                        ck_abort_msg("%s, n = %d, seed %d", all_kinds[k], n, variant);
                }
            }
}
END_TEST

/* Column N is zero, and in a symmetric matrix row N, too; other entries are unchanged. */
START_TEST(generate_zero_columns)
{
    static const struct {
        const char *spec, *plain;
        int column;
    } kinds[] = {
        {"rands_zerocol0", "rands", 0}, {"rand_dominant_zerocol5", "rand_dominant", 5}, {"hilb_zerocol1.0", "hilb", 299},
        {"svd_geo_zerocol0.5:100", "svd_geo:100", 149}, {"randn_zerocol0.999_ofl", "randn_ofl", 298},
    };
    enum { N = 300 };
    double *with = malloc(N * N * 2 * sizeof *with), *without = malloc(N * N * 2 * sizeof *without);
    for (int k = 0; k < 5; k++)
        for (int symmetric = 0; symmetric < 2; symmetric++) {
            const struct generator z = generator(kinds[k].spec, symmetric, N, N, 3),
                                   g = generator(kinds[k].plain, symmetric, N, N, 3);
            int wrong = 0;
            generate_tile(&z, 'z', 0, 0, N, N, with, N);
            generate_tile(&g, 'z', 0, 0, N, N, without, N);
            for (int e = 0; e < N * N; e++) {
                const bool zero = e / N == kinds[k].column || (symmetric && e % N == kinds[k].column);
                for (int part = 0; part < 2; part++)
                    wrong += with[2 * e + part] != (zero ? 0 : without[2 * e + part]);
            }
            ck_assert_msg(wrong == 0, "%s: %d are wrong", kinds[k].spec, wrong);
        }
    free(with);
    free(without);
}
END_TEST

/* LAPACK's norms for matrices near underflow and overflow. */
START_TEST(generate_scales)
{
    static const struct {
        const char *spec;
        double single, full;
    } known[] = {
        {"ones_ufl", 0x1p-105, 0x1p-972}, {"ones_small", 0x1p-52, 0x1p-486},
        {"ones_ofl", 0x1p105, 0x1p972},   {"ones_large", 0x1p52, 0x1p486},
    };
    for (int k = 0; k < 4; k++)
        for (int t = 0; t < 4; t++) {
            const struct generator g = generator(known[k].spec, false, 2, 2, 1);
            double re, im;
            generate_entry(&g, types[t], 1, 0, &re, &im);
            ck_assert(re == (t % 2 == 0 ? known[k].single : known[k].full) && im == 0);
        }
}
END_TEST

/* Singular values, largest first. */
static void singular_values(const struct generator *g, char type, double *values)
{
    const int m = (int)g->m, n = (int)g->n;
    double complex *A = malloc((size_t)m * (size_t)n * sizeof *A);
    double superb[64];
    for (int e = 0; e < m * n; e++) {
        double re, im;
        generate_entry(g, type, e % m, e / m, &re, &im);
        A[e] = re + im * I;
    }
    ck_assert_int_eq(LAPACKE_zgesvd(LAPACK_COL_MAJOR, 'N', 'N', m, n, A, m, values, NULL, 1, NULL, 1, superb), 0);
    free(A);
}

/* diag, svd and poev have the singular values that their names define, in any shape, real and complex. */
START_TEST(generate_spectra)
{
    static const struct {
        const char *spec;
        int m, n;
        double first, second, middle, last;     /* of min(m, n) = 25 */
    } known[] = {
        {"diag_geo:16", 25, 25, 1, .890898718140339, .25, 1 / 16.},
        {"svd_geo:16", 25, 40, 1, .890898718140339, .25, 1 / 16.},
        {"svd_rgeo:16", 40, 25, 1, .890898718140339, .25, 1 / 16.},
        {"svd_arith:cond=25", 25, 25, 1, .96, .52, .04},
        {"poev_rarith:25", 25, 25, 1, .96, .52, .04},
        {"poev_cluster0:50", 25, 25, 1, .02, .02, .02},
        {"poev_rcluster0:50", 25, 25, 1, .02, .02, .02},
        {"spd_cluster1:50", 25, 25, 1, 1, 1, .02},
        {"svd_rcluster1:1e6", 30, 25, 1, 1, 1, 1e-6},
    };
    double values[25];
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const struct generator g = generator(known[k].spec, false, known[k].m, known[k].n, 7);
        singular_values(&g, "dz"[_i], values);
        ck_assert_double_eq_tol(values[0], known[k].first, 1e-13);
        ck_assert_double_eq_tol(values[1], known[k].second, 1e-13);
        ck_assert_double_eq_tol(values[12], known[k].middle, 1e-13);
        ck_assert_double_eq_tol(values[24], known[k].last, 1e-13);
    }
    for (int k = 0; k < 2; k++) {
        const struct generator g = generator(k ? "poev" : "svd:1e3", false, 25, 25, 7);
        singular_values(&g, "dz"[_i], values);
        ck_assert(values[0] <= 1 && values[0] > .1 && values[24] >= .999e-3 && values[24] < .01);
    }
}
END_TEST

/* kkt has as many negative eigenvalues as constraints, and unless there are many constraints none near zero. Declared general it
   is the same matrix, and symmetric it is as regular. */
START_TEST(generate_saddle_points)
{
    static const struct {
        const char *spec;
        int n, constraints;
    } known[] = { { "kkt", 60, 12 }, { "kkt:10", 40, 10 }, { "kkt:m=0", 7, 0 }, { "kkt:20", 40, 20 },
                  { "kkt", 4, 0 }, { "kkt", 5, 1 } };
    double values[60];
    double complex A[60 * 60];
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const int n = known[k].n, m = known[k].constraints;
        const struct generator h = generator(known[k].spec, GENERATE_HERMITIAN, n, n, 3),
                               g = generator(known[k].spec, GENERATE_GENERAL, n, n, 3),
                               s = generator(known[k].spec, GENERATE_SYMMETRIC, n, n, 3);
        for (int e = 0; e < n * n; e++) {
            double re, im, other_re, other_im;
            generate_entry(&h, "dz"[_i], e % n, e / n, &re, &im);
            generate_entry(&g, "dz"[_i], e % n, e / n, &other_re, &other_im);
            ck_assert(re == other_re && im == other_im && (re == 0) == (e % n >= n - m && e / n >= n - m));
            A[e] = re + im * I;
        }
        ck_assert_int_eq(LAPACKE_zheev(LAPACK_COL_MAJOR, 'N', 'L', n, A, n, values), 0);
        ck_assert(m == 0 || values[m - 1] < (4 * m > n ? 0 : -0.1));
        ck_assert(values[m] > (4 * m > n ? 0 : 0.3) && values[n - 1] < 3);
        singular_values(&s, "dz"[_i], values);
        ck_assert(4 * m > n || values[n - 1] > 0.1);
    }
}
END_TEST

static Suite *generate_suite(void)
{
    Suite *suite = suite_create("generate");
    TCase *tests = tcase_create("generate");
    tcase_add_test(tests, generate_formulas);
    tcase_add_test(tests, generate_refusals);
    tcase_add_loop_test(tests, generate_tiles, 0, 4);
    tcase_add_test(tests, generate_hermitian);
    tcase_add_test(tests, generate_symmetric);
    tcase_add_loop_test(tests, generate_means, 0, 4);
    tcase_add_loop_test(tests, generate_saddle_points, 0, 2);
    tcase_add_test(tests, generate_dominant);
    tcase_add_test(tests, generate_zero_columns);
    tcase_add_test(tests, generate_scales);
    tcase_add_loop_test(tests, generate_spectra, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(generate_suite());
}
