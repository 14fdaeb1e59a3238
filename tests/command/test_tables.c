/* The command's reports for people: the table of runs, amounts of bytes, and the forecast of a dry run. */
#include "tests/command/sample_facts.h"

#include <math.h>

/* Every fact has one row with a label. A row without a label belongs to a fact that has such a row. */
START_TEST(table_of_facts)
{
    for (const struct fact *fact = fact_table; fact->key != NULL; fact++) {
        const struct fact *first = fact_find(fact->key);
        ck_assert_msg((first == fact) == (fact->label != NULL), "%s", fact->key);
        ck_assert_msg(first == fact || (first->parts & fact->parts) == 0, "%s is written twice", fact->key);
    }
}
END_TEST

enum { FORMS = 16, SCREEN = 100 };

static struct table_form form_of(int i)
{
    return (struct table_form){ .solves = i & 1, .square = i & 2, .verbose = i & 4, .factors = i & 8 };
}

/* The width of a line without its last cell, with which the line ends. */
static int width_before(const char *line, const char *last)
{
    size_t before = strlen(line) - strlen(last);
    ck_assert(strlen(line) > strlen(last) && strcmp(line + before, last) == 0);
    return cell_width(line) - cell_width(last);
}

/* The last cells of the table's header and its rows begin in the same column and end the line. A table that is not verbose has at
   most 100 columns. */
START_TEST(table_alignment)
{
    for (int i = 0; i < FORMS; i++) {
        struct table_form form = form_of(i);
        char buffer[FILE_TEXT];
        struct facts small = sample(), large = sample();
        small.pivot = NULL;
        small.error = NAN;
        small.layout = "schéma";
        small.m = small.n = 1;
        large.m = 99999;
        large.n = form.solves && !form.square ? 9999 : 99999;
        large.nb = large.nrhs = 9999;
        large.layout = form.solves && !form.square ? "2dbc:23x1" : "design:r=26";
        large.time_s = large.solve_time_s = 9999.5;
        large.gflops = large.gemm_gflops = 99999;
        large.error = large.rcond = 1.5e-300;
        large.refine_iterations = -31;
        large.transfers = large.transfers_predicted = large.solve_transfers = 999999999;
        large.transfer_bytes = INT64_C(1) << 60;
        large.status = "no check";

        FILE *file = scratch();
        table_header(file, &form);
        table_run(file, &small, &form);
        table_run(file, &large, &form);
        contents(file, buffer);
        ck_assert_ptr_nonnull(strstr(buffer, large.layout));
        ck_assert(form.solves == (strstr(buffer, "nrhs") != NULL) && form.verbose == (strstr(buffer, "predicted") != NULL));
        ck_assert((form.solves && form.factors) == (strstr(buffer, "solve(s)") != NULL));
        int width = width_before(strtok(buffer, "\n"), "status");
        ck_assert(form.verbose || width + cell_width(large.status) <= SCREEN);
        ck_assert_int_eq(width_before(strtok(NULL, "\n"), small.status), width);
        ck_assert_int_eq(width_before(strtok(NULL, "\n"), large.status), width);
    }
}
END_TEST

/* Texts that are too long are cut; numbers lose digits behind the decimal point, but none before it. */
START_TEST(table_overflow)
{
    char buffer[FILE_TEXT];
    struct table_form form = { .solves = true };
    struct facts r = sample();
    r.layout = "file:/a/long/path/to/some.map";
    r.m = 123456789;
    r.time_s = 12345.75;
    r.gflops = 12345678;
    FILE *file = scratch();
    table_run(file, &r, &form);
    contents(file, buffer);
    ck_assert_ptr_nonnull(strstr(buffer, " file:/a/… "));
    ck_assert_ptr_nonnull(strstr(buffer, " 123456789 "));
    ck_assert_ptr_nonnull(strstr(buffer, " 12345.8 12345678 "));
}
END_TEST

/* The table has the rate as a percentage of DGEMM's, or "-" where that was not measured. Before that column it has the balance of
   time, or of flops where no speeds are known. */
START_TEST(table_gemm)
{
    char buffer[FILE_TEXT];
    struct facts r = sample();
    struct table_form form = { 0 };
    FILE *file = scratch();
    table_run(file, &r, &form);
    r.gemm_gflops = 0;
    r.abe_max_over_mean = NAN;
    table_run(file, &r, &form);
    contents(file, buffer);
    ck_assert_ptr_nonnull(strstr(buffer, " 1.125  50.0 pass"));
    ck_assert_ptr_nonnull(strstr(buffer, " 1.062     - pass"));
}
END_TEST

