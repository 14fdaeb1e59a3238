/* Jobs, plans and forecasts of some routine. */
#ifndef OMPFACT_TESTS_PLAN_PLANS_H
#define OMPFACT_TESTS_PLAN_PLANS_H

#include "src/ompfact_plan.h"
#include "tests/suite.h"

enum { NB = 40 };

static inline ompfact_job job_of(const char *routine, int64_t m, int64_t n, int ranks)
{
    const ompfact_routine *r = ompfact_routine_find(routine);
    ck_assert_ptr_nonnull(r);
    bool triangle = r->factor == OMPFACT_BY_CHOLESKY || r->factor == OMPFACT_BY_INDEFINITE;
    return (ompfact_job){ .routine = routine, .ranks = ranks,
                          .shape = { .m = m, .n = n, .nb = NB,
                                     .structure = triangle ? OMPFACT_HERMITIAN_LOWER : OMPFACT_GENERAL } };
}

static inline ompfact_plan *plan_of(const ompfact_job *job)
{
    ompfact_plan *plan;
    char why[OMPFACT_MESSAGE] = "";
    ck_assert_msg(ompfact_plan_create(job, &plan, why) == OMPFACT_SUCCESS, "%s: %s", job->routine, why);
    return plan;
}

static inline ompfact_forecast forecast_of(const ompfact_job *job)
{
    ompfact_plan *plan = plan_of(job);
    ompfact_forecast f = *ompfact_plan_forecast(plan);
    ompfact_plan_destroy(&plan);
    ck_assert_ptr_null(plan);
    return f;
}

#endif
