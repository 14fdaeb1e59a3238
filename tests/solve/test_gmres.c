/*
 * Refinement by GMRES. A solution is right if it is as accurate as one in double precision,
 *
 *     max over columns of || b - A x || / ( ||A|| ||x|| n eps ) < 30,
 *
 * in the 1-norm, with double's unit roundoff eps, also for matrices for which classic refinement fails. A solution corrected by
 * ompfact_refine() is right if in each column ||b - A x||_2 <= 256 eps ||A||_F ||x||_2, with the type's eps.
 */
#include "tests/fixtures.h"

enum { NB = 16, N = 5 * NB + 7, SMALL = 3, COLUMNS = 2 };

static ompfact_grid *classic, *gmres, *threads;

static void create_grids(void)
{
    classic = new_grid((ompfact_options){ .threads = 1, .pivot = OMPFACT_PIVOT_TOURNAMENT });
    gmres = new_grid((ompfact_options){ .threads = 1, .pivot = OMPFACT_PIVOT_TOURNAMENT, .refinement = OMPFACT_REFINE_GMRES });
    threads = new_grid((ompfact_options){ .threads = 2, .pivot = OMPFACT_PIVOT_PARTIAL, .refinement = OMPFACT_REFINE_GMRES });
}

static void destroy_grids(void)
{
    ompfact_grid_destroy(&threads);
    ompfact_grid_destroy(&gmres);
    ompfact_grid_destroy(&classic);
}

/* ---- matrices of a given condition -------------------------------------------------------------------------------------- */

/* P S Q with P = I - 2 u u^H, Q = I - 2 v v^H, |u| = |v| = 1. S has ones and a few numbers down to 1 / condition. A Hermitian
   one has u = v. */
struct conditioned {
    char type;
    bool hermitian;
    double condition;
    int small;              /* the number of small elements of S */
    number u[N], v[N];
    number inner;           /* u^H S v */
    double scale, rhs;      /* factors of the matrix and of the right-hand sides */
};

static double singular_value(const struct conditioned *a, int64_t i)
{
    return i < N - a->small ? 1 : pow(a->condition, -(double)(i + 1 - N + a->small) / a->small);
}

static void fill_unit_vector(char type, unsigned seed, number *u)
{
    double squares = 0;
    for (int i = 0; i < N; i++) {
        u[i] = random_number(type, seed, i, 0);
        squares += creal(u[i] * conj(u[i]));
    }
    for (int i = 0; i < N; i++)
        u[i] /= sqrt(squares);
}

static struct conditioned conditioned(char type, bool hermitian, double condition, int small)
{
    struct conditioned a = { .type = type, .hermitian = hermitian, .condition = condition, .small = small, .scale = 1,
                             .rhs = 1 };
    fill_unit_vector(type, 7, a.u);
    fill_unit_vector(type, hermitian ? 7 : 8, a.v);
    for (int i = 0; i < N; i++)
        a.inner += conj(a.u[i]) * singular_value(&a, i) * a.v[i];
    return a;
}

static number element_of(const struct conditioned *a, int64_t i, int64_t j)
{
    double si = singular_value(a, i), sj = singular_value(a, j);
    return (i == j ? si : 0) - 2 * a->u[i] * conj(a->u[j]) * sj - 2 * si * a->v[i] * conj(a->v[j]) +
           4 * a->inner * a->u[i] * conj(a->v[j]);
}

static void set_element(const struct conditioned *a, void *value, number x)
{
    precision_of(a->type)->set(value, creal(x), cimag(x));
}

static void matrix_entry(void *context, int64_t i, int64_t j, void *value)
{
    const struct conditioned *a = context;
    set_element(a, value, a->scale * element_of(a, i, j));
}

/* The second column is zero, the solution of the third one is a unit vector, and others are random. */
static void entry_of_rhs(void *context, int64_t i, int64_t j, void *value)
{
    const struct conditioned *a = context;
    number x = j == 1 ? 0 : j == 2 ? element_of(a, i, 4) : random_number(a->type, 9, i, j);
    set_element(a, value, a->rhs * x);
}

static void fill_with(ompfact_matrix *A, void (*entry)(void *, int64_t, int64_t, void *), struct conditioned *a)
{
    assert_everywhere(ompfact_fill_entries(A, entry, a) == OMPFACT_SUCCESS);
}

/* ---- solves ------------------------------------------------------------------------------------------------------------- */

static ompfact_matrix *matrix_of(ompfact_grid *grid, const struct conditioned *a)
{
    struct problem p = { .type = a->type, .hermitian = a->hermitian, .m = N, .n = N };
    ompfact_shape shape = shape_of(&p, NB, "g2dbc");
    return new_matrix(grid, &shape);
}

