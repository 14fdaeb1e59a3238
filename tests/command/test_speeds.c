/* The speeds of ranks in the command: from files, from rates, and with a measured machine. */
#include "src/command/speeds.h"
#include "src/grid/gemm_speed.h"
#include "src/machine/gemm_rate.h"
#include "src/machine/measured_speeds.h"
#include "tests/command/test_command.h"

#include <math.h>
#include <stdatomic.h>

/* ---- counted allocations --------------------------------------------------------------------------------------------------- */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

static atomic_size_t allocated;     /* bytes allocated so far, freed or not */

void *__wrap_malloc(size_t bytes)
{
    allocated += bytes;
    return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    allocated += count * bytes;
    return __real_calloc(count, bytes);
}

/* ---- speeds ---------------------------------------------------------------------------------------------------------------- */

/* Three lines are three speeds, with blanks around them and empty lines between. JSON has them as a list. */
START_TEST(reads_speeds)
{
    char path[32], text[COMMAND_TEXT];
    struct speeds s;
    make_file(path, "1\n\n 2.5\t\r\n1e-1");
    ck_assert_msg(speeds_read(path, 3, &s, text) == 0, "%s", text);
    ck_assert(s.count == 3 && s.speed[0] == 1 && s.speed[1] == 2.5 && s.speed[2] == 0.1);
    ck_assert(!s.measured);
    speeds_forget(&s);
    ck_assert(s.count == 0 && s.speed == NULL);
    unlink(path);
}
END_TEST

/* A malformed file is refused in one line, with its name, the line's number and the word speed. */
START_TEST(refuses_files)
{
    static const struct {
        const char *content, *why;
    } cases[] = {
        { "1\n2\n", "ends after line 2: 2 speeds for 3 ranks" },
        { "", "0 speeds for 3 ranks" },
        { "1\n2\n3\n4\n", "line 4: one speed too many" },
        { "1\n0\n1\n", "line 2: \"0\" is not a speed" },
        { "1\n1\n-2\n", "line 3" },
        { "1\nfast\n1\n", "line 2: \"fast\"" },
        { "1\n1 2\n1\n", "line 2" },
        { "nan\n1\n1\n", "line 1" },
        { "1\n\n\ninf\n", "line 4" },
        { "1\n0x2\n1\n", "line 2: \"0x2\"" },
        { "1\n1e999\n1\n", "line 2" },
        { "1\n1.00000000000000000000000000000000000001\n1\n", "line 2" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char path[32], text[COMMAND_TEXT] = "";
        struct speeds s;
        make_file(path, cases[k].content);
        ck_assert_int_eq(speeds_read(path, 3, &s, text), COMMAND_USAGE);
        ck_assert_msg(strstr(text, cases[k].why) && strstr(text, path) && strstr(text, "speed") && !strchr(text, '\n'), "%s",
                      text);
        ck_assert(s.count == 0 && s.speed == NULL);
        unlink(path);
    }
}
END_TEST

/* Rates that differ by at most the spread become equal, and the slowest become 1; others stay different. */
START_TEST(rounds_rates)
{
    double near[] = { 51, 50, 53, 54.9 }, two[] = { 103, 49, 50, 99, 51 }, alone[] = { 7 }, chain[] = { 10, 10.9, 11.8, 12.8 };
    speeds_round(near, 4, 0.1);
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq(near[i], 1);
    speeds_round(two, 5, 0.1);
    ck_assert(two[1] == 1 && two[2] == 1 && two[4] == 1 && two[0] == two[3]);
    ck_assert_double_eq_tol(two[0], 2.0, 0.051);
    speeds_round(alone, 1, 0.1);
    ck_assert_double_eq(alone[0], 1);
    speeds_round(chain, 4, 0.1);        /* neighbours are near, the ends are not: no group is wider than the spread */
    ck_assert(chain[0] == chain[1] && chain[2] == chain[3] && chain[0] < chain[2]);
}
END_TEST

/* Threads of 30 and devices of 90 GFLOP/s reach the sum of both with a quarter of the work on threads. With another share the
   slower part decides. Threads alone are measured without devices. */
START_TEST(threads_and_devices)
{
    struct gemm_speed speed = { .threads = 30, .devices = 90 };
    ck_assert_double_eq_tol(gemm_speed_share(&speed), 0.25, 1e-12);
    ck_assert_double_eq_tol(gemm_speed_together(&speed, 0.25), 120, 1e-9);
    ck_assert_double_eq_tol(gemm_speed_together(&speed, 0.5), 60, 1e-9);
    ck_assert_double_eq_tol(gemm_speed_together(&speed, 0), 90, 1e-9);
    ck_assert(gemm_speed_measure(2, NULL, 0.1, &speed) && speed.threads > 0 && speed.devices == 0 && speed.spread >= 0);
    ck_assert_double_eq_tol(gemm_speed_together(&speed, 1), speed.threads, 1e-9);
    ck_assert_double_eq(gemm_speed_share(&speed), 0);
}
END_TEST

/* The reference rate of GEMM takes the memory of a few threads, for any number of cores. */
START_TEST(rate_to_compare_with)
{
    double one = gemm_rate(1, 'd', 0.05);
    allocated = 0;
    double many = gemm_rate(40, 'd', 0.05);
    ck_assert(one > 0 && many > one);
    ck_assert_uint_ge(allocated, 1 << 20);      /* allocations are counted */
    ck_assert_uint_lt(allocated, 40 << 20);
}
END_TEST

static Suite *speeds_suite(void)
{
    Suite *suite = suite_create("speeds");
    TCase *tests = tcase_create("speeds");
    tcase_add_test(tests, reads_speeds);
    tcase_add_test(tests, refuses_files);
    tcase_add_test(tests, rounds_rates);
    tcase_add_test(tests, threads_and_devices);
    tcase_add_test(tests, rate_to_compare_with);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(speeds_suite());
}
