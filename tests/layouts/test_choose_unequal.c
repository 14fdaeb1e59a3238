/* The choice among layouts for ranks of unequal speed, by the time of the most loaded rank. */
#include "tests/layouts/test_unequal.h"

static int candidates_like(const struct layout_choice *choice, const char *prefix)
{
    int count = 0;
    for (int k = 0; k < choice->count; k++)
        count += strncmp(choice->candidate[k].name, prefix, strlen(prefix)) == 0;
    return count;
}

/* If speeds differ these layouts are candidates, and all are compared by the time of the most loaded rank. If speeds are equal
   nothing changes. */
START_TEST(auto_uses_speeds)
{
    static struct layout_choice choice, plain;
    double unequal[] = { 1, 1, 3, 3, 3 }, equal[] = { 2, 2, 2, 2, 2 };
    for (int algorithm = LAYOUT_LU; algorithm <= LAYOUT_CHOLESKY; algorithm++) {
        struct layout_question q = question_of((enum layout_algorithm)algorithm, unequal, 5, 60, 60);
        ck_assert_int_eq(layout_choose(&q, &choice, text), 0);
        ck_assert_int_eq(candidates_like(&choice, "1d1d"), 3);
        ck_assert_int_eq(strncmp(choice.candidate[choice.chosen].name, "1d1d", 4), 0);
        for (int k = 0; k < choice.count; k++) {
            struct layout *l = lay_out(choice.candidate[k].name, &q);
            ck_assert_double_eq_tol(choice.candidate[k].sum.abe_max_over_mean, layout_abe_max_over_mean(l, q.algorithm, unequal),
                                    1e-12);
            layout_destroy(&l);
        }
        q.speeds = equal;
        ck_assert_int_eq(layout_choose(&q, &choice, text), 0);
        q.speeds = NULL;
        ck_assert_int_eq(layout_choose(&q, &plain, text), 0);
        ck_assert_int_eq(candidates_like(&choice, "1d1d"), 0);
        ck_assert(choice.count == plain.count && choice.chosen == plain.chosen);
    }
}
END_TEST

/* For a matrix that is too large to be counted as a whole 1d1d is the only candidate. Predicted tiles are right, and figures are
   the whole matrix's. */
START_TEST(auto_of_large_matrices)
{
    static struct layout_choice choice;
    double speeds[] = { 1, 1.3, 1.7, 2.9, 3.1, 7 };
    struct pattern *p, *named;
    struct layout_question q = question_of(LAYOUT_LU, speeds, 6, 1500, 1100);
    ck_assert_int_eq(layout_choose(&q, &choice, text), 0);
    ck_assert_int_eq(candidates_like(&choice, "1d1d"), 1);
    const struct layout_candidate *chosen = &choice.candidate[choice.chosen];
    ck_assert_str_eq(chosen->name, "1d1d");
    ck_assert(pattern_create_for("auto", &q, &p, text) == 0 && pattern_create_for("1d1d", &q, &named, text) == 0);
    ck_assert(p->rows == named->rows && p->cols == named->cols);
    ck_assert_mem_eq(p->cell, named->cell, (size_t)p->rows * (size_t)p->cols * sizeof *p->cell);
    struct layout *l = lay(p, q.mt, q.nt, q.part);
    int64_t most = 0;
    for (int rank = 0; rank < 6; rank++)
        most = layout_tiles(l, rank) > most ? layout_tiles(l, rank) : most;
    ck_assert_double_eq_tol(chosen->tiles / (double)most, 1, 0.005);
    layout_destroy(&l);
    pattern_destroy(&p);
    pattern_destroy(&named);
    q.mt = q.nt = 65536;
    ck_assert_int_eq(pattern_create_for("1d1d", &q, &p, text), 1);
    ck_assert_msg(strstr(text, "at most 2147483647 tiles") != NULL, "%s", text);
}
END_TEST

/* 2DBC with one rank three times as fast: the slow ranks take the time of equal ranks, and a balanced distribution takes less. */
START_TEST(time_of_the_most_loaded)
{
    double speeds[] = { 1, 1, 1, 3 };
    struct pattern *p = make("2dbc:2x2", 4);
    struct layout *l = lay(p, 40, 40, LAYOUT_FULL);
    double plain = layout_abe_max_over_mean(l, LAYOUT_LU, NULL);
    int64_t work[4], most = 0, all = 0;
    layout_work_of_ranks(l, LAYOUT_LU, work);
    for (int rank = 0; rank < 4; rank++) {
        most = rank < 3 && work[rank] > most ? work[rank] : most;
        all += work[rank];
    }
    ck_assert_double_eq_tol(layout_abe_max_over_mean(l, LAYOUT_LU, speeds), 6.0 * (double)most / (double)all, 1e-12);
    ck_assert_double_lt(plain, 1.06);
    ck_assert_double_eq_tol(pattern_bound(p, LAYOUT_LU, NULL), pattern_bound_lu(4), 1e-12);
    ck_assert_double_eq_tol(pattern_bound(p, LAYOUT_LU, speeds), 2 * (3 * sqrt(1 / 6.0) + sqrt(0.5)), 1e-12);
    layout_destroy(&l);
    pattern_destroy(&p);
}
END_TEST

static Suite *choose_unequal_suite(void)
{
    Suite *suite = suite_create("choose_unequal");
    TCase *tests = tcase_create("choose_unequal");
    tcase_add_test(tests, auto_uses_speeds);
    tcase_add_test(tests, auto_of_large_matrices);
    tcase_add_test(tests, time_of_the_most_loaded);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(choose_unequal_suite());
}
