/*
 * Factorizations on any number of ranks. A factor is right if
 *
 *     || A - F || / ( n ||A|| eps ) < 30
 *
 * where F = L L^H, U^H U or L U, n is the number of columns, and eps the unit roundoff, in the 1-norm: LAPACK's dpot01 and
 * dget01. A window takes long to create where ranks outnumber cores, so tests reuse matrices.
 */
#include "src/solve/check_in_range.h"
#include "tests/factoring.h"

#include <lapacke.h>

enum { NB = 16 };

static ompfact_grid *grids[3];      /* [threads] */
static char map[64];                /* a layout without regularity */

/* ---- fixture ------------------------------------------------------------------------------------------------------------ */

static int random_rank(int cell)
{
    return (int)((1 + noise(7, cell, 0, 0)) / 2 * all_ranks_count());
}

static void create_grids(void)
{
    write_map(map, 5, 3, random_rank);
    for (int threads = 1; threads <= 2; threads++)
        grids[threads] = new_grid((ompfact_options){ .threads = threads });
}

static void destroy_grids(void)
{
    for (int threads = 1; threads <= 2; threads++)
        ompfact_grid_destroy(&grids[threads]);
    remove_map(map);
}

/* ---- factors, and tiles of the layout ----------------------------------------------------------------------------------- */

/* Each type with each layout is right: Cholesky packed, Cholesky full, of either triangle, and LU, on one thread and on two, in
   turn. */
START_TEST(types_and_layouts)
{
    static const char *const layouts[] = { "2dbc", "g2dbc", map };
    for (int l = 0; l < 3; l++) {
        int kind = (_i + l) % 3, threads = 1 + (_i / 2 + l + all_ranks_count()) % 2;
        struct problem p = square("sdcz"[_i], kind < 2, 5 * NB + 7);
        for (int upper = 0; upper <= p.hermitian; upper++) {
            p.upper = upper;
            ompfact_shape shape = shape_of(&p, NB, layouts[l]);
            shape.full_storage = kind == 1;
            check_shape(grids[threads], &p, &shape);
        }
    }
}
END_TEST

/* Matrices around the size of a tile, and with more ranks than tiles, are right; Cholesky and LU in turn. */
START_TEST(sizes)
{
    static const int64_t n[] = { 1, NB - 1, NB, NB + 1, 2 * NB };
    struct problem p = square('d', (_i + all_ranks_count()) % 2, n[_i % 5]);
    p.upper = p.hermitian && _i >= 5;
    ompfact_shape shape = shape_of(&p, NB, "g2dbc");
    check_shape(grids[1 + _i / 2 % 2], &p, &shape);
}
END_TEST

/* An empty matrix is factored, with info 0. */
START_TEST(empty)
{
    for (int hermitian = 0; hermitian < 2; hermitian++) {
        struct problem p = square('d', hermitian, 0);
        ompfact_shape shape = shape_of(&p, NB, NULL);
        ompfact_matrix *A = new_matrix(grids[1], &shape);
        int64_t info = -1;
        fill(A, &p);
        assert_everywhere(factor(A, &p, &info) == OMPFACT_SUCCESS && info == 0);
        assert_everywhere(ompfact_last_report(A).transfers == 0 && ompfact_last_report(A).flops == 0);
        ompfact_matrix_destroy(&A);
    }
}
END_TEST

/* Tiles may have any sizes, and matrices may be tall or wide. */
START_TEST(ragged)
{
    static const struct { bool hermitian, upper; int mt, nt, heights[6], widths[6]; } cases[] = {
        { true, false, 5, 5, { 5, 17, 1, 16, 30 }, { 5, 17, 1, 16, 30 } },
        { true, true, 5, 5, { 5, 17, 1, 16, 30 }, { 5, 17, 1, 16, 30 } },
        { false, false, 4, 4, { 9, 20, 1, 13 }, { 9, 20, 1, 13 } },
        { false, false, 6, 3, { 9, 20, 14, 3, 25, 1 }, { 9, 20, 14 } },
        { false, false, 3, 5, { 9, 20, 14 }, { 9, 20, 14, 1, 31 } },
        { false, false, 3, 5, { 9, 20, 4 }, { 9, 20, 14, 1, 31 } },     /* the last diagonal tile is wide, ... */
        { false, false, 6, 3, { 9, 20, 14, 3, 25, 1 }, { 9, 20, 4 } },  /* ... or tall */
    };
    struct problem p = { .type = "dz"[_i % 2], .hermitian = cases[_i].hermitian, .upper = cases[_i].upper, .seed = 3 };
    for (int i = 0; i < cases[_i].mt; i++)
        p.m += cases[_i].heights[i];
    for (int j = 0; j < cases[_i].nt; j++)
        p.n += cases[_i].widths[j];
    ompfact_shape shape = shape_of(&p, 0, map);
    shape.mt = cases[_i].mt;
    shape.nt = cases[_i].nt;
    shape.row_heights = cases[_i].heights;
    shape.col_widths = cases[_i].widths;
    check_shape(grids[1 + _i % 2], &p, &shape);
}
END_TEST

