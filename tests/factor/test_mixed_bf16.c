/* Matrices whose tiles are in double, single or bfloat16 are filled, factored and used in solves as tests/decaying.h defines, for
   any contents and schedule. */
#include "tests/factor/mixed_cases.h"
#include "tests/ways.h"

/* Turns 0 .. 5: real and complex numbers, three structures. */
static struct decaying three_precisions(int turn, int64_t n, double rate)
{
    return decaying_turn(TURNS / 2 + turn, n, rate);
}

static ompfact_tile_precisions precisions_in(ompfact_matrix *A)
{
    ompfact_tile_precisions kept;
    assert_everywhere(ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS);
    return kept;
}

/* Factors are right for all structures, and several orders and decays. */
START_TEST(right)
{
    static const int64_t orders[] = { 1, NB, 2 * NB + 1, N };
    int64_t found = 0;
    for (int threads = 1; threads <= 2; threads++) {
        ompfact_grid *grid = new_grid((ompfact_options){ .threads = threads, .copy_on_node = threads == 2 });
        for (int k = 0; k < PRECISIONS; k++)
            for (int o = 0; o < 4; o++) {
                double rate = (threads + k + o) % 2 ? 5 : 45;
                struct decaying a = three_precisions(_i, orders[o], rate);
                a.alike = rate < 45 && k % 2;
                ompfact_matrix *A = new_decaying(grid, &a, threads == 1 ? "2dbc" : "g2dbc", precisions[k]);
                factor_and_check(A, &a, precisions[k]);
                found += precisions_in(A).bf16_tiles - precisions_in(A).widened;
                ompfact_matrix_destroy(&A);
            }
        ompfact_grid_destroy(&grid);
    }
    assert_everywhere(found > 50);
}
END_TEST