static bool second_column_is_zero(ompfact_matrix *X)
{
    number *x = gather(X, NULL);
    bool zero = true;
    for (int64_t i = 0; i < N; i++)
        zero = zero && x[i + N] == 0;
    free(x);
    return zero;
}

static void check_report(ompfact_matrix *A)
{
    ompfact_report report = ompfact_last_report(A);
    assert_everywhere(report.transfers == report.transfers_predicted && agreed(report.transfers) && report.seconds >= 0);
}

/* Solves, and checks the solution. Returns the iterations, or the code for why there are none. */
static int iterations_of(ompfact_grid *grid, struct conditioned *a, int64_t nrhs)
{
    ompfact_matrix *F = matrix_of(grid, a), *A = new_like(F), *X = new_rhs(F, nrhs), *B = new_rhs(F, nrhs);
    int64_t info = -1;
    int iterations = -99;
    double ratio = INFINITY;
    fill_with(F, matrix_entry, a);
    fill_with(A, matrix_entry, a);
    fill_with(X, entry_of_rhs, a);
    fill_with(B, entry_of_rhs, a);
    ompfact_status status = a->hermitian ? ompfact_posv_refined(F, X, &info, &iterations)
                                         : ompfact_gesv_refined(F, X, &info, &iterations);
    assert_everywhere_msg(status == OMPFACT_SUCCESS && info == 0 && agreed(iterations), "%s", ompfact_message(grid));
    assert_everywhere(iterations < 100 && (nrhs < 2 || second_column_is_zero(X)));
    check_report(F);
    check_report(X);
    assert_everywhere(ompfact_residual_solve(A, X, B, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio < 30, "%c, condition %g: ratio %g", a->type, a->condition, ratio);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&F);
    return iterations;
}

/* For a condition of 10^10, for which classic refinement fails, LU in single precision is enough: for few columns and for five
   tile columns, whose iterations are counted separately. */
START_TEST(ill_conditioned)
{
    static const int64_t counts[] = { 1, 3, 4 * NB + 5 };
    struct conditioned a = conditioned("dz"[_i], false, 1e10, SMALL);
    int without = iterations_of(classic, &a, 3);
    assert_everywhere_msg(without == -31, "%d iterations", without);
    for (int k = 0; k < 3; k++) {
        int with = iterations_of(k == 1 ? threads : gmres, &a, counts[k]);
        assert_everywhere_msg(with >= 1 && with < 60, "%lld columns: %d iterations", (long long)counts[k], with);
    }
}
END_TEST

/* For a condition of 10^6 there are Cholesky factors in single precision. */
START_TEST(positive_definite)
{
    struct conditioned a = conditioned("dz"[_i], true, 1e6, SMALL);
    for (int64_t nrhs = 1; nrhs <= 5; nrhs += 2) {
        int iterations = iterations_of(nrhs == 3 ? threads : gmres, &a, nrhs);
        assert_everywhere_msg(iterations >= 1 && iterations < 30, "%d iterations", iterations);
    }
}
END_TEST

/* Right-hand sides too large or too small for single precision are refined like others, because residuals are scaled. */
START_TEST(large_and_small)
{
    static const double factors[] = { 1e200, 1e-60 };
    for (int k = 0; k < 2; k++) {
        struct conditioned a = conditioned("dz"[_i / 2], _i % 2, 1e6, SMALL);
        a.rhs = factors[k];
        int without = iterations_of(classic, &a, 3), with = iterations_of(gmres, &a, 3);
        assert_everywhere_msg(without == (k == 0 ? -2 : -31), "%g: %d iterations", a.rhs, without);
        assert_everywhere_msg(with >= 1 && with < 30, "%g: %d iterations", a.rhs, with);
    }
}
END_TEST

static int iterations_of_problem(ompfact_grid *grid, const struct problem *p)
{
    ompfact_shape shape = shape_of(p, NB, NULL);
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_rhs(A, 2);
    int64_t info = -1;
    int iterations = -99;
    fill(A, p);
    fill_rhs(B, p);
    assert_everywhere((p->hermitian ? ompfact_posv_refined : ompfact_gesv_refined)(A, B, &info, &iterations) == 0);
    assert_everywhere_msg(info == 0 && iterations >= 0, "%d iterations", iterations);
    number *X = gather(B, NULL);
    double ratio = solve_ratio(p, X, 2);
    free(X);
    assert_everywhere_msg(ratio < 30, "n = %lld: ratio %g", (long long)p->n, ratio);
    assert_everywhere(rest_is_untouched(A, p));
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    return iterations;
}

/* Where the factors alone are good enough GMRES takes no more iterations than classic refinement, for any size, delays and
   memory. */
