/* One problem: where it comes from, its runs, and what is told of them. The arithmetic is in compute.c. */
#include "src/command/compute.h"

#include "src/command/case.h"
#include "src/command/explain.h"
#include "src/command/gemm_rate.h"
#include "src/command/loads.h"
#include "src/command/peak.h"
#include "src/matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- agreement ------------------------------------------------------------------------------------------------------------------ */

int agree_line(struct session *s, int code, char text[COMMAND_TEXT])
{
    struct rma *rma = s->grid->rma;
    int first = code == 0 ? rma_ranks(rma) : rma_rank(rma);
    rma_allreduce(rma, &first, 1, MPI_INT, MPI_MIN);
    if (first == rma_ranks(rma))
        return 0;
    rma_bcast(rma, &code, 1, MPI_INT, first);
    rma_bcast(rma, text, COMMAND_TEXT, MPI_CHAR, first);
    return code;
}

/* ---- input ---------------------------------------------------------------------------------------------------------------------- */

/* Where the matrix comes from, and with it sizes and type where the command line leaves them to the file. */
static int open_matrix(struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    struct problem *p = &x->problem;
    struct source *source = &x->matrix_source;
    if (o->input == NULL) {
        const char *kind = o->matrix != NULL ? o->matrix : p->pivots || is_qr(o) ? "rands" : "rands_dominant";
        return source_generate(source, kind, is_cholesky(o), p->m, p->n, o->seed, text);
    }
    if (source_open(source, o->input, text) != 0)
        return COMMAND_USAGE;
    x->sources_open[0] = true;
    if (!o->type_given)
        p->type = source->type;
    if (o->dim_given && (p->m != source->rows || p->n != source->cols))
        return refuse(text, "%s is %lld x %lld, --dim says %lld x %lld", o->input, (long long)source->rows, (long long)source->cols,
                      (long long)p->m, (long long)p->n);
    p->m = source->rows;
    p->n = source->cols;
    if (!source_suits(source, p->type))
        return refuse(text, "%s holds values of type '%c', --type says '%c'", o->input, source->type, p->type);
    if ((o->routine->square || wants_rcond(o)) && p->m != p->n)
        return refuse(text, "%s is %lld x %lld, and %s needs a square matrix", o->input, (long long)p->m, (long long)p->n,
                      o->routine->square ? o->routine->name : "--rcond");
    return 0;
}

static int open_rhs(struct instance *x, int64_t *nrhs, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    struct source *source = &x->rhs_source;
    *nrhs = o->nrhs;
    if (!o->routine->solves)
        return 0;
    if (o->rhs == NULL)
        return source_generate_rhs(source, x->problem.m, *nrhs, o->seed, text);
    if (source_open(source, o->rhs, text) != 0)
        return COMMAND_USAGE;
    x->sources_open[1] = true;
    *nrhs = source->cols;
    if (source->rows != x->problem.m)
        return refuse(text, "%s has %lld rows, and the matrix %lld", o->rhs, (long long)source->rows, (long long)x->problem.m);
    if (!source_suits(source, x->problem.type))
        return refuse(text, "%s holds values of type '%c', and the matrix '%c'", o->rhs, source->type, x->problem.type);
    return 0;
}

/* ---- tile size -------------------------------------------------------------------------------------------------------------- */

/* What the first rank knows of its machine is what all go by. */
static int know_machine(struct session *s, char text[COMMAND_TEXT])
{
    if (s->known.machine != NULL)
        return 0;
    int code = agree_line(s, machine_know(&s->known, ompfact_blas_kernels(s->grid), text), text);
    if (code == 0)
        rma_bcast(s->grid->rma, s->known.machine, sizeof *s->known.machine, MPI_BYTE, 0);
    return code;
}

int plan_devices(struct session *s, char text[COMMAND_TEXT])
{
    if (!s->grid->any_devices)      /* what the machine is like is agreed on by all ranks */
        return 0;
    int code = know_machine(s, text);
    if (code == 0)
        s->devices = device_plan_of_grid(s->options, s->grid, s->known.machine);
    return code;
}

static struct tile_question tile_question(const struct instance *x)
{
    const ompfact_grid *grid = x->session->grid;
    return case_tile_question(x->session->options, &x->problem, ompfact_ranks(grid), ompfact_threads(grid), ompfact_ranks_on_node(grid));
}