/* Tiles of zeros that the first column fills leave bfloat16 where it would not suffice. */
START_TEST(filled_in)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .copy_on_node = _i % 2 });
    for (double precision = 1e-1; precision > 1e-14; precision /= 16) {
        ompfact_tile_precisions kept = factor_filled_in(grid, three_precisions(_i, N, 20), precision);
        assert_everywhere(precision < 1e-1 || (kept.bf16_tiles > 0 && kept.widened == 0));
        assert_everywhere(precision > 1e-8 || kept.widened > 0);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Solutions with triangles of large inverse are rounded only as far as products of tiles stay right. */
START_TEST(grown)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    for (double precision = 1e-1; precision > 1e-9; precision /= 4) {
        struct decaying a = three_precisions(0, N, 20);
        a.p.type = "dz"[_i / 2];
        a.grows = _i % 2 == 0 ? LEFT_GROWS : RIGHT_GROWS;
        factor_decaying(grid, &a, "g2dbc", precision);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Numbers near the ends of single's range are not in bfloat16; others are, whatever their size. */
START_TEST(scaled)
{
    static const int exponents[] = { -400, -110, -60, 60, 110, 400 };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++) {
        struct decaying a = three_precisions(_i, N, 30);
        struct norms norms = norms_of(&a);
        int64_t info;
        a.scale = ldexp(1, exponents[e]);
        ompfact_matrix *A = new_decaying(grid, &a, "2dbc", 1e-3);
        ompfact_tile_precisions kept = precisions_in(A);
        assert_everywhere(factor(A, &a.p, &info) == OMPFACT_SUCCESS && info == 0);
        number *F = gather_mixed(A, &a.p);
        double worst = worst_tile(&a, &norms, F, true, 1e-3);
        free(F);
        assert_everywhere_msg(worst <= 1, "2^%d: %g", exponents[e], worst);
        assert_everywhere_msg((kept.bf16_tiles > 0) == (exponents[e] > -100 && exponents[e] < 200), "2^%d", exponents[e]);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

static void factor_one(ompfact_grid *grid, char type, int structure, const char *layout)
{
    for (double precision = 1e-2; precision > 1e-5; precision /= 100) {
        struct decaying a = three_precisions(2 * structure + (type == 'z'), N, 25);
        factor_decaying(grid, &a, layout, precision);
    }
}

START_TEST(ways)
{
    factor_all_ways(_i, factor_one);
}
END_TEST

/* The same matrix can be used again, also after a pivot has failed. */
START_TEST(again)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .schedule = (ompfact_schedule)_i });
    for (int structure = 0; structure < 3; structure++) {
        struct decaying good = three_precisions(2 * structure + _i % 2, N, 25), bad = good;
        bad.p.fails = 2 * NB + 5;
        ompfact_matrix *A = new_decaying(grid, &bad, "g2dbc", 1e-3);
        int64_t info = -1;
        assert_everywhere(factor(A, &bad.p, &info) == OMPFACT_SUCCESS && info == bad.p.fails);
        for (int k = 0; k < 2; k++) {
            assert_everywhere(ompfact_fill_tiles(A, fill_decaying, &good) == OMPFACT_SUCCESS);
            factor_and_check(A, &good, 1e-3);
        }
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* If there is no memory for a tile that must become single or double, all ranks end with a message that names the tile. */
START_TEST(outgrown)
{
    struct decaying a = three_precisions(_i, N, 20);
    check_outgrown(&a, 1e-2);
}
END_TEST

/* ---- uses of factors ------------------------------------------------------------------------------------------------------- */

START_TEST(solves)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 + _i % 2 });
    for (int k = 0; k < PRECISIONS; k++) {
        struct decaying a = three_precisions(_i, N, 25);
        ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", precisions[k]), *B = new_rhs(A, NB + 3), *X = new_rhs(A, NB + 3);
        int64_t info = -1;
        int iterations = -1;
        fill_rhs(B, &a.p);
        fill_rhs(X, &a.p);
        ompfact_status status = a.p.hermitian ? ompfact_posv(A, X, &info) : ompfact_gesv(A, X, &info);
        assert_everywhere(status == OMPFACT_SUCCESS && info == 0);
        double worst = residual_of(&a, X, false);
        assert_everywhere_msg(worst <= 10 * (precisions[k] + N * U), "to %g: %g", precisions[k], worst);
        assert_everywhere(ompfact_refine(A, B, X, fill_decaying, &a, &iterations) == OMPFACT_SUCCESS);
        worst = residual_of(&a, X, false);
        assert_everywhere_msg(worst <= 300 * U, "to %g: after %d iterations %g", precisions[k], iterations, worst);
        ompfact_matrix_destroy(&X);
        ompfact_matrix_destroy(&B);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* A plan predicts a run in which no tile becomes wider, to the byte. All ranks have the map. */
START_TEST(planned)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    for (int k = 0; k < 3; k++) {
        struct decaying a = three_precisions(_i, N, 25);
        ompfact_plan *plan = plan_of(&a, precisions[k]);
        ompfact_tile_precisions predicted = plan_precisions(plan, &a);
        int all[NT * NT], map[NT][NT];
        int64_t info;
        ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", precisions[k]);
        assert_everywhere(factor(A, &a.p, &info) == OMPFACT_SUCCESS && info == 0);
        ompfact_tile_precisions kept = precisions_in(A);
        assert_everywhere(predicted.double_tiles == kept.double_tiles && predicted.single_tiles == kept.single_tiles &&
                          predicted.bf16_tiles == kept.bf16_tiles && (k > 0 || kept.bf16_tiles > 0));
        assert_everywhere(kept.widened > 0 ||
                          (predicted.bytes == kept.bytes &&
                           ompfact_plan_forecast(plan)->transfer_bytes == ompfact_last_report(A).transfer_bytes));
        assert_everywhere(ompfact_precision_map(A, all) == OMPFACT_SUCCESS);
        map_of(A, map);
        for (int i = 0; i < NT; i++)
            for (int j = 0; j < NT; j++)
                assert_everywhere(all[i * NT + j] == (is_stored(&a.p, i, j) ? map[i][j] : -2));
        ompfact_matrix_destroy(&A);
        ompfact_plan_destroy(&plan);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

START_TEST(refused)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    struct decaying a = three_precisions(2, N, 25);
    ompfact_shape shape = shape_with(&a, "2dbc", 1e-3);
    shape.tile_precision = 0;
    check_refused_shape(grid, shape, "bfloat16");
    ompfact_grid_destroy(&grid);
}
END_TEST

static Suite *mixed_bf16_suite(void)
{
    Suite *suite = suite_create("tiles of three precisions");
    TCase *tests = tcase_create("tiles of three precisions");
    add_turns(tests, right, 6, 5);
    add_turns(tests, filled_in, 6, 5);
    add_turns(tests, grown, 4, 3);
    add_turns(tests, scaled, 6, 5);
    add_turns(tests, ways, 3, 2);
    add_turns(tests, again, 3, 2);
    add_turns(tests, outgrown, 6, 5);
    add_turns(tests, solves, 6, 5);
    add_turns(tests, planned, 6, 5);
    tcase_add_test(tests, refused);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, mixed_bf16_suite());
}
