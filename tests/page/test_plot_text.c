/* --plot: numbers, names and sizes in the picture. */
#include "src/page/format.h"
#include "tests/page/pictures.h"

/* The numbers are the layout's, and flops_max_over_mean follows from the work of the ranks. */
START_TEST(shows_numbers)
{
    struct pattern *p = make("g2dbc", 23);
    struct layout *l = lay(p, 60, 60, LAYOUT_FULL);
    struct layout_summary summary;
    int64_t work[23], most = 0, total = 0;
    char expected[64], number[FORMAT_TEXT], *svg = picture(p, 60, 60, LAYOUT_LU, false);
    ck_assert_int_eq(layout_summarise(l, LAYOUT_LU, &summary), 0);
    layout_work_of_ranks(l, LAYOUT_LU, work);
    for (int rank = 0; rank < 23; rank++) {
        most = work[rank] > most ? work[rank] : most;
        total += work[rank];
    }
    ck_assert_double_eq_tol((double)most * 23 / (double)total, summary.flops_max_over_mean, 1e-12);
    for (int rank = 0; rank < 23; rank++) {
        snprintf(expected, sizeof expected, ">%.3f</text>", (double)work[rank] * 23 / (double)total);
        ck_assert_msg(strstr(svg, expected) != NULL, "no %s", expected);
    }
    snprintf(expected, sizeof expected, ">%s</text>", format_count((double)summary.transfers, number));
    ck_assert_msg(strstr(svg, expected) != NULL, "no %s", expected);
    snprintf(expected, sizeof expected, ">%.3f</text>", pattern_cost_lu(p));
    ck_assert_msg(strstr(svg, expected) != NULL, "no %s", expected);
    free(svg);
    layout_destroy(&l);
    pattern_destroy(&p);
}
END_TEST

/* A picture with very many tiles, cells and ranks has the usual size, and a matrix without a tile has a picture, too. */
START_TEST(fits)
{
    struct pattern *p = make("g2dbc", 64);
    char *svg = picture(p, 100, 100, LAYOUT_LU, false);
    ck_assert_uint_lt(strlen(svg), 500000);
    free(svg);
    check_picture(p, 600, 600, LAYOUT_CHOLESKY, false);
    svg = picture(p, 700, 2000, LAYOUT_LU, false);
    check_xml(svg);
    ck_assert_ptr_nonnull(strstr(svg, "Matrix, 700 × 2000; the leading 600 × 600 are shown"));
    free(svg);
    svg = picture(p, 0, 0, LAYOUT_LU, false);
    check_xml(svg);
    ck_assert_ptr_nonnull(strstr(svg, "Matrix without a tile"));
    free(svg);
    pattern_destroy(&p);

    p = make("2dbc", 256);
    check_picture(p, 6, 6, LAYOUT_CHOLESKY, false);
    pattern_destroy(&p);
    p = make("2dbc", 5000);
    svg = picture(p, 20, 20, LAYOUT_LU, false);
    check_xml(svg);
    ck_assert_ptr_nonnull(strstr(svg, "; the first 3000 ranks"));
    free(svg);
    pattern_destroy(&p);
}
END_TEST

/* The picture is XML for any name of a map file: characters that XML forbids become U+FFFD. */
START_TEST(odd_names)
{
    static const struct { const char *name, *shown; } names[] = {
        {"a<b>&\"c\"", "layout a&lt;b&gt;&amp;&quot;c&quot;<"},
        {"\x01\x1b[2J", "layout \ufffd\ufffd[2J<"},
        {"\u00e9\u20ac\U0001f600", "layout \u00e9\u20ac\U0001f600<"},
        {"\xff\xc3(\xe2\x82", "layout \ufffd\ufffd(\ufffd\ufffd<"},
        {"\xc0\xaf\xed\xa0\x80\xef\xbf\xbf", "layout \ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd<"},
        {"\xf4\x90\x80\x80", "layout \ufffd\ufffd\ufffd\ufffd<"},
    };
    struct pattern *p = make("2dbc", 4);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        strcpy(p->name, names[k].name);
        char *svg = picture(p, 3, 3, LAYOUT_LU, false);
        check_xml(svg);
        ck_assert_msg(strstr(svg, names[k].shown) != NULL, "name %zu", k);
        free(svg);
    }
    pattern_destroy(&p);
}
END_TEST

/* 1000 ranks have different colours. */
START_TEST(colours_differ)
{
    static struct rank_colour colour[1000];
    for (int a = 0; a < 1000; a++)
        colour[a] = rank_colour(a);
    for (int a = 0; a < 1000; a++)
        for (int b = 0; b < a; b++)
            require(strcmp(colour[a].hex, colour[b].hex) != 0, colour[a].hex);
}
END_TEST

static Suite *plot_suite(void)
{
    Suite *suite = suite_create("text of plots");
    TCase *tests = tcase_create("text of plots");
    tcase_add_test(tests, shows_numbers);
    tcase_add_test(tests, fits);
    tcase_add_test(tests, odd_names);
    tcase_add_test(tests, colours_differ);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(plot_suite());
}
