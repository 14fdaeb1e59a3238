/* --tune on any number of ranks, with little effort: rank 0 writes a file that is read back, and prints it. */
#include "src/command/tune.h"
#include "src/machine/machine.h"
#include "tests/suite.h"

#include "src/ompfact.h"

#include <string.h>

static const struct tune_effort little = { .kernel_seconds = 1e-6, .largest = 96, .order = 300, .largest_on_device = 256,
                                           .device_seconds = 1e-3 };

/* Measures into a folder of its own; the machine as the file has it on rank 0. */
static void tune(ompfact_grid *grid, struct machine *m, char printed[256])
{
    char folder[] = "/tmp/ompfact-test-XXXXXX", path[MACHINE_PATH] = "", text[COMMAND_TEXT];
    bool first = my_rank() == 0, ready = !first || mkdtemp(folder) != NULL;
    FILE *out = first ? tmpfile() : NULL;
    setenv("XDG_CACHE_HOME", first ? folder : "/nonexistent", 1);     /* the others are not to write */
    assert_everywhere(ready && machine_path(path) && (!first || out != NULL));
    int code = tune_run(grid, &little, out, text);
    assert_everywhere(code == 0);
    machine_here(m, ompfact_blas_kernels(grid));
    if (first) {
        ready = machine_read(path, m, text) == MACHINE_MEASURED;
        rewind(out);
        printed[fread(printed, 1, 255, out)] = '\0';
        fclose(out);
        remove(path);
        *strrchr(path, '/') = '\0';
        rmdir(path);
        rmdir(folder);
    }
    assert_everywhere(ready);
}

/* Rates of every kernel and type are there; with two ranks or more the transfers, and as many speeds as the ranks allow. */
START_TEST(measures)
{
    struct machine *m = malloc(sizeof *m);
    char printed[256] = "";
    ompfact_grid *grid;
    assert_everywhere(m != NULL && ompfact_grid_create(MPI_COMM_WORLD, NULL, &grid, NULL) == OMPFACT_SUCCESS);
    tune(grid, m, printed);
    static const char letters[] = "sdcz";
    int found[4][RATE_KERNELS] = { { 0 } }, missing = 0;
    for (int i = 0; i < m->rates; i++)
        found[strchr(letters, m->rate[i].type) - letters][m->rate[i].kernel]++;
    for (int type = 0; type < 4; type++)
        for (int kernel = 0; kernel < RATE_KERNELS; kernel++)
            missing += found[type][kernel] == 0;
    if (my_rank() == 0)
        ck_assert(missing == 0 && m->speeds >= 1 && m->speed[0].ranks == 1 && m->speed[0].n == 300 &&
                  strncmp(printed, "# What has been measured", 24) == 0);
    if (my_rank() == 0 && ompfact_ranks(grid) > 1)
        ck_assert(m->t_s > 0 && m->t_w > 0);
    ompfact_grid_destroy(&grid);
    free(m);
}
END_TEST

/* With devices: their rates, the bus, and a share for the host with one device and with two, beside the host alone. */
START_TEST(measures_devices)
{
    struct machine *m = malloc(sizeof *m);
    char printed[256] = "", message[OMPFACT_MESSAGE];
    ompfact_grid *grid;
    const char *backend = getenv("OMPFACT_TEST_BACKEND") != NULL ? getenv("OMPFACT_TEST_BACKEND") : "host";
    bool has_blocks = strcmp(backend, "cuda") == 0;
    ompfact_options options = { .devices = 2, .device_backend = backend };
    assert_everywhere(m != NULL);
    if (ompfact_grid_create(MPI_COMM_WORLD, &options, &grid, message) == OMPFACT_SUCCESS) {     /* else this build has none */
        int threads = ompfact_threads(grid);
        ompfact_device_use use = ompfact_devices_used(grid);
        ck_assert(use.devices == 2 && use.threads == threads && use.host_share == 0 && use.source == OMPFACT_SHARE_GIVEN);
        tune(grid, m, printed);
        if (my_rank() == 0) {
            ck_assert(strcmp(m->device_backend, backend) == 0 && m->device_rates == 1 && m->device_rate[0].nb == 256);
            ck_assert(m->bus_up > 0 && m->bus_down > 0 && m->shares == 3);
            ck_assert_int_eq(m->blocks, has_blocks ? 4 : 0);
            for (int i = 0; i < m->blocks; i++) {
                const struct machine_blocks *b = machine_blocks_of(m, "sdcz"[i]);
                ck_assert(b == &m->block[i] && b->nb == 256 && (b->herk == 0 || b->herk == 128) &&
                          (b->trsm == 0 || b->trsm == 128));
            }
            for (int d = 0; d <= 2; d++)
                ck_assert(machine_share_of(m, d, threads) != NULL);
            ck_assert(machine_share_of(m, 0, threads)->share == 1 && machine_share_of(m, 2, threads)->nb == 256);
        }
        ompfact_grid_destroy(&grid);
    }
    free(m);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("tune");
    TCase *c = tcase_create("tune");
    tcase_add_test(c, measures);
    tcase_add_test(c, measures_devices);
    suite_add_tcase(suite, c);
    return run_suite(argc, argv, suite);
}
