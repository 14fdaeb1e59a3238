#include "src/command/options_parts.h"

#include <stdlib.h>
#include <string.h>

#include "src/command/options_restart.h"
#include "src/ompfact.h"

enum { DEBUG_TEXT = 512 };

static const char DEFAULT_ROUTINE[] = "getrf";

static void *field_of(struct options *o, const struct option *option)
{
    return (char *)o + option->field;
}

/* The command line before the routine determines which options count: the last value of each option, in o->word. */
static const char **word_of(struct options *o, const struct option *option)
{
    return &o->word[option - option_table];
}

static int unknown_option(const char *arg, const char *name, size_t length, char *text)
{
    const char *near = option_near(option_table, name, length);
    return near ? refuse(text, "unknown option \"%.64s\"; did you mean --%s?", arg, near)
                : refuse(text, "unknown option \"%.64s\"; --help lists the known ones", arg);
}

/* Whether the next word is the option's value. An option whose value may be missing takes only its own words, or any name if it
   names a file. */
static bool is_value(const struct option *option, const char *word)
{
    if (option->parse == parse_flag || option->parse == parse_yes_no)
        return is_yes_or_no(word);
    if (option->implied == NULL)
        return strncmp(word, "--", 2) != 0;
    if (option->parse == parse_help)
        return word[0] != '-' || option_named(word) != NULL;
    if (option->file == FILE_NONE)
        return word_index(option->form, word) >= 0;
    return strcmp(word, "-") == 0 || (word[0] != '-' && ompfact_routine_find(word) == NULL);
}

/* The option at the beginning of a value of --debug, or NULL. */
static const struct option *debug_key(const char *s)
{
    const char *sign = strchr(s, '=');
    const struct option *option = sign != NULL ? option_find(s, (size_t)(sign - s)) : NULL;
    return option != NULL && option->group == GROUP_DEBUG ? option : NULL;
}

/* Reads KEY=VALUE,...; a comma ends a value if another key follows it. */
static int take_debug(const char *all, struct options *o, char *text)
{
    const char *s = all;
    do {
        char value[DEBUG_TEXT];
        const struct option *key = debug_key(s);
        if (key == NULL)
            return refuse(text, "--debug: \"%.64s\" is not KEY=VALUE,...; --help debug lists the keys", s);
        s += strlen(key->name) + 1;
        size_t length = strcspn(s, ",");
        while (s[length] == ',' && debug_key(s + length + 1) == NULL)
            length += 1 + strcspn(s + length + 1, ",");
        if (length >= sizeof value)
            return refuse(text, "--debug: \"%.64s\" has too many keys", all);
        snprintf(value, sizeof value, "%.*s", (int)length, s);
        TRY_STEP(key->parse(key, value, field_of(o, key), text));       /* a number: no option borrows `value` */
        *word_of(o, key) = NULL;
        o->given[key - option_table] = true;
        s += length + (s[length] == ',');
    } while (*s != '\0');
    return 0;
}

/* A flag that is taken back counts as not given. */
static int take_flag(const struct option *option, const char *value, struct options *o, char *text)
{
    bool *flag = field_of(o, option);
    int status = option->parse(option, value, flag, text);
    *word_of(o, option) = *flag ? "y" : NULL;
    return status;
}

/* Takes argv[*i], and argv[*i + 1] if that is its value. */
static int take_option(int argc, char **argv, int *i, struct options *o, char *text)
{
    const char *arg = argv[*i];
    const char *name = arg + (arg[1] == '-' ? 2 : 1);
    size_t length = strcspn(name, "=");
    const char *value = name[length] ? name + length + 1 : NULL;
    const struct option *option = arg[1] == '-' ? option_find(name, length) : option_by_letter(name);

    if (!option)
        return unknown_option(arg, name, length, text);
    if (!value && *i + 1 < argc && is_value(option, argv[*i + 1]))
        value = argv[++*i];
    if (!option->form)
        return take_flag(option, value, o, text);
    if (!value)
        value = option->implied;
    if (!value)
        return refuse(text, "--%s needs a value: %s", option->name, option->form);
    if (option->parse == NULL)
        return take_debug(value, o, text);
    *word_of(o, option) = value;
    return option->implied ? option->parse(option, value, field_of(o, option), text) : 0;
}

/* Whether the command only prints information about itself. */
static bool is_shown_at_once(const struct options *o)
{
    return o->help.word != NULL || o->version || o->bug_report;
}

/* routine: set to the word that is no option; NULL: there is none. */
static int read_line(int argc, char **argv, struct options *o, const char **routine, char *text)
{
    for (int i = 1; i < argc && !is_shown_at_once(o); i++) {
        if (argv[i][0] != '-' && *routine)
            return refuse(text, "\"%.64s\" and \"%.64s\": one routine at most", *routine, argv[i]);
        if (argv[i][0] != '-')
            *routine = argv[i];
        else
            TRY_STEP(take_option(argc, argv, &i, o, text));
    }
    return 0;
}

