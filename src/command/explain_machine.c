#include "src/command/explain_machine.h"

#include <math.h>
#include <stdlib.h>

int machine_know(struct machine_known *known, const char *blas_kernels, char text[COMMAND_TEXT])
{
    char path[MACHINE_PATH];
    known->machine = malloc(sizeof *known->machine);
    if (known->machine == NULL)
        return refuse(text, "no memory for the rates of a machine");
    machine_here(known->machine, blas_kernels);
    if (machine_path(path)) {
        known->source = machine_read(path, known->machine, known->why);
    } else {
        known->source = MACHINE_NO_FILE;
        refuse(known->why, "neither XDG_CACHE_HOME nor HOME is set");
    }
    return 0;
}

void machine_forget(struct machine_known *known)
{
    free(known->machine);
    known->machine = NULL;
}

static void explain_tile_size(FILE *out, const struct machine *m, const struct tile_question *q, int nb)
{
    int best = tile_size_choose(m, q);
    double here = tile_size_seconds(m, q, nb), there = tile_size_seconds(m, q, best);
    double saved = here > 0 ? 100 * (1 - there / here) : 0;
    fprintf(out, "  tile size %d: the model says %.3g s", nb, here);
    if (best == nb)
        fprintf(out, ", its least: --nb auto takes it\n");
    else if (saved < 0.5)
        fprintf(out, "; with --nb auto %d, hardly less\n", best);
    else
        fprintf(out, "; with --nb auto %d, and %.0f %% less\n", best, saved);
}

static void explain_threads(FILE *out, const struct machine *m, const struct tile_question *q)
{
    int busy = q->ranks_on_node * q->threads;
    if (q->ranks_on_node < 1 || busy == m->cores)
        return;
    if (busy < m->cores && m->cores / q->ranks_on_node > q->threads)
        fprintf(out, "  threads: %d of %d cores are idle; --threads %d would use them\n", m->cores - busy, m->cores,
                m->cores / q->ranks_on_node);
    else if (busy > m->cores)
        fprintf(out, "  threads: %d on %d cores; they take turns\n", busy, m->cores);
}

/* Only where potrf was measured both as it is started now and otherwise. */
static void explain_ranks(FILE *out, const struct machine *m, const struct tile_question *q)
{
    const struct machine_speed *here = NULL, *best = NULL;
    for (int i = 0; i < m->speeds; i++) {
        const struct machine_speed *s = &m->speed[i];
        if (s->ranks == q->ranks_on_node && s->threads == q->threads)
            here = s;
        if (best == NULL || s->gflops > best->gflops)
            best = s;
    }
    if (here == NULL || m->speeds < 2)
        return;
    if (here == best)
        fprintf(out, "  ranks: %d x %d threads on a node ran potrf of %d fastest when measured: %.3g GFLOP/s\n", here->ranks,
                here->threads, here->n, here->gflops);
    else
        fprintf(out, "  ranks: %d x %d threads on a node ran potrf of %d at %.3g GFLOP/s when measured, %d x %d at %.3g\n", here->ranks,
                here->threads, here->n, here->gflops, best->ranks, best->threads, best->gflops);
}

void explain_machine(FILE *out, const struct machine_known *known, const struct tile_question *q, int nb)
{
    if (known->source == MACHINE_MEASURED)
        fprintf(out, "machine: %s, as measured by --tune\n", known->machine->host);
    else if (known->source == MACHINE_NO_FILE)
        fprintf(out, "machine: not measured, typical rates; ompfact --tune measures it\n");
    else
        fprintf(out, "machine: typical rates; ompfact --tune measures it anew (%s)\n", known->why);
    explain_tile_size(out, known->machine, q, nb);
    explain_threads(out, known->machine, q);
    explain_ranks(out, known->machine, q);
    fprintf(out, "\n");
}
