/* Figures of a grid's machine: from --tune's file, from that of runs, or measured at once; and which file keeps them. */
#include "src/machine/machine_known.h"
#include "tests/fixtures.h"
#include "tests/machine/cache_folder.h"

#include <errno.h>
#include <fcntl.h>

static char folder[CACHE_FOLDER];

static void set_up(void)
{
    new_cache_folder(folder);
}

static void tear_down(void)
{
    remove_cache_folder(folder);
}

static struct machine_known *known_with(ompfact_grid *grid, char type)
{
    struct machine_known *known;
    assert_everywhere_msg(machine_with_rates(grid, type, &known) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    return known;
}

/* Checks a condition on the first rank, which has the figures. */
#define assert_first(condition) assert_everywhere(my_rank() > 0 || (condition))

static int busy_threads(ompfact_grid *grid, const struct machine *m)
{
    return machine_busy(m, default_threads(ompfact_ranks_on_node(grid)), ompfact_ranks_on_node(grid));
}

/* The kept rates are those measured, to the last digit, of every kernel, for all cores. */
START_TEST(keeps_what_it_measures)
{
    ompfact_grid *grid = new_grid((ompfact_options){ 0 }), *later = new_grid((ompfact_options){ 0 });
    struct machine_known *k = known_with(grid, 'd');
    int busy = busy_threads(grid, &k->machine);
    assert_first(k->source == MACHINE_QUICK && k->why[0] == '\0' && files_in_cache(folder, false) == 1);
    struct machine_known *again = known_with(later, 'd');
    assert_first(again->source == MACHINE_QUICK && again->machine.rates == k->machine.rates);
    int found[RATE_KERNELS] = { 0 };
    bool good = true, alike = true;
    for (int i = 0; my_rank() == 0 && i < k->machine.rates; i++) {
        const struct machine_rate *r = &k->machine.rate[i], *s = &again->machine.rate[i];
        good &= r->type == 'd' && r->threads == busy && r->nb >= 32 && r->gflops > 0;
        alike &= s->type == r->type && s->kernel == r->kernel && s->threads == r->threads && s->nb == r->nb &&
                 s->gflops == r->gflops;
        found[r->kernel]++;
    }
    assert_everywhere(good && alike);
    for (int kernel = 0; kernel < RATE_KERNELS; kernel++)
        assert_first(found[kernel] > 0 && found[kernel] == found[0]);
    ompfact_grid_destroy(&grid);
    ompfact_grid_destroy(&later);
}
END_TEST

/* A new type is added to the known ones, which stay; so is another number of threads. */
START_TEST(adds)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    struct machine_known *k = known_with(grid, 'd');
    int busy = busy_threads(grid, &k->machine), rates = k->machine.rates;
    double first = k->machine.rate[0].gflops;
    known_with(grid, 's');
    assert_first(k->machine.rates > rates && machine_has_rates(&k->machine, 's', busy));
    rates = k->machine.rates;
    ompfact_grid_destroy(&grid);
    grid = new_grid((ompfact_options){ .threads = 2 });
    k = known_with(grid, 'd');
    assert_first(machine_has_rates(&k->machine, 's', busy) && k->machine.rate[0].gflops == first);
    assert_first(machine_has_rates(&k->machine, 'd', busy_threads(grid, &k->machine)) &&
                 (k->machine.rates > rates) == (busy_threads(grid, &k->machine) != busy));
    ompfact_grid_destroy(&grid);
}
END_TEST

/* With typical rates nothing is measured, and no folder is made. */
START_TEST(typical)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .typical_rates = true });
    struct machine_known *k = known_with(grid, 'd');
    assert_everywhere(k->machine.rates == 0 && k->source == MACHINE_NO_FILE && cache_is_untouched(folder));
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Rates of --tune suffice for any type, and have priority over those of a run. */
START_TEST(tuned)
{
    ompfact_grid *grid = new_grid((ompfact_options){ 0 });
    keep_fast_size(64, false, ompfact_blas_kernels(grid));
    keep_fast_size(128, true, ompfact_blas_kernels(grid));
    struct machine_known *k = known_with(grid, 's');
    assert_everywhere(k->source == MACHINE_MEASURED && k->machine.rates == 16 * RATE_KERNELS);
    for (int i = 0; i < 16 * RATE_KERNELS; i++)
        assert_everywhere((k->machine.rate[i].gflops > 50) == (k->machine.rate[i].nb == 128));
    ompfact_grid_destroy(&grid);
}
END_TEST

