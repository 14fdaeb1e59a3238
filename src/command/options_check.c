/* Options that are not allowed together, or not with the routine. */
#include "src/command/options_parts.h"

#include "src/ompfact.h"

#include <string.h>

int check_size_of(const struct options *o, int64_t m, int64_t n, char *text)
{
    const int64_t least = m < n ? m : n, most = least > 0 ? least - 1 : 0, partial = o->job.partial;
    if (partial > most)
        return refuse(text, "--partial %lld: a matrix of %lld x %lld has at most %lld rows to eliminate before the last",
                      (long long)partial, (long long)m, (long long)n, (long long)most);
    if (o->append && o->job.factored > n)
        return refuse(text, "--append: the factor has %lld rows, and this matrix %lld", (long long)o->job.factored, (long long)n);
    return 0;
}

/* If a file gives the size of the matrix, a later check does this. */
static int check_sizes(const struct options *o, char *text)
{
    for (int i = 0; i < o->dim.count; i++) {
        const struct problem_size *size = &o->dim.item[i];
        if (needs_square(o, size->m, size->n))
            return refuse(text, "--dim: %lldx%lld is rectangular, but %s needs %s", (long long)size->m, (long long)size->n,
                          o->routine->square ? o->routine->name : "--rcond", shape_wanted(o));
        if (o->input == NULL && o->points == NULL)
            TRY_STEP(check_size_of(o, size->m, size->n, text));
    }
    return 0;
}

static bool leaves_tile_size_open(const struct options *o)
{
    for (int i = 0; i < o->nb.count; i++)
        if (o->nb.item[i].n == 0)
            return true;
    return false;
}

/* A simulation is also a dry run. */
int options_check(struct options *o, char *text)
{
    const ompfact_job *job = &o->job;
    const bool dry = o->dry_run |= o->simulate != NULL, in_single = strpbrk(o->type, "sc") != NULL, exchanges = pivots(o);
    const bool mixed = refines_in_mixed(o), compressed = job->shape.accuracy > 0, precisions = job->shape.tile_precision != 0;
    const bool on_devices = job->options.devices != 0, weighed = o->weights && !predicts_weights(o);
    const struct { bool refused; const char *why; } rules[] = {
        { mixed && wants_rcond(o), "--rcond needs the factors, which --refine does not keep" },
        { mixed && o->ipiv, "--ipiv needs the factors, which --refine does not keep" },
        { compressed && exchanges, "--accuracy needs --pivot none: rows of compressed tiles cannot be exchanged" },
        { compressed && job->options.abft, "--abft is for dense tiles, not for --accuracy" },
        { compressed && on_devices, "--accuracy is for hosts, not for --devices" },
        { precisions && exchanges, "--tile-precision needs --pivot none: rows are exchanged between tiles of one precision" },
        { precisions && on_devices && job->options.emulate >= OMPFACT_EMULATE_TF32,
          "--tile-precision needs products in single, which --emulate tf32 and bf16 round" },
        { precisions && o->simulate, "--simulate is for tiles of one precision, not for --tile-precision" },
        { precisions && job->shape.bf16_tiles && job->options.abft && on_devices,
          "--tile-precision EPS,bf16 is not for --abft with --devices: omit bf16" },
        { o->schur && !job->partial, "--schur needs --partial ROWS, which leaves a Schur complement" },
        { job->partial && job->checked, "--check needs all of the factors, which --partial does not make" },
        { dry && !job->ranks, o->simulate ? "--simulate needs --ranks P" : "--dry-run needs --ranks P" },
        { dry && o->tune, "--tune measures, and --dry-run does not" },
        { dry && o->speeds && !strcmp(o->speeds, "auto"),
          "--speeds auto measures the ranks of a run, and a dry run has none: give a file with speeds" },
        { !dry && job->ranks, "--ranks is for --dry-run; a run has the ranks of mpiexec" },
        { !dry && job->ranks_per_node > 1, "--ranks-per-node is for --dry-run; a run finds its nodes itself" },
        { !dry && job->wire_rate > 0, "--wire is for --dry-run; a run uses the existing links" },
        { !dry && (job->cores_per_node || job->core_gflops > 0 || job->machine),
          "--cores, --gflops and --machine are for --dry-run; a run uses the existing machine" },
        { option_given(o, "rows") && !(o->append && dry),
          "--rows is for --dry-run with --append; a run appends to the rows of an existing factor" },
        { o->append && !o->restart && !dry, "--append needs --restart DIR, a factor that gets more rows" },
        { o->append && !job->factored, "--append needs --rows OLD in a dry run: the rows of the factor" },
        { o->weights && o->blr, "--weights and --blr both give the work of a tile" },
        { predicts_weights(o) && !compressed,
          "--weights auto uses the ranks of compressed tiles: give --accuracy, or a file with weights" },
        { predicts_weights(o) && dry, "--weights auto reads the matrix, and a dry run has none: give a file with weights" },
        { weighed && leaves_tile_size_open(o),
          "--weights gives the work of each tile, so --nb must give the size of the tiles" },
        { o->restart && o->warmup, "--warmup with --restart: the uncounted run would factor the whole matrix again" },
        { o->restart && o->checkpoint.folder && options_problem_count(o) * o->repeat > 1,
          "several runs with --restart and --checkpoint: each would continue from the one before" },
    };
    TRY_STEP(check_sizes(o, text));
    if (mixed && in_single)
        return refuse(text, "--refine is for types d and z, not for --type %s: there is no precision below single", o->type);
    if (precisions && in_single)
        return refuse(text, "--tile-precision is for types d and z, not for --type %s: no tile is below single", o->type);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].refused)
            return refuse(text, "%s", rules[i].why);
    return 0;
}