/* The first rank's answer: threads and ranks of a node may differ elsewhere. */
static int choose_tile_size(struct instance *x, char text[COMMAND_TEXT])
{
    if (x->problem.nb > 0 && !x->session->options->explain)
        return 0;
    int code = know_machine(x->session, text);
    if (code != 0 || x->problem.nb > 0)
        return code;
    struct tile_question question = tile_question(x);
    const struct machine *machine = x->session->known.machine;
    x->problem.nb = device_plan_tile_size(&x->session->devices, machine, x->problem.m, x->problem.n, tile_size_choose(machine, &question));
    rma_bcast(x->session->grid->rma, &x->problem.nb, 1, MPI_INT, 0);
    return 0;
}

/* A machine that --tune has measured tells the bounds that the command line leaves open: those of its first rank go everywhere. */
static int choose_bounds(struct instance *x, ompfact_shape *shape, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    if (strcmp(shape->layout, "1d1d-c") != 0 && strcmp(shape->layout, "1d1d-cs") != 0)
        return 0;
    int code = know_machine(s, text);
    if (code != 0)
        return code;
    struct cpb_question q = { .cholesky = is_cholesky(s->options), .type = x->problem.type, .nb = x->problem.nb,
                              .threads = ompfact_threads(s->grid) };
    snprintf(x->layout, sizeof x->layout, "%s", shape->layout);
    if (s->known.source == MACHINE_MEASURED)
        speeds_layout(shape->layout, s->known.machine, &q, &s->speeds, x->layout);
    rma_bcast(s->grid->rma, x->layout, sizeof x->layout, MPI_CHAR, 0);
    shape->layout = x->layout;
    return 0;
}

static int explain(const struct instance *x, char text[COMMAND_TEXT])
{
    const struct session *s = x->session;
    int code = explain_layout(&s->report, s->options, &x->problem, &s->speeds, x->A, text);
    if (code == 0 && s->options->explain) {
        struct tile_question question = tile_question(x);
        explain_machine(explain_file(&s->report), &s->known, &question, x->problem.nb);
        explain_devices(explain_file(&s->report), s->known.machine, &s->devices);
    }
    return code;
}

/* All that a run will take is looked at before the first tile is filled: later would be after hours of work. */
static int prepare_outputs(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    int64_t extra = case_extra_memory(x->A, x->B, s->options);
    int code = refuse_status(s, memory_check(s->grid, extra, "the tiles, those of other ranks and the checks"), text);
    if (code == 0 && ompfact_rank(s->grid) == 0)
        code = case_write_layout(x->A, s->options, &s->devices, text);
    if (code == 0 && ompfact_rank(s->grid) == 0)
        code = explain(x, text);
    if (code == 0 && s->options->output != NULL && ompfact_rank(s->grid) == 0)
        code = output_try("output", s->options->output, text);
    if (code == 0 && s->options->ipiv != NULL && is_lu(s->options) && ompfact_rank(s->grid) == 0)
        code = output_try("ipiv", s->options->ipiv, text);
    return agree_line(s, code, text);
}

/* ---- a run ------------------------------------------------------------------------------------------------------------------------ */

/* One rank writes what every rank knows. */
static int write_ipiv(struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    struct output file = { 0 };
    if (o->ipiv == NULL || !is_lu(o) || ompfact_rank(x->session->grid) != 0)
        return 0;
    int64_t count = x->problem.m < x->problem.n ? x->problem.m : x->problem.n, *ipiv = malloc(((size_t)count + 1) * sizeof *ipiv);
    if (ipiv == NULL)
        return refuse(text, "no memory for %lld pivots", (long long)count);
    int code = output_open(&file, "ipiv", o->ipiv, text);
    ompfact_ipiv(x->A, ipiv);
    for (int64_t i = 0; code == 0 && i < count; i++)
        fprintf(file.file, "%lld\n", (long long)ipiv[i]);
    free(ipiv);
    return code != 0 ? code : output_close(&file, text);
}

static int write_output(struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    int written = agree_line(x->session, write_ipiv(x, text), text);
    if (written != 0)
        return written;
    if (o->output == NULL)
        return 0;
    if (x->info != 0 && (is_cholesky(o) || o->routine->solves)) {
        if (ompfact_rank(x->session->grid) == 0)
            fprintf(stderr, "ompfact: %s is not written: info = %lld\n", o->output, (long long)x->info);
        return 0;
    }
    ompfact_matrix *matrix = x->X != NULL ? x->X : o->routine->solves ? x->B : x->A;
    enum output_part part = o->routine->solves || is_lu(o) ? OUTPUT_ALL : is_qr(o) || o->uplo == OPTION_UPPER ? OUTPUT_UPPER : OUTPUT_LOWER;
    return agree_line(x->session, output_matrix(x->session->grid, matrix, part, o->output, text), text);
}

