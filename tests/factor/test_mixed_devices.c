/*
 * Matrices whose tiles are in double or in single, factored with devices. All tiles are there, each in its precision, except the
 * host's share; with checksums tiles in single are on the host. Factors and counts satisfy the conditions of tests/decaying.h.
 */
#include "tests/factor/mixed_cases.h"
#include "tests/ways.h"

static const char *const backends[] = { "host", "portable" };
enum { BACKENDS = sizeof backends / sizeof backends[0] };

static ompfact_options options_of(int backend, double share)
{
    const char *asked = getenv("OMPFACT_TEST_BACKEND");
    return (ompfact_options){ .threads = 2, .pivot = OMPFACT_PIVOT_NONE, .devices = 1 + backend,
                              .device_backend = asked != NULL ? asked : backends[backend], .host_share = share };
}

/* NULL: the build has no devices. */
static ompfact_grid *grid_with_devices(ompfact_options options)
{
    ompfact_grid *grid;
    return ompfact_grid_create(MPI_COMM_WORLD, &options, &grid, NULL) == OMPFACT_SUCCESS ? grid : NULL;
}

static double device_flops(const ompfact_report *report)
{
    double flops = 0;
    for (int d = 0; d < OMPFACT_DEVICES; d++)
        flops += report->flops_per_device[d];
    return flops;
}

/* Returns the share of the flops that products in single on devices have done. all_there: the host has no share. */
static double factor_there(ompfact_grid *grid, const struct decaying *a, double precision, bool all_there)
{
    ompfact_matrix *A = new_decaying(grid, a, "g2dbc", precision);
    factor_and_check(A, a, precision);
    ompfact_report report = ompfact_last_report(A);
    double there = device_flops(&report);
    assert_everywhere_msg(!all_there || fabs(there - report.flops) <= 1e-9 * report.flops, "%g of %g flops on devices", there,
                          report.flops);
    assert_everywhere(!all_there || (report.bytes_to_devices > 0 && report.bytes_from_devices > 0));
    assert_everywhere(report.device_narrow_flops <= there * (1 + 1e-9));
    ompfact_tile_precisions kept;
    bool alone = all_there && all_ranks_count() == 1 && report.bytes_between_devices == 0 && ompfact_devices(grid) == 1;
    assert_everywhere(ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS);
    assert_everywhere_msg(!alone || report.bytes_from_devices == kept.bytes, "%lld bytes from the device, of %lld",
                          (long long)report.bytes_from_devices, (long long)kept.bytes);
    ompfact_matrix_destroy(&A);
    return report.flops > 0 ? report.device_narrow_flops / report.flops : 0;
}

START_TEST(right)
{
    for (int share = 0; share < 3; share++) {
        ompfact_grid *grid = grid_with_devices(options_of(_i % BACKENDS, 0.5 * share));
        if (grid == NULL)
            return;
        for (int structure = 0; structure < 3; structure++)
            for (int k = share % 2; k < PRECISIONS; k += 2) {
                struct decaying a = decaying_of("dz"[_i / BACKENDS], structure, k == 2 ? 2 * NB + 1 : N, 5 + 10 * (k % 3));
                a.filled_in = k == 4;
                double narrow = factor_there(grid, &a, precisions[k], share == 0);
                assert_everywhere_msg(share > 0 || narrow > (k == 0 ? 0.7 : 0.3), "to %g: %g of the flops in single",
                                      precisions[k], narrow);
            }
        ompfact_grid_destroy(&grid);
    }
}
END_TEST

/* With tiles in bfloat16, too, most of which remain so. */
START_TEST(bf16)
{
    int64_t found = 0, widened = 0;
    for (int share = 0; share < 2; share++) {
        ompfact_grid *grid = grid_with_devices(options_of(_i % BACKENDS, 0.5 * share));
        if (grid == NULL)
            return;
        for (int k = 0; k < PRECISIONS; k++)
            for (int rate = 5; rate <= 45; rate += 20) {
                struct decaying a = decaying_of("dz"[(k + _i) % 2], _i / BACKENDS, rate == 5 && k > 1 ? 2 * NB + 1 : N, rate);
                double precision = rate == 5 && k < 2 ? 1e-2 : precisions[k];
                a.bf16 = true;
                a.alike = rate == 5 && k < 2;       /* then products of tiles in bfloat16 are large beside the bound */
                a.filled_in = rate == 25 && k % 2;
                ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", precision);
                ompfact_tile_precisions kept;
                factor_and_check(A, &a, precision);
                ompfact_report report = ompfact_last_report(A);
                assert_everywhere(share > 0 || fabs(device_flops(&report) - report.flops) <= 1e-9 * report.flops);
                assert_everywhere(ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS);
                found += kept.bf16_tiles;
                widened += kept.widened;
                ompfact_matrix_destroy(&A);
            }
        ompfact_grid_destroy(&grid);
    }
    assert_everywhere_msg(found > 50 && widened < found / 2, "%lld in bfloat16, %lld tiles became wider", (long long)found,
                          (long long)widened);
}
END_TEST

