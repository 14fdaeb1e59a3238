/* Options that are not allowed together, or not with the routine. */
#include "src/command/options_parts.h"

#include "src/ompfact.h"

#include <string.h>

int check_partial_of(const struct options *o, int64_t m, int64_t n, char *text)
{
    int64_t most = m < n ? m - 1 : n - 1;
    if (o->job.partial == 0 || o->job.partial <= most)
        return 0;
    return refuse(text, "--partial %lld: a matrix of %lld x %lld has at most %lld rows to eliminate before the last",
                  (long long)o->job.partial, (long long)m, (long long)n, (long long)(most > 0 ? most : 0));
}

int check_append_of(const struct options *o, int64_t n, char *text)
{
    if (!o->append || o->job.factored <= n)
        return 0;
    return refuse(text, "--append: the factor has %lld rows, and this matrix %lld", (long long)o->job.factored, (long long)n);
}

static int check_square(const struct options *o, char *text)
{
    for (int i = 0; i < o->dim.count; i++) {
        const struct problem_size *size = &o->dim.item[i];
        if (needs_square(o, size->m, size->n))
            return refuse(text, "--dim: %lldx%lld is rectangular, but %s needs %s", (long long)size->m, (long long)size->n,
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
    if (approximates(o))
        return 0;
    if (wants_rcond(o))
        return refuse(text, "--rcond needs the factors, which --refine does not keep");
    if (o->ipiv)
        return refuse(text, "--ipiv needs the factors, which --refine does not keep");
    return 0;
}

static int check_accuracy(const struct options *o, char *text)
{
    if (o->job.shape.accuracy == 0)
        return 0;
    if (pivots(o))
        return refuse(text, "--accuracy needs --pivot none: rows of compressed tiles cannot be exchanged");
    if (o->job.options.abft)
        return refuse(text, "--abft is for dense tiles, not for --accuracy");
    if (o->job.options.devices != 0)
        return refuse(text, "--accuracy is for hosts, not for --devices");
    return 0;
}

static int check_tile_precision(const struct options *o, char *text)
{
    if (o->job.shape.tile_precision == 0)
        return 0;
    if (strpbrk(o->type, "sc") != NULL)
        return refuse(text, "--tile-precision is for types d and z, not for --type %s: no tile is below single", o->type);
    if (pivots(o))
        return refuse(text, "--tile-precision needs --pivot none: rows are exchanged between tiles of one precision");
    if (o->job.options.devices != 0 && o->job.options.emulate >= OMPFACT_EMULATE_TF32)
        return refuse(text, "--tile-precision needs products in single, which --emulate tf32 and bf16 round");
    if (o->simulate != NULL)
        return refuse(text, "--simulate is for tiles of one precision, not for --tile-precision");
    if (o->job.shape.bf16_tiles && o->job.options.abft && o->job.options.devices != 0)
        return refuse(text, "--tile-precision EPS,bf16 is not for --abft with --devices: omit bf16");
    return 0;
}

/* If a file gives the size of the matrix, a later check does this. */
static int check_partial(const struct options *o, char *text)
{
    if (o->schur != NULL && o->job.partial == 0)
        return refuse(text, "--schur needs --partial ROWS, which leaves a Schur complement");
    if (o->job.partial > 0 && o->job.checked)
        return refuse(text, "--check needs all of the factors, which --partial does not make");
    for (int i = 0; i < o->dim.count && o->job.partial > 0 && o->input == NULL && o->points == NULL; i++)
        TRY_STEP(check_partial_of(o, o->dim.item[i].m, o->dim.item[i].n, text));
    return 0;
}

/* If a file gives the size of the matrix, a later check does this, too. */
static int check_append(const struct options *o, char *text)
{
    if (option_given(o, "rows") && !(o->append && o->dry_run))
        return refuse(text, "--rows is for --dry-run with --append; a run appends to the rows of an existing factor");
    if (o->append && o->restart == NULL && !o->dry_run)
        return refuse(text, "--append needs --restart DIR, a factor that gets more rows");
    if (o->append && o->job.factored == 0)
        return refuse(text, "--append needs --rows OLD in a dry run: the rows of the factor");
    for (int i = 0; i < o->dim.count && o->append && o->input == NULL && o->points == NULL; i++)
        TRY_STEP(check_append_of(o, o->dim.item[i].n, text));
    return 0;
}

/* A simulation is also a dry run. */
static int check_dry_run(struct options *o, char *text)
{
    o->dry_run |= o->simulate != NULL;
    if (o->dry_run && !o->job.ranks)
        return refuse(text, "%s needs --ranks P", o->simulate ? "--simulate" : "--dry-run");
    if (o->dry_run && o->tune != NULL)
        return refuse(text, "--tune measures, and --dry-run does not");
    if (o->dry_run && o->speeds && !strcmp(o->speeds, "auto"))
        return refuse(text, "--speeds auto measures the ranks of a run, and a dry run has none: give a file with speeds");
    if (o->job.ranks && !o->dry_run)
        return refuse(text, "--ranks is for --dry-run; a run has the ranks of mpiexec");
    if (o->job.ranks_per_node > 1 && !o->dry_run)
        return refuse(text, "--ranks-per-node is for --dry-run; a run finds its nodes itself");
    if (o->job.wire_rate > 0 && !o->dry_run)
        return refuse(text, "--wire is for --dry-run; a run uses the existing links");
    if ((o->job.cores_per_node || o->job.core_gflops > 0 || o->job.machine) && !o->dry_run)
        return refuse(text, "--cores, --gflops and --machine are for --dry-run; a run uses the existing machine");
    return 0;
}

static int check_weights(const struct options *o, char *text)
{
    if (o->weights && o->blr)
        return refuse(text, "--weights and --blr both give the work of a tile");
    if (predicts_weights(o) && o->job.shape.accuracy == 0)
        return refuse(text, "--weights auto uses the ranks of compressed tiles: give --accuracy, or a file with weights");
    if (predicts_weights(o) && o->dry_run)
        return refuse(text, "--weights auto reads the matrix, and a dry run has none: give a file with weights");
    for (int i = 0; o->weights && !predicts_weights(o) && i < o->nb.count; i++)
        if (o->nb.item[i].n == 0)
            return refuse(text, "--weights gives the work of each tile, so --nb must give the size of the tiles");
    return 0;
}

int options_check(struct options *o, char *text)
{
    TRY_STEP(check_square(o, text));
    TRY_STEP(check_refine(o, text));
    TRY_STEP(check_accuracy(o, text));
    TRY_STEP(check_tile_precision(o, text));
    TRY_STEP(check_partial(o, text));
    TRY_STEP(check_dry_run(o, text));
    TRY_STEP(check_append(o, text));
    return check_weights(o, text);
}

int options_check_restart(const struct options *o, char *text)
{
    if (o->restart != NULL && o->warmup)
        return refuse(text, "--warmup with --restart: the uncounted run would factor the whole matrix again");
    if (o->restart != NULL && o->checkpoint.folder != NULL && options_problem_count(o) * o->repeat > 1)
        return refuse(text, "several runs with --restart and --checkpoint: each would continue from the one before");
    return 0;
}
