/*
 * LU with pivoting on any layout: right factors of matrices that need pivoting, LAPACK's own pivots where these are requested,
 * solves, and singular matrices. Random maps and delays would show a wrong order of rows.
 */
#include "omp/run.h"
#include "tests/factoring.h"

enum { NB = 16 };

static struct problem needs_pivots(char type, int64_t m, int64_t n)
{
    return (struct problem){ .type = type, .m = m, .n = n, .seed = (unsigned)(m + 7 * n), .pivots = true };
}

static double size_of(number a)
{
    return fabs(creal(a)) + fabs(cimag(a));
}

/* Textbook elimination of the whole matrix; returns its interchanges, from 1. */
static void eliminate(const struct problem *p, int64_t *ipiv)
{
    int64_t m = p->m, n = p->n;
    number *a = calloc((size_t)(m * n), sizeof *a);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            a[i + j * m] = entry_of(p, i, j);
    for (int64_t j = 0; j < m && j < n; j++) {
        int64_t best = j;
        for (int64_t i = j; i < m; i++)
            best = size_of(a[i + j * m]) > size_of(a[best + j * m]) ? i : best;
        ipiv[j] = best + 1;
        for (int64_t c = 0; c < n; c++) {
            number other = a[best + c * m];
            a[best + c * m] = a[j + c * m];
            a[j + c * m] = other;
        }
        for (int64_t i = j + 1; i < m && a[j + j * m] != 0; i++) {
            number factor = a[i + j * m] / a[j + j * m];
            for (int64_t c = j + 1; c < n; c++)
                a[i + c * m] -= factor * a[j + c * m];
        }
    }
    free(a);
}

/* rows[i]: the row that the interchanges move to i. false: one of them is invalid. */
static bool rows_of(const struct problem *p, const int64_t *ipiv, int64_t *rows)
{
    int64_t count = p->m < p->n ? p->m : p->n;
    for (int64_t i = 0; i < p->m; i++)
        rows[i] = i;
    for (int64_t i = 0; i < count; i++) {
        if (ipiv[i] < i + 1 || ipiv[i] > p->m)
            return false;
        int64_t row = rows[i];
        rows[i] = rows[ipiv[i] - 1];
        rows[ipiv[i] - 1] = row;
    }
    return true;
}

/* Factors, and checks pivots, factors and transfers. */
static void check_pivoted(ompfact_matrix *A, const struct problem *given, bool partial)
{
    struct problem p = *given;
    int64_t info = -1, *ipiv = calloc((size_t)p.m + 1, sizeof *ipiv), *wanted = calloc((size_t)p.m + 1, sizeof *wanted),
            *rows = calloc((size_t)p.m + 1, sizeof *rows);
    fill(A, &p);
    assert_everywhere_msg(ompfact_getrf(A, &info) == OMPFACT_SUCCESS && info == 0, "info %lld", (long long)info);
    ompfact_ipiv(A, ipiv);
    assert_everywhere(rows_of(&p, ipiv, rows));
    if (partial) {
        eliminate(&p, wanted);
        assert_everywhere(memcmp(ipiv, wanted, (size_t)(p.m < p.n ? p.m : p.n) * sizeof *ipiv) == 0);
    }
    ompfact_report report = ompfact_last_report(A);
    int64_t transfers = transfers_of(A, &p, false);
    assert_everywhere_msg(report.transfers == transfers && report.transfers_predicted == transfers,
                          "%lld transfers, predicted %lld, by the layout %lld", (long long)report.transfers,
                          (long long)report.transfers_predicted, (long long)transfers);
    number *F = gather(A, NULL);
    p.rows = rows;
    double ratio = factor_ratio(&p, F);
    assert_everywhere_msg(ratio < 30, "%c %lld x %lld, %s: ratio %g", p.type, (long long)p.m, (long long)p.n, ompfact_layout(A),
                          ratio);
    free(F);
    free(ipiv);
    free(wanted);
    free(rows);
}

static const ompfact_pivot methods[] = { OMPFACT_PIVOT_PARTIAL, OMPFACT_PIVOT_TOURNAMENT };

static int random_rank(int cell)
{
    return (int)((1 + noise(11, cell, 0, 0)) / 2 * all_ranks_count());
}

/* Shapes of all kinds, two kinds of pivoting, and three layouts are right; one of the layouts is irregular. */
START_TEST(shapes)
{
    static const int64_t sizes[][2] = { { 83, 83 }, { 64, 64 }, { 130, 40 }, { 40, 130 }, { 1, 50 }, { 50, 1 },
                                        { 17, 16 }, { 15, 33 }, { 200, 7 },  { 1, 1 },    { 33, 83 } };
    char map[64];
    write_map(map, 4, 3, random_rank);
    const char *const layouts[] = { "2dbc", "g2dbc", map };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 + _i, .pivot = methods[_i], .copy_on_node = _i == 0 });
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct problem p = needs_pivots("dz"[s % 2], sizes[s][0], sizes[s][1]);
        ompfact_shape shape = shape_of(&p, NB, layouts[s % 3]);
        ompfact_matrix *A = new_matrix(grid, &shape);
        check_pivoted(A, &p, methods[_i] == OMPFACT_PIVOT_PARTIAL);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
    remove_map(map);
}
END_TEST

