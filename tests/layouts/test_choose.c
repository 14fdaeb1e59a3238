/* The layout chosen by counting, compared with the same counts made one by one. */
#include "tests/layouts/test_layouts.h"
#include "layouts/builders.h"

static struct layout_choice choice;

static void choose(const struct layout_question *q)
{
    ck_assert_msg(layout_choose(q, &choice, text) == 0, "%s", text);
    ck_assert_int_ge(choice.count, 1);
    ck_assert_int_le(choice.count, LAYOUT_CANDIDATES);
    ck_assert_int_ge(choice.chosen, 0);
    ck_assert_int_lt(choice.chosen, choice.count);
}

static int has_free_cells(const struct pattern *p)
{
    for (int c = 0; c < p->rows * p->cols; c++)
        if (p->cell[c] == LAYOUT_FREE)
            return 1;
    return 0;
}

static int64_t tiles_of_fullest(const struct layout *l)
{
    int64_t most = 0;
    for (int rank = 0; rank < l->ranks; rank++)
        if (layout_tiles(l, rank) > most)
            most = layout_tiles(l, rank);
    return most;
}

/* Transfers between nodes; between ranks if all ranks are on one node or nodes are not given. */
static int64_t wire_transfers(const struct layout *l, const struct layout_question *q)
{
    struct layout *of_nodes;
    if (q->node_of == NULL || q->nodes == 1)
        return layout_transfers(l, q->algorithm);
    ck_assert_int_eq(layout_of_nodes(l, q->node_of, q->nodes, &of_nodes, text), 0);
    int64_t transfers = layout_transfers(of_nodes, q->algorithm);
    layout_destroy(&of_nodes);
    return transfers;
}

/* A candidate's name makes a pattern with the candidate's counts. */
static void check_candidate(const struct layout_question *q, const struct layout_candidate *c)
{
    struct pattern *p;
    ck_assert_msg(pattern_create_for(c->name, q, &p, text) == 0, "%s", text);
    struct layout *l = lay(p, q->mt, q->nt, q->part);
    ck_assert_msg(layout_transfers(l, q->algorithm) == c->sum.transfers, "%s on %d ranks, %d x %d tiles", c->name, q->ranks,
                  q->mt, q->nt);
    ck_assert_msg(wire_transfers(l, q) == c->wire_transfers, "%s on %d ranks, %d nodes", c->name, q->ranks, q->nodes);
    ck_assert_double_eq_tol(balance(l, q->algorithm), c->sum.flops_max_over_mean, 1e-12);
    ck_assert_int_eq(tiles_of_fullest(l), c->sum.tiles_max);
    ck_assert_int_eq(c->fits, q->tiles_fit == 0 || c->sum.tiles_max <= q->tiles_fit);
    ck_assert(p->rows == c->rows && p->cols == c->cols && strcmp(p->name, c->name) == 0);
    ck_assert(q->algorithm == LAYOUT_CHOLESKY || !has_free_cells(p));
    layout_destroy(&l);
    pattern_destroy(&p);
}

/* Among candidates that fit, or all if none fits, the chosen one has the fewest transfers of those within 5 % of the best
   balance. */
static void check_chosen(void)
{
    const struct layout_candidate *chosen = &choice.candidate[choice.chosen];
    int any_fits = 0;
    double best = HUGE_VAL;
    for (int k = 0; k < choice.count; k++)
        any_fits |= choice.candidate[k].fits;
    for (int k = 0; k < choice.count; k++)
        if ((choice.candidate[k].fits || !any_fits) && !choice.candidate[k].by_node)
            best = fmin(best, choice.candidate[k].sum.flops_max_over_mean);
    ck_assert(chosen->fits || !any_fits);
    ck_assert_double_le(chosen->sum.flops_max_over_mean, 1.05 * best);
    for (int k = 0; k < choice.count; k++) {
        const struct layout_candidate *c = &choice.candidate[k];
        if (c->sum.flops_max_over_mean <= 1.05 * best && (c->fits || !any_fits))
            ck_assert_msg(chosen->wire_transfers <= c->wire_transfers, "%s is chosen, %s moves less", chosen->name, c->name);
    }
}