/* Bytes are printed in the largest unit that leaves a number of at least one. */
START_TEST(bytes)
{
    static const struct { int64_t bytes; const char *text; } cases[] = {
        { 0, "0 B" }, { 1023, "1023 B" }, { 1024, "1.00 KiB" }, { 1536 << 10, "1.50 MiB" },
        { INT64_C(3) << 40, "3.00 TiB" }, { INT64_MAX, "8.00 EiB" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char cell[CELL_TEXT];
        cell_bytes(cases[i].bytes, cell);
        ck_assert_str_eq(cell, cases[i].text);
    }
}
END_TEST

/* A dry run has its own keys and its own table. */
START_TEST(dry_run)
{
    struct facts d = {
        .parts = IN_DRY, .routine = "getrf", .m = 5000, .n = 5000, .nb = 50, .layout = "g2dbc", .ranks = 23, .mt = 100, .nt = 100,
        .pattern_rows = 20, .pattern_cols = 23, .cost = 9.652173913043478, .cost_bound = 9.5, .transfers = 77777,
        .transfer_bytes = 77777 * 20000LL, .nodes = 6, .wire_transfers = 44444, .wire_bytes = 44444 * 20000LL,
        .work_bound_s = 0.5, .link_bound_s = 1.25, .chain_bound_s = 0.125, .tasks_bound_s = 0.0625,
        .predicted_s = 2.5, .tiles_max = 440, .tiles_min = 430, .flops_max_over_mean = 1.0123,
        .max_ranks_per_row = 5, .max_ranks_per_col = 6, .memory_bytes_max = 9 << 20,
        .perisum = NAN, .abe_max_over_mean = NAN, .copies = 1,
    };
    char json[32], line[128], buffer[FILE_TEXT], text[COMMAND_TEXT];
    struct words w;
    struct report report;
    make_file(json, "");
    snprintf(line, sizeof line, "--quiet --json %s --dry-run --ranks 23", json);
    struct options o = good(&w, line);
    ck_assert_int_eq(report_open(&report, &o, text), 0);
    ck_assert_int_eq(report_dry(&report, &d, false, text), 0);
    ck_assert_int_eq(report_close(&report, text), 0);
    ck_assert_str_eq(take_file(json, buffer),
        "{\"routine\": \"getrf\", \"m\": 5000, \"n\": 5000, \"nb\": 50, \"layout\": \"g2dbc\", \"ranks\": 23, "
        "\"mt\": 100, \"nt\": 100, \"pattern_rows\": 20, \"pattern_cols\": 23, \"cost\": 9.652173913043478, \"cost_bound\": 9.5, "
        "\"transfers\": 77777, \"transfer_bytes\": 1555540000, \"nodes\": 6, \"wire_transfers\": 44444, "
        "\"wire_bytes\": 888880000, \"work_bound_s\": 0.5, \"link_bound_s\": 1.25, "
        "\"chain_bound_s\": 0.125, \"tasks_bound_s\": 0.0625, \"predicted_s\": 2.5, \"tiles_max\": 440, \"tiles_min\": 430, "
        "\"flops_max_over_mean\": 1.0123, \"max_ranks_per_row\": 5, \"max_ranks_per_col\": 6, "
        "\"memory_bytes_max\": 9437184, \"speeds\": null, \"perisum\": null, \"abe_max_over_mean\": null, \"abe\": null, "
        "\"abe_steps\": null, \"abe_max\": null, \"abe_ideal\": null, \"cabe_spread\": null, \"cpb\": null, "
        "\"copies\": 1, \"transfers_sums\": 0, \"date\": null, \"version\": null, \"commit\": null, "
        "\"command\": null}\n");
    options_free(&o);

    FILE *file = scratch();
    table_dry(file, &d, false);
    contents(file, buffer);
    ck_assert_ptr_nonnull(strstr(buffer, "pattern    20 x 23, cost T = 9.652; no balanced one is below 9.500\n"));
    ck_assert_ptr_nonnull(strstr(buffer, "77777 tiles, 1.45 GiB\n"));
    ck_assert_ptr_nonnull(strstr(buffer, "wire       44444 tiles, 847.70 MiB between 6 nodes, 1.2500 s on the busiest link\n"));
    ck_assert_ptr_nonnull(strstr(buffer, "at most 9.00 MiB a rank\n"));
}
END_TEST

/* GEMM is measured for the table, JSON and CSV, and not if none of these is requested. */
START_TEST(rates)
{
    static const struct { const char *line; bool shown; } cases[] = {
        { "", true }, { "--quiet", false }, { "--map -", false }, { "--quiet --json -", true }, { "--quiet --csv c", true },
    };
    struct words w;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct options o = good(&w, cases[i].line);
        ck_assert_msg(report_shows_rates(&o) == cases[i].shown, "%s", cases[i].line);
        options_free(&o);
    }
}
END_TEST

static TCase *report_case(void)
{
    TCase *c = tcase_create("tables");
    tcase_add_test(c, table_of_facts);
    tcase_add_test(c, table_alignment);
    tcase_add_test(c, table_overflow);
    tcase_add_test(c, table_gemm);
    tcase_add_test(c, bytes);
    tcase_add_test(c, dry_run);
    tcase_add_test(c, rates);
    return c;
}

int main(void)
{
    Suite *suite = suite_create("tables");
    suite_add_tcase(suite, report_case());
    return run_serial_suite(suite);
}
