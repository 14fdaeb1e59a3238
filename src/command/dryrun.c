/* What a run would cost, from its layout alone: no matrix, no MPI. */
#include "src/command/explain.h"

#include "src/choose/choose.h"
#include "src/command/case.h"
#include "src/command/dry_wire.h"
#include "src/command/files.h"
#include "src/command/progress_line.h"
#include "src/command/simulate.h"

#include <math.h>
#include <stdlib.h>

/* What the transfers carry: each final tile, as large as it is, to each of its readers. -1: no memory. */
static int64_t transferred_bytes(const ompfact_matrix *A, enum layout_algorithm algorithm)
{
    int *heights = tiling_sizes(&A->rows), *widths = tiling_sizes(&A->cols);
    int64_t elements = heights == NULL || widths == NULL ? -1 : layout_transferred(A->layout, algorithm, heights, widths);
    free(heights);
    free(widths);
    return elements < 0 ? -1 : elements * (int64_t)A->precision->size;
}

/* What only the loops know. */
static int count_qr(const struct instance *x, struct dry_result *r, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    struct qr_counts counts;
    struct counting counting = counting_begin(o->progress.value, o->quiet);
    struct rma_nodes nodes = { .ranks = o->ranks, .node_of = x->session->node_of, .count = x->session->nodes, .in_place = true };
    bool counted = qr_count(x->A, case_tree(o).value, o->ib, o->ranks_per_node > 1 ? &nodes : NULL,
                            &(struct watcher){ counting_step, &counting }, &counts);
    counting_end(&counting);
    if (!counted)
        return refuse(text, "no memory to count the transfers of %s", o->routine->name);
    r->transfers = counts.transfers;
    r->transfer_bytes = counts.transfer_bytes;
    r->wire_transfers = counts.wire_transfers;
    r->wire_bytes = counts.wire_bytes;
    r->flops_max_over_mean = counts.flops_max_over_mean;
    if (x->A->shape.speeds != NULL)
        r->abe_max_over_mean = counts.abe_max_over_mean;
    return 0;
}

static int count_inverse(const struct instance *x, struct dry_result *r, char text[COMMAND_TEXT])
{
    struct inverse_counts counts;
    if (!inverse_count(x->A, x->session->options->routine->triangular, &counts))
        return refuse(text, "no memory to count the transfers of %s", r->routine);
    r->transfers = counts.transfers;
    r->transfer_bytes = counts.transfer_bytes;
    r->wire_transfers = r->wire_bytes = REPORT_NONE;
    r->flops_max_over_mean = counts.flops_max_over_mean;
    if (x->A->shape.speeds != NULL)
        r->abe_max_over_mean = counts.abe_max_over_mean;
    return 0;
}

static int describe(const struct instance *x, struct dry_result *r, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    const struct problem *p = &x->problem;
    const struct speeds *speeds = &x->session->speeds;
    const ompfact_matrix *A = x->A;
    enum layout_algorithm algorithm = is_cholesky(o) ? LAYOUT_CHOLESKY : LAYOUT_LU;
    struct layout_summary s = { .flops_max_over_mean = 1 };
    bool empty = A->mt == 0 || A->nt == 0;
    int64_t bytes = empty || is_qr(o) ? 0 : transferred_bytes(A, algorithm);
    if (bytes < 0 || (!empty && layout_summarise(A->layout, algorithm, &s) != 0))
        return refuse(text, "no memory to sum up a layout");
    *r = (struct dry_result){
        .routine = o->routine->name, .m = p->m, .n = p->n, .nb = p->nb, .layout = A->pattern->name, .ranks = o->ranks,
        .mt = A->mt, .nt = A->nt, .pattern_rows = A->pattern->rows, .pattern_cols = A->pattern->cols,
        .cost = is_cholesky(o) ? pattern_cost_cholesky(A->pattern) : pattern_cost_lu(A->pattern),
        .cost_bound = pattern_bound(A->pattern, algorithm, speeds->speed),
        .transfers = s.transfers, .transfer_bytes = bytes, .nodes = dry_node_count(o),
        .work_bound_s = NAN, .chain_bound_s = NAN, .predicted_s = NAN,
        .link_bound_s = o->wire.rate > 0 && !is_qr(o) && !o->routine->inverts ? 0 : NAN,
        .tiles_max = s.tiles_max,
        .tiles_min = s.tiles_min,
        .flops_max_over_mean = s.flops_max_over_mean, .max_ranks_per_row = s.max_ranks_per_row,
        .max_ranks_per_col = s.max_ranks_per_col, .weighed = p->weights != NULL, .speeds = speeds->list,
        .perisum = case_perisum(A, speeds),
        .abe_max_over_mean = speeds->count > 0 && !empty ? layout_abe_max_over_mean(A->layout, algorithm, speeds->speed) : NAN,
    };
    int code = empty                  ? 0
               : is_qr(o)             ? count_qr(x, r, text)
               : o->routine->inverts  ? count_inverse(x, r, text)
                                      : dry_wire(o, x->session->node_of, A, r, text);
    ompfact_shape shape = case_shape(o, p, speeds);
    if (code == 0 && !shape_weigh(&shape, A->layout, &r->flops_max_over_mean))
        code = refuse(text, "no memory to weigh a layout");
    return code == 0 && case_has_loads(A, o, speeds) ? loads_create(&shape, A, &r->loads, text) : code;
}

