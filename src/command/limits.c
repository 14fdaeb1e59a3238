#include "src/command/limits.h"

#include "src/command/case.h"
#include "src/model/chain.h"

#include <math.h>
#include <stdlib.h>

/* What is known of where it runs. */
struct question {
    double gemm_gflops;         /* of all ranks together; 0: not known */
    double max_over_mean;
    int busy;                   /* threads that compute at once on a node */
    const struct machine *machine;      /* its kernels' rates; NULL: not known */
    struct wire wire;
};

/* ---- what is known --------------------------------------------------------------------------------------------------------- */

struct model_rates rates_of_machine(const struct machine *machine, char type, int busy, int nb)
{
    static const enum rate_kernel kernels[TASK_KINDS] = { [TASK_POTRF] = RATE_POTRF, [TASK_GETRF] = RATE_GETRF,
                                                          [TASK_TRSM] = RATE_TRSM, [TASK_SYRK] = RATE_SYRK,
                                                          [TASK_GEMM] = RATE_GEMM };
    struct model_rates rates;
    for (int kind = 0; kind < TASK_KINDS; kind++)
        rates.gflops[kind] = machine_thread_rate(machine, type, kernels[kind], busy, nb);
    return rates;
}

/* The link between the nodes on which --tune measured, or that the options have; rate 0: neither. */
static struct wire known_wire(const struct options *o, const struct machine *machine)
{
    if (o->wire.rate > 0 || machine == NULL || !machine->transfers_measured || !machine->over_network)
        return o->wire;
    return (struct wire){ .rate = 8 / machine->t_w, .latency = machine->t_s };
}

/* ---- the three ------------------------------------------------------------------------------------------------------------- */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* That of a node which sends or receives most, of a layout of nodes. -1: no memory. */
static int64_t busiest_link_bytes(const struct layout *l, enum layout_algorithm algorithm, const ompfact_matrix *A)
{
    size_t nodes = (size_t)l->ranks;
    struct layout_links links = { malloc(nodes * sizeof(int64_t)), malloc(nodes * sizeof(int64_t)) };
    int *heights = tiling_sizes(&A->rows), *widths = tiling_sizes(&A->cols);
    int64_t most = -1;
    if (links.sent != NULL && links.received != NULL && heights != NULL && widths != NULL &&
        layout_load_links(l, algorithm, heights, widths, &links) == 0) {
        most = 0;
        for (int q = 0; q < l->ranks; q++)
            most = larger(most, larger(links.sent[q], links.received[q]));
    }
    free(links.sent);
    free(links.received);
    free(heights);
    free(widths);
    return most < 0 ? -1 : most * (int64_t)A->precision->size;
}

/* As they are, whatever is read in place. */
static const int *nodes_of(const struct session *s, int *count)
{
    const struct rma_nodes *nodes = s->grid != NULL ? rma_nodes(s->grid->rma) : NULL;
    *count = nodes != NULL ? nodes->count : s->nodes;
    return nodes != NULL ? nodes->node_of : s->node_of;
}

static double link_seconds(const struct instance *x, double rate)
{
    int nodes;
    const int *node_of = nodes_of(x->session, &nodes);
    char unread[LAYOUT_TEXT];
    struct layout *of_nodes = NULL;
    int64_t bytes = -1;
    if (layout_of_nodes(x->A->layout, node_of, nodes, &of_nodes, unread) == 0)
        bytes = busiest_link_bytes(of_nodes, is_cholesky(x->session->options) ? LAYOUT_CHOLESKY : LAYOUT_LU, x->A);
    layout_destroy(&of_nodes);
    return bytes < 0 ? NAN : (double)bytes / rate;
}

static double alone(void *context, int from, int to, int64_t bytes)
{
    const struct wire *wire = context;
    (void)from, (void)to;
    return wire->latency + (double)bytes / wire->rate;
}

static double chain(const struct instance *x, const struct question *q)
{
    struct wire link = q->wire;
    struct model_wire wire = { .context = &link, .alone = alone };
    struct model_machine machine = { .rates = rates_of_machine(q->machine, x->problem.type, q->busy, x->problem.nb),
                                     .wire = link.rate > 0 ? &wire : NULL };
    int nodes;
    return chain_seconds(x->A, is_cholesky(x->session->options) ? &cholesky : &lu, nodes_of(x->session, &nodes), &machine);
}

