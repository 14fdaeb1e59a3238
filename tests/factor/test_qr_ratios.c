/*
 * The test ratios of QR and of least squares on any number of ranks: small for right results, and for a spoilt result as large as
 * the one from matrices gathered on every rank.
 */
#include "tests/factoring.h"

enum { NB = 8, NRHS = 3 };

static ompfact_grid *grid;

static void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 2 });
}

static void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
}

static const int64_t shapes[][2] = { { 45, 20 }, { 20, 45 }, { 1, 13 }, { 13, 1 }, { 24, 24 }, { 30, 4 } };
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static struct problem problem_of(int shape, int type)
{
    return (struct problem){ .type = "sdcz"[type], .m = shapes[shape][0], .n = shapes[shape][1], .seed = 3, .pivots = true };
}

static double side(const struct problem *p)
{
    return (double)(p->m > p->n ? p->m : p->n);
}

/* Adds to element (0,0) on the owner of its tile. */
static void add_to_first(ompfact_matrix *A, double value)
{
    ompfact_tile t;
    if (ompfact_owner(A, 0, 0) != my_rank())
        return;
    ompfact_tile_get(A, 0, 0, &t);
    put(&t, ompfact_type(A), 0, 0, get(&t, ompfact_type(A), 0, 0) + value);
    ompfact_tile_restore(A, &t);
}

static double column_norm(const number *column, int64_t m)
{
    double sum = 0;
    for (int64_t i = 0; i < m; i++)
        sum += cabs(column[i]);
    return sum;
}

