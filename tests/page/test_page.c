/* Pages and what they are made of: traces read and summed up, damaged ones refused, HTML that is whole. */
#include "omp/task_kinds.h"
#include "src/page/figures.h"
#include "src/page/packed_numbers.h"
#include "src/page/page.h"
#include "src/page/format.h"
#include "src/page/trace_about.h"
#include "tests/command/test_command.h"
#include "tests/page/made_up.h"

#include <math.h>

static const char about[] =
    "{\"program\":\"ompfact <1>\",\"row\":{\"routine\":\"potrf\",\"type\":\"d\",\"n\":64,\"nb\":32,\"ranks\":2,"
    "\"time_s\":1.25e-3,\"gflops\":12.5,\"error\":null,\"layout\":\"a&b\",\"speeds\":[1,2],\"transfers\":2,"
    "\"between_nodes\":\"one-sided\",\"rma_native\":false},\"cores\":2,"
    "\"nodes\":[0,0],\"tiles\":{\"rows\":2,\"columns\":2,\"shown\":[2,2],\"owners\":[0,1,-1,1,1,2]}}";

/* Two ranks, the second with two threads; two transfers. */
static struct made_up *small_trace(void)
{
    struct made_up *m = make_trace();
    event(m, "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"thread <1>\"}}");
    a_task(m, "potrf", 0, 0, 0, 100, 300, 4e5);
    a_transfer(m, 7, 0, 1, 1, 0, 300, 450);
    a_wait(m, 1, 0, 50, 460);
    a_task(m, "trsm", 1, 0, 0, 460, 660, 6e5);
    a_task(m, "syrk", 1, 1, 0, 660, 900, 8e5);
    a_transfer(m, 8, 1, 0, 1, 1, 900, 950);
    a_task(m, "potrf", 0, 0, 1, 950, 1000, 1e5);
    event(m, "{\"name\":\"tasks\",\"ph\":\"C\",\"ts\":500,\"pid\":1,\"args\":{\"submitted\":5,\"ready\":2}}");
    event(m, "{\"name\":\"memory\",\"ph\":\"C\",\"ts\":500,\"pid\":1,\"args\":{\"tiles\":1,\"resident\":1048576}}");
    return m;
}

/* Sums by kernel, rank, step and track; transfers between ranks; what a wait was for. */
START_TEST(sums)
{
    struct made_up *m = small_trace();
    struct page_data *d = data_of(m, about);
    ck_assert_int_eq(d->ranks, 2);
    ck_assert_int_eq(d->tracks, 3);
    ck_assert_int_eq(page_task_count(d), 4);
    ck_assert_double_eq_tol(d->length, 1e-3, 1e-12);
    ck_assert_str_eq(d->kernel[0].name, "potrf");
    ck_assert_int_eq(d->kernel[0].tasks, 2);
    ck_assert_double_eq_tol(d->kernel[0].seconds, 250e-6, 1e-12);
    ck_assert_double_eq_tol(d->rank[1].busy, 440e-6, 1e-12);
    ck_assert_int_eq(d->rank[1].tracks, 2);
    ck_assert_double_eq_tol(d->rank[0].work, 2 * 5e5 / 1.9e6, 1e-12);
    ck_assert_int_eq((int)d->rank[0].tiles, 1);
    ck_assert_int_eq((int)d->rank[1].tiles, 2);
    ck_assert_int_eq(d->steps, 2);
    ck_assert_double_eq_tol(d->step[0].chain, 640e-6, 1e-12);
    ck_assert_double_eq_tol(d->step[0].last, 900e-6, 1e-12);
    ck_assert_int_eq(d->transfers, 2);
    ck_assert(d->sent[0 * 2 + 1] == 1 && d->sent[1 * 2 + 0] == 1 && d->sent[0] == 0 && d->sent[3] == 0);
    ck_assert_int_eq(d->waits, 1);
    ck_assert_int_eq(d->wait[0].from, 0);
    ck_assert_int_eq(d->wait[0].step, 0);
    ck_assert_double_eq_tol(d->wait[0].transit, 150e-6, 1e-12);
    ck_assert_int_eq(d->samples, 2);
    page_data_destroy(&d);
}
END_TEST

static int owner_in_table(const void *table, int layer, int i, int j)
{
    return ((const int (*)[3][2])table)[layer][i][j];
}

static int no_owner(const void *nothing, int layer, int i, int j)
{
    return nothing == NULL ? -1 : layer + i + j;
}

static struct page_data *page_of(const struct trace_about *written)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    struct page_data *here = page_data_create();
    ck_assert(here != NULL && page_add_about(here, written));
    page_write_about(out, here);
    page_data_destroy(&here);
    fclose(out);
    struct page_data *d = data_of(small_trace(), text);
    free(text);
    return d;
}

