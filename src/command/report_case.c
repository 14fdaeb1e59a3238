/* What is told of a run: its record, and lines below the table. */
#include "src/command/instance.h"

#include "src/choose/choose.h"
#include "src/command/case.h"
#include "src/command/limit_lines.h"
#include "src/command/write_page.h"
#include "src/plan/forecast.h"

#include <math.h>
#include <stdio.h>

static void print_info(FILE *out, const struct options *o, int64_t info, bool pivots)
{
    long long k = (long long)info;
    if (o->routine->triangular)
        fprintf(out, "info = %lld: the triangle's element (%lld,%lld) is zero: it has no inverse\n", k, k, k);
    else if (is_cholesky(o))
        fprintf(out, "info = %lld: the leading minor of order %lld is not positive definite\n", k, k);
    else if (is_lu(o))
        fprintf(out, "info = %lld: U(%lld,%lld) is zero; this matrix %s\n", k, k, k,
                pivots ? "is singular" : "needs pivoting, or is singular");
    else
        fprintf(out, "info = %lld: R(%lld,%lld) is zero; this matrix has not full rank\n", k, k, k);
}

enum { DEVICES_TEXT = OMPFACT_DEVICES * 25 + 3 };

static void report_devices(const struct instance *x, struct result *r, char flops[DEVICES_TEXT])
{
    const ompfact_grid *grid = x->session->grid;
    const ompfact_report *f = &x->timed;
    int length = 0;
    r->device_backend = ompfact_device_backend(grid);
    r->host_share = ompfact_host_share(grid);
    r->device_flops = 0;
    for (int d = 0; d < r->devices; d++) {
        r->device_flops += f->flops_per_device[d];
        length += snprintf(flops + length, (size_t)(DEVICES_TEXT - length), "%s%.17g", d == 0 ? "[" : ", ",
                           f->flops_per_device[d]);
    }
    snprintf(flops + length, (size_t)(DEVICES_TEXT - length), "]");
    r->flops_per_device = flops;
    r->host_update_flops = f->host_update_flops;
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

/* Tiles and work of the ranks. */
static int report_balance(const struct instance *x, const ompfact_shape *shape, struct result *r, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    const struct layout *layout = x->A->layout;
    enum layout_algorithm algorithm = is_cholesky(o) ? LAYOUT_CHOLESKY : LAYOUT_LU;
    struct layout_summary summary = { .flops_max_over_mean = 1 };
    bool empty = x->A->mt == 0 || x->A->nt == 0, factoring = times_factors(o->routine);
    if (!empty && layout_summarise(layout, algorithm, &summary) != 0)
        return refuse(text, "no memory to sum up a layout");
    r->tiles_max = summary.tiles_max;
    r->tiles_min = summary.tiles_min;
    r->flops_max_over_mean = is_qr(o) || !factoring ? x->timed.flops_max_over_mean : summary.flops_max_over_mean;
    if (x->session->speeds.count > 0 && !empty && !is_qr(o) && factoring)     /* of QR the dry run counts it */
        r->abe_max_over_mean = layout_abe_max_over_mean(layout, algorithm, shape->speeds);
    return shape_weigh(shape, layout, &r->flops_max_over_mean) ? 0 : refuse(text, "no memory to weigh a layout");
}

/* What a negative number of refinements means. */
static const char *why_no_refinement(int iterations)
{
    static const struct { int iterations; const char *text; } reasons[] = {
        { -1, "no memory for a copy in single precision" },
        { -2, "a number is too large for single precision, or none" },
        { -3, "the factorization in single precision failed" },
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].iterations == iterations)
            return reasons[i].text;
    return "it did not converge";
}

/* Below the roundoff of its type the solution may have no right digit, which the residual does not tell:
   LAPACK's info = n + 1. */
static void print_rcond(FILE *table, char type, double rcond)
{
    double roundoff = type == 's' || type == 'c' ? 0x1p-24 : 0x1p-53;
    fprintf(table, "rcond = %.2e%s\n", rcond, rcond < roundoff ? ": the matrix is singular to working precision" : "");
}

static int64_t or_none(int64_t value)
{
    return value < 0 ? REPORT_NONE : value;
}

