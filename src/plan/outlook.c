/* What is known of the machine that a matrix will be factored on, and what that says of its tiles and devices. */
#include "src/plan/forecast.h"

#include <math.h>

static ompfact_outlook outlook(const struct machine_known *known, const struct tile_question *q, int nb, ompfact_device_use use)
{
    const struct machine *m = &known->machine;
    int best = tile_size_choose(m, q);
    return (ompfact_outlook){ .machine = machine_view(known), .ranks_on_node = q->ranks_on_node, .threads = q->threads, .nb = nb,
                              .nb_s = tile_size_seconds(m, q, nb), .best_nb = best, .best_nb_s = tile_size_seconds(m, q, best),
                              .devices = use,
                              .balanced_share = use.measured ? machine_formula_share(m, use.devices, use.threads) : NAN };
}

ompfact_status ompfact_grid_outlook(ompfact_grid *grid, const ompfact_shape *shape, ompfact_outlook *of)
{
    struct machine_known *known;
    int nb, on_node = ompfact_ranks_on_node(grid);
    TRY(ompfact_tile_size(grid, shape, &nb));
    TRY(machine_of_grid(grid, &known));
    TRY_MPI(grid, rma_bcast(grid->rma, known, sizeof *known, MPI_BYTE, 0));     /* what the first rank has measured since */
    struct tile_question q = shape_question(shape, ompfact_ranks(grid), grid->cores, on_node);
    *of = outlook(known, &q, nb, grid->device_use);
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_plan_outlook(ompfact_plan *plan, ompfact_outlook *of, char *message)
{
    TRY(plan_know_machine(plan, message));
    *of = outlook(plan->known, &plan->question, plan->forecast.nb, plan->devices);
    return OMPFACT_SUCCESS;
}
