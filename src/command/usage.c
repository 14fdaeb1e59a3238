/* Prints --help from the tables, and warnings about ignored options. */
#include "src/command/options_parts.h"

#include <string.h>

enum { COLUMN = 34, WIDTH = 100 };

/* Whether the option concerns only some routines. */
static bool is_particular(const struct option *option)
{
    for (const ompfact_routine *r = ompfact_routines(); r->name; r++)
        if (!option_concerns(option, r))
            return true;
    return false;
}

/* Help of a routine lists options that concern few routines, and options that are used often. */
static bool is_on(const struct help_page *help, const struct option *option)
{
    bool is_key = option->group == GROUP_DEBUG;
    if (help->value == HELP_ROUTINE)
        return !is_key && option_concerns(option, ompfact_routine_find(help->word)) && (!option->seldom || is_particular(option));
    return help->value == HELP_DEBUG ? is_key : !is_key && (help->value == HELP_ALL || !option->seldom);
}

/* Prints words, each on a new line if it does not fit or follows a newline; returns the new column. */
static int print_words(FILE *out, int column, const char *words)
{
    while (*words != '\0') {
        int length = (int)strcspn(words, " \n");
        if (column + length >= WIDTH)
            column = fprintf(out, "\n ") - 1;
        column += fprintf(out, " %.*s", length, words);
        words += length;
        if (*words == '\n')
            column = WIDTH;
        words += strspn(words, " \n");
    }
    return column;
}

static void print_routines(FILE *out, enum help page)
{
    int column = fprintf(out, "\nRoutines%s", page == HELP_SHORT ? ":" : "\n") - 1;
    for (const ompfact_routine *r = ompfact_routines(); r->name; r++)
        if (page == HELP_SHORT)
            column = print_words(out, column, r->name);
        else
            fprintf(out, "  %-*s%s\n", COLUMN - 2, r->name, r->help);
    fputs(page == HELP_SHORT ? "\n" : "", out);
}

/* A long name has its help on the next line, but not in the short help, which is a screen. */
static void print_option(FILE *out, enum help page, const struct option *option)
{
    char left[COLUMN + 32], letter[] = { ',', ' ', '-', option->letter, '\0' };
    const char *form = option->form ? option->form : "";
    if (option->group == GROUP_DEBUG)
        snprintf(left, sizeof left, "%s=%s", option->name, form);
    else
        snprintf(left, sizeof left, "--%s%s%s%s%s", option->name, option->letter ? letter : "",
                 option->implied ? " [" : *form ? " " : "", form, option->implied ? "]" : "");
    if (strlen(left) < COLUMN - 2)
        fprintf(out, "  %-*s%s", COLUMN - 2, left, option->help);
    else if (page == HELP_SHORT)
        fprintf(out, "  %s  %s", left, option->help);
    else
        fprintf(out, "  %s\n%*s%s", left, COLUMN, "", option->help);
    if (option->initial)
        fprintf(out, " [%s]", option->initial);
    fprintf(out, "\n");
}

static void print_group(FILE *out, enum option_group group, const struct help_page *help)
{
    const char *title = option_groups[group];
    for (const struct option *option = option_table; option->name; option++)
        if (option->group == group && is_on(help, option)) {
            if (title != NULL)
                fprintf(out, "%s%s\n", help->value == HELP_SHORT ? "" : "\n", title);
            title = NULL;
            print_option(out, help->value, option);
        }
}

static void print_names(FILE *out, const char *title, const char *names)
{
    if (names == NULL)
        return;
    fprintf(out, "\n%s\n ", title);
    print_words(out, 1, names);
    fputs("\n", out);
}

/* Prints the names of the layouts, without their arguments. */
static void print_layouts(FILE *out, const char *layouts)
{
    char names[OPTION_WORDS];
    int column = fprintf(out, "Layouts:");
    option_names(layouts ? layouts : "", names);
    print_words(out, column, names);
    fputs("\nMatrices, and all options: ompfact --help all\n", out);
}

static const char usage[] =
    "Usage: mpiexec -n P ompfact [options] [routine]\n"
    "       ompfact --dry-run --ranks P [options] [routine]\n"
    "       ompfact compare A.json B.json [--report FILE.html]\n"
    "       ompfact report [--summary] TRACE.json [FILE.html]\n"
    "       ompfact platform --hosts N [--cores C] [--gflops G] [--link RATE,LATENCY] [FILE.xml]\n";

static const char examples[] =
    "Examples\n"
    "  mpiexec -n 4 ompfact --dim 20k --check potrf                          a random matrix, checked\n"
    "  mpiexec -n 4 ompfact --input A.npy --rhs b.npy --output x.npy gesv    your own A x = b\n"
    "  mpiexec -n 4 ompfact --dim 20k --report run.html getrf                a page about the time\n"
    "  ompfact --dry-run --ranks 23 --dim 50k --explain potrf                a forecast for 23 ranks\n";

