/* The output of ompfact compare. */
#include "src/command/report.h"
#include "tests/command/test_command.h"

static int compare_texts(const char *a, const char *b, char buffer[FILE_TEXT], char text[COMMAND_TEXT])
{
    char paths[2][32];
    make_file(paths[0], a);
    make_file(paths[1], b);
    FILE *file = scratch();
    int status = compare_run(paths[0], paths[1], NULL, file, text);
    contents(file, buffer);
    unlink(paths[0]);
    unlink(paths[1]);
    return status;
}

/* Runs of the same problem are paired in their order, whatever else differs. A run that one file lacks is shown, too. */
START_TEST(compare)
{
    static const char a[] =
        "{\"routine\": \"potrf\", \"n\": 10, \"layout\": \"2dbc\", \"time_s\": 2, \"transfers\": 7}\n\n"
        "{\"routine\": \"getrf\", \"n\": 10, \"layout\": \"2dbc\", \"time_s\": 4, \"error\": null}\n"
        "{\"routine\": \"getrf\", \"n\": 10, \"layout\": \"2dbc\", \"time_s\": 8}";
    static const char b[] =
        "{\"routine\": \"getrf\", \"n\": 10, \"layout\": \"g2dbc\", \"time_s\": 1}\n"
        "{\"routine\": \"getrf\", \"n\": 10, \"layout\": \"g2dbc\", \"time_s\": 12, \"error\": 0.5}\n"
        "{\"routine\": \"getrf\", \"n\": 20, \"layout\": \"g2dbc\", \"time_s\": 3}\n";
    static const char *const rows[][4] = {
        { "potrf", "2.0000", "-", "7" }, { "getrf", "4.0000", "1.0000", "0.250" },
        { "getrf", "8.0000", "12.0000", "1.500" }, { "getrf", "20", "-", "3.0000" },
    };
    char buffer[FILE_TEXT], text[COMMAND_TEXT];
    ck_assert_int_eq(compare_texts(a, b, buffer, text), 0);
    strtok(buffer, "\n");
    strtok(NULL, "\n");
    int width = cell_width(strtok(NULL, "\n"));
    for (int r = 0; r < 4; r++) {
        char *line = strtok(NULL, "\n");
        ck_assert_int_eq(cell_width(line), width);
        for (int i = 0; i < 4; i++)
            ck_assert_msg(strstr(line, rows[r][i]), "row %d, \"%s\", lacks %s", r, line, rows[r][i]);
    }
    char *last = strtok(NULL, "\n");
    ck_assert_ptr_nonnull(last);
    ck_assert_str_eq(last, "getrf, n = 10, 2 runs each: A 4 to 8 s, B 1 to 12 s, the ranges overlap, so they show no difference");
    ck_assert_ptr_null(strtok(NULL, "\n"));
}
END_TEST

/* Makes a file of potrf runs with the given facts. */
static const char *rows(const char *const facts[2], char file[512])
{
    snprintf(file, 512, "{\"routine\": \"potrf\", \"n\": 10, %s}\n{\"routine\": \"potrf\", \"n\": 10, %s}\n", facts[0], facts[1]);
    return file;
}

/* Runs are paired although tile size or layout differ, and the difference is shown. Equal values have one column. */
START_TEST(compare_changes)
{
    static const char *const a[] = { "\"nb\": 4, \"layout\": \"2dbc\", \"schedule\": \"basic\", \"time_s\": 2, \"error\": 0.5",
                                     "\"nb\": 5, \"layout\": \"2dbc\", \"schedule\": \"basic\", \"time_s\": 3" };
    static const char *const b[] = { "\"nb\": 5, \"layout\": \"2dbc\", \"schedule\": \"static\", \"time_s\": 6",
                                     "\"nb\": 6, \"layout\": \"2dbc\", \"schedule\": \"static\", \"time_s\": 1" };
    static const char *const other[] = { "\"nb\": 4, \"ranks\": 3, \"time_s\": 2", "\"nb\": 5, \"ranks\": 3, \"time_s\": 3" };
    static const char *const words[] = { "nb A  nb B  layout  schedule A  schedule B", "  0.500", "  2.000",
                                         "one run each proves nothing" };
    char buffer[FILE_TEXT], text[COMMAND_TEXT], file[2][512];
    ck_assert_int_eq(compare_texts(rows(a, file[0]), rows(b, file[1]), buffer, text), 0);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        ck_assert_msg(strstr(buffer, words[i]), "\"%s\" lacks \"%s\"", buffer, words[i]);
    ck_assert_msg(!strstr(buffer, "error") && !strstr(buffer, "layout A"), "%s", buffer);
    ck_assert_int_eq(compare_texts(rows(a, file[0]), rows(other, file[1]), buffer, text), 0);
    ck_assert_ptr_null(strstr(buffer, "1.000"));
}
END_TEST

/* If all repeated runs are faster, the difference is significant. */
START_TEST(compare_repeated)
{
    static const char *const a[] = { "\"time_s\": 2", "\"time_s\": 3" }, *const b[] = { "\"time_s\": 1", "\"time_s\": 1.5" };
    char buffer[FILE_TEXT], text[COMMAND_TEXT], file[2][512];
    ck_assert_int_eq(compare_texts(rows(a, file[0]), rows(b, file[1]), buffer, text), 0);
    ck_assert_ptr_nonnull(strstr(buffer, "2 runs each: A 2 to 3 s, B 1 to 1.5 s, B is faster in all of them"));
    ck_assert_ptr_null(strstr(buffer, "proves nothing"));
}
END_TEST

/* Files that are not from --json are refused, with the place of the error. */
START_TEST(compare_failures)
{
    static const char run[] = "{\"routine\": \"potrf\"}\n";
    char buffer[FILE_TEXT], text[COMMAND_TEXT];
    ck_assert_int_eq(compare_texts(run, "{\"routine\": \"potrf\"}\n{\"n\": 5x}\n", buffer, text), COMMAND_USAGE);
    ck_assert_ptr_nonnull(strstr(text, ", line 2, column 8: not an object as --json writes it"));
    ck_assert_int_eq(compare_texts("{\"n\": 5}\n", run, buffer, text), COMMAND_USAGE);
    ck_assert_ptr_nonnull(strstr(text, ", line 1: has no routine"));
    ck_assert_int_eq(compare_texts(run, "\n", buffer, text), COMMAND_USAGE);
    ck_assert_ptr_nonnull(strstr(text, ": no run in this file"));
    ck_assert_int_eq(compare_run("/nonexistent/a", "/nonexistent/b", NULL, stdout, text), COMMAND_USAGE);
    ck_assert_str_eq(text, "/nonexistent/a: No such file or directory");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("compare");
    TCase *tests = tcase_create("compare");
    tcase_add_test(tests, compare);
    tcase_add_test(tests, compare_changes);
    tcase_add_test(tests, compare_repeated);
    tcase_add_test(tests, compare_failures);
    suite_add_tcase(suite, tests);
    return run_serial_suite(suite);
}
