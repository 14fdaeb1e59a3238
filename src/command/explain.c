#include "src/command/instance.h"
#include "src/page/format.h"

#include <inttypes.h>
#include <math.h>
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

static void print_table(FILE *out, const ompfact_choice *choice, const ompfact_forecast *f, bool qr, bool weighed)
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
    if (choice->counted_mt < f->mt || choice->counted_nt < f->nt)
        fprintf(out, "  %s for the leading %d x %d tiles%s\n", qr ? "transfers" : "counted", choice->counted_mt,
                choice->counted_nt, weighed ? "; balance for all" : qr ? "; balance as for LU" : "");
    if (weighed)
        fprintf(out, "  * auto: the layout with the smallest work of the most loaded rank, by weights (!: more than 5 %% "
                     "above)%s\n",
                crowded > 0 ? ", among those that fit in memory (!: does not fit)" : "");
    else
        fprintf(out,
                "  * auto: the fewest transfers%s of the %d whose most loaded rank is within 5 %% of the best (!: is not)%s\n",
                by_node ? " between nodes" : "", balanced, crowded > 0 ? ", and that fit in memory (!: does not fit)" : "");
}

/* Prints a slightly smaller number of ranks that would send much less. */
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

/* ---- layouts for ranks of unequal speed: partition, sections, releases, loads ---------------------------------------------- */

/* "0-7, 12" */
static void print_ranks(FILE *out, const ompfact_partition *p, int section)
{
    const char *comma = "";
    for (int first = 0, end; first < p->ranks; first = end) {
        for (end = first; end < p->ranks && p->section_of_rank[end] == section; end++)
            ;
        if (end - first == 1)
            fprintf(out, "%s%d", comma, first);
        else if (end > first)
            fprintf(out, "%s%d-%d", comma, first, end - 1);
        comma = end > first ? ", " : comma;
        end += end == first;
    }
}

/* The most loaded rank, and the loads at the ends of sections. */
static void print_sections(FILE *out, const ompfact_partition *p)
{
    fprintf(out, "  %11s %6s %8s %9s %9s %9s  %s\n", "steps", "ranks", "speed", "CPB", "ABE* sum", "most", "released after them");
    for (int k = p->sections - 1; k >= 0; k--) {
        const ompfact_section *s = &p->section[k];
        char steps[32], bound[CELL_TEXT];
        cell_real(s->bound, (struct cell_format){ 'f', 2 }, bound);
        snprintf(steps, sizeof steps, "%d-%d", s->first, s->last);
        fprintf(out, "  %11s %6d %8.5g %9s %9.5g %9.5g  ", steps, s->ranks, s->speed, bound, s->ideal, s->most);
        print_ranks(out, p, k);
        fprintf(out, "\n");
    }
}

/* Prints how the layout was made. */
static void print_partition(FILE *out, const ompfact_partition *p)
{
    fprintf(out, "%s: %d column%s of", p->name, p->columns, p->columns == 1 ? "" : "s");
    for (int c = 0; c < p->columns; c++)
        fprintf(out, "%s%d", c == 0 ? " " : ", ", p->ranks_of_column[c]);
    fprintf(out, " ranks from slow to fast, %d virtual rows, half-perimeters %.6g\n", p->rows, p->perisum);
    print_sections(out, p);
    if (p->section[p->sections - 1].ranks < p->ranks) {
        fprintf(out, "  without work, because the matrix is small: ");
        print_ranks(out, p, p->sections);
        fprintf(out, "\n");
    }
    if (p->levelled >= 0)
        fprintf(out, "  %d tile%s moved to level %d section%s\n", p->moved, p->moved == 1 ? "" : "s", p->levelled,
                p->levelled == 1 ? "" : "s");
    fprintf(out, "  all steps: ABE %.5g, evenly shared %.5g; times in updates of a tile on the slowest rank\n\n", p->most,
            p->ideal);
}

/* ---- the machine: known rates, and what they would change ------------------------------------------------------------------ */

