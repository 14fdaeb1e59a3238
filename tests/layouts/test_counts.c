/* Work and transfers of matrices in which patterns repeat, compared with counts tile by tile that ignore patterns. */
#include "tests/layouts/test_layouts.h"
#include "layouts/work.h"

/* Owners, work and readers: a final tile (i,j) is read by the tiles after it in its row and its column, or in its colrow. Counts
   ranks, or nodes if node_of is given. */
struct tally {
    const struct layout *l;
    const int *node_of;     /* NULL: ranks are counted */
    int *met;               /* met[rank] == line: the rank is among the readers */
    int line, behind;
    const int *height, *width;
    int64_t tiles, elements;
    int64_t *sent;          /* elements sent by each owner */
};

static int owner_in(const struct tally *t, int i, int j)
{
    int rank = layout_owner(t->l, i, j);
    return t->node_of != NULL ? t->node_of[rank] : rank;
}

static void meet(struct tally *t, int i, int j)
{
    int rank = owner_in(t, i, j);
    t->behind += t->met[rank] != t->line;
    t->met[rank] = t->line;
}

static void send(struct tally *t, int i, int j)
{
    int owner = owner_in(t, i, j), readers = t->behind - (t->met[owner] == t->line);
    t->tiles += readers;
    t->elements += (int64_t)readers * t->height[i] * t->width[j];
    t->sent[owner] += (int64_t)readers * t->height[i] * t->width[j];
}

static void new_line(struct tally *t)
{
    t->line++;
    t->behind = 0;
}

static void tally_cholesky(struct tally *t)
{
    for (int i = 0; i < t->l->nt; i++) {
        new_line(t);
        for (int m = i + 1; m < t->l->mt; m++)
            meet(t, m, i);
        for (int j = i; j >= 0; j--) {
            send(t, i, j);
            meet(t, i, j);
        }
    }
}

static void tally_lu(struct tally *t)
{
    int mt = t->l->mt, nt = t->l->nt;
    for (int i = 0; i < mt; i++) {
        new_line(t);
        for (int j = nt - 1; j >= 0; j--) {
            if (j < i)
                send(t, i, j);
            meet(t, i, j);
        }
    }
    for (int j = 0; j < nt; j++) {
        new_line(t);
        for (int i = mt - 1; i >= 0; i--) {
            if (i < j)
                send(t, i, j);
            meet(t, i, j);
        }
    }
    for (int k = 0; k < mt && k < nt; k++) {
        new_line(t);
        for (int j = k + 1; j < nt; j++)
            meet(t, k, j);
        for (int i = k + 1; i < mt; i++)
            meet(t, i, k);
        send(t, k, k);
    }
}

static int wrong_work(const struct layout *l, enum layout_algorithm algorithm)
{
    int64_t *work = zeros((size_t)l->ranks, sizeof *work), *expected = zeros((size_t)l->ranks, sizeof *expected);
    int wrong = 0, cholesky = algorithm == LAYOUT_CHOLESKY;
    for (int i = 0; i < l->mt; i++)
        for (int j = 0; j < (cholesky ? i + 1 : l->nt); j++) {
            int steps = i < j ? i : j;      /* and the step in which it becomes final */
            expected[layout_owner(l, i, j)] += i != j ? 6 * steps + 3 : cholesky ? 3 * steps + 1 : 6 * steps + 2;
        }
    layout_work_of_ranks(l, algorithm, work);
    for (int rank = 0; rank < l->ranks; rank++)
        wrong += work[rank] != expected[rank];
    free(work);
    free(expected);
    return wrong;
}

/* With ranks dealt to nodes in turn: what each node sends, and the sum. */
static void check_nodes(const struct layout *l, enum layout_algorithm algorithm, const int *height, const int *width)
{
    enum { NODES = 3 };
    size_t ranks = (size_t)l->ranks;
    int *node_of = zeros(ranks, sizeof *node_of);
    for (int q = 0; q < l->ranks; q++)
        node_of[q] = (q * 7 + q / 2) % NODES;
    int64_t sent[NODES] = { 0 }, received[NODES] = { 0 }, all = 0;
    struct tally t = { .l = l, .node_of = node_of, .met = zeros(ranks + NODES, sizeof(int)), .height = height, .width = width,
                       .sent = zeros(ranks + NODES, sizeof *t.sent) };
    (algorithm == LAYOUT_CHOLESKY ? tally_cholesky : tally_lu)(&t);
    struct layout *of_nodes;
    char text[LAYOUT_TEXT];
    ck_assert_int_eq(layout_of_nodes(l, node_of, NODES, &of_nodes, text), 0);
    ck_assert_int_eq(layout_transfers(of_nodes, algorithm), t.tiles);
    ck_assert_int_eq(layout_transferred(of_nodes, algorithm, height, width), t.elements);
    ck_assert_int_eq(layout_load_links(of_nodes, algorithm, height, width, NULL, &(struct layout_links){ sent, received }), 0);
    for (int q = 0; q < NODES; q++) {
        ck_assert_int_eq(sent[q], t.sent[q]);
        all += received[q];
    }
    ck_assert_int_eq(all, t.elements);
    layout_destroy(&of_nodes);
    free(node_of);
    free(t.met);
    free(t.sent);
}

