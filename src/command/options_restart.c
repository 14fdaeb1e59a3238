#include "src/command/options_restart.h"

#include "src/command/source.h"
#include "src/io/text_stream.h"
#include "src/ompfact.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- written --------------------------------------------------------------------------------------------------------------- */

static const char batches_name[] = "batches";       /* no option: batches of the points of --points or of generated ones */

struct writing {
    FILE *out;
    const char *broken;         /* an option whose value has a newline, which would begin another option; NULL: none */
};

/* Writes a line for each: NAME=VALUE. */
static void write_word(struct writing *w, const char *name, const char *word)
{
    if (word == NULL)
        return;
    if (strchr(word, '\n') != NULL)
        w->broken = name;
    fprintf(w->out, "%s=%s\n", name, word);
}

/* Not as given, so that numbers are compared, and not the ways to write them. */
static void write_number(struct writing *w, const char *name, int64_t number)
{
    fprintf(w->out, "%s=%" PRId64 "\n", name, number);
}

static void write_file(struct writing *w, const char *name, const char *path)
{
    char *whole = path != NULL ? realpath(path, NULL) : NULL;
    write_word(w, name, whole != NULL ? whole : path);
    free(whole);
}

/* False: no memory. */
static bool write_batches(struct writing *w, const struct options *o, const struct points *points)
{
    char *text = points->count > 0 ? batches_text(o->batches, points) : NULL;
    bool made = text != NULL || points->count == 0;
    if (text != NULL)
        fprintf(w->out, "%s=%s\n", batches_name, text);
    free(text);
    return made;
}

static void write_options(struct writing *w, const struct options *o, const ompfact_job *job, const struct run_facts *facts)
{
    const ompfact_shape *shape = &job->shape;
    const bool own_rhs = o->routine->solves && o->rhs == NULL, compresses = shape->accuracy > 0;
    const struct { const char *name; bool written; } as_given[] = {
        { "uplo", has_triangle(o) }, { "butterfly", is_indefinite(o) }, { "refine", refines(o) },
        { "tile-precision", true }, { "accuracy", compresses }, { "band", compresses }, { "max-rank", compresses } };
    fprintf(w->out, "routine=%s\ndim=%" PRId64 "x%" PRId64 "\nnb=%d\ntype=%c\n", o->routine->name, shape->m, shape->n, shape->nb,
            shape->type);
    for (size_t i = 0; i < sizeof as_given / sizeof *as_given; i++)
        write_word(w, as_given[i].name, as_given[i].written ? option_word(o, as_given[i].name) : NULL);
    if (own_rhs)
        write_number(w, "nrhs", job->nrhs);
    if (facts->kind != NULL || own_rhs)
        write_number(w, "seed", o->seed);
    write_word(w, "pivot", is_lu(o) ? facts->pivot : NULL);
    write_word(w, "matrix", facts->kind);
    write_file(w, "input", o->input);
    write_file(w, "points", o->points);
    write_file(w, "rhs", o->rhs);
}

int restart_write(const struct options *o, const ompfact_job *job, const struct run_facts *facts, char **about, char *text)
{
    size_t length = 0;
    struct writing w = { .out = text_stream(about, &length) };
    if (w.out != NULL)
        write_options(&w, o, job, facts);
    bool made = w.out != NULL && write_batches(&w, o, facts->points);
    if (w.out != NULL)
        made &= fclose(w.out) == 0;
    if (made && w.broken == NULL)
        return 0;
    if (w.out != NULL)
        free(*about);
    *about = NULL;
    return made ? refuse(text, "--%s: a checkpoint cannot store a path that contains a newline", w.broken)
                : refuse(text, "no memory for checkpoints");
}

/* ---- taken ----------------------------------------------------------------------------------------------------------------- */

/* The command line of a run that continues from a checkpoint. */
struct taking {
    const char *folder;
    const char **routine;
    struct options *o;
    bool sized;                     /* whether the command line gives the size of the matrix */
};