static void explain_tile_size(FILE *out, const ompfact_outlook *of)
{
    double saved = of->nb_s > 0 ? 100 * (1 - of->best_nb_s / of->nb_s) : 0;
    fprintf(out, "  tile size %d: the model predicts %.3g s", of->nb, of->nb_s);
    if (of->best_nb == of->nb)
        fprintf(out, ", its minimum: --nb auto takes this size\n");
    else if (saved < 0.5)
        fprintf(out, "; with --nb auto %d, nearly the same\n", of->best_nb);
    else
        fprintf(out, "; with --nb auto %d, and %.0f %% less\n", of->best_nb, saved);
}

static void explain_threads(FILE *out, const ompfact_outlook *of)
{
    int busy = of->ranks_on_node * of->threads, cores = of->machine.cores;
    if (of->ranks_on_node < 1 || busy == cores)
        return;
    if (busy < cores && cores / of->ranks_on_node > of->threads)
        fprintf(out, "  threads: %d of %d cores are idle; --threads %d would use them\n", cores - busy, cores,
                cores / of->ranks_on_node);
    else if (busy > cores)
        fprintf(out, "  threads: %d on %d cores; threads share cores\n", busy, cores);
}

static const char *in_blocks(char words[40], int block)
{
    snprintf(words, 40, block > 0 ? "in blocks of %d" : "the library's own", block);
    return words;
}

static void explain_blocks(FILE *out, const ompfact_machine *m)
{
    char herk[40], trsm[40];
    for (int i = 0; i < m->blocks; i++)
        fprintf(out, "  type %c: the fastest herk is %s, the fastest trsm %s\n", m->block[i].type,
                in_blocks(herk, m->block[i].herk), in_blocks(trsm, m->block[i].trsm));
}

/* Only if potrf was measured both with the present ranks and threads and with others. */
static void explain_ranks(FILE *out, const ompfact_outlook *of)
{
    const ompfact_machine *m = &of->machine;
    const ompfact_machine_run *here = NULL, *best = NULL;
    for (int i = 0; i < m->runs; i++) {
        const ompfact_machine_run *s = &m->run[i];
        if (s->ranks == of->ranks_on_node && s->threads == of->threads)
            here = s;
        if (best == NULL || s->gflops > best->gflops)
            best = s;
    }
    if (here == NULL || m->runs < 2)
        return;
    if (here == best)
        fprintf(out, "  ranks: %d x %d threads on a node ran potrf of %d fastest when measured: %.3g GFLOP/s\n", here->ranks,
                here->threads, here->n, here->gflops);
    else
        fprintf(out, "  ranks: %d x %d threads on a node ran potrf of %d at %.3g GFLOP/s when measured, %d x %d at %.3g\n",
                here->ranks, here->threads, here->n, here->gflops, best->ranks, best->threads, best->gflops);
}

void explain_best_share(FILE *out, const ompfact_machine_share *best)
{
    if (best != NULL && best->devices > 0)
        fprintf(out, "  recommended: --devices %d --threads %d --nb %d --host-share %.3g, "
                     "with which a rank ran potrf of %d at %.3g GFLOP/s\n",
                best->devices, best->threads, best->nb, best->share, best->n, best->gflops);
    else if (best != NULL)
        fprintf(out, "  recommended: no devices and --threads %d, with which a rank ran potrf of %d at %.3g GFLOP/s\n",
                best->threads, best->n, best->gflops);
}

static const char *const share_sources[] = {
    [OMPFACT_SHARE_UNKNOWN] = "to be measured when a run starts",
    [OMPFACT_SHARE_GIVEN] = "given by --host-share",
    [OMPFACT_SHARE_TRIED] = "the fastest share nearby when --tune measured",
    [OMPFACT_SHARE_BALANCED] = "the formula's",
    [OMPFACT_SHARE_MEASURED] = "measured as the run started",
};

