/* Command lines without a run and without MPI: they compare two files, make the page of a trace or a platform, or print the
   usage. */
#include "src/command/options_parts.h"

#include <string.h>

static bool requests_help(int argc, char **argv)
{
    return argc > 2 && (!strcmp(argv[2], "--help") || !strcmp(argv[2], "-h"));
}

static int give_help(enum help page, struct options *o)
{
    o->help = (struct help_page){ page, "help" };
    return 0;
}

/* At most two files and, if they are allowed, --report or --summary in any place. 0: there are `least` files. */
struct verb {
    const char *usage;
    int least;
    const char **file, **report;
    bool *summary;
};

static int take_files(const struct verb *verb, int argc, char **argv, char *text)
{
    static const char name[] = "--report";
    int files = 0;
    for (int i = 2; i < argc; i++) {
        bool named = verb->report != NULL && strncmp(argv[i], name, strlen(name)) == 0;
        const char *behind = named ? argv[i] + strlen(name) : "?";
        if (*behind == '=')
            *verb->report = behind + 1;
        else if (*behind == '\0' && i + 1 < argc)
            *verb->report = argv[++i];
        else if (verb->summary != NULL && strcmp(argv[i], "--summary") == 0)
            *verb->summary = true;
        else if (argv[i][0] == '-' && *behind != '\0')
            return refuse(text, "%s: unknown option \"%.64s\"; ompfact %s --help lists the known ones", argv[1], argv[i],
                          argv[1]);
        else if (files == 2 || *behind == '\0')
            return refuse(text, "%s", verb->usage);
        else
            verb->file[files++] = argv[i];
    }
    return files >= verb->least ? 0 : refuse(text, "%s", verb->usage);
}

/* Checks the name of a page, if there is one. */
static int check_page(const char *page, char *text)
{
    static const char report[] = "report";
    return page == NULL ? 0 : format_check(report, option_find(report, strlen(report))->format, page, text);
}

static int parse_compare(int argc, char **argv, struct options *o, char *text)
{
    if (requests_help(argc, argv))
        return give_help(HELP_COMPARE, o);
    const char *file[2];
    const struct verb compare = { .usage = "compare needs two files: ompfact compare A.json B.json [--report FILE.html]",
                                  .least = 2, .file = file, .report = &o->report };
    TRY_STEP(take_files(&compare, argc, argv, text));
    o->compare[0] = file[0];
    o->compare[1] = file[1];
    return check_page(o->report, text);
}

static int parse_report(int argc, char **argv, struct options *o, char *text)
{
    const char *file[2] = { NULL, NULL };
    if (requests_help(argc, argv))
        return give_help(HELP_REPORT, o);
    const struct verb report = { .usage = "report needs a trace: ompfact report [--summary] TRACE.json [FILE.html]",
                                 .least = 1, .file = file, .summary = &o->summary };
    TRY_STEP(take_files(&report, argc, argv, text));
    o->trace_to_show = file[0];
    o->report = file[1];
    return check_page(o->report, text);
}

/* "help WORD" is "--help WORD". */
static int parse_help_word(int argc, char **argv, struct options *o, char *text)
{
    const struct option *help = option_find("help", strlen("help"));
    return help->parse(help, argc > 2 ? argv[2] : help->implied, &o->help, text);
}

int options_bare(int argc, char **argv, struct options *o, char *text)
{
    (void)argc, (void)argv, (void)text;
    return give_help(HELP_BARE, o);
}

options_parser *options_verb(const char *word)
{
    static const struct {
        const char *word;
        options_parser *parse;
    } verbs[] = {
        { "compare", parse_compare }, { "report", parse_report }, { "platform", options_platform }, { "help", parse_help_word },
    };
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (strcmp(verbs[i].word, word) == 0)
            return verbs[i].parse;
    return NULL;
}
