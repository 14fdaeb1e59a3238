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

#endif
