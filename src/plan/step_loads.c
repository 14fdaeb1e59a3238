#include "src/plan/step_loads.h"

#include "layouts/unequal/plan.h"
#include "src/plan/forecast.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 200 };

/* False: no memory, or a number is not finite. */
static bool fill(struct step_loads *loads, const struct layout_point *point, const double *time)
{
    bool known = true;
    for (int rank = 0; rank < loads->view.ranks; rank++)
        known = known && isfinite(time[rank]);
    for (int i = 0; i < loads->view.points; i++) {
        const struct layout_point *p = &point[i];
        loads->point[i] = (ompfact_step_load){ (int)p->last, p->most, p->ideal, p->spread, p->bound };
        known = known && isfinite(p->last + p->most + p->ideal + p->spread) && (!loads->view.bounded || isfinite(p->bound));
    }
    loads->view.time = loads->time;
    loads->view.point = loads->point;
    return known;
}

ompfact_status step_loads_create(const ompfact_shape *shape, const ompfact_matrix *A, struct step_loads *loads,
                                 char message[MESSAGE])
{
    struct layout_point point[POINTS];
    CLEANUP(plan_destroy) struct plan *plan = NULL;
    int steps = steps_of(A), points = steps < POINTS ? steps : POINTS;
    *loads = (struct step_loads){ .view = { .ranks = A->ranks, .points = points } };
    if (plan_is_scheme(A->pattern->name))
        TRY(shape_plan(shape, A->pattern->name, A->ranks, &plan, message));
    loads->view.bounded = plan != NULL && plan->kind != PLAN_1D1D;
    loads->time = malloc((size_t)A->ranks * sizeof *loads->time);
    loads->point = malloc((size_t)points * sizeof *loads->point);
    enum layout_algorithm algorithm = stores_triangle(&A->shape) ? LAYOUT_CHOLESKY : LAYOUT_LU;
    bool known = loads->time != NULL && loads->point != NULL &&
                 layout_points(A->layout, algorithm, shape->speeds, plan, points, point, loads->time) == 0 &&
                 fill(loads, point, loads->time);
    return known ? OMPFACT_SUCCESS : fail_with(message, OMPFACT_NO_MEMORY, "no memory for the ranks' times");
}

void step_loads_forget(struct step_loads *loads)
{
    free(loads->time);
    free(loads->point);
    *loads = (struct step_loads){ 0 };
}

bool job_has_loads(const ompfact_job *job, const ompfact_matrix *A)
{
    const ompfact_routine *routine = routine_of(job);
    return routine->factor != OMPFACT_BY_QR && job->partial == 0 && job->factored == 0 && times_factorization(routine) &&
           A->mt > 0 && A->nt > 0 && A->layers == NULL && (job->shape.speeds != NULL || plan_is_scheme(A->pattern->name));
}
