/*
 * Inverses on any number of ranks: LAPACK's test ratios, computed on every rank from gathered results by naive loops. Elements
 * beyond a triangle are NaN, and stay unchanged.
 */
#include "src/choose/choose.h"
#include "src/solve/check_in_range.h"
#include "tests/inverse/naive_loops.h"

#include <math.h>

static number of_problem(const void *problem, int64_t i, int64_t j)
{
    return entry_of(problem, i, j);
}

/* || I - A X || / (n ||A|| ||X|| eps): LAPACK's dget03. */
static double inverse_ratio(char type, int64_t n, const number *A, const number *X)
{
    number *R = calloc((size_t)(n * n) + 1, sizeof *R);
    for (int64_t j = 0; j < n; j++) {
        R[j + j * n] = 1;
        for (int64_t k = 0; k < n; k++)
            for (int64_t i = 0; i < n; i++)
                R[i + j * n] -= A[i + k * n] * X[k + j * n];
    }
    double ratio = dense_norm1(R, n, n) / ((double)n * dense_norm1(A, n, n) * dense_norm1(X, n, n) * precision_of(type)->eps);
    free(R);
    return n == 0 ? 0 : ratio;
}

/* Checks the report: `thirds` n^3 / 3 flops of a real matrix, and the transfers that the layout determines. */
static void check_report(const ompfact_matrix *A, int64_t n, double thirds)
{
    ompfact_report report = ompfact_last_report(A);
    double flops = thirds * (double)(n * n) * (double)n / 3 * (is_complex(ompfact_type(A)) ? 4 : 1);
    assert_everywhere_msg(report.transfers == report.transfers_predicted, "%lld transfers, predicted %lld",
                          (long long)report.transfers, (long long)report.transfers_predicted);
    assert_everywhere(all_ranks_count() > 1 || report.transfers == 0);
    struct task_counts counts;
    assert_everywhere(inverse_count(A, thirds == 1, &counts));
    bool bytes_too = report.rows_exchanged > 0 || counts.transfer_bytes == report.transfer_bytes;
    assert_everywhere_msg(counts.transfers == report.transfers && bytes_too,
                          "%lld transfers, counted %lld; %lld bytes, counted %lld", (long long)report.transfers,
                          (long long)counts.transfers, (long long)report.transfer_bytes, (long long)counts.transfer_bytes);
    assert_everywhere_msg(fabs(counts.flops_max_over_mean - report.flops_max_over_mean) < 0.05, "imbalance %g, counted %g",
                          report.flops_max_over_mean, counts.flops_max_over_mean);
    double on_devices = 0;
    for (int d = 0; d < OMPFACT_DEVICES; d++)
        on_devices += report.flops_per_device[d];
    assert_everywhere_msg(n < 3 * NB || (on_devices > 0) == (ompfact_devices(grid) > 0),
                          "%g flops on devices of %g", on_devices, report.flops);
    assert_everywhere_msg(n < 3 * NB || (report.flops > flops && report.flops < 1.8 * flops), "%g flops, of LAPACK %g",
                          report.flops, flops);
}

static const int64_t orders[] = { 0, 1, NB, NB + 3, 5 * NB + 7 };
enum { ORDERS = sizeof orders / sizeof orders[0] };

/* ---- inverses ---------------------------------------------------------------------------------------------------------- */

