/* The order of a pattern's colrows: what it preserves, and that it balances the work. */
#include "tests/layouts/test_layouts.h"
#include "layouts/builders.h"

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(int));
}

/* What no exchange of colrows changes: for each rank the number of cells, and for each colrow the number of ranks, sorted. */
static int *invariants(const struct pattern *p, int *count)
{
    int r = p->rows, (*pairs)[2] = zeros((size_t)(p->ranks + r), sizeof *pairs);
    for (int i = 0; i < r; i++) {
        char *met = zeros((size_t)p->ranks, 1);
        for (int j = 0; j < r; j++) {
            int here = p->cell[i * r + j], mirrored = p->cell[j * r + i];
            if (here != LAYOUT_FREE)
                pairs[here][0]++;
            if (here != LAYOUT_FREE)
                met[here] = 1;
            if (mirrored != LAYOUT_FREE)
                met[mirrored] = 1;
        }
        for (int rank = 0; rank < p->ranks; rank++)
            pairs[p->ranks + i][0] += met[rank];
        pairs[p->ranks + i][1] = (p->cell[i * (r + 1)] == LAYOUT_FREE);
        free(met);
    }
    qsort(pairs[p->ranks], (size_t)r, sizeof *pairs, compare);
    *count = 2 * (p->ranks + r);
    return pairs[0];
}

static double balance_of(const struct pattern *p, int nt)
{
    struct layout *l = lay(p, nt, nt, LAYOUT_LOWER);
    double result = balance(l, LAYOUT_CHOLESKY);
    layout_destroy(&l);
    return result;
}

/* Ordering preserves each rank's cells, each colrow's ranks and the cost, gives the same order again, and balances the work. */
START_TEST(orders_colrows)
{
    enum { NT = 60 };
    int ranks = _i, count, count_after;
    struct pattern *plain = make("design", ranks), *p = make("design", ranks), *again = make("design", ranks);
    ck_assert_int_eq(pattern_order(p, NT), 0);
    ck_assert_int_eq(pattern_order(again, NT), 0);
    ck_assert_int_eq(memcmp(p->cell, again->cell, (size_t)p->rows * (size_t)p->cols * sizeof *p->cell), 0);
    ck_assert_double_eq_tol(pattern_cost_cholesky(p), pattern_cost_cholesky(plain), 1e-12);
    check_shares(p);
    int *before = invariants(plain, &count), *after = invariants(p, &count_after);
    ck_assert_int_eq(count, count_after);
    ck_assert_int_eq(memcmp(before, after, (size_t)count * sizeof *before), 0);
    ck_assert_double_le(balance_of(p, NT), 1.01 * balance_of(plain, NT));
    free(before);
    free(after);
    pattern_destroy(&plain);
    pattern_destroy(&p);
    pattern_destroy(&again);
}
END_TEST

/* pattern_create_for() makes of "design" for 60 x 60 tiles a pattern whose most loaded of 39 ranks has less than 1.12 times the
   mean. */
START_TEST(levels_39_ranks)
{
    struct layout_question q = { .algorithm = LAYOUT_CHOLESKY, .ranks = 39, .mt = 60, .nt = 60, .part = LAYOUT_LOWER };
    struct pattern *p;
    ck_assert_msg(pattern_create_for("design", &q, &p, text) == 0, "%s", text);
    ck_assert_double_lt(balance_of(p, 60), 1.12);
    pattern_destroy(&p);
}
END_TEST

/* Patterns without colrows to exchange stay as they are. */
START_TEST(nothing_to_order)
{
    struct pattern *one = make("2dbc", 1), *oblong = make("2dbc", 6);
    ck_assert_int_eq(pattern_order(one, 60), 0);
    ck_assert_int_eq(one->cell[0], 0);
    ck_assert_int_eq(pattern_order(oblong, 60), 0);
    for (int c = 0; c < 6; c++)
        ck_assert_int_eq(oblong->cell[c], c);
    pattern_destroy(&one);
    pattern_destroy(&oblong);
}
END_TEST

static Suite *order_suite(void)
{
    Suite *suite = suite_create("colrow order");
    TCase *tests = tcase_create("colrow order");
    tcase_add_loop_test(tests, orders_colrows, 2, 65);
    tcase_add_test(tests, levels_39_ranks);
    tcase_add_test(tests, nothing_to_order);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(order_suite());
}