/* The right-hand sides, too, on paper. */
static int describe_memory(struct instance *x, struct dry_result *r, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    ompfact_matrix *A = x->A;
    char why[MESSAGE];
    A->me = fullest_rank(A->layout);
    if (o->routine->solves && matrix_rhs_on_paper(A, x->problem.nrhs, &x->B, why) != OMPFACT_SUCCESS)
        return refuse(text, "%s", why);
    r->memory_bytes_max = (int64_t)matrix_bytes(A, A->me) + RMA_FLAG_BYTES * (int64_t)A->mt * A->nt +
                          (int64_t)case_rhs_bytes(x->B, A->me) + case_extra_memory(A, x->B, o);
    return 0;
}

/* Of ranks on nodes like this one. */
static struct tile_question tile_question(const struct instance *x)
{
    const struct options *o = x->session->options;
    ompfact_shape shape = case_shape(o, &x->problem, &x->session->speeds);
    int on_node = dry_most_on_node(o);
    return shape_question(&shape, o->ranks, o->threads > 0 ? o->threads : default_threads(on_node), on_node);
}

/* And devices. */
static int choose_tile_size(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    struct problem *p = &x->problem;
    if (p->nb > 0 && !s->options->explain && s->options->devices == 0 && s->options->wire.rate <= 0)
        return 0;
    if (s->known == NULL)
        s->known = machine_know(blas_select_kernels());
    if (s->known == NULL)
        return refuse(text, "no memory for the rates of a machine");
    const struct machine *machine = &s->known->machine;
    struct tile_question q = tile_question(x);
    s->devices = device_plan_dry(s->options, q.threads, machine);
    if (p->nb == 0)
        p->nb = device_plan_tile_size(&s->devices, machine, q.ranks, p->m, p->n, tile_size_choose(machine, &q));
    return 0;
}

static int make_on_paper(struct instance *x, char text[COMMAND_TEXT])
{
    const struct session *s = x->session;
    ompfact_shape shape = case_shape(s->options, &x->problem, &s->speeds);
    shape.node_of = s->node_of;
    shape.nodes = s->nodes;
    struct pattern *pattern;
    char why[MESSAGE] = "no memory for a matrix's addresses";
    bool made = shape_pattern(&shape, s->options->ranks, 0, &pattern, why) == OMPFACT_SUCCESS &&
                matrix_on_paper(&shape, pattern, 0, &x->A, why) == OMPFACT_SUCCESS &&
                (!s->options->abft || storage_add_sums(x->A));
    return made ? 0 : refuse(text, "%s", why);
}

static int describe_limits(const struct instance *x, struct dry_result *r, struct limits *limits, char text[COMMAND_TEXT])
{
    const struct session *s = x->session;
    double max_over_mean = r->abe_max_over_mean > 0 ? r->abe_max_over_mean : r->flops_max_over_mean;
    *limits = (struct limits){ NAN, NAN, NAN };
    if (!s->options->explain && s->options->wire.rate <= 0)
        return 0;
    if (!limits_forecast(x, &s->known->machine, s->options->ranks_per_node, max_over_mean, limits))
        return refuse(text, "no memory to find what limits %s", r->routine);
    r->work_bound_s = limits->work;
    r->chain_bound_s = limits->chain;
    if (x->A->mt > 0 && x->A->nt > 0)       /* else the link has nothing to do */
        r->link_bound_s = limits->link;
    return 0;
}

static int dry_run_problem(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    const struct options *o = s->options;
    struct dry_result r = { 0 };
    struct limits limits;
    int code = open_sources(x, text);
    if (code == 0)
        code = choose_tile_size(x, text);
    if (code == 0)
        code = case_weights(o, &x->problem, text);
    if (code == 0)
        code = make_on_paper(x, text);
    if (code == 0)
        code = describe(x, &r, text);
    if (code == 0)
        code = describe_memory(x, &r, text);
    if (code == 0)
        code = describe_limits(x, &r, &limits, text);
    if (code == 0 && o->simulate != NULL)
        code = simulate_case(x, &r, text);
    if (code == 0)
        code = case_write_layout(x->A, o, &s->devices, text);
    if (code == 0 && o->explain)
        code = explain_case(x, tile_question(x), &limits, text);
    if (code == 0)
        code = report_dry(&s->report, &r, text);
    loads_forget(&r.loads);
    return code;
}

int dry_run_sweep(const struct options *o, char text[COMMAND_TEXT])
{
    int *node_of = dry_nodes(o);
    struct session s = { .options = o, .node_of = node_of, .nodes = dry_node_count(o) };
    if (node_of == NULL)
        return refuse(text, "no memory for %d ranks", o->ranks);
    if (files_check(o, text) != 0 || simulate_open(&s, text) != 0 || report_open(&s.report, o, text) != 0) {
        simulate_close(&s);
        free(node_of);
        return COMMAND_USAGE;
    }
    options_warn(stderr, o);
    int code = o->speeds != NULL ? speeds_read(o->speeds, o->ranks, &s.speeds, text) : 0;
    for (int64_t i = 0; code == 0 && i < options_problem_count(o); i++) {
        struct instance x = { .session = &s, .problem = options_problem(o, i) };
        code = dry_run_problem(&x, text);
        forget_case(&x);
    }
    speeds_forget(&s.speeds);
    simulate_close(&s);
    free(s.known);
    free(node_of);
    char unread[COMMAND_TEXT];
    int closed = report_close(&s.report, code == 0 ? text : unread);
    return code != 0 ? code : closed;
}
