/* The figures of --tune: the file of a machine, and rates from it. No MPI. */
#include "src/tune/tune.h"
#include "tests/machine/machines.h"

#include <math.h>
#include <sys/stat.h>

/* A machine with two sizes of one kernel, a transfer and a speed. */
static struct machine *measured_machine(void)
{
    struct machine *m = new_machine();
    add_rate(m, 'd', RATE_GEMM, 1, 100, 20);
    add_rate(m, 'd', RATE_GEMM, 1, 200, 30);
    add_rate(m, 'd', RATE_GEMM, 4, 200, 100);
    m->speed[m->speeds++] = (ompfact_machine_run){ .ranks = 2, .threads = 3, .n = 4096, .nb = 320, .gflops = 77.5 };
    m->task[m->tasks++] = (struct machine_task){ .threads = 1, .seconds = 1.5e-6 };
    m->task[m->tasks++] = (struct machine_task){ .threads = 8, .seconds = 2.5e-6 };
    m->t_s = 1.25e-6;
    m->t_w = 1.5e-9;
    m->transfers_measured = m->over_network = true;
    return m;
}

/* Adds devices that are nearly at full rate on tiles of 512, with potrf tried on one and on two. */
static void add_devices(struct machine *m)
{
    static const struct machine_device_rate rates[] = { { 256, 70 }, { 512, 96 }, { 1024, 100 } };
    static const ompfact_machine_share shares[] = { { 0, 4, 3072, 256, 1, 80 },
                                                   { 1, 4, 3072, 512, 0.45, 150 },
                                                   { 2, 4, 3072, 512, 0.3, 170 } };
    snprintf(m->device_backend, sizeof m->device_backend, "host");
    m->block[m->blocks++] = (ompfact_machine_blocks){ .type = 'd', .nb = 512, .herk = 256, .trsm = 128 };
    m->block[m->blocks++] = (ompfact_machine_blocks){ .type = 'c', .nb = 512, .herk = 0 };
    m->bus_up = 12.5;
    m->bus_down = 11.5;
    for (int i = 0; i < 3; i++) {
        m->device_rate[m->device_rates++] = rates[i];
        machine_keep_share(m, &shares[i]);
    }
}

/* ---- the file -------------------------------------------------------------------------------------------------------------- */

