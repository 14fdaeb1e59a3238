#define _GNU_SOURCE     /* open_memstream */
#include "src/command/options_restart.h"

#include "src/ompfact.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- written --------------------------------------------------------------------------------------------------------------- */

/* A line each: NAME=VALUE. */
static void write_file(FILE *out, const char *name, const char *path)
{
    char *whole = path != NULL ? realpath(path, NULL) : NULL;
    if (path != NULL)
        fprintf(out, "%s=%s\n", name, whole != NULL ? whole : path);
    free(whole);
}

static void write_word(FILE *out, const char *name, const char *word)
{
    if (word != NULL)
        fprintf(out, "%s=%s\n", name, word);
}

static void write_compression(FILE *out, const struct options *o)
{
    if (o->accuracy == 0)
        return;
    fprintf(out, "accuracy=%.17g\n", o->accuracy);
    if (o->band > 0)
        fprintf(out, "band=%d\n", o->band);
    if (o->max_rank != 0)
        fprintf(out, "max-rank=%d\n", o->max_rank > 0 ? o->max_rank : 0);
}

char *restart_write(const struct options *o, const struct problem *p, const char *pivot, const char *kind)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        return NULL;
    fprintf(out, "routine=%s\ndim=%" PRId64 "x%" PRId64 "\nnb=%d\ntype=%c\n", o->routine->name, p->m, p->n, p->nb, p->type);
    if (o->routine->solves && o->rhs == NULL)
        fprintf(out, "nrhs=%" PRId64 "\n", p->nrhs);
    if (is_cholesky(o))
        write_word(out, "uplo", o->uplo.word);
    if (is_lu(o))
        write_word(out, "pivot", pivot);
    if (refines(o))
        write_word(out, "refine", o->refine.word);
    write_compression(out, o);
    write_word(out, "matrix", kind);
    if (kind != NULL || (o->routine->solves && o->rhs == NULL))
        fprintf(out, "seed=%" PRId64 "\n", o->seed);
    write_file(out, "input", o->input);
    write_file(out, "points", o->points);
    write_file(out, "rhs", o->rhs);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* ---- taken ----------------------------------------------------------------------------------------------------------------- */

static bool same_path(const char *a, const char *b)
{
    char *whole_a = realpath(a, NULL), *whole_b = realpath(b, NULL);
    bool same = whole_a != NULL && whole_b != NULL && strcmp(whole_a, whole_b) == 0;
    free(whole_a);
    free(whole_b);
    return same;
}

static bool same_sizes(const struct option *option, const char *a, const char *b, char *text)
{
    struct size_list list[2] = { { 0 } };
    bool same = option->parse(option, a, &list[0], text) == 0 && option->parse(option, b, &list[1], text) == 0 &&
                list[0].count == list[1].count;
    for (int i = 0; same && i < list[0].count; i++)
        same = list[0].item[i].m == list[1].item[i].m && list[0].item[i].n == list[1].item[i].n;
    free(list[0].item);
    free(list[1].item);
    return same;
}

static bool same_number(const char *a, const char *b)
{
    char *end_a, *end_b;
    double x = strtod(a, &end_a), y = strtod(b, &end_b);
    return end_a != a && *end_a == '\0' && end_b != b && *end_b == '\0' && x == y;
}

static bool same_value(const struct option *option, const char *a, const char *b, char *text)
{
    if (option->file == FILE_READ)
        return same_path(a, b);
    return option->parse == parse_sizes ? same_sizes(option, a, b, text) : strcmp(a, b) == 0 || same_number(a, b);
}

static int take_value(const char *folder, const char *name, const char *saved, const char *value[OPTION_TABLE_MAX], char *text)
{
    const struct option *option = option_find(name, strlen(name));
    if (option == NULL)
        return refuse(text, "--restart %.128s: the checkpoint has \"%.32s\", which this version does not know", folder, name);
    const char **given = &value[option - option_table];
    if (*given == NULL)
        *given = saved;
    else if (strcmp(name, "nb") != 0 && !same_value(option, *given, saved, text))
        return refuse(text, "--%s %.64s: the checkpoint in %.128s is of --%s %.64s", name, *given, folder, name, saved);
    return 0;
}

static int take_routine(const char *folder, const char *saved, const char **routine, char *text)
{
    if (*routine != NULL && strcmp(*routine, saved) != 0)
        return refuse(text, "%.32s: the checkpoint in %.128s is of %.32s", *routine, folder, saved);
    *routine = saved;
    return 0;
}

int restart_take(const char *folder, const char *value[OPTION_TABLE_MAX], const char **routine, struct options *o, char *text)
{
    ompfact_restarted from;
    char why[OMPFACT_MESSAGE];
    if (ompfact_restart_read(folder, 0, &from, why) != OMPFACT_SUCCESS)
        return refuse(text, "--restart: %s", why);
    o->restart_text = from.about;
    from.about = NULL;
    ompfact_restarted_forget(&from);
    int status = 0;
    char *rest = o->restart_text;
    for (char *line; status == 0 && (line = strsep(&rest, "\n")) != NULL;) {
        char *saved = strchr(line, '=');
        if (saved == NULL)
            continue;
        *saved++ = '\0';
        status = strcmp(line, "routine") == 0 ? take_routine(folder, saved, routine, text)
                                              : take_value(folder, line, saved, value, text);
    }
    if (status == 0 && *routine == NULL)
        status = refuse(text, "--restart %.128s: the checkpoint was not made by this command", folder);
    return status;
}
