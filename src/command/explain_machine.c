/* --explain of the machine: which rates are known, and what they would change. */
#include "src/command/explain_parts.h"

#include "src/page/say.h"

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

static const char *in_blocks(char words[40], int block)
{
    snprintf(words, 40, block > 0 ? "in blocks of %d" : "the library's own", block);
    return words;
}

static void explain_blocks(FILE *out, const struct machine *m)
{
    char herk[40], trsm[40];
    for (int i = 0; i < m->blocks; i++)
        fprintf(out, "  type %c: the fastest herk is %s, the fastest trsm %s\n", m->block[i].type,
                in_blocks(herk, m->block[i].herk), in_blocks(trsm, m->block[i].trsm));
}

/* Only where potrf was measured both as it is started now and otherwise. */
static void explain_ranks(FILE *out, const struct machine *m, const struct tile_question *q)
{
    const ompfact_machine_run *here = NULL, *best = NULL;
    for (int i = 0; i < m->speeds; i++) {
        const ompfact_machine_run *s = &m->speed[i];
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
    fprintf(out, "%s\n\n", say_what_reads_want());
}

static const char *const share_sources[] = {
    [OMPFACT_SHARE_UNKNOWN] = "to be measured when a run starts",
    [OMPFACT_SHARE_GIVEN] = "as --host-share says",
    [OMPFACT_SHARE_TRIED] = "the fastest near it when --tune tried",
    [OMPFACT_SHARE_BALANCED] = "the formula's",
    [OMPFACT_SHARE_MEASURED] = "measured as the run started",
};

void explain_devices(FILE *out, const struct machine *m, const ompfact_device_use *use)
{
    if (use->devices == 0)
        return;
    if (use->measured) {
        fprintf(out, "devices: %s, as measured by --tune: %.3g GFLOP/s on tiles of %d, the smallest that are fast enough\n",
                m->device_backend, machine_device_rate(m), machine_device_tile(m));
        fprintf(out, "  bus: %.3g GB/s to a device, %.3g from it\n", m->bus_up, m->bus_down);
        explain_blocks(out, m);
        fprintf(out, "  host share: %.3g balances %d thread%s with %d device%s\n",
                machine_formula_share(m, use->devices, use->threads), use->threads, use->threads == 1 ? "" : "s",
                use->devices, use->devices == 1 ? "" : "s");
    } else {
        fprintf(out, "devices: not measured; ompfact --tune --devices %d measures them\n", use->devices);
    }
    fprintf(out, "  in use: ");
    if (use->source != OMPFACT_SHARE_UNKNOWN)
        fprintf(out, "%.3g, ", use->host_share);
    fprintf(out, "%s\n", share_sources[use->source]);
    if (use->measured)
        explain_best_share(out, machine_best_share(m));
    fprintf(out, "\n");
}

void explain_machine(FILE *out, const struct machine_known *known, const struct tile_question *q, int nb)
{
    if (known->source == MACHINE_MEASURED)
        fprintf(out, "machine: %s, as measured by --tune\n", known->machine.host);
    else if (known->source == MACHINE_QUICK)
        fprintf(out, "machine: %s, kernels as a run has measured them; ompfact --tune measures more%s%s%s\n", known->machine.host,
                known->why[0] == '\0' ? "" : " (", known->why, known->why[0] == '\0' ? "" : ")");
    else if (known->source == MACHINE_NO_FILE)
        fprintf(out, "machine: not measured, typical rates; ompfact --tune measures it\n");
    else
        fprintf(out, "machine: typical rates; ompfact --tune measures it anew (%s)\n", known->why);
    explain_tile_size(out, &known->machine, q, nb);
    explain_threads(out, &known->machine, q);
    explain_ranks(out, &known->machine, q);
    fprintf(out, "\n");
}
