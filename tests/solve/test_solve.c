/*
 * Solves on any number of ranks. A solution is right if
 *
 *     max over columns of || b - A x || / ( ||A|| ||x|| n eps ) < 30
 *
 * in the 1-norm, eps the unit roundoff: LAPACK's dpot02 and dget02.
 */
#include "tests/solve/square_systems.h"

/* ---- solving and checking ----------------------------------------------------------------------------------------------- */

static ompfact_status factor(ompfact_matrix *A, const struct problem *p, int64_t *info)
{
    return p->hermitian ? ompfact_potrf(A, info) : ompfact_getrf(A, info);
}

static ompfact_status solve(ompfact_matrix *A, const struct problem *p, ompfact_matrix *B)
{
    return p->hermitian ? ompfact_potrs(A, B) : ompfact_getrs(A, B);
}

static ompfact_status factor_and_solve(ompfact_matrix *A, const struct problem *p, ompfact_matrix *B, int64_t *info)
{
    return p->hermitian ? ompfact_posv(A, B, info) : ompfact_gesv(A, B, info);
}

/* Checks X, the solution for the numbers of fill_rhs. */
static void check_solution(const struct problem *p, ompfact_matrix *X)
{
    number *dense = gather(X, NULL);
    double ratio = solve_ratio(p, dense, ompfact_cols(X));
    free(dense);
    assert_everywhere_msg(ratio < 30, "%c, n = %lld, %lld right-hand sides: ratio %g", p->type, (long long)p->n,
                          (long long)ompfact_cols(X), ratio);
    ompfact_report report = ompfact_last_report(X);
    assert_everywhere_msg(report.transfers == report.transfers_predicted, "%lld transfers, %lld predicted",
                          (long long)report.transfers, (long long)report.transfers_predicted);
    assert_everywhere(agreed(report.transfers) && agreed(report.transfer_bytes) && agreed(report.cache_peak_tiles));
    assert_everywhere(all_ranks_count() > 1 || report.transfers == 0);
}

/* ---- right solutions ---------------------------------------------------------------------------------------------------- */

