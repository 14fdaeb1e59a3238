#include "src/command/explain.h"

#include "src/choose/choose.h"
#include "src/command/case.h"
#include "src/command/explain_parts.h"
#include "src/command/fields.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int by_transfers(const void *a, const void *b)
{
    const struct layout_candidate *left = *(struct layout_candidate *const *)a, *right = *(struct layout_candidate *const *)b;
    if (left->wire_transfers != right->wire_transfers)
        return left->wire_transfers < right->wire_transfers ? -1 : 1;
    return left->sum.transfers < right->sum.transfers ? -1 : left->sum.transfers > right->sum.transfers;
}

static void print_candidate(FILE *out, const struct layout_candidate *c, int64_t tile_bytes, bool by_node, char mark)
{
    char memory[CELL_TEXT], pattern[32];
    cell_bytes((int64_t)(c->tiles * (double)tile_bytes), memory);
    snprintf(pattern, sizeof pattern, "%dx%d", c->rows, c->cols);
    fprintf(out, "  %c %-16s %9s %9.3f %9.3f %13" PRId64, mark, c->name, pattern, c->cost, c->bound, c->sum.transfers);
    if (by_node)
        fprintf(out, " %13" PRId64, c->wire_transfers);
    fprintf(out, " %8.3f%c %10s%s\n", c->sum.abe_max_over_mean, c->balanced ? ' ' : '!', memory, c->fits ? "" : " !");
}

static void print_table(FILE *out, const struct layout_choice *choice, const ompfact_matrix *A, bool qr, bool weighed)
{
    const struct layout_candidate *order[LAYOUT_CANDIDATES];
    const struct layout_candidate *chosen = &choice->candidate[choice->chosen];
    int64_t tile_bytes = (int64_t)matrix_largest_tile(A);
    int balanced = 0, crowded = 0;
    bool by_node = false;
    for (int k = 0; k < choice->count; k++) {
        order[k] = &choice->candidate[k];
        balanced += order[k]->balanced;
        crowded += !order[k]->fits;
        by_node |= order[k]->by_node;
    }
    qsort(order, (size_t)choice->count, sizeof order[0], by_transfers);
    fprintf(out, "    %-16s %9s %9s %9s %13s %s%8s  %10s\n", "layout", "pattern", "cost T", "bound", "transfers",
            by_node ? "between nodes " : "", "max/mean", "memory");
    for (int k = 0; k < choice->count; k++)
        print_candidate(out, order[k], tile_bytes, by_node, order[k] == chosen ? '*' : ' ');
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

/* Where a few ranks less would send much less, says so. A leading part does not tell for the whole. */
static int explain_fewer(FILE *out, const ompfact_shape *shape, const ompfact_matrix *A, const struct layout_choice *choice,
                         char text[COMMAND_TEXT])
{
    const struct layout_candidate *chosen = &choice->candidate[choice->chosen];
    struct layout_fewer fewer;
    char why[MESSAGE], loss[32];
    if (choice->counted_mt < A->mt || choice->counted_nt < A->nt)
        return 0;
    if (shape_choose_fewer(shape, A->ranks, A->room, choice, &fewer, why) != OMPFACT_SUCCESS)
        return refuse(text, "%s", why);
    if (fewer.ranks == 0)
        return 0;
    snprintf(loss, sizeof loss, fewer.loss < 0.0005 ? "no" : "%.1f %%", 100 * fewer.loss);
    fprintf(out, "  fewer ranks: %d with %s would send %" PRId64 " tiles instead of %" PRId64
            ", %.0f %% fewer, and lose %s speed\n", fewer.ranks, fewer.candidate.name, fewer.candidate.sum.transfers,
            chosen->sum.transfers, 100 * (1 - (double)fewer.candidate.sum.transfers / (double)chosen->sum.transfers), loss);
    return 0;
}

static int explain_layout(FILE *out, const struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    const struct speeds *speeds = &x->session->speeds;
    const ompfact_matrix *A = x->A;
    struct layout_choice *choice = malloc(sizeof *choice);
    ompfact_shape shape = case_shape(o, &x->problem, speeds);
    shape.node_of = x->session->node_of;
    shape.nodes = x->session->nodes;
    char why[MESSAGE];
    if (choice == NULL)
        return refuse(text, "no memory to explain a layout");
    int code = 0;
    if (shape_choose(&shape, A->ranks, A->room, choice, why) != OMPFACT_SUCCESS) {
        code = refuse(text, "%s", why);
    } else {
        fprintf(out, "layouts for %s, %d x %d tiles, %d rank%s\n", o->routine->name, A->mt, A->nt, A->ranks,
                A->ranks == 1 ? "" : "s");
        if (speeds->count > 0)
            speeds_print(speeds, out);
        print_table(out, choice, A, is_qr(o), x->problem.weights != NULL);
        if (strcmp(choice->candidate[choice->chosen].name, A->pattern->name) != 0)
            fprintf(out, "  in use: %s, as --layout says\n", A->pattern->name);
        fprintf(out, "  bound: no balanced pattern %s costs less\n", is_cholesky(o) ? "of that size" : "at all");
        code = explain_fewer(out, &shape, A, choice, text);
        fprintf(out, "\n");
        if (code == 0)
            code = explain_plan(out, &shape, A, text);
    }
    free(choice);
    return code;
}

int explain_case(const struct instance *x, struct tile_question question, const struct limits *limits, char text[COMMAND_TEXT])
{
    const struct session *s = x->session;
    FILE *out = s->report.table.file != NULL ? s->report.table.file : stderr;
    int code = explain_layout(out, x, text);
    if (code == 0) {
        explain_machine(out, s->known, &question, x->problem.nb);
        if (s->grid != NULL && !strcmp(ompfact_between_nodes(s->grid), "one-sided") && !ompfact_reads_proceed(s->grid))
            explain_between(out);
        explain_devices(out, &s->known->machine, &s->devices);
        limits_print_forecast(out, limits);
    }
    return code;
}