/* Growth of the resident set since before the matrices were made, of the rank where it is largest. */
static int64_t largest_growth(const struct instance *x)
{
    int64_t growth = peak_resident() - x->memory_before;
    rma_allreduce(x->session->grid->rma, &growth, 1, MPI_INT64_T, MPI_MAX);
    return growth;
}

static const char *const schedule_names[] = { [OPTION_BASIC] = "basic", [OPTION_STATIC] = "static", [OPTION_DYNAMIC] = "dynamic" };
static const char *const pivot_names[] = { [OPTION_PIVOT_NONE] = "none", [OPTION_PIVOT_TOURNAMENT] = "tournament",
                                           [OPTION_PIVOT_PARTIAL] = "partial" };
static const char *const tree_names[] = { [OMPFACT_TREE_FLAT] = "flat", [OMPFACT_TREE_BINARY] = "binary", [OMPFACT_TREE_GREEDY] = "greedy" };
static const char *const bcast_names[] = { [OPTION_FLAT] = "flat", [OPTION_CHAIN] = "chain", [OPTION_BINOMIAL] = "binomial",
                                           [OPTION_BCAST_AUTO] = "auto" };

static void print_info(FILE *out, const struct options *o, int64_t info, bool pivots)
{
    long long k = (long long)info;
    if (is_cholesky(o))
        fprintf(out, "info = %lld: the leading minor of order %lld is not positive definite\n", k, k);
    else if (is_lu(o))
        fprintf(out, "info = %lld: U(%lld,%lld) is zero; this matrix %s\n", k, k, k, pivots ? "is singular" : "needs pivoting, or is singular");
    else
        fprintf(out, "info = %lld: R(%lld,%lld) is zero; this matrix has not full rank\n", k, k, k);
}

enum { DEVICES_TEXT = OMPFACT_DEVICES * 25 + 3 };

static void report_devices(const struct instance *x, struct result *r, char flops[DEVICES_TEXT])
{
    const ompfact_grid *grid = x->session->grid;
    const ompfact_report *f = &x->factored;
    int length = 0;
    r->device_backend = ompfact_device_backend(grid);
    r->host_share = ompfact_host_share(grid);
    r->device_flops = 0;
    for (int d = 0; d < r->devices; d++) {
        r->device_flops += f->flops_per_device[d];
        length += snprintf(flops + length, (size_t)(DEVICES_TEXT - length), "%s%.17g", d == 0 ? "[" : ", ", f->flops_per_device[d]);
    }
    snprintf(flops + length, (size_t)(DEVICES_TEXT - length), "]");
    r->flops_per_device = flops;
    r->host_update_flops = f->host_update_flops;
    r->bytes_to_devices = f->bytes_to_devices;
    r->bytes_from_devices = f->bytes_from_devices;
    r->max_uploads_per_tile = f->max_uploads_per_tile;
    if (f->device_tiles_left > 0 && ompfact_rank(grid) == 0)
        fprintf(stderr, "ompfact: device memory holds %lld of %lld tiles, the others stay on the host\n", (long long)f->device_tiles,
                (long long)(f->device_tiles + f->device_tiles_left));
}

