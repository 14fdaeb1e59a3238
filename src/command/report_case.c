/* The report of a run: facts that are not results of its computations, and lines below the table. */
#include "src/command/instance.h"

#include "src/command/case.h"
#include "src/command/explain.h"
#include "src/io/element.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void print_info(FILE *out, const struct instance *x)
{
    const struct options *o = x->session->options;
    long long k = (long long)x->info;
    if (o->routine->triangular)
        fprintf(out, "info = %lld: the triangle's element (%lld,%lld) is zero: it is singular\n", k, k, k);
    else if (is_cholesky(o))
        fprintf(out, "info = %lld: the leading minor of order %lld is not positive definite\n", k, k);
    else if (is_indefinite(o) && !fell_back(x))
        fprintf(out, "info = %lld: all of the matrix is zero\n", k);
    else if (is_lu(o) || is_indefinite(o))
        fprintf(out, "info = %lld: U(%lld,%lld) is zero; this matrix %s\n", k, k, k,
                x->problem.pivots || is_indefinite(o) ? "is singular" : "needs pivoting, or is singular");
    else
        fprintf(out, "info = %lld: R(%lld,%lld) is zero; this matrix does not have full rank\n", k, k, k);
}

static void report_devices(const struct instance *x, struct facts *r)
{
    const ompfact_grid *grid = x->session->grid;
    const ompfact_report *f = &x->timed;
    r->device_backend = ompfact_device_backend(grid);
    r->host_share = ompfact_host_share(grid);
    r->device_flops = 0;
    for (int d = 0; d < r->devices; d++)
        r->device_flops += f->flops_per_device[d];
    r->flops_per_device = (struct fact_list){ f->flops_per_device, sizeof *f->flops_per_device, (int)r->devices, 17 };
    r->host_update_flops = f->host_update_flops;
    r->device_narrow_flops = f->device_narrow_flops;
    r->bytes_to_devices = f->bytes_to_devices;
    r->bytes_from_devices = f->bytes_from_devices;
    r->bytes_between_devices = f->bytes_between_devices;
    r->max_uploads_per_tile = f->max_uploads_per_tile;
    r->device_waits = f->device_waits;
    r->device_allocations = f->device_allocations;
    r->bytes_unpinned = f->bytes_unpinned;
    if (f->device_tiles_left > 0)
        fprintf(stderr, "ompfact: device memory holds %lld of %lld tiles, the others stay on the host\n",
                (long long)f->device_tiles, (long long)(f->device_tiles + f->device_tiles_left));
}

/* Facts from the plan of the matrix: tiles and work of the ranks, and lower bounds. Lists stay with the plan. */
static int report_plan(struct instance *x, struct facts *r, char text[COMMAND_TEXT])
{
    TRY_STEP(plan_matrix(x, false, text));
    const ompfact_forecast *f = ompfact_plan_forecast(x->plan);
    bool of_plan = times_factors(x->session->options->routine) || x->problem.weights != NULL;
    r->tiles_max = f->tiles_max;
    r->tiles_min = f->tiles_min;
    r->flops_max_over_mean = of_plan ? f->flops_max_over_mean : x->timed.flops_max_over_mean;
    r->abe_max_over_mean = f->abe_max_over_mean;
    r->perisum = f->perisum;
    r->work_bound_s = f->work_bound_s;
    r->link_bound_s = f->link_bound_s;
    r->chain_bound_s = f->chain_bound_s;
    r->tasks_bound_s = f->tasks_bound_s;
    case_add_speeds(&x->session->speeds, ompfact_plan_loads(x->plan), r);
    return 0;
}

/* The meaning of a negative number of refinements. */
static const char *why_no_refinement(int iterations)
{
    static const struct { int iterations; const char *text; } reasons[] = {
        { -1, "no memory for a copy in single precision" },
        { -2, "a number is too large for single precision, or is not finite" },
        { -3, "the factorization in single precision failed" },
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].iterations == iterations)
            return reasons[i].text;
    return "it did not converge";
}

/* Flops of this run; the rest of the work is in a checkpoint. NAN if the factorization ended early, with most of the work not
   done. */
static double gflops_of(const struct instance *x)
{
    const struct options *o = x->session->options;
    if (x->info != 0 && (is_cholesky(o) || is_indefinite(o)))
        return NAN;
    bool rest = times_factors(o->routine) && x->timed.restarted_from_step >= 0;
    ompfact_job job = case_job(o, &x->problem, &x->session->speeds);
    double flops = rest ? x->timed.flops : ompfact_job_flops(&job);
    return 1e-9 * flops / x->timed.seconds;
}