/* The problem is that of the checkpoint, except for the tile size; with appended rows it is a larger one. */
static int check_given(struct taking *t, char *text)
{
    for (const struct option *option = option_table; option->name != NULL; option++) {
        bool given = option->saved != SAVED_NOT && t->o->word[option - option_table] != NULL;
        if (given && option->saved != SAVED_FREE && !t->o->append)
            return refuse(text, "--%s with --restart: the checkpoint in %.128s defines the problem", option->name, t->folder);
        t->sized |= given && option->saved == SAVED_SIZE;
    }
    if (t->o->append && !t->sized)
        return refuse(text, "--append needs a matrix with more rows: --dim, --points or --input");
    return 0;
}

static int take_batches(const struct taking *t, const char *saved, char *text)
{
    batches_forget(&t->o->batches);
    t->o->batches = batches_parse(saved);
    if (t->o->batches != NULL)
        return 0;
    return refuse(text, "--restart %.128s: the checkpoint has invalid batches of points \"%.32s\"", t->folder, saved);
}

static int take_value(const struct taking *t, const char *name, const char *saved, char *text)
{
    const struct option *option = option_find(name, strlen(name));
    if (option == NULL || option->saved == SAVED_NOT)
        return refuse(text, "--restart %.128s: the checkpoint has \"%.32s\", which this version does not support", t->folder,
                      name);
    const char **given = &t->o->word[option - option_table];
    if (*given == NULL && !(t->o->append && t->sized && strcmp(name, "dim") == 0))
        *given = saved;
    if (t->o->append && *given != NULL && option->saved == SAVED_SAME && strcmp(*given, saved) != 0)
        return refuse(text, "--append --%s %.64s: the factor in %.128s is of --%s %.64s", name, *given, t->folder, name, saved);
    return 0;
}

static int take_routine(const struct taking *t, const char *saved, char *text)
{
    if (*t->routine != NULL && strcmp(*t->routine, saved) != 0)
        return refuse(text, "%.32s: the checkpoint in %.128s is of %.32s", *t->routine, t->folder, saved);
    *t->routine = saved;
    if (t->o->append && strcmp(saved, "potrf") != 0 && strcmp(saved, "posv") != 0)
        return refuse(text, "--append: rows are appended to factors of potrf and posv, and the checkpoint in %.128s is of %.32s",
                      t->folder, saved);
    return 0;
}

static int take_line(const struct taking *t, char *line, char *text)
{
    char *saved = strchr(line, '=');
    if (saved == NULL)
        return 0;
    *saved++ = '\0';
    return strcmp(line, "routine") == 0      ? take_routine(t, saved, text)
           : strcmp(line, batches_name) == 0 ? take_batches(t, saved, text)
                                             : take_value(t, line, saved, text);
}

/* The finished steps of the checkpoint, and its text. */
static int read_about(const char *folder, struct options *o, char *text)
{
    ompfact_restarted from;
    char why[OMPFACT_MESSAGE];
    if (ompfact_restart_read(folder, 0, &from, why) != OMPFACT_SUCCESS)
        return refuse(text, "--restart: %s", why);
    o->restart_step = from.step;
    o->restart_steps = from.mt < from.nt ? from.mt : from.nt;
    o->restart_text = from.about;
    o->job.factored = o->append ? from.n : 0;
    from.about = NULL;
    ompfact_restarted_forget(&from);
    if (o->append && o->restart_step < o->restart_steps)
        return refuse(text, "--append: %d of %d steps are done in %.128s: continue with --restart alone, then append",
                      o->restart_step, o->restart_steps, folder);
    return 0;
}

int restart_take(const char *folder, const char **routine, struct options *o, char *text)
{
    struct taking taking = { .folder = folder, .routine = routine, .o = o };
    o->append = option_word(o, "append") != NULL;
    o->reads_checkpoint = true;
    int status = read_about(folder, o, text);
    if (status == 0)
        status = check_given(&taking, text);
    char *rest = o->restart_text;
    for (char *line; status == 0 && (line = strsep(&rest, "\n")) != NULL;)
        status = take_line(&taking, line, text);
    if (status == 0 && *routine == NULL)
        return refuse(text, "--restart %.128s: the checkpoint was not made by this command", folder);
    return status;
}