/* What a trace carries beside events comes back as it was written. */
START_TEST(about_a_run)
{
    static const int nodes[] = { 0, 1, 0 };
    static const int owners[2][3][2] = { { { 0, -1 }, { 1, 1 }, { 2, 0 } }, { { 3, -1 }, { 4, 4 }, { 4, 3 } } };
    static const int ranks[2][3 * 2] = { { -1, -2, 3, -1, 0, 3 }, { -1, -2, 7, -1, 2, -1 } };
    static const int single[2][3 * 2] = { { 0, -2, 1, 0, 1, 1 }, { 0, -2, 0, 0, 1, 1 } };
    struct facts facts;
    facts_clear(&facts, IN_RUN);
    facts.n = 5;
    facts.layout = "2dbc";
    facts.rma_native = 0;
    struct trace_about written = { .program = "x \"1\"",
                                .facts = &facts,
                                .ranks = 3,
                                .cores = 4,
                                .node_of = nodes,
                                .mt = 3,
                                .nt = 2,
                                .layers = 2,
                                .owner = owner_in_table,
                                .layout = owners,
                                .ranks_of_tiles = { ranks[0], ranks[1] },
                                .precisions_of_tiles = { single[0], single[1] } };
    struct page_data *d = page_of(&written);
    ck_assert_str_eq(d->program, "x \"1\"");
    ck_assert_str_eq(d->facts.layout, "2dbc");
    ck_assert(d->facts.n == 5 && d->facts.rma_native == 0 && d->facts.m == FACT_NONE && d->facts.tree == NULL);
    ck_assert(d->cores == 4 && d->nodes_known == 3 && memcmp(d->node_of, nodes, sizeof nodes) == 0);
    ck_assert(d->layout.mt == 3 && d->layout.nt == 2 && d->layout.layers == 2 &&
              memcmp(d->layout.owner, owners, sizeof owners) == 0);
    const struct page_tile_ranks *r = &d->tile_ranks;
    ck_assert(r->block == 1 && r->largest == 7 && r->rows == 3 && r->cols == 2);
    for (int k = 0; k < 2; k++)
        ck_assert(memcmp(r->rank[k], ranks[k], sizeof ranks[k]) == 0);
    const struct page_tile_ranks *s = &d->tile_precisions;
    ck_assert(s->block == 1 && s->largest == ALL_IN_SINGLE && s->rows == 3 && s->cols == 2);
    for (int k = 0; k < 2; k++)
        for (int t = 0; t < 3 * 2; t++)
            ck_assert_int_eq(s->rank[k][t], single[k][t] == 1 ? ALL_IN_SINGLE : single[k][t]);
    page_data_destroy(&d);
}
END_TEST

/* Of many tiles blocks are told: a mean rank, or what most of their tiles are. Nothing is told where no tile is compressed. */
START_TEST(ranks_of_blocks)
{
    enum { TILES = 2 * TRACE_RANKS_MAX + 1, BLOCK = 3, CELLS = (TILES + BLOCK - 1) / BLOCK };
    static int before[TILES * TILES], dense[TILES * TILES];
    for (int t = 0; t < TILES * TILES; t++) {
        int i = t / TILES, j = t % TILES;
        before[t] = i < j ? -2 : i / BLOCK == j / BLOCK ? -1 : i % BLOCK == 0 ? 3 * (j / BLOCK) : i % BLOCK == 1 ? 0 : -1;
        dense[t] = i < j ? -2 : -1;
    }
    before[(TILES - 1) * TILES] = 1000;
    struct facts facts;
    facts_clear(&facts, IN_RUN);
    struct trace_about written = { .program = "x", .facts = &facts, .ranks = 1, .mt = TILES, .nt = TILES, .owner = no_owner,
                                .ranks_of_tiles = { before, dense } };
    struct page_data *d = page_of(&written);
    const struct page_tile_ranks *r = &d->tile_ranks;
    ck_assert(r->block == BLOCK && r->largest == 1000 && r->rows == CELLS && r->cols == CELLS);
    for (int i = 0; i < CELLS - 1; i++)
        for (int j = 0; j < CELLS; j++) {
            ck_assert_int_eq(r->rank[0][i * CELLS + j], i < j ? -2 : i == j ? -1 : (3 * j + 1) / 2);
            ck_assert_int_eq(r->rank[1][i * CELLS + j], i < j ? -2 : -1);
        }
    page_data_destroy(&d);
    written.ranks_of_tiles[0] = dense;
    d = page_of(&written);
    ck_assert(d->tile_ranks.block == 0 && d->tile_precisions.block == 0 && d->layout.mt == TILES);
    page_data_destroy(&d);
    for (int t = 0; t < TILES * TILES; t++)     /* a third of each row */
        before[t] = t / TILES < t % TILES ? -2 : t % BLOCK == 0;
    written.precisions_of_tiles[0] = written.precisions_of_tiles[1] = before;
    d = page_of(&written);
    ck_assert(d->tile_precisions.block == BLOCK && d->tile_precisions.rank[0][CELLS] >= 0);
    for (int i = 1; i < CELLS - 1; i++)
        for (int j = 0; j < i; j++)
            ck_assert_int_eq(d->tile_precisions.rank[1][i * CELLS + j], 33);
    page_data_destroy(&d);
}
END_TEST

