#include "src/command/explain.h"

#include "src/command/case.h"
#include "src/command/explain_parts.h"
#include "src/plan/choices.h"
#include "src/plan/forecast.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_candidate(FILE *out, const ompfact_candidate *c, bool by_node, char mark)
{
    char memory[CELL_TEXT], pattern[32];
    cell_bytes(c->bytes_max, memory);
    snprintf(pattern, sizeof pattern, "%dx%d", c->pattern_rows, c->pattern_cols);
    fprintf(out, "  %c %-16s %9s %9.3f %9.3f %13" PRId64, mark, c->name, pattern, c->cost, c->cost_bound, c->transfers);
    if (by_node)
        fprintf(out, " %13" PRId64, c->wire_transfers);
    fprintf(out, " %8.3f%c %10s%s\n", c->abe_max_over_mean, c->balanced ? ' ' : '!', memory, c->fits ? "" : " !");
}

static void print_table(FILE *out, const ompfact_choice *choice, const ompfact_matrix *A, bool qr, bool weighed)
{
    int balanced = 0, crowded = 0;
    bool by_node = false;
    for (int k = 0; k < choice->count; k++) {
        const ompfact_candidate *c = &choice->candidate[k];
        balanced += c->balanced;
        crowded += !c->fits;
        by_node |= c->by_node;
    }
    fprintf(out, "    %-16s %9s %9s %9s %13s %s%8s  %10s\n", "layout", "pattern", "cost T", "bound", "transfers",
            by_node ? "between nodes " : "", "max/mean", "memory");
    for (int k = 0; k < choice->count; k++)
        print_candidate(out, &choice->candidate[k], by_node, k == choice->chosen ? '*' : ' ');
    if (choice->counted_mt < A->mt || choice->counted_nt < A->nt)
        fprintf(out, "  %s for the leading %d x %d tiles%s\n", qr ? "transfers" : "counted", choice->counted_mt,
                choice->counted_nt, weighed ? "; balance for all" : qr ? "; balance as for LU" : "");
    if (weighed)
        fprintf(out, "  * auto: by the weights of the tiles the most loaded rank has least (! is more than 5 %% above)%s\n",
                crowded > 0 ? ", of those that fit in memory (! does not)" : "");
    else
        fprintf(out,
                "  * auto: the fewest transfers%s of the %d whose most loaded rank is within 5 %% of the best (! is not)%s\n",
                by_node ? " between nodes" : "", balanced, crowded > 0 ? ", and that fit in memory (! does not)" : "");
}

/* Where a few ranks less would send much less. */
static void print_fewer(FILE *out, const ompfact_choice *choice)
{
    int64_t chosen = choice->candidate[choice->chosen].transfers, fewer = choice->fewer.transfers;
    char loss[32];
    if (choice->fewer_ranks == 0)
        return;
    snprintf(loss, sizeof loss, choice->fewer_loss < 0.0005 ? "no" : "%.1f %%", 100 * choice->fewer_loss);
    fprintf(out, "  fewer ranks: %d with %s would send %" PRId64 " tiles instead of %" PRId64
            ", %.0f %% fewer, and lose %s speed\n", choice->fewer_ranks, choice->fewer.name, fewer, chosen,
            100 * (1 - (double)fewer / (double)chosen), loss);
}

static int print_layouts(FILE *out, const struct instance *x, const ompfact_shape *shape, const ompfact_choice *choice,
                         char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    const struct speeds *speeds = &x->session->speeds;
    const ompfact_matrix *A = x->A;
    fprintf(out, "layouts for %s, %d x %d tiles, %d rank%s\n", o->routine->name, A->mt, A->nt, A->ranks,
            A->ranks == 1 ? "" : "s");
    if (speeds->count > 0)
        speeds_print(speeds, out);
    print_table(out, choice, A, is_qr(o), x->problem.weights != NULL);
    if (strcmp(choice->candidate[choice->chosen].name, A->pattern->name) != 0)
        fprintf(out, "  in use: %s, as --layout says\n", A->pattern->name);
    fprintf(out, "  bound: no balanced pattern %s costs less\n", is_cholesky(o) ? "of that size" : "at all");
    print_fewer(out, choice);
    fprintf(out, "\n");
    return explain_plan(out, shape, A, text);
}

static int explain_plans_layout(FILE *out, const struct instance *x, char text[COMMAND_TEXT])
{
    const ompfact_choice *choice;
    char why[OMPFACT_MESSAGE];
    if (ompfact_plan_choice(x->plan, &choice, why) != OMPFACT_SUCCESS)
        return refuse(text, "%s", why);
    return print_layouts(out, x, &x->plan->job.shape, choice, text);
}

static int explain_layout(FILE *out, const struct instance *x, char text[COMMAND_TEXT])
{
    ompfact_shape shape = case_shape(x->session->options, &x->problem, &x->session->speeds);
    struct choices choices;
    char why[OMPFACT_MESSAGE];
    shape.node_of = x->session->node_of;
    shape.nodes = x->session->nodes;
    if (choices_create(&shape, x->A, &choices, why) != OMPFACT_SUCCESS)
        return refuse(text, "%s", why);
    int code = print_layouts(out, x, &shape, &choices.view, text);
    choices_forget(&choices);
    return code;
}

static FILE *where_to(const struct instance *x)
{
    FILE *table = x->session->report.table.file;
    return table != NULL ? table : stderr;
}

int explain_run(const struct instance *x, const ompfact_outlook *outlook, const struct limits *limits,
                char text[COMMAND_TEXT])
{
    const struct session *s = x->session;
    FILE *out = where_to(x);
    int code = explain_layout(out, x, text);
    if (code == 0) {
        explain_machine(out, outlook);
        if (!strcmp(ompfact_between_nodes(s->grid), "one-sided") && !ompfact_reads_proceed(s->grid))
            explain_between(out);
        explain_devices(out, outlook);
        limits_print_forecast(out, limits);
    }
    return code;
}

int explain_dry(const struct instance *x, char text[COMMAND_TEXT])
{
    const ompfact_forecast *f = ompfact_plan_forecast(x->plan);
    FILE *out = where_to(x);
    ompfact_outlook outlook;
    char why[OMPFACT_MESSAGE];
    int code = explain_plans_layout(out, x, text);
    if (code == 0 && ompfact_plan_outlook(x->plan, &outlook, why) != OMPFACT_SUCCESS)
        code = refuse(text, "%s", why);
    if (code == 0) {
        explain_machine(out, &outlook);
        explain_devices(out, &outlook);
        limits_print_forecast(out, &(struct limits){ f->work_bound_s, f->link_bound_s, f->chain_bound_s });
    }
    return code;
}
