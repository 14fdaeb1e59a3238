#include "src/command/instance.h"
#include "src/command/options_restart.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* A thread of the library calls this on the first rank. */
static void report(void *context, int step, const char *failure)
{
    struct session *s = context;
    char *folder = s->options->checkpoint.folder, *word = shell_line((char *const[]){ folder, NULL });
    if (failure != NULL && !s->printed_failure)
        fprintf(stderr, "ompfact: no checkpoint can be written to %s: %s; the run continues without checkpoints\n", folder,
                failure);
    else if (failure == NULL && !s->printed_restart)
        fprintf(stderr, "ompfact: a checkpoint is complete, %d step%s done; to continue on any number of ranks: mpiexec -n %d "
                        "ompfact --restart %s\n",
                step, step == 1 ? "" : "s", ompfact_ranks(s->grid), word != NULL ? word : folder);
    free(word);
    s->printed_failure |= failure != NULL;
    s->printed_restart |= failure == NULL;
}

static void tell_time(void *context, double seconds)
{
    const struct session *s = context;
    fprintf(stderr, "ompfact: a checkpoint takes %.3g s, longer than interval=%g: one follows directly on another\n", seconds,
            s->options->checkpoint.interval);
}

static bool is_uniform(const int *sizes, int count, int nb)
{
    for (int i = 0; i < count; i++)
        if (sizes[i] != nb && (i + 1 < count || sizes[i] > nb))
            return false;
    return true;
}

/* Appends tiles of nb to the existing ones, up to n elements. False: no memory. */
static bool extend(int **sizes, int *count, int64_t rows, int64_t n, int nb)
{
    int64_t parts = *count + (n - rows) / nb + ((n - rows) % nb != 0);
    int *longer = parts < INT_MAX ? realloc(*sizes, ((size_t)parts + 1) * sizeof *longer) : NULL;
    if (longer == NULL)
        return false;
    for (; rows < n; rows += longer[(*count)++])
        longer[*count] = n - rows < nb ? (int)(n - rows) : nb;
    *sizes = longer;
    return true;
}

/* Sizes of the tiles of appended rows. */
static int add_tiles(struct instance *x, int nb, char text[COMMAND_TEXT])
{
    ompfact_restarted *from = &x->restarted;
    const int64_t n = x->job.shape.n;
    if (!x->session->options->append)
        return 0;
    bool added = extend(&from->row_heights, &from->mt, from->n, n, nb) && extend(&from->col_widths, &from->nt, from->n, n, nb);
    return added ? 0 : refuse(text, "no memory for the sizes of so many tiles");
}

int saving_cut(struct instance *x, ompfact_shape *shape, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    ompfact_restarted *from = &x->restarted;
    char why[OMPFACT_MESSAGE];
    if (o->restart == NULL)
        return 0;
    int code = 0;
    if (ompfact_restart_read(o->restart, o->restart_nb ? shape->nb : 0, from, why) != OMPFACT_SUCCESS)
        code = refuse(text, "--restart: %s", why);
    if (code == 0)
        code = add_tiles(x, shape->nb, text);
    code = agree_line(x->session, code, text);
    if (code != 0 || (is_uniform(from->row_heights, from->mt, shape->nb) && is_uniform(from->col_widths, from->nt, shape->nb)))
        return code;
    if (x->weights != NULL)
        return refuse(text, "--restart %.128s: its tiles are not those of --nb %d, so they have no weights: omit --nb, "
                            "--weights and --blr", o->restart, shape->nb);
    bool turned = from->m != from->n && from->m == shape->n && from->n == shape->m;     /* gels factors A^H if A is wide */
    shape->row_heights = turned ? from->col_widths : from->row_heights;
    shape->mt = turned ? from->nt : from->mt;
    shape->col_widths = turned ? from->row_heights : from->col_widths;
    shape->nt = turned ? from->mt : from->nt;
    return 0;
}

int saving_begin(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    const struct options *o = s->options;
    if (o->checkpoint.folder == NULL)
        return 0;
    const char *kind = o->input == NULL ? case_kind(o) : NULL;
    char *about = NULL;
    const struct run_facts facts = { case_pivot(o, ompfact_ranks(s->grid)), kind, &x->matrix_source.points };
    int code = restart_write(o, &x->job, &facts, &about, text);
    code = agree_line(s, code, text);
    ompfact_checkpoints how = { .folder = o->checkpoint.folder, .interval_s = o->checkpoint.interval, .about = about,
                                .tell = report, .tell_context = s, .tell_time = tell_time };
    if (code == 0)
        code = refuse_status(s, ompfact_checkpoint(s->grid, &how), text);
    free(about);
    return code;
}

int saving_restart(struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    ompfact_status (*restart)(ompfact_grid *, const char *) = o->append ? ompfact_restart_append : ompfact_restart;
    return o->restart == NULL ? 0 : refuse_status(x->session, restart(x->session->grid, o->restart), text);
}

int saving_check(const struct instance *x, char text[COMMAND_TEXT])
{
    const char *folder = x->session->options->restart;
    if (folder == NULL || x->timed.restarted_from_step >= 0 || x->session->options->routine->triangular)
        return 0;
    return refuse(text, "--restart %.128s: the checkpoint is of another matrix than this run factors", folder);
}