static bool find(const struct instance *x, const struct question *q, struct limits *l)
{
    const struct options *o = x->session->options;
    int nodes;
    nodes_of(x->session, &nodes);
    bool wired = nodes == 1 || q->wire.rate > 0, as_rated = times_factors(o->routine) && o->devices == 0 && !refines_in_mixed(o);
    *l = (struct limits){ NAN, NAN, NAN };
    if (x->A->mt == 0 || x->A->nt == 0 || o->routine->inverts || o->accuracy > 0)
        return true;
    if (as_rated && q->gemm_gflops > 0)
        l->work = 1e-9 * case_flops(o, &x->problem) * q->max_over_mean / q->gemm_gflops;
    if (is_qr(o))
        return true;
    if (wired)
        l->link = nodes == 1 ? 0 : link_seconds(x, q->wire.rate);
    bool chained = wired && as_rated && q->machine != NULL;
    if (chained)
        l->chain = chain(x, q);
    return (!wired || !isnan(l->link)) && (!chained || !isnan(l->chain));
}

static struct question question_of(const struct instance *x, const struct machine *machine, int threads, int ranks_on_node,
                                   double max_over_mean)
{
    struct question q = { .max_over_mean = max_over_mean, .machine = machine, .wire = known_wire(x->session->options, machine) };
    if (machine != NULL) {
        q.busy = machine_busy(machine, threads, ranks_on_node);
        q.gemm_gflops = x->A->ranks * ((double)q.busy / ranks_on_node) *
                        machine_thread_rate(machine, x->problem.type, RATE_GEMM, q.busy, x->problem.nb);
    }
    return q;
}

bool limits_forecast(const struct instance *x, const struct machine *machine, int ranks_on_node, double max_over_mean,
                     struct limits *l)
{
    const struct options *o = x->session->options;
    int threads = o->threads > 0 ? o->threads : default_threads(ranks_on_node);
    struct question q = question_of(x, machine, threads, ranks_on_node, max_over_mean);
    return find(x, &q, l);
}

bool limits_of_run(const struct instance *x, double max_over_mean, struct limits *l)
{
    const struct session *s = x->session;
    struct machine_known *read = s->known == NULL ? machine_know(ompfact_blas_kernels(s->grid)) : NULL;
    const struct machine_known *known = s->known != NULL ? s->known : read;
    bool measured = known != NULL && (known->source == MACHINE_MEASURED || known->source == MACHINE_QUICK);
    struct question q = question_of(x, measured ? &known->machine : NULL, ompfact_threads(s->grid),
                                    ompfact_ranks_on_node(s->grid), max_over_mean);
    if (gemm_known(s, x->problem.type) > 0)
        q.gemm_gflops = s->gemm_gflops;
    bool found = find(x, &q, l);
    free(read);
    return found;
}

/* ---- in words -------------------------------------------------------------------------------------------------------------- */

enum { LIMITS = 3 };

struct named {
    const char *name;
    double seconds;
};

/* Prints those that are known, and returns the largest; NULL: none is. */
static const struct named *print(FILE *out, const char *before, const struct named *limits)
{
    const struct named *largest = NULL;
    for (const struct named *l = limits; l < limits + LIMITS; l++) {
        if (isnan(l->seconds))
            continue;
        fprintf(out, "%s%s %.3g s", largest == NULL ? before : ", ", l->name, l->seconds);
        largest = largest == NULL || l->seconds > largest->seconds ? l : largest;
    }
    return largest;
}

void limits_print_forecast(FILE *out, const struct limits *l)
{
    const struct named limits[LIMITS] = { { "work", l->work }, { "wire", l->link }, { "chain", l->chain } };
    const struct named *largest = print(out, "limits: ", limits);
    if (largest == NULL)
        return;
    fprintf(out, "\n  no order of tasks and transfers takes less than any of them");
    if (!isnan(l->work) && !isnan(l->link) && !isnan(l->chain))
        fprintf(out, "; the %s limits this run\n\n", largest->name);
    else
        fprintf(out, "; the others are not known (of Cholesky and LU on hosts --tune on\n"
                     "  several nodes, or --wire RATE in a dry run, tells wire and chain)\n\n");
}

void limits_print_run(FILE *out, const struct limits *l, double seconds)
{
    const struct named limits[LIMITS] = { { "work", l->work }, { "wire", l->link }, { "chain", l->chain } };
    const struct named *largest = print(out, "limits: ", limits);
    if (largest != NULL)
        fprintf(out, "; the run took %.3g s, %.2f times the %s\n", seconds, seconds / largest->seconds, largest->name);
}
