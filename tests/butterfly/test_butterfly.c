/*
 * Butterflies compared with dense matrices. W is computed from the unit matrix, pairs the rows of the definition, and W^T A W is
 * multiplied out. The counted traffic is the traffic of the run.
 */
#include "src/butterfly/butterfly.h"
#include "tests/fixtures.h"

#include <math.h>

static ompfact_grid *grid;

static void fill_unit(void *type, const ompfact_tile *t)
{
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            put(t, *(char *)type, r, c, t->row + r == t->col + c);
}

/* W or W^T, n x n, on all ranks. */
static number *butterfly(ompfact_matrix *A, const struct problem *p, int depth, bool back)
{
    struct problem square = *p;
    ompfact_matrix *B = new_rhs(A, p->n);
    ompfact_report report = { 0 };
    square.hermitian = false;
    assert_everywhere(ompfact_fill_tiles(B, fill_unit, &square.type) == OMPFACT_SUCCESS);
    assert_everywhere(butterfly_of_rhs(B, depth, back, &report) == OMPFACT_SUCCESS);
    number *W = gather(B, &square);
    ompfact_matrix_destroy(&B);
    return W;
}

/* The row that level `level` pairs with row i; i itself, if it has no partner. */
static int64_t partner(int64_t n, int level, int64_t i)
{
    int64_t half = n / 2, other = n - half, base = i < half ? 0 : other;
    if (i >= half && i < other)
        return i;
    return level == 0 ? (i < half ? i + other : i - other) : 2 * base + half - 1 - i;
}

static bool is_paired(int64_t n, int depth, int64_t i, int64_t j)
{
    int64_t other = partner(n, 0, i);
    bool level_0 = j == i || j == other;
    return depth < 2 ? level_0 : level_0 || j == partner(n, 1, i) || j == partner(n, 1, other);
}

static void has_the_right_pairs(const struct problem *p, int depth, const number *W)
{
    double eps = precision_of(p->type)->eps;
    for (int64_t j = 0; j < p->n; j++) {
        double squares = 0;
        for (int64_t i = 0; i < p->n; i++) {
            double w = cabs(W[i + j * p->n]);
            squares += w * w;
            ck_assert_msg((w != 0) == is_paired(p->n, depth, i, j), "row %lld, column %lld: %g", (long long)i, (long long)j, w);
        }
        ck_assert(fabs(log(squares)) <= 0.1 * depth + 10 * eps);
    }
}

/* The largest stored |W^T A W - B|, in units of eps and the largest element of A. */
static double difference(const struct problem *p, const number *W, const number *B)
{
    int64_t n = p->n;
    number *AW = calloc((size_t)(n * n) + 1, sizeof *AW);
    double largest = 0, worst = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = 0; k < n; k++)
            for (int64_t i = 0; i < n && W[k + j * n] != 0; i++) {
                AW[i + j * n] += entry_of(p, i, k) * W[k + j * n];
                largest = fmax(largest, cabs(entry_of(p, i, k)));
            }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            number sum = 0;
            for (int64_t k = 0; k < n && !is_beyond(p, i, j); k++)
                sum += W[k + i * n] * AW[k + j * n];
            worst = is_beyond(p, i, j) ? worst : fmax(worst, cabs(sum - B[i + j * n]));
        }
    free(AW);
    return n == 0 ? 0 : worst / largest / precision_of(p->type)->eps;
}

/* The traffic counted on paper is the traffic that a run reports and measures. */
static void moved(const ompfact_matrix *A, int depth, const ompfact_report *report)
{
    struct butterfly_moves moves;
    assert_everywhere(butterfly_count(A, depth, NULL, &moves));
    assert_everywhere_msg(report->transfers == moves.transfers && report->transfers_predicted == moves.transfers &&
                              report->transfer_bytes == moves.bytes,
                          "%lld bytes moved, %lld counted", (long long)report->transfer_bytes, (long long)moves.bytes);
    assert_everywhere(all_ranks_count() > 1 || moves.bytes == 0);
}

