/* What the tests of uneven tiles share: the work of block-low-rank matrices. */
#ifndef OMPFACT_TESTS_LAYOUTS_TEST_UNEVEN_H
#define OMPFACT_TESTS_LAYOUTS_TEST_UNEVEN_H

#include "layouts/uneven/uneven.h"
#include "tests/layouts/test_layouts.h"

static inline double *blr(const char *args, enum layout_algorithm algorithm, int mt, int nt)
{
    double *weights;
    ck_assert_msg(weights_blr(args, algorithm, mt, nt, &weights, text) == 0, "%s", text);
    return weights;
}

#endif
