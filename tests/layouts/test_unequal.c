/* Plans for ranks of unequal speed: owners, sections and work agree, and names are exact. No MPI. */
#include "layouts/rank_speeds.h"
#include "layouts/work.h"
#include "tests/layouts/test_unequal.h"

/* ---- properties of a plan ----------------------------------------------------------------------------------------------- */

static const char *const schemes[] = { "1d1d", "1d1d-c", "1d1d-cs", "1d1d-c:cpb=0.1", "1d1d-cs:cpb=2/3" };
static const int sizes[][2] = { { 1, 1 }, { 2, 2 }, { 30, 30 }, { 67, 67 }, { 40, 13 }, { 9, 50 } };

/* The layout of a plan's pattern, whatever repeats in it, has the plan's owner of every stored tile. */
static void check_pattern(const struct plan *p, const struct layout_question *q)
{
    struct pattern *pattern = pattern_of_plan(p);
    struct layout *l = lay(pattern, q->mt, q->nt, q->part);
    int wrong = 0;
    for (int i = 0; i < q->mt; i++)
        for (int j = 0; j < (q->part == LAYOUT_LOWER ? i + 1 : q->nt); j++)
            wrong += layout_owner(l, i, j) != plan_owner(p, i, j);
    ck_assert_msg(wrong == 0, "%s, %d x %d: %d tiles differ", p->name, q->mt, q->nt, wrong);
    layout_destroy(&l);
    pattern_destroy(&pattern);
}

/* Sections follow one another down to step 0; while ranks remain to be added ABE* is within the bound; a released rank has no
   tile. */
static void check_sections(const struct plan *p)
{
    int steps = p->mt < p->nt ? p->mt : p->nt, above = steps;
    for (int k = 0; k < p->sections; k++) {
        const struct section *s = &p->section[k];
        ck_assert(s->first <= s->last && s->last == above - 1);
        above = s->first;
        for (int step = s->first; step <= s->last && s->ranks < p->ranks; step++)
            ck_assert_double_le(plan_abe_star(p, step, s->speed), s->cpb);
    }
    ck_assert_int_eq(above, 0);
    for (int i = 0; i < p->mt; i++)
        for (int j = 0; j < (p->algorithm == LAYOUT_CHOLESKY ? i + 1 : p->nt); j++) {
            int end = i < j ? i : j, last = p->section[p->section_of_rank[plan_owner(p, i, j)]].last;
            ck_assert_msg((end < steps ? end : steps - 1) <= last, "%s: tile (%d,%d) is of a rank released after step %d",
                          p->name, i, j, last);
        }
}

static void work_in_step(const struct layout *l, enum layout_algorithm algorithm, int k, int64_t *work)
{
    memset(work, 0, (size_t)l->ranks * sizeof *work);
    for (int i = k; i < l->mt; i++)
        for (int j = k; j < (algorithm == LAYOUT_CHOLESKY ? i + 1 : l->nt); j++)
            work[layout_owner(l, i, j)] += layout_work_between(algorithm, i, j, k, k);
}

/* The work in each step and in all, from the owners, and from the closed forms, agrees. */
static void check_work(const struct plan *p, const struct layout_question *q)
{
    double *time = zeros((size_t)p->ranks, sizeof *time), *sum = zeros((size_t)p->ranks, sizeof *sum);
    int64_t *work = zeros((size_t)p->ranks, sizeof *work);
    int steps = p->mt < p->nt ? p->mt : p->nt;
    struct layout *l = lay_out(p->name, q);
    for (int k = 0; k < steps; k++) {
        double all = 0;
        plan_abe(p, k, k, time);
        work_in_step(l, q->algorithm, k, work);
        for (int rank = 0; rank < p->ranks; rank++) {
            ck_assert_double_eq_tol(time[rank], (double)work[rank] / 6 / p->speed[rank], 1e-9);
            all += time[rank] * p->speed[rank];
            sum[rank] += time[rank];
        }
        ck_assert_double_eq_tol(all, plan_abe_star(p, k, 1), 1e-6);
    }
    layout_work_of_ranks(l, q->algorithm, work);
    for (int rank = 0; rank < p->ranks; rank++)
        ck_assert_double_eq_tol(sum[rank], (double)work[rank] / 6 / p->speed[rank], 1e-6);
    layout_destroy(&l);
    free(time);
    free(sum);
    free(work);
}

static double extent(const double *time, int ranks, int most)
{
    double result = time[0];
    for (int rank = 1; rank < ranks; rank++)
        result = most ? fmax(result, time[rank]) : fmin(result, time[rank]);
    return result;
}