static void check_trtri(const struct problem *p, bool unit, const char *layout)
{
    struct triangle t = { .p = p, .upper = p->upper, .unit = unit, .trans = OMPFACT_NO_TRANS };
    ompfact_shape shape = shape_of(p, NB, layout);
    ompfact_matrix *A = new_matrix(grid, &shape);
    int64_t info = -1;
    fill(A, p);
    assert_everywhere(ompfact_trtri(A, unit, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(rest_is_untouched(A, p));
    check_report(A, p->n, 1);
    number *X = gather(A, p), *T = dense(p->n, of_triangle, &t);
    bool kept = true;
    for (int64_t i = 0; i < p->n && unit; i++) {
        kept &= X[i + i * p->n] == entry_of(p, i, i);
        X[i + i * p->n] = 1;
    }
    assert_everywhere(kept);
    double ratio = inverse_ratio(p->type, p->n, T, X);
    assert_everywhere_msg(ratio < 30, "trtri %c, n = %lld, %s: ratio %g", p->type, (long long)p->n, layout, ratio);
    free(X);
    free(T);
    ompfact_matrix_destroy(&A);
}

START_TEST(triangles)
{
    for (int v = 0; v < 4 * ORDERS; v++) {
        struct problem p = square("sdcz"[_i], true, orders[v / 4]);
        p.upper = v & 1;
        check_trtri(&p, v & 2, layouts[v % LAYOUTS]);
    }
}
END_TEST

static void check_inverse(const struct problem *p, const char *layout, bool full_storage)
{
    ompfact_shape shape = shape_of(p, NB, layout);
    shape.full_storage = full_storage;
    ompfact_matrix *A = new_matrix(grid, &shape);
    int64_t info = -1;
    fill(A, p);
    assert_everywhere(factor(A, p, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere((p->hermitian ? ompfact_potri(A, &info) : ompfact_getri(A, &info)) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(rest_is_untouched(A, p));
    check_report(A, p->n, p->hermitian ? 2 : 4);
    number *X = gather(A, p), *whole = dense(p->n, of_problem, p);
    for (int64_t j = 0; j < p->n && p->hermitian; j++)
        for (int64_t i = 0; i < p->n; i++)
            X[i + j * p->n] = is_beyond(p, i, j) ? conj(X[j + i * p->n]) : X[i + j * p->n];
    double ratio = inverse_ratio(p->type, p->n, whole, X);
    assert_everywhere_msg(ratio < 30, "%s %c, n = %lld, %s: ratio %g", p->hermitian ? "potri" : "getri", p->type, (long long)p->n,
                          layout, ratio);
    assert_everywhere((p->hermitian ? ompfact_potri(A, &info) : ompfact_getri(A, &info)) == OMPFACT_BAD_ARGUMENT);
    free(X);
    free(whole);
    ompfact_matrix_destroy(&A);
}

START_TEST(positive_definite)
{
    for (int v = 0; v < 4 * ORDERS; v++) {
        struct problem p = square("sdcz"[_i], true, orders[v / 4]);
        p.upper = v & 1;
        check_inverse(&p, layouts[v % LAYOUTS], v & 2);
    }
}
END_TEST

START_TEST(general)
{
    for (int v = 0; v < 2 * ORDERS; v++) {
        struct problem p = square("sdcz"[_i], false, orders[v / 2]);
        p.pivots = v & 1;
        check_inverse(&p, layouts[v % LAYOUTS], false);
    }
}
END_TEST

static ompfact_status invert(ompfact_matrix *X, const struct problem *p, bool triangular, int64_t *info)
{
    return triangular ? ompfact_trtri(X, false, info) : p->hermitian ? ompfact_potri(X, info) : ompfact_getri(X, info);
}

/* The library's own ratio is small for an inverse, and large for one with a wrong element; the matrix has this exponent. */
static void check_ratios(const struct problem *p, int nb, bool triangular, int exponent)
{
    ompfact_shape shape = shape_of(p, nb, NULL);
    ompfact_matrix *A = new_matrix(grid, &shape), *X = new_like(A);
    int64_t info = -1;
    double ratio = -1;
    fill(A, p);
    fill(X, p);
    scale_by_power(A, exponent);
    scale_by_power(X, exponent);
    assert_everywhere(triangular || (factor(X, p, &info) == OMPFACT_SUCCESS && info == 0));
    assert_everywhere(invert(X, p, triangular, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_residual_inverse(A, X, triangular, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio > 0 && ratio < 30, "%c, 2^%d: ratio %g", p->type, exponent, ratio);
    if (ompfact_owner(X, 2, 1) == my_rank()) {
        ompfact_tile t;
        ompfact_tile_get(X, 2, 1, &t);
        put(&t, p->type, t.mb - 1, t.nb - 1, ldexp(1, -exponent));
        ompfact_tile_restore(X, &t);
    }
    assert_everywhere(ompfact_residual_inverse(A, X, triangular, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio > 30 && isfinite(ratio), "%c, 2^%d, of a wrong inverse: ratio %g", p->type, exponent, ratio);
    assert_everywhere(p->hermitian || ompfact_residual_inverse(A, X, true, &ratio) == OMPFACT_BAD_ARGUMENT);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&A);
}

START_TEST(ratios)
{
    struct problem p = square("sdcz"[_i % 4], _i >= 4, 3 * NB + 5);
    check_ratios(&p, _i < 12 ? NB : 2, _i >= 8, 0);
}
END_TEST

START_TEST(ratios_out_of_range)
{
    struct problem p = square("sdcz"[_i % 4], _i >= 8, 3 * NB + 5);
    p.pivots = _i < 8;
    check_ratios(&p, NB, _i >= 16, extreme_exponent(p.type, _i / 4 % 2));
}
END_TEST

/* A zero on the diagonal is reported, and nothing is changed. A matrix without factors is refused. */
START_TEST(refused)
{
    struct problem p = square('d', true, 3 * NB), q = square('d', false, 3 * NB);
    ompfact_shape shape = shape_of(&p, NB, NULL), other = shape_of(&q, NB, NULL);
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_matrix(grid, &other);
    int64_t info = -1;
    p.zero = 2 * NB + 1;
    fill(A, &p);
    fill(B, &q);
    number *before = gather(A, &p);
    assert_everywhere(ompfact_trtri(A, false, &info) == OMPFACT_SUCCESS && info == p.zero);
    number *after = gather(A, &p);
    assert_everywhere(memcmp(before, after, (size_t)(p.n * p.n) * sizeof *after) == 0);
    assert_everywhere(ompfact_potri(A, &info) == OMPFACT_BAD_ARGUMENT && is_one_line(ompfact_message(grid)));
    assert_everywhere(ompfact_getri(B, &info) == OMPFACT_BAD_ARGUMENT && is_one_line(ompfact_message(grid)));
    assert_everywhere(ompfact_trtri(B, false, &info) == OMPFACT_BAD_ARGUMENT && is_one_line(ompfact_message(grid)));
    assert_everywhere(ompfact_trsm(OMPFACT_LEFT, OMPFACT_UPPER, OMPFACT_NO_TRANS, false, 1, 0, A, B) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_trsm(OMPFACT_LEFT, OMPFACT_LOWER, OMPFACT_NO_TRANS, false, 1, 0, B, A) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_trsm(OMPFACT_LEFT, OMPFACT_LOWER, OMPFACT_NO_TRANS, false, 1, 0, B, B) == OMPFACT_BAD_ARGUMENT);
    for (int i = 0; i < 3; i++) {       /* letters that BLAS takes, and C does not */
        const char *letters = (const char *[]){ "lLN", "LlN", "LLn" }[i];
        assert_everywhere(ompfact_trsm((ompfact_side)letters[0], (ompfact_uplo)letters[1], (ompfact_trans)letters[2], false, 1, 0,
                                       A, B) == OMPFACT_BAD_ARGUMENT && is_one_line(ompfact_message(grid)));
    }
    free(before);
    free(after);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&B);
}
END_TEST

/* ---- orders and devices ---------------------------------------------------------------------------------------------------- */

/* Solves are right with random delays and a random order of requests. */
START_TEST(disturbed)
{
    ompfact_grid *quiet = grid;
    grid = new_grid((ompfact_options){ .threads = 3, .copy_on_node = _i, .pivot = OMPFACT_PIVOT_TOURNAMENT,
                                        .testing = &(ompfact_testing){ .jitter_us = 200 } });
    struct problem p = square('d', true, 5 * NB + 7), q = square('z', false, 5 * NB + 7);
    q.pivots = true;
    check_trtri(&p, false, "auto");
    check_inverse(&p, "auto", false);
    check_inverse(&q, "auto", false);
    ompfact_grid_destroy(&grid);
    grid = quiet;
}
END_TEST

static void check_devices(const struct problem *p, bool upper)
{
    struct triangle t = { .p = p, .upper = upper, .trans = upper ? OMPFACT_TRANS : OMPFACT_NO_TRANS };
    if (p->hermitian)
        check_trtri(p, false, "auto");
    check_inverse(p, "auto", false);
    check_trsm(p, !upper, t, "auto");
}

/* Solves are right with devices for all tiles that are written, for some columns, or for as many as their memory holds. */
START_TEST(with_devices)
{
    static const ompfact_options ways[] = {
        { .devices = 1, .device_backend = "host" },
        { .devices = 2, .device_backend = "portable", .host_share = 0.4 },
        { .devices = 2, .device_backend = "host", .host_share = 0.7, .device_memory = 40 * NB * NB * 8 },
    };
    ompfact_grid *quiet = grid;
    if (!have_devices())
        return;
    ompfact_options options = ways[_i % 3];
    options.threads = 2;
    options.testing = &(ompfact_testing){ .jitter_us = 100 };
    options.pivot = OMPFACT_PIVOT_TOURNAMENT;
    options.copy_on_node = _i % 2;
    grid = new_grid(options);
    for (int v = 0; v < 2; v++) {
        struct problem p = square("dzscdz"[_i], true, 5 * NB + 7), q = square("zdcsdz"[_i], false, 5 * NB + 7);
        p.upper = v;
        q.pivots = v;
        check_devices(&p, v);
        check_devices(&q, v);
    }
    ompfact_grid_destroy(&grid);
    grid = quiet;
}
END_TEST

int main(int argc, char **argv)
{
    const TTest *const tests[] = { triangles, positive_definite, general };
    Suite *suite = suite_create("inverse");
    TCase *tcase = tcase_create("inverse");
    tcase_add_unchecked_fixture(tcase, create_grid, destroy_grid);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        add_turns(tcase, tests[i], 4, 3);
    tcase_add_loop_test(tcase, disturbed, 0, 2);
    add_turns(tcase, with_devices, 6, 4);
    add_turns(tcase, ratios, 16, 5);
    add_turns(tcase, ratios_out_of_range, 24, 5);
    tcase_add_test(tcase, refused);
    tcase_set_timeout(tcase, 0);
    suite_add_tcase(suite, tcase);
    return run_suite(argc, argv, suite);
}
