/* Patterns compared with the paper's numbers, and map files. */
#include "tests/layouts/test_layouts.h"

/* ---- patterns ------------------------------------------------------------------------------------------------------- */

/* A scheme resolves to its canonical name and shape. */
START_TEST(resolves_names)
{
    static const struct { const char *scheme; int ranks; const char *name; int rows, cols; } cases[] = {
        { "2dbc", 1, "2dbc:1x1", 1, 1 },      { "2dbc", 12, "2dbc:3x4", 3, 4 },   { "2dbc", 23, "2dbc:1x23", 1, 23 },
        { "2dbc", 20, "2dbc:4x5", 4, 5 },     { "2dbc:5x4", 20, "2dbc:5x4", 5, 4 }, { "2dbc:06x1", 6, "2dbc:6x1", 6, 1 },
        { "g2dbc", 1, "g2dbc", 1, 1 },        { "g2dbc", 2, "g2dbc", 1, 2 },      { "g2dbc", 3, "g2dbc", 2, 3 },
        { "g2dbc", 10, "g2dbc", 6, 10 },      { "g2dbc", 23, "g2dbc", 20, 23 },   { "g2dbc", 36, "g2dbc", 6, 6 },
        { "sbc", 6, "sbc:extended", 4, 4 },   { "sbc", 8, "sbc:basic", 4, 4 },    { "sbc:extended", 3, "sbc:extended", 3, 3 },
        { "sbc:basic", 2, "sbc:basic", 2, 2 }, { "design", 1, "design:r=1", 1, 1 }, { "design:r=1", 1, "design:r=1", 1, 1 },
        { "design", 7, "design:r=7", 7, 7 },  { "design:r=7", 7, "design:r=7", 7, 7 },
        { "design:r=021", 21, "design:r=21", 21, 21 },
        { "gcrm", 1, "gcrm:r=1,seeds=100", 1, 1 }, { "gcrm:r=1", 1, "gcrm:r=1,seeds=100", 1, 1 },
        { "gcrm:seeds=4,r=3", 3, "gcrm:r=3,seeds=4", 3, 3 }, { "gcrm:r=9,r=3,seeds=4", 3, "gcrm:r=3,seeds=4", 3, 3 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct pattern *pattern = make(cases[k].scheme, cases[k].ranks);
        ck_assert_str_eq(pattern->name, cases[k].name);
        ck_assert_int_eq(pattern->rows, cases[k].rows);
        ck_assert_int_eq(pattern->cols, cases[k].cols);
        ck_assert_int_eq(pattern->ranks, cases[k].ranks);
        pattern_destroy(&pattern);
        ck_assert_ptr_null(pattern);
    }
}
END_TEST

/* A pattern that cannot be built is refused in one line with the reason. */
START_TEST(refuses_schemes)
{
    static const struct { const char *scheme; int ranks; const char *why; } cases[] = {
        { "nonsense", 3,
          "unknown layout \"nonsense\"; known: auto, 2dbc, g2dbc, sbc, gcrm, design, 1d1d, 1d1d-c, 1d1d-cs, bch, bce, rs, rsp, "
          "nodes:SCHEME, blocks:SCHEME, dealt:SCHEME, file:PATH" },
        { "", 3, "unknown layout \"\"" },     { "2db", 3, "unknown layout" },      { "2dbcc", 3, "unknown layout" },
        { "2dbc:3x3", 3, "2dbc:3x3 is for 9 ranks, not for 3" },
        { "2dbc:65536x65536", 3, "is for 4294967296 ranks, not for 3" },
        { "2dbc:", 3, "not a grid" },         { "2dbc:3", 3, "not a grid" },       { "2dbc:3x", 3, "not a grid" },
        { "2dbc:x3", 3, "not a grid" },       { "2dbc:0x3", 3, "not a grid" },     { "2dbc:-1x-3", 3, "not a grid" },
        { "2dbc:1x3 ", 3, "not a grid" },     { "2dbc:1X3", 3, "not a grid" },     { "2dbc:4294967297x3", 3, "not a grid" },
        { "g2dbc:", 3, "no argument" },       { "file", 3, "file:PATH" },          { "file:", 3, "file:PATH" },
        { "file:/nonexistent/p.map", 3, "/nonexistent/p.map: " },                { "file:/", 3, "/:1: cannot be read" },
        { "2dbc", 0, "at least one rank" },   { "g2dbc", -4, "at least one rank" },
        { "g2dbc", INT_MAX, "no memory for layout g2dbc on 2147483647 ranks" },
        { "sbc", 7, "sbc needs r(r-1)/2 or r^2/2 ranks, not 7: the nearest numbers are 6 and 8" },
        { "sbc:basic", 1, "sbc needs r^2/2 ranks, r even, not 1: the nearest number is 2" },
        { "sbc:extended", 8, "sbc needs r(r-1)/2 ranks, not 8: the nearest numbers are 6 and 10" },
        { "sbc:", 3, "the kinds are sbc:basic and sbc:extended" },               { "sbc:Basic", 3, "the kinds are" },
        { "sbc:extended ", 3, "the kinds are" },                                 { "sbc:r=3", 3, "the kinds are" },
        { "gcrm:", 5, "gcrm:: write gcrm" },          { "gcrm:5", 5, "write gcrm" },             { "gcrm:r", 5, "write gcrm" },
        { "gcrm:r=", 5, "write gcrm" },               { "gcrm:r=0", 5, "write gcrm" },           { "gcrm:r=-4", 5, "write gcrm" },
        { "gcrm:r=4x", 5, "write gcrm" },             { "gcrm:r=4,", 5, "write gcrm" },
        { "gcrm:r=4,,seeds=2", 5, "write gcrm" },
        { "gcrm:r=4 ,seeds=2", 5, "write gcrm" },     { "gcrm:seed=2", 5, "write gcrm" },
        { "gcrm:r=4,sizes=2", 5, "write gcrm" },
        { "gcrm:seeds=0", 5, "write gcrm" },          { "gcrm:r=32768", 5, "at most 512" },
        { "gcrm:r=99999999999", 5, "write gcrm" },
        { "gcrm:seeds=4294967297", 5, "write gcrm" }, { "gcrm:=4", 5, "write gcrm" },            { "gcrm:R=4", 5, "write gcrm" },
        { "gcrm:r=7,seeds=2", 23, "found no balanced pattern of 7 x 7 for 23 ranks" },
        { "design:", 5, "write design, or design:r=SIZE" },                      { "design:r=", 5, "write design" },
        { "design:r=0", 5, "write design" },          { "design:r=5,", 5, "write design" },
        { "design:seeds=2", 5, "write design" }, { "design:r=-8", 5, "write design" },         { "design:8", 5, "write design" },
        { "design:r=8,r=", 5, "write design" }, { "design:r=3", 7, "no pattern of that size for 7 ranks; its sizes: 6, 7" },
        { "design:r=2", 1, "one size only" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct pattern *pattern;
        ck_assert_int_eq(pattern_create(cases[k].scheme, cases[k].ranks, &pattern, text), 1);
        ck_assert_ptr_null(pattern);
        ck_assert_msg(strstr(text, cases[k].why) && !strchr(text, '\n'), "%s: %s", cases[k].scheme, text);
    }
}
END_TEST

/* The default grid has the least nprow + npcol and rank i * npcol + j in cell (i,j). */
START_TEST(best_grid)
{
    for (int ranks = 1; ranks <= 300; ranks++) {
        struct pattern *pattern = make("2dbc", ranks);
        ck_assert_int_eq(pattern->rows * pattern->cols, ranks);
        ck_assert_int_le(pattern->rows, pattern->cols);
        for (int p = 1; p <= ranks; p++)
            if (ranks % p == 0)
                ck_assert_int_le(pattern->rows + pattern->cols, p + ranks / p);
        for (int rank = 0; rank < ranks; rank++)
            ck_assert_int_eq(pattern->cell[rank], rank);
        pattern_destroy(&pattern);
    }
}
END_TEST

/* G-2DBC of 10 ranks is the pattern of figure 3. */
START_TEST(g2dbc_figure)
{
    static const int figure[6][10] = {
        { 0, 1, 2, 3, 0, 1, 2, 3, 0, 1 }, { 4, 5, 6, 7, 4, 5, 6, 7, 4, 5 }, { 8, 9, 2, 3, 8, 9, 2, 3, 8, 9 },
        { 0, 1, 2, 3, 0, 1, 2, 3, 0, 1 }, { 4, 5, 6, 7, 4, 5, 6, 7, 4, 5 }, { 8, 9, 6, 7, 8, 9, 6, 7, 8, 9 },
    };
    struct pattern *pattern = pattern_g2dbc(10);
    ck_assert_int_eq(memcmp(pattern->cell, figure, sizeof figure), 0);
    pattern_destroy(&pattern);
}
END_TEST

/* The number of distinct ranks in `count` cells first, first + step, ... */
static int distinct(const struct pattern *p, int first, int step, int count)
{
    char *seen = zeros((size_t)p->ranks, 1);
    int ranks = 0;
    for (int k = 0; k < count; k++) {
        char *here = &seen[p->cell[first + k * step]];
        ranks += !*here;
        *here = 1;
    }
    free(seen);
    return ranks;
}

/* Rows of G-2DBC have a = ceil(sqrt(P)) ranks each; columns have b, and those with an empty cell in IP, the last c of every a,
   b-1. */
START_TEST(g2dbc_lines)
{
    for (int ranks = 1; ranks <= 512; ranks++) {
        int a = (int)ceil(sqrt(ranks)), b = (ranks + a - 1) / a, c = a * b - ranks, wrong = 0;
        struct pattern *p = make("g2dbc", ranks);
        ck_assert(c == 0 ? p->rows == b && p->cols == a : p->rows == b * (b - 1) && p->cols == ranks);
        for (int i = 0; i < p->rows; i++)
            wrong += distinct(p, i * p->cols, 1, p->cols) != a;
        for (int j = 0; j < p->cols; j++)
            wrong += distinct(p, j, p->cols, p->rows) != b - (c > 0 && j < (b - 1) * a && j % a >= a - c);
        ck_assert_msg(wrong == 0, "%d ranks: %d rows and columns are wrong", ranks, wrong);
        pattern_destroy(&p);
    }
}
END_TEST

/* Every rank has b(b-1) cells of G-2DBC (lemma 1); T = a + (b^2 (a-c) + (b-1)^2 c) / P <= 2 sqrt(P) + 2 / sqrt(P) (lemma 2). */
START_TEST(g2dbc_lemmas)
{
    for (int ranks = 1; ranks <= 512; ranks++) {
        int a = (int)ceil(sqrt(ranks)), b = (ranks + a - 1) / a, c = a * b - ranks;
        struct pattern *pattern = make("g2dbc", ranks);
        int *cells = zeros((size_t)ranks, sizeof *cells), wrong = 0;
        for (int k = 0; k < pattern->rows * pattern->cols; k++)
            cells[pattern->cell[k]]++;
        for (int rank = 0; rank < ranks; rank++)
            wrong += cells[rank] != (c == 0 ? 1 : b * (b - 1));
        ck_assert_int_eq(wrong, 0);

        double cost = pattern_cost_lu(pattern);
        ck_assert_double_eq_tol(cost, a + (b * b * (a - c) + (b - 1) * (b - 1) * c) / (double)ranks, 1e-9);
        ck_assert_double_le(cost, 2 * sqrt(ranks) + 2 / sqrt(ranks) + 1e-9);
        ck_assert_double_ge(cost, pattern_bound_lu(ranks) - 1e-9);
        ck_assert_double_eq_tol(pattern_cost_cholesky(pattern), cost - 1, 1e-9);
        free(cells);
        pattern_destroy(&pattern);
    }
}
END_TEST

/* The cost T of the published patterns (table Ia, with misprints corrected) and of SBC. */
START_TEST(published_costs)
{
    static const struct { const char *scheme; int ranks; double cost; } cases[] = {
        { "2dbc", 16, 8 },      { "2dbc", 20, 9 },       { "2dbc", 21, 10 },      { "2dbc", 22, 13 },      { "2dbc", 23, 24 },
        { "g2dbc", 23, 9.652 }, { "g2dbc", 31, 11.194 }, { "g2dbc", 35, 11.857 }, { "g2dbc", 39, 12.615 }, { "g2dbc", 36, 12 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct pattern *pattern = make(cases[k].scheme, cases[k].ranks);
        ck_assert_double_eq_tol(pattern_cost_lu(pattern), cases[k].cost, 6e-4);
        pattern_destroy(&pattern);
    }
    for (int r = 2; r < 10; r++) {
        struct pattern *pattern = sbc_pattern(r);
        ck_assert_double_eq_tol(pattern_cost_cholesky(pattern), r - 1, 1e-12);
        pattern_destroy(&pattern);
    }
}
END_TEST

/* The symmetric cost is the mean number of distinct ranks per colrow of the lcm square, counted cell by cell. */
START_TEST(symmetric_cost)
{
    for (int kind = 0; kind < 3; kind++) {
        struct pattern *p = any_pattern(kind, _i);
        int square = p->rows * p->cols, ranks_met = 0;
        for (int i = 0; i < square; i++) {
            char met[64] = { 0 };
            for (int k = 0; k < square; k++)
                met[p->cell[i % p->rows * p->cols + k % p->cols]] = met[p->cell[k % p->rows * p->cols + i % p->cols]] = 1;
            for (int rank = 0; rank < p->ranks; rank++)
                ranks_met += met[rank];
        }
        ck_assert_double_eq_tol(pattern_cost_cholesky(p), (double)ranks_met / square, 1e-9);
        pattern_destroy(&p);
    }
}
END_TEST

/* ---- map files ------------------------------------------------------------------------------------------------------ */

/* A map is read with any white space, and need not use every rank. */
START_TEST(reads_maps)
{
    struct pattern *pattern = read_text("\n 2\t3\r\n0 1\n\n2 3 0 1", 6);
    static const int cells[] = { 0, 1, 2, 3, 0, 1 };
    ck_assert_msg(pattern != NULL, "%s", text);
    ck_assert_int_eq(pattern->rows, 2);
    ck_assert_int_eq(pattern->cols, 3);
    ck_assert_int_eq(pattern->ranks, 6);
    ck_assert_int_eq(memcmp(pattern->cell, cells, sizeof cells), 0);
    pattern_destroy(&pattern);
}
END_TEST

/* A bad map is refused with the file, the line and the reason. */
START_TEST(refuses_maps)
{
    static const struct { const char *content, *why; } cases[] = {
        { "", ":1: the file ends; expected a number of rows" },
        { "2\n", ":2: the file ends; expected a number of columns" },
        { "two 2", ":1: \"two\" is not a number" },           { "2x2\n0 1 1 0", ":1: \"2x2\" is not a number" },
        { "0 2\n", ":1: 0 is not a number of rows" },         { "2\n-2\n", ":2: -2 is not a number of columns" },
        { "2147483648 1\n", ":1: 2147483648 is not" },        { "99999999999999999999 1\n", ":1: 99999999999999999999 is not" },
        { "65536 65536\n0", ":1: 65536 x 65536 cells are too many" },
        { "2000000000 1\n0", ":1: 2000000000 x 1 cells, and the file is too short for so many" },
        { "2 2\n0 1\n2 0\n", ":3: rank 2 in cell (1,0): the ranks are 0 to 1" },
        { "2 2\n0 1\n-2 0\n", ":3: rank -2 in cell (1,0)" },  { "1 1\n99999999999999999999", ":2: rank 99999999999999999999" },
        { "2 2\n0 1\n0\n", ":4: the file ends; expected the rank of cell (1,1) of 2 x 2" },
        { "2 2\n0 1\n0 1 1\n", ":3: \"1\" follows the last of 2 x 2 ranks" },
        { "2 2\n0 1\n0 1\n# end", ":4: \"#\" follows" },      { "2 2\n0 1.0\n0 1\n", ":2: \"1.0\" is not a number" },
        { "2 2\n0 1\n0 \x01\xff", ":3: \"\?\?\" is not a number" },
        { "1 1\n00000000000000000000000000000000000000", ":2: \"0000000000000000000000000000000\" is not a number" },
        { "2 2\n-1 -1\n0 1\n", ":2: cell (0,1) is -1: only the diagonal" },
        { "2 3\n-1 0 1\n0 1 1\n", ":2: cell (0,0) is -1: only the diagonal" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ck_assert_ptr_null(read_text(cases[k].content, 2));
        ck_assert_msg(strstr(text, cases[k].why) && !strchr(text, '\n'), "%s", text);
    }
}
END_TEST

static Suite *patterns_suite(void)
{
    Suite *suite = suite_create("patterns");
    TCase *tests = tcase_create("patterns");
    tcase_add_test(tests, resolves_names);
    tcase_add_test(tests, refuses_schemes);
    tcase_add_test(tests, best_grid);
    tcase_add_test(tests, g2dbc_figure);
    tcase_add_test(tests, g2dbc_lines);
    tcase_add_test(tests, g2dbc_lemmas);
    tcase_add_test(tests, published_costs);
    tcase_add_loop_test(tests, symmetric_cost, 1, 24);
    tcase_add_test(tests, reads_maps);
    tcase_add_test(tests, refuses_maps);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(patterns_suite());
}