/* Points of one step each, and of several, agree with the plan of their steps. */
static void check_points(const struct plan *p, const struct layout_question *q, int points)
{
    struct layout_point point[67];
    double time[9], abe[9], plain[67];
    struct layout *l = lay_out(p->name, q);
    ck_assert_int_eq(layout_points(l, q->algorithm, q->speeds, NULL, points, point, abe), 0);
    for (int k = 0; k < points; k++) {
        ck_assert(isinf(point[k].bound));
        plain[k] = point[k].ideal;
    }
    ck_assert_int_eq(layout_points(l, q->algorithm, q->speeds, p, points, point, abe), 0);
    double together = 0;
    for (int rank = 0; rank < p->ranks; rank++)
        together += p->speed[rank];
    for (int k = 0, first = 0, section = p->sections - 1; k < points; first = (int)point[k++].last + 1) {
        double ideal = 0, even = 0, bound = 0;
        for (int step = first; step <= (int)point[k].last; step++) {
            while (step > p->section[section].last)
                section--;
            ideal += plan_abe_star(p, step, p->section[section].speed);
            even += plan_abe_star(p, step, together);
            bound += p->section[section].cpb;
        }
        plan_abe(p, first, (int)point[k].last, time);
        ck_assert_double_eq_tol(point[k].most, extent(time, p->ranks, 1), 1e-6);
        plan_abe(p, 0, (int)point[k].last, time);
        ck_assert_double_eq_tol(point[k].spread, extent(time, p->ranks, 1) - extent(time, p->ranks, 0), 1e-6);
        ck_assert_double_eq_tol(point[k].ideal, ideal, 1e-6);
        ck_assert_double_eq_tol(plain[k], even, 1e-6);
        ck_assert(point[k].bound == bound || fabs(point[k].bound - bound) < 1e-9 * bound);
    }
    for (int rank = 0; rank < p->ranks; rank++)
        ck_assert_double_eq_tol(abe[rank], time[rank], 1e-6);
    layout_destroy(&l);
}

START_TEST(plans_agree_with_counts)
{
    const double *speeds = some_speeds[_i];
    for (size_t s = 0; s < sizeof schemes / sizeof schemes[0]; s++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
            for (int algorithm = LAYOUT_LU; algorithm <= LAYOUT_CHOLESKY; algorithm++) {
                if (algorithm == LAYOUT_CHOLESKY && sizes[k][0] != sizes[k][1])
                    continue;
                struct layout_question q = question_of((enum layout_algorithm)algorithm, speeds, count_of(speeds), sizes[k][0],
                                               sizes[k][1]);
                struct plan *p = plan_for(schemes[s], &q);
                check_pattern(p, &q);
                check_sections(p);
                check_work(p, &q);
                int steps = p->mt < p->nt ? p->mt : p->nt;
                check_points(p, &q, steps);
                check_points(p, &q, steps < 4 ? 1 : 4);
                plan_destroy(&p);
            }
}
END_TEST

/* The time of every trailing matrix is near that of a balanced distribution, for LU and for the lower triangle of Cholesky. */
START_TEST(trailing_matrices_are_level)
{
    static const int speeds_of[] = { 1, 2, 3, 4, 5, 7 };
    for (size_t s = 0; s < sizeof speeds_of / sizeof speeds_of[0]; s++)
        for (int algorithm = LAYOUT_LU; algorithm <= LAYOUT_CHOLESKY; algorithm++) {
            const double *speeds = some_speeds[speeds_of[s]];
            int ranks = count_of(speeds);
            struct layout_question q = question_of((enum layout_algorithm)algorithm, speeds, ranks, 90, 90);
            struct plan *p = plan_for("1d1d", &q);
            double time[9], together = 0;
            for (int rank = 0; rank < ranks; rank++)
                together += p->speed[rank];
            for (int k = 0; k < 45; k += 5) {
                plan_abe(p, k, k, time);
                for (int rank = 0; rank < ranks; rank++)
                    ck_assert_double_lt(time[rank], 1.25 * plan_abe_star(p, k, together));
            }
            plan_destroy(&p);
        }
}
END_TEST

/* In the section with most work shuffling removes most of the excess of the most loaded rank. */
START_TEST(shuffling_levels)
{
    double *speeds = two_kinds(14, 7), before[21], after[21];
    for (int algorithm = LAYOUT_LU; algorithm <= LAYOUT_CHOLESKY; algorithm++) {
        struct layout_question q = question_of((enum layout_algorithm)algorithm, speeds, 21, 100, 100);
        struct plan *c = plan_for("1d1d-c", &q), *cs = plan_for("1d1d-cs", &q);
        const struct section *s = &c->section[c->sections - 1];
        double most[2] = { 0 }, even = 0;
        plan_abe(c, s->first, s->last, before);
        plan_abe(cs, s->first, s->last, after);
        for (int rank = 0; rank < 21; rank++) {
            most[0] = fmax(most[0], before[rank]);
            most[1] = fmax(most[1], after[rank]);
            even += before[rank] * c->speed[rank] / s->speed;
        }
        ck_assert_double_lt(most[1] - even, 0.3 * (most[0] - even));
        ck_assert(cs->rounds > 0 && cs->moved > 0);
        plan_destroy(&c);
        plan_destroy(&cs);
    }
    free(speeds);
}
END_TEST

/* ---- names ------------------------------------------------------------------------------------------------------------- */

/* A resolved name makes the same plan again; only ratios of speeds count; no speeds means equal ones. */
START_TEST(names_and_units)
{
    double speeds[] = { 1, 1, 2, 2, 4 }, tenfold[] = { 10, 10, 20, 20, 40 }, ones[] = { 1, 1, 1, 1, 1 };
    const double *const pairs[][2] = { { speeds, tenfold }, { NULL, ones }, { speeds, speeds } };
    for (size_t s = 0; s < sizeof schemes / sizeof schemes[0]; s++)
        for (int k = 0; k < 3; k++) {
            struct layout_question q = question_of(LAYOUT_LU, pairs[k][0], 5, 41, 41);
            struct layout_question other = question_of(LAYOUT_LU, pairs[k][1], 5, 41, 41);
            struct plan *p = plan_for(schemes[s], &q), *again = plan_for(p->name, &other);
            ck_assert_str_eq(p->name, again->name);
            for (int i = 0; i < 41; i++)
                for (int j = 0; j < 41; j++)
                    ck_assert_int_eq(plan_owner(p, i, j), plan_owner(again, i, j));
            plan_destroy(&p);
            plan_destroy(&again);
        }
}
END_TEST

/* Unknown schemes, wrong arguments and empty matrices are refused in one line. */
START_TEST(refuses_schemes)
{
    static const struct { const char *scheme, *why; } cases[] = {
        { "1d1d:2", "no argument" }, { "1d1d-c:", "write 1d1d-c" }, { "1d1d-c:cpb=", "positive numbers" },
        { "1d1d-c:cpb=0", "positive numbers" },
        { "1d1d-c:cpb=1/-2", "positive numbers" }, { "1d1d-cs:cpb=1/2/x", "write 1d1d-cs" },
        { "1d1d-c:cpb=1/2/3/4/5/6/7/8/9", "at most 8" },
        { "1d1d-c:cpb=1,2", "positive numbers" }, { "1d1d-x", "unknown layout" }, { "1d1d-c:cpb=inf", "positive numbers" },
    };
    struct layout_question q = question_of(LAYOUT_LU, NULL, 4, 5, 5);
    struct pattern *p;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ck_assert_int_eq(pattern_create_for(cases[k].scheme, &q, &p, text), 1);
        ck_assert_ptr_null(p);
        ck_assert_msg(strstr(text, cases[k].why) && !strchr(text, '\n'), "%s: %s", cases[k].scheme, text);
    }
    ck_assert_int_eq(pattern_create("1d1d", 4, &p, text), 1);
    ck_assert_msg(strstr(text, "depends on the matrix") != NULL, "%s", text);
}
END_TEST

