#include "src/plan/limits.h"

#include "src/model/chain.h"
#include "src/plan/forecast.h"

#include <math.h>
#include <stdlib.h>

/* Bounds of a job on a machine. */
struct question {
    const ompfact_job *job;
    const ompfact_routine *routine;
    const ompfact_matrix *A;
    int nodes;
    const struct limits_place *at;
    int busy;                   /* threads of a node that compute at once */
    double gemm_gflops;         /* of all ranks together; 0: not known */
    struct limits_link link;
};

/* ---- what is known --------------------------------------------------------------------------------------------------------- */

struct model_rates rates_of_machine(const struct machine *machine, char type, int busy, int nb)
{
    static const enum rate_kernel kernels[TASK_KINDS] = { [TASK_POTRF] = RATE_POTRF, [TASK_SYTRF] = RATE_POTRF,
                                                          [TASK_GETRF] = RATE_GETRF, [TASK_TRSM] = RATE_TRSM,
                                                          [TASK_SYRK] = RATE_SYRK, [TASK_GEMM] = RATE_GEMM };
    struct model_rates rates;
    for (int kind = 0; kind < TASK_KINDS; kind++)
        rates.gflops[kind] = machine_thread_rate(machine, type, kernels[kind], busy, nb);
    return rates;
}

struct model_rates flat_rates(double gflops)
{
    struct model_rates rates;
    for (int kind = 0; kind < TASK_KINDS; kind++)
        rates.gflops[kind] = gflops;
    return rates;
}

static struct model_rates rates_at(const struct limits_place *at, char type, int busy, int nb)
{
    return at->flat_gflops > 0 ? flat_rates(at->flat_gflops) : rates_of_machine(at->machine, type, busy, nb);
}

struct limits_link limits_link(const ompfact_job *job, const struct machine *machine)
{
    if (job->wire_rate > 0 || machine == NULL || !machine->transfers_measured || !machine->over_network)
        return (struct limits_link){ job->wire_rate, job->wire_latency };
    return (struct limits_link){ .rate = 8 / machine->t_w, .latency = machine->t_s };
}

/* ---- the four -------------------------------------------------------------------------------------------------------------- */

/* The elements that the busiest node sends or receives. -1: no memory. */
static int64_t busiest_link(const ompfact_matrix *A, const int *node_of, int nodes)
{
    struct layout_links links = { calloc((size_t)nodes, sizeof(int64_t)), calloc((size_t)nodes, sizeof(int64_t)) };
    int64_t most = -1;
    if (links.sent != NULL && links.received != NULL && links_of_nodes(A, node_of, nodes, &links)) {
        most = 0;
        for (int q = 0; q < nodes; q++)
            most = larger_count(most, larger_count(links.sent[q], links.received[q]));
    }
    free(links.sent);
    free(links.received);
    return most;
}

static double link_seconds(const struct question *q)
{
    int64_t elements = busiest_link(q->A, q->job->shape.node_of, q->nodes);
    return elements < 0 ? NAN : (double)(elements * job_element_bytes(q->job, q->A)) / q->link.rate;
}

static double alone(void *context, int from, int to, int64_t bytes)
{
    const struct limits_link *link = context;
    (void)from, (void)to;
    return link->latency + (double)bytes / link->rate;
}

static double chain(const struct question *q)
{
    struct limits_link link = q->link;
    struct model_wire wire = { .context = &link, .alone = alone };
    struct model_machine machine = { .rates = rates_at(q->at, shape_type(&q->A->shape), q->busy, q->job->shape.nb),
                                     .wire = link.rate > 0 ? &wire : NULL };
    return chain_seconds(q->A, loops_of(q->routine), q->job->shape.node_of, &machine);
}

/* Bounds for a matrix with dense factors that is not empty. */
static bool find(const struct question *q, ompfact_forecast *f)
{
    bool wired = q->nodes == 1 || q->link.rate > 0;
    bool as_rated = times_factorization(q->routine) && q->job->options.devices == 0 && !job_refines_in_mixed(q->job);
    if (as_rated && q->gemm_gflops > 0)
        f->work_bound_s = 1e-9 * ompfact_job_flops(q->job) * q->at->max_over_mean / q->gemm_gflops;
    if (as_rated && q->at->machine != NULL)
        f->tasks_bound_s = tile_size_tasks(q->at->question, q->job->shape.nb) *
                           machine_task_seconds(q->at->machine, q->at->threads);
    if (q->routine->factor == OMPFACT_BY_QR)
        return true;
    if (wired)
        f->link_bound_s = q->nodes == 1 ? 0 : link_seconds(q);
    bool chained = wired && as_rated && q->at->machine != NULL;
    if (chained)
        f->chain_bound_s = chain(q);
    return (!wired || !isnan(f->link_bound_s)) && (!chained || !isnan(f->chain_bound_s));
}

bool limits_find(const ompfact_job *job, const ompfact_matrix *A, const struct limits_place *at, ompfact_forecast *f)
{
    struct question q = { .job = job, .routine = routine_of(job), .A = A, .nodes = job->shape.nodes, .at = at,
                          .gemm_gflops = at->gemm_gflops, .link = limits_link(job, at->machine) };
    f->work_bound_s = f->link_bound_s = f->chain_bound_s = f->tasks_bound_s = NAN;
    if (A->mt == 0 || A->nt == 0 || q.routine->inverts || job->shape.accuracy > 0 || job->shape.tile_precision != 0 ||
        job->partial > 0 || job->factored > 0)
        return true;
    if (at->machine != NULL)
        q.busy = machine_busy(at->machine, at->threads, at->ranks_on_node);
    if (at->machine != NULL && q.gemm_gflops == 0)
        q.gemm_gflops = A->ranks * ((double)q.busy / at->ranks_on_node) *
                        rates_at(at, shape_type(&A->shape), q.busy, job->shape.nb).gflops[TASK_GEMM];
    return find(&q, f);
}
