#include "src/command/options_restart.h"

#include "src/io/text_stream.h"
#include "src/ompfact.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- written --------------------------------------------------------------------------------------------------------------- */

/* All that is written, and all that is taken: what else a checkpoint says is not this command's. */
enum member { ROUTINE, DIM, TILE_SIZE, TYPE, NRHS, UPLO, BUTTERFLY, PIVOT, REFINE, ACCURACY, BAND, MAX_RANK, MATRIX, SEED, INPUT,
              POINTS, RHS, MEMBERS };
static const char *const members[MEMBERS] = { "routine", "dim", "nb", "type", "nrhs", "uplo", "butterfly", "pivot", "refine",
                                              "accuracy", "band", "max-rank", "matrix", "seed", "input", "points", "rhs" };

struct writing {
    FILE *out;
    enum member broken;         /* its value has a line's end, and so would begin another one; MEMBERS: none has */
};

/* A line each: NAME=VALUE. */
static void write_word(struct writing *w, enum member member, const char *word)
{
    if (word == NULL)
        return;
    if (strchr(word, '\n') != NULL)
        w->broken = member;
    fprintf(w->out, "%s=%s\n", members[member], word);
}

static void write_file(struct writing *w, enum member member, const char *path)
{
    char *whole = path != NULL ? realpath(path, NULL) : NULL;
    write_word(w, member, whole != NULL ? whole : path);
    free(whole);
}

static void write_number(struct writing *w, enum member member, int64_t number)
{
    fprintf(w->out, "%s=%" PRId64 "\n", members[member], number);
}

static void write_compression(struct writing *w, const struct options *o)
{
    if (o->accuracy == 0)
        return;
    fprintf(w->out, "%s=%.17g\n", members[ACCURACY], o->accuracy);
    if (o->band > 0)
        write_number(w, BAND, o->band);
    if (o->max_rank != 0)
        write_number(w, MAX_RANK, o->max_rank > 0 ? o->max_rank : 0);
}

static void write_members(struct writing *w, const struct options *o, const struct problem *p, const char *pivot,
                          const char *kind)
{
    write_word(w, ROUTINE, o->routine->name);
    fprintf(w->out, "%s=%" PRId64 "x%" PRId64 "\n", members[DIM], p->m, p->n);
    write_number(w, TILE_SIZE, p->nb);
    fprintf(w->out, "%s=%c\n", members[TYPE], p->type);
    if (o->routine->solves && o->rhs == NULL)
        write_number(w, NRHS, p->nrhs);
    if (has_triangle(o))
        write_word(w, UPLO, o->uplo.word);
    if (is_indefinite(o))
        write_word(w, BUTTERFLY, o->butterfly.word);
    if (is_lu(o))
        write_word(w, PIVOT, pivot);
    if (refines(o))
        write_word(w, REFINE, o->refine.word);
    write_compression(w, o);
    write_word(w, MATRIX, kind);
    if (kind != NULL || (o->routine->solves && o->rhs == NULL))
        write_number(w, SEED, o->seed);
    write_file(w, INPUT, o->input);
    write_file(w, POINTS, o->points);
    write_file(w, RHS, o->rhs);
}

int restart_write(const struct options *o, const struct problem *p, const char *pivot, const char *kind, char **about,
                  char *text)
{
    size_t length = 0;
    struct writing w = { .out = text_stream(about, &length), .broken = MEMBERS };
    if (w.out != NULL)
        write_members(&w, o, p, pivot, kind);
    bool made = w.out != NULL && fclose(w.out) == 0;
    if (made && w.broken == MEMBERS)
        return 0;
    if (w.out != NULL)
        free(*about);
    *about = NULL;
    return made ? refuse(text, "--%s: a checkpoint cannot keep a path that has a line's end in it", members[w.broken])
                : refuse(text, "no memory for checkpoints");
}

/* ---- taken ----------------------------------------------------------------------------------------------------------------- */

/* The problem is the checkpoint's, but for the tile size. */
static int check_given(const char *folder, const char *const *value, char *text)
{
    for (enum member m = DIM; m < MEMBERS; m++) {
        const struct option *option = option_find(members[m], strlen(members[m]));
        if (m != TILE_SIZE && value[option - option_table] != NULL)
            return refuse(text, "--%s with --restart: the checkpoint in %.128s says what the problem is", members[m], folder);
    }
    return 0;
}

/* MEMBERS: it is none. */
static enum member member_of(const char *name)
{
    int i = 0;
    while (i < MEMBERS && strcmp(members[i], name) != 0)
        i++;
    return (enum member)i;
}

static int take_value(const char *folder, const char *name, const char *saved, const char *value[OPTION_TABLE_MAX], char *text)
{
    const struct option *option = member_of(name) < MEMBERS ? option_find(name, strlen(name)) : NULL;
    if (option == NULL)
        return refuse(text, "--restart %.128s: the checkpoint has \"%.32s\", which this version does not know", folder, name);
    const char **given = &value[option - option_table];
    if (*given == NULL)
        *given = saved;
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
    o->restart_step = from.step;
    o->restart_steps = from.mt < from.nt ? from.mt : from.nt;
    o->restart_text = from.about;
    from.about = NULL;
    ompfact_restarted_forget(&from);
    int status = check_given(folder, value, text);
    char *rest = o->restart_text;
    for (char *line; status == 0 && (line = strsep(&rest, "\n")) != NULL;) {
        char *saved = strchr(line, '=');
        if (saved == NULL)
            continue;
        *saved++ = '\0';
        status = strcmp(line, members[ROUTINE]) == 0 ? take_routine(folder, saved, routine, text)
                                                     : take_value(folder, line, saved, value, text);
    }
    if (status == 0 && *routine == NULL)
        return refuse(text, "--restart %.128s: the checkpoint was not made by this command", folder);
    return status;
}
