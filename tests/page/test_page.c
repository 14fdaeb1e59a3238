/* Pages: their figures and facts, and HTML that is well formed. */
#include "omp/task_kinds.h"
#include "src/page/figures.h"
#include "src/page/format.h"
#include "src/page/page.h"
#include "tests/page/made_up.h"

#include <math.h>

/* ---- HTML ------------------------------------------------------------------------------------------------------------------ */

static bool is_void(const char *name)
{
    static const char *const names[] = { "meta", "link", "br", "hr", "img", "input" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Every element is closed, the innermost first. The contents of scripts and styles are skipped. */
static void check_nesting(const char *html)
{
    enum { DEEP = 64, NAME = 16 };
    char open[DEEP][NAME];
    int depth = 0;
    for (const char *s = strchr(html, '<'); s != NULL; s = strchr(s, '<')) {
        char name[NAME] = "";
        bool closes = s[1] == '/';
        const char *end = strchr(s, '>');
        ck_assert_ptr_nonnull(end);
        sscanf(s + 1 + closes, "%15[a-z0-9!D]", name);
        bool alone = end[-1] == '/' || name[0] == '!' || is_void(name);
        if (closes) {
            ck_assert_msg(depth > 0 && strcmp(open[depth - 1], name) == 0, "</%s> closes <%s>: %.60s", name,
                          depth > 0 ? open[depth - 1] : "", s);
            depth--;
        } else if (!alone) {
            ck_assert_int_lt(depth, DEEP);
            strcpy(open[depth++], name);
        }
        s = end;
        if (!closes && (strcmp(name, "script") == 0 || strcmp(name, "style") == 0))
            s = strstr(s, name[1] == 'c' ? "</script>" : "</style>");
    }
    ck_assert_int_eq(depth, 0);
}

static char *page_text(const struct page_data *d, const struct page_data *other)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    struct page_side a = { "a <x>.json", &d->facts, d }, b = { "b", other != NULL ? &other->facts : NULL, other };
    ck_assert(other == NULL ? page_write(out, d) : page_write_comparison(out, &a, &b));
    fclose(out);
    check_nesting(text);
    return text;
}

static int count(const char *text, const char *part)
{
    int found = 0;
    for (const char *s = text; (s = strstr(s, part)) != NULL; s++)
        found++;
    return found;
}

static void check_once(const char *html, const char *const *texts, size_t number)
{
    for (size_t i = 0; i < number; i++)
        ck_assert_msg(count(html, texts[i]) == 1, "%s is there %d times", texts[i], count(html, texts[i]));
}

/* A page is well formed, has each figure once and the facts of the row, and escapes all text. */
START_TEST(page)
{
    static const char *const once[] = {
        "<html lang=\"en\">",
        "<meta charset=\"utf-8\">",
        "<title>Cholesky factorization, 64 × 64 on 2 ranks</title>",
        "<p id=\"limit\" data-by=",
        "id=\"fig-layout\"",
        "id=\"fig-gantt\"",
        "id=\"fig-steps\"",
        "id=\"fig-memory\"",
        "id=\"fig-heat\"",
        "id=\"tip\"",
        "<data id=\"routine\" value=\"potrf\">",
        "<data id=\"time_s\" value=\"0.00125\">1.25 ms</data>",
        "<data id=\"layout\" value=\"a&amp;b\">a&amp;b</data>",
        "<data id=\"tasks\" value=\"4\">",
        "<data id=\"rma_native\" value=\"false\">",
        "Reads proceed by a transport",
        "data-from=\"0\" data-to=\"1\" data-transfers=\"1\"",
        "data-from=\"1\" data-to=\"0\" data-transfers=\"1\"",
        "<tr data-kernel=\"potrf\" data-tasks=\"2\" data-seconds=\"0.00025\">",
        "ompfact &lt;1&gt;",
        "thread \\u003c1>",
    };
    struct made_up *m = small_trace();
    struct page_data *d = data_of(m, about);
    char *html = page_text(d, NULL);
    check_once(html, once, sizeof once / sizeof once[0]);
    ck_assert(strstr(html, "id=\"error\"") == NULL && strstr(html, "id=\"speeds\"") == NULL);
    ck_assert(strstr(html, "<1>") == NULL && strstr(html, "<1&") == NULL);
    free(html);
    page_data_destroy(&d);
}
END_TEST

/* A page of the smallest trace has all figures, with a remark in place of missing data. */
START_TEST(bare_page)
{
    struct made_up *m = make_trace();
    event(m, "%s", one_task);
    struct page_data *d = data_of(m, "{}");
    char *html = page_text(d, NULL);
    ck_assert_int_eq(count(html, "id=\"fig-"), 5);
    ck_assert_int_ge(count(html, "class=\"none\""), 4);
    ck_assert_int_eq(count(html, "Reads proceed by a transport"), 0);
    free(html);
    page_data_destroy(&d);
}
END_TEST

/* Each layer of a matrix in copies has its own map with the tiles of its ranks. The key counts the tiles of all maps. */
START_TEST(layers_page)
{
    static const char *const once[] = {
        "aria-label=\"The owners of 2 by 2 tiles on layer 0\"><text class=\"heading\" x=\"0\" y=\"-9\">Layer 0</text>",
        "aria-label=\"The owners of 2 by 2 tiles on layer 1\"><text class=\"heading\" x=\"0\" y=\"-9\">Layer 1</text>",
        "d=\"M0 0m0 0h1v1h-1zm0 1h2v1h-2z\"><title>rank 0: 3 tiles,",
        "d=\"M0 0m0 0h1v1h-1zm0 1h2v1h-2z\"><title>rank 1: 3 tiles,",
        "Each layer of ranks has all tiles.",
    };
    struct page_data *d = data_of(small_trace(), "{\"tiles\":{\"rows\":2,\"columns\":2,\"shown\":[2,2],\"layers\":2,"
                                                 "\"owners\":[0,1,-1,1,0,2,1,1,-1,1,1,2]}}");
    char *html = page_text(d, NULL);
    check_once(html, once, sizeof once / sizeof once[0]);
    free(html);
    page_data_destroy(&d);
}
END_TEST

/* Pages of compressed matrices have maps of ranks, and other pages do not. Each rank has a shape, whose title has the rank and
   the number of tiles. */
START_TEST(ranks_page)
{
    static const char *const once[] = {
        "<figure id=\"fig-ranks\" aria-labelledby=\"h-ranks\"><h2 id=\"h-ranks\">",
        "aria-label=\"Ranks of 2 by 3 tiles before the factorization\"",
        "aria-label=\"Ranks of 2 by 3 tiles after the factorization\"",
        "data-tile-rank=\"0\" data-tiles=\"1\" class=\"own\" d=\"M0 0m1 0h1v1h-1z\"><title>rank 0: 1 tile</title>",
        "data-tile-rank=\"4\" data-tiles=\"2\" class=\"h4\" d=\"M0 0m2 0h1v1h-1zm-1 1h1v1h-1z\"><title>rank 4: 2 tiles</title>",
        "data-tile-rank=\"9\" data-tiles=\"3\" class=\"h9\"",
        "<title>dense: 2 tiles</title>",
        "<title>dense: 1 tile</title>",
        "<span class=\"largest\">9</span>",
        "The largest rank, of tiles and not of processes, is 9:",
    };
    struct page_data *d = data_of(small_trace(), "{\"ranks\":{\"block\":1,\"largest\":9,\"shown\":[2,3],"
                                                 "\"before\":[-1,1,0,1,4,1,-2,1,4,1,-1,1],\"after\":[-1,1,9,2,-2,1,9,1,1,1]}}");
    char *html = page_text(d, NULL);
    check_once(html, once, sizeof once / sizeof once[0]);
    ck_assert_int_eq(count(html, "data-tile-rank="), 6);
    free(html);
    page_data_destroy(&d);
    d = data_of(small_trace(), "{\"ranks\":{\"block\":3,\"largest\":9,\"shown\":[1,1],\"before\":[5,1],\"after\":[6,1]}}");
    html = page_text(d, NULL);
    ck_assert_int_eq(count(html, "<title>mean rank 5: 1 block</title>"), 1);
    ck_assert_int_eq(count(html, "a block of 3 × 3 tiles"), 1);
    free(html);
    page_data_destroy(&d);
}
END_TEST

/* With many ranks, too, every pair of ranks with transfers is drawn once. */
START_TEST(many_ranks)
{
    enum { RANKS = 90 };
    struct made_up *m = make_trace();
    for (int rank = 0; rank < RANKS; rank++) {
        a_task(m, "gemm", rank, 0, 0, 0, 10, 1e3);
        for (int k = 0; k < 2; k++)
            a_transfer(m, 2 * rank + k, rank, (rank + 1) % RANKS, 1, 0, 5, 8);
    }
    struct page_data *d = data_of(m, "{}");
    char *html = page_text(d, NULL);
    ck_assert_int_eq(count(html, " data-transfers=\"2\""), RANKS);
    ck_assert_int_eq(count(html, " data-transfers="), RANKS);
    free(html);
    page_data_destroy(&d);
}
END_TEST

/* A comparison marks the facts that differ and no others. Each run has its chart. */
START_TEST(compared_page)
{
    struct made_up *m = small_trace(), *n = small_trace();
    struct page_data *a = data_of(m, about);
    struct page_data *b =
        data_of(n, "{\"row\":{\"routine\":\"potrf\",\"type\":\"d\",\"n\":64,\"nb\":16,\"time_s\":0.5,\"info\":0}}");
    char *html = page_text(a, b);
    ck_assert_int_eq(count(html, "data-changed=\"nb\""), 1);
    ck_assert_int_eq(count(html, "data-changed=\"time_s\""), 1);
    ck_assert_int_eq(count(html, "data-changed=\"info\""), 1);
    ck_assert_int_eq(count(html, "data-changed=\"n\""), 0);
    ck_assert_int_eq(count(html, "<data id=\"a.nb\" value=\"32\">"), 1);
    ck_assert_int_eq(count(html, "<data id=\"b.nb\" value=\"16\">"), 1);
    ck_assert(count(html, "id=\"fig-gantt-a\"") == 1 && count(html, "id=\"fig-gantt-b\"") == 1);
    free(html);
    page_data_destroy(&a);
    page_data_destroy(&b);
}
END_TEST

/* ---- numbers and colours --------------------------------------------------------------------------------------------------- */

START_TEST(for_people)
{
    char text[FORMAT_TEXT];
    ck_assert_str_eq(format_count(1234567, text), "1\u202f234\u202f567");
    ck_assert_str_eq(format_count(-1234, text), "-1\u202f234");
    ck_assert_str_eq(format_count(999, text), "999");
    ck_assert_str_eq(format_seconds(0.01234, text), "12.3 ms");
    ck_assert_str_eq(format_seconds(2e-6, text), "2 µs");
    ck_assert_str_eq(format_seconds(0, text), "0 s");
    ck_assert_str_eq(format_seconds(12345, text), "12\u202f345 s");
    ck_assert_str_eq(format_bytes(1536, text), "1.5 KiB");
    ck_assert_str_eq(format_rate(39.94, text), "39.9 GFLOP/s");
    ck_assert_str_eq(format_rate(12345.6, text), "12\u202f346 GFLOP/s");
    ck_assert_str_eq(format_share(0.123, text), "12 %");
    ck_assert_str_eq(format_number(NAN, text), "–");
}
END_TEST

/* Every kernel that a trace may contain has a colour. */
START_TEST(roles)
{
    for (int kind = 0; kind < TASK_KINDS; kind++)
        ck_assert_msg(task_facts(kind)->is_move || strcmp(kernel_role(task_name(kind)), "other") != 0, "%s", task_name(kind));
    ck_assert_str_eq(kernel_role("x"), "other");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("page");
    TCase *tests = tcase_create("page");
    tcase_add_test(tests, page);
    tcase_add_test(tests, bare_page);
    tcase_add_test(tests, layers_page);
    tcase_add_test(tests, ranks_page);
    tcase_add_test(tests, many_ranks);
    tcase_add_test(tests, compared_page);
    tcase_add_test(tests, for_people);
    tcase_add_test(tests, roles);
    suite_add_tcase(suite, tests);
    return run_serial_suite(suite);
}
