#include "src/command/options_parts.h"

#include <stdlib.h>
#include <string.h>

#include "src/command/options_restart.h"
#include "src/ompfact.h"

enum { DEBUG_TEXT = 512 };

static const char DEFAULT_ROUTINE[] = "getrf";

/* What the command line says, before the routine tells which of it matters: the last value of each option. */
struct line {
    const char *value[OPTION_TABLE_MAX];    /* by place in option_table */
    const char *routine;
    char debug[DEBUG_TEXT];                 /* values out of that of --debug */
    size_t debug_used;
};

static void *field_of(struct options *o, const struct option *option)
{
    return (char *)o + option->field;
}

static int unknown_option(const char *arg, const char *name, size_t length, char *text)
{
    const char *near = option_near(name, length);
    return near ? refuse(text, "unknown option \"%.64s\"; did you mean --%s?", arg, near)
                : refuse(text, "unknown option \"%.64s\"; --help lists the known ones", arg);
}

/* Is the word behind an option its value? One that need not have any takes its own words alone, or any that names a file. */
static bool is_value(const struct option *option, const char *word)
{
    if (option->parse == parse_flag || option->parse == parse_yes_no)
        return is_yes_or_no(word);
    if (option->unsaid == NULL)
        return strncmp(word, "--", 2) != 0;
    if (option->parse == parse_help && ompfact_routine_find(word) != NULL)
        return true;
    if (option->file == FILE_NONE)
        return word_index(option->form, word) >= 0;
    return strcmp(word, "-") == 0 || (word[0] != '-' && ompfact_routine_find(word) == NULL);
}

/* The option that a value of --debug begins with, or NULL. */
static const struct option *debug_key(const char *s)
{
    const char *sign = strchr(s, '=');
    const struct option *option = sign != NULL ? option_find(s, (size_t)(sign - s)) : NULL;
    return option != NULL && option->group == GROUP_DEBUG ? option : NULL;
}

/* KEY=VALUE,...: a comma ends a value where another key follows it. */
static int take_debug(const char *all, struct line *line, char *text)
{
    const char *s = all;
    do {
        const struct option *key = debug_key(s);
        if (key == NULL)
            return refuse(text, "--debug: \"%.64s\" is not KEY=VALUE,...; --help debug lists the keys", s);
        s += strlen(key->name) + 1;
        size_t length = strcspn(s, ",");
        while (s[length] == ',' && debug_key(s + length + 1) == NULL)
            length += 1 + strcspn(s + length + 1, ",");
        if (length >= DEBUG_TEXT - line->debug_used)
            return refuse(text, "--debug: \"%.64s\" is too much", all);
        char *value = line->debug + line->debug_used;
        line->debug_used += length + 1;
        line->value[key - option_table] = memcpy(value, s, length);
        s += length + (s[length] == ',');
    } while (*s != '\0');
    return 0;
}

/* One that is taken back is as if it had not been given. */
static int take_flag(const struct option *option, const char *value, struct options *o, struct line *line, char *text)
{
    bool *flag = field_of(o, option);
    int status = option->parse(option, value, flag, text);
    line->value[option - option_table] = *flag ? "y" : NULL;
    return status;
}

/* Takes argv[*i], and argv[*i + 1] where that is its value. */
static int take_option(int argc, char **argv, int *i, struct options *o, struct line *line, char *text)
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
        return take_flag(option, value, o, line, text);
    if (!value)
        value = option->unsaid;
    if (!value)
        return refuse(text, "--%s wants a value: %s", option->name, option->form);
    if (option->parse == NULL)
        return take_debug(value, line, text);
    line->value[option - option_table] = value;
    return option->unsaid ? option->parse(option, value, field_of(o, option), text) : 0;
}

/* Something is told of the program, and nothing else done. */
static bool is_told_of(const struct options *o)
{
    return o->help.word != NULL || o->version || o->bug_report;
}

