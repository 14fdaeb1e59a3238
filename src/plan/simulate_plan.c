/* Simulates the factorization of a plan on a platform of SimGrid. */
#include "src/plan/forecast.h"

#include "src/factor/trace_text.h"
#include "src/io/text_stream.h"
#include "src/model/platform.h"
#include "src/plan/limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct ompfact_platform {
    struct platform platform;
};

ompfact_status ompfact_platform_create(const char *path, ompfact_platform **platform, char *message)
{
    char text[PLATFORM_TEXT] = "no memory for a platform";
    ompfact_platform *p = *platform = calloc(1, sizeof *p);
    ompfact_status status = p == NULL                                    ? OMPFACT_NO_MEMORY
                            : platform_load(path, &p->platform, text) != 0 ? OMPFACT_BAD_ARGUMENT
                                                                           : OMPFACT_SUCCESS;
    if (status == OMPFACT_SUCCESS)
        return status;
    free(p);
    *platform = NULL;
    return fail_with(message, status, text);
}

void ompfact_platform_destroy(ompfact_platform **platform)
{
    if (*platform != NULL)
        platform_free(&(*platform)->platform);
    free(*platform);
    *platform = NULL;
}

int ompfact_platform_hosts(const ompfact_platform *platform)
{
    return platform->platform.hosts;
}

/* ---- nodes ----------------------------------------------------------------------------------------------------------------- */

static ompfact_status check_hosts(const ompfact_plan *p, const struct platform *platform, char message[MESSAGE])
{
    if (platform->hosts >= p->job.shape.nodes)
        return OMPFACT_SUCCESS;
    snprintf(message, MESSAGE, "the platform has %d hosts, but the ranks of the job need %d", platform->hosts,
             p->job.shape.nodes);
    return OMPFACT_BAD_ARGUMENT;
}

/* The cores of the host with the fewest. */
static int cores_of(const ompfact_plan *p, const struct platform *platform)
{
    int cores = platform->host[0].cores;
    for (int rank = 0; rank < p->job.ranks; rank++) {
        int here = platform->host[p->job.shape.node_of[rank]].cores;
        cores = here < cores ? here : cores;
    }
    return cores;
}

/* Bounds must hold: they take the rate of the fastest host, if all hosts have such rates. */
ompfact_status plan_take_platform(ompfact_plan *p, char message[MESSAGE])
{
    const struct platform *platform = &p->job.platform->platform;
    int flat = 0;
    TRY(check_hosts(p, platform, message));
    p->job.cores_per_node = cores_of(p, platform);
    platform_best_links(p->job.shape.nodes, &p->job.wire_rate, &p->job.wire_latency);
    for (int node = 0; node < p->job.shape.nodes; node++) {
        const struct platform_host *host = &platform->host[node];
        flat += host->flat;
        p->flat_gflops = host->flat ? fmax(p->flat_gflops, 1e-9 * host->speed) : p->flat_gflops;
    }
    p->flat_gflops = flat == 0 || flat == p->job.shape.nodes ? p->flat_gflops : NAN;
    return OMPFACT_SUCCESS;
}

/* ---- rates ----------------------------------------------------------------------------------------------------------------- */

/* By default the cores of a node over its ranks. */
static int threads_of(const ompfact_plan *p, const struct platform *platform)
{
    int share = cores_of(p, platform) / p->most_on_node;
    return p->job.options.threads > 0 ? p->job.options.threads : share > 0 ? share : 1;
}

/* Speeds of the ranks. NULL: no memory. */
static struct model_rates *rates_of_ranks(const ompfact_plan *p, const struct platform *platform)
{
    struct model_rates *rates = malloc((size_t)p->job.ranks * sizeof *rates);
    int busy = threads_of(p, platform) * p->most_on_node;
    for (int rank = 0; rates != NULL && rank < p->job.ranks; rank++) {
        const struct platform_host *host = &platform->host[p->job.shape.node_of[rank]];
        rates[rank] = host->flat ? flat_rates(1e-9 * host->speed)
                                 : rates_of_machine(&p->known->machine, shape_type(&p->A->shape), busy, p->job.shape.nb);
    }
    return rates;
}

/* ---- the run --------------------------------------------------------------------------------------------------------------- */

struct simulated {
    const struct model_graph *graph;
    struct model_machine machine;
    struct model_outcome outcome;
    struct trace *traces;
    int failed;
};

