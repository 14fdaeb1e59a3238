/* ompfact_tune() on any number of ranks, with little effort: all ranks get the figures, and later grids use them. */
#include "src/grid/grid.h"
#include "src/machine/machine_known.h"
#include "src/ompfact_machine.h"
#include "tests/fixtures.h"
#include "tests/machine/cache_folder.h"

#include <math.h>

static const ompfact_effort little = { .kernel_s = 1e-6, .largest_nb = 96, .order = 300, .largest_device_nb = 256,
                                       .device_s = 1e-3 };

static char folder[CACHE_FOLDER];

static void set_up(void)
{
    new_cache_folder(folder);
}

static void tear_down(void)
{
    remove_cache_folder(folder);
}

static ompfact_machine tuned(ompfact_grid *grid)
{
    ompfact_machine m = { 0 };
    assert_everywhere_msg(ompfact_tune(grid, &little, &m) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    assert_everywhere(m.source == OMPFACT_MACHINE_TUNED && m.why[0] == '\0' && m.cores > 0 && m.host[0] != '\0');
    assert_everywhere(my_rank() > 0 || files_in_cache(folder, false) == 1);
    return m;
}

struct seen_progress {
    int calls;
    double last;
};

static void note(void *context, double done)
{
    struct seen_progress *seen_progress = context;
    seen_progress->calls++;
    seen_progress->last = done;
}

/* The measuring rank reports its progress to the grid's callback. Meanwhile the watchdog is off, because the other ranks wait. */
START_TEST(reports_progress)
{
    struct seen_progress seen_progress = { 0 };
    ompfact_grid *grid = new_grid((ompfact_options){ .progress = note, .progress_context = &seen_progress });
    const double patience = rma_watchdog(grid->rma);
    tuned(grid);
    assert_everywhere(my_rank() > 0 || (seen_progress.calls > 40 && seen_progress.last > 0.9 && seen_progress.last <= 1));
    assert_everywhere(rma_watchdog(grid->rma) == patience);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Every kernel and type has rates. With two ranks or more there are transfers, and as many runs as the ranks allow. */
START_TEST(measures)
{
    static const char *const kernels[] = { "potrf", "getrf", "trsm", "syrk", "gemm" };
    ompfact_grid *grid = new_grid((ompfact_options){ 0 });
    ompfact_machine m = tuned(grid);
    for (const char *type = "sdcz"; *type != '\0'; type++)
        for (int k = 0; k < 5; k++) {
            double rate = ompfact_machine_rate(&m, *type, kernels[k], m.cores, 64);
            assert_everywhere(rate > 0 && agreed((int64_t)(1e6 * rate)));
        }
    assert_everywhere(ompfact_machine_rate(&m, 'd', "potrs", 1, 64) == 0 && ompfact_machine_rate(&m, 'i', "gemm", 1, 64) == 0);
    assert_everywhere(m.runs >= 1 && m.run[0].ranks == 1 && m.run[0].n == 300 && m.run[0].gflops > 0);
    assert_everywhere(m.transfer_s > 0 && m.word_s > 0 && m.transfers_measured == (ompfact_ranks(grid) > 1));
    assert_everywhere(m.device_backend[0] == '\0' && m.shares == 0 && m.best_share == NULL);
    char *text = ompfact_machine_text(&m);
    assert_everywhere(text != NULL && strncmp(text, "# What has been measured", 24) == 0 && strstr(text, "\nspeed 1 ") != NULL);
    assert_everywhere(strstr(text, "\ntask 1 ") != NULL);
    free(text);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Devices have rates, a bus and a share of the host, with one device and with two. A grid that balances its own share uses the
   fastest one. */
START_TEST(measures_devices)
{
    char message[OMPFACT_MESSAGE];
    ompfact_grid *grid;
    const char *backend = getenv("OMPFACT_TEST_BACKEND") != NULL ? getenv("OMPFACT_TEST_BACKEND") : "host";
    bool has_blocks = strcmp(backend, "cuda") == 0;
    ompfact_options options = { .devices = 2, .device_backend = backend };
    if (ompfact_grid_create(MPI_COMM_WORLD, &options, &grid, message) != OMPFACT_SUCCESS)
        return;     /* the build has no devices */
    int threads = ompfact_threads(grid), first_threads = threads;
    MPI_Bcast(&first_threads, 1, MPI_INT, 0, MPI_COMM_WORLD);
    ompfact_machine m = tuned(grid);
    assert_everywhere(strcmp(m.device_backend, backend) == 0 && m.device_nb == 256 && m.device_gflops > 0);
    assert_everywhere(m.bus_up > 0 && m.bus_down > 0 && m.shares == 3 && m.best_share != NULL);
    assert_everywhere(m.blocks == (has_blocks ? 4 : 0));
    for (int i = 0; i < m.blocks; i++) {
        const ompfact_machine_blocks *b = &m.block[i];
        assert_everywhere(b->type == "sdcz"[i] && b->nb == 256 && (b->herk == 0 || b->herk == 128));
        assert_everywhere(b->trsm == 0 || b->trsm == 128);
    }
    for (int d = 0; d <= 2; d++)
        assert_everywhere(m.share[d].devices == d && m.share[d].threads == first_threads && m.share[d].n > 0);
    assert_everywhere(m.share[0].share == 1 && m.share[2].nb == 256);
    double share = m.share[2].share;
    ompfact_grid_destroy(&grid);
    options.host_share = -1;
    grid = new_grid(options);
    ompfact_device_use use = ompfact_devices_used(grid);
    assert_everywhere(use.measured && use.source == (threads == first_threads ? OMPFACT_SHARE_TRIED : OMPFACT_SHARE_BALANCED));
    assert_everywhere(threads != first_threads || fabs(use.host_share - share) < 1e-3);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Where the file cannot be written nothing is measured, and all ranks return the error. */
START_TEST(cannot_write)
{
    ompfact_grid *grid = new_grid((ompfact_options){ 0 });
    ompfact_machine m;
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    assert_everywhere(ompfact_tune(grid, &little, &m) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere_msg(strstr(ompfact_message(grid), "cannot write /dev/null/ompfact") != NULL, "%s", ompfact_message(grid));
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Measurements of compressed tiles by runs stay. */
START_TEST(keeps_low_ranks)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    struct machine_known *known;
    ompfact_machine m;
    assert_everywhere(machine_of_grid(grid, &known) == OMPFACT_SUCCESS);
    if (my_rank() == 0)
        machine_keep_low_rank(known, (struct machine_low_rank){ 'd', 512, 77 });
    assert_everywhere(ompfact_tune(grid, &little, &m) == OMPFACT_SUCCESS);
    assert_everywhere(my_rank() != 0 || machine_low_rank(&known->machine, 'd', 512) == 77);
    ompfact_grid_destroy(&grid);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("tune");
    TCase *c = tcase_create("tune");
    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, measures);
    tcase_add_test(c, reports_progress);
    tcase_add_test(c, measures_devices);
    tcase_add_test(c, cannot_write);
    tcase_add_test(c, keeps_low_ranks);
    suite_add_tcase(suite, c);
    return run_suite(argc, argv, suite);
}