/* Of what was done here: the rest is in a checkpoint. */
static double gflops_of(const struct instance *x)
{
    const struct options *o = x->session->options;
    bool rest = times_factors(o->routine) && x->timed.restarted_from_step >= 0;
    ompfact_job job = case_job(o, &x->problem, &x->session->speeds);
    double flops = rest ? x->timed.flops : ompfact_job_flops(&job);
    return 1e-9 * flops / x->timed.seconds;
}

static void fill_result(const struct instance *x, bool passed, struct result *r)
{
    const struct session *s = x->session;
    const struct options *o = s->options;
    bool pivots = x->problem.pivots;
    bool several = rma_nodes(s->grid->rma)->count > 1;
    ompfact_report solved = x->B != NULL ? ompfact_last_report(x->B) : (ompfact_report){ 0 };
    *r = (struct result){
        .routine = o->routine->name, .type = x->problem.type, .m = x->problem.m, .n = x->problem.n,
        .nrhs = x->problem.nrhs, .nb = x->problem.nb, .layout = ompfact_layout(x->A),
        .ranks = ompfact_ranks(s->grid), .threads = ompfact_threads(s->grid), .devices = ompfact_devices(s->grid),
        .pivot = case_pivot(o, ompfact_ranks(s->grid)).word, .uplo = is_cholesky(o) ? o->uplo.word : NULL,
        .tree = is_qr(o) ? case_tree(o).word : NULL, .seed = o->seed,
        .time_s = x->timed.seconds,
        .gflops = gflops_of(x), .error = x->error,
        .status = !passed ? "FAILED" : o->check ? "pass" : "no check", .info = x->info, .transfers = x->timed.transfers,
        .transfer_bytes = x->timed.transfer_bytes, .transfers_predicted = x->timed.transfers_predicted,
        .nodes = rma_nodes(s->grid->rma)->count, .wire_transfers = x->timed.wire_transfers, .wire_bytes = x->timed.wire_bytes,
        .wire_transfers_predicted = x->timed.wire_transfers_predicted,
        .between_nodes = several ? ompfact_between_nodes(s->grid) : NULL,
        .rma_native = or_none(ompfact_reads_proceed(s->grid)),
        .register_s = several ? ompfact_last_report(x->A).register_s : NAN,
        .cache_peak_tiles = x->timed.cache_peak_tiles, .memory_peak_bytes = x->memory_peak,
        .accuracy = o->accuracy > 0 ? o->accuracy : NAN, .dense_tiles = REPORT_NONE, .rank_mean = NAN, .rank_max = REPORT_NONE,
        .matrix_bytes = REPORT_NONE, .dense_bytes = REPORT_NONE, .flops_over_dense = NAN,
        .faults_found = o->abft ? x->timed.faults_found : REPORT_NONE,
        .faults_corrected = o->abft ? x->timed.faults_corrected : REPORT_NONE,
        .growth = x->growth, .rows_exchanged = pivots ? x->timed.rows_exchanged : REPORT_NONE,
        .candidate_tiles = pivots ? x->timed.candidate_tiles : REPORT_NONE,
        .solve_time_s = has_factors(x) ? solved.seconds : NAN,
        .solve_transfers = has_factors(x) ? solved.transfers : REPORT_NONE, .tasks_peak = x->timed.tasks_peak,
        .gemm_gflops = gemm_known(s, x->problem.type) > 0 ? s->gemm_gflops : NAN, .schedule = o->schedule.word,
        .bcast = o->bcast.word, .on_node = rma_in_place(s->grid->rma) ? o->on_node.word : "copy",
        .speeds = s->speeds.list, .perisum = perisum_of(x->A, s->speeds.speed), .abe_max_over_mean = NAN,
        .rcond = x->rcond, .refine_iterations = refines(o) ? x->iterations : REPORT_NONE,
        .logdet = x->told.logdet, .det_sign = x->told.det_sign, .det_phase = x->told.det_phase,
        .smallest_pivot = x->told.smallest_pivot, .work_bound_s = NAN, .link_bound_s = NAN, .chain_bound_s = NAN,
        .host_share = NAN, .device_flops = NAN, .host_update_flops = NAN,
        .bytes_to_devices = REPORT_NONE, .bytes_from_devices = REPORT_NONE, .bytes_between_devices = REPORT_NONE,
        .max_uploads_per_tile = REPORT_NONE, .device_waits = REPORT_NONE, .device_allocations = REPORT_NONE,
        .bytes_unpinned = REPORT_NONE,
        .checkpoints = or_none(x->timed.checkpoints), .restarted_from_step = or_none(x->timed.restarted_from_step),
        .tiles_restored = or_none(x->timed.tiles_restored),
    };
}