/* Every schedule is right, with trees, little memory and delays; each runs twice, so that memory is reused. */
START_TEST(ways)
{
    char map[64];
    int schedule = _i % 3, bcast = _i / 3 + 1;
    write_map(map, 3, 4, random_rank);
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 + _i % 2, .schedule = (ompfact_schedule)schedule,
                                                     .bcast = (ompfact_bcast)bcast,
                                                     .pivot = methods[(_i + bcast) % 2], .copy_on_node = bcast > 1,
                                                     .cache_tiles = 1,
                                                     .max_tasks = 1 + _i % 3,
                                                     .testing = &(ompfact_testing){ .jitter_us = 300 } });
    struct problem p = needs_pivots("sdcz"[_i % 4], 5 * NB + 3, 5 * NB + 3);
    ompfact_shape shape = shape_of(&p, NB, _i % 2 ? map : "g2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    for (int run = 0; run < 2; run++)
        check_pivoted(A, &p, false);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    remove_map(map);
}
END_TEST

/* Rows move in several groups of tiles where a rank has many in a column. */
START_TEST(groups)
{
    enum { SMALL = 4 };
    char map[64], columns[32];
    write_map(map, 7, 2, random_rank);
    snprintf(columns, sizeof columns, "2dbc:1x%d", all_ranks_count());
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .pivot = methods[_i % 2], .copy_on_node = _i < 2,
                                                     .testing = &(ompfact_testing){ .jitter_us = 50 } });
    struct problem p = needs_pivots("dz"[_i / 2], (6 * GROUP_TILES + 1) * SMALL - 1, 10 * SMALL);
    ompfact_shape shape = shape_of(&p, SMALL, _i / 2 == _i % 2 ? map : columns);
    ompfact_matrix *A = new_matrix(grid, &shape);
    check_pivoted(A, &p, methods[_i % 2] == OMPFACT_PIVOT_PARTIAL);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    remove_map(map);
}
END_TEST

static int crossed_rank(int cell)
{
    static const int ranks[] = { 0, 2, 1, 1, 0, 3 };
    return ranks[cell] % all_ranks_count();
}

/* A rank that reads the diagonal tile only for its row forwards it to a rank that needs it for the panel. */
START_TEST(forwarding)
{
    char map[64];
    write_map(map, 3, 2, crossed_rank);
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .schedule = (ompfact_schedule)_i, .bcast = OMPFACT_BCAST_CHAIN,
                                                     .max_tasks = 1,
                                                     .pivot = OMPFACT_PIVOT_TOURNAMENT, .copy_on_node = true });
    struct problem p = needs_pivots('d', 3 * NB, 2 * NB);
    ompfact_shape shape = shape_of(&p, NB, map);
    ompfact_matrix *A = new_matrix(grid, &shape);
    check_pivoted(A, &p, false);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    remove_map(map);
}
END_TEST

/* One factorization solves for many right-hand sides, also in uneven tiles. */
START_TEST(solves)
{
    static const int ragged[] = { 5, 16, 1, 30, 9, 22 };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 + _i % 2, .pivot = methods[_i / 4], .copy_on_node = _i % 2 });
    struct problem p = needs_pivots("sdcz"[_i % 4], 83, 83);
    ompfact_shape shape = shape_of(&p, NB, "g2dbc");
    if (_i % 3 == 0) {
        shape.row_heights = shape.col_widths = ragged;
        shape.mt = shape.nt = sizeof ragged / sizeof ragged[0];
    }
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_rhs(A, 19);
    check_pivoted(A, &p, false);
    for (int solve = 0; solve < 2; solve++) {
        fill_rhs(B, &p);
        assert_everywhere(ompfact_getrs(A, B) == OMPFACT_SUCCESS);
        number *X = gather(B, NULL);
        double ratio = solve_ratio(&p, X, 19);
        free(X);
        assert_everywhere_msg(ratio < 30, "%c: ratio %g", p.type, ratio);
    }
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Factors and their interchanges move together to another layout and other tiles. */
START_TEST(moved)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .pivot = methods[_i] });
    struct problem p = needs_pivots('d', 83, 83);
    ompfact_shape shape = shape_of(&p, NB, "g2dbc"), other = shape_of(&p, NB + 5, "2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape), *F = new_matrix(grid, &other), *B = new_rhs(F, 3);
    check_pivoted(A, &p, false);
    assert_everywhere(ompfact_redistribute(A, F) == OMPFACT_SUCCESS);
    fill_rhs(B, &p);
    assert_everywhere(ompfact_getrs(F, B) == OMPFACT_SUCCESS);
    number *X = gather(B, NULL);
    double ratio = solve_ratio(&p, X, 3);
    free(X);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&F);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* For columns of zeros, info is the first one on every rank, and no rank waits for ever. */
