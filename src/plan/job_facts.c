/* The facts that follow from a job. */
#include "src/plan/forecast.h"

#include "omp/kernels/flops.h"
#include "src/butterfly/butterfly.h"
#include "src/factor/pivot.h"

#include <math.h>
#include <stdio.h>

ompfact_pivot job_pivot(const ompfact_job *job)
{
    return routine_of(job)->factor == OMPFACT_BY_LU ? pivot_method(job->options.pivot, job->ranks) : OMPFACT_PIVOT_NONE;
}

int job_butterfly_depth(const ompfact_job *job)
{
    return job->partial > 0 ? 0 : butterfly_depth(job->options.butterfly);
}

int threads_of_job(const ompfact_job *job, int ranks_on_node)
{
    int share = job->cores_per_node / ranks_on_node;
    if (job->options.threads > 0)
        return job->options.threads;
    return job->cores_per_node == 0 ? default_threads(ranks_on_node) : share > 0 ? share : 1;
}

/* Flops for so many rows and columns, in real arithmetic. */
static double flops_of(const ompfact_job *job, double m, double n)
{
    const ompfact_routine *routine = routine_of(job);
    double k = m < n ? m : n, nrhs = job->nrhs > 0 ? (double)job->nrhs : 1;
    double flops = !times_factorization(routine) && routine->solves ? n * n * nrhs
                   : has_triangle(routine)                          ? n * n * n / 3
                   : routine->factor == OMPFACT_BY_LU               ? getrf_flops(m, n)
                                                                    : 2 * k * k * (m + n - k - k / 3);
    if (routine->factored)
        flops *= 2;         /* the inverse from a factor, or a solve with it, and the second triangle */
    return flops;
}

double ompfact_job_flops(const ompfact_job *job)
{
    const ompfact_shape *s = &job->shape;
    char type = shape_type(s);
    if (routine_of(job) == NULL)
        return NAN;
    double n = (double)s->n, m = (double)shape_rows(s), rows = (double)job->partial, old = (double)job->factored;
    double flops = flops_of(job, m, n) - (rows > 0 ? flops_of(job, m - rows, n - rows) : 0) - flops_of(job, old, old);
    return type == 'c' || type == 'z' ? 4 * flops : flops;
}

static bool has_shape_of(const ompfact_routine *r, const ompfact_shape *s)
{
    return r->symmetric ? is_own_transpose(s) : has_triangle(r) ? is_hermitian(s) : !stores_triangle(s);
}

static ompfact_status check_partial(const ompfact_job *job, char message[MESSAGE])
{
    const ompfact_routine *r = routine_of(job);
    const ompfact_shape *s = &job->shape;
    int64_t m = shape_rows(s);
    if (job->partial == 0)
        return OMPFACT_SUCCESS;
    if (r->solves || r->inverts || r->factor == OMPFACT_BY_QR)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "only potrf, getrf, sytrf and hetrf are planned in part");
    if (job->partial < 0 || job->partial >= m || job->partial >= s->n)
        return fail_with(message, OMPFACT_BAD_ARGUMENT,
                         "a part of a factorization has at least one row and fewer than the matrix");
    return OMPFACT_SUCCESS;
}

static ompfact_status check_factored(const ompfact_job *job, char message[MESSAGE])
{
    const ompfact_routine *r = routine_of(job);
    if (job->factored == 0)
        return OMPFACT_SUCCESS;
    if (r->factor != OMPFACT_BY_CHOLESKY || r->inverts || r->triangular || !times_factorization(r) || job->partial != 0)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "rows are appended only to factors of potrf and posv");
    if (job->factored < 0 || job->factored > job->shape.n)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "a factor that rows are appended to has no more rows than the matrix");
    return OMPFACT_SUCCESS;
}

static ompfact_status check_routine(const ompfact_job *job, bool on_paper, char message[MESSAGE])
{
    const ompfact_routine *r = routine_of(job);
    const ompfact_shape *s = &job->shape;
    bool triangle = r != NULL && has_triangle(r);
    if (r == NULL)
        snprintf(message, MESSAGE, "there is no routine \"%.40s\"", job->routine == NULL ? "" : job->routine);
    else if (on_paper && r->solves && !times_factorization(r))
        snprintf(message, MESSAGE, "%s only solves: factorizations and inverses are planned", r->name);
    else if (!has_shape_of(r, s))
        snprintf(message, MESSAGE, "%s needs a shape that is %s", r->name,
                 r->symmetric ? "symmetric" : triangle ? "Hermitian" : "OMPFACT_GENERAL");
    else if (r->square && !triangle && shape_rows(s) != s->n)
        snprintf(message, MESSAGE, "%s needs a square matrix, and this one is %lld x %lld", r->name, (long long)s->m,
                 (long long)s->n);
    else
        return OMPFACT_SUCCESS;
    return OMPFACT_BAD_ARGUMENT;
}

/* Checks that only Cholesky or LU without pivoting factors the whole of a matrix in copies, on hosts. */
static ompfact_status check_copies(const ompfact_job *job, char message[MESSAGE])
{
    const ompfact_routine *r = routine_of(job);
    bool factored = (r->factor == OMPFACT_BY_CHOLESKY || r->factor == OMPFACT_BY_LU) && times_factorization(r) && !r->inverts;
    if (job->shape.copies <= 1)
        return OMPFACT_SUCCESS;
    if (!factored || job_pivot(job) != OMPFACT_PIVOT_NONE)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "copies are for potrf, posv, and getrf and gesv without pivoting");
    if (job->partial > 0 || job->factored > 0 || job->options.abft || job->options.devices != 0)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "copies do not work with parts, abft and devices");
    return OMPFACT_SUCCESS;
}

ompfact_status job_check(const ompfact_job *job, bool on_paper, char message[MESSAGE])
{
    TRY(check_routine(job, on_paper, message));
    TRY(check_partial(job, message));
    TRY(check_factored(job, message));
    TRY(check_copies(job, message));
    if (!OF_THIS_VERSION(job) || !OF_THIS_VERSION(&job->options))
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "reserved is not zero: the job was never zeroed, or has a later version");
    if (job->ranks < 1)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "a layout needs at least one rank");
    if (precision_of(shape_type(&job->shape)) == NULL)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "a matrix's type is one of s, d, c, z");
    if (job->ranks_per_node < 0 || job->cores_per_node < 0 || job->nrhs < 0 || job->options.threads < 0 ||
        job->options.cache_tiles < 0 || job->options.ib < 0 || !(job->core_gflops >= 0) || !(job->wire_rate >= 0) ||
        !(job->wire_latency >= 0))
        return fail_with(message, OMPFACT_BAD_ARGUMENT,
                         "ranks and cores of a node, right-hand sides, threads, tiles, ib, rates: none is negative");
    return OMPFACT_SUCCESS;
}