static void explain_devices(FILE *out, const ompfact_outlook *of)
{
    const ompfact_machine *m = &of->machine;
    const ompfact_device_use *use = &of->devices;
    if (use->devices == 0)
        return;
    if (use->measured) {
        fprintf(out, "devices: %s, as measured by --tune: %.3g GFLOP/s on tiles of %d, the smallest that are fast enough\n",
                m->device_backend, m->device_gflops, m->device_nb);
        fprintf(out, "  bus: %.3g GB/s to a device, %.3g from it\n", m->bus_up, m->bus_down);
        explain_blocks(out, m);
        fprintf(out, "  host share: %.3g balances %d thread%s with %d device%s\n", of->balanced_share, use->threads,
                use->threads == 1 ? "" : "s", use->devices, use->devices == 1 ? "" : "s");
    } else {
        fprintf(out, "devices: not measured; ompfact --tune --devices %d measures them\n", use->devices);
    }
    fprintf(out, "  in use: ");
    if (!isnan(use->host_share))
        fprintf(out, "%.3g, ", use->host_share);
    fprintf(out, "%s\n", share_sources[use->source]);
    if (use->measured)
        explain_best_share(out, m->best_share);
    fprintf(out, "\n");
}

static void explain_machine(FILE *out, const ompfact_outlook *of)
{
    const ompfact_machine *m = &of->machine;
    if (m->source == OMPFACT_MACHINE_TUNED)
        fprintf(out, "machine: %s, as measured by --tune\n", m->host);
    else if (m->source == OMPFACT_MACHINE_GIVEN)
        fprintf(out, "machine: as given, %d core%s a node\n", m->cores, m->cores == 1 ? "" : "s");
    else if (m->source == OMPFACT_MACHINE_RATED)
        fprintf(out, "machine: %s, kernels as a run has measured them; ompfact --tune measures more%s%s%s\n", m->host,
                m->why[0] == '\0' ? "" : " (", m->why, m->why[0] == '\0' ? "" : ")");
    else if (m->why[0] == '\0')
        fprintf(out, "machine: not measured, typical rates; ompfact --tune measures it\n");
    else
        fprintf(out, "machine: typical rates; ompfact --tune measures it anew (%s)\n", m->why);
    explain_tile_size(out, of);
    explain_threads(out, of);
    explain_ranks(out, of);
    fprintf(out, "\n");
}

/* ---- all layouts ----------------------------------------------------------------------------------------------------------- */

/* On which nodes the layers of copies are. */
static void print_layer_nodes(FILE *out, ompfact_layer_nodes of)
{
    if (!of.compared)
        return;
    if (of.in_turn)
        fprintf(out, "  layers: each node has ranks of all layers in turn; %" PRId64 " tiles go between nodes, and %" PRId64
                     " would if\n  each layer were on as few nodes as possible\n", of.wire_transfers_in_turn,
                of.wire_transfers_in_a_row);
    else
        fprintf(out, "  layers: each is on as few nodes as possible; %" PRId64 " tiles go between nodes, and %" PRId64
                     " would if\n  each node had ranks of all layers in turn\n", of.wire_transfers_in_a_row,
                of.wire_transfers_in_turn);
}

static int explain_layouts(FILE *out, const struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    const struct speeds *speeds = &x->session->speeds;
    const ompfact_forecast *f = ompfact_plan_forecast(x->plan);
    const ompfact_choice *choice;
    const ompfact_partition *partition;
    TRY_WHY(text, ompfact_plan_choice(x->plan, &choice, why));
    TRY_WHY(text, ompfact_plan_partition(x->plan, &partition, why));
    int ranks = (f->ranks - 1) / f->copies + 1;
    fprintf(out, "layouts for %s, %d x %d tiles, %d rank%s", o->routine->name, f->mt, f->nt, ranks, ranks == 1 ? "" : "s");
    fprintf(out, f->copies > 1 ? " of the first of %d layers\n" : "\n", f->copies);
    if (speeds->count > 0)
        speeds_print(speeds, out);
    print_table(out, choice, f, is_qr(o), x->weights != NULL);
    if (strcmp(choice->candidate[choice->chosen].name, f->layout) != 0)
        fprintf(out, "  in use: %s, given by --layout\n", f->layout);
    fprintf(out, "  bound: no balanced pattern %s costs less\n", has_triangle(o) ? "of that size" : "at all");
    print_fewer(out, choice);
    print_layer_nodes(out, ompfact_plan_layer_nodes(x->plan));
    fprintf(out, "\n");
    if (partition != NULL)
        print_partition(out, partition);
    return 0;
}

