/* --explain of the layouts for ranks of unequal speed: partition, sections, releases, loads. */
#include "src/command/explain_parts.h"

#include "layouts/unequal/plan.h"
#include "src/choose/choose.h"
#include "src/command/report.h"

#include <stdlib.h>

/* "0-7, 12" */
static void print_ranks(FILE *out, const struct plan *p, int section)
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

static void print_partition(FILE *out, const struct plan *p)
{
    fprintf(out, "%s: %d column%s of", p->name, p->partition.columns, p->partition.columns == 1 ? "" : "s");
    for (int c = 0; c < p->partition.columns; c++)
        fprintf(out, "%s%d", c == 0 ? " " : ", ", p->partition.first[c + 1] - p->partition.first[c]);
    fprintf(out, " ranks from slow to fast, %d virtual rows, half-perimeters %.6g\n", p->rows.count, p->partition.perisum);
}

/* The most loaded rank, and where loads stand at the ends of sections. */
static void print_sections(FILE *out, const struct plan *p, double *time)
{
    fprintf(out, "  %11s %6s %8s %9s %9s %9s  %s\n", "steps", "ranks", "speed", "CPB", "ABE* sum", "most", "released after them");
    for (int k = p->sections - 1; k >= 0; k--) {
        const struct section *s = &p->section[k];
        double even = 0, most = 0;
        char steps[32], bound[CELL_TEXT];
        plan_abe(p, s->first, s->last, time);
        for (int step = s->first; step <= s->last; step++)
            even += plan_abe_star(p, step, s->speed);
        for (int rank = 0; rank < p->ranks; rank++)
            most = time[rank] > most ? time[rank] : most;
        cell_real(s->cpb, (struct cell_look){ 'f', 2 }, bound);
        snprintf(steps, sizeof steps, "%d-%d", s->first, s->last);
        fprintf(out, "  %11s %6d %8.5g %9s %9.5g %9.5g  ", steps, s->ranks, s->speed, bound, even, most);
        print_ranks(out, p, k);
        fprintf(out, "\n");
    }
}

static void print_plan(FILE *out, const struct plan *p, double *time)
{
    double even = 0, total = 0, most = 0;
    int last = p->section[0].last;
    print_partition(out, p);
    print_sections(out, p, time);
    plan_abe(p, 0, last, time);
    for (int rank = 0; rank < p->ranks; rank++) {
        even += time[rank] * p->speed[rank];
        total += p->speed[rank];
        most = time[rank] > most ? time[rank] : most;
    }
    if (p->section[p->sections - 1].ranks < p->ranks) {
        fprintf(out, "  never at work, the matrix is small: ");
        print_ranks(out, p, p->sections);
        fprintf(out, "\n");
    }
    if (p->kind == PLAN_SHUFFLED)
        fprintf(out, "  %d tile%s moved to level %d section%s\n", p->moved, p->moved == 1 ? "" : "s", p->rounds,
                p->rounds == 1 ? "" : "s");
    fprintf(out, "  all steps: ABE %.5g, shared out evenly %.5g; times in updates of a tile on the slowest rank\n\n", most,
            even / total);
}

int explain_plan(FILE *out, const ompfact_shape *shape, const ompfact_matrix *A, char text[COMMAND_TEXT])
{
    struct plan *plan;
    char why[MESSAGE];
    if (A->mt == 0 || A->nt == 0 || !plan_is_scheme(A->pattern->name))
        return 0;
    if (shape_plan(shape, A->pattern->name, A->ranks, &plan, why) != OMPFACT_SUCCESS)
        return refuse(text, "%s", why);
    double *time = malloc((size_t)A->ranks * sizeof *time);
    if (time != NULL)
        print_plan(out, plan, time);
    plan_destroy(&plan);
    free(time);
    return time != NULL ? 0 : refuse(text, "no memory to explain a layout");
}
