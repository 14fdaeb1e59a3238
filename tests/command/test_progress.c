/* The progress line. */
#include "src/command/progress_line.h"
#include "tests/command/test_command.h"

#include <time.h>
#include <unistd.h>

/* The text on stderr of a run that goes to 1 in hundredths, each of `milliseconds`. */
static const char *said(struct progress_line *p, int milliseconds, bool whole, char buffer[FILE_TEXT])
{
    FILE *file = scratch();
    int before = dup(STDERR_FILENO);
    ck_assert_int_ge(dup2(fileno(file), STDERR_FILENO), 0);
    progress_begin(p, 1e9, 'd', 0);
    for (int i = 1; i <= 100; i++) {
        nanosleep(&(struct timespec){ .tv_nsec = 1000000L * milliseconds }, NULL);
        progress_step(p, 0.01 * i);
    }
    progress_end(p, whole);
    dup2(before, STDERR_FILENO);
    close(before);
    return contents(file, buffer);
}

/* The lines on stderr of a count of two steps; the first comes an hour after the count's start. */
static const char *said_of_count(double first_step, double second_step, char buffer[FILE_TEXT])
{
    FILE *file = scratch();
    int before = dup(STDERR_FILENO);
    struct counting c = counting_begin("counting", PROGRESS_LINES, false);
    ck_assert_int_ge(dup2(fileno(file), STDERR_FILENO), 0);
    c.start -= 3600;
    c.next = 0;
    counting_step(&c, first_step);
    c.next = 0;
    counting_step(&c, second_step);
    counting_end(&c);
    dup2(before, STDERR_FILENO);
    close(before);
    return contents(file, buffer);
}

/* A count's estimate begins at the first step, because the time before is not part of the pace. Below 1 % there is no
   estimate. */
START_TEST(count_estimates_from_its_first_step)
{
    char buffer[FILE_TEXT];
    ck_assert_str_eq(said_of_count(0.001, 0.5, buffer), "ompfact: counting: 0 %\nompfact: counting: 50 %, 0 s left\n");
    ck_assert_str_eq(said_of_count(0.001, 0.002, buffer), "ompfact: counting: 0 %\nompfact: counting: 0 %\n");
}
END_TEST

/* Without a request progress is printed after a while, in lines that are as far apart. With one rank no rank is the slowest. */
START_TEST(progress_unasked)
{
    char buffer[FILE_TEXT];
    struct progress_line brief = { .form = PROGRESS_LINES, .patience = 60 };
    struct progress_line lasting = { .form = PROGRESS_LINES, .patience = 0.05 }, asked = { .form = PROGRESS_LINES };
    ck_assert_str_eq(said(&brief, 0, true, buffer), "");
    said(&lasting, 2, true, buffer);
    int lines = 0;
    ck_assert_ptr_nonnull(strstr(buffer, "ompfact: 100 %, "));
    ck_assert_ptr_null(strstr(buffer, "slowest"));
    for (const char *c = buffer; *c != '\0'; c++)
        lines += *c == '\n';
    ck_assert_msg(lines >= 2 && lines <= 20, "%s", buffer);
    said(&asked, 0, true, buffer);
    ck_assert(!strncmp(buffer, "ompfact: 5 %, ", 14));
    ck_assert_ptr_nonnull(strstr(buffer, " s left\n"));
    ck_assert_ptr_nonnull(strstr(buffer, "ompfact: 100 %, "));
    said(&asked, 0, false, buffer);        /* a run that a signal ends is not complete */
    ck_assert_ptr_null(strstr(buffer, "100 %"));
}
END_TEST

static TCase *progress_case(void)
{
    TCase *c = tcase_create("progress");
    tcase_add_test(c, progress_unasked);
    tcase_add_test(c, count_estimates_from_its_first_step);
    return c;
}

int main(void)
{
    Suite *suite = suite_create("progress");
    suite_add_tcase(suite, progress_case());
    return run_serial_suite(suite);
}
