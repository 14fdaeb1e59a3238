/* Dry runs: prints a plan of each problem. No matrix, no MPI. */
#include "src/command/explain.h"

#include "src/command/case.h"
#include "src/command/doing.h"
#include "src/command/progress_line.h"
#include "src/command/write_page.h"

static ompfact_job job_on_paper(const struct instance *x)
{
    ompfact_job job = case_job(x->session->options, &x->problem, &x->session->speeds);
    job.platform = x->session->platform;
    return job;
}

/* Weights need tiles of a known size. */
static int choose_tile_size(struct instance *x, char text[COMMAND_TEXT])
{
    ompfact_job job = job_on_paper(x);
    char why[OMPFACT_MESSAGE];
    bool sized = x->problem.nb > 0 || ompfact_plan_tile_size(&job, &x->problem.nb, why) == OMPFACT_SUCCESS;
    return sized ? 0 : refuse(text, "%s", why);
}

/* --copies auto */
static int choose_copies(struct instance *x, char text[COMMAND_TEXT])
{
    ompfact_job job = job_on_paper(x);
    char why[OMPFACT_MESSAGE];
    if (x->problem.copies == 0 && ompfact_plan_copies(&job, &x->copies, why) != OMPFACT_SUCCESS)
        return refuse(text, "%s", why);
    x->problem.copies = x->problem.copies > 0 ? x->problem.copies : (int)x->copies.copies;
    return 0;
}

static int make_plan(struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    ompfact_job job = job_on_paper(x);
    struct counting counting = counting_begin("counting", o->progress.value, o->quiet);
    char why[OMPFACT_MESSAGE];
    job.bounds = o->explain || o->wire.rate > 0;
    job.options.progress = counting_step;
    job.options.progress_context = &counting;
    job.options.trace = o->trace != NULL;
    ompfact_status status = ompfact_plan_create(&job, &x->plan, why);
    counting_end(&counting);
    return status == OMPFACT_SUCCESS ? 0 : refuse(text, "%s", why);
}

/* Samples of the matrix itself. */
static int predict_precisions(struct instance *x, char text[COMMAND_TEXT])
{
    if (x->session->options->tile_precision.eps == 0)
        return 0;
    TRY_STEP(source_make_points(&x->matrix_source, x->session->options->batches, text));
    return source_predict(&x->matrix_source, x->plan, x->problem.type, &x->precisions, text);
}

/* The prediction does not tell which of them become double. */
static void add_precisions(struct instance *x)
{
    struct precision_choice asked = x->session->options->tile_precision;
    if (asked.eps == OMPFACT_TILE_PRECISION_AUTO)
        asked.eps = (double)x->problem.n * 0x1p-53;
    case_add_precisions(asked, &x->precisions, x->by_precision, &x->facts);
    x->facts.tiles_widened = FACT_NONE;
}

/* All results of a dry run. */
static void add_plan(struct instance *x)
{
    const struct problem *p = &x->problem;
    const ompfact_forecast *f = ompfact_plan_forecast(x->plan);
    x->facts = (struct facts){
        .parts = IN_DRY, .routine = x->session->options->routine->name, .m = p->m, .n = p->n, .nb = f->nb, .layout = f->layout,
        .ranks = f->ranks, .mt = f->mt, .nt = f->nt, .pattern_rows = f->pattern_rows, .pattern_cols = f->pattern_cols,
        .cost = f->cost, .cost_bound = f->cost_bound, .transfers = f->transfers,
        .copies = f->copies, .transfers_sums = f->transfers_sums, .transfer_bytes = f->transfer_bytes,
        .nodes = f->nodes, .wire_transfers = or_none(f->wire_transfers), .wire_bytes = or_none(f->wire_bytes),
        .work_bound_s = f->work_bound_s, .link_bound_s = f->link_bound_s, .chain_bound_s = f->chain_bound_s,
        .tasks_bound_s = f->tasks_bound_s,
        .predicted_s = f->predicted_s, .tiles_max = f->tiles_max, .tiles_min = f->tiles_min,
        .flops_max_over_mean = f->flops_max_over_mean, .max_ranks_per_row = f->max_ranks_per_row,
        .max_ranks_per_col = f->max_ranks_per_col, .memory_bytes_max = f->memory_bytes_max,
        .perisum = f->perisum, .abe_max_over_mean = f->abe_max_over_mean };
    case_add_speeds(&x->session->speeds, ompfact_plan_loads(x->plan), &x->facts);
    if (x->session->options->tile_precision.eps != 0)
        add_precisions(x);
    origin_add(&x->session->origin, &x->facts);
}