START_TEST(well_conditioned)
{
    static const int64_t sizes[] = { 1, NB, 3 * NB + 1, 7 * NB };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .cache_tiles = 1, .max_tasks = 2,
                                                     .pivot = OMPFACT_PIVOT_TOURNAMENT, .refinement = OMPFACT_REFINE_GMRES,
                                                     .testing = &(ompfact_testing){ .jitter_us = 100 } });
    for (int k = 0; k < 4; k++) {
        struct problem p = { .type = "dz"[_i / 2], .hermitian = _i % 2, .m = sizes[k], .n = sizes[k], .seed = 3 };
        int without = iterations_of_problem(classic, &p), with = iterations_of_problem(grid, &p);
        assert_everywhere_msg(with == without, "n = %lld: %d iterations, %d by the classic way", (long long)p.n, with, without);
    }
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
    int64_t sizes[] = { 2 * NB, 2 * NB, 0 }, counts[] = { 2, 0, 2 };
    for (int k = 0; k < 3; k++) {
        struct problem p = { .type = 'd', .hermitian = _i, .m = sizes[k], .n = sizes[k] };
        ompfact_shape shape = shape_of(&p, NB, "g2dbc");
        ompfact_matrix *A = new_matrix(gmres, &shape), *B = new_rhs(A, counts[k]);
        int64_t info = -1;
        int iterations = -99;
        double norm;
        fill(A, &p);
        assert_everywhere(ompfact_fill_entries(B, zero, NULL) == OMPFACT_SUCCESS);
        assert_everywhere((p.hermitian ? ompfact_posv_refined : ompfact_gesv_refined)(A, B, &info, &iterations) == 0);
        assert_everywhere_msg(info == 0 && iterations == 0, "%d iterations", iterations);
        assert_everywhere(ompfact_norm1(B, &norm) == OMPFACT_SUCCESS && norm == 0);
        ompfact_matrix_destroy(&B);
        ompfact_matrix_destroy(&A);
    }
}
END_TEST

/* Where GMRES fails, because too many singular values are small or numbers are too large, the system is solved in double. */
START_TEST(falls_back)
{
    struct conditioned a = conditioned("dz"[_i / 2], false, 1e14, _i % 2 == 0 ? N - 1 : SMALL);
    a.scale = _i % 2 == 0 ? 1 : 1e200;
    int iterations = iterations_of(gmres, &a, 3);
    assert_everywhere_msg(iterations == (_i % 2 == 0 ? -31 : -2), "%d iterations", iterations);
}
END_TEST

/* ---- approximate factors ------------------------------------------------------------------------------------------------ */

static void fill_conditioned(void *context, const ompfact_tile *t)
{
    const struct conditioned *a = context;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            put(t, a->type, r, c, a->scale * element_of(a, t->row + r, t->col + c));
}

/* A solution on every rank, and the remaining right-hand sides. */
struct approximation {
    struct conditioned *a;
    number x[N * COLUMNS];
};

static number right_side(const struct conditioned *a, int64_t i, int64_t j)
{
    return j == 1 ? element_of(a, i, 4) : random_number(a->type, 9, i, j);
}

static number residual(const struct approximation *s, int64_t i, int64_t j)
{
    number r = right_side(s->a, i, j);
    for (int64_t k = 0; k < N; k++)
        r -= element_of(s->a, i, k) * s->x[k + j * N];
    return r;
}

static void entry_of_residual(void *context, int64_t i, int64_t j, void *value)
{
    const struct approximation *s = context;
    set_element(s->a, value, residual(s, i, j));
}

/* The largest |b - A x| / (|A| |x|) of all columns, in 2-norms and A's Frobenius norm. */
static double error_of(const struct approximation *s)
{
    double squares = 0, worst = 0;
    for (int64_t i = 0; i < N; i++)
        squares += singular_value(s->a, i) * singular_value(s->a, i);
    for (int64_t j = 0; j < COLUMNS; j++) {
        double error = 0, size = 0;
        for (int64_t i = 0; i < N; i++) {
            number r = residual(s, i, j), x = s->x[i + j * N];
            error += creal(r * conj(r));
            size += creal(x * conj(x));
        }
        worst = larger(worst, sqrt(error / size / squares));
    }
    return worst;
}

/* Computes X += F^-1 (B - A X) so many times. */
static double error_corrected(ompfact_matrix *F, struct approximation *s, int times)
{
    ompfact_matrix *R = new_rhs(F, COLUMNS);
    for (int k = 0; k < times; k++) {
        assert_everywhere(ompfact_fill_entries(R, entry_of_residual, s) == OMPFACT_SUCCESS);
        assert_everywhere((s->a->hermitian ? ompfact_potrs : ompfact_getrs)(F, R) == OMPFACT_SUCCESS);
        number *x = gather(R, NULL);
        for (int64_t i = 0; i < N * COLUMNS; i++)
            s->x[i] += x[i];
        free(x);
    }
    ompfact_matrix_destroy(&R);
    return error_of(s);
}

