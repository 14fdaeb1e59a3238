/* Questions with speeds, and layouts for them. */
#ifndef OMPFACT_TESTS_LAYOUTS_TEST_UNEQUAL_H
#define OMPFACT_TESTS_LAYOUTS_TEST_UNEQUAL_H

#include "layouts/unequal/plan.h"
#include "tests/layouts/test_layouts.h"

static inline struct layout_question question_of(enum layout_algorithm algorithm, const double *speeds, int ranks, int mt, int nt)
{
    return (struct layout_question){ .algorithm = algorithm, .ranks = ranks, .mt = mt, .nt = nt, .speeds = speeds,
                                     .part = algorithm == LAYOUT_CHOLESKY ? LAYOUT_LOWER : LAYOUT_FULL };
}

static inline struct layout *lay_out(const char *scheme, const struct layout_question *q)
{
    struct pattern *p;
    ck_assert_msg(pattern_create_for(scheme, q, &p, text) == 0, "%s", text);
    struct layout *l = lay(p, q->mt, q->nt, q->part);
    pattern_destroy(&p);
    return l;
}

/* ---- speeds and plans ------------------------------------------------------------------------------------------------------ */

static const double some_speeds[][9] = {    /* each row up to the first 0 */
    { 1 }, { 1, 3 }, { 1, 1, 1 }, { 1, 1, 2, 2, 4 }, { 4, 1, 2, 1, 2 }, { 5, 1, 3, 2, 2, 5, 1 }, { 1, 1.3, 1.7, 2.9, 3.1, 7 },
    { 2, 2, 2, 2, 1, 1, 1, 1 }, { 1, 40, 1, 1 }, { 0.1, 0.1, 0.2, 0.3, 0.3, 0.3 },
};
enum { SPEEDS = sizeof some_speeds / sizeof some_speeds[0] };

static inline int count_of(const double *speeds)
{
    int count = 0;
    while (count < 9 && speeds[count] > 0)
        count++;
    return count;
}

/* `slow` ranks of speed 1, then `fast` ones of speed 2. */
static inline double *two_kinds(int slow, int fast)
{
    double *speeds = zeros((size_t)(slow + fast), sizeof *speeds);
    for (int rank = 0; rank < slow + fast; rank++)
        speeds[rank] = rank < slow ? 1 : 2;
    return speeds;
}

static inline struct plan *plan_for(const char *scheme, const struct layout_question *q)
{
    struct plan *plan;
    ck_assert_msg(plan_create(scheme, q, &plan, text) == 0, "%s", text);
    return plan;
}

#endif
