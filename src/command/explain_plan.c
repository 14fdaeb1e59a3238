/* --explain of the layouts for ranks of unequal speed: partition, sections, releases, loads. */
#include "src/command/explain_parts.h"

#include "src/command/report.h"

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

/* The most loaded rank, and where loads stand at the ends of sections. */
static void print_sections(FILE *out, const ompfact_partition *p)
{
    fprintf(out, "  %11s %6s %8s %9s %9s %9s  %s\n", "steps", "ranks", "speed", "CPB", "ABE* sum", "most", "released after them");
    for (int k = p->sections - 1; k >= 0; k--) {
        const ompfact_section *s = &p->section[k];
        char steps[32], bound[CELL_TEXT];
        cell_real(s->bound, (struct cell_look){ 'f', 2 }, bound);
        snprintf(steps, sizeof steps, "%d-%d", s->first, s->last);
        fprintf(out, "  %11s %6d %8.5g %9s %9.5g %9.5g  ", steps, s->ranks, s->speed, bound, s->ideal, s->most);
        print_ranks(out, p, k);
        fprintf(out, "\n");
    }
}

void explain_partition(FILE *out, const ompfact_partition *p)
{
    fprintf(out, "%s: %d column%s of", p->name, p->columns, p->columns == 1 ? "" : "s");
    for (int c = 0; c < p->columns; c++)
        fprintf(out, "%s%d", c == 0 ? " " : ", ", p->ranks_of_column[c]);
    fprintf(out, " ranks from slow to fast, %d virtual rows, half-perimeters %.6g\n", p->rows, p->perisum);
    print_sections(out, p);
    if (p->section[p->sections - 1].ranks < p->ranks) {
        fprintf(out, "  never at work, the matrix is small: ");
        print_ranks(out, p, p->sections);
        fprintf(out, "\n");
    }
    if (p->levelled >= 0)
        fprintf(out, "  %d tile%s moved to level %d section%s\n", p->moved, p->moved == 1 ? "" : "s", p->levelled,
                p->levelled == 1 ? "" : "s");
    fprintf(out, "  all steps: ABE %.5g, shared out evenly %.5g; times in updates of a tile on the slowest rank\n\n", p->most,
            p->ideal);
}