/* Whether a candidate has this name. */
static int is_candidate(const char *name)
{
    for (int k = 0; k < choice.count; k++)
        if (strcmp(choice.candidate[k].name, name) == 0)
            return 1;
    return 0;
}

static void check_question(const struct layout_question *q)
{
    char grid[32];
    choose(q);
    ck_assert(choice.counted_mt == q->mt && choice.counted_nt == q->nt);
    for (int k = 0; k < choice.count; k++)
        check_candidate(q, &choice.candidate[k]);
    check_chosen();
    for (int nprow = 1; nprow <= q->ranks; nprow++) {
        snprintf(grid, sizeof grid, "2dbc:%dx%d", nprow, q->ranks / nprow);
        ck_assert_msg(q->ranks % nprow != 0 || is_candidate(grid), "%s is no candidate", grid);
    }
}

static const int some_ranks[] = { 1, 2, 3, 5, 6, 7, 8, 10, 12, 16, 21, 23, 28, 31, 32, 36, 39, 64 };

/* The chosen layout moves least among balanced ones; all counts are right, and all grids are candidates. */
START_TEST(chooses_the_best)
{
    static const int shapes[][2] = { { 1, 1 }, { 5, 5 }, { 40, 40 }, { 33, 9 }, { 3, 50 } };
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (int kind = 0; kind < 3; kind++) {
            int mt = shapes[s][0], nt = shapes[s][1];
            if (kind > 0 && mt != nt)
                continue;
            check_question(&(struct layout_question){ .algorithm = kind == 0 ? LAYOUT_LU : LAYOUT_CHOLESKY,
                                                      .ranks = some_ranks[_i],
                                                      .mt = mt, .nt = nt, .part = kind == 1 ? LAYOUT_LOWER : LAYOUT_FULL });
        }
}
END_TEST

/* The same holds between nodes with equal or different numbers of ranks, in blocks or in turn; tiles distributed within a node
   are balanced. */
START_TEST(chooses_for_nodes)
{
    static const struct { int ranks, nodes; bool dealt; } cases[] = {
        { 4, 2, false }, { 6, 3, true }, { 7, 2, false }, { 12, 3, false }, { 12, 4, true }, { 23, 4, false }, { 6, 1, false },
    };
    int node_of[32], ranks = cases[_i].ranks, nodes = cases[_i].nodes;
    for (int q = 0; q < ranks; q++)
        node_of[q] = cases[_i].dealt ? q % nodes : q * nodes / ranks;
    for (int kind = 0; kind < 3; kind++) {
        enum layout_algorithm algorithm = kind == 0 ? LAYOUT_LU : LAYOUT_CHOLESKY;
        check_question(&(struct layout_question){ .algorithm = algorithm, .ranks = ranks, .mt = 41, .nt = 41,
                                                  .part = kind == 1 ? LAYOUT_LOWER : LAYOUT_FULL, .node_of = node_of,
                                                  .nodes = nodes });
        const struct layout_candidate *shared = NULL;
        for (int k = 0; k < choice.count; k++)
            shared = strncmp(choice.candidate[k].name, "nodes:", 6) == 0 ? &choice.candidate[k] : shared;
        ck_assert((shared != NULL) == (nodes > 1));
        ck_assert_msg(shared == NULL || ranks % nodes != 0 || shared->sum.flops_max_over_mean < 1.1, "%s: %g", shared->name,
                      shared->sum.flops_max_over_mean);
    }
}
END_TEST

/* With a bound on the tiles of a rank the choice is among layouts that fit; if none fits, among all. */
START_TEST(fits_in_memory)
{
    struct layout_question q = { .algorithm = LAYOUT_CHOLESKY, .ranks = some_ranks[_i], .mt = 30, .nt = 30,
                                 .part = LAYOUT_LOWER };
    choose(&q);
    int64_t least = INT64_MAX, of_chosen = choice.candidate[choice.chosen].sum.tiles_max;
    for (int k = 0; k < choice.count; k++)
        if (choice.candidate[k].sum.tiles_max < least)
            least = choice.candidate[k].sum.tiles_max;
    const int64_t rooms[] = { 1, least - 1, least, of_chosen - 1, of_chosen, 1000 };
    for (size_t k = 0; k < sizeof rooms / sizeof rooms[0]; k++) {
        q.tiles_fit = rooms[k];
        check_question(&q);
        int64_t taken = choice.candidate[choice.chosen].sum.tiles_max;
        ck_assert(rooms[k] == 0 || rooms[k] < least || taken <= rooms[k]);
    }
}
END_TEST