static void print_run(FILE *out, enum help page)
{
    fprintf(out, "%s\n"
            "Dense factorizations on any number of MPI ranks. Without a routine, options run getrf. Commas\n"
            "separate a LIST, and every element is run. Defaults are in brackets. A flag may have y or n.\n"
            "\n%s", usage, examples);
    print_routines(out, page);
}

/* Help pages that do not list the options of a run. */
static const char *const pages[] = {
    [HELP_DEBUG] =
        "Usage: mpiexec -n P ompfact --debug KEY=VALUE,... [options] [routine]\n"
        "\n"
        "For tests and measurements of ompfact. --KEY VALUE works, too. Defaults are in brackets.\n",
    [HELP_COMPARE] =
        "Usage: ompfact compare A.json B.json [--report FILE.html]\n"
        "\n"
        "Compares the runs in two files side by side, without MPI. --json or --trace has written A and B.\n"
        "Runs of one routine, type, size and number of ranks are paired in their order, runs of one tile\n"
        "size and layout first. Other differences get a column. --report writes a page; for traces it has\n"
        "both Gantt charts.\n"
        "\n"
        "  mpiexec -n 4 ompfact --dim 8k --nb 256 --repeat 5 --json a.json potrf\n"
        "  mpiexec -n 4 ompfact --dim 8k --nb 384 --repeat 5 --json b.json potrf\n"
        "  ompfact compare a.json b.json --report both.html\n",
    [HELP_REPORT] =
        "Usage: ompfact report [--summary] TRACE.json [FILE.html]\n"
        "\n"
        "Makes the page of --report from a file of --trace, without MPI. By default FILE.html is the name of\n"
        "the trace with .html. --summary prints the facts as text, and writes a page only to a given\n"
        "FILE.html.\n"
        "\n"
        "  mpiexec -n 4 ompfact --dim 8k --trace run.json potrf\n"
        "  ompfact report run.json\n",
};

/* Prints the text above the options of a routine. */
static void print_routine(FILE *out, const char *name)
{
    const ompfact_routine *routine = ompfact_routine_find(name);
    fprintf(out, "Usage: mpiexec -n P ompfact [options] %s\n", name);
    if (option_concerns(option_find("dry-run", strlen("dry-run")), routine))
        fprintf(out, "       ompfact --dry-run --ranks P [options] %s\n", name);
    fprintf(out, "\n%s: %s.\nMore options of all routines, layouts and matrices: ompfact --help all\n", name,
            routine->help);
}

/* Prints the help of one option, the names that its value may have (NULL: none), and the routines that it is for. */
static void print_about(FILE *out, const struct option *option, const char *names)
{
    print_option(out, HELP_OPTION, option);
    print_names(out, "Names", names);
    int column = fprintf(out, "\nFor");
    for (const ompfact_routine *r = ompfact_routines(); r->name && is_particular(option); r++)
        if (option_concerns(option, r))
            column = print_words(out, column, r->name);
    fprintf(out, "%s.\nMore: ompfact --help %s, man ompfact\n", is_particular(option) ? "" : " all routines",
            option->group == GROUP_DEBUG ? "debug" : "all");
}

void options_help(FILE *out, const struct help_page *help, const char *layouts, const char *matrices)
{
    enum help page = help->value;
    if (page == HELP_BARE) {
        fprintf(out, "%s\n%s\nompfact --help lists the options.\n", usage, examples);
        return;
    }
    if (page == HELP_PLATFORM) {
        platform_help(out);
        return;
    }
    if (page == HELP_OPTION) {
        print_about(out, option_find(help->word, strlen(help->word)),
                    strcmp(help->word, "layout") == 0 ? layouts : strcmp(help->word, "matrix") == 0 ? matrices : NULL);
        return;
    }
    if (page == HELP_ROUTINE)
        print_routine(out, help->word);
    else if (page == HELP_SHORT || page == HELP_ALL)
        print_run(out, page);
    else
        fputs(pages[page], out);
    if (page <= HELP_DEBUG || page == HELP_ROUTINE)
        for (enum option_group group = 0; group < GROUP_COUNT; group++)
            print_group(out, group, help);
    if (page == HELP_SHORT) {
        print_layouts(out, layouts);
    } else if (page == HELP_ALL) {
        print_names(out, "Layouts", layouts);
        print_names(out, "Matrices", matrices);
    }
    if (page <= HELP_ALL || page == HELP_ROUTINE)
        fputs("\nExit status: 0 all passed; 1 a numerical failure; 2 bad usage, input or output; 3 ended by a signal.\n", out);
}

void options_warn(FILE *out, const struct options *o)
{
    if (o->idle[0] != '\0')
        fprintf(out, "ompfact: ignored: %s\n", o->idle);
}