static const char one_task[] = "{\"name\":\"potrf\",\"ph\":\"X\",\"ts\":1,\"dur\":2,\"pid\":0,\"tid\":0}";

/* Two maps, the second and the object's end missing. */
#define RANKS(block, largest, shown, before)                                                                                    \
    "{\"block\":" block ",\"largest\":" largest ",\"shown\":[" shown "],\"before\":[" before "]"

/* What is no trace, or a part of one, is refused in one line that names the file; what a trace may lack it may lack. */
START_TEST(damaged)
{
    static const char *const bad[] = {
        "",
        "{",
        "[]",
        "nothing",
        "{\"traceEvents\":[",
        "{\"traceEvents\":[]}",
        "{\"traceEvents\":[%s",
        "{\"traceEvents\":[%s]",
        "{\"traceEvents\":[%s]}x",
        "{\"traceEvents\":[%s,]}",
        "{\"traceEvents\":{}}",
        "{\"traceEvents\":[%s,5]}",
        "{\"traceEvents\":[{\"name\":\"potrf\",\"ph\":\"X\",\"ts\":1,\"dur\":2,\"pid\":-1,\"tid\":0}]}",
        "{\"traceEvents\":[{\"name\":\"potrf\",\"ph\":\"X\",\"ts\":1,\"dur\":2,\"pid\":0.5,\"tid\":0}]}",
        "{\"traceEvents\":[{\"name\":\"potrf\",\"ph\":\"X\",\"ts\":1,\"dur\":2,\"pid\":1e9,\"tid\":0}]}",
        "{\"traceEvents\":[{\"name\":\"potrf\",\"ph\":\"X\",\"ts\":1,\"dur\":-2,\"pid\":0,\"tid\":0}]}",
        "{\"traceEvents\":[{\"name\":\"potrf\",\"ph\":\"X\",\"ts\":\"1\",\"dur\":2,\"pid\":0,\"tid\":0}]}",
        "{\"otherData\":{\"nodes\":[-1]},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"nodes\":[0},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"tiles\":{\"shown\":[2,2],\"owners\":[0,5]}},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"tiles\":{\"shown\":[2,2],\"owners\":[0,3]}},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"tiles\":{\"shown\":[2,2],\"layers\":2,\"owners\":[0,4]}},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"tiles\":{\"shown\":[2,2],\"layers\":0,\"owners\":[0,4]}},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"tiles\":{\"shown\":[2,2],\"layers\":17,\"owners\":[0,68]}},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"tiles\":{\"shown\":[2,2],\"owners\":[0,4],\"layers\":2}},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"tiles\":{\"shown\":[70000,70000],\"owners\":[0,3]}},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"ranks\":{}},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"ranks\":" RANKS("1", "7", "2,2", "0,4") "}},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"ranks\":" RANKS("0", "7", "2,2", "0,4") ",\"after\":[7,4]}},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"ranks\":" RANKS("1", "7", "2,2", "8,4") ",\"after\":[7,4]}},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"ranks\":" RANKS("1", "7", "2,2", "-3,4") ",\"after\":[7,4]}},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"ranks\":" RANKS("1", "7", "2,2", "0,5") ",\"after\":[7,4]}},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"ranks\":" RANKS("1", "7", "0,0", "") ",\"after\":[]}},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"ranks\":" RANKS("1", "7", "201,1", "0,201") ",\"after\":[7,201]}},\"traceEvents\":[%s]}",
        "{\"otherData\":{\"ranks\":" RANKS("1", "7", "2,2", "0,4") ",\"shown\":[9,9],\"after\":[7,81]}},"
        "\"traceEvents\":[%s]}",
        "{\"traceEvents\":[{\"cat\":\"fetch\",\"ph\":\"b\",\"ts\":1,\"pid\":0,\"tid\":0,\"args\":{\"from\":-1}},%s]}",
    };
    static const char *const good[] = { "{\"traceEvents\":[%s]}", "{\"traceEvents\":[%s],\"more\":{\"a\":[1,{\"b\":null}]}}\n",
                                        "{\"otherData\":{},\"traceEvents\":[%s,{\"ph\":\"M\",\"pid\":0}]}",
                                        "{\"traceEvents\":[%s,{\"ph\":\"M\",\"pid\":0,\"flops\":12345678901234567890123}]}",
                                        "{\"otherData\":{\"ranks\":" RANKS("1", "7", "2,2", "0,4") ",\"after\":[7,4]}},"
                                        "\"traceEvents\":[%s]}" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0] + sizeof good / sizeof good[0]; i++) {
        size_t bads = sizeof bad / sizeof bad[0];
        bool is_good = i >= bads;
        char path[32], content[1024], text[PAGE_TEXT] = "";
        struct page_data *d;
        snprintf(content, sizeof content, is_good ? good[i - bads] : bad[i], one_task);
        make_file(path, content);
        int status = page_read_trace(path, &d, text);
        unlink(path);
        ck_assert_msg((status == 0) == is_good, "%s: %s", content, text);
        ck_assert_msg(is_good ? d != NULL : d == NULL && strstr(text, path) != NULL && strchr(text, '\n') == NULL, "%s: %s",
                      content, text);
        page_data_destroy(&d);
    }
    struct page_data *d;
    char text[PAGE_TEXT];
    ck_assert_int_ne(page_read_trace("/nonexistent", &d, text), 0);
    ck_assert_str_eq(text, "/nonexistent: No such file or directory");
}
END_TEST