static void report_problem(const struct instance *x, struct facts *r)
{
    const struct session *s = x->session;
    const struct options *o = s->options;
    bool both = times_factors(o->routine) && o->routine->solves;
    r->parts |= (both ? IN_SOLVE : 0) | (o->accuracy > 0 ? IN_COMPRESSED : 0) | (is_indefinite(o) ? IN_INDEFINITE : 0);
    r->routine = o->routine->name;
    r->type = x->problem.type;
    r->m = x->problem.m;
    r->n = x->problem.n;
    r->nrhs = x->problem.nrhs;
    r->nb = x->problem.nb;
    r->seed = o->seed;
    r->layout = ompfact_layout(x->A);
    r->ranks = ompfact_ranks(s->grid);
    r->threads = ompfact_threads(s->grid);
    r->devices = ompfact_devices(s->grid);
    r->pivot = case_pivot(o, ompfact_ranks(s->grid)).word;
    if (has_triangle(o))
        r->uplo = o->uplo.word;
    if (is_indefinite(o))
        r->butterfly = case_butterfly(o).word;
    if (is_qr(o))
        r->tree = case_tree(o).word;
    r->schedule = o->schedule.word;
    r->bcast = o->bcast.word;
    r->on_node = ompfact_reads_in_place(s->grid) ? o->on_node.word : "copy";
}

static void report_result(const struct instance *x, bool passed, struct facts *r)
{
    const struct session *s = x->session;
    const struct options *o = s->options;
    r->time_s = x->timed.seconds;
    r->gflops = gflops_of(x);
    if (gemm_known(s, x->problem.type) > 0)
        r->gemm_gflops = s->gemm_gflops;
    r->status = !passed ? "FAILED" : o->check ? "pass" : "no check";
    r->info = x->info;
    if (refines(o) || refines_at_once(o))
        r->refine_iterations = x->iterations;
    if (fell_back(x))
        r->fallback = "getrf";
    if (o->abft) {
        r->faults_found = x->timed.faults_found;
        r->faults_corrected = x->timed.faults_corrected;
    }
    r->checkpoints = or_none(x->timed.checkpoints);
    r->restarted_from_step = or_none(x->timed.restarted_from_step);
    r->tiles_restored = or_none(x->timed.tiles_restored);
}

static void report_traffic(const struct instance *x, struct facts *r)
{
    const ompfact_grid *grid = x->session->grid;
    const ompfact_report *f = &x->timed;
    r->transfers = f->transfers;
    r->transfer_bytes = f->transfer_bytes;
    r->transfers_predicted = f->transfers_predicted;
    r->copies = ompfact_shape_of(x->A).copies;
    r->transfers_sums = f->transfers_sums;
    r->transfers_home = f->transfers_home;
    r->nodes = ompfact_nodes(grid);
    r->wire_transfers = f->wire_transfers;
    r->wire_bytes = f->wire_bytes;
    r->wire_transfers_predicted = f->wire_transfers_predicted;
    r->rma_native = or_none(ompfact_reads_proceed(grid));
    if (r->nodes > 1) {
        r->between_nodes = ompfact_between_nodes(grid);
        r->register_s = ompfact_last_report(x->A).register_s;
    }
    if (x->problem.pivots) {
        r->rows_exchanged = f->rows_exchanged;
        r->candidate_tiles = f->candidate_tiles;
    }
    if (has_factors(x) && x->B != NULL) {
        ompfact_report solved = ompfact_last_report(x->B);
        r->solve_time_s = solved.seconds;
        r->solve_transfers = solved.transfers;
    }
    r->tasks_peak = f->tasks_peak;
    r->cache_peak_tiles = f->cache_peak_tiles;
}

static void report_ranks(const struct instance *x, struct facts *r)
{
    const ompfact_tile_ranks *t = &x->tile_ranks;
    r->accuracy = x->session->options->accuracy;
    r->dense_tiles = t->dense_tiles;
    r->rank_mean = t->rank_mean;
    r->rank_max = or_none(t->rank_max);
    r->matrix_bytes = t->bytes;
    r->dense_bytes = t->dense_bytes;
    r->flops_over_dense = x->timed.flops_dense > 0 ? x->timed.flops / x->timed.flops_dense : 1;
    r->flops_max_over_mean = x->timed.flops_max_over_mean;
}

