#include "src/command/step_loads.h"

#include "layouts/unequal/plan.h"
#include "src/choose/choose.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 200, NUMBER = 26 };

/* Every so many-th double, so many of them: "[1, 2.5]". NULL: no memory, or one is not finite. */
static char *list(const double *value, size_t stride, int count)
{
    char *text = malloc((size_t)count * NUMBER + 3), *end = text;
    if (text == NULL)
        return NULL;
    for (int i = 0; i < count; i++, value += stride) {
        if (!isfinite(*value)) {
            free(text);
            return NULL;
        }
        end += sprintf(end, "%s%.12g", i == 0 ? "[" : ", ", *value);
    }
    sprintf(end, "]");
    return text;
}

static char *list_steps(const struct layout_point *point, int count)
{
    double last[POINTS];
    for (int i = 0; i < count; i++)
        last[i] = point[i].last;
    return list(last, 1, count);
}

static bool fill(struct loads *loads, const struct layout_point *point, int points, const double *abe, int ranks, bool bounded)
{
    const size_t stride = sizeof *point / sizeof(double);
    *loads = (struct loads){ .abe = list(abe, 1, ranks), .abe_steps = list_steps(point, points), .abe_max = list(&point->most, stride, points),
                             .abe_ideal = list(&point->ideal, stride, points), .cabe_spread = list(&point->spread, stride, points),
                             .cpb = bounded ? list(&point->bound, stride, points) : NULL };
    return loads->abe != NULL && loads->abe_steps != NULL && loads->abe_max != NULL && loads->abe_ideal != NULL && loads->cabe_spread != NULL &&
           (!bounded || loads->cpb != NULL);
}

int loads_create(const ompfact_shape *shape, const ompfact_matrix *A, struct loads *loads, char text[COMMAND_TEXT])
{
    struct layout_point point[POINTS];
    struct plan *plan = NULL;
    char why[MESSAGE];
    int steps = A->mt < A->nt ? A->mt : A->nt, points = steps < POINTS ? steps : POINTS;
    *loads = (struct loads){ 0 };
    if (plan_is_scheme(A->pattern->name) && shape_plan(shape, A->pattern->name, A->ranks, &plan, why) != OMPFACT_SUCCESS)
        return refuse(text, "%s", why);
    double *abe = malloc((size_t)A->ranks * sizeof *abe);
    enum layout_algorithm algorithm = is_hermitian(&A->shape) ? LAYOUT_CHOLESKY : LAYOUT_LU;
    bool known = abe != NULL && layout_points(A->layout, algorithm, shape->speeds, plan, points, point, abe) == 0 &&
                 fill(loads, point, points, abe, A->ranks, plan != NULL && plan->kind != PLAN_1D1D);
    plan_destroy(&plan);
    free(abe);
    return known ? 0 : refuse(text, "no memory for the times of %d ranks", A->ranks);
}

void loads_forget(struct loads *loads)
{
    free(loads->abe);
    free(loads->abe_steps);
    free(loads->abe_max);
    free(loads->abe_ideal);
    free(loads->cabe_spread);
    free(loads->cpb);
    *loads = (struct loads){ 0 };
}