/* ---- limits ---------------------------------------------------------------------------------------------------------------- */

enum { LIMITS = 4 };
struct limit {
    const char *name, *verb;
    double seconds;
};

/* Prints the known bounds, "work 1.2 s, wire 0.34 s, chain 0.1 s, tasks 0.02 s", and returns their number. */
static int print_limits(FILE *out, const ompfact_forecast *f, struct limit *largest)
{
    const struct limit limits[LIMITS] = { { "work", "limits", f->work_bound_s }, { "wire", "limits", f->link_bound_s },
                                          { "chain", "limits", f->chain_bound_s }, { "tasks", "limit", f->tasks_bound_s } };
    int known = 0;
    for (int i = 0; i < LIMITS; i++) {
        if (isnan(limits[i].seconds))
            continue;
        fprintf(out, "%s%s %.3g s", known == 0 ? "limits: " : ", ", limits[i].name, limits[i].seconds);
        if (known++ == 0 || limits[i].seconds > largest->seconds)
            *largest = limits[i];
    }
    return known;
}

static void explain_limits(FILE *out, const ompfact_forecast *f)
{
    struct limit largest;
    int known = print_limits(out, f, &largest);
    if (known == 0)
        return;
    fprintf(out, "\n  no order of tasks and transfers takes less time than any of these");
    if (known == LIMITS)
        fprintf(out, "; the %s %s this run\n\n", largest.name, largest.verb);
    else
        fprintf(out, "; the others are unknown (for Cholesky and LU on hosts, --tune on\n"
                     "  several nodes, or --wire RATE in a dry run, gives wire and chain)\n\n");
}

void explain_time(FILE *out, const ompfact_forecast *f, double seconds)
{
    struct limit largest;
    if (print_limits(out, f, &largest) > 0)
        fprintf(out, "; the run took %.3g s, %.2f times the %s\n", seconds, seconds / largest.seconds, largest.name);
}

/* Prints the numbers that decide --copies auto. */
static void explain_copies(FILE *out, const ompfact_copies *c)
{
    if (c->copies == 0)
        return;
    if (isnan(c->seconds_of_one))
        fprintf(out, "copies: one; --copies auto takes more if links between nodes are known (--tune on several nodes, or\n"
                     "  --wire RATE in a dry run)\n\n");
    else
        fprintf(out, "copies: with %" PRId64 " the forecast says %.3g s, with one %.3g s; with all else that a rank needs they\n"
                     "  may take %.0f %% of free memory, as far as it is known\n\n",
                c->copies, c->seconds, c->seconds_of_one, 100 * OMPFACT_COPIES_SHARE);
}

int explain_case(const struct instance *x, char text[COMMAND_TEXT])
{
    const ompfact_grid *grid = x->session->grid;
    FILE *table = x->session->report.table.file, *out = table != NULL ? table : stderr;
    ompfact_outlook outlook;
    TRY_STEP(explain_layouts(out, x, text));
    TRY_WHY(text, ompfact_plan_outlook(x->plan, &outlook, why));
    explain_machine(out, &outlook);
    if (grid != NULL && !strcmp(ompfact_between_nodes(grid), "one-sided") && !ompfact_reads_proceed(grid))
        fprintf(out, "%s\n\n", one_sided_conditions());
    explain_devices(out, &outlook);
    explain_limits(out, ompfact_plan_forecast(x->plan));
    explain_copies(out, &x->copies);
    return 0;
}