static int read_line(int argc, char **argv, struct options *o, struct line *line, char *text)
{
    for (int i = 1; i < argc && !is_told_of(o); i++) {
        if (argv[i][0] != '-' && line->routine)
            return refuse(text, "\"%.64s\" and \"%.64s\": one routine at most", line->routine, argv[i]);
        if (argv[i][0] != '-') {
            line->routine = argv[i];
            continue;
        }
        int status = take_option(argc, argv, &i, o, line, text);
        if (status)
            return status;
    }
    return 0;
}

/* --help beside a routine is of that. */
static void name_help(const struct line *line, struct choice *help)
{
    const ompfact_routine *routine = line->routine != NULL ? ompfact_routine_find(line->routine) : NULL;
    if (help->word != NULL && help->value == HELP_SHORT && routine != NULL)
        *help = (struct choice){ HELP_ROUTINE, routine->name };
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

static int choose_routine(const char *name, struct options *o, char *text)
{
    o->routine = ompfact_routine_find(name);
    return o->routine ? 0 : unknown_routine(name, text);
}

static bool is_given(const struct line *line, const char *name)
{
    return line->value[option_find(name, strlen(name)) - option_table] != NULL;
}

/* Stores every value, given or default. */
static int store(const struct line *line, struct options *o, char *text)
{
    for (const struct option *option = option_table; option->name; option++) {
        const char *given = line->value[option - option_table], *value = given ? given : option->initial;
        int status = value ? option->parse(option, value, field_of(o, option), text) : 0;
        if (status)
            return status;
    }
    o->dim_given = is_given(line, "dim");
    o->type_given = is_given(line, "type");
    o->progress_given = is_given(line, "progress");
    return 0;
}

/* What a checkpoint says stands for what the command line leaves out. */
static int take_restart(struct line *line, struct options *o, char *text)
{
    const char *folder = line->value[option_find("restart", strlen("restart")) - option_table];
    o->restart_nb = is_given(line, "nb");
    o->reads_checkpoint = folder != NULL;
    return folder != NULL ? restart_take(folder, line->value, &line->routine, o, text) : 0;
}

static int check_idle(const struct line *line, struct options *o, char *text)
{
    bool given[OPTION_TABLE_MAX];
    for (int i = 0; i < OPTION_TABLE_MAX; i++)
        given[i] = line->value[i] != NULL;
    return options_check_idle(given, o, text);
}

static int check_square(const struct options *o, char *text)
{
    for (int i = 0; i < o->dim.count; i++) {
        const struct problem_size *size = &o->dim.item[i];
        if (needs_square(o, size->m, size->n))
            return refuse(text, "--dim: %lldx%lld is rectangular, and %s wants %s", (long long)size->m, (long long)size->n,
                          o->routine->square ? o->routine->name : "--rcond", shape_wanted(o));
    }
    return 0;
}

static int check_refine(const struct options *o, char *text)
{
    if (!refines(o))
        return 0;
    if (strpbrk(o->type, "sc") != NULL && !approximates(o))
        return refuse(text, "--refine is for types d and z, not for --type %s: there is no precision below single", o->type);
    if (approximates(o) && o->refine.value == OMPFACT_REFINE_GMRES)
        return refuse(text, "--refine gmres is for factors in single precision, not for --%s",
                      o->accuracy > 0 ? "accuracy" : "tile-precision");
    if (approximates(o))
        return 0;
    if (wants_rcond(o))
        return refuse(text, "--rcond wants the factors, which --refine does not keep");
    if (o->ipiv)
        return refuse(text, "--ipiv wants the factors, which --refine does not keep");
    return 0;
}

static int check_accuracy(const struct options *o, char *text)
{
    if (o->accuracy == 0)
        return 0;
    if (is_lu(o) && o->pivot.value != OMPFACT_PIVOT_NONE)
        return refuse(text, "--accuracy wants --pivot none: rows of compressed tiles cannot be exchanged");
    if (o->abft)
        return refuse(text, "--abft is for dense tiles, not for --accuracy");
    if (o->devices != 0)
        return refuse(text, "--accuracy is for hosts, not for --devices");
    return 0;
}

static int check_tile_precision(const struct options *o, char *text)
{
    if (o->tile_precision == 0)
        return 0;
    if (strpbrk(o->type, "sc") != NULL)
        return refuse(text, "--tile-precision is for types d and z, not for --type %s: no tile is below single", o->type);
    if (is_lu(o) && o->pivot.value != OMPFACT_PIVOT_NONE)
        return refuse(text, "--tile-precision wants --pivot none: rows are exchanged between tiles of one precision");
    if (o->accuracy > 0)
        return refuse(text, "--tile-precision is for dense tiles, not for --accuracy");
    if (o->abft)
        return refuse(text, "--abft is for tiles of one precision, not for --tile-precision");
    if (o->devices != 0)
        return refuse(text, "--tile-precision is for hosts, not for --devices");
    if (o->simulate != NULL)
        return refuse(text, "--simulate is for tiles of one precision, not for --tile-precision");
    return 0;
}

/* Where a file says how large the matrix is, that is looked at later. */
static int check_partial(const struct options *o, char *text)
{
    if (o->schur != NULL && o->partial == 0)
        return refuse(text, "--schur wants --partial ROWS, which leaves a Schur complement");
    if (o->partial > 0 && o->check)
        return refuse(text, "--check is of all of the factors, which --partial does not make");
    for (int i = 0; i < o->dim.count && o->partial > 0 && o->input == NULL && o->points == NULL; i++) {
        int status = check_partial_of(o, o->dim.item[i].m, o->dim.item[i].n, text);
        if (status != 0)
            return status;
    }
    return 0;
}

/* Where a file says how large the matrix is, that is looked at later, too. */
static int check_append(const struct options *o, bool rows_given, char *text)
{
    if (rows_given && !(o->append && o->dry_run))
        return refuse(text, "--rows is for --dry-run with --append; a run has the rows of the factor that it appends to");
    if (o->append && o->restart == NULL && !o->dry_run)
        return refuse(text, "--append wants --restart DIR, a factor that gets more rows");
    if (o->append && o->rows == 0)
        return refuse(text, "--append wants --rows OLD in a dry run: those of the factor");
    for (int i = 0; i < o->dim.count && o->append && o->input == NULL && o->points == NULL; i++) {
        int status = check_append_of(o, o->dim.item[i].n, text);
        if (status != 0)
            return status;
    }
    return 0;
}

/* A simulation is a dry run, too. */
static int check_dry_run(struct options *o, char *text)
{
    o->dry_run |= o->simulate != NULL;
    if (o->dry_run && !o->ranks)
        return refuse(text, "%s wants --ranks P", o->simulate ? "--simulate" : "--dry-run");
    if (o->dry_run && o->tune != NULL)
        return refuse(text, "--tune measures, and --dry-run does not");
    if (o->dry_run && o->speeds && !strcmp(o->speeds, "auto"))
        return refuse(text, "--speeds auto measures the ranks of a run, and a dry run has none: give a file of speeds");
    if (o->ranks && !o->dry_run)
        return refuse(text, "--ranks is for --dry-run; a run has the ranks of mpiexec");
    if (o->ranks_per_node > 1 && !o->dry_run)
        return refuse(text, "--ranks-per-node is for --dry-run; a run has the nodes that it finds");
    if (o->wire.rate > 0 && !o->dry_run)
        return refuse(text, "--wire is for --dry-run; a run has the links that there are");
    if ((o->cores || o->gflops > 0 || o->machine) && !o->dry_run)
        return refuse(text, "--cores, --gflops and --machine are for --dry-run; a run has the machine that there is");
    return 0;
}

static int check_weights(const struct options *o, char *text)
{
    if (o->weights && o->blr)
        return refuse(text, "--weights and --blr both say how much work a tile is");
    if (predicts_weights(o) && o->accuracy == 0)
        return refuse(text, "--weights auto goes by the ranks of compressed tiles: give --accuracy, or a file of weights");
    if (predicts_weights(o) && o->dry_run)
        return refuse(text, "--weights auto looks at the matrix, and a dry run makes none: give a file of weights");
    for (int i = 0; o->weights && !predicts_weights(o) && i < o->nb.count; i++)
        if (o->nb.item[i].n == 0)
            return refuse(text, "--weights says how much work each tile is: --nb must say how large they are");
    return 0;
}

static int check_stdout(const struct line *line, char *text)
{
    const char *first = NULL;
    for (const struct option *option = option_table; option->name; option++) {
        const char *value = line->value[option - option_table];
        if (option->file == FILE_NONE || option->file_after || !value || strcmp(value, "-"))
            continue;
        if (option->file != FILE_REPORTED)
            return refuse(text, "--%s wants the name of a file", option->name);
        if (first)
            return refuse(text, "--%s and --%s both write to stdout", first, option->name);
        first = option->name;
    }
    return 0;
}

static int check_formats(const struct line *line, char *text)
{
    int status = 0;
    for (const struct option *option = option_table; option->name && !status; option++)
        if (option->format != NULL && line->value[option - option_table] != NULL)
            status = format_check(option->name, option->format, line->value[option - option_table], text);
    return status;
}

static int parse_run(int argc, char **argv, struct options *o, char *text)
{
    struct line line = { 0 };
    int status = read_line(argc, argv, o, &line, text);
    name_help(&line, &o->help);
    if (status || is_told_of(o))
        return status;
    status = take_restart(&line, o, text);
    if (status)
        return status;
    status = choose_routine(line.routine ? line.routine : DEFAULT_ROUTINE, o, text);
    if (!status)
        status = store(&line, o, text);
    if (!status)
        status = check_idle(&line, o, text);
    if (!status)
        status = check_square(o, text);
    if (!status)
        status = check_refine(o, text);
    if (!status)
        status = check_accuracy(o, text);
    if (!status)
        status = check_tile_precision(o, text);
    if (!status)
        status = check_partial(o, text);
    if (!status)
        status = check_dry_run(o, text);
    if (!status)
        status = check_append(o, is_given(&line, "rows"), text);
    if (!status)
        status = check_weights(o, text);
    if (!status)
        status = check_stdout(&line, text);
    if (!status)
        status = check_formats(&line, text);
    if (!status && o->restart != NULL && o->warmup)
        status = refuse(text, "--warmup with --restart: the uncounted run would factor all of the matrix anew");
    if (!status && o->restart != NULL && o->checkpoint.folder != NULL && options_problem_count(o) * o->repeat > 1)
        status = refuse(text, "several runs with --restart and --checkpoint: each would go on from the one before");
    return status;
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

int check_partial_of(const struct options *o, int64_t m, int64_t n, char *text)
{
    int64_t most = m < n ? m - 1 : n - 1;
    if (o->partial == 0 || o->partial <= most)
        return 0;
    return refuse(text, "--partial %lld: a matrix of %lld x %lld has at most %lld rows to eliminate before the last",
                  (long long)o->partial, (long long)m, (long long)n, (long long)(most > 0 ? most : 0));
}

int check_append_of(const struct options *o, int64_t n, char *text)
{
    if (!o->append || o->rows <= n)
        return 0;
    return refuse(text, "--append: the factor has %lld rows, and this matrix %lld", (long long)o->rows, (long long)n);
}

int64_t options_problem_count(const struct options *o)
{
    return (int64_t)strlen(o->type) * o->dim.count * o->nb.count;
}

struct problem options_problem(const struct options *o, int64_t index)
{
    const struct problem_size *nb = &o->nb.item[index % o->nb.count];
    index /= o->nb.count;
    const struct problem_size *dim = &o->dim.item[index % o->dim.count];
    index /= o->dim.count;
    return (struct problem){ .type = o->type[index], .m = dim->m, .n = dim->n, .nrhs = o->nrhs, .nb = (int)nb->n,
                             .copies = o->copies,
                             .pivots = o->routine->factor == OMPFACT_BY_LU && o->pivot.value != OMPFACT_PIVOT_NONE };
}
