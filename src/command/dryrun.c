/* Dry runs: prints a plan of each problem. No matrix, no MPI. */
#include "src/command/instance.h"

/* --copies auto */
static int choose_copies(struct instance *x, char text[COMMAND_TEXT])
{
    if (x->job.shape.copies > 0)
        return 0;
    TRY_WHY(text, ompfact_plan_copies(&x->job, &x->copies, why));
    x->job.shape.copies = x->copies.copies;
    return 0;
}

static int make_plan(struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    ompfact_job job = x->job;
    struct counting counting = counting_begin("counting", o->progress, o->quiet);
    char why[OMPFACT_MESSAGE];
    job.bounds = o->explain || job.wire_rate > 0;
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
    if (x->session->options->job.shape.tile_precision == 0)
        return 0;
    TRY_STEP(source_make_points(&x->matrix_source, x->session->options->batches, text));
    return source_predict(&x->matrix_source, x->plan, x->job.shape.type, &x->precisions, text);
}

/* All results of a dry run. The prediction does not tell which tiles in single become double. */
static void add_plan(struct instance *x)
{
    const ompfact_shape *shape = &x->job.shape;
    struct facts *facts = &x->facts;
    *facts = (struct facts){ .parts = IN_DRY, .routine = x->job.routine, .m = shape->m, .n = shape->n };
    case_add_plan(x->plan, &x->session->speeds, facts);
    if (shape->tile_precision != 0) {
        bool automatic = shape->tile_precision == OMPFACT_TILE_PRECISION_AUTO;
        case_add_precisions(automatic ? (double)shape->n * 0x1p-53 : shape->tile_precision, shape->bf16_tiles, &x->precisions,
                            x->by_precision, facts);
        facts->tiles_widened = FACT_NONE;
    }
    origin_add(&x->session->origin, facts);
}

/* ---- simulated: on a platform of SimGrid -------------------------------------------------------------------------------- */

/* Checks that the routine can be simulated, and reads the platform of the options once, for as many nodes as there are. */
static int simulate_open(struct session *s, char text[COMMAND_TEXT])
{
    const struct options *o = s->options;
    if (o->simulate == NULL)
        return 0;
    if (is_qr(o) || pivots(o))
        return refuse(text, "--simulate is built for potrf, sytrf and hetrf, and for getrf with --pivot none");
    if (o->job.options.devices != 0)
        return refuse(text, "--simulate does not support devices: omit --devices");
    TRY_WHY(text, ompfact_platform_create(o->simulate, &s->platform, why));
    int hosts = ompfact_platform_hosts(s->platform), nodes = (o->job.ranks - 1) / o->job.ranks_per_node + 1;
    if (hosts < nodes)
        return refuse(text, "%s has %d host%s, but %d ranks, %d on a node, need %d", o->simulate, hosts, hosts == 1 ? "" : "s",
                      o->job.ranks, o->job.ranks_per_node, nodes);
    return 0;
}

/* Simulates the time of the factorization, which becomes a fact, and its trace. */
static int simulate_case(struct instance *x, char text[COMMAND_TEXT])
{
    const struct session *s = x->session;
    TRY_WHY(text, ompfact_plan_simulate(x->plan, s->platform, why));
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
    TRY_STEP(case_write_layout(x->plan, o, &x->job.shape, text));
    if (o->explain)
        TRY_STEP(explain_case(x, text));
    return report_dry(&s->report, &x->facts, x->weights != NULL, text);
}

static int dry_run_problem(struct instance *x, char text[COMMAND_TEXT])
{
    TRY_STEP(open_sources(x, text));
    if (x->job.shape.nb == 0)       /* weights need tiles of a known size */
        TRY_WHY(text, ompfact_plan_tile_size(&x->job, &x->job.shape.nb, why));
    TRY_STEP(case_weights(x->session->options, &x->job.shape, &x->weights, text));
    x->job.shape.weights = x->weights;
    TRY_STEP(choose_copies(x, text));
    TRY_STEP(make_plan(x, text));
    TRY_STEP(predict_precisions(x, text));
    return print_plan(x, text);
}

int dry_run_sweep(const struct options *o, char text[COMMAND_TEXT])
{
    struct session s = { .options = o, .speaks = o->progress == PROGRESS_BAR && !o->quiet };
    if (files_check(o, text) != 0 || simulate_open(&s, text) != 0 || report_open(&s.report, o, text) != 0) {
        ompfact_platform_destroy(&s.platform);
        return COMMAND_USAGE;
    }
    options_warn(stderr, o);
    origin_find(&s.origin, o->argv, NULL);
    case_warn_of_idle_ranks(o, o->job.ranks);
    int code = o->speeds != NULL ? speeds_read(o->speeds, o->job.ranks, &s.speeds, text) : 0;
    for (int64_t i = 0; code == 0 && i < options_problem_count(o); i++) {
        struct instance x = instance_of(&s, i);
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