/* Ranks whose speeds are too far apart are named; at the limits plans are right in any unit. */
START_TEST(limits_of_speeds)
{
    double far[] = { 1, 2e-300, 3, 4e300 }, near[] = { 1e6, 1, 1e6, 1 }, tiny[] = { 4e-308, 1e-307, 4e-308 },
           huge[] = { 1e308, 1.7e308, 1e303 };
    const struct { const double *speeds; int count; } sound[] = { { near, 4 }, { tiny, 3 }, { huge, 3 } };
    struct pattern *p;
    static struct layout_choice choice;
    struct layout_question q = question_of(LAYOUT_LU, far, 4, 12, 12);
    for (size_t s = 0; s < sizeof schemes / sizeof schemes[0]; s++) {
        ck_assert_int_eq(pattern_create_for(schemes[s], &q, &p, text), 1);
        ck_assert_msg(strstr(text, "speed of rank 1 is 2e-300") && strstr(text, "rank 3 is 4e+300"), "%s", text);
    }
    ck_assert(layout_choose(&q, &choice, text) == 1 && strstr(text, "speed of rank 1"));
    for (size_t k = 0; k < sizeof sound / sizeof sound[0]; k++)
        for (size_t s = 0; s < sizeof schemes / sizeof schemes[0]; s++) {
            q = question_of(LAYOUT_LU, sound[k].speeds, sound[k].count, 30, 30);
            struct plan *plan = plan_for(schemes[s], &q);
            struct layout *l = lay_out(schemes[s], &q);
            check_pattern(plan, &q);
            ck_assert(isfinite(layout_abe_max_over_mean(l, LAYOUT_LU, q.speeds)) && isfinite(layout_perisum(q.speeds, q.ranks)));
            ck_assert_int_eq(layout_choose(&q, &choice, text), 0);
            layout_destroy(&l);
            plan_destroy(&plan);
        }
}
END_TEST

static Suite *unequal_suite(void)
{
    Suite *suite = suite_create("unequal");
    TCase *tests = tcase_create("unequal");
    tcase_add_loop_test(tests, plans_agree_with_counts, 0, SPEEDS);
    tcase_add_test(tests, trailing_matrices_are_level);
    tcase_add_test(tests, shuffling_levels);
    tcase_add_test(tests, names_and_units);
    tcase_add_test(tests, refuses_schemes);
    tcase_add_test(tests, limits_of_speeds);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(unequal_suite());
}
