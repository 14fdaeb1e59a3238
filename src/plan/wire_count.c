/* Counts transfers between nodes, from the layout alone. */
#include "src/plan/forecast.h"

#include "src/butterfly/butterfly.h"
#include "src/factor/signs.h"

#include <stdio.h>

static bool count(const ompfact_plan *p, const struct layout *of_nodes, ompfact_forecast *f)
{
    f->wire_transfers = plan_transferred(p, of_nodes, false);
    f->wire_bytes = plan_transferred(p, of_nodes, true) * (int64_t)p->A->precision->size;
    return f->wire_transfers >= 0 && f->wire_bytes >= 0;
}

/* Adds the signs and the data of the butterfly to the counts of Cholesky. */
static bool count_indefinite(const ompfact_plan *p, const struct layout *of_nodes, const struct butterfly_moves *mixed,
                             ompfact_forecast *f)
{
    struct signs_moves signs;
    if (!signs_count(p->A, of_nodes, steps_of_job(&p->job, p->A), &signs))
        return false;
    f->wire_transfers += signs.transfers + mixed->wire_transfers;
    f->wire_bytes += signs.bytes + mixed->wire_bytes;
    return true;
}

ompfact_status count_wire(ompfact_plan *p, const struct butterfly_moves *mixed, char message[MESSAGE])
{
    struct layout *of_nodes = NULL;
    snprintf(message, MESSAGE, "no memory to count what crosses between nodes");
    int code = layout_of_nodes(p->A->layout, p->job.shape.node_of, p->job.shape.nodes, &of_nodes, message);
    bool counted = code == 0 && count(p, of_nodes, &p->forecast);
    if (counted && p->routine->factor == OMPFACT_BY_INDEFINITE)
        counted = count_indefinite(p, of_nodes, mixed, &p->forecast);
    layout_destroy(&of_nodes);
    return counted ? OMPFACT_SUCCESS : OMPFACT_NO_MEMORY;
}