/* Rows of 4 and 7 elements, columns of 4, 5 and 6; the last row and column are ragged. */
static void check_counts(const struct pattern *p, int mt, int nt, enum layout_algorithm algorithm)
{
    struct layout *l = lay(p, mt, nt, algorithm == LAYOUT_CHOLESKY ? LAYOUT_LOWER : LAYOUT_FULL);
    int *height = zeros((size_t)mt, sizeof *height), *width = zeros((size_t)nt, sizeof *width);
    for (int i = 0; i < mt; i++)
        height[i] = i == mt - 1 ? 1 : i % 3 == 0 ? 7 : 4;
    for (int j = 0; j < nt; j++)
        width[j] = j == nt - 1 ? 2 : 4 + j % 3;
    struct tally t = { .l = l, .met = zeros((size_t)l->ranks, sizeof(int)), .height = height, .width = width,
                       .sent = zeros((size_t)l->ranks, sizeof *t.sent) };
    (algorithm == LAYOUT_CHOLESKY ? tally_cholesky : tally_lu)(&t);
    ck_assert_msg(wrong_work(l, algorithm) == 0, "work of %s on %d ranks, %d x %d tiles", p->name, p->ranks, mt, nt);
    ck_assert_msg(layout_transfers(l, algorithm) == t.tiles, "transfers of %s on %d ranks, %d x %d tiles", p->name, p->ranks,
                  mt, nt);
    ck_assert_msg(layout_transferred(l, algorithm, height, width) == t.elements, "elements of %s on %d ranks, %d x %d tiles",
                  p->name, p->ranks, mt, nt);
    if (mt < 1000)
        check_nodes(l, algorithm, height, width);
    free(height);
    free(width);
    free(t.met);
    free(t.sent);
    layout_destroy(&l);
}

static const struct { const char *scheme; int ranks; } patterns[] = {
    { "2dbc", 1 }, { "2dbc:1x7", 7 }, { "2dbc:7x1", 7 }, { "2dbc:2x3", 6 }, { "2dbc:4x4", 16 }, { "g2dbc", 5 }, { "g2dbc", 23 },
    { "sbc:basic", 8 }, { "sbc:extended", 10 }, { "design", 5 }, { "design", 12 }, { "design", 23 }, { "gcrm:r=9", 12 },
};
enum { PATTERNS = sizeof patterns / sizeof patterns[0] };

/* Matrices smaller than the pattern, whole repetitions of it and parts of one, tall and flat: the counts are those of single
   tiles. */
START_TEST(repetitions)
{
    static const int shapes[][2] = { { 1, 1 }, { 3, 3 }, { 2, 9 }, { 48, 48 }, { 53, 53 }, { 97, 97 }, { 61, 23 }, { 23, 61 },
                                     { 120, 1 }, { 1, 120 }, { 70, 140 } };
    struct pattern *p = make(patterns[_i].scheme, patterns[_i].ranks);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        if (!pattern_has_free_cells(p))
            check_counts(p, shapes[s][0], shapes[s][1], LAYOUT_LU);
        if (shapes[s][0] == shapes[s][1])
            check_counts(p, shapes[s][0], shapes[s][1], LAYOUT_CHOLESKY);
    }
    pattern_destroy(&p);
}
END_TEST

/* The same holds where the owners of free cells repeat. */
START_TEST(repeated_free_cells)
{
    static const int ranks[] = { 12, 23, 31 };
    struct pattern *p = make("design", ranks[_i]);
    check_counts(p, 2050, 2050, LAYOUT_CHOLESKY);
    check_counts(p, 2600, 2600, LAYOUT_CHOLESKY);
    pattern_destroy(&p);
}
END_TEST

/* The work of a cell is the sum over its tiles. */
START_TEST(work_of_cells)
{
    enum { MOST = 40 };
    int period = _i, wrong = 0;
    for (int nt = 1; nt <= MOST; nt++) {
        int64_t *expected = zeros((size_t)(period * period), sizeof *expected);
        for (int i = 0; i < nt; i++)
            for (int j = 0; j <= i; j++)
                expected[i % period * period + j % period] += i == j ? 3 * j + 1 : 6 * j + 3;
        for (int a = 0; a < period; a++)
            for (int b = 0; b < period; b++)
                wrong += layout_work_of_cell(a, b, period, nt) != expected[a * period + b];
        free(expected);
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

static Suite *counts_suite(void)
{
    Suite *suite = suite_create("counts");
    TCase *tests = tcase_create("counts");
    tcase_add_loop_test(tests, repetitions, 0, PATTERNS);
    tcase_add_loop_test(tests, repeated_free_cells, 0, 3);
    tcase_add_loop_test(tests, work_of_cells, 1, 45);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(counts_suite());
}
