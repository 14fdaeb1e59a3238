/* Measurements and figures that programs can get from a grid: speeds of ranks, use of devices, tile sizes for its machine. */
#include "src/ompfact_plan.h"
#include "tests/fixtures.h"
#include "tests/machine/cache_folder.h"

#include <math.h>

/* Speeds are the same on all ranks, the slowest is 1, and all are multiples of 1/20; with devices, too. */
START_TEST(measures_speeds)
{
    char message[OMPFACT_MESSAGE];
    double speeds[16], spread = 0, least = INFINITY;
    ompfact_options options = { .threads = 1, .devices = _i, .device_backend = _i > 0 ? "host" : NULL, .host_share = 0.5 };
    ompfact_grid *grid;
    if (ompfact_grid_create(MPI_COMM_WORLD, &options, &grid, message) != OMPFACT_SUCCESS) {
        assert_everywhere(_i > 0);      /* the build has no devices */
        return;
    }
    ompfact_status status = ompfact_measure_speeds(grid, _i > 0, speeds, &spread);
    assert_everywhere_msg(status == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    assert_everywhere(spread >= 0.1 && spread <= 0.5);
    for (int rank = 0; rank < ompfact_ranks(grid); rank++) {
        double twenty = 20 * speeds[rank];
        int whole = (int)round(twenty);
        assert_everywhere(fabs(twenty - whole) < 1e-9 && agreed(whole));
        least = fmin(least, speeds[rank]);
    }
    assert_everywhere(least == 1);
    ompfact_shape shape = { .m = 100, .n = 100, .nb = 10, .layout = "1d1d", .speeds = speeds };
    ompfact_matrix *A = new_matrix(grid, &shape);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* A file of one number a line is read, with or without blanks and empty lines; one that is too short is refused with its name. */
START_TEST(reads_speeds)
{
    char path[] = "/tmp/ompfact-test-XXXXXX", message[OMPFACT_MESSAGE] = "";
    double speeds[3];
    int file = mkstemp(path);
    assert_everywhere(file >= 0 && write(file, "1\n\n 2.5\t\r\n1e-1", 14) == 14);
    assert_everywhere(ompfact_read_speeds(path, 3, speeds, message) == OMPFACT_SUCCESS);
    assert_everywhere(speeds[0] == 1 && speeds[1] == 2.5 && speeds[2] == 0.1);
    assert_everywhere(ompfact_read_speeds(path, 4, speeds, message) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere_msg(strstr(message, path) != NULL && strstr(message, "3 speeds for 4 ranks") != NULL, "%s", message);
    close(file);
    unlink(path);
    assert_everywhere(ompfact_read_speeds(path, 3, speeds, NULL) == OMPFACT_BAD_ARGUMENT);
}
END_TEST

/* The host's share is as given, or measured. Block sizes can be set for each existing type, and are ignored without devices. */
START_TEST(uses_devices)
{
    ompfact_options options = { .threads = 2, .devices = 1, .device_backend = "host", .host_share = _i == 0 ? 0.25 : -1 };
    ompfact_grid *hosts = new_grid((ompfact_options){ .threads = 1 }), *grid;
    assert_everywhere(ompfact_devices_used(hosts).devices == 0 && ompfact_host_share(hosts) == 1);
    assert_everywhere(ompfact_devices_used(hosts).threads == 1 && strcmp(ompfact_devices_used(hosts).backend, "") == 0);
    assert_everywhere(ompfact_set_device_blocks(hosts, 'd', 64, -1) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_set_device_blocks(hosts, 'x', 0, 0) == OMPFACT_BAD_ARGUMENT);
    ompfact_grid_destroy(&hosts);
    if (ompfact_grid_create(MPI_COMM_WORLD, &options, &grid, NULL) != OMPFACT_SUCCESS)
        return;     /* the build has no devices */
    ompfact_device_use use = ompfact_devices_used(grid);
    assert_everywhere(use.devices == 1 && use.threads == 2 && strcmp(use.backend, "host") == 0 && !use.measured);
    assert_everywhere(use.source == (_i == 0 ? OMPFACT_SHARE_GIVEN : OMPFACT_SHARE_MEASURED));
    assert_everywhere(use.host_share == ompfact_host_share(grid) && use.host_share >= 0 && use.host_share <= 1);
    assert_everywhere(_i == 1 || use.host_share == 0.25);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* If one tile size is by far the fastest, as --tune or a run has measured, it is chosen, and the outlook agrees. Without
   measurements rates are typical. */
START_TEST(chooses_tiles)
{
    static const ompfact_machine_source sources[] = { OMPFACT_MACHINE_TUNED, OMPFACT_MACHINE_RATED, OMPFACT_MACHINE_TYPICAL };
    char folder[CACHE_FOLDER];
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .typical_rates = true });
    ompfact_job job = { .routine = "potrf", .shape = { .n = 2000, .nb = 64, .structure = OMPFACT_HERMITIAN_LOWER },
                        .cores_per_node = 12345 };      /* a property of the grid's nodes, ignored here */
    ompfact_outlook of;
    ompfact_plan *plan;
    new_cache_folder(folder);
    if (_i < 2)
        keep_fast_size(96, _i == 0, ompfact_blas_kernels(grid));
    ompfact_matrix *A = new_matrix(grid, &job.shape);
    assert_everywhere(ompfact_plan_of_matrix(&job, A, &plan, NULL) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_plan_outlook(plan, &of, NULL) == OMPFACT_SUCCESS);
    bool first = my_rank() == 0;        /* the first rank's folder has the file */
    assert_everywhere(!first || of.machine.source == sources[_i]);
    assert_everywhere(of.machine.why[0] == '\0' && of.machine.cores > 0 && of.machine.cores != 12345);
    assert_everywhere(of.nb == 64 && of.nb_s > 0 && of.best_nb_s <= of.nb_s);
    assert_everywhere(_i == 2 || !first || (of.best_nb == 96 && ompfact_machine_rate(&of.machine, 'd', "gemm", 1, 96) > 80));
    assert_everywhere(of.ranks_on_node == ompfact_ranks_on_node(grid) && of.threads > 0 && of.devices.devices == 0);
    ompfact_plan_destroy(&plan);
    ompfact_matrix_destroy(&A);
    job.shape.nb = 0;
    A = new_matrix(grid, &job.shape);
    assert_everywhere(ompfact_plan_of_matrix(&job, A, &plan, NULL) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_plan_outlook(plan, &of, NULL) == OMPFACT_SUCCESS && of.nb == of.best_nb);
    ompfact_plan_destroy(&plan);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    remove_cache_folder(folder);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("machine calls");
    TCase *c = tcase_create("machine calls");
    tcase_add_loop_test(c, measures_speeds, 0, 2);
    tcase_add_test(c, reads_speeds);
    tcase_add_loop_test(c, uses_devices, 0, 2);
    tcase_add_loop_test(c, chooses_tiles, 0, 3);
    suite_add_tcase(suite, c);
    return run_suite(argc, argv, suite);
}
