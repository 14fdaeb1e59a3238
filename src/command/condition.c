/*
 * The condition of a matrix. With --rcond the estimate is always made. Without it a solve makes the estimate only if it is cheap:
 * for small matrices, and where solves are cheap beside the factorization; or if existing results give a reason: the smallest
 * pivot, or a solution that is large beside its right-hand side. ||A^-1|| is at least ||x|| / ||b||, and for a b that does not
 * depend on A not much larger.
 */
#include "src/command/instance.h"

#include "src/io/element.h"

#include <math.h>
#include <stdio.h>

/* Without --rcond. */
static bool watches(const struct options *o)
{
    return o->rcond == RCOND_IF_CHEAP && times_factors(o->routine) && o->routine->solves && !approximates(o);
}

/* Below this value a matrix is singular to working precision: n u. In single precision it is a few u, because half of all random
   matrices of a few hundred rows are below n u. */
static double limit(const ompfact_shape *shape)
{
    const double FEW = 8;
    double n = (double)(shape->m < shape->n ? shape->m : shape->n);
    return (element_is_single(shape->type) ? fmin(n, FEW) : n) * element_roundoff(shape->type);
}

ompfact_status condition_begin(struct instance *x)
{
    const struct options *o = x->session->options;
    x->norm = x->rhs_norm = NAN;
    if (is_qr(o) || !(wants_rcond(o) || watches(o)))
        return OMPFACT_SUCCESS;
    ompfact_status status = ompfact_norm1(x->A, &x->norm);
    return status == OMPFACT_SUCCESS && watches(o) ? ompfact_norm1(x->B, &x->rhs_norm) : status;
}

/* Checks the pivots and the solution of Cholesky and LU. */
static ompfact_status looks_singular(struct instance *x, bool *does)
{
    const double FAR = 1e4;
    double norm = 0, near = FAR * limit(&x->job.shape);
    ompfact_status status = ompfact_norm1(x->B, &norm);
    *does = !(x->norm * norm * near < x->rhs_norm) || x->facts.smallest_pivot < near * x->norm;
    return status;
}

/* Compares about five solves with the time of the run. */
static bool is_cheap(const struct instance *x)
{
    const double SOLVES = 6, SHARE = 0.02;
    double solve = ompfact_last_report(x->B).seconds;
    return SOLVES * solve <= SHARE * (x->timed.seconds + solve);
}

/* The decision is the same on all ranks, whose clocks differ. Between nodes, solves with one right-hand side wait for the
   network. */
static ompfact_status is_worth_it(struct instance *x, bool *is)
{
    enum { SMALL = 2000 };
    bool small = x->job.shape.n < SMALL && ompfact_nodes(x->session->grid) == 1;
    *is = is_qr(x->session->options) || small || is_cheap(x);
    int64_t anywhere = *is;
    together_reduce(x->session->comm, &anywhere, 1, MPI_INT64_T, MPI_MAX);
    *is = anywhere;
    return *is ? OMPFACT_SUCCESS : looks_singular(x, is);
}

ompfact_status compute_condition(struct instance *x)
{
    const struct options *o = x->session->options;
    double rcond = 0;
    bool worth = wants_rcond(o) && !fell_back(x);
    ompfact_status status = OMPFACT_SUCCESS;
    if (!worth && watches(o) && has_factors(x) && keeps_factors(x))
        status = is_worth_it(x, &worth);
    if (status == OMPFACT_SUCCESS && worth && has_factors(x))
        status = ompfact_rcond(x->A, x->norm, &rcond);
    if (status == OMPFACT_NO_MEMORY && !wants_rcond(o))
        return OMPFACT_SUCCESS;     /* there is no memory for the copy of R: a run with a solution does not fail for this */
    if (worth && (wants_rcond(o) || rcond < limit(&x->job.shape)))
        x->facts.rcond = rcond;
    return status;
}

void condition_print(struct instance *x, FILE *table)
{
    double rcond = x->facts.rcond;
    bool singular = rcond < limit(&x->job.shape);
    const char *what = is_qr(x->session->options) ? "the matrix does not have full rank, it is singular to working precision"
                                                  : "the matrix is singular to working precision";
    if (!has_factors(x) || fell_back(x))
        return;
    if (wants_rcond(x->session->options) && table != NULL)
        fprintf(table, "rcond = %.2e\n", rcond);
    if (singular && !x->printed_singular)
        fprintf(stderr, "ompfact: %s: %s: rcond = %.2e\n", x->session->options->routine->name, what, rcond);
    x->printed_singular |= singular;
}
