#include "src/command/simulate.h"

#include "src/command/case.h"
#include "src/command/write_page.h"
#include "src/factor/trace_text.h"
#include "src/plan/forecast.h"

#include <stdlib.h>

int simulate_open(struct session *s, char text[COMMAND_TEXT])
{
    const struct options *o = s->options;
    char why[OMPFACT_MESSAGE];
    if (o->simulate == NULL)
        return 0;
    if (is_qr(o) || (is_lu(o) && case_pivot(o, o->ranks).value != OMPFACT_PIVOT_NONE))
        return refuse(text, "--simulate is built for potrf, and for getrf with --pivot none");
    if (o->devices != 0)
        return refuse(text, "--simulate knows no devices: leave out --devices");
    if (ompfact_platform_create(o->simulate, &s->platform, why) != OMPFACT_SUCCESS)
        return refuse(text, "%s", why);
    int hosts = ompfact_platform_hosts(s->platform), nodes = (o->ranks - 1) / o->ranks_per_node + 1;
    if (hosts < nodes)
        return refuse(text, "%s has %d host%s, and %d ranks, %d to a node, want %d", o->simulate, hosts, hosts == 1 ? "" : "s",
                      o->ranks, o->ranks_per_node, nodes);
    return 0;
}

/* With its facts, so that a page can be made of it. */
static int write_trace(const struct instance *x, const struct trace *traces, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    struct output file = { 0 };
    int ranks = o->ranks, code = output_open(&file, "trace", o->trace, text);
    if (code != 0)
        return code;
    struct page_data *data = page_of_instance(x, 0, x->plan->job.shape.node_of);
    bool whole = data != NULL;
    fputs(TRACE_OPEN, file.file);
    if (whole)
        write_other_data(file.file, data);
    page_data_destroy(&data);
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

int simulate_case(struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    struct trace *traces = o->trace != NULL ? calloc((size_t)o->ranks, sizeof *traces) : NULL;
    char why[OMPFACT_MESSAGE];
    if (o->trace != NULL && traces == NULL)
        return refuse(text, "no memory for the trace of %d ranks", o->ranks);
    bool simulated = plan_simulate(x->plan, x->session->platform, traces, why) == OMPFACT_SUCCESS;
    int code = simulated ? 0 : refuse(text, "%s", why);
    x->facts.predicted_s = ompfact_plan_forecast(x->plan)->predicted_s;
    if (code == 0 && traces != NULL)
        code = write_trace(x, traces, text);
    for (int rank = 0; traces != NULL && rank < o->ranks; rank++)
        trace_destroy(&traces[rank]);
    free(traces);
    return code;
}
