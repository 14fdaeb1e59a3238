/* The machine of a job's nodes: that of a file, or this machine, where the job and its platform do not specify it. */
#include "src/plan/forecast.h"

static ompfact_status read_machine(ompfact_plan *p, struct machine_known *k, char message[MESSAGE])
{
    if (p->job.machine == NULL)
        return OMPFACT_SUCCESS;
    k->source = machine_read_any(p->job.machine, &k->machine, k->why);
    if (k->source != MACHINE_MEASURED)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, k->why);
    k->why[0] = '\0';
    return OMPFACT_SUCCESS;
}

/* The file has the measurements of another machine. */
static void take_rates(const ompfact_plan *p, struct machine_known *k)
{
    struct machine *m = &k->machine;
    if (!(p->job.core_gflops > 0) && !(p->flat_gflops > 0))
        return;
    m->core_gflops = p->flat_gflops > 0 ? p->flat_gflops : p->job.core_gflops;
    m->rates = m->speeds = m->tasks = 0;
    m->transfers_measured = false;
    k->source = MACHINE_GIVEN;
    k->why[0] = '\0';
}

/* Unless the job gives the cores of a node, each thread on paper has a core. */
static void take_cores(ompfact_plan *p, struct machine *m)
{
    int busy = p->threads * p->most_on_node;
    m->cores = p->job.cores_per_node > 0 ? p->job.cores_per_node : m->cores;
    if (!p->cores_given && busy > m->cores)
        m->cores = busy;
}

ompfact_status plan_know_machine(ompfact_plan *p, char message[MESSAGE])
{
    if (p->known == NULL) {
        p->known = p->own_known = machine_know(blas_select_kernels());
        if (p->known == NULL)
            return fail_with(message, OMPFACT_NO_MEMORY, "no memory for the rates of a machine");
        TRY(read_machine(p, p->own_known, message));
        take_rates(p, p->own_known);
    }
    if (p->grid == NULL)
        take_cores(p, &p->own_known->machine);
    return OMPFACT_SUCCESS;
}