static int report(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    const struct options *o = s->options;
    struct layout_summary summary = { .flops_max_over_mean = 1 };
    int empty = x->A->mt == 0 || x->A->nt == 0;
    if (!empty && layout_summarise(x->A->layout, is_cholesky(o) ? LAYOUT_CHOLESKY : LAYOUT_LU, &summary) != 0)
        return refuse(text, "no memory to sum up a layout");
    if (is_qr(o))
        summary.flops_max_over_mean = x->factored.flops_max_over_mean;
    ompfact_shape shape = case_shape(o, &x->problem, &s->speeds);
    if (!shape_weigh(&shape, x->A->layout, &summary.flops_max_over_mean))
        return refuse(text, "no memory to weigh a layout");
    bool known = s->speeds.count > 0 && !empty && !is_qr(o);      /* of QR the dry run counts it */
    double abe = known ? layout_abe_max_over_mean(x->A->layout, is_cholesky(o) ? LAYOUT_CHOLESKY : LAYOUT_LU, s->speeds.speed) : NAN;
    bool passed = x->info == 0 && (!o->check || x->error < o->tol);
    int pivot = case_pivot(o, ompfact_ranks(s->grid));
    bool pivots = pivot != OPTION_PIVOT_NONE;
    ompfact_report solved = x->B != NULL ? ompfact_last_report(x->B) : (ompfact_report){ 0 };
    struct result r = {
        .routine = o->routine->name, .type = x->problem.type, .m = x->problem.m, .n = x->problem.n,
        .nrhs = x->B != NULL ? ompfact_cols(x->B) : o->nrhs, .nb = x->problem.nb, .layout = ompfact_layout(x->A),
        .ranks = ompfact_ranks(s->grid), .threads = ompfact_threads(s->grid), .devices = ompfact_devices(s->grid),
        .pivot = is_lu(o) ? pivot_names[pivot] : NULL, .tree = is_qr(o) ? tree_names[case_tree(o)] : NULL, .seed = o->seed, .time_s = x->factored.seconds,
        .gflops = 1e-9 * case_flops(o, &x->problem) / x->factored.seconds, .error = x->error,
        .status = !passed ? "FAILED" : o->check ? "pass" : "no check", .info = x->info, .transfers = x->factored.transfers,
        .transfer_bytes = x->factored.transfer_bytes, .transfers_predicted = x->factored.transfers_predicted,
        .tiles_max = summary.tiles_max, .tiles_min = summary.tiles_min, .flops_max_over_mean = summary.flops_max_over_mean,
        .cache_peak_tiles = x->factored.cache_peak_tiles, .memory_peak_bytes = x->memory_peak,
        .growth = x->growth, .rows_exchanged = pivots ? x->factored.rows_exchanged : REPORT_NONE,
        .candidate_tiles = pivots ? x->factored.candidate_tiles : REPORT_NONE,
        .solve_time_s = x->info == 0 ? solved.seconds : NAN,
        .solve_transfers = x->info == 0 ? solved.transfers : REPORT_NONE, .tasks_peak = x->factored.tasks_peak,
        .gemm_gflops = s->gemm_gflops > 0 ? s->gemm_gflops : NAN, .schedule = schedule_names[o->schedule],
        .bcast = bcast_names[o->bcast], .on_node = o->on_node == OPTION_COPY ? "copy" : "in-place",
        .speeds = s->speeds.list, .perisum = case_perisum(x->A, &s->speeds), .abe_max_over_mean = abe,
        .rcond = x->rcond, .refine_iterations = is_refined(o) ? x->iterations : REPORT_NONE,
        .logdet = x->told.logdet, .det_sign = x->told.det_sign, .det_phase = x->told.det_phase,
        .smallest_pivot = x->told.smallest_pivot, .host_share = NAN, .device_flops = NAN, .host_update_flops = NAN,
        .bytes_to_devices = REPORT_NONE, .bytes_from_devices = REPORT_NONE, .max_uploads_per_tile = REPORT_NONE,
    };
    char flops[DEVICES_TEXT];
    if (r.devices > 0)
        report_devices(x, &r, flops);
    s->failed |= !passed;
    if (ompfact_rank(s->grid) != 0)
        return 0;
    struct loads loads = { 0 };
    int code = case_has_loads(x->A, o, &s->speeds) ? loads_create(&shape, x->A, &loads, text) : 0;
    r.abe = loads.abe;
    r.abe_steps = loads.abe_steps;
    r.abe_max = loads.abe_max;
    r.abe_ideal = loads.abe_ideal;
    r.cabe_spread = loads.cabe_spread;
    r.cpb = loads.cpb;
    if (code == 0)
        code = report_run(&s->report, &r, text);
    loads_forget(&loads);
    if (code == 0 && x->info != 0 && s->report.table.file != NULL)
        print_info(s->report.table.file, o, x->info, pivots);
    if (code == 0 && is_refined(o) && x->iterations < 0 && s->report.table.file != NULL)
        fprintf(s->report.table.file, "refinement fell back to double: %s\n", why_no_refinement(x->iterations));
    return code;
}