/* --help together with a routine is the help of that routine. */
static void name_help(const char *word, struct help_page *help)
{
    const ompfact_routine *routine = word != NULL ? ompfact_routine_find(word) : NULL;
    if (help->word != NULL && help->value == HELP_SHORT && routine != NULL)
        *help = (struct help_page){ HELP_ROUTINE, routine->name };
}

static int unknown_routine(const char *name, char *text)
{
    const char *near = routine_near(name), *also = routine_meant(name);
    if (also)
        return refuse(text, "unknown routine \"%.64s\"; did you mean %s?", name, also);
    if (near)
        return refuse(text, "unknown routine \"%.64s\"; did you mean \"%s\"?", name, near);

    char known[COMMAND_TEXT / 2] = "";
    for (const ompfact_routine *r = ompfact_routines(); r->name; r++)
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", r->name);
    return refuse(text, "unknown routine \"%.64s\"; known:%s", name, known);
}

static ompfact_structure structure_of(const struct options *o)
{
    bool upper = o->uplo == OMPFACT_UPPER;
    if (!has_triangle(o))
        return OMPFACT_GENERAL;
    if (o->routine->symmetric)
        return upper ? OMPFACT_SYMMETRIC_UPPER : OMPFACT_SYMMETRIC_LOWER;
    return upper ? OMPFACT_HERMITIAN_UPPER : OMPFACT_HERMITIAN_LOWER;
}

/* Stores every value, given or default, and what follows from several. */
static int store(struct options *o, char *text)
{
    for (const struct option *option = option_table; option->name; option++) {
        const char **word = word_of(o, option);
        bool *given = &o->given[option - option_table];
        const bool stored = *given && !*word;       /* by --debug */
        *given |= *word != NULL;
        *word = *given ? *word : option->initial;
        if (!stored && *word)
            TRY_STEP(option->parse(option, *word, field_of(o, option), text));
    }
    o->job.routine = o->routine->name;
    o->job.refined = option_given(o, "refine");
    o->job.shape.structure = structure_of(o);
    o->job.shape.purpose = o->routine->purpose;
    o->job.shape.cut = o->job.partial;
    return 0;
}

/* The options of a checkpoint replace those that the command line omits. */
static int take_restart(struct options *o, const char **routine, char *text)
{
    const char *folder = option_word(o, "restart");
    o->restart_nb = option_word(o, "nb") != NULL;
    return folder != NULL ? restart_take(folder, routine, o, text) : 0;
}

static int check_outputs(const struct options *o, char *text)
{
    const char *first = NULL;
    for (const struct option *option = option_table; option->name; option++) {
        const char *value = o->word[option - option_table];
        if (option->file == FILE_NONE || option->file_after || !value || strcmp(value, "-"))
            continue;
        if (option->file != FILE_REPORTED)
            return refuse(text, "--%s needs the name of a file", option->name);
        if (first)
            return refuse(text, "--%s and --%s both write to stdout", first, option->name);
        first = option->name;
    }
    for (const struct option *option = option_table; option->name; option++)
        if (option->format != NULL && o->word[option - option_table] != NULL)
            TRY_STEP(format_check(option->name, option->format, o->word[option - option_table], text));
    return 0;
}

static int parse_run(int argc, char **argv, struct options *o, char *text)
{
    const char *routine = NULL;
    int status = read_line(argc, argv, o, &routine, text);
    name_help(routine, &o->help);
    if (status || is_shown_at_once(o))
        return status;
    TRY_STEP(take_restart(o, &routine, text));
    o->routine = ompfact_routine_find(routine ? routine : DEFAULT_ROUTINE);
    if (!o->routine)
        return unknown_routine(routine, text);
    TRY_STEP(store(o, text));
    TRY_STEP(options_check_idle(o, text));
    TRY_STEP(options_check(o, text));
    return check_outputs(o, text);
}

int options_parse(int argc, char **argv, struct options *o, char text[COMMAND_TEXT])
{
    options_parser *verb = argc > 1 ? options_verb(argv[1]) : options_bare;
    *o = (struct options){ .argv = argv };
    text[0] = '\0';
    int status = (verb != NULL ? verb : parse_run)(argc, argv, o, text);
    if (status)
        options_free(o);
    return status;
}

void options_free(struct options *o)
{
    free(o->dim.item);
    free(o->nb.item);
    free(o->checkpoint.folder);
    free(o->restart_text);
    batches_forget(&o->batches);
    o->checkpoint.folder = o->restart_text = NULL;
    o->dim = o->nb = (struct size_list){ 0 };
}
