/* --explain of the machine: known rates, and what they would change. */
#include "src/command/explain.h"

#include "src/page/format.h"

#include <math.h>

static void explain_tile_size(FILE *out, const ompfact_outlook *of)
{
    double saved = of->nb_s > 0 ? 100 * (1 - of->best_nb_s / of->nb_s) : 0;
    fprintf(out, "  tile size %d: the model predicts %.3g s", of->nb, of->nb_s);
    if (of->best_nb == of->nb)
        fprintf(out, ", its minimum: --nb auto takes this size\n");
    else if (saved < 0.5)
        fprintf(out, "; with --nb auto %d, nearly the same\n", of->best_nb);
    else
        fprintf(out, "; with --nb auto %d, and %.0f %% less\n", of->best_nb, saved);
}

static void explain_threads(FILE *out, const ompfact_outlook *of)
{
    int busy = of->ranks_on_node * of->threads, cores = of->machine.cores;
    if (of->ranks_on_node < 1 || busy == cores)
        return;
    if (busy < cores && cores / of->ranks_on_node > of->threads)
        fprintf(out, "  threads: %d of %d cores are idle; --threads %d would use them\n", cores - busy, cores,
                cores / of->ranks_on_node);
    else if (busy > cores)
        fprintf(out, "  threads: %d on %d cores; threads share cores\n", busy, cores);
}

static const char *in_blocks(char words[40], int block)
{
    snprintf(words, 40, block > 0 ? "in blocks of %d" : "the library's own", block);
    return words;
}

static void explain_blocks(FILE *out, const ompfact_machine *m)
{
    char herk[40], trsm[40];
    for (int i = 0; i < m->blocks; i++)
        fprintf(out, "  type %c: the fastest herk is %s, the fastest trsm %s\n", m->block[i].type,
                in_blocks(herk, m->block[i].herk), in_blocks(trsm, m->block[i].trsm));
}

/* Only if potrf was measured both with the present ranks and threads and with others. */
static void explain_ranks(FILE *out, const ompfact_outlook *of)
{
    const ompfact_machine *m = &of->machine;
    const ompfact_machine_run *here = NULL, *best = NULL;
    for (int i = 0; i < m->runs; i++) {
        const ompfact_machine_run *s = &m->run[i];
        if (s->ranks == of->ranks_on_node && s->threads == of->threads)
            here = s;
        if (best == NULL || s->gflops > best->gflops)
            best = s;
    }
    if (here == NULL || m->runs < 2)
        return;
    if (here == best)
        fprintf(out, "  ranks: %d x %d threads on a node ran potrf of %d fastest when measured: %.3g GFLOP/s\n", here->ranks,
                here->threads, here->n, here->gflops);
    else
        fprintf(out, "  ranks: %d x %d threads on a node ran potrf of %d at %.3g GFLOP/s when measured, %d x %d at %.3g\n",
                here->ranks, here->threads, here->n, here->gflops, best->ranks, best->threads, best->gflops);
}

void explain_best_share(FILE *out, const ompfact_machine_share *best)
{
    if (best != NULL && best->devices > 0)
        fprintf(out, "  recommended: --devices %d --threads %d --nb %d --host-share %.3g, "
                     "with which a rank ran potrf of %d at %.3g GFLOP/s\n",
                best->devices, best->threads, best->nb, best->share, best->n, best->gflops);
    else if (best != NULL)
        fprintf(out, "  recommended: no devices and --threads %d, with which a rank ran potrf of %d at %.3g GFLOP/s\n",
                best->threads, best->n, best->gflops);
}

void explain_between(FILE *out)
{
    fprintf(out, "%s\n\n", one_sided_conditions());
}

static const char *const share_sources[] = {
    [OMPFACT_SHARE_UNKNOWN] = "to be measured when a run starts",
    [OMPFACT_SHARE_GIVEN] = "given by --host-share",
    [OMPFACT_SHARE_TRIED] = "the fastest share nearby when --tune measured",
    [OMPFACT_SHARE_BALANCED] = "the formula's",
    [OMPFACT_SHARE_MEASURED] = "measured as the run started",
};

void explain_devices(FILE *out, const ompfact_outlook *of)
{
    const ompfact_machine *m = &of->machine;
    const ompfact_device_use *use = &of->devices;
    if (use->devices == 0)
        return;
    if (use->measured) {
        fprintf(out, "devices: %s, as measured by --tune: %.3g GFLOP/s on tiles of %d, the smallest that are fast enough\n",
                m->device_backend, m->device_gflops, m->device_nb);
        fprintf(out, "  bus: %.3g GB/s to a device, %.3g from it\n", m->bus_up, m->bus_down);
        explain_blocks(out, m);
        fprintf(out, "  host share: %.3g balances %d thread%s with %d device%s\n", of->balanced_share, use->threads,
                use->threads == 1 ? "" : "s", use->devices, use->devices == 1 ? "" : "s");
    } else {
        fprintf(out, "devices: not measured; ompfact --tune --devices %d measures them\n", use->devices);
    }
    fprintf(out, "  in use: ");
    if (!isnan(use->host_share))
        fprintf(out, "%.3g, ", use->host_share);
    fprintf(out, "%s\n", share_sources[use->source]);
    if (use->measured)
        explain_best_share(out, m->best_share);
    fprintf(out, "\n");
}

void explain_machine(FILE *out, const ompfact_outlook *of)
{
    const ompfact_machine *m = &of->machine;
    if (m->source == OMPFACT_MACHINE_TUNED)
        fprintf(out, "machine: %s, as measured by --tune\n", m->host);
    else if (m->source == OMPFACT_MACHINE_TOLD)
        fprintf(out, "machine: as given, %d core%s a node\n", m->cores, m->cores == 1 ? "" : "s");
    else if (m->source == OMPFACT_MACHINE_RATED)
        fprintf(out, "machine: %s, kernels as a run has measured them; ompfact --tune measures more%s%s%s\n", m->host,
                m->why[0] == '\0' ? "" : " (", m->why, m->why[0] == '\0' ? "" : ")");
    else if (m->why[0] == '\0')
        fprintf(out, "machine: not measured, typical rates; ompfact --tune measures it\n");
    else
        fprintf(out, "machine: typical rates; ompfact --tune measures it anew (%s)\n", m->why);
    explain_tile_size(out, of);
    explain_threads(out, of);
    explain_ranks(out, of);
    fprintf(out, "\n");
}
