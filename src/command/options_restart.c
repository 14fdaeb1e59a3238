#include "src/command/options_restart.h"

#include "src/command/source.h"
#include "src/io/text_stream.h"
#include "src/ompfact.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- written --------------------------------------------------------------------------------------------------------------- */

/* The options that are written and read; other lines of a checkpoint are ignored. */
enum member { ROUTINE, DIM, TILE_SIZE, TYPE, NRHS, UPLO, BUTTERFLY, PIVOT, REFINE, ACCURACY, BAND, MAX_RANK, TILE_PRECISION,
              MATRIX, SEED, INPUT, POINTS, RHS, MEMBERS };
static const char batches_name[] = "batches";       /* no option: batches of the points of --points or of generated ones */
static const char *const members[MEMBERS] = { "routine", "dim", "nb", "type", "nrhs", "uplo", "butterfly", "pivot", "refine",
                                              "accuracy", "band", "max-rank", "tile-precision", "matrix",
                                              "seed", "input", "points", "rhs" };

struct writing {
    FILE *out;
    enum member broken;         /* a member whose value has a newline, which would begin another member; MEMBERS: none */
};

/* Writes a line for each: NAME=VALUE. */
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
    const char *third = o->tile_precision.bf16 ? ",bf16" : "";
    if (o->tile_precision.eps > 0)
        fprintf(w->out, "%s=%.17g%s\n", members[TILE_PRECISION], o->tile_precision.eps, third);
    else if (o->tile_precision.eps < 0)
        fprintf(w->out, "%s=auto%s\n", members[TILE_PRECISION], third);
    if (o->accuracy == 0)
        return;
    fprintf(w->out, "%s=%.17g\n", members[ACCURACY], o->accuracy);
    if (o->band > 0)
        write_number(w, BAND, o->band);
    if (o->max_rank != 0)
        write_number(w, MAX_RANK, o->max_rank > 0 ? o->max_rank : 0);
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

int restart_write(const struct options *o, const struct problem *p, const struct run_facts *facts, char **about, char *text)
{
    size_t length = 0;
    struct writing w = { .out = text_stream(about, &length), .broken = MEMBERS };
    if (w.out != NULL)
        write_members(&w, o, p, facts->pivot, facts->kind);
    bool made = w.out != NULL && write_batches(&w, o, facts->points);
    if (w.out != NULL)
        made &= fclose(w.out) == 0;
    if (made && w.broken == MEMBERS)
        return 0;
    if (w.out != NULL)
        free(*about);
    *about = NULL;
    return made ? refuse(text, "--%s: a checkpoint cannot store a path that contains a newline", members[w.broken])
                : refuse(text, "no memory for checkpoints");
}

/* ---- taken ----------------------------------------------------------------------------------------------------------------- */

/* The command line of a run that continues from a checkpoint. */
struct taking {
    const char *folder;
    const char **value;             /* of the options, [OPTION_TABLE_MAX] */
    const char **routine;
    struct options *o;
    bool sized;                     /* whether the command line gives the size of the matrix */
};

static const char **value_of(const struct taking *t, enum member m)
{
    return &t->value[option_find(members[m], strlen(members[m])) - option_table];
}

/* Options that may give another matrix that begins with the checkpoint's matrix. */
static bool is_of_larger(enum member m)
{
    return m == DIM || m == POINTS || m == INPUT || m == RHS;
}

/* The problem is that of the checkpoint, except for the tile size; with appended rows it is a larger one. */
static int check_given(struct taking *t, char *text)
{
    for (enum member m = DIM; m < MEMBERS; m++) {
        bool given = *value_of(t, m) != NULL;
        if (given && m != TILE_SIZE && !t->o->append)
            return refuse(text, "--%s with --restart: the checkpoint in %.128s defines the problem", members[m], t->folder);
        t->sized |= given && is_of_larger(m) && m != RHS;
    }
    if (t->o->append && !t->sized)
        return refuse(text, "--append needs a matrix with more rows: --dim, --points or --input");
    return 0;
}

/* MEMBERS: not a member. */
static enum member member_of(const char *name)
{
    int i = 0;
    while (i < MEMBERS && strcmp(members[i], name) != 0)
        i++;
    return (enum member)i;
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
    const enum member m = member_of(name);
    if (m == MEMBERS)
        return refuse(text, "--restart %.128s: the checkpoint has \"%.32s\", which this version does not support", t->folder,
                      name);
    const char **given = value_of(t, m);
    if (*given == NULL && !(t->o->append && t->sized && m == DIM))
        *given = saved;
    if (t->o->append && *given != NULL && !is_of_larger(m) && m != TILE_SIZE && strcmp(*given, saved) != 0)
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
    return strcmp(line, members[ROUTINE]) == 0 ? take_routine(t, saved, text)
           : strcmp(line, batches_name) == 0   ? take_batches(t, saved, text)
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
    o->rows = from.n;
    from.about = NULL;
    ompfact_restarted_forget(&from);
    if (o->append && o->restart_step < o->restart_steps)
        return refuse(text, "--append: %d of %d steps are done in %.128s: continue with --restart alone, then append",
                      o->restart_step, o->restart_steps, folder);
    return 0;
}

int restart_take(const char *folder, const char *value[OPTION_TABLE_MAX], const char **routine, struct options *o, char *text)
{
    struct taking taking = { .folder = folder, .value = value, .routine = routine, .o = o };
    o->append = value[option_find("append", strlen("append")) - option_table] != NULL;
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