static void simulate(void *context, const struct model_wire *wire)
{
    struct simulated *x = context;
    x->machine.wire = wire;
    x->failed = model_run(x->graph, &x->machine, &x->outcome, NULL, x->traces);
}

static ompfact_status run(ompfact_plan *p, const struct platform *platform, char message[MESSAGE])
{
    const ompfact_options *o = &p->job.options;
    const ompfact_shape *s = &p->job.shape;
    struct rma_nodes nodes = { .ranks = p->job.ranks, .node_of = s->node_of, .count = s->nodes, .in_place = !o->copy_on_node,
                               .bcast = bcast_of(o->bcast) };
    TRY(plan_know_machine(p, message));
    struct model_rates *rates = rates_of_ranks(p, platform);
    struct model_graph *graph = NULL;
    if (rates != NULL)
        graph = model_graph_create(p->A, loops_of(p->routine), o->schedule, &nodes);
    struct simulated x = { .graph = graph, .traces = p->traces,
                           .machine = { .threads = threads_of(p, platform), .rates_of = rates,
                                        .max_tasks = o->max_tasks > 0 ? o->max_tasks : RUN_TASKS,
                                        .task_s = machine_task_seconds(&p->known->machine, threads_of(p, platform)) } };
    if (graph != NULL)
        platform_run(s->node_of, simulate, &x);
    bool done = graph != NULL && !x.failed;
    model_graph_destroy(&graph);
    free(rates);
    if (done) {
        p->forecast.predicted_s = x.outcome.makespan;
        /* If routes share a link that is wider than they are, the links of a host carry more than the rate of any route: they
           give no bound. */
        if (p->forecast.link_bound_s > x.outcome.makespan)
            p->forecast.link_bound_s = NAN;
        return OMPFACT_SUCCESS;
    }
    plan_forget_traces(p);      /* incomplete traces */
    snprintf(message, MESSAGE, "no memory to simulate the tasks of %s of %lld", p->routine->name, (long long)s->n);
    return OMPFACT_NO_MEMORY;
}

static ompfact_status check_and_run(ompfact_plan *p, const ompfact_platform *platform, char message[MESSAGE])
{
    if (p->grid != NULL)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "a plan of a matrix is not simulated");
    if (p->routine->inverts || p->routine->factor == OMPFACT_BY_QR || job_pivot(&p->job) != OMPFACT_PIVOT_NONE)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "Cholesky, and LU without pivoting, can be simulated");
    if (p->job.options.devices != 0)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "a simulation does not support devices");
    if (job_refines_in_mixed(&p->job))
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "a simulation does not support refinement of factors in single");
    TRY(check_hosts(p, &platform->platform, message));
    plan_forget_traces(p);
    if (p->job.options.trace && (p->traces = calloc((size_t)p->job.ranks, sizeof *p->traces)) == NULL)
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for the traces of ranks");
    return run(p, &platform->platform, message);
}

ompfact_status ompfact_plan_simulate(ompfact_plan *plan, const ompfact_platform *platform, char *message)
{
    char text[MESSAGE] = "";
    ompfact_status status = check_and_run(plan, platform, text);
    return status == OMPFACT_SUCCESS ? status : fail_with(message, status, text);
}

/* ---- traces ---------------------------------------------------------------------------------------------------------------- */

/* The trace of a rank. NULL: no memory. */
static char *text_of(const ompfact_plan *p, int rank, size_t *length)
{
    char *text = NULL;
    FILE *file = text_stream(&text, length);
    bool whole = file != NULL && trace_text(file, rank, 0, &p->traces[rank], 0);
    if (file != NULL && fclose(file) == 0 && whole)
        return text;
    free(text);
    return NULL;
}

ompfact_status ompfact_plan_trace(const ompfact_plan *p, ompfact_trace_taker *take, void *context, char *message)
{
    bool taken = true;
    if (p->traces == NULL)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "there is no trace: ompfact_options.trace, and a simulation");
    for (int rank = 0; taken && rank < p->job.ranks; rank++) {
        size_t length;
        char *text = text_of(p, rank, &length);
        if (text == NULL)
            return fail_with(message, OMPFACT_NO_MEMORY, "no memory for a trace");
        taken = take(context, text, length);
        free(text);
    }
    return OMPFACT_SUCCESS;
}

void plan_forget_traces(ompfact_plan *p)
{
    for (int rank = 0; p->traces != NULL && rank < p->job.ranks; rank++)
        trace_destroy(&p->traces[rank]);
    free(p->traces);
    p->traces = NULL;
}
