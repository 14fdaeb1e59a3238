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

/* The hosts of a platform may have one rate for all kernels and sizes. */
static void take_flat_rates(struct machine *m, double gflops)
{
    static const char types[] = "sdcz";
    static const int sizes[] = { 1, 1 << 20 };
    for (int t = 0; t < MACHINE_TYPES; t++)
        for (enum rate_kernel kernel = 0; kernel < RATE_KERNELS; kernel++)
            for (int s = 0; s < 2; s++)
                m->rate[m->rates++] = (struct machine_rate){ types[t], kernel, 1, sizes[s], gflops };
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
    if (p->flat_gflops > 0)
        take_flat_rates(m, p->flat_gflops);
    k->source = MACHINE_GIVEN;
    k->why[0] = '\0';
}

/* Transfers are those of the platform's fastest links. */
static void take_links(const ompfact_plan *p, struct machine *m)
{
    if (p->job.platform == NULL || !(p->job.wire_rate > 0))
        return;
    m->t_s = p->job.wire_latency;
    m->t_w = 8 / p->job.wire_rate;
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
        take_links(p, &p->own_known->machine);
    }
    if (p->grid == NULL)
        take_cores(p, &p->own_known->machine);
    return OMPFACT_SUCCESS;
}