/* For Cholesky, in either storage, candidates include SBC and every size of the catalogue; for LU none has free cells. */
START_TEST(symmetric_candidates)
{
    struct layout_question q = { .algorithm = LAYOUT_CHOLESKY, .ranks = 28, .mt = 30, .nt = 30, .part = LAYOUT_LOWER };
    int sizes[DESIGN_SIZES], count = design_sizes(28, sizes);
    char name[32];
    choose(&q);
    ck_assert(is_candidate("sbc:extended") && is_candidate("g2dbc"));
    for (int k = 0; k < count; k++) {
        snprintf(name, sizeof name, "design:r=%d", sizes[k]);
        ck_assert_msg(is_candidate(name), "%s", name);
    }
    q.part = LAYOUT_FULL;
    choose(&q);
    ck_assert(is_candidate("sbc:extended") && is_candidate("g2dbc") && is_candidate(name));
    q.ranks = 32;
    choose(&q);
    ck_assert(is_candidate("sbc:basic"));
    q.algorithm = LAYOUT_LU;
    choose(&q);
    ck_assert(!is_candidate("sbc:basic"));
}
END_TEST

/* "auto" makes the pattern of the chosen layout, the same in every call. */
START_TEST(auto_is_the_chosen)
{
    for (int kind = 0; kind < 2; kind++) {
        struct layout_question q = { .algorithm = kind == 0 ? LAYOUT_LU : LAYOUT_CHOLESKY, .ranks = some_ranks[_i], .mt = 25,
                                     .nt = 25, .part = kind == 0 ? LAYOUT_FULL : LAYOUT_LOWER };
        struct pattern *p, *again;
        choose(&q);
        ck_assert_msg(pattern_create_for("auto", &q, &p, text) == 0, "%s", text);
        ck_assert_str_eq(p->name, choice.candidate[choice.chosen].name);
        struct layout *l = lay(p, 25, 25, q.part);
        ck_assert_int_eq(layout_transfers(l, q.algorithm), choice.candidate[choice.chosen].sum.transfers);
        ck_assert_int_eq(pattern_create_for("auto", &q, &again, text), 0);
        ck_assert_int_eq(memcmp(p->cell, again->cell, (size_t)p->rows * (size_t)p->cols * sizeof *p->cell), 0);
        layout_destroy(&l);
        pattern_destroy(&p);
        pattern_destroy(&again);
    }
}
END_TEST

/* All tiles of a very large matrix are counted. */
START_TEST(very_large)
{
    struct layout_question q = { .algorithm = LAYOUT_LU, .ranks = 6, .mt = 50000, .nt = 2000, .part = LAYOUT_FULL };
    check_question(&q);
    int64_t fullest = choice.candidate[choice.chosen].sum.tiles_max;
    ck_assert_int_ge(fullest, (int64_t)q.mt * q.nt / 6);
    q.tiles_fit = fullest - 1;
    choose(&q);
    ck_assert(!choice.candidate[choice.chosen].fits || choice.candidate[choice.chosen].sum.tiles_max < fullest);
    q.tiles_fit = fullest;
    choose(&q);
    ck_assert(choice.candidate[choice.chosen].fits);
}
END_TEST

/* If a matrix has more tiles than memory holds the leading ones are counted, and the figures are extrapolated to all tiles. */
START_TEST(beyond_memory)
{
    struct layout_question q = { .algorithm = LAYOUT_LU, .ranks = 6, .mt = INT_MAX, .nt = 3, .part = LAYOUT_FULL };
    choose(&q);
    ck_assert(choice.counted_mt < q.mt && choice.counted_nt == q.nt);
    check_chosen();
    q.tiles_fit = INT64_C(3) * q.mt / 6 / 2;
    choose(&q);
    ck_assert(!choice.candidate[choice.chosen].fits);
    q.tiles_fit = INT64_C(3) * q.mt / 6 * 2;
    choose(&q);
    ck_assert(choice.candidate[choice.chosen].fits);
}
END_TEST