/* Every part of a trace, cut anywhere, is refused. */
START_TEST(cut)
{
    char whole[2048], path[32], text[PAGE_TEXT];
    int length = snprintf(whole, sizeof whole, "{\"displayTimeUnit\":\"ms\",\"otherData\":%s,\"traceEvents\":[\n%s\n]}",
                          about, one_task);
    for (int cut = 0; cut < length; cut += 3) {
        struct page_data *d;
        char part[2048];
        snprintf(part, (size_t)cut + 1, "%s", whole);
        make_file(path, part);
        ck_assert_msg(page_read_trace(path, &d, text) != 0, "cut at %d it is read", cut);
        unlink(path);
    }
}
END_TEST

/* ---- HTML ------------------------------------------------------------------------------------------------------------------ */

static bool is_void(const char *name)
{
    static const char *const names[] = { "meta", "link", "br", "hr", "img", "input" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Every element that is opened is closed, the innermost first; what scripts and styles hold is not looked into. */
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

/* A page is whole, has each figure once, the row's facts as they stand there, and what needs escaping is escaped. */
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

/* The barest trace makes a page with all figures, with a word in place of what it does not have. */
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

/* Of copies each layer has a map of its own, with the tiles of its ranks alone; a rank has those of all maps. */
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

/* Maps of ranks, where tiles are compressed and only there: a shape for each rank, which says what it is and how many have it. */
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

/* Of many ranks, too, each pair that has transfers is there once. */
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

/* Of two runs, what changed is marked and nothing else; each has its chart. */
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

/* ---- numbers --------------------------------------------------------------------------------------------------------------- */

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

/* Seven bits a byte, and base64 with its padding. */
START_TEST(packed)
{
    static const struct { int64_t number[3]; const char *text; } known[] = {
        { { 0, 1, 127 }, "AAF/" }, { { 128, 300, 0 }, "gAGsAgA=" }, { { 1 << 22, 2, 3 }, "gICAAgID" },
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct packed_numbers n = { 0 }, both = { 0 };
        char buffer[FILE_TEXT];
        FILE *out = scratch();
        for (int k = 0; k < 3; k++)
            packed_add(&n, (uint64_t)known[i].number[k]);
        packed_add_all(&both, &n);
        packed_write(out, &both);
        ck_assert_str_eq(contents(out, buffer), known[i].text);
        packed_forget(&n);
        packed_forget(&both);
    }
    struct packed_numbers n = { 0 };
    for (int k = -2; k <= 2; k++)
        packed_add_signed(&n, k);
    ck_assert(n.count == 5 && memcmp(n.byte, "\3\1\0\2\4", 5) == 0);
    packed_forget(&n);
}
END_TEST

/* Every kernel that a trace may name has a colour of its own. */
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
    tcase_add_test(tests, sums);
    tcase_add_test(tests, about_a_run);
    tcase_add_test(tests, ranks_of_blocks);
    tcase_add_test(tests, damaged);
    tcase_add_test(tests, cut);
    tcase_add_test(tests, page);
    tcase_add_test(tests, bare_page);
    tcase_add_test(tests, layers_page);
    tcase_add_test(tests, ranks_page);
    tcase_add_test(tests, many_ranks);
    tcase_add_test(tests, compared_page);
    tcase_add_test(tests, for_people);
    tcase_add_test(tests, packed);
    tcase_add_test(tests, roles);
    suite_add_tcase(suite, tests);
    return run_serial_suite(suite);
}