static void make_damaged(const char *name)
{
    char path[CACHE_FOLDER + 128];
    snprintf(path, sizeof path, "%s/ompfact", folder);
    ck_assert(mkdir(path, 0700) == 0 || errno == EEXIST);
    snprintf(path, sizeof path, "%s/ompfact/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ck_assert(fd >= 0 && write(fd, "nonsense\n", 9) == 9);
    close(fd);
}

/* Damaged files are no error: that of runs is written again, --tune's stays as it is, and is reported. */
START_TEST(damaged)
{
    char path[MACHINE_PATH], text[MACHINE_TEXT];
    ompfact_grid *grid = new_grid((ompfact_options){ 0 });
    struct machine *m = malloc(sizeof *m);
    ck_assert_ptr_nonnull(m);
    machine_here(m, ompfact_blas_kernels(grid));
    if (my_rank() == 0) {
        ck_assert(machine_quick_path(m, path));
        make_damaged(strrchr(path, '/') + 1);
        make_damaged("machine");
    }
    struct machine_known *k = known_with(grid, 'd');
    assert_first(k->source == MACHINE_QUICK && k->machine.rates > 0 && strstr(k->why, "machine, line 1: not understood") != NULL);
    if (my_rank() == 0) {
        ck_assert(machine_quick_path(m, path) && machine_read(path, m, text) == MACHINE_MEASURED);
        ck_assert(machine_path(path) && machine_read(path, m, text) == MACHINE_DAMAGED);
    }
    free(m);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* A folder that cannot be made is no error, whatever the reason; the grid keeps the rates. */
START_TEST(no_folder)
{
    char file[CACHE_FOLDER + 8];
    snprintf(file, sizeof file, "%s/file", folder);
    if (my_rank() == 0)
        close(open(file, O_WRONLY | O_CREAT, 0600));
    const char *const places[] = { "/proc/no-such-folder", file, "/dev/null" };
    for (int i = 0; i < 3; i++) {
        setenv("XDG_CACHE_HOME", places[i], 1);
        ompfact_grid *grid = new_grid((ompfact_options){ 0 });
        struct machine_known *k = known_with(grid, 'd');
        int rates = k->machine.rates;
        assert_first(rates > 0 && k->source == MACHINE_QUICK);
        known_with(grid, 'd');
        assert_everywhere(k->machine.rates == rates && ompfact_message(grid)[0] == '\0');
        ompfact_grid_destroy(&grid);
    }
    unlink(file);
}
END_TEST

/* A grid whose ranks have different numbers of threads, and one of some ranks only, have the figures, too. */
START_TEST(other_grids)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 + my_rank() });
    struct machine_known *k = known_with(grid, 'd');
    assert_first(machine_has_rates(&k->machine, 'd', busy_threads(grid, &k->machine)));
    ompfact_grid_destroy(&grid);
    assert_everywhere(ompfact_grid_create(MPI_COMM_SELF, NULL, &grid, NULL) == OMPFACT_SUCCESS);
    ompfact_status status = machine_with_rates(grid, 'd', &k);
    assert_everywhere(status == OMPFACT_SUCCESS && machine_has_rates(&k->machine, 'd', busy_threads(grid, &k->machine)));
    ompfact_grid_destroy(&grid);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("quick_rates");
    TCase *c = tcase_create("quick_rates");
    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, keeps_what_it_measures);
    tcase_add_test(c, adds);
    tcase_add_test(c, typical);
    tcase_add_test(c, tuned);
    tcase_add_test(c, damaged);
    tcase_add_test(c, no_folder);
    tcase_add_test(c, other_grids);
    suite_add_tcase(suite, c);
    return run_suite(argc, argv, suite);
}
