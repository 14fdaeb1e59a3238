#include "src/command/limit_lines.h"

#include "src/command/case.h"
#include "src/grid/grid.h"
#include "src/machine/machine_known.h"

#include <math.h>
#include <stdlib.h>

/* ---- of a run -------------------------------------------------------------------------------------------------------------- */

/* The job of a run, on the nodes as they are, whatever is read in place. */
static ompfact_job job_of_run(const struct instance *x)
{
    const struct session *s = x->session;
    const struct rma_nodes *nodes = rma_nodes(s->grid->rma);
    ompfact_job job = case_job(s->options, &x->problem, &s->speeds);
    job.ranks = ompfact_ranks(s->grid);
    job.shape.node_of = nodes->node_of;
    job.shape.nodes = nodes->count;
    return job;
}

bool limits_before_run(const struct instance *x, double max_over_mean, struct limits *l)
{
    const struct session *s = x->session;
    int on_node = ompfact_ranks_on_node(s->grid), threads = s->options->threads;
    ompfact_job job = job_of_run(x);
    struct limits_place at = { .machine = &s->grid->known->machine, .threads = threads > 0 ? threads : default_threads(on_node),
                               .ranks_on_node = on_node, .max_over_mean = max_over_mean };
    return limits_find(&job, x->A, &at, l);
}

bool limits_of_run(const struct instance *x, double max_over_mean, struct limits *l)
{
    const struct session *s = x->session;
    struct machine_known *read = s->grid->known == NULL ? machine_know(ompfact_blas_kernels(s->grid)) : NULL;
    const struct machine_known *known = s->grid->known != NULL ? s->grid->known : read;
    bool measured = known != NULL && (known->source == MACHINE_MEASURED || known->source == MACHINE_QUICK);
    ompfact_job job = job_of_run(x);
    struct limits_place at = { .machine = measured ? &known->machine : NULL, .threads = ompfact_threads(s->grid),
                               .ranks_on_node = ompfact_ranks_on_node(s->grid),
                               .gemm_gflops = gemm_known(s, x->problem.type), .max_over_mean = max_over_mean };
    bool found = limits_find(&job, x->A, &at, l);
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