START_TEST(singular)
{
    static const int64_t places[] = { 1, NB, NB + 1, 40, 83 };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 + _i % 2, .pivot = methods[_i] });
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct problem p = needs_pivots("sdcz"[i % 4], 83, 83);
        int64_t info = -1;
        p.fails = places[i];
        p.fails_too = 83;
        ompfact_shape shape = shape_of(&p, NB, "g2dbc");
        ompfact_matrix *A = new_matrix(grid, &shape);
        fill(A, &p);
        assert_everywhere_msg(ompfact_getrf(A, &info) == OMPFACT_SUCCESS && info == p.fails, "info %lld for %lld",
                              (long long)info, (long long)p.fails);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

struct harmonic {
    char type;
    int first;
};

/* 1 / (i + j + first): Hilbert's matrix, and Cauchy's. */
static void harmonic_entry(void *context, int64_t i, int64_t j, void *value)
{
    const struct harmonic *h = context;
    precision_of(h->type)->set(value, 1.0 / (double)(i + j + h->first), 0);
}

/* Matrices of a condition far beyond 1 / roundoff: the later pivots are roundoff themselves, and must be the ones that the search
   has found. */
START_TEST(numerically_singular)
{
    static const struct {
        int m, n, nb, first;
    } cases[] = { { 60, 60, 48, 1 }, { 83, 83, 48, 1 },  { 149, 149, 48, 2 },
                  { 60, 60, 16, 2 }, { 149, 49, 32, 1 }, { 100, 131, 32, 2 } };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .pivot = methods[_i % 2] });
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct problem p = needs_pivots("sdcz"[_i / 2], cases[c].m, cases[c].n);
        struct harmonic h = { p.type, cases[c].first };
        ompfact_shape shape = shape_of(&p, cases[c].nb, "g2dbc");
        ompfact_matrix *A = new_matrix(grid, &shape), *F = new_like(A);
        int64_t info;
        double ratio = -1;
        assert_everywhere(ompfact_fill_entries(A, harmonic_entry, &h) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_fill_entries(F, harmonic_entry, &h) == OMPFACT_SUCCESS);
        assert_everywhere_msg(ompfact_getrf(F, &info) == OMPFACT_SUCCESS && info == 0, "%c %d x %d: info %lld", p.type,
                              cases[c].m, cases[c].n, (long long)info);
        assert_everywhere(ompfact_residual_factors(A, F, &ratio) == OMPFACT_SUCCESS);
        assert_everywhere_msg(ratio < 0.1, "%c %d x %d: ratio %g, LAPACK's is below 0.01", p.type, cases[c].m, cases[c].n, ratio);
        ompfact_matrix_destroy(&F);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* The library's residual respects interchanges, and growth is as reported. */
START_TEST(residual)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .pivot = methods[_i] });
    struct problem p = needs_pivots('d', 90, 70);
    ompfact_shape shape = shape_of(&p, NB, "g2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape), *F = new_like(A);
    int64_t info;
    double ratio = -1, growth = -1;
    fill(A, &p);
    fill(F, &p);
    assert_everywhere(ompfact_getrf(F, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_growth(A, F, &growth) == OMPFACT_SUCCESS && growth > 0.5 && growth < 100);
    assert_everywhere(ompfact_residual_factors(A, F, &ratio) == OMPFACT_SUCCESS && ratio < 30);
    ompfact_matrix_destroy(&F);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* The last of five tile rows belongs to another rank, but for the first of three tile columns. */
static int last_apart(int cell)
{
    return cell > 12 ? 1 % all_ranks_count() : 0;
}

/* The rows of a rank in one tile column exceed the staging memory, so they move in several rounds, and a tile column of one rank
   is moved while rows of the other wait for a round. */
START_TEST(large)
{
    char map[64];
    write_map(map, 5, 3, last_apart);
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .pivot = OMPFACT_PIVOT_TOURNAMENT });
    struct problem p = needs_pivots('z', 5 * 370, 3 * 370);
    ompfact_shape shape = shape_of(&p, 370, map);
    ompfact_matrix *A = new_matrix(grid, &shape), *F = new_like(A);
    int64_t info;
    double ratio = -1;
    fill(A, &p);
    fill(F, &p);
    assert_everywhere(ompfact_getrf(F, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere_msg(ompfact_residual_factors(A, F, &ratio) == OMPFACT_SUCCESS && ratio < 30, "ratio %g", ratio);
    ompfact_matrix_destroy(&F);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    remove_map(map);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("pivoting");
    TCase *tcase = tcase_create("pivoting");
    tcase_add_loop_test(tcase, shapes, 0, 2);
    tcase_add_loop_test(tcase, ways, 0, 9);
    tcase_add_loop_test(tcase, groups, 0, 4);
    tcase_add_loop_test(tcase, forwarding, 0, 3);
    tcase_add_loop_test(tcase, solves, 0, 8);
    tcase_add_loop_test(tcase, moved, 0, 2);
    tcase_add_loop_test(tcase, singular, 0, 2);
    tcase_add_loop_test(tcase, numerically_singular, 0, 8);
    tcase_add_loop_test(tcase, residual, 0, 2);
    tcase_add_test(tcase, large);
    suite_add_tcase(suite, tcase);
    return run_suite(argc, argv, suite);
}