static ompfact_matrix *factors_of(ompfact_grid *grid, struct conditioned *a, double accuracy, double precision)
{
    struct problem p = { .type = a->type, .hermitian = a->hermitian, .m = N, .n = N };
    ompfact_shape shape = shape_of(&p, NB, "g2dbc");
    int64_t info = -1;
    shape.accuracy = accuracy;
    shape.max_rank = accuracy > 0 ? NB / 2 : 0;
    shape.tile_precision = precision;
    ompfact_matrix *F = new_matrix(grid, &shape);
    assert_everywhere(ompfact_fill_tiles(F, fill_conditioned, a) == OMPFACT_SUCCESS);
    assert_everywhere((a->hermitian ? ompfact_potrf : ompfact_getrf)(F, &info) == OMPFACT_SUCCESS);
    assert_everywhere_msg(info == 0, "%c, condition %g: info %lld", a->type, a->condition, (long long)info);
    return F;
}

/* Refines the factors' own solution, or zero. Returns the iterations. */
static int refined(ompfact_grid *grid, struct conditioned *a, double accuracy, double precision, bool from_zero)
{
    ompfact_matrix *F = factors_of(grid, a, accuracy, precision), *B = new_rhs(F, COLUMNS), *X = new_rhs(F, COLUMNS);
    struct approximation s = { .a = a };
    const double allowed = 300 * precision_of(a->type)->eps;
    int iterations = -99;
    assert_everywhere(ompfact_fill_entries(B, entry_of_residual, &s) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_fill_entries(X, from_zero ? zero : entry_of_residual, &s) == OMPFACT_SUCCESS);
    if (!from_zero)
        assert_everywhere((a->hermitian ? ompfact_potrs : ompfact_getrs)(F, X) == OMPFACT_SUCCESS);
    double plain = error_corrected(F, &s, 10);
    assert_everywhere_msg(plain > 10 * allowed, "by the factors alone %g", plain);
    ompfact_status status = ompfact_refine(F, B, X, fill_conditioned, a, &iterations);
    assert_everywhere_msg(status == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    number *x = gather(X, NULL);
    memcpy(s.x, x, sizeof s.x);
    free(x);
    double error = error_of(&s);
    assert_everywhere_msg(agreed(iterations) && (iterations < 0 || error <= allowed), "%c: %d iterations, %g", a->type,
                          iterations, error);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&F);
    return iterations;
}

/* Compressed factors, and factors with tiles in single, are refined where iterations with them alone stagnate or diverge. */
START_TEST(approximate_factors)
{
    static const struct {
        const char *types;
        bool hermitian;
        double accuracy, precision, condition;
    } cases[] = { { "dz", false, 0, 1e-3, 1e10 }, { "dzsc", true, 0.1, 0, 1e6 }, { "zd", false, 0.1, 0, 1e8 },
                  { "dz", false, 0.1, 0.1, 1e7 } };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 + _i % 2, .pivot = OMPFACT_PIVOT_NONE,
                                                     .testing = &(ompfact_testing){ .jitter_us = 100 } });
    for (const char *type = cases[_i].types; *type != 0; type++) {
        struct conditioned a = conditioned(*type, cases[_i].hermitian, cases[_i].condition, SMALL);
        int iterations = refined(grid, &a, cases[_i].accuracy, cases[_i].precision, *type == 'z');
        assert_everywhere_msg(iterations >= 2 && iterations < 40, "%c: %d iterations", *type, iterations);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Where all singular values but one are small, GMRES gains little. */
START_TEST(useless_factors)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .pivot = OMPFACT_PIVOT_NONE });
    struct conditioned a = conditioned("dz"[_i], false, 1e14, N - 1);
    int iterations = refined(grid, &a, 0, 1e-3, false);
    assert_everywhere_msg(iterations == -31, "%d iterations", iterations);
    ompfact_grid_destroy(&grid);
}
END_TEST

static Suite *gmres_suite(void)
{
    Suite *suite = suite_create("gmres");
    TCase *tests = tcase_create("gmres");
    tcase_add_unchecked_fixture(tests, create_grids, destroy_grids);
    add_turns(tests, ill_conditioned, 2, 2);
    tcase_add_loop_test(tests, positive_definite, 0, 2);
    add_turns(tests, large_and_small, 4, 3);
    add_turns(tests, well_conditioned, 4, 3);
    tcase_add_loop_test(tests, nothing_to_refine, 0, 2);
    add_turns(tests, falls_back, 4, 3);
    add_turns(tests, approximate_factors, 4, 3);
    add_turns(tests, useless_factors, 2, 1);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, gmres_suite());
}
