/* Traces read and summed up, and what comes with them; damaged traces are refused. */
#include "src/page/packed_numbers.h"
#include "src/page/page.h"
#include "src/page/trace_about.h"
#include "tests/command/test_command.h"
#include "tests/page/made_up.h"

/* Sums by kernel, rank, step and track; transfers between ranks; the tile that a wait was for. */
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

/* The reader gets the data beside events as the writer had them. */
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

/* A map of many tiles has blocks, each with a mean rank or with what most of its tiles are. A matrix without compressed tiles has
   no map. */
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

/* Two maps, without the second map and without the end of the object. */
#define RANKS(block, largest, shown, before)                                                                                    \
    "{\"block\":" block ",\"largest\":" largest ",\"shown\":[" shown "],\"before\":[" before "]"

/* An incomplete or damaged trace is refused in one line that contains the name of the file. Optional parts may be absent. */
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

/* A trace that is cut anywhere is refused. */
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

/* ---- numbers --------------------------------------------------------------------------------------------------------------- */

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

int main(void)
{
    Suite *suite = suite_create("traces read");
    TCase *tests = tcase_create("traces read");
    tcase_add_test(tests, sums);
    tcase_add_test(tests, about_a_run);
    tcase_add_test(tests, ranks_of_blocks);
    tcase_add_test(tests, damaged);
    tcase_add_test(tests, cut);
    tcase_add_test(tests, packed);
    suite_add_tcase(suite, tests);
    return run_serial_suite(suite);
}