/* With hundreds of ranks a design repeats too rarely in the leading tiles to be balanced there. On the whole matrix it is
   balanced, and chosen. For LU g2dbc is chosen. */
START_TEST(many_ranks)
{
    static const int ranks[] = { 350, 400, 1000 };
    struct layout_question q = { .algorithm = LAYOUT_CHOLESKY, .ranks = ranks[_i], .mt = 3907, .nt = 3907, .part = LAYOUT_LOWER };
    choose(&q);
    ck_assert(choice.counted_mt == q.mt && choice.counted_nt == q.nt);
    check_chosen();
    const struct layout_candidate *chosen = &choice.candidate[choice.chosen];
    ck_assert_msg(strncmp(chosen->name, "design", 6) == 0, "%d ranks: %s", ranks[_i], chosen->name);
    ck_assert_double_lt(chosen->sum.flops_max_over_mean, 1.04);
    check_candidate(&q, chosen);
    if (_i > 0)
        return;
    q.algorithm = LAYOUT_LU;
    q.part = LAYOUT_FULL;
    choose(&q);
    ck_assert(choice.counted_mt == q.mt && choice.counted_nt == q.nt);
    check_chosen();
    ck_assert_str_eq(choice.candidate[choice.chosen].name, "g2dbc");
}
END_TEST

static int fewer_than(const struct layout_question *q, struct layout_fewer *fewer)
{
    choose(q);
    ck_assert_msg(layout_choose_fewer(q, &choice, fewer, text) == 0, "%s", text);
    return fewer->ranks;
}

/* If slightly fewer ranks send at least a fifth less they are found, with the layout that is chosen for them. */
START_TEST(fewer_ranks)
{
    static const struct { enum layout_algorithm algorithm; int ranks, nt, fewer; const char *name; } cases[] = {
        { LAYOUT_CHOLESKY, 700, 782, 666, "sbc:extended" }, { LAYOUT_CHOLESKY, 3100, 1600, 3081, "sbc:extended" },
        { LAYOUT_LU, 4099, 1500, 4096, "2dbc:64x64" },
    };
    struct layout_question q = { .algorithm = cases[_i].algorithm, .ranks = cases[_i].ranks, .mt = cases[_i].nt,
                                 .nt = cases[_i].nt, .part = cases[_i].algorithm == LAYOUT_LU ? LAYOUT_FULL : LAYOUT_LOWER };
    struct layout_fewer fewer;
    ck_assert_int_eq(fewer_than(&q, &fewer), cases[_i].fewer);
    ck_assert_str_eq(fewer.candidate.name, cases[_i].name);
    struct layout_candidate all = choice.candidate[choice.chosen];
    q.ranks = fewer.ranks;
    choose(&q);
    const struct layout_candidate *few = &choice.candidate[choice.chosen];
    ck_assert_str_eq(few->name, fewer.candidate.name);
    ck_assert_int_eq(few->sum.transfers, fewer.candidate.sum.transfers);
    ck_assert_double_le((double)few->sum.transfers, 0.8 * (double)all.sum.transfers);
    double speed = q.ranks / few->sum.flops_max_over_mean, whole = cases[_i].ranks / all.sum.flops_max_over_mean;
    ck_assert_double_eq_tol(fewer.loss, 1 - speed / whole, 1e-12);
    ck_assert_double_le(fewer.loss, 0.05);
}
END_TEST

/* Nothing is found where the number of ranks is good, or no number near it is better. Where ranks or tiles differ there is no
   search. */
START_TEST(no_fewer_ranks)
{
    static const int ranks[] = { 1, 2, 19, 20, 23, 57, 133, 183 };
    struct layout_question q = { .algorithm = LAYOUT_CHOLESKY, .mt = 200, .nt = 200, .part = LAYOUT_LOWER };
    struct layout_fewer fewer;
    for (size_t k = 0; k < sizeof ranks / sizeof ranks[0]; k++) {
        q.ranks = ranks[k];
        ck_assert_msg(fewer_than(&q, &fewer) == 0, "%d instead of %d ranks", fewer.ranks, ranks[k]);
    }
    double *one = zeros(5000, sizeof *one);
    for (int k = 0; k < 5000; k++)
        one[k] = 1 + k % 2;
    q = (struct layout_question){ .algorithm = LAYOUT_LU, .ranks = 4099, .mt = 50, .nt = 100, .speeds = one };
    ck_assert_int_eq(fewer_than(&q, &fewer), 0);
    q.ranks = 20;
    q.speeds = NULL;
    q.weights = one;
    ck_assert_int_eq(fewer_than(&q, &fewer), 0);
    free(one);
}
END_TEST

