/* --help and --version, from the tables; and what is said of a command line that does not matter. */
#include "config.h"

#include "src/command/options_parts.h"

#include <string.h>

enum { COLUMN = 34, WIDTH = 100 };

static void print_routines(FILE *out)
{
    fprintf(out, "\nRoutines\n");
    for (const ompfact_routine *r = ompfact_routines(); r->name; r++)
        fprintf(out, "  %-*s%s\n", COLUMN - 2, r->name, r->help);
}

static void print_remark(FILE *out, const struct option *option)
{
    if (option->built)
        fprintf(out, " [%s; no other yet]", option->initial);
    else if (option->initial)
        fprintf(out, " [%s]", option->initial);
}

static void print_group(FILE *out, enum option_group group)
{
    fprintf(out, "\n%s\n", option_groups[group]);
    for (const struct option *option = option_table; option->name; option++) {
        char left[COLUMN + 32];
        if (!option->parse || option->group != group)
            continue;
        const char *form = option->form ? option->form : "";
        char letter[] = { ',', ' ', '-', option->letter, '\0' };
        snprintf(left, sizeof left, "--%s%s%s%s%s", option->name, option->letter ? letter : "",
                 option->unsaid ? " [" : *form ? " " : "", form, option->unsaid ? "]" : "");
        fprintf(out, "  %-*s%s%s", COLUMN - 2, left, strlen(left) < COLUMN - 2 ? "" : "  ", option->help);
        print_remark(out, option);
        fprintf(out, "\n");
    }
}

static void print_unbuilt(FILE *out)
{
    int column = 0, unbuilt = 0;
    for (const struct option *option = option_table; option->name; option++)
        unbuilt += !option->parse;
    if (unbuilt == 0)
        return;
    fprintf(out, "\nNot built yet\n ");
    for (const struct option *option = option_table; option->name; option++) {
        if (option->parse)
            continue;
        column += (int)strlen(option->name) + 3;
        if (column > WIDTH - 4) {
            fprintf(out, "\n ");
            column = (int)strlen(option->name) + 3;
        }
        fprintf(out, " --%s", option->name);
    }
    fprintf(out, "\n");
}

static void print_names(FILE *out, const char *title, const char *names)
{
    if (names)
        fprintf(out, "\n%s\n  %s\n", title, names);
}

void options_help(FILE *out, const char *layouts, const char *matrices)
{
    fprintf(out,
            "Usage: mpiexec -n P ompfact [options] [routine]\n"
            "       ompfact --dry-run --ranks P [options] [routine]\n"
            "       ompfact compare A.json B.json [--report FILE.html]\n"
            "       ompfact report TRACE.json [FILE.html]\n"
            "\n"
            "Dense factorizations on any number of MPI ranks. Without a routine: getrf. A LIST is separated by\n"
            "commas; every type, size and tile size of the lists is run. Defaults are in brackets.\n");
    print_routines(out);
    for (enum option_group group = 0; group < GROUP_COUNT; group++)
        print_group(out, group);
    print_unbuilt(out);
    print_names(out, "Layouts", layouts);
    print_names(out, "Matrices", matrices);
    fprintf(out, "\nExit status: 0 all passed; 1 a numerical failure; 2 bad usage, input or output.\n");
}

void options_warn(FILE *out, const struct options *o)
{
    if (o->idle[0] != '\0')
        fprintf(out, "ompfact: ignored: %s\n", o->idle);
}

void options_version(FILE *out)
{
    fprintf(out, "ompfact %s\n", PACKAGE_VERSION);
}
