/* The ratios by which the library judges solutions: what they accept and reject, and numbers near the ends of the type's range.
   */
#include "src/solve/check_in_range.h"
#include "tests/fixtures.h"

enum { NB = 16 };

static ompfact_grid *the_grid;

static void create_grid(void)
{
    the_grid = new_grid((ompfact_options){ .threads = 1 });
}

static void destroy_grid(void)
{
    ompfact_grid_destroy(&the_grid);
}

static ompfact_matrix *matrix_of(const struct problem *p)
{
    ompfact_shape shape = shape_of(p, NB, NULL);
    return new_matrix(the_grid, &shape);
}

static ompfact_status factor_and_solve(ompfact_matrix *A, const struct problem *p, ompfact_matrix *B, int64_t *info)
{
    return p->hermitian ? ompfact_posv(A, B, info) : ompfact_gesv(A, B, info);
}

/* ---- right and wrong solutions ------------------------------------------------------------------------------------------ */

static void spoil(void *context, const ompfact_tile *t)
{
    const struct problem *p = context;
    if (t->row == 0 && t->col == 0)
        put(t, p->type, 0, 0, get(t, p->type, 0, 0) * (1 + 1e-6));
}

static void spoil_more(void *context, const ompfact_tile *t)
{
    const struct problem *p = context;
    if (t->row == NB && t->col == 0)
        put(t, p->type, 2, 1, NAN);
}

/* ompfact_residual_solve accepts right solutions, does not change X, and detects a relative change of one number by 1e-6 and a
   NaN. */
START_TEST(residual)
{
    enum { NRHS = NB + 3 };
    struct problem p = { .type = "dz"[_i % 2], .hermitian = _i > 0, .m = 3 * NB + 5, .n = 3 * NB + 5, .seed = 3 * NB + 5 };
    p.upper = _i == 2;
    ompfact_matrix *F = matrix_of(&p), *A = new_like(F), *X = new_rhs(F, NRHS), *B = new_rhs(F, NRHS);
    int64_t info;
    double ratio;
    fill(F, &p);
    fill(A, &p);
    fill_rhs(X, &p);
    assert_everywhere(factor_and_solve(F, &p, X, &info) == OMPFACT_SUCCESS && info == 0);
    number *before = gather(X, NULL);
    double expected = solve_ratio(&p, before, NRHS);
    fill_rhs(B, &p);
    assert_everywhere(ompfact_residual_solve(A, X, B, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio < 30 && ratio > 0.2 * expected && ratio < 5 * expected, "ratio %g, naively %g", ratio, expected);
    number *after = gather(X, NULL);
    bool same = memcmp(before, after, (size_t)(p.n * NRHS) * sizeof *before) == 0;
    free(before);
    free(after);
    assert_everywhere(same);
    assert_everywhere(ompfact_fill_tiles(X, spoil, &p) == OMPFACT_SUCCESS);
    fill_rhs(B, &p);
    assert_everywhere(ompfact_residual_solve(A, X, B, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio > 30, "ratio %g", ratio);
    assert_everywhere(ompfact_fill_tiles(X, spoil_more, &p) == OMPFACT_SUCCESS);
    fill_rhs(B, &p);
    assert_everywhere(ompfact_residual_solve(A, X, B, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(!(ratio < 30), "ratio %g, with a NaN in the solution", ratio);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&F);
}
END_TEST

/* ---- out of range ------------------------------------------------------------------------------------------------------- */

/* Numbers whose products overflow or underflow. */
static double extreme;
static void extreme_entry(void *context, int64_t i, int64_t j, void *value)
{
    const struct problem *p = context;
    number a = extreme * random_number(p->type, 11, i, j);
    precision_of(p->type)->set(value, creal(a), cimag(a));
}

/* For tiny and huge matrices the ratio is small for a solution and large for another X. B0 gets the residual in the original
   scale. */
START_TEST(least_squares_out_of_range)
{
    bool wide = _i % 2, tiny = _i / 2 % 2;
    struct problem p = { .type = "sdcz"[_i / 4], .m = wide ? 2 * NB + 1 : 3 * NB, .n = wide ? 3 * NB : 2 * NB + 1 };
    bool single = p.type == 's' || p.type == 'c';
    extreme = single ? (tiny ? 1e-35 : 1e35) : (tiny ? 1e-300 : 1e300);
    ompfact_matrix *A = matrix_of(&p), *A0 = new_like(A), *B = new_rhs(A, 2), *B0 = new_rhs(A, 2), *X;
    int64_t info = -1;
    double ratio = -1, norm;
    assert_everywhere(ompfact_fill_entries(A, extreme_entry, &p) == OMPFACT_SUCCESS &&
                      ompfact_fill_entries(A0, extreme_entry, &p) == OMPFACT_SUCCESS);
    fill_rhs(B, &p);
    fill_rhs(B0, &p);
    assert_everywhere(ompfact_gels(A, B, &X, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_residual_gels(A0, X, B0, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio < 30, "%c: %g", p.type, ratio);
    assert_everywhere(ompfact_norm1(B0, &norm) == OMPFACT_SUCCESS && norm < (wide ? 1e-3 : 1e3));
    assert_everywhere(ompfact_fill_entries(X, extreme_entry, &p) == OMPFACT_SUCCESS);
    fill_rhs(B0, &p);
    assert_everywhere(ompfact_residual_gels(A0, X, B0, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio > 30, "%c, another X: %g", p.type, ratio);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B0);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A0);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Systems with such matrices, and right-hand sides that are as tiny or huge. */
START_TEST(systems_out_of_range)
{
    bool tiny = _i % 2;
    struct problem p = { .type = "sdcz"[_i / 4], .hermitian = _i / 2 % 2, .m = 3 * NB + 5, .n = 3 * NB + 5, .seed = 3 * NB + 5 };
    int exponent = extreme_exponent(p.type, tiny), of_rhs = tiny ? exponent : exponent / 8;
    p.upper = p.hermitian && _i >= 8;
    ompfact_matrix *A = matrix_of(&p), *A0 = new_like(A), *X = new_rhs(A, 2), *B = new_rhs(A, 2);
    int64_t info = -1;
    double ratio = -1;
    fill(A, &p);
    fill(A0, &p);
    fill_rhs(X, &p);
    fill_rhs(B, &p);
    scale_by_power(A, exponent);
    scale_by_power(A0, exponent);
    scale_by_power(X, of_rhs);
    scale_by_power(B, of_rhs);
    assert_everywhere(factor_and_solve(A, &p, X, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_residual_solve(A0, X, B, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio > 0 && ratio < 30, "%c: %g", p.type, ratio);
    fill_rhs(X, &p);
    scale_by_power(X, tiny ? 0 : exponent);     /* products overflow, or are far larger than B */
    fill_rhs(B, &p);
    scale_by_power(B, of_rhs);
    assert_everywhere(ompfact_residual_solve(A0, X, B, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio > 30 && isfinite(ratio), "%c, another X: %g", p.type, ratio);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&A0);
    ompfact_matrix_destroy(&A);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("solve_ratios");
    TCase *tests = tcase_create("ratios");
    tcase_add_unchecked_fixture(tests, create_grid, destroy_grid);
    tcase_add_loop_test(tests, residual, 0, 3);
    add_turns(tests, least_squares_out_of_range, 16, 5);
    add_turns(tests, systems_out_of_range, 16, 5);
    suite_add_tcase(suite, tests);
    return run_suite(argc, argv, suite);
}
