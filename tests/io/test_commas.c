/* Files and words in a locale with decimal commas, as far as no grid is needed. Skipped where there is no such locale. */
#include "src/generate/generate.h"
#include "src/io/io.h"
#include "src/io/mtx.h"
#include "src/ompfact_plan.h"
#include "tests/commas.h"
#include "tests/io/test_io.h"

#include <ctype.h>
#include <math.h>

static char place[64];

static void take_entry(void *context, int64_t i, int64_t j, double re, double im)
{
    (void)j;
    (void)im;
    ((double *)context)[i] = re;
}

/* Files are written with decimal points, and such files are read, with few digits and with many. */
START_TEST(matrix_market)
{
    static const double written[] = { 0.5, -1.25e-300, 3.141592653589793 };
    static const char file[] = "%%MatrixMarket matrix array real general\n3 1\n0.5\n-1.25e-300\n3.141592653589793\n";
    char path[128], text[IO_TEXT];
    struct io_writer writer;
    struct mtx mtx;
    write_file("read.mtx", file, strlen(file), path);
    for (int i = 0; i < 2; i++) {
        double read[3] = { 0 };
        ck_assert_msg(mtx_open(path, &mtx, text) == 0 && mtx_each(&mtx, take_entry, read, text) == 0, "%s", text);
        mtx_close(&mtx);
        ck_assert_mem_eq(read, written, sizeof written);
        snprintf(path, sizeof path, "%s/written.mtx", folder);
        ck_assert_msg(mtx_create(path, 'd', 3, 1, text) == 0 && mtx_write_open(path, &writer, text) == 0, "%s", text);
        ck_assert_msg(mtx_write_tile(&writer, 0, 0, 3, 1, written, 3, text) == 0, "%s", text);
        ck_assert_msg(io_write_close(&writer, text) == 0, "%s", text);
    }
}
END_TEST

/* Arguments in names of matrix kinds have decimal points. */
START_TEST(kinds)
{
    static const char *const words[] = { "kms:0.25", "svd:cond=10.5", "rand_zerocol0.5", "matern32:0.1,0.01" };
    struct generator g;
    char text[IO_TEXT];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ck_assert_msg(generate_parse(words[i], false, 21, 21, 1, &g, text) == 0, "%s", text);
    ck_assert_msg(generate_parse("kms:0,25", false, 21, 21, 1, &g, text) != 0, "0,25 is taken");
}
END_TEST

/* A comma of JSON is never followed by a digit. */
static bool has_no_commas_in_numbers(void *unused, char *text, size_t length)
{
    (void)unused;
    for (size_t i = 1; i + 1 < length; i++)
        ck_assert_msg(text[i] != ',' || !isdigit(text[i - 1]) || !isdigit(text[i + 1]), "%.40s", text + i - 1);
    return true;
}

/* A platform's numbers are read as in other locales, and a simulation's trace has decimal points. */
START_TEST(simulation)
{
    static const char hosts[] = "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\">\n<cluster id=\"hosts\" prefix=\"h\" suffix=\"\" radical=\"1-2\" speed=\"0.5Gf\" core=\"1\" "
        "bw=\"12.5MBps\" lat=\"10us\" sharing_policy=\"SPLITDUPLEX\"/>\n</platform>\n";
    ompfact_job job = { .routine = "potrf", .ranks = 2, .options = { .threads = 1, .trace = true },
                        .shape = { .n = 300, .nb = 30, .structure = OMPFACT_HERMITIAN_LOWER } };
    char path[128], why[OMPFACT_MESSAGE];
    ompfact_platform *platform;
    ompfact_plan *plan;
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return;     /* SimGrid throws C++ exceptions, at which the sanitizers of a C program end it */
#endif
    write_file("hosts.xml", hosts, strlen(hosts), path);
    if (ompfact_platform_create(path, &platform, why) != OMPFACT_SUCCESS) {
        ck_assert_msg(strstr(why, "SimGrid, and") || strstr(why, "without SimGrid"), "%s", why);
        return;
    }
    ck_assert_msg(ompfact_plan_create(&job, &plan, why) == OMPFACT_SUCCESS, "%s", why);
    ck_assert_msg(ompfact_plan_simulate(plan, platform, why) == OMPFACT_SUCCESS, "%s", why);
    double work = 300.0 * 300 * 300 / 3 / (2 * 0.5e9), seconds = ompfact_plan_forecast(plan)->predicted_s;
    ck_assert_msg(seconds > work && seconds < 4 * work, "%g s for %g s of work", seconds, work);
    ck_assert_msg(ompfact_plan_trace(plan, has_no_commas_in_numbers, NULL, why) == OMPFACT_SUCCESS, "%s", why);
    ompfact_plan_destroy(&plan);
    ompfact_platform_destroy(&platform);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("commas");
    TCase *tests = tcase_create("commas");
    snprintf(place, sizeof place, "/tmp/ompfact-commas-%ld", (long)getpid());
    if (!set_comma_locale(place)) {
        remove_comma_locale(place);
        return 77;
    }
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_test(tests, matrix_market);
    tcase_add_test(tests, kinds);
    tcase_add_test(tests, simulation);
    suite_add_tcase(suite, tests);
    int failed = run_serial_suite(suite);
    remove_comma_locale(place);
    return failed;
}