/* Diagonal tiles are square. The last one may not be shorter than the tiles beside it need, in either direction. */
START_TEST(crossed_cuts)
{
    static const struct { int heights[4], mt, widths[4], nt; } cuts[] = { { { 20, 23 }, 2, { 23, 20 }, 2 },
                                                                         { { 9, 20, 4, 10 }, 4, { 9, 20, 14 }, 3 },
                                                                         { { 9, 20, 14 }, 3, { 9, 20, 4, 10 }, 4 } };
    struct problem p = { .type = 'd', .m = 43, .n = 43 };
    ompfact_shape shape = shape_of(&p, 0, NULL);
    shape.row_heights = cuts[_i].heights;
    shape.col_widths = cuts[_i].widths;
    shape.mt = cuts[_i].mt;
    shape.nt = cuts[_i].nt;
    ompfact_matrix *A = new_matrix(grids[1], &shape);
    int64_t info;
    fill(A, &p);
    assert_everywhere(ompfact_getrf(A, &info) == OMPFACT_BAD_ARGUMENT);
    ompfact_matrix_destroy(&A);
}
END_TEST

static int free_diagonal(int cell)
{
    return cell % 4 == 0 ? -1 : cell % all_ranks_count();
}

/* Cholesky works with a map that has free cells on its diagonal. */
START_TEST(free_cells)
{
    char path[64];
    write_map(path, 3, 3, free_diagonal);
    struct problem p = square('d', true, 6 * NB);
    p.upper = _i;
    ompfact_shape shape = shape_of(&p, NB, path);
    check_shape(grids[1], &p, &shape);
    remove_map(path);
}
END_TEST

/* ---- triangles ---------------------------------------------------------------------------------------------------------- */

/* U of the upper triangle is L^H of the lower one. Tile (i,j) has the owner of (j,i), and the traffic is the same. */
START_TEST(upper_mirrors_lower)
{
    struct problem p = square("sdcz"[_i], true, 4 * NB + 5);
    ompfact_matrix *A[2];
    number *F[2];
    for (int upper = 0; upper < 2; upper++) {
        p.upper = upper;
        ompfact_shape shape = shape_of(&p, NB, _i % 2 ? map : "2dbc");
        shape.full_storage = _i / 2;
        A[upper] = new_matrix(grids[1 + _i % 2], &shape);
        check(A[upper], &p, !shape.full_storage);
        F[upper] = gather(A[upper], &p);
    }
    double worst = 0, bound = 40 * sqrt(3 * (double)p.n) * precision_of(p.type)->eps;
    for (int64_t j = 0; j < p.n; j++)
        for (int64_t i = 0; i < p.n; i++)
            worst = larger(worst, cabs(F[1][i + j * p.n] - conj(F[0][j + i * p.n])));
    assert_everywhere_msg(worst < bound, "U and L^H differ by %g, more than %g", worst, bound);
    bool mirrored = true;
    for (int i = 0; i < ompfact_tile_rows(A[0]); i++)
        for (int j = 0; j < ompfact_tile_cols(A[0]); j++)
            mirrored &= ompfact_owner(A[1], i, j) == ompfact_owner(A[0], j, i);
    ompfact_report lower = ompfact_last_report(A[0]), upper = ompfact_last_report(A[1]);
    assert_everywhere(mirrored && upper.transfer_bytes == lower.transfer_bytes);
    assert_everywhere(fabs(upper.flops - lower.flops) < 1e-12 * lower.flops);      /* threads add up in any order */
    for (int k = 0; k < 2; k++) {
        free(F[k]);
        ompfact_matrix_destroy(&A[k]);
    }
}
END_TEST

static void fill_indefinite(void *problem, int64_t i, int64_t j, void *value)
{
    const struct problem *p = problem;
    number entry = entry_of(p, i, j) - (i == j ? 2 * (double)p->n - 7 : 0);
    precision_of(p->type)->set(value, creal(entry), cimag(entry));
}