/* One factorization serves any number of right-hand sides: none, one, a few, exactly a tile, and more than a tile. */
START_TEST(reuses_factors)
{
    static const int nrhs[] = { 2 * NB + 5, 3, 0, NB, 1 };
    bool hermitian = _i % 2;
    struct problem p = square("sdcz"[_i / 2], hermitian, 4 * NB + 7);
    p.upper = hermitian && (_i / 2 + all_ranks_count()) % 2;
    ompfact_matrix *A = matrix_of(grids[1 + _i / 2 % 2], &p, _i % 3 == 0 ? "2dbc" : "g2dbc");
    int64_t info = -1;
    fill(A, &p);
    assert_everywhere(factor(A, &p, &info) == OMPFACT_SUCCESS && info == 0);
    number *before = gather(A, &p);
    int first = p.type == 'd' ? _i % 2 : (_i + 4) % 5, step = p.type == 'd' ? 2 : 5;    /* double has all, other types one */
    for (int r = first; r < 5; r += step) {
        ompfact_matrix *B = new_rhs(A, nrhs[r]);
        assert_everywhere(ompfact_rows(B) == p.n && ompfact_cols(B) == nrhs[r] && ompfact_type(B) == p.type);
        for (int again = 0; again < 2; again++) {
            fill_rhs(B, &p);
            assert_everywhere(solve(A, &p, B) == OMPFACT_SUCCESS);
            check_solution(&p, B);
        }
        ompfact_matrix_destroy(&B);
    }
    number *after = gather(A, &p);
    bool same = memcmp(before, after, (size_t)(p.n * p.n) * sizeof *before) == 0;
    free(before);
    free(after);
    assert_everywhere(same);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Fills A, factors and solves by one call, and destroys A. */
static void check_one_call(ompfact_matrix *A, const struct problem *p, int64_t nrhs)
{
    ompfact_matrix *B = new_rhs(A, nrhs);
    int64_t info = -1;
    fill(A, p);
    fill_rhs(B, p);
    assert_everywhere(factor_and_solve(A, p, B, &info) == OMPFACT_SUCCESS && info == 0);
    check_solution(p, B);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}

/* One call factors and solves, in sizes around a tile's and with more ranks than tiles. */
START_TEST(one_call)
{
    static const int64_t n[] = { 1, NB, NB + 1 };
    struct problem p = square("dz"[_i % 2], (_i + all_ranks_count()) % 2, n[_i % 3]);
    p.upper = p.hermitian && _i >= 3;
    check_one_call(matrix_of(grids[1 + _i % 2], &p, NULL), &p, 2);
}
END_TEST

/* An empty system has an empty solution. */
START_TEST(empty)
{
    struct problem p = square('d', all_ranks_count() % 2, 0);
    ompfact_matrix *A = matrix_of(grids[1], &p, NULL), *B = new_rhs(A, 2), *X = new_rhs(A, 2), *A0 = new_like(A);
    int64_t info = -1;
    double ratio = -1;
    assert_everywhere(factor_and_solve(A, &p, B, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_residual_solve(A0, X, B, &ratio) == OMPFACT_SUCCESS && ratio == 0);
    ompfact_matrix_destroy(&A0);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Tiles of any sizes, narrower and wider than the right-hand sides. */
START_TEST(ragged)
{
    static const int sizes[] = { 5, 17, 1, 16, 30 };
    bool hermitian = _i > 0;
    struct problem p = square("cd"[(_i + all_ranks_count()) % 2], hermitian, 69);
    p.upper = _i == 2;
    ompfact_shape shape = shape_of(&p, 0, "2dbc");
    shape.mt = shape.nt = 5;
    shape.row_heights = shape.col_widths = sizes;
    check_one_call(new_matrix(grids[2], &shape), &p, 33);
}
END_TEST

/* One slot of cache and two tasks in flight are enough, with any delays. */
START_TEST(little_memory)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .cache_tiles = 1, .max_tasks = 2,
                                                     .testing = &(ompfact_testing){ .jitter_us = 300 } });
    struct problem p = square('d', all_ranks_count() != 3, 6 * NB + 1);
    p.upper = all_ranks_count() == 5;
    ompfact_matrix *A = matrix_of(grid, &p, NULL), *B = new_rhs(A, 1);
    int64_t info = -1;
    fill(A, &p);
    fill_rhs(B, &p);
    assert_everywhere(factor_and_solve(A, &p, B, &info) == OMPFACT_SUCCESS && info == 0);
    check_solution(&p, B);
    assert_everywhere(ompfact_last_report(B).tasks_peak <= 2);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- wrong use ---------------------------------------------------------------------------------------------------------- */

/* After a failing pivot the right-hand sides are unchanged, and the matrix is not a factor. */
START_TEST(failing_pivot)
{
    struct problem p = square('d', _i > 0, 3 * NB);
    p.upper = _i == 2;
    p.fails = 2 * NB + 3;
    ompfact_matrix *A = matrix_of(grids[2], &p, NULL), *B = new_rhs(A, 3);
    int64_t info = -1;
    fill(A, &p);
    fill_rhs(B, &p);
    number *before = gather(B, NULL);
    assert_everywhere(factor_and_solve(A, &p, B, &info) == OMPFACT_SUCCESS && info == p.fails);
    assert_everywhere(solve(A, &p, B) == OMPFACT_BAD_ARGUMENT);
    number *after = gather(B, NULL);
    bool same = memcmp(before, after, (size_t)p.n * 3 * sizeof *before) == 0;
    free(before);
    free(after);
    assert_everywhere(same);

    p.fails = 0;        /* the matrix is used again */
    fill(A, &p);
    assert_everywhere(factor_and_solve(A, &p, B, &info) == OMPFACT_SUCCESS && info == 0);
    check_solution(&p, B);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* A matrix that is not factored, was filled again, or was factored otherwise is refused. */
START_TEST(not_factored)
{
    struct problem p = square('d', true, 2 * NB), g = square('d', false, 2 * NB);
    ompfact_matrix *A = matrix_of(grids[1], &p, NULL), *G = matrix_of(grids[1], &g, NULL), *B = new_rhs(A, 1), *C = new_rhs(G, 1);
    int64_t info = -1;
    fill(A, &p);
    fill(G, &g);
    fill_rhs(B, &p);
    assert_everywhere(ompfact_potrs(A, B) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(strstr(ompfact_message(grids[1]), "potrf") != NULL);
    assert_everywhere(ompfact_getrs(G, C) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_getrf(A, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_potrf(G, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_posv(G, C, &info) == OMPFACT_BAD_ARGUMENT && ompfact_gesv(A, B, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_getrs(A, B) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_potrs(A, B) == OMPFACT_SUCCESS);
    check_solution(&p, B);
    fill(A, &p);
    assert_everywhere(ompfact_potrs(A, B) == OMPFACT_BAD_ARGUMENT);
    ompfact_matrix_destroy(&C);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&G);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* A general matrix without m is square. A matrix with row_heights of no tiles has no rows. */
START_TEST(without_m)
{
    int64_t info = -1;
    int nb[2];
    ompfact_layout_counts counts[2];
    ompfact_shape square = { .n = 2 * NB, .nb = NB, .layout = "g2dbc" }, given = square, open = { .n = 900 };
    struct problem p = { .type = 'd', .m = 2 * NB, .n = 2 * NB };
    given.m = given.n;
    ompfact_matrix *A = new_matrix(grids[1], &square), *B = new_rhs(A, 1);
    assert_everywhere(ompfact_rows(A) == 2 * NB && ompfact_shape_of(A).m == 2 * NB);
    fill(A, &p);
    fill_rhs(B, &p);
    assert_everywhere(ompfact_gesv(A, B, &info) == OMPFACT_SUCCESS && info == 0);
    check_solution(&p, B);
    assert_everywhere(ompfact_layout_count(&square, 6, &counts[0], NULL) == OMPFACT_SUCCESS &&
                      ompfact_layout_count(&given, 6, &counts[1], NULL) == OMPFACT_SUCCESS &&
                      counts[0].transfers > 0 && counts[0].transfers == counts[1].transfers);
    assert_everywhere(ompfact_tile_size(grids[1], &open, &nb[0]) == OMPFACT_SUCCESS);
    open.m = open.n;
    assert_everywhere(ompfact_tile_size(grids[1], &open, &nb[1]) == OMPFACT_SUCCESS && nb[0] == nb[1]);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    square.row_heights = (int[]){ 0 };
    A = new_matrix(grids[1], &square);
    assert_everywhere(ompfact_rows(A) == 0 && ompfact_tile_rows(A) == 0 && ompfact_cols(A) == 2 * NB);
    B = new_rhs(A, 1);
    assert_everywhere(ompfact_rows(B) == 0 && ompfact_gesv(A, B, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(strstr(ompfact_message(grids[1]), "must be square") != NULL);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Wrong right-hand sides are refused before any rank waits for a tile. */
static void refuses(ompfact_matrix *A, ompfact_matrix *B)
{
    assert_everywhere(ompfact_potrs(A, B) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(strstr(ompfact_message(grids[1]), "ompfact_matrix_create_rhs") != NULL);
}

/* Right-hand sides of another size, type, layout, tiling or grid, and other matrices, are refused. */
START_TEST(not_its_right_hand_sides)
{
    static const int cuts[] = { 5, 27, 16 };
    struct problem p = square('d', true, 3 * NB);
    struct { struct problem problem; int nb; const char *layout; const int *cuts; int grid; } others[] = {
        { square('d', true, 3 * NB - 1), NB, "g2dbc", NULL, 1 },    /* as many tiles, but fewer rows */
        { square('z', true, 3 * NB), NB, "g2dbc", NULL, 1 },
        { square('d', true, 3 * NB), NB, NULL, cuts, 1 },
        { square('d', true, 3 * NB), NB, "g2dbc", NULL, 2 },
    };
    ompfact_matrix *A = matrix_of(grids[1], &p, "g2dbc");
    int64_t info;
    fill(A, &p);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && info == 0);
    refuses(A, A);
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        ompfact_shape shape = shape_of(&others[k].problem, others[k].nb, others[k].layout);
        shape.row_heights = others[k].cuts;
        shape.mt = 3;
        ompfact_matrix *other = new_matrix(grids[others[k].grid], &shape), *B = new_rhs(other, 1);
        refuses(A, B);
        ompfact_matrix_destroy(&B);
        ompfact_matrix_destroy(&other);
    }
    ompfact_matrix_destroy(&A);
}
END_TEST

static int last_rank(int cell)
{
    (void)cell;
    return all_ranks_count() - 1;
}

/* Right-hand sides in another layout than the matrix's diagonal are refused: a solve would wait for tiles that nobody sends. */
START_TEST(elsewhere)
{
    struct problem p = square('d', true, 3 * NB);
    char all_on_last[64];
    write_map(all_on_last, 1, 1, last_rank);
    ompfact_matrix *A = matrix_of(grids[1], &p, "2dbc"), *other = matrix_of(grids[1], &p, all_on_last), *B = new_rhs(other, 1);
    int64_t info;
    remove_map(all_on_last);
    fill(A, &p);
    fill_rhs(B, &p);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && info == 0);
    if (all_ranks_count() == 1)
        assert_everywhere(ompfact_potrs(A, B) == OMPFACT_SUCCESS);
    else
        refuses(A, B);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&other);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* A negative number of right-hand sides is refused. */
START_TEST(no_right_hand_sides)
{
    struct problem p = square('d', true, NB);
    ompfact_matrix *A = matrix_of(grids[1], &p, NULL), *B;
    assert_everywhere(ompfact_matrix_create_rhs(A, -1, &B) == OMPFACT_BAD_ARGUMENT && B == NULL);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Whether A still contains the numbers that filled it. Collective. */
static bool is_as_filled(ompfact_matrix *A, const struct problem *p)
{
    int64_t m = ompfact_rows(A), n = ompfact_cols(A);
    number *a = gather(A, NULL);
    bool same = true;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            same = same && (is_beyond(p, i, j) || a[i + j * m] == entry_of(p, i, j));
    free(a);
    return everywhere(same);
}

/* A call that factors and solves checks all its arguments first. A matrix that cannot be solved with stays unchanged, and
   right-hand sides of another matrix are refused even if the factorization would fail. */
START_TEST(refused_at_once)
{
    struct problem tall = { .type = 'd', .m = 4 * NB, .n = 3 * NB, .pivots = true };
    struct problem p = square('d', _i == 0, 3 * NB), other = square('d', true, 2 * NB);
    p.fails = NB + 1;
    ompfact_matrix *A = matrix_of(grids[1], &p, NULL), *T = matrix_of(grids[1], &tall, NULL);
    ompfact_matrix *S = matrix_of(grids[1], &other, NULL);
    ompfact_matrix *B = new_rhs(S, 2), *C = new_rhs(T, 2), *X;
    int64_t info;
    int iterations;
    fill(A, &p);
    fill(T, &tall);
    assert_everywhere((_i == 0 ? ompfact_posv(A, B, &info) : ompfact_gesv(A, B, &info)) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere((_i == 0 ? ompfact_posv_refined : ompfact_gesv_refined)(A, B, &info, &iterations) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_gesv(T, C, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_gels(T, B, &X, &info) == OMPFACT_BAD_ARGUMENT && X == NULL);
    assert_everywhere(ompfact_gesv_refined(T, C, &info, &iterations) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(is_as_filled(A, &p) && is_as_filled(T, &tall));
    ompfact_matrix_destroy(&C);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&S);
    ompfact_matrix_destroy(&T);
    ompfact_matrix_destroy(&A);
}
END_TEST

static void zero(void *context, int64_t i, int64_t j, void *value)
{
    const struct problem *p = context;
    (void)i, (void)j;
    memset(value, 0, precision_of(p->type)->size);
}

static bool is_zero(ompfact_matrix *A)
{
    double norm;
    return ompfact_norm1(A, &norm) == OMPFACT_SUCCESS && norm == 0;
}

/* As in LAPACK's gels, a matrix of zeros has X = 0, B becomes 0, and info is 0. With one element the matrix lacks full rank. */
START_TEST(least_squares_of_zeros)
{
    bool wide = _i % 2;
    struct problem p = { .type = "sdcz"[_i / 2], .m = wide ? 2 * NB + 1 : 3 * NB, .n = wide ? 3 * NB : 2 * NB + 1 };
    ompfact_matrix *A = matrix_of(grids[1], &p, NULL), *B = new_rhs(A, 3), *X;
    int64_t info = -1;
    assert_everywhere(ompfact_fill_entries(A, zero, &p) == OMPFACT_SUCCESS);
    fill_rhs(B, &p);
    assert_everywhere(ompfact_gels(A, B, &X, &info) == OMPFACT_SUCCESS && info == 0 && X != NULL);
    assert_everywhere(ompfact_rows(X) == p.n && ompfact_cols(X) == 3 && is_zero(X) && is_zero(A) && is_zero(B));
    fill_rhs(B, &p);
    ompfact_matrix_destroy(&X);
    ompfact_tile t;
    if (ompfact_tile_get(A, 0, 0, &t) == OMPFACT_SUCCESS) {
        put(&t, p.type, 0, 0, 1);
        ompfact_tile_restore(A, &t);
    }
    assert_everywhere(ompfact_gels(A, B, &X, &info) == OMPFACT_SUCCESS && info == 2 && X == NULL);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

static Suite *solve_suite(void)
{
    Suite *suite = suite_create("solve");
    TCase *tests = tcase_create("solve");
    tcase_add_unchecked_fixture(tests, create_grids, destroy_grids);
    tcase_add_loop_test(tests, reuses_factors, 0, 8);
    tcase_add_loop_test(tests, one_call, 0, 6);
    tcase_add_test(tests, empty);
    tcase_add_loop_test(tests, ragged, 0, 3);
    tcase_add_test(tests, little_memory);
    tcase_add_loop_test(tests, failing_pivot, 0, 3);
    tcase_add_test(tests, not_factored);
    tcase_add_test(tests, without_m);
    tcase_add_test(tests, not_its_right_hand_sides);
    tcase_add_test(tests, elsewhere);
    tcase_add_test(tests, no_right_hand_sides);
    tcase_add_loop_test(tests, refused_at_once, 0, 2);
    tcase_add_loop_test(tests, least_squares_of_zeros, 0, 8);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, solve_suite());
}