/* Products of tiles in bfloat16 take transposes of their factors: other products of tiles with alternating signs are far off. */
START_TEST(transposed)
{
    ompfact_grid *grid = grid_with_devices(options_of(_i % BACKENDS, 0));
    for (int k = 0; grid != NULL && k < 4; k++) {
        const double precision = k % 2 ? 1e-3 : 4e-3;
        struct decaying a = decaying_of('d', _i / BACKENDS, N, k / 2 ? 5 : 2);
        a.bf16 = a.alike = a.alternating = true;
        ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", precision);
        ompfact_tile_precisions kept;
        factor_and_check(A, &a, precision);
        assert_everywhere(ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS && (k % 2 || kept.bf16_tiles > 0));
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Each schedule is right, with delays and little memory. */
START_TEST(ways)
{
    for (int way = 0; way < WAYS; way += 2) {
        ompfact_options options = one_way(_i, way + way / 4), there = options_of(way / 2 % BACKENDS, 0.3);
        options.devices = there.devices;
        options.device_backend = there.device_backend;
        options.host_share = there.host_share;
        options.device_memory = way % 4 == 0 ? 40 << 10 : 0;       /* little room: some tiles of the matrix, and few others */
        options.pivot = there.pivot;
        ompfact_grid *grid = grid_with_devices(options);
        if (grid == NULL)
            return;
        for (int structure = 0; structure < 3; structure++) {
            struct decaying a = decaying_of("dz"[structure % 2], structure, N, 20);
            a.bf16 = way % 4 == 2;
            a.filled_in = way == WAYS - 1;      /* with few tasks in flight tiles widen before later tasks are submitted */
            factor_there(grid, &a, a.filled_in ? 1e-13 : a.bf16 ? 1e-3 : 1e-8, false);
        }
        ompfact_grid_destroy(&grid);
    }
}
END_TEST

/* The least squares of roundings that a tile in single has of a real Hermitian matrix: all its updates are in single, and its
   solution is rounded. */
static double least_rounded(const struct problem *p, const number *F, int i, int j)
{
    double all = squares_in(p, F, i, j) * squares_in(p, F, j, j) / 3;
    for (int k = 0; k < j; k++)
        all += (NB + 2) / 3.0 * squares_in(p, F, i, k) * squares_in(p, F, j, k);
    return all * U_SINGLE * U_SINGLE;
}

/* The form of a tile in single has the errors of all its updates. */
START_TEST(accounted)
{
    ompfact_grid *grid = grid_with_devices(options_of(_i, 0));
    if (grid == NULL)
        return;
    struct decaying a = decaying_of('d', 1, N, 5);
    ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", 1e-3);
    factor_and_check(A, &a, 1e-3);
    number *F = gather_mixed(A, &a.p);
    bool right = true;
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        double rounded = compressed_form(A, i, j)->rounded;
        right &= i == j || (kept_precision(A, i, j) == IN_SINGLE && rounded >= 0.99 * least_rounded(&a.p, F, i, j));
    }
    assert_everywhere(right);
    free(F);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Tiles of zeros that the first column fills become double where single does not suffice. */
START_TEST(filled_in)
{
    ompfact_grid *grid = grid_with_devices(options_of(_i % BACKENDS, 0));
    for (double precision = 1e-3; grid != NULL && precision > 1e-14; precision /= 64) {
        ompfact_tile_precisions kept = factor_filled_in(grid, decaying_of("dz"[_i % 2], _i / 2, N, 20), precision);
        assert_everywhere(precision < 1e-3 || (kept.single_tiles > 0 && kept.widened == 0));
        assert_everywhere(precision > 1e-13 || kept.widened > 0);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Solutions of triangles whose inverses are large are rounded only as far as the bound of each tile of the product allows. */
START_TEST(grown)
{
    ompfact_grid *grid = grid_with_devices(options_of(_i / 2, 0));
    for (double precision = 1e-3; grid != NULL && precision > 1e-13; precision /= 32) {
        struct decaying a = decaying_of('d', 0, N, 20);
        a.grows = _i % 2 == 0 ? LEFT_GROWS : RIGHT_GROWS;
        factor_there(grid, &a, precision, true);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Numbers near the ends of single's range. */
START_TEST(scaled)
{
    static const int exponents[] = { -400, -110, -60, 60, 110, 400 };
    ompfact_grid *grid = grid_with_devices(options_of(_i % BACKENDS, 0));
    for (size_t e = 0; grid != NULL && e < sizeof exponents / sizeof exponents[0]; e++) {
        struct decaying a = decaying_of('d', _i, N, 30);
        struct norms norms = norms_of(&a);
        int64_t info;
        a.scale = ldexp(1, exponents[e]);
        ompfact_matrix *A = new_decaying(grid, &a, "2dbc", 1e-6);
        assert_everywhere(factor(A, &a.p, &info) == OMPFACT_SUCCESS && info == 0);
        number *F = gather_mixed(A, &a.p);
        double worst = worst_tile(&a, &norms, F, true, 1e-6);
        free(F);
        assert_everywhere_msg(worst <= 1, "2^%d: %g", exponents[e], worst);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* The same matrix serves again, also after a pivot has failed; and a tile that needs double, where there is no memory, ends the
   run on all ranks. */
START_TEST(again)
{
    ompfact_grid *grid = grid_with_devices(options_of(_i % BACKENDS, 0));
    if (grid == NULL)
        return;
    struct decaying good = decaying_of('d', _i, N, 25), bad = good;
    bad.p.fails = 2 * NB + 5;
    ompfact_matrix *A = new_decaying(grid, &bad, "g2dbc", 1e-6);
    int64_t info = -1;
    assert_everywhere(factor(A, &bad.p, &info) == OMPFACT_SUCCESS && info == bad.p.fails);
    for (int k = 0; k < 2; k++) {
        assert_everywhere(ompfact_fill_tiles(A, fill_decaying, &good) == OMPFACT_SUCCESS);
        factor_and_check(A, &good, 1e-6);
    }
    ompfact_matrix_destroy(&A);
    good.filled_in = true;
    A = new_decaying(grid, &good, "g2dbc", 1e-14);
    atomic_store(&A->compressed->left, 0);
    ompfact_status status = factor(A, &good.p, &info);
    assert_everywhere_msg(status == OMPFACT_OUT_OF_MEMORY && strstr(ompfact_message(grid), "no memory for tile (") != NULL,
                          "%d: %s", status, ompfact_message(grid));
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* With checksums: flips are found in tiles in single whose sums devices read, and nothing is found without flips. */
START_TEST(guarded)
{
    for (int flipped = 0; flipped < 2; flipped++) {
        const ompfact_testing testing = { .flip = { true, .step = 1, .i = _i == 2 ? 1 : 5, .j = _i == 2 ? 5 : 1, .bit = 30 } };
        ompfact_options options = options_of(_i % BACKENDS, 0);
        options.abft = true;
        options.testing = flipped ? &testing : NULL;
        ompfact_grid *grid = grid_with_devices(options);
        if (grid == NULL)
            return;
        struct decaying a = decaying_of('d', _i, N, 25);
        struct norms norms = norms_of(&a);
        ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", 1e-8);
        int64_t info;
        assert_everywhere_msg(factor(A, &a.p, &info) == OMPFACT_SUCCESS && info == 0, "%s", ompfact_message(grid));
        number *F = gather_mixed(A, &a.p);
        double worst = worst_tile(&a, &norms, F, true, 1e-8);
        free(F);
        ompfact_report report = ompfact_last_report(A);
        assert_everywhere_msg(worst <= 1 && (report.faults_found > 0) == flipped &&
                              report.faults_corrected == report.faults_found, "%g of what may be wrong, %lld found", worst,
                              (long long)report.faults_found);
        ompfact_matrix_destroy(&A);
        ompfact_grid_destroy(&grid);
    }
}
END_TEST

static Suite *mixed_devices_suite(void)
{
    Suite *suite = suite_create("tiles of mixed precision with devices");
    TCase *tests = tcase_create("tiles of mixed precision with devices");
    add_turns(tests, right, 2 * BACKENDS, 3);
    add_turns(tests, bf16, 3 * BACKENDS, 3);
    add_turns(tests, transposed, 3 * BACKENDS, 3);
    add_turns(tests, ways, 3, 2);
    add_turns(tests, accounted, BACKENDS, 1);
    add_turns(tests, filled_in, 6, 3);
    add_turns(tests, grown, 4, 2);
    add_turns(tests, scaled, 3, 2);
    add_turns(tests, again, 3, 2);
    add_turns(tests, guarded, 3, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, mixed_devices_suite());
}
