/*
 * Solves in mixed precision. A solution is right if it is as accurate as one in double precision,
 *
 *     max over columns of || b - A x || / ( ||A|| ||x|| n eps ) < 30,
 *
 * in the 1-norm, with double's unit roundoff eps, whatever the factors are. The call returns whether refinement or double
 * precision found the solution.
 */
#include "tests/solve/square_systems.h"

/* A matrix in three copies, if there are as many ranks. */
static ompfact_matrix *copies_of(ompfact_grid *grid, const struct problem *p, const char *layout)
{
    ompfact_shape shape = shape_of(p, NB, layout);
    shape.copies = all_ranks_count() < 3 ? all_ranks_count() : 3;
    return new_matrix(grid, &shape);
}

static ompfact_matrix *matrix_or_copies(bool in_copies, ompfact_grid *grid, const struct problem *p, const char *layout)
{
    return (in_copies ? copies_of : matrix_of)(grid, p, layout);
}

static ompfact_status solve_refined(ompfact_matrix *A, const struct problem *p, ompfact_matrix *B, int64_t *info, int *iterations)
{
    return p->hermitian ? ompfact_posv_refined(A, B, info, iterations) : ompfact_gesv_refined(A, B, info, iterations);
}

static bool same_bytes(const number *a, const number *b, int64_t count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static void check_report(ompfact_matrix *A)
{
    ompfact_report report = ompfact_last_report(A);
    assert_everywhere_msg(report.transfers == report.transfers_predicted, "%lld transfers, %lld predicted",
                          (long long)report.transfers, (long long)report.transfers_predicted);
    assert_everywhere(agreed(report.transfers) && report.seconds >= 0);
}

/* Fills, solves, and checks that the refined solution is right and A is unchanged. */
static void check_refined(ompfact_matrix *A, const struct problem *p, int64_t nrhs)
{
    ompfact_matrix *B = new_rhs(A, nrhs);
    int64_t info = -1;
    int iterations = -99;
    fill(A, p);
    fill_rhs(B, p);
    number *before = gather(A, p);
    assert_everywhere(solve_refined(A, p, B, &info, &iterations) == OMPFACT_SUCCESS);
    assert_everywhere_msg(info == 0 && iterations >= 1 && iterations <= 4 && agreed(iterations), "info %lld, %d iterations",
                          (long long)info, iterations);
    number *X = gather(B, NULL), *after = gather(A, p);
    double ratio = solve_ratio(p, X, nrhs);
    bool same = same_bytes(before, after, p->n * p->n);
    free(X);
    free(before);
    free(after);
    assert_everywhere_msg(ratio < 30, "%c, n = %lld, %lld right-hand sides: ratio %g", p->type, (long long)p->n, (long long)nrhs,
                          ratio);
    assert_everywhere(same && rest_is_untouched(A, p));
    check_report(A);
    check_report(B);
    assert_everywhere((ompfact_last_report(A).transfers_sums > 0) == (ompfact_shape_of(A).copies > 1 && p->n > NB));
    ompfact_matrix_destroy(&B);
}

/* ---- where it converges ------------------------------------------------------------------------------------------------- */

/* Cholesky and LU, real and complex, with one copy and with several, for few and many right-hand sides. The matrix stays, and
   is not marked as factored. */
START_TEST(converges)
{
    struct problem p = square("dz"[_i / 2 % 2], _i % 2, 4 * NB + 7);
    ompfact_matrix *A = matrix_or_copies(_i >= 4, grids[1 + _i % 2], &p, _i / 2 % 2 == 0 ? "2dbc" : "g2dbc");
    check_refined(A, &p, 1);
    check_refined(A, &p, NB + 3);
    ompfact_matrix *B = new_rhs(A, 1);
    int64_t info = -1;
    fill_rhs(B, &p);
    assert_everywhere((p.hermitian ? ompfact_potrs(A, B) : ompfact_getrs(A, B)) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere((p.hermitian ? ompfact_posv(A, B, &info) : ompfact_gesv(A, B, &info)) == OMPFACT_SUCCESS && info == 0);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Full storage, tiles of any sizes, one tile, fewer tiles than ranks, automatic layouts. */
START_TEST(shapes)
{
    static const int sizes[] = { 5, 17, 1, 16, 30 };
    struct problem p = square('d', true, 3 * NB + 1), q = square('z', _i, 69);
    ompfact_shape full = shape_of(&p, NB, "g2dbc"), ragged = shape_of(&q, 0, "2dbc");
    full.full_storage = true;
    ragged.mt = ragged.nt = 5;
    ragged.row_heights = ragged.col_widths = sizes;
    ompfact_matrix *A = new_matrix(grids[2], &full);
    check_refined(A, &p, 2);
    ompfact_matrix_destroy(&A);
    A = new_matrix(grids[1], &ragged);
    check_refined(A, &q, 31);
    ompfact_matrix_destroy(&A);
    struct problem r = square('d', _i, _i == 0 ? NB : 7 * NB);
    A = matrix_of(grids[2], &r, NULL);
    check_refined(A, &r, 1);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Any delays, and little memory. */
START_TEST(little_memory)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .cache_tiles = 1, .max_tasks = 2,
                                                     .testing = &(ompfact_testing){ .jitter_us = 200 } });
    struct problem p = square('d', all_ranks_count() % 2, 5 * NB + 1);
    ompfact_matrix *A = matrix_or_copies(_i == 1, grid, &p, NULL);
    check_refined(A, &p, 1);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

static void zero(void *context, int64_t i, int64_t j, void *value)
{
    (void)context, (void)i, (void)j;
    *(double *)value = 0;
}

/* Zero right-hand sides have zero solutions. Empty systems, and systems without right-hand sides, are solved at once. */
START_TEST(nothing_to_refine)
{
    struct problem p = square('d', _i, 2 * NB), e = square('d', _i, 0);
    ompfact_matrix *A = matrix_of(grids[1], &p, NULL), *B = new_rhs(A, 2), *E = matrix_of(grids[1], &e, NULL), *C = new_rhs(E, 2),
                   *none = new_rhs(A, 0);
    int64_t info = -1;
    int iterations = -99;
    double norm;
    fill(A, &p);
    assert_everywhere(ompfact_fill_entries(B, zero, NULL) == OMPFACT_SUCCESS);
    assert_everywhere(solve_refined(A, &p, B, &info, &iterations) == OMPFACT_SUCCESS && info == 0 && iterations == 0);
    assert_everywhere(ompfact_norm1(B, &norm) == OMPFACT_SUCCESS && norm == 0);
    iterations = -99;
    assert_everywhere(solve_refined(A, &p, none, &info, &iterations) == OMPFACT_SUCCESS && info == 0 && iterations == 0);
    iterations = -99;
    assert_everywhere(solve_refined(E, &e, C, &info, &iterations) == OMPFACT_SUCCESS && info == 0 && iterations == 0);
    ompfact_matrix_destroy(&none);
    ompfact_matrix_destroy(&C);
    ompfact_matrix_destroy(&E);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* ---- where it does not -------------------------------------------------------------------------------------------------- */

/* A matrix given by its entries in double precision, and its right-hand sides. */
struct entries {
    double (*matrix)(int64_t i, int64_t j);
    double rhs;
};

static void matrix_entry(void *context, int64_t i, int64_t j, void *value)
{
    const struct entries *e = context;
    *(double *)value = e->matrix(i, j);
}

static void entry_of_rhs(void *context, int64_t i, int64_t j, void *value)
{
    const struct entries *e = context;
    *(double *)value = e->rhs * (double)(1 + (i + j) % 7);
}

static void fill_with(ompfact_matrix *A, void (*entry)(void *, int64_t, int64_t, void *), struct entries *e)
{
    assert_everywhere(ompfact_fill_entries(A, entry, e) == OMPFACT_SUCCESS);
}

/* A condition of 10^10: too large for single precision, small for double. */
static double hilbert(int64_t i, int64_t j)
{
    return 1 / (double)(i + j + 1) + (i == j ? 1e-10 : 0);
}

static double huge(int64_t i, int64_t j)
{
    return i == j ? 4e200 : 1e200 / (double)(1 + i + j);
}

static double harmless(int64_t i, int64_t j)
{
    return i == j ? 4 : 1 / (double)(1 + i + j);
}

/* Where single precision fails the system is solved in double, and A then contains the factors. */
START_TEST(falls_back)
{
    static struct entries cases[] = { { hilbert, 1 }, { huge, 1e200 }, { harmless, 1e200 } };
    struct entries *e = &cases[_i % 3];
    struct problem p = square('d', (_i + all_ranks_count()) % 2, 4 * NB + 3);
    ompfact_matrix *F = matrix_or_copies(_i >= 3, grids[2], &p, NULL), *A = new_like(F), *X = new_rhs(F, 2), *B = new_rhs(F, 2);
    int64_t info = -1;
    int iterations = 0;
    double ratio;
    fill_with(F, matrix_entry, e);
    fill_with(X, entry_of_rhs, e);
    assert_everywhere(solve_refined(F, &p, X, &info, &iterations) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere_msg(iterations < 0 && iterations >= -31 && (_i % 3 == 0 || iterations == -2) && agreed(iterations), "%d",
                          iterations);
    check_report(F);
    check_report(X);
    for (int again = 0; again < 2; again++) {
        fill_with(A, matrix_entry, e);
        fill_with(B, entry_of_rhs, e);
        assert_everywhere(ompfact_residual_solve(A, X, B, &ratio) == OMPFACT_SUCCESS);
        assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
        fill_with(X, entry_of_rhs, e);
        assert_everywhere((p.hermitian ? ompfact_potrs(F, X) : ompfact_getrs(F, X)) == OMPFACT_SUCCESS);
    }
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&F);
}
END_TEST

/* A matrix that is not positive definite fails in both precisions. The right-hand sides stay. */
START_TEST(failing_pivot)
{
    struct problem p = square("dz"[_i % 2], true, 3 * NB);
    p.fails = 2 * NB + 3;
    ompfact_matrix *A = matrix_or_copies(_i >= 2, grids[2], &p, NULL), *B = new_rhs(A, 3);
    int64_t info = -1;
    int iterations = 0;
    fill(A, &p);
    fill_rhs(B, &p);
    number *before = gather(B, NULL);
    assert_everywhere(ompfact_posv_refined(A, B, &info, &iterations) == OMPFACT_SUCCESS);
    assert_everywhere_msg(info == p.fails && iterations == -3, "info %lld, %d", (long long)info, iterations);
    number *after = gather(B, NULL);
    bool same = same_bytes(before, after, p.n * 3);
    free(before);
    free(after);
    assert_everywhere(same);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Types in single precision, the other structure, and right-hand sides of another matrix are refused with a message. */
START_TEST(refusals)
{
    struct problem s = square('s', true, 2 * NB), c = square('c', false, 2 * NB), d = square('d', true, 2 * NB),
                   o = square('d', true, NB);
    ompfact_matrix *S = matrix_of(grids[1], &s, NULL), *C = matrix_of(grids[1], &c, NULL), *D = matrix_of(grids[1], &d, NULL),
                   *O = matrix_of(grids[1], &o, NULL);
    ompfact_matrix *B = new_rhs(S, 1), *E = new_rhs(C, 1), *other = new_rhs(O, 1);
    int64_t info;
    int iterations;
    assert_everywhere(ompfact_posv_refined(S, B, &info, &iterations) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(strstr(ompfact_message(grids[1]), "type d or z, not s") != NULL);
    assert_everywhere(ompfact_gesv_refined(C, E, &info, &iterations) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_gesv_refined(D, other, &info, &iterations) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_posv_refined(D, other, &info, &iterations) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(strstr(ompfact_message(grids[1]), "ompfact_matrix_create_rhs") != NULL);
    assert_everywhere(ompfact_posv_refined(D, D, &info, &iterations) == OMPFACT_BAD_ARGUMENT);
    ompfact_matrix_destroy(&other);
    ompfact_matrix_destroy(&E);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&O);
    ompfact_matrix_destroy(&D);
    ompfact_matrix_destroy(&C);
    ompfact_matrix_destroy(&S);
}
END_TEST

static Suite *refine_suite(void)
{
    Suite *suite = suite_create("refine");
    TCase *tests = tcase_create("refine");
    tcase_add_unchecked_fixture(tests, create_grids, destroy_grids);
    tcase_add_loop_test(tests, converges, 0, 8);
    tcase_add_loop_test(tests, shapes, 0, 2);
    tcase_add_loop_test(tests, little_memory, 0, 2);
    tcase_add_loop_test(tests, nothing_to_refine, 0, 2);
    tcase_add_loop_test(tests, falls_back, 0, 6);
    tcase_add_loop_test(tests, failing_pivot, 0, 4);
    tcase_add_test(tests, refusals);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, refine_suite());
}
