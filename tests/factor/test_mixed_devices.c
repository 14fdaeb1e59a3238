/*
 * Matrices whose tiles are in double or in single, factored with devices. Tiles in double are on devices, except the host's
 * share; those in single are on the host, and devices read them in double. Factors and counts are as tests/decaying.h defines.
 */
#include "tests/decaying.h"
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

/* Whether this rank has a tile in double whose column is on a device if the host's share is 0. */
static bool has_double(ompfact_matrix *A)
{
    bool has = false;
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);)
        has |= filled_precision(A, i, j) == IN_DOUBLE;
    return has;
}

static void factor_there(ompfact_grid *grid, const struct decaying *a, double precision, bool all_there)
{
    ompfact_matrix *A = new_decaying(grid, a, "g2dbc", precision);
    factor_and_check(A, a, precision);
    ompfact_report report = ompfact_last_report(A);
    int some = has_double(A);
    reduce(&some, 1, MPI_INT, MPI_MAX);
    assert_everywhere(!all_there || (report.bytes_to_devices > 0) == some);
    assert_everywhere(!all_there || report.bytes_from_devices > 0 || !some);
    ompfact_matrix_destroy(&A);
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
                factor_there(grid, &a, precisions[k], share == 0);
            }
        ompfact_grid_destroy(&grid);
    }
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
        options.pivot = there.pivot;
        ompfact_grid *grid = grid_with_devices(options);
        if (grid == NULL)
            return;
        for (int structure = 0; structure < 3; structure++) {
            struct decaying a = decaying_of("dz"[structure % 2], structure, N, 20);
            a.filled_in = way == WAYS - 1;      /* with few tasks in flight tiles widen before later tasks are submitted */
            factor_there(grid, &a, a.filled_in ? 1e-13 : 1e-8, false);
        }
        ompfact_grid_destroy(&grid);
    }
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
    add_turns(tests, ways, 3, 2);
    add_turns(tests, guarded, 3, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, mixed_devices_suite());
}
