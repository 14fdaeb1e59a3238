/* The known facts about a matrix's machine, and the choices of tiles and devices that follow from them. */
#include "src/plan/forecast.h"

#include <math.h>

ompfact_status ompfact_plan_outlook(ompfact_plan *plan, ompfact_outlook *outlook, char *message)
{
    TRY(plan_know_machine(plan, message));
    const struct machine *m = &plan->known->machine;
    const struct tile_question *q = &plan->question;
    const ompfact_device_use use = plan->devices;
    int nb = plan->forecast.nb, best = tile_size_choose(m, q);
    *outlook = (ompfact_outlook){
        .machine = machine_view(plan->known), .ranks_on_node = q->ranks_on_node, .threads = q->threads, .nb = nb,
        .nb_s = tile_size_seconds(m, q, nb), .best_nb = best, .best_nb_s = tile_size_seconds(m, q, best), .devices = use,
        .balanced_share = use.measured ? machine_formula_share(m, use.devices, use.threads) : NAN };
    return OMPFACT_SUCCESS;
}
