/* Chooses the number of copies of a matrix. */
#include "src/matrix/layers.h"
#include "src/plan/forecast.h"
#include "src/plan/limits.h"

#include <math.h>

enum { MOST_COPIES = 8 };       /* more copies save less, and each number needs a plan */
#define WORTH_IT 0.95           /* largest share of the time for which copies are worth their memory */

/* The predicted time of a factorization on nodes with known links: the largest of its work bound, its link bound and its chain
   bound. NaN: not known. */
static double seconds_of(const ompfact_plan *p)
{
    const ompfact_forecast *f = &p->forecast;
    const struct limits_link link = limits_link(&p->job, p->known != NULL ? &p->known->machine : NULL);
    bool linked = f->nodes > 1 && link.rate > 0;
    double most = fmax(fmax(f->work_bound_s, f->link_bound_s), f->chain_bound_s);
    return linked && !isnan(f->work_bound_s + f->link_bound_s + f->chain_bound_s) ? most : NAN;
}

/* Plans one number of copies; it becomes the choice if it is faster than the best so far. */
static ompfact_status weigh(const ompfact_job *job, ompfact_copies *choice, char *message)
{
    CLEANUP(ompfact_plan_destroy) ompfact_plan *p = NULL;
    TRY(ompfact_plan_create(job, &p, message));
    double seconds = seconds_of(p);
    if (job->shape.copies == 1)
        choice->seconds = choice->seconds_of_one = seconds;
    double limit = choice->copies == 1 ? WORTH_IT * choice->seconds : choice->seconds;
    bool fits = p->job.memory == 0 || p->forecast.copies == 1 ||
                (double)p->forecast.memory_bytes_max <= OMPFACT_COPIES_SHARE * (double)p->job.memory;
    if (fits && (seconds < limit || choice->copies == 0)) {
        choice->copies = p->forecast.copies;
        choice->seconds = seconds;
    }
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_plan_copies(const ompfact_job *job, ompfact_copies *choice, char *message)
{
    ompfact_job trial = *job;
    ompfact_status first = OMPFACT_SUCCESS;
    char unread[OMPFACT_MESSAGE];
    *choice = (ompfact_copies){ .seconds = NAN, .seconds_of_one = NAN };
    trial.bounds = true;
    trial.shape.copies = 1;
    first = weigh(&trial, choice, message);
    bool unknown = first == OMPFACT_SUCCESS && isnan(choice->seconds);
    while (!unknown && trial.shape.copies < MOST_COPIES && trial.shape.copies < job->ranks) {
        trial.shape.copies++;
        ompfact_status status = weigh(&trial, choice, unread);
        if (status == OMPFACT_NO_MEMORY)
            return fail_with(message, status, unread);
    }
    return choice->copies > 0 ? OMPFACT_SUCCESS : first;      /* a layout may only suit the ranks of one layer */
}

ompfact_status ompfact_grid_copies(ompfact_grid *grid, const ompfact_job *job, ompfact_copies *choice)
{
    const struct rma_nodes *nodes = rma_nodes(grid->rma);
    ompfact_job here = *job;
    ompfact_status status = OMPFACT_SUCCESS;
    *choice = (ompfact_copies){ .copies = 1 };
    here.ranks = rma_ranks(grid->rma);
    here.shape.node_of = nodes->node_of;
    here.shape.nodes = nodes->count;
    TRY(memory_share(grid, &here.memory));
    if (rma_rank(grid->rma) == 0)
        status = ompfact_plan_copies(&here, choice, grid->message);
    TRY(agree(grid, status));
    double values[] = { (double)choice->copies, choice->seconds, choice->seconds_of_one };
    TRY_MPI(grid, rma_bcast(grid->rma, values, 3, MPI_DOUBLE, 0));
    *choice = (ompfact_copies){ (int64_t)values[0], values[1], values[2] };
    return OMPFACT_SUCCESS;
}
