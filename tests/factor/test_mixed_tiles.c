/* Matrices whose tiles are in double or in single are filled and factored as tests/decaying.h defines, for any contents and
   schedule. */
#include "tests/factor/mixed_cases.h"
#include "tests/ways.h"

/* Factors are right for all types and structures, and several orders and decays. */
START_TEST(right)
{
    static const int64_t orders[] = { 1, NB, 2 * NB + 1, N };
    for (int threads = 1; threads <= 2; threads++) {
        ompfact_grid *grid = new_grid((ompfact_options){ .threads = threads, .copy_on_node = threads == 2 });
        for (int k = 0; k < PRECISIONS; k++)
            for (int o = 0; o < 4; o++) {
                struct decaying a = decaying_of("dz"[_i % 2], _i / 2, orders[o], 5 + 10 * ((k + o + threads) % 4));
                factor_decaying(grid, &a, threads == 1 ? "2dbc" : "g2dbc", precisions[k]);
            }
        ompfact_grid_destroy(&grid);
    }
}
END_TEST

/* Tiles of zeros that the first column fills become double where single would not suffice, and only there. */
START_TEST(filled_in)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .copy_on_node = _i % 2 });
    for (int structure = 0; structure < 3; structure++)
        for (int k = 0; k < PRECISIONS; k++) {
            ompfact_tile_precisions kept = factor_filled_in(grid, decaying_of("dz"[_i], structure, N, 20), precisions[k]);
            assert_everywhere(k > 0 || kept.widened == 0);
            assert_everywhere(k < PRECISIONS - 1 || kept.widened > 0);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- the account of rounding errors ---------------------------------------------------------------------------------------- */

static double tile_norm(const struct problem *p, const number *F, int i, int j)
{
    return sqrt(squares_in(p, F, i, j));
}

/* A bound of || |L_jj| ||_2. */
static double triangle_bound(const struct problem *p, const number *F, int j)
{
    double row = 0, column = 0;
    for (int64_t k = j * NB; k < (j + 1) * NB && k < p->n; k++) {
        double sums[2] = { 0, 0 };
        for (int64_t l = j * NB; l < (j + 1) * NB && l < p->n; l++) {
            sums[0] += l <= k ? cabs(F[k + l * p->n]) : 0;
            sums[1] += l >= k ? cabs(F[l + k * p->n]) : 0;
        }
        row = larger(row, sums[0]);
        column = larger(column, sums[1]);
    }
    return sqrt(row) * sqrt(column);
}

/* The squares of what is rounded in tile (i,j) of L if all tiles are in single that may be: doc/accuracy.md. A tile's norm counts
   as `times` its norm when filled. */
static double account_of(const struct decaying *a, const number *F, int map[NT][NT], int i, int j, double times)
{
    const struct problem *p = &a->p;
    const double u = U_SINGLE * U_SINGLE / 3, parts = is_complex(p->type) ? 2 : 1;
    double order = (j + 1) * NB < p->n ? NB : (double)(p->n - j * NB), squares = 0, norm = times * norms_of(a).tile[i][j];
    for (int k = 0; k < j; k++) {
        double added = tile_norm(p, F, i, k) * tile_norm(p, F, j, k);
        if (!map[i][j] && !map[i][k] && !map[j][k])
            continue;
        norm += added;
        squares += (parts * NB + 2) * u * added * added;
        squares += map[i][j] ? fmin(u * norm * norm, added * added) : 0;
    }
    double solved = map[i][j] ? tile_norm(p, F, i, j) * triangle_bound(p, F, j) : 0;
    return squares + (parts * order + 3) * u * solved * solved;
}

/* Each tile's account contains exactly what its tasks have rounded. If all tiles may be in single it equals account_of(). */
START_TEST(accounted)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    for (int filled_in = 0; filled_in < 2; filled_in++) {
        struct decaying a = decaying_of("dz"[_i], 1, N, 20);
        int map[NT][NT];
        int64_t info;
        a.filled_in = filled_in;
        ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", 1e-2);
        assert_everywhere(factor(A, &a.p, &info) == OMPFACT_SUCCESS && info == 0);
        map_of(A, map);
        number *F = gather_mixed(A, &a.p);
        for (int i = 0; i < NT; i++)
            for (int j = 0; j <= i; j++) {
                double rounded = ompfact_owner(A, i, j) == A->me ? compressed_form_at(A, i, j)->rounded : 0;
                largest(&rounded, 1);
                double least = account_of(&a, F, map, i, j, 1), most = account_of(&a, F, map, i, j, 2);
                assert_everywhere_msg(0.999 * least <= rounded && rounded <= 1.001 * most, "tile (%d,%d): %g, not %g to %g", i, j,
                                      rounded, least, most);
            }
        free(F);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Solutions with triangles of large inverse are in single only as far as products of tiles stay right. */
START_TEST(grown)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    for (int type = 0; type < 2; type++)
        for (double precision = 1e-1; precision > 1e-9; precision /= 4) {
            struct decaying a = decaying_of("dz"[type], 0, N, 20);
            a.grows = _i == 0 ? LEFT_GROWS : RIGHT_GROWS;
            factor_decaying(grid, &a, "g2dbc", precision);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Numbers outside single's range stay in double, which for the largest numbers are some tiles; numbers in range are in single. */
START_TEST(scaled)
{
    static const int exponents[] = { -400, -130, -60, 60, 126, 400 };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    for (int structure = 0; structure < 3; structure++)
        for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++) {
            struct decaying a = decaying_of("dz"[_i], structure, N, 30);
            ompfact_tile_precisions kept;
            int64_t info;
            a.scale = ldexp(1, exponents[e]);
            ompfact_matrix *A = new_decaying(grid, &a, "2dbc", 1e-6);
            if (abs(exponents[e]) < 100) {
                factor_and_check(A, &a, 1e-6);
            } else {
                struct norms norms = norms_of(&a);
                assert_everywhere(factor(A, &a.p, &info) == OMPFACT_SUCCESS && info == 0);
                number *F = gather_mixed(A, &a.p);
                double worst = worst_tile(&a, &norms, F, true, 1e-6);
                free(F);
                assert_everywhere_msg(worst <= 1, "2^%d: %g", exponents[e], worst);
            }
            assert_everywhere(ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS);
            assert_everywhere(abs(exponents[e]) == 126 || (kept.single_tiles > 0) == (abs(exponents[e]) < 100));
            ompfact_matrix_destroy(&A);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* If no tile is in single the results are those of a matrix of one precision, to the bit; "auto" is n u. */
START_TEST(as_ever)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    struct decaying a = decaying_of("dz"[_i % 2], _i / 2, N, 2);
    ompfact_matrix *A = new_decaying(grid, &a, "2dbc", 1e-16), *D = new_decaying(grid, &a, "2dbc", 0);
    ompfact_tile_precisions kept;
    int64_t info[2];
    assert_everywhere(factor(A, &a.p, &info[0]) == OMPFACT_SUCCESS && factor(D, &a.p, &info[1]) == OMPFACT_SUCCESS);
    number *F = gather_mixed(A, &a.p), *G = gather_mixed(D, &a.p);
    assert_everywhere(info[0] == 0 && info[1] == 0 && memcmp(F, G, (size_t)(N * N) * sizeof *F) == 0);
    free(F);
    free(G);
    for (int k = 0; k < 2; k++)
        assert_everywhere(ompfact_count_precisions(k == 0 ? A : D, &kept) == OMPFACT_SUCCESS && kept.single_tiles == 0 &&
                          kept.double_tiles == (a.p.hermitian ? NT * (NT + 1) / 2 : NT * NT) && kept.widened == 0);
    ompfact_matrix_destroy(&D);
    ompfact_matrix_destroy(&A);
    A = new_decaying(grid, &a, "2dbc", OMPFACT_TILE_PRECISION_AUTO);
    assert_everywhere(ompfact_shape_of(A).tile_precision == N * U);
    factor_and_check(A, &a, N * U);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- schedules and failures ------------------------------------------------------------------------------------------------ */

static void factor_one(ompfact_grid *grid, char type, int structure, const char *layout)
{
    struct decaying a = decaying_of(type, structure, N, 20);
    ompfact_matrix *A = new_decaying(grid, &a, layout, 1e-8);
    factor_and_check(A, &a, 1e-8);
    ompfact_matrix_destroy(&A);
}

START_TEST(ways)
{
    factor_all_ways(_i, factor_one);
}
END_TEST

/* A pivot fails at the same row as in double, and afterwards the matrix can be used again. A NaN is found, and its tile is in
   double. */
START_TEST(failing)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .schedule = (ompfact_schedule)_i, .copy_on_node = _i == 1 });
    for (int structure = 0; structure < 3; structure++)
        for (int64_t fails = 5; fails <= N; fails += structure == 0 ? N : 2 * NB + 3) {
            struct decaying a = decaying_of("dz"[fails % 2], structure, N, 25), good = a;
            a.p.fails = fails;
            ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", 1e-6);
            int64_t info = -1, row, col;
            bool nan;
            assert_everywhere_msg(factor(A, &a.p, &info) == OMPFACT_SUCCESS && info == fails, "%lld, not %lld", (long long)info,
                                  (long long)fails);
            a = good;
            a.not_finite = 1 + (a.p.upper ? (N - 2) * a.p.m : N - 2);      /* at the end of the first row, or column */
            assert_everywhere(ompfact_fill_tiles(A, fill_decaying, &a) == OMPFACT_SUCCESS);
            assert_everywhere(ompfact_find_not_finite(A, &row, &col, &nan) == OMPFACT_SUCCESS && nan &&
                              row == (a.p.upper ? 0 : N - 2) && col == (a.p.upper ? N - 2 : 0));
            int i = a.p.upper ? 0 : NT - 1, j = a.p.upper ? NT - 1 : 0;
            assert_everywhere(ompfact_owner(A, i, j) != A->me || kept_precision(A, i, j) == IN_DOUBLE);
            assert_everywhere(ompfact_fill_tiles(A, fill_decaying, &good) == OMPFACT_SUCCESS);
            factor_and_check(A, &good, 1e-6);
            ompfact_matrix_destroy(&A);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* If there is no memory for a tile that must become double, all ranks end with a message that names the tile; another run
   works. */
START_TEST(outgrown)
{
    struct decaying a = decaying_of('d', _i, N, 20);
    a.filled_in = true;
    check_outgrown(&a, 1e-13);
}
END_TEST

static Suite *mixed_tiles_suite(void)
{
    Suite *suite = suite_create("tiles of mixed precision");
    TCase *tests = tcase_create("tiles of mixed precision");
    add_turns(tests, right, 6, 5);
    add_turns(tests, filled_in, 2, 1);
    add_turns(tests, accounted, 2, 1);
    add_turns(tests, grown, 2, 1);
    add_turns(tests, scaled, 2, 2);
    add_turns(tests, as_ever, 6, 5);
    add_turns(tests, ways, 3, 2);
    add_turns(tests, failing, 3, 3);
    add_turns(tests, outgrown, 3, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, mixed_tiles_suite());
}
