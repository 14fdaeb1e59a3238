#include "src/command/simulate.h"

#include "src/choose/choose.h"
#include "src/command/case.h"
#include "src/command/dry_wire.h"
#include "src/command/fields.h"
#include "src/command/limits.h"
#include "src/command/write_page.h"
#include "src/factor/trace_text.h"
#include "src/grid/grid.h"
#include "src/io/text_stream.h"
#include "src/model/model.h"

#include <stdlib.h>

int simulate_open(struct session *s, char text[COMMAND_TEXT])
{
    const struct options *o = s->options;
    char why[PLATFORM_TEXT];
    if (o->simulate == NULL)
        return 0;
    if (is_qr(o) || (is_lu(o) && case_pivot(o, o->ranks).value != OMPFACT_PIVOT_NONE))
        return refuse(text, "--simulate is built for potrf, and for getrf with --pivot none");
    if (o->devices != 0)
        return refuse(text, "--simulate knows no devices: leave out --devices");
    if (platform_load(o->simulate, &s->platform, why) != 0)
        return refuse(text, "%s", why);
    if (s->platform.hosts < s->nodes)
        return refuse(text, "%s has %d host%s, and %d ranks, %d to a node, want %d", o->simulate, s->platform.hosts,
                      s->platform.hosts == 1 ? "" : "s", o->ranks, o->ranks_per_node, s->nodes);
    return 0;
}

void simulate_close(struct session *s)
{
    platform_forget(&s->platform);
}

/* ---- rates ----------------------------------------------------------------------------------------------------------------- */

static struct model_rates flat_rates(double speed)
{
    struct model_rates rates;
    for (int kind = 0; kind < TASK_KINDS; kind++)
        rates.gflops[kind] = 1e-9 * speed;
    return rates;
}

/* By default the cores of a node over its ranks, of the node where these are least. */
static int threads_of(const struct session *s)
{
    int cores = s->platform.host[0].cores;
    for (int rank = 0; rank < s->options->ranks; rank++)
        cores = s->platform.host[s->node_of[rank]].cores < cores ? s->platform.host[s->node_of[rank]].cores : cores;
    int share = cores / dry_most_on_node(s->options);
    return s->options->threads > 0 ? s->options->threads : share > 0 ? share : 1;
}

/* Of each rank. NULL: no memory. */
static struct model_rates *rates_of_ranks(const struct instance *x)
{
    struct session *s = x->session;
    const struct options *o = s->options;
    struct model_rates *rates = malloc((size_t)o->ranks * sizeof *rates);
    for (int rank = 0; rates != NULL && rank < o->ranks; rank++) {
        const struct platform_host *host = &s->platform.host[s->node_of[rank]];
        if (!host->flat && s->known == NULL && (s->known = machine_know(blas_select_kernels())) == NULL) {
            free(rates);
            return NULL;
        }
        rates[rank] = host->flat ? flat_rates(host->speed)
                                 : rates_of_machine(&s->known->machine, x->problem.type, threads_of(s) * dry_most_on_node(o),
                                                    x->problem.nb);
    }
    return rates;
}

/* ---- the run --------------------------------------------------------------------------------------------------------------- */

struct simulated {
    const struct model_graph *graph;
    struct model_machine machine;
    struct model_outcome outcome;
    struct trace *traces;           /* [rank]; NULL: none is wanted */
    int failed;
};

static void simulate(void *context, const struct model_wire *wire)
{
    struct simulated *x = context;
    x->machine.wire = wire;
    x->failed = model_run(x->graph, &x->machine, &x->outcome, NULL, x->traces);
}

/* With its row, so that a page can be made of it. */
static int write_trace(const struct instance *x, const struct dry_result *r, const struct trace *traces, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    struct output file = { 0 };
    char *row = NULL;
    size_t length;
    int ranks = o->ranks, code = output_open(&file, "trace", o->trace, text);
    if (code != 0)
        return code;
    FILE *out = text_stream(&row, &length);
    bool whole = out != NULL;
    if (whole)
        json_write(out, dry_fields, 0, r);
    whole = whole && fclose(out) == 0;
    fputs(TRACE_OPEN, file.file);
    if (whole)
        write_other_data(file.file, x->A, row, 0, x->session->node_of, x->rank_map);
    free(row);
    for (int rank = 0; rank < ranks; rank++) {
        fputs(rank == 0 ? TRACE_EVENTS : ",\n", file.file);
        whole &= trace_text(file.file, rank, 0, &traces[rank], 0);
    }
    fputs(TRACE_CLOSE, file.file);
    if (whole)
        return output_close(&file, text);
    output_drop(&file);
    return refuse(text, "no memory for the trace of %d ranks", ranks);
}

static int run_graph(const struct instance *x, struct simulated *run, struct dry_result *r, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    if (o->trace != NULL && (run->traces = calloc((size_t)o->ranks, sizeof *run->traces)) == NULL)
        return refuse(text, "no memory for the trace of %d ranks", o->ranks);
    platform_run(x->session->node_of, simulate, run);
    r->predicted_s = run->outcome.makespan;
    int code = run->failed ? refuse(text, "no memory to simulate so many tasks") : 0;
    if (code == 0 && run->traces != NULL)
        code = write_trace(x, r, run->traces, text);
    for (int rank = 0; run->traces != NULL && rank < o->ranks; rank++)
        trace_destroy(&run->traces[rank]);
    free(run->traces);
    return code;
}

int simulate_case(const struct instance *x, struct dry_result *r, char text[COMMAND_TEXT])
{
    const struct session *s = x->session;
    const struct options *o = s->options;
    struct rma_nodes nodes = { .ranks = o->ranks, .node_of = s->node_of, .count = s->nodes,
                               .in_place = o->on_node.value == OPTION_IN_PLACE, .bcast = bcast_of(o->bcast.value) };
    struct model_rates *rates = rates_of_ranks(x);
    struct model_graph *graph = NULL;
    if (rates != NULL)
        graph = model_graph_create(x->A, is_cholesky(o) ? &cholesky : &lu, o->schedule.value, &nodes);
    struct simulated run = { .graph = graph, .machine = { .threads = threads_of(s), .rates_of = rates,
                                                          .max_tasks = o->tasks > 0 ? o->tasks : RUN_TASKS } };
    int code = graph == NULL ? refuse(text, "no memory for the tasks of %s of %lld", o->routine->name, (long long)x->problem.n)
                             : run_graph(x, &run, r, text);
    model_graph_destroy(&graph);
    free(rates);
    return code;
}