/* Counts transfers as the number of the pattern's columns, and a balance that improves with its rows; fails for want of memory if
   there are *context columns. */
static int count_columns(const void *context, const struct pattern *p, int mt, int nt, struct layout_summary *sum)
{
    ck_assert(mt == 7 && nt == 3);
    sum->transfers = p->cols;
    sum->flops_max_over_mean = 1 + 0.1 / p->rows;
    return p->rows == *(const int *)context;
}

/* A counter's transfers and balance decide; tiles are those of the whole matrix; what the counter refuses is no candidate. */
START_TEST(counted_by_others)
{
    int nobody = 0, twelve = 12, one = 1;
    struct layout_question q = { .algorithm = LAYOUT_LU, .ranks = 12, .mt = 120, .nt = 60, .part = LAYOUT_FULL,
                                 .counter = count_columns, .context = &nobody, .count_mt = 7, .count_nt = 3 };
    choose(&q);
    ck_assert_str_eq(choice.candidate[choice.chosen].name, "2dbc:12x1");
    ck_assert_double_eq(choice.candidate[choice.chosen].tiles, 10 * 60);
    ck_assert(choice.counted_mt == 7 && choice.counted_nt == 3);
    q.context = &twelve;
    choose(&q);
    ck_assert_str_eq(choice.candidate[choice.chosen].name, "2dbc:6x2");
    q.ranks = 1;
    q.context = &one;
    ck_assert_int_eq(layout_choose(&q, &choice, text), 1);
    ck_assert_msg(strstr(text, "no memory") != NULL, "%s", text);
}
END_TEST

/* Zero ranks, zero tiles and unknown names are refused in one line. */
START_TEST(refuses_questions)
{
    static const struct { const char *scheme; int ranks, mt, nt; const char *why; } cases[] = {
        { "auto", 0, 5, 5, "one rank, not 0" }, { "auto", -2, 5, 5, "one rank, not -2" }, { "auto", 4, 0, 5, "at least one" },
        { "auto", 4, 5, -1, "at least one" }, { "autos", 4, 5, 5, "unknown" },      { "design", 0, 5, 5, "one rank" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct layout_question q = { .algorithm = LAYOUT_LU, .ranks = cases[k].ranks, .mt = cases[k].mt, .nt = cases[k].nt };
        struct pattern *p;
        ck_assert_int_eq(pattern_create_for(cases[k].scheme, &q, &p, text), 1);
        ck_assert_ptr_null(p);
        ck_assert_msg(strstr(text, cases[k].why) && !strchr(text, '\n'), "%s %d: %s", cases[k].scheme, cases[k].ranks, text);
    }
}
END_TEST

static Suite *choose_suite(void)
{
    Suite *suite = suite_create("choose");
    TCase *tests = tcase_create("choose");
    int count = sizeof some_ranks / sizeof some_ranks[0];
    tcase_add_loop_test(tests, chooses_the_best, 0, count);
    tcase_add_loop_test(tests, chooses_for_nodes, 0, 7);
    tcase_add_loop_test(tests, fits_in_memory, 9, count);
    tcase_add_test(tests, symmetric_candidates);
    tcase_add_loop_test(tests, auto_is_the_chosen, 0, count);
    tcase_add_test(tests, very_large);
    tcase_add_test(tests, beyond_memory);
    tcase_add_loop_test(tests, many_ranks, 0, 3);
    tcase_add_loop_test(tests, fewer_ranks, 0, 3);
    tcase_add_test(tests, no_fewer_ranks);
    tcase_add_test(tests, counted_by_others);
    tcase_add_test(tests, refuses_questions);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(choose_suite());
}