/* Runs long enough to be compared are compared with DGEMM, measured in the same process on all cores in use. */
static void measure_gemm(struct instance *x)
{
    enum { WORTH_IT_MS = 500 };
    struct session *s = x->session;
    if (s->gemm_type != x->problem.type)
        s->gemm_gflops = 0;
    if (s->gemm_gflops > 0 || x->factored.seconds < 1e-3 * WORTH_IT_MS)
        return;
    double rate = gemm_rate(ompfact_threads(s->grid), x->problem.type);
    rma_allreduce(s->grid->rma, &rate, 1, MPI_DOUBLE, MPI_SUM);
    s->gemm_gflops = rate;
    s->gemm_type = x->problem.type;
}

/* Of Cholesky or LU, which tell the determinant. */
static bool has_factors(const struct instance *x)
{
    const struct options *o = x->session->options;
    return !is_qr(o) && (!is_refined(o) || x->iterations < 0);
}

static int run_once(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    peak_reset();
    int code = compute_inputs(x, text);
    if (code == 0)
        code = refuse_status(s, compute_factors(x), text);
    if (code == 0)
        code = refuse_status(s, compute_solution(x), text);
    if (code != 0)
        return code;
    x->memory_peak = largest_growth(x);
    measure_gemm(x);
    code = refuse_status(s, factors_tell(x->A, has_factors(x), x->info, x->problem.pivots, &x->told), text);
    if (code == 0)
        code = refuse_status(s, compute_condition(x), text);
    if (code == 0)
        code = compute_error(x, text);
    if (code == 0)
        code = agree_line(s, report(x, text), text);
    return code;
}

static int run_instance(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    const struct options *o = s->options;
    int64_t nrhs;
    int code = open_matrix(x, text);
    if (code == 0)
        code = open_rhs(x, &nrhs, text);
    code = agree_line(s, code, text);
    if (code != 0)
        return code;
    code = choose_tile_size(x, text);
    if (code != 0)
        return code;
    code = agree_line(s, case_weights(o, &x->problem, text), text);
    if (code != 0)
        return code;
    x->memory_before = peak_resident_now();
    ompfact_shape shape = case_shape(o, &x->problem, &s->speeds);
    code = choose_bounds(x, &shape, text);
    if (code == 0)
        code = refuse_status(s, ompfact_matrix_create(s->grid, &shape, &x->A), text);
    if (code == 0 && o->routine->solves)
        code = refuse_status(s, ompfact_matrix_create_rhs(x->A, nrhs, &x->B), text);
    if (code == 0)
        code = prepare_outputs(x, text);
    for (int i = 0; code == 0 && i < (o->warmup ? 1 : 0); i++) {
        code = compute_inputs(x, text);
        if (code == 0)
            code = refuse_status(s, compute_factors(x), text);
    }
    for (int i = 0; code == 0 && i < o->repeat; i++)
        code = run_once(x, text);
    if (code == 0 && o->trace != NULL)
        code = refuse_status(s, ompfact_trace_write(s->grid, o->trace), text);
    return code != 0 ? code : write_output(x, text);
}

/* What the first rank reads, or all measure, is what all go by. */
static int know_speeds(struct session *s, char text[COMMAND_TEXT])
{
    const char *from = s->options->speeds;
    int ranks = ompfact_ranks(s->grid), code = 0;
    if (from == NULL)
        return 0;
    if (strcmp(from, "auto") == 0)
        code = speeds_measure(s->grid, !is_qr(s->options), &s->speeds, text);
    else if (ompfact_rank(s->grid) == 0)
        code = speeds_read(from, ranks, &s->speeds, text);
    code = agree_line(s, code, text);
    if (code == 0 && strcmp(from, "auto") != 0)
        code = agree_line(s, speeds_share(s->grid, &s->speeds, text), text);
    if (code == 0 && s->report.table.file != NULL && !s->options->explain)
        speeds_print(&s->speeds, s->report.table.file);
    return code;
}

int run_sweep(struct session *s, char text[COMMAND_TEXT])
{
    int code = know_speeds(s, text);
    for (int64_t i = 0; code == 0 && i < options_problem_count(s->options); i++) {
        struct instance x = { .session = s, .problem = options_problem(s->options, i) };
        code = run_instance(&x, text);
        ompfact_matrix_destroy(&x.X);
        ompfact_matrix_destroy(&x.B);
        ompfact_matrix_destroy(&x.A);
        free(x.problem.weights);
        if (x.sources_open[1])
            source_close(&x.rhs_source);
        if (x.sources_open[0])
            source_close(&x.matrix_source);
    }
    speeds_forget(&s->speeds);
    return code != 0 ? code : s->failed ? COMMAND_NUMERICAL : 0;
}