/* Whether this is the final result of a factorization; a solve has more. */
static void print_inertia(FILE *out, const struct instance *x)
{
    const struct options *o = x->session->options;
    const struct facts *r = &x->facts;
    if (!is_indefinite(o) || !has_factors(x) || (o->routine->solves && !o->verbose))
        return;
    if (r->inertia_positive != FACT_NONE)
        fprintf(out, "inertia%s = (%" PRId64 ", %" PRId64 ", %" PRId64 "): eigenvalues above, below and at zero; ",
                o->partial > 0 ? " of the eliminated rows" : "", r->inertia_positive, r->inertia_negative, r->inertia_zero);
    fprintf(out, "growth %.2g, %" PRId64 " perturbed pivot%s\n", r->growth, r->perturbed_pivots,
            r->perturbed_pivots == 1 ? "" : "s");
}

static void print_precisions(FILE *out, const struct instance *x)
{
    const struct precision_choice *asked = &x->session->options->tile_precision;
    const ompfact_tile_precisions *p = &x->precisions;
    if (asked->bf16)
        fprintf(out,
                "tiles: %" PRId64 " in double, %" PRId64 " in single and %" PRId64 " in bfloat16 as filled, %" PRId64
                " became wider\n",
                p->double_tiles, p->single_tiles, p->bf16_tiles, p->widened);
    else if (asked->eps != 0)
        fprintf(out, "tiles: %" PRId64 " in double, %" PRId64 " in single as filled, of which %" PRId64 " became double\n",
                p->double_tiles, p->single_tiles, p->widened);
}

/* Explains factors of low quality: what became of the solution, or what else they affect. */
static void print_growth(struct instance *x)
{
    const double FEW = 1e-3;
    const struct facts *r = &x->facts;
    bool spoiled = has_factors(x) && r->growth * element_roundoff(x->problem.type) > FEW;
    if (!is_indefinite(x->session->options) || x->printed_growth || !(spoiled || fell_back(x)))
        return;
    const char *what = fell_back(x) ? "the factors are too inaccurate for a solve, so LU with pivoting (getrf) has solved the "
                                      "system"
                                    : "few digits of the factors are right, and the inertia may be wrong";
    fprintf(stderr, "ompfact: %s: growth of the factors is %.2g, and %" PRId64 " of their pivots %s perturbed: %s\n", r->routine,
            r->growth, r->perturbed_pivots, r->perturbed_pivots == 1 ? "was" : "were", what);
    x->printed_growth = true;
}

static void note_failure(struct session *s, const struct instance *x)
{
    s->failed = true;
    if (x->lost)
        snprintf(s->why_failed, sizeof s->why_failed, "a flipped bit cannot be corrected");
    else if (x->info != 0)
        snprintf(s->why_failed, sizeof s->why_failed, "info = %lld", (long long)x->info);
    else
        snprintf(s->why_failed, sizeof s->why_failed, "the scaled residual is %.2e", x->facts.error);
}

int report_case(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    const struct options *o = s->options;
    FILE *table = s->report.table.file;
    bool passed = has_factors(x) && (!o->check || x->facts.error < o->tol);
    if (!passed)
        note_failure(s, x);
    if (ompfact_rank(s->grid) != 0)
        return 0;
    struct facts *r = &x->facts;
    report_problem(x, r);
    report_result(x, passed, r);
    report_traffic(x, r);
    if (r->devices > 0)
        report_devices(x, r);
    TRY_STEP(report_plan(x, r, text));
    if (o->accuracy > 0)
        report_ranks(x, r);
    if (o->tile_precision.eps != 0)
        case_add_precisions((struct precision_choice){ ompfact_shape_of(x->A).tile_precision, o->tile_precision.bf16 },
                            &x->precisions, x->by_precision, r);
    origin_add(&s->origin, r);
    TRY_STEP(report_run(&s->report, r, text));
    if ((o->explain || o->verbose) && table != NULL)
        explain_time(table, ompfact_plan_forecast(x->plan), r->time_s);
    if (x->info != 0 && !x->lost && table != NULL)
        print_info(table, x);
    if (table != NULL) {
        print_inertia(table, x);
        print_precisions(table, x);
    }
    print_growth(x);
    condition_print(x, table);
    if (refines(o) && x->iterations < 0 && table != NULL)
        fprintf(table, "%s: %s\n",
                refines_in_mixed(o) ? "refinement fell back to double" : "refinement did not reach full accuracy",
                why_no_refinement(x->iterations));
    return 0;
}