/* For a random matrix that is not definite, info is LAPACK's leading minor. */
START_TEST(not_positive_definite)
{
    struct problem p = square('z', true, 3 * NB + 7);
    for (int upper = 0; upper < 2; upper++) {
        p.upper = upper;
        p.seed = (unsigned)_i;
        ompfact_shape shape = shape_of(&p, NB, "g2dbc");
        ompfact_matrix *A = new_matrix(grids[1 + upper], &shape);
        assert_everywhere(ompfact_fill_entries(A, fill_indefinite, &p) == OMPFACT_SUCCESS);
        number *dense = gather(A, &p);
        int64_t info = -1;
        int n = (int)p.n, expected = LAPACKE_zpotrf_work(LAPACK_COL_MAJOR, upper ? 'U' : 'L', n, dense, n);
        free(dense);
        assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && expected > 1);
        assert_everywhere_msg(info == expected, "info %lld, LAPACK's is %d", (long long)info, expected);
        ompfact_matrix_destroy(&A);
    }
}
END_TEST

/* ---- little memory ------------------------------------------------------------------------------------------------------ */

/* A cache of one slot (raised to what a step needs) and one or two tasks in flight only slow the run down. */
START_TEST(little_room)
{
    int tasks = 1 + all_ranks_count() % 2;
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 3 - tasks, .cache_tiles = 1, .max_tasks = tasks });
    for (int kind = 0; kind < 3; kind++) {
        struct problem p = square('d', kind > 0, 6 * NB + 1);
        p.upper = kind == 2;
        ompfact_shape shape = shape_of(&p, NB, map);
        ompfact_matrix *A = new_matrix(grid, &shape);
        check(A, &p, p.hermitian);
        assert_everywhere(ompfact_last_report(A).tasks_peak <= tasks);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- repeated and concurrent runs ---------------------------------------------------------------------------------------- */

static void fails_at(ompfact_matrix *A, const struct problem *p, int64_t expected)
{
    int64_t info = -1;
    fill(A, p);
    assert_everywhere(factor(A, p, &info) == OMPFACT_SUCCESS);
    assert_everywhere_msg(info == expected, "%c: info %lld, expected %lld", p->type, (long long)info, (long long)expected);
    assert_everywhere(rest_is_untouched(A, p));
}

/* A pivot that fails at any row, and a column of zeros, give the same info on every rank. Then the matrix can be filled and
   factored again. All types; Cholesky and LU. */
START_TEST(failing_pivots)
{
    static const int64_t places[] = { 1, 2, NB, NB + 1, 2 * NB, 2 * NB + 5, 4 * NB, 4 * NB + 3 };
    bool hermitian = _i % 3 > 0;
    struct problem p = square("sdcz"[_i / 3], hermitian, 4 * NB + 3);
    p.upper = _i % 3 == 2;
    ompfact_shape shape = shape_of(&p, NB, "g2dbc");
    ompfact_matrix *A = new_matrix(grids[1 + (_i / 3 + all_ranks_count()) % 2], &shape);
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        p.fails = places[k];
        p.fails_too = k % 2 == 0 && p.fails < p.n ? p.n : 0;
        fails_at(A, &p, places[k]);
        p.fails = p.fails_too = 0;
        p.zero = places[k];
        fails_at(A, &p, places[k]);
        p.zero = 0;
    }
    check(A, &p, hermitian);
    check(A, &p, hermitian);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* LU continues past a zero pivot: U is zero there, the column below is not scaled, and the rest is that of exact elimination. */
START_TEST(lu_goes_on)
{
    struct problem p = square('d', false, 3 * NB + 1);
    p.fails = 3;
    p.fails_too = 2 * NB;
    ompfact_shape shape = shape_of(&p, NB, NULL);
    ompfact_matrix *A = new_matrix(grids[2], &shape);
    int64_t info;
    fill(A, &p);
    assert_everywhere(ompfact_getrf(A, &info) == OMPFACT_SUCCESS && info == p.fails);
    number *F = gather(A, NULL);
    double error = 0;
    for (int64_t j = 0; j < p.n; j++)
        for (int64_t i = 0; i < p.m; i++) {
            /* an unscaled column counts in L U as if its pivot were one */
            number sum = product_of_factors(&p, F, i, j) + (i > j && row_fails(&p, j) ? F[i + j * p.m] : 0);
            error = fmax(error, cabs(sum - entry_of(&p, i, j)));
        }
    assert_everywhere(F[(p.fails - 1) * (p.m + 1)] == 0 && F[(p.fails_too - 1) * (p.m + 1)] == 0);
    assert_everywhere_msg(error < 1e-10, "error %g", error);
    free(F);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Two grids with a matrix each are independent. */
START_TEST(two_grids)
{
    struct problem p[2] = { square('d', true, 3 * NB + 2), square('c', false, 4 * NB) };
    ompfact_matrix *A[2];
    for (int g = 0; g < 2; g++) {
        ompfact_shape shape = shape_of(&p[g], NB, g == 0 ? "2dbc" : map);
        A[g] = new_matrix(grids[1 + g], &shape);
    }
    for (int round = 0; round < 4; round++) {
        p[round % 2].seed = (unsigned)round;
        check(A[round % 2], &p[round % 2], round % 2 == 0);
    }
    ompfact_matrix_destroy(&A[0]);
    ompfact_matrix_destroy(&A[1]);
}
END_TEST

/* ---- the library's own residual ----------------------------------------------------------------------------------------- */

static void spoil(void *context, int64_t i, int64_t j, void *value)
{
    const struct problem *p = context;
    number entry = entry_of(p, i, j);
    if (p->upper ? i == 1 && j == p->m - 2 : i == p->m - 2 && j == 1)
        entry *= 1 + 1e-6;
    precision_of(p->type)->set(value, creal(entry), cimag(entry));
}

/* ompfact_residual_factors passes right factors, and detects a relative change of one entry by 1e-6, and a NaN. */
START_TEST(residual)
{
    struct problem p = square('d', _i > 0, 3 * NB + 5);
    p.upper = _i == 2;
    ompfact_shape shape = shape_of(&p, NB, NULL);
    ompfact_matrix *F = new_matrix(grids[1], &shape), *A = new_like(F);
    int64_t info;
    double ratio;
    fill(F, &p);
    assert_everywhere(factor(F, &p, &info) == OMPFACT_SUCCESS && info == 0);
    number *dense = gather(F, &p);
    double expected = factor_ratio(&p, dense);
    free(dense);
    fill(A, &p);
    assert_everywhere(ompfact_residual_factors(A, F, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio < 30 && ratio > 0.2 * expected && ratio < 5 * expected, "ratio %g, naively %g", ratio, expected);
    assert_everywhere(ompfact_fill_entries(A, spoil, &p) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_residual_factors(A, F, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio > 30, "ratio %g", ratio);
    ompfact_tile t;
    fill(A, &p);
    if (ompfact_tile_get(F, p.upper ? 1 : 2, p.upper ? 2 : 1, &t) == OMPFACT_SUCCESS)
        put(&t, p.type, 3, 0, NAN);
    assert_everywhere(ompfact_residual_factors(A, F, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(!(ratio < 30), "ratio %g, with a NaN among the factors", ratio);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&F);
}
END_TEST

/* The same holds for matrices near the ends of the range. A then has a residual of its own scale. */
START_TEST(residual_out_of_range)
{
    struct problem p = square("sdcz"[_i / 4], _i / 2 % 2, 3 * NB + 5);
    int exponent = extreme_exponent(p.type, _i % 2);
    p.upper = p.hermitian && _i >= 8;
    ompfact_shape shape = shape_of(&p, NB, NULL);
    ompfact_matrix *F = new_matrix(grids[1], &shape), *A = new_like(F);
    int64_t info;
    double ratio, norm, left;
    fill(F, &p);
    fill(A, &p);
    scale_by_power(F, exponent);
    scale_by_power(A, exponent);
    assert_everywhere(ompfact_norm1(A, &norm) == OMPFACT_SUCCESS);
    assert_everywhere(factor(F, &p, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_residual_factors(A, F, &ratio) == OMPFACT_SUCCESS && ompfact_norm1(A, &left) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio > 0 && ratio < 30, "%c, 2^%d: ratio %g", p.type, exponent, ratio);
    assert_everywhere_msg(left < norm * 1e-3, "%c, 2^%d: %g of %g is left", p.type, exponent, left, norm);
    fill(A, &p);
    scale_by_power(A, exponent - 3);
    assert_everywhere(ompfact_residual_factors(A, F, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio > 30 && isfinite(ratio), "%c, 2^%d: ratio %g", p.type, exponent, ratio);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&F);
}
END_TEST

static Suite *factor_suite(void)
{
    Suite *suite = suite_create("factor");
    TCase *tests = tcase_create("factor");
    tcase_add_unchecked_fixture(tests, create_grids, destroy_grids);
    tcase_add_loop_test(tests, types_and_layouts, 0, 4);
    tcase_add_loop_test(tests, sizes, 0, 10);
    tcase_add_test(tests, empty);
    tcase_add_loop_test(tests, ragged, 0, 7);
    tcase_add_loop_test(tests, crossed_cuts, 0, 3);
    tcase_add_loop_test(tests, free_cells, 0, 2);
    tcase_add_loop_test(tests, upper_mirrors_lower, 0, 4);
    tcase_add_loop_test(tests, not_positive_definite, 0, 4);
    tcase_add_test(tests, little_room);
    tcase_add_loop_test(tests, failing_pivots, 0, 12);
    tcase_add_test(tests, lu_goes_on);
    tcase_add_test(tests, two_grids);
    tcase_add_loop_test(tests, residual, 0, 3);
    tcase_add_loop_test(tests, residual_out_of_range, 0, 16);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, factor_suite());
}
