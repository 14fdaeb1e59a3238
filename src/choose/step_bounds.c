/* Critical path bounds of "1d1d-c" and "1d1d-cs", from a machine that `ompfact --tune` has measured. */
#include "src/choose/choose.h"

#include "layouts/unequal/plan.h"
#include "src/io/c_locale.h"
#include "src/machine/machine_known.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool shape_leaves_bounds(const ompfact_shape *s)
{
    return s->pattern == NULL && s->owner == NULL && s->layout != NULL &&
           (strcmp(s->layout, "1d1d-c") == 0 || strcmp(s->layout, "1d1d-cs") == 0);
}

/* Finds the distinct speeds, fastest first, up to a maximum number; returns their number. */
static int list_speeds(const double *speeds, int ranks, double *speed, int most)
{
    double below = INFINITY;
    for (int count = 0; count < most; count++) {
        double fastest = 0;
        for (int rank = 0; rank < ranks; rank++)
            if (speeds[rank] < below && speeds[rank] > fastest)
                fastest = speeds[rank];
        if (fastest == 0)
            return count;
        speed[count] = below = fastest;
    }
    return most;
}

/* Writes the layout with the bounds of a machine: for a rank of each speed, the panel, the solve and the update of one step, one
   after the other on its threads, and two transfers, in updates of the slowest rank. threads: of rank 0. The shape has a tile
   size, a type, and no speeds or those of so many ranks. */
static void bound_by(const ompfact_shape *s, const struct machine *m, int ranks, int threads, char layout[BOUNDED_LAYOUT])
{
    static const double alike[] = { 1 };
    const double *speeds = s->speeds != NULL ? s->speeds : alike;
    const enum rate_kernel kernels[] = { stores_triangle(s) ? RATE_POTRF : RATE_GETRF, RATE_TRSM, RATE_GEMM };
    int given = s->speeds != NULL ? ranks : 1;
    char type = shape_type(s);
    double nb = s->nb, gemm = machine_thread_rate(m, type, RATE_GEMM, threads, nb), path = 0, speed[PLAN_CPB - 1];
    for (int i = 0; i < 3; i++)
        path += rate_kernel_flops(kernels[i], nb, type) / machine_thread_rate(m, type, kernels[i], threads, nb);
    double update = rate_kernel_flops(RATE_GEMM, nb, type) / gemm / threads;    /* by all threads of rank 0; in ns, like path */
    double least = speeds[0];
    for (int rank = 1; rank < given; rank++)
        least = fmin(least, speeds[rank]);
    int count = list_speeds(speeds, given, speed, PLAN_CPB - 1), length;
    double words = nb * nb * (double)precision_of(type)->size / 8;
    double transfers = 2e9 * (m->t_s + m->t_w * words) / (update * speeds[0] / least);
    struct c_locale c = c_locale_begin();
    length = snprintf(layout, BOUNDED_LAYOUT, "%s:cpb=%.3g", s->layout, path / update * least / speed[0]);
    for (int i = 0; i < count; i++)
        length += snprintf(layout + length, BOUNDED_LAYOUT - (size_t)length, "/%.3g",
                           path / update * least / speed[i] + transfers);
    c_locale_end(c);
}

ompfact_status shape_choose_bounds(ompfact_grid *grid, ompfact_shape *shape, char layout[BOUNDED_LAYOUT])
{
    struct machine_known *known;
    if (!shape_leaves_bounds(shape))
        return OMPFACT_SUCCESS;
    TRY(machine_of_grid(grid, &known));
    if (known->source != MACHINE_MEASURED || shape->nb < 1 || precision_of(shape_type(shape)) == NULL)
        return OMPFACT_SUCCESS;
    char unread[LAYOUT_TEXT];       /* the layout refuses wrong speeds */
    if (layout_check_speeds(shape->speeds, ompfact_ranks(grid), unread) != 0)
        snprintf(layout, BOUNDED_LAYOUT, "%s", shape->layout);
    else
        bound_by(shape, &known->machine, ompfact_ranks(grid), ompfact_threads(grid), layout);
    TRY_MPI(grid, rma_bcast(grid->rma, layout, BOUNDED_LAYOUT, MPI_CHAR, 0));      /* depends on the threads of rank 0 */
    shape->layout = layout;
    return OMPFACT_SUCCESS;
}