static void report_ranks(const struct instance *x, struct result *r)
{
    const ompfact_tile_ranks *t = &x->tile_ranks;
    r->dense_tiles = t->dense_tiles;
    r->rank_mean = t->rank_mean;
    r->rank_max = t->rank_max >= 0 ? t->rank_max : REPORT_NONE;
    r->matrix_bytes = t->bytes;
    r->dense_bytes = t->dense_bytes;
    r->flops_over_dense = x->timed.flops_dense > 0 ? x->timed.flops / x->timed.flops_dense : 1;
    r->flops_max_over_mean = x->timed.flops_max_over_mean;
}

/* What no order of its tasks and transfers takes less than. */
static int report_limits(const struct instance *x, struct result *r, struct limits *limits, char text[COMMAND_TEXT])
{
    if (!limits_of_run(x, r->abe_max_over_mean > 0 ? r->abe_max_over_mean : r->flops_max_over_mean, limits))
        return refuse(text, "no memory to find what limits a run");
    r->work_bound_s = limits->work;
    r->link_bound_s = limits->link;
    r->chain_bound_s = limits->chain;
    return 0;
}

static int report_loads(const struct instance *x, const ompfact_shape *shape, struct result *r, char text[COMMAND_TEXT])
{
    const struct session *s = x->session;
    ompfact_job job = case_job(s->options, &x->problem, &s->speeds);
    struct step_loads loads = { 0 };
    char why[MESSAGE];
    if (!job_has_loads(&job, x->A))
        return 0;
    bool known = step_loads_create(shape, x->A, &loads, why) == OMPFACT_SUCCESS;
    int code = known ? loads_write(&loads.view, &r->loads, text) : refuse(text, "%s", why);
    step_loads_forget(&loads);
    return code;
}

static void note_failure(struct session *s, const struct instance *x)
{
    s->failed = true;
    if (x->lost)
        snprintf(s->why_failed, sizeof s->why_failed, "a bit has flipped that cannot be put right");
    else if (x->info != 0)
        snprintf(s->why_failed, sizeof s->why_failed, "info = %lld", (long long)x->info);
    else
        snprintf(s->why_failed, sizeof s->why_failed, "the scaled residual is %.2e", x->error);
}

int report_case(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    const struct options *o = s->options;
    FILE *table = s->report.table.file;
    bool passed = has_factors(x) && (!o->check || x->error < o->tol);
    if (!passed)
        note_failure(s, x);
    if (ompfact_rank(s->grid) != 0)
        return 0;
    struct result r;
    struct limits limits;
    char flops[DEVICES_TEXT];
    ompfact_shape shape = case_shape(o, &x->problem, &s->speeds);
    fill_result(x, passed, &r);
    if (r.devices > 0)
        report_devices(x, &r, flops);
    int code = report_balance(x, &shape, &r, text);
    if (o->accuracy > 0)
        report_ranks(x, &r);
    if (code == 0)
        code = report_limits(x, &r, &limits, text);
    if (code == 0)
        code = report_loads(x, &shape, &r, text);
    if (code == 0)
        code = report_run(&s->report, &r, text);
    if (code == 0)
        code = keep_row(s, &r, text);
    loads_forget(&r.loads);
    if (code == 0 && (o->explain || o->verbose) && table != NULL)
        limits_print_run(table, &limits, r.time_s);
    if (code == 0 && x->info != 0 && !x->lost && table != NULL)
        print_info(table, o, x->info, x->problem.pivots);
    if (code == 0 && o->rcond && has_factors(x) && table != NULL)
        print_rcond(table, x->problem.type, x->rcond);
    if (code == 0 && refines(o) && x->iterations < 0 && table != NULL)
        fprintf(table, "%s: %s\n",
                refines_in_mixed(o) ? "refinement fell back to double" : "refinement did not reach full accuracy",
                why_no_refinement(x->iterations));
    return code;
}