/* An error of 1 in R(0,0) is the first column of Q in A. */
START_TEST(of_factors)
{
    struct problem p = problem_of(_i / 2, 2 * (_i % 2) + _i / 2 % 2);
    ompfact_shape shape = shape_of(&p, NB, NULL), orthonormal = shape;
    ompfact_matrix *A = new_matrix(grid, &shape), *F = new_matrix(grid, &shape), *Q;
    double ratio, norm;
    orthonormal.n = p.m < p.n ? p.m : p.n;
    Q = new_matrix(grid, &orthonormal);
    fill(A, &p);
    fill(F, &p);
    assert_everywhere(ompfact_norm1(A, &norm) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_geqrf(F) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_residual_qr(A, F, &ratio) == OMPFACT_SUCCESS && agreed((int64_t)(1e6 * ratio)));
    assert_everywhere_msg(ratio < 30, "%lld x %lld: %g", (long long)p.m, (long long)p.n, ratio);
    assert_everywhere(ompfact_ungqr(F, Q) == OMPFACT_SUCCESS);
    number *q = gather(Q, NULL);
    add_to_first(F, 1);
    fill(A, &p);
    assert_everywhere(ompfact_residual_qr(A, F, &ratio) == OMPFACT_SUCCESS);
    double expected = column_norm(q, p.m) / (norm * side(&p) * precision_of(p.type)->eps);
    assert_everywhere_msg(fabs(ratio / expected - 1) < 1e-3, "%lld x %lld: %g, not %g", (long long)p.m, (long long)p.n, ratio,
                          expected);
    free(q);
    ompfact_matrix_destroy(&Q);
    ompfact_matrix_destroy(&F);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* X from gels, for the problem's matrix and a filled right-hand side. */
static ompfact_matrix *solve(ompfact_matrix *A, const struct problem *p, ompfact_matrix *B)
{
    ompfact_matrix *X = NULL;
    int64_t info = -1;
    fill(A, p);
    ck_assert(everywhere(ompfact_gels(A, B, &X, &info) == OMPFACT_SUCCESS && info == 0 && X != NULL));
    fill(A, p);
    return X;
}

static double ratio_of_solution(ompfact_matrix *A, const struct problem *p, ompfact_matrix *X, ompfact_matrix *B)
{
    double ratio = -1;
    fill(A, p);
    fill_rhs(B, p);
    ck_assert(everywhere(ompfact_residual_gels(A, X, B, &ratio) == OMPFACT_SUCCESS));
    return ratio;
}

/* A right solution passes; one with a wrong element does not. */
START_TEST(of_solution)
{
    struct problem p = problem_of(_i / 2, 2 * (_i % 2) + _i / 2 % 2);
    ompfact_shape shape = shape_of(&p, NB, NULL);
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_rhs(A, NRHS);
    fill_rhs(B, &p);
    ompfact_matrix *X = solve(A, &p, B);
    double ratio = ratio_of_solution(A, &p, X, B);
    assert_everywhere_msg(ratio < 30, "%lld x %lld: %g", (long long)p.m, (long long)p.n, ratio);
    add_to_first(X, 1);
    ratio = ratio_of_solution(A, &p, X, B);
    assert_everywhere_msg(ratio > 1000, "%lld x %lld: %g", (long long)p.m, (long long)p.n, ratio);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* A's first column as right-hand sides, which e_0 solves. */
static void fill_first_column(void *context, int64_t i, int64_t j, void *value)
{
    const struct problem *p = context;
    number entry = j == 0 ? entry_of(p, i, 0) : 0;
    precision_of(p->type)->set(value, creal(entry), cimag(entry));
}

static void is_first(void *context, int64_t i, int64_t j, void *value)
{
    const struct problem *p = context;
    precision_of(p->type)->set(value, i == 0 && j == 0, 0);
}

/* e_0 solves A x = A e_0, but is not the shortest solution: the ratio sees its part outside A's row space. */
START_TEST(of_least_norm)
{
    struct problem p = problem_of(1, _i);
    ompfact_shape shape = shape_of(&p, NB, NULL);
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_rhs(A, NRHS);
    double ratio;
    assert_everywhere(ompfact_fill_entries(B, fill_first_column, &p) == OMPFACT_SUCCESS);
    ompfact_matrix *X = solve(A, &p, B);
    assert_everywhere(ompfact_fill_entries(B, fill_first_column, &p) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_residual_gels(A, X, B, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio < 30, "the shortest solution: %g", ratio);
    fill(A, &p);
    assert_everywhere(ompfact_fill_entries(B, fill_first_column, &p) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_fill_entries(X, is_first, &p) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_residual_gels(A, X, B, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio > 1000, "a longer one: %g", ratio);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Matrices that do not fit each other are refused; an empty problem has ratio 0. */
START_TEST(other_shapes)
{
    struct problem p = problem_of(0, 1), other = problem_of(1, 1), empty = { .type = 'd', .m = 0, .n = 5 };
    ompfact_shape shape = shape_of(&p, NB, NULL), turned = shape_of(&other, NB, NULL), nothing = shape_of(&empty, NB, NULL);
    ompfact_matrix *A = new_matrix(grid, &shape), *C = new_matrix(grid, &turned), *E = new_matrix(grid, &nothing),
                   *B = new_rhs(A, NRHS);
    double ratio = -1;
    fill(A, &p);
    fill(C, &other);
    fill_rhs(B, &p);
    assert_everywhere(ompfact_residual_qr(A, C, &ratio) == OMPFACT_BAD_ARGUMENT && is_one_line(ompfact_message(grid)));
    assert_everywhere(ompfact_residual_gels(A, B, B, &ratio) == OMPFACT_BAD_ARGUMENT && is_one_line(ompfact_message(grid)));
    assert_everywhere(ompfact_residual_qr(E, E, &ratio) == OMPFACT_SUCCESS && ratio == 0);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&E);
    ompfact_matrix_destroy(&C);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Transfers are those of ompfact_layout_count_qr(), for every tree. */
START_TEST(counted)
{
    static const ompfact_tree trees[] = { OMPFACT_TREE_FLAT, OMPFACT_TREE_BINARY, OMPFACT_TREE_GREEDY, OMPFACT_TREE_AUTO };
    ompfact_grid *with_tree = new_grid((ompfact_options){ .threads = 1, .tree = trees[_i], .ib = 4 });
    ompfact_layout_counts counts;
    char message[OMPFACT_MESSAGE] = "";
    for (int s = 0; s < SHAPES; s++) {
        struct problem p = problem_of(s, 1);
        ompfact_shape shape = shape_of(&p, NB, NULL);
        ompfact_matrix *A = new_matrix(with_tree, &shape);
        fill(A, &p);
        assert_everywhere(ompfact_geqrf(A) == OMPFACT_SUCCESS);
        shape.layout = ompfact_layout(A);
        assert_everywhere_msg(ompfact_layout_count_qr(&shape, ompfact_ranks(with_tree), trees[_i], 4, &counts, message) ==
                                  OMPFACT_SUCCESS,
                              "%s", message);
        assert_everywhere_msg(counts.transfers == ompfact_last_report(A).transfers, "%lld x %lld: %lld counted, %lld made",
                              (long long)p.m, (long long)p.n, (long long)counts.transfers,
                              (long long)ompfact_last_report(A).transfers);
        ompfact_matrix_destroy(&A);
    }
    ompfact_shape hermitian = { .n = 5, .structure = OMPFACT_HERMITIAN_LOWER };
    assert_everywhere(ompfact_layout_count_qr(&hermitian, 1, trees[_i], 4, &counts, message) == OMPFACT_BAD_ARGUMENT &&
                      is_one_line(message));
    ompfact_grid_destroy(&with_tree);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("qr_ratios");
    TCase *tests = tcase_create("qr_ratios");
    tcase_add_unchecked_fixture(tests, create_grid, destroy_grid);
    tcase_add_loop_test(tests, of_factors, 0, 2 * SHAPES);
    tcase_add_loop_test(tests, of_solution, 0, 2 * SHAPES);
    tcase_add_loop_test(tests, of_least_norm, 0, 4);
    tcase_add_test(tests, other_shapes);
    tcase_add_loop_test(tests, counted, 0, 4);
    suite_add_tcase(suite, tests);
    return run_suite(argc, argv, suite);
}