static void transforms(const struct problem *p, int nb, const char *layout, bool full, int depth)
{
    ompfact_shape shape = shape_of(p, nb, layout);
    shape.full_storage = full;
    ompfact_matrix *A = new_matrix(grid, &shape);
    ompfact_report report = { 0 };
    number *W = butterfly(A, p, depth, true), *Wt = butterfly(A, p, depth, false);
    has_the_right_pairs(p, depth, W);
    for (int64_t k = 0; k < p->n * p->n; k++)
        ck_assert(cabs(W[k] - Wt[k / p->n + k % p->n * p->n]) <= 4 * precision_of(p->type)->eps);
    fill(A, p);
    assert_everywhere_msg(butterfly_of_matrix(A, depth, &report) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    assert_everywhere(rest_is_untouched(A, p));
    number *B = gather(A, p);
    double wrong = difference(p, W, B);
    assert_everywhere_msg(wrong < 30, "%c n=%lld nb=%d %s: %g eps", p->type, (long long)p->n, nb, ompfact_layout(A), wrong);
    moved(A, depth, &report);
    free(B);
    free(W);
    free(Wt);
    ompfact_matrix_destroy(&A);
}

/* W^T A W is right in all types, Hermitian and symmetric, for either triangle, tiles of any size on any rank, and odd and even
   n/2 and n/4; in place and through staging memory. */
START_TEST(like_dense)
{
    static const struct { int64_t n; int nb; const char *layout; bool full; } cases[] = {
        { 1, 16, "2dbc", false }, { 2, 1, "2dbc", false }, { 3, 2, "2dbc", true }, { 5, 2, "g2dbc", false },
        { 64, 8, "2dbc", false }, { 61, 8, "g2dbc", false }, { 62, 7, "design", false }, { 63, 64, "2dbc", false },
        { 60, 13, "2dbc", true }, { 190, 80, "2dbc", false }, { 150, 16, "design", false },
    };
    enum { CASES = sizeof cases / sizeof cases[0] };
    grid = new_grid((ompfact_options){ .threads = 2, .copy_on_node = _i / 4 == 1 });
    for (int k = _i % 4; k < 2 * CASES; k += 4) {
        struct problem p = { .type = "sdcz"[(k / 4 + _i) % 4], .m = cases[k / 2].n, .n = cases[k / 2].n, .hermitian = true,
                             .symmetric = (k / 4 + _i / 2) % 2 == 1, .upper = k % 2 == 1, .seed = 7 };
        for (int depth = 1; depth <= 2; depth++)
            transforms(&p, cases[k / 2].nb, cases[k / 2].layout, cases[k / 2].full, depth);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Depth 0 changes nothing. The option's other names stand for depths. */
START_TEST(depths)
{
    struct problem p = { .type = 'd', .m = 20, .n = 20, .hermitian = true, .seed = 3 };
    ompfact_shape shape = shape_of(&p, 8, "2dbc");
    grid = new_grid((ompfact_options){ .threads = 1 });
    ompfact_matrix *A = new_matrix(grid, &shape);
    ompfact_report report = { 0 };
    fill(A, &p);
    assert_everywhere(butterfly_of_matrix(A, butterfly_depth(OMPFACT_BUTTERFLY_NONE), &report) == OMPFACT_SUCCESS);
    moved(A, 0, &report);
    assert_everywhere(report.transfer_bytes == 0);
    ck_assert_int_eq(butterfly_depth(OMPFACT_BUTTERFLY_ONE), 1);
    ck_assert_int_eq(butterfly_depth(OMPFACT_BUTTERFLY_TWO), 2);
    ck_assert_int_eq(butterfly_depth(OMPFACT_BUTTERFLY_AUTO), 2);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

static Suite *butterfly_suite(void)
{
    Suite *suite = suite_create("butterfly");
    TCase *tests = tcase_create("butterfly");
    tcase_add_loop_test(tests, like_dense, 0, 8);
    tcase_add_test(tests, depths);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, butterfly_suite());
}
