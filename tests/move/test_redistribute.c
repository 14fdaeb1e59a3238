/*
 * Matrices move from any layout to any other. Every element is checked, and the reported bytes must be those of the elements that
 * change their rank.
 */
#include "tests/move/redistribution.h"

static ompfact_grid *grid;

static void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 1 });
}

static void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
}

/* Copies A to B, and checks that nothing else changes. */
static void moves(const struct problem *p, ompfact_matrix *A, ompfact_matrix *B, const int *owner_in_A, const int *owner_in_B)
{
    struct problem other = *p;
    other.seed++;
    fill(B, &other);
    assert_everywhere_msg(ompfact_redistribute(A, B) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    assert_everywhere_msg(holds(A, p) && holds(B, p), "%c, %lld x %lld, from %s to %s", p->type, (long long)p->m, (long long)p->n,
                          ompfact_layout(A), ompfact_layout(B));
    ompfact_report report = ompfact_last_report(B);
    int64_t expected = bytes_between(p, owner_in_A, owner_in_B);
    assert_everywhere_msg(report.transfer_bytes == expected, "%lld bytes reported, %lld counted, from %s to %s",
                          (long long)report.transfer_bytes, (long long)expected, ompfact_layout(A), ompfact_layout(B));
    assert_everywhere(report.seconds >= 0 && agreed((int64_t)(report.seconds * 1e9)) && report.transfers == 0);
}

/* Moves from every way to every other. */
static void all_moves(const struct problem *p)
{
    ompfact_matrix *A[WAYS];
    int *owner[WAYS];
    for (int k = 0; k < WAYS; k++) {
        ompfact_shape shape = way(k, p);
        A[k] = new_matrix(grid, &shape);
        owner[k] = owners_of(A[k]);
    }
    for (int from = 0; from < WAYS; from++) {
        fill(A[from], p);
        for (int to = 0; to < WAYS; to++)
            if (to != from)
                moves(p, A[from], A[to], owner[from], owner[to]);
    }
    for (int k = 0; k < WAYS; k++) {
        free(owner[k]);
        ompfact_matrix_destroy(&A[k]);
    }
}

/* All pairs of ways, for general, Hermitian and symmetric matrices by either triangle, in all types. */
START_TEST(all_pairs)
{
    int kind = (_i + _i / 3) % 3;
    if (is_spared(_i, 3))
        return;
    all_moves(&(struct problem){ .type = "sdcz"[_i / 3], .hermitian = kind > 0, .symmetric = _i % 2 == 0, .upper = kind == 2,
                                 .m = SIZE, .n = kind > 0 ? SIZE : 50, .seed = 7 });
}
END_TEST

/* Empty matrices, a single element, and matrices with fewer tiles than ranks move, too. */
START_TEST(small)
{
    static const struct problem sizes[] = {
        { .m = 0, .n = 5 }, { .m = 5, .n = 0 }, { .hermitian = true }, { .m = 1, .n = 1, .hermitian = true }, { .m = 3, .n = 17 },
        { .m = 3, .n = 3, .hermitian = true, .upper = true },
    };
    struct problem p = sizes[_i];
    p.type = "dz"[_i % 2];
    if (!is_spared(_i, 2))
        all_moves(&p);
}
END_TEST

/* A matrix that is larger than the staging memory moves in several rounds, also from a rank that owns all tiles. */
START_TEST(rounds)
{
    struct problem p = { .type = "zd"[_i > 0], .hermitian = _i > 0, .upper = _i == 2, .m = _i > 0 ? 1500 : 1000,
                         .n = _i > 0 ? 1500 : 1100, .seed = 5 };
    struct problem other = p;
    other.seed = 0;
    ompfact_shape shape = shape_of(&p, 700, "2dbc"), cut = shape_of(&p, 96, "g2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_matrix(grid, &cut), *C = new_matrix(grid, &shape);
    fill(A, &p);
    fill(B, &other);
    fill(C, &other);
    assert_everywhere(ompfact_redistribute(A, B) == OMPFACT_SUCCESS && ompfact_redistribute(B, C) == OMPFACT_SUCCESS);
    assert_everywhere(holds(B, &p) && holds(C, &p));
    assert_everywhere(ompfact_last_report(B).transfer_bytes == ompfact_last_report(C).transfer_bytes);
    assert_everywhere(all_ranks_count() == 1 || ompfact_last_report(B).transfer_bytes > 0);
    ompfact_matrix_destroy(&C);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Factors that move to other tiles and ranks solve there, and so do right-hand sides. A matrix that is no factor does not
   become one. */
START_TEST(factors)
{
    struct problem p = { .type = "zdz"[_i], .hermitian = _i > 0, .upper = _i == 2, .m = SIZE, .n = SIZE, .seed = 11 };
    ompfact_shape one = shape_of(&p, 16, "2dbc"), two = shape_of(&p, 9, backwards);
    ompfact_matrix *A = new_matrix(grid, &one), *F = new_matrix(grid, &two), *B = new_rhs(A, 3), *X = new_rhs(F, 3);
    int64_t info = -1;
    fill(A, &p);
    fill_rhs(B, &p);
    assert_everywhere(ompfact_redistribute(A, F) == OMPFACT_SUCCESS && ompfact_redistribute(B, X) == OMPFACT_SUCCESS);
    assert_everywhere((_i ? ompfact_potrs(F, X) : ompfact_getrs(F, X)) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere((_i ? ompfact_potrf(A, &info) : ompfact_getrf(A, &info)) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_redistribute(A, F) == OMPFACT_SUCCESS);
    assert_everywhere((_i ? ompfact_potrs(F, X) : ompfact_getrs(F, X)) == OMPFACT_SUCCESS);
    number *dense = gather(X, NULL);
    double ratio = solve_ratio(&p, dense, 3);
    free(dense);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&F);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* The target must have the same size, type, structure and grid, and must not be the matrix itself. */
START_TEST(refuses)
{
    static const struct problem others[] = {
        { .type = 'd', .m = 20, .n = 21 }, { .type = 'd', .m = 21, .n = 20 }, { .type = 'z', .m = 20, .n = 20 },
        { .type = 'd', .m = 20, .n = 20, .hermitian = true },
        { .type = 'z', .m = 20, .n = 20, .hermitian = true, .upper = true, .symmetric = true },
    };
    struct problem p = { .type = _i == 2 ? 'z' : 'd', .m = 20, .n = 20, .hermitian = _i, .upper = _i };
    ompfact_shape shape = shape_of(&p, 8, "2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    assert_everywhere(ompfact_redistribute(A, A) == OMPFACT_BAD_ARGUMENT && is_one_line(ompfact_message(grid)));
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        ompfact_shape other = shape_of(&others[k], 8, "2dbc");
        ompfact_matrix *B = new_matrix(grid, &other);
        fill(B, &others[k]);
        assert_everywhere(ompfact_redistribute(A, B) == OMPFACT_BAD_ARGUMENT && is_one_line(ompfact_message(grid)));
        assert_everywhere(holds(B, &others[k]));
        ompfact_matrix_destroy(&B);
    }
    ompfact_grid *second = new_grid((ompfact_options){ .threads = 1 });
    ompfact_matrix *B = new_matrix(second, &shape);
    assert_everywhere(ompfact_redistribute(A, B) == OMPFACT_BAD_ARGUMENT &&
                      strstr(ompfact_message(grid), "another grid") != NULL);
    ompfact_matrix_destroy(&B);
    ompfact_grid_destroy(&second);
    ompfact_matrix_destroy(&A);
}
END_TEST

static Suite *redistribute_suite(void)
{
    Suite *suite = suite_create("redistribute");
    TCase *tests = tcase_create("redistribute");
    tcase_add_unchecked_fixture(tests, create_grid, destroy_grid);
    tcase_add_unchecked_fixture(tests, create_map, remove_the_map);
    tcase_add_loop_test(tests, all_pairs, 0, 12);
    tcase_add_loop_test(tests, small, 0, 6);
    tcase_add_loop_test(tests, rounds, 0, 3);
    tcase_add_loop_test(tests, factors, 0, 3);
    tcase_add_loop_test(tests, refuses, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, redistribute_suite());
}