/* A written file is read back, from folders that did not exist, and only the file itself is left in them. */
START_TEST(round_trip)
{
    char folder[] = "/tmp/ompfact-test-XXXXXX", path[MACHINE_PATH], text[MACHINE_TEXT];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    ck_assert(machine_path(path));
    struct machine *m = measured_machine(), *back = new_machine();
    add_devices(m);
    ck_assert_int_eq(machine_read(path, back, text), MACHINE_NO_FILE);
    ck_assert_ptr_nonnull(strstr(text, path));
    for (int i = 0; i < 2; i++)     /* the second time over the first */
        ck_assert_msg(machine_write(path, m) == 0, "%s", path);
    ck_assert_int_eq(machine_read(path, back, text), MACHINE_MEASURED);
    ck_assert_str_eq(back->host, m->host);
    ck_assert_str_eq(back->cpu, m->cpu);
    ck_assert(back->rates == 3 && back->speeds == 1 && back->cores == m->cores && back->transfers_measured);
    ck_assert(back->rate[2].type == 'd' && back->rate[2].kernel == RATE_GEMM && back->rate[2].threads == 4);
    ck_assert(back->rate[2].nb == 200 && back->rate[2].gflops == 100);
    ck_assert(back->speed[0].ranks == 2 && back->speed[0].threads == 3 && back->speed[0].nb == 320 &&
              back->speed[0].gflops == 77.5);
    ck_assert(back->tasks == 2 && back->task[1].threads == 8 && fabs(back->task[1].seconds - 2.5e-6) < 1e-9);
    ck_assert_double_eq_tol(back->t_s, 1.25e-6, 1e-9);
    ck_assert_double_eq_tol(back->t_w, 1.5e-9, 1e-12);
    ck_assert(back->over_network);
    ck_assert(strcmp(back->device_backend, "host") == 0 && back->bus_up == 12.5 && back->bus_down == 11.5);
    ck_assert(back->device_rates == 3 && back->device_rate[1].nb == 512 && back->device_rate[1].gflops == 96 &&
              back->shares == 3);
    ck_assert(back->share[2].devices == 2 && back->share[2].threads == 4 && back->share[2].n == 3072 && back->share[2].nb == 512);
    ck_assert(back->share[2].share == 0.3 && back->share[2].gflops == 170);
    ck_assert(back->blocks == 2 && machine_blocks_of(back, 'd')->herk == 256 && machine_blocks_of(back, 'd')->nb == 512);
    ck_assert(machine_blocks_of(back, 'd')->trsm == 128 && machine_blocks_of(back, 'c')->trsm == 0);
    ck_assert(machine_blocks_of(back, 'c')->herk == 0 && machine_blocks_of(back, 'z') == NULL);
    ck_assert_int_eq(remove(path), 0);
    *strrchr(path, '/') = '\0';
    ck_assert_int_eq(rmdir(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
    free(m);
    free(back);
}
END_TEST

/* $XDG_CACHE_HOME, or without it (or with a relative one) ~/.cache. */
START_TEST(paths)
{
    char path[MACHINE_PATH], endless[2 * MACHINE_PATH];
    setenv("HOME", "/home/someone", 1);
    unsetenv("XDG_CACHE_HOME");
    ck_assert(machine_path(path));
    ck_assert_str_eq(path, "/home/someone/.cache/ompfact/machine");
    setenv("XDG_CACHE_HOME", "relative", 1);
    ck_assert(machine_path(path));
    ck_assert_str_eq(path, "/home/someone/.cache/ompfact/machine");
    setenv("XDG_CACHE_HOME", "/var/cache", 1);
    ck_assert(machine_path(path));
    ck_assert_str_eq(path, "/var/cache/ompfact/machine");
    memset(endless, '/', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    setenv("XDG_CACHE_HOME", endless, 1);
    ck_assert(!machine_path(path));
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    ck_assert(!machine_path(path));
}
END_TEST

/* Reads a file of this machine's lines and one more line. */
static enum machine_source read_with(const char *line, struct machine *m, char why[MACHINE_TEXT])
{
    char path[32], text[FILE_TEXT];
    snprintf(text, sizeof text, "version 2\nhost %s\ncpu %s\ncores %d\nblas skx\nrate d gemm 1 256 40\n%s", m->host, m->cpu,
             m->cores, line);
    make_file(path, text);
    enum machine_source source = machine_read(path, m, why);
    remove(path);
    return source;
}

/* A damaged file is no error: the reason is one line, and typical values stay. */
START_TEST(damaged)
{
    static const char *const lines[] = {
        "rate d gemm 1 256 0\n",
        "rate d gemm 1 256 nan\n",
        "rate d gemm 1 256 -4\n",
        "rate d gemv 1 256 4\n",
        "rate q gemm 1 256 4\n",
        "rate d gemm 0 256 4\n",
        "rate d gemm 1 0 4\n",
        "rate d gemm 1 256\n",
        "task 2\n",
        "task 0 2\n",
        "task 2 nan\n",
        "speed 1 2 3 4\n",
        "speed 0 2 3 4 5\n",
        "latency_us 0\n",
        "word_ns inf\n",
        "link\n",
        "link radio\n",
        "cores 0\n",
        "version 1\n",
        "version x\n",
        "device 256\n",
        "device 0 40\n",
        "bus 1 0\n",
        "blocks q 512 256 128\n",
        "blocks d 512 256\n",
        "blocks d 0 256 128\n",
        "blocks d 512 256 -1\n",
        "share 1 2 3 4 1.5 6\n",
        "share 1 0 3 4 0.5 6\n",
        "nonsense\n",
        "rate\n",
        "rate d gemm 1 256 40",
        "\001\002\n",
    };
    struct machine *m = new_machine();
    char why[MACHINE_TEXT];
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ck_assert_msg(read_with(lines[i], m, why) == MACHINE_DAMAGED, "%s is accepted", lines[i]);
        ck_assert_ptr_nonnull(strstr(why, "not understood"));
        ck_assert_ptr_null(strchr(why, '\n'));
        ck_assert(m->rates == 0 && m->speeds == 0 && !m->transfers_measured && m->t_s > 0 && m->t_w > 0);
    }
    char path[32];
    make_file(path, "");
    ck_assert_int_eq(machine_read(path, m, why), MACHINE_DAMAGED);
    remove(path);
    ck_assert_int_eq(read_with("# a remark\n\n", m, why), MACHINE_MEASURED);
    ck_assert_int_eq(m->rates, 1);
    free(m);
}
END_TEST

/* A file of another host, processor or BLAS is recognised. */
START_TEST(other_machine)
{
    static const char *const lines[] = { "host elsewhere\n", "cpu Another One\n", "cores 12345\n", "blas haswell\n" };
    struct machine *m = new_machine();
    char why[MACHINE_TEXT];
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(read_with(lines[i], m, why), MACHINE_OTHER);
        ck_assert_int_eq(m->rates, 0);
        ck_assert_ptr_null(strchr(why, '\n'));
    }
    free(m);
}
END_TEST

/* ---- rates and times ------------------------------------------------------------------------------------------------------- */

/* Rates at measured sizes are exact, between them interpolated, and beyond them extrapolated like typical ones; the nearest
   number of threads is used. */
START_TEST(rates)
{
    struct machine *m = measured_machine();
    ck_assert_double_eq(machine_thread_rate(m, 'd', RATE_GEMM, 1, 100), 20);
    double between = machine_thread_rate(m, 'd', RATE_GEMM, 1, 150), small = machine_thread_rate(m, 'd', RATE_GEMM, 1, 20),
           large = machine_thread_rate(m, 'd', RATE_GEMM, 1, 500), larger = machine_thread_rate(m, 'd', RATE_GEMM, 1, 600);
    ck_assert(between > 25 && between < 30 && small > 0 && small < 20 && large > 30 && large < 60 && larger == large);
    ck_assert_double_eq(machine_thread_rate(m, 'd', RATE_GEMM, 4, 200), 25);
    ck_assert_double_eq(machine_thread_rate(m, 'd', RATE_GEMM, 64, 200), 25);
    ck_assert_double_eq(machine_thread_rate(m, 's', RATE_GEMM, 1, 100), 40);
    ck_assert(machine_thread_rate(m, 'd', RATE_POTRF, 1, 100) > 0);
    free(m);
}
END_TEST

/* Seconds of a task are those of the nearest number of threads; a new measurement replaces the old one. */
START_TEST(task_seconds)
{
    struct machine *m = measured_machine();
    ck_assert(machine_task_seconds(m, 2) == 1.5e-6 && machine_task_seconds(m, 64) == 2.5e-6);
    machine_keep_task(m, (struct machine_task){ 8, 3e-6 });
    machine_keep_task(m, (struct machine_task){ 64, 4e-6 });
    ck_assert(m->tasks == 3 && machine_task_seconds(m, 8) == 3e-6 && machine_task_seconds(m, 99) == 4e-6);
    m->tasks = 0;
    ck_assert(machine_task_seconds(m, 8) > 0);
    free(m);
}
END_TEST

/* The tile size of devices, and the host's share by the formula. A share that --tune has measured with these devices has
   priority, and the user's share has priority over both. */
START_TEST(device_shares)
{
    struct machine *m = measured_machine();
    ompfact_device_use use = device_use_of(-1, 1, 4, "host", m);
    ck_assert(machine_device_tile(m) == 0 && use.source == OMPFACT_SHARE_UNKNOWN && isnan(use.host_share));
    ck_assert_int_eq(machine_tile_for_devices(m, &use, 1, 9000, 9000, 256), 256);
    use = device_use_of(0, 1, 4, "cuda", m);
    ck_assert_int_eq(machine_tile_for_devices(m, &use, 1, 40960, 40960, 256), 2048);
    ck_assert_int_eq(machine_tile_for_devices(m, &use, 1, 20480, 40960, 256), 1280);
    ck_assert_int_eq(machine_tile_for_devices(m, &use, 1, 1536, 1536, 256), 512);
    ck_assert_int_eq(machine_tile_for_devices(m, &use, 1, 1535, 1535, 256), 256);      /* too few tiles for a device */
    ck_assert_int_eq(machine_tile_for_devices(m, &use, 4, 20480, 40960, 256), 512);
    add_devices(m);
    ck_assert(machine_device_tile(m) == 512 && machine_device_rate(m) == 96);
    double four = 4 * machine_thread_rate(m, 'd', RATE_GEMM, 4, 512), one = machine_thread_rate(m, 'd', RATE_GEMM, 1, 512);
    ck_assert_double_eq_tol(machine_formula_share(m, 1, 4), four / (four + 96), 1e-12);
    ck_assert_double_eq_tol(machine_formula_share(m, 3, 1), one / (one + 3 * 96.0), 1e-12);
    ck_assert_ptr_eq(machine_best_share(m), &m->share[2]);
    use = device_use_of(-1, 2, 4, "", m);
    ck_assert(use.source == OMPFACT_SHARE_TRIED && use.host_share == 0.3);
    ck_assert_int_eq(machine_tile_for_devices(m, &use, 1, 3072, 4000, 256), 512);
    ck_assert_int_eq(machine_tile_for_devices(m, &use, 1, 3071, 4000, 256), 256);
    use = device_use_of(-1, 3, 4, "host", m);
    ck_assert(use.source == OMPFACT_SHARE_BALANCED && use.host_share == machine_formula_share(m, 3, 4));
    use = device_use_of(-1, 2, 4, "cuda", m);
    ck_assert(use.source == OMPFACT_SHARE_UNKNOWN && isnan(use.host_share));
    use = device_use_of(0.7, 2, 4, "host", m);
    ck_assert(use.source == OMPFACT_SHARE_GIVEN && use.host_share == 0.7);
    free(m);
}
END_TEST

/* t_s and t_w of exact times are found again; times that fall with the size fit nothing. */
START_TEST(fit)
{
    double words[] = { 1, 1000, 100000 }, seconds[3], t_s, t_w;
    for (int i = 0; i < 3; i++)
        seconds[i] = 2e-6 + 1.5e-9 * words[i];
    ck_assert(tune_fit(3, words, seconds, &t_s, &t_w));
    ck_assert_double_eq_tol(t_s, 2e-6, 1e-12);
    ck_assert_double_eq_tol(t_w, 1.5e-9, 1e-15);
    for (int i = 0; i < 3; i++)
        seconds[i] = 1e-6 * (3 - i);
    ck_assert(!tune_fit(3, words, seconds, &t_s, &t_w));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("machine");
    TCase *c = tcase_create("machine");
    tcase_add_test(c, round_trip);
    tcase_add_test(c, paths);
    tcase_add_test(c, damaged);
    tcase_add_test(c, other_machine);
    tcase_add_test(c, rates);
    tcase_add_test(c, task_seconds);
    tcase_add_test(c, device_shares);
    tcase_add_test(c, fit);
    suite_add_tcase(suite, c);
    return run_serial_suite(suite);
}