/* ---- simulated: on a platform of SimGrid -------------------------------------------------------------------------------- */

/* Checks that the routine can be simulated, and reads the platform of the options once, for as many nodes as there are. */
static int simulate_open(struct session *s, char text[COMMAND_TEXT])
{
    const struct options *o = s->options;
    char why[OMPFACT_MESSAGE];
    if (o->simulate == NULL)
        return 0;
    if (is_qr(o) || (is_lu(o) && case_pivot(o, o->ranks).value != OMPFACT_PIVOT_NONE))
        return refuse(text, "--simulate is built for potrf, sytrf and hetrf, and for getrf with --pivot none");
    if (o->devices != 0)
        return refuse(text, "--simulate does not support devices: omit --devices");
    if (ompfact_platform_create(o->simulate, &s->platform, why) != OMPFACT_SUCCESS)
        return refuse(text, "%s", why);
    int hosts = ompfact_platform_hosts(s->platform), nodes = (o->ranks - 1) / o->ranks_per_node + 1;
    if (hosts < nodes)
        return refuse(text, "%s has %d host%s, but %d ranks, %d on a node, need %d", o->simulate, hosts, hosts == 1 ? "" : "s",
                      o->ranks, o->ranks_per_node, nodes);
    return 0;
}

/* Simulates the time of the factorization, which becomes a fact, and its trace. */
static int simulate_case(struct instance *x, char text[COMMAND_TEXT])
{
    const struct session *s = x->session;
    char why[OMPFACT_MESSAGE];
    if (ompfact_plan_simulate(x->plan, s->platform, why) != OMPFACT_SUCCESS)
        return refuse(text, "%s", why);
    x->facts.predicted_s = ompfact_plan_forecast(x->plan)->predicted_s;
    return s->options->trace != NULL ? write_simulated_trace(x, text) : 0;
}

/* ---- the sweep ------------------------------------------------------------------------------------------------------------- */

static int print_plan(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    const struct options *o = s->options;
    add_plan(x);
    TRY_STEP(o->simulate != NULL ? simulate_case(x, text) : 0);
    TRY_STEP(case_write_layout(x->plan, o, &x->problem, text));
    if (o->explain)
        TRY_STEP(explain_case(x, text));
    return report_dry(&s->report, &x->facts, x->problem.weights != NULL, text);
}

static int dry_run_problem(struct instance *x, char text[COMMAND_TEXT])
{
    TRY_STEP(open_sources(x, text));
    TRY_STEP(choose_tile_size(x, text));
    TRY_STEP(case_weights(x->session->options, &x->problem, text));
    TRY_STEP(choose_copies(x, text));
    TRY_STEP(make_plan(x, text));
    TRY_STEP(predict_precisions(x, text));
    return print_plan(x, text);
}

int dry_run_sweep(const struct options *o, char text[COMMAND_TEXT])
{
    struct session s = { .options = o, .speaks = o->progress.value == PROGRESS_BAR && !o->quiet };
    if (files_check(o, text) != 0 || simulate_open(&s, text) != 0 || report_open(&s.report, o, text) != 0) {
        ompfact_platform_destroy(&s.platform);
        return COMMAND_USAGE;
    }
    options_warn(stderr, o);
    origin_find(&s.origin, o->argv, NULL);
    case_warn_of_idle_ranks(o, o->ranks);
    int code = o->speeds != NULL ? speeds_read(o->speeds, o->ranks, &s.speeds, text) : 0;
    for (int64_t i = 0; code == 0 && i < options_problem_count(o); i++) {
        struct instance x = { .session = &s, .problem = options_problem(o, i) };
        code = doing_part(&x, DOING_PATIENCE_S, "choosing a layout and counting its transfers; larger tiles take less time",
                          dry_run_problem, text);
        forget_case(&x);
    }
    speeds_forget(&s.speeds);
    origin_forget(&s.origin);
    ompfact_platform_destroy(&s.platform);
    char unread[COMMAND_TEXT];
    int closed = report_close(&s.report, code == 0 ? text : unread);
    return code != 0 ? code : closed;
}
