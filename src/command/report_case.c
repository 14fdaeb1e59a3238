/* The report of a run: facts that are not results of its computations, and lines below the table. */
#include "src/command/instance.h"

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
                pivots(o) || is_indefinite(o) ? "is singular" : "needs pivoting, or is singular");
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
    SAME(host_update_flops), SAME(device_narrow_flops), SAME(bytes_to_devices), SAME(bytes_from_devices);
    SAME(bytes_between_devices), SAME(max_uploads_per_tile), SAME(device_waits), SAME(device_allocations), SAME(bytes_unpinned);
    if (f->device_tiles_left > 0)
        fprintf(stderr, "ompfact: device memory holds %lld of %lld tiles, the others stay on the host\n",
                (long long)f->device_tiles, (long long)(f->device_tiles + f->device_tiles_left));
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
    double flops = rest ? x->timed.flops : ompfact_job_flops(&x->job);
    return 1e-9 * flops / x->timed.seconds;
}

static void report_problem(const struct instance *x, struct facts *r)
{
    const struct session *s = x->session;
    const struct options *o = s->options;
    bool both = times_factors(o->routine) && o->routine->solves;
    r->parts |= (both ? IN_SOLVE : 0) | (o->job.shape.accuracy > 0 ? IN_COMPRESSED : 0) | (is_indefinite(o) ? IN_INDEFINITE : 0);
    r->routine = x->job.routine;
    r->type = x->job.shape.type;
    r->m = x->job.shape.m;
    r->n = x->job.shape.n;
    r->nrhs = x->job.nrhs;
    r->nb = x->job.shape.nb;
    r->seed = o->seed;
    r->layout = ompfact_layout(x->A);
    r->ranks = ompfact_ranks(s->grid);
    r->threads = ompfact_threads(s->grid);
    r->devices = ompfact_devices(s->grid);
    r->pivot = case_pivot(o, ompfact_ranks(s->grid));
    if (has_triangle(o))
        r->uplo = option_word(o, "uplo");
    if (is_indefinite(o))
        r->butterfly = case_butterfly(o);
    if (is_qr(o))
        r->tree = case_tree(o);
    r->schedule = option_word(o, "schedule");
    r->bcast = option_word(o, "bcast");
    r->on_node = ompfact_reads_in_place(s->grid) ? option_word(o, "on-node") : "copy";
}

static void report_result(const struct instance *x, bool passed, struct facts *r)
{
    const struct session *s = x->session;
    const struct options *o = s->options;
    r->time_s = x->timed.seconds;
    r->gflops = gflops_of(x);
    if (gemm_known(s, x->job.shape.type) > 0)
        r->gemm_gflops = s->gemm_gflops;
    r->status = !passed ? "FAILED" : o->job.checked ? "pass" : "no check";
    r->info = x->info;
    if (refines(o) || refines_at_once(o))
        r->refine_iterations = x->iterations;
    if (fell_back(x))
        r->fallback = "getrf";
    if (o->job.options.abft) {
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
    SAME(transfers), SAME(transfer_bytes), SAME(transfers_predicted), SAME(transfers_sums), SAME(transfers_home);
    SAME(wire_transfers), SAME(wire_bytes), SAME(wire_transfers_predicted), SAME(tasks_peak), SAME(cache_peak_tiles);
    r->copies = ompfact_shape_of(x->A).copies;
    r->nodes = ompfact_nodes(grid);
    r->rma_native = or_none(ompfact_reads_proceed(grid));
    if (r->nodes > 1) {
        r->between_nodes = ompfact_between_nodes(grid);
        r->register_s = ompfact_last_report(x->A).register_s;
    }
    if (pivots(x->session->options)) {
        SAME(rows_exchanged), SAME(candidate_tiles);
    }
    if (has_factors(x) && x->B != NULL) {
        ompfact_report solved = ompfact_last_report(x->B);
        r->solve_time_s = solved.seconds;
        r->solve_transfers = solved.transfers;
    }
}

static void report_ranks(const struct instance *x, struct facts *r)
{
    const ompfact_tile_ranks *t = &x->tile_ranks;
    r->accuracy = x->session->options->job.shape.accuracy;
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
                o->job.partial > 0 ? " of the eliminated rows" : "", r->inertia_positive, r->inertia_negative, r->inertia_zero);
    fprintf(out, "growth %.2g, %" PRId64 " perturbed pivot%s\n", r->growth, r->perturbed_pivots,
            r->perturbed_pivots == 1 ? "" : "s");
}

static void print_precisions(FILE *out, const struct instance *x)
{
    const ompfact_tile_precisions *p = &x->precisions;
    if (x->job.shape.bf16_tiles)
        fprintf(out,
                "tiles: %" PRId64 " in double, %" PRId64 " in single and %" PRId64 " in bfloat16 as filled, %" PRId64
                " became wider\n",
                p->double_tiles, p->single_tiles, p->bf16_tiles, p->widened);
    else if (x->job.shape.tile_precision != 0)
        fprintf(out, "tiles: %" PRId64 " in double, %" PRId64 " in single as filled, of which %" PRId64 " became double\n",
                p->double_tiles, p->single_tiles, p->widened);
}

/* Explains factors of low quality: what became of the solution, or what else they affect. */
static void print_growth(struct instance *x)
{
    const double FEW = 1e-3;
    const struct facts *r = &x->facts;
    bool spoiled = has_factors(x) && r->growth * element_roundoff(x->job.shape.type) > FEW;
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
    bool passed = has_factors(x) && (!o->job.checked || x->facts.error < o->tol);
    if (!passed)
        note_failure(s, x);
    if (ompfact_rank(s->grid) != 0)
        return 0;
    struct facts *r = &x->facts;
    TRY_STEP(plan_matrix(x, false, text));
    case_add_plan(x->plan, &s->speeds, r);
    if (!times_factors(o->routine) && x->weights == NULL)
        r->flops_max_over_mean = x->timed.flops_max_over_mean;
    report_problem(x, r);
    report_result(x, passed, r);
    report_traffic(x, r);
    if (r->devices > 0)
        report_devices(x, r);
    if (o->job.shape.accuracy > 0)
        report_ranks(x, r);
    if (o->job.shape.tile_precision != 0)
        case_add_precisions(ompfact_shape_of(x->A).tile_precision, o->job.shape.bf16_tiles, &x->precisions, x->by_precision, r);
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
