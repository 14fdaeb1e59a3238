#include "src/command/case.h"

#include "src/page/plot.h"
#include "src/command/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static ompfact_structure structure_of(const struct options *o)
{
    bool upper = o->uplo.value == OPTION_UPPER;
    if (!has_triangle(o))
        return OMPFACT_GENERAL;
    if (o->routine->symmetric)
        return upper ? OMPFACT_SYMMETRIC_UPPER : OMPFACT_SYMMETRIC_LOWER;
    return upper ? OMPFACT_HERMITIAN_UPPER : OMPFACT_HERMITIAN_LOWER;
}

const int *case_heights(int64_t m, int64_t n)
{
    static const int none[1];
    return m == 0 && n > 0 ? none : NULL;
}

ompfact_shape case_shape(const struct options *o, const struct problem *p, const struct speeds *speeds)
{
    return (ompfact_shape){ .m = p->m, .n = p->n, .row_heights = case_heights(p->m, p->n), .type = p->type, .nb = p->nb,
                            .full_storage = o->storage.value == OPTION_FULL, .structure = structure_of(o),
                            .accuracy = o->accuracy, .band = o->band, .max_rank = o->max_rank,
                            .tile_precision = o->tile_precision.eps, .bf16_tiles = o->tile_precision.bf16,
                            .layout = o->layout, .speeds = speeds->speed, .weights = p->weights,
                            .purpose = o->routine->purpose, .cut = o->partial, .copies = p->copies };
}

ompfact_options case_options(const struct options *o)
{
    bool any_backend = o->device_backend.value == OPTION_BACKEND_AUTO;
    return (ompfact_options){ .threads = o->threads, .devices = o->devices,
                              .device_backend = any_backend ? NULL : o->device_backend.word,
                              .host_share = o->host_share, .device_memory = o->device_memory, .emulate = o->emulate.value,
                              .max_tasks = o->tasks, .cache_tiles = o->cache,
                              .butterfly = o->butterfly.value, .pivot = o->pivot.value, .tree = o->tree.value, .ib = o->ib,
                              .refinement = (ompfact_refinement)o->refine.value,
                              .schedule = o->schedule.value, .bcast = o->bcast.value,
                              .between_nodes = o->between_nodes.value,
                              .copy_on_node = o->on_node.value == OPTION_COPY, .abft = o->abft };
}

ompfact_job case_job(const struct options *o, const struct problem *p, const struct speeds *speeds)
{
    return (ompfact_job){ .routine = o->routine->name, .shape = case_shape(o, p, speeds), .nrhs = p->nrhs,
                          .options = case_options(o), .refined = refines(o), .checked = o->check, .partial = o->partial,
                          .factored = o->append ? o->rows : 0, .ranks = o->ranks,
                          .ranks_per_node = o->ranks_per_node, .wire_rate = o->wire.rate, .wire_latency = o->wire.latency,
                          .cores_per_node = o->cores, .core_gflops = o->gflops, .machine = o->machine };
}

int case_weights(const struct options *o, struct problem *p, char text[COMMAND_TEXT])
{
    char why[OMPFACT_MESSAGE];
    ompfact_status status = OMPFACT_SUCCESS;
    int mt = (int)(p->m / p->nb + (p->m % p->nb != 0)), nt = (int)(p->n / p->nb + (p->n % p->nb != 0));
    p->weights = NULL;
    if (o->weights != NULL && !predicts_weights(o))
        status = ompfact_weights_read(o->weights, mt, nt, &p->weights, why);
    else if (o->blr != NULL && mt > 0 && nt > 0)
        status = ompfact_weights_blr(o->blr, has_triangle(o), mt, nt, &p->weights, why);
    return status == OMPFACT_SUCCESS ? 0 : refuse(text, "%s", why);
}

const char *case_kind(const struct options *o, const struct problem *p)
{
    return o->matrix != NULL ? o->matrix : p->pivots || is_qr(o) || is_indefinite(o) ? "rands" : "rands_dominant";
}

struct choice case_pivot(const struct options *o, int ranks)
{
    if (!is_lu(o))
        return (struct choice){ OMPFACT_PIVOT_NONE, NULL };
    if (o->pivot.value != OMPFACT_PIVOT_AUTO)
        return o->pivot;
    return ranks == 1 ? (struct choice){ OMPFACT_PIVOT_PARTIAL, "partial" }
                      : (struct choice){ OMPFACT_PIVOT_TOURNAMENT, "tournament" };
}

struct choice case_tree(const struct options *o)
{
    return o->tree.value != OMPFACT_TREE_AUTO ? o->tree : (struct choice){ OMPFACT_TREE_GREEDY, "greedy" };
}

struct choice case_butterfly(const struct options *o)
{
    if (o->partial > 0)     /* for the matrix's own rows */
        return (struct choice){ OMPFACT_BUTTERFLY_NONE, "0" };
    return o->butterfly.value != OMPFACT_BUTTERFLY_AUTO ? o->butterfly : (struct choice){ OMPFACT_BUTTERFLY_TWO, "2" };
}

void case_add_speeds(const struct speeds *s, const ompfact_loads *loads, struct facts *facts)
{
    facts->speeds = (struct fact_list){ s->speed, sizeof *s->speed, s->count, 15 };
    if (loads == NULL)
        return;
    const ompfact_step_load *point = loads->point;
    const size_t stride = sizeof *point;
    facts->abe = (struct fact_list){ loads->time, sizeof *loads->time, loads->ranks, 12 };
    facts->abe_steps = (struct fact_list){ &point->last_step, stride, loads->points, 0 };
    facts->abe_max = (struct fact_list){ &point->most, stride, loads->points, 12 };
    facts->abe_ideal = (struct fact_list){ &point->ideal, stride, loads->points, 12 };
    facts->cabe_spread = (struct fact_list){ &point->spread, stride, loads->points, 12 };
    if (loads->bounded)
        facts->cpb = (struct fact_list){ &point->bound, stride, loads->points, 12 };
}

void case_add_precisions(struct precision_choice tile_precision, const ompfact_tile_precisions *precisions, int by_precision[3],
                         struct facts *facts)
{
    by_precision[0] = (int)precisions->double_tiles;
    by_precision[1] = (int)precisions->single_tiles;
    by_precision[2] = (int)precisions->bf16_tiles;
    facts->parts |= IN_MIXED;
    facts->tile_precision = tile_precision.eps;
    facts->tiles_by_precision = (struct fact_list){ by_precision, sizeof by_precision[0], tile_precision.bf16 ? 3 : 2, 0 };
    facts->tiles_widened = precisions->widened;
    facts->matrix_bytes = precisions->bytes;
}

/* A layer of a plan's matrix, and its pattern. */
struct layer {
    const ompfact_plan *plan;
    int index;
    ompfact_pattern pattern;
};

/* Writes "rows cols", then the ranks row by row: a map file. */
static void write_ranks(FILE *file, int rows, int cols, int (*rank)(const void *context, int i, int j), const void *context)
{
    fprintf(file, "%d %d\n", rows, cols);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            fprintf(file, "%d%c", rank(context, i, j), j + 1 < cols ? ' ' : '\n');
}

static int cell_of(const void *layer, int i, int j)
{
    const ompfact_pattern *p = &((const struct layer *)layer)->pattern;
    return p->cell[(int64_t)i * p->cols + j];
}

static int owner_in(const void *layer, int i, int j)
{
    const struct layer *l = layer;
    return ompfact_plan_owner_in(l->plan, l->index, i, j);
}

/* Writes the layers of copies one after the other. */
static void write_patterns(FILE *file, const ompfact_plan *plan)
{
    struct layer l = { .plan = plan };
    for (; l.index < ompfact_plan_forecast(plan)->copies; l.index++) {
        l.pattern = ompfact_plan_pattern_in(plan, l.index);
        write_ranks(file, l.pattern.rows, l.pattern.cols, cell_of, &l);
    }
}

/* Writes the layer of each step. */
static void write_owners(FILE *file, const ompfact_plan *plan)
{
    const ompfact_forecast *f = ompfact_plan_forecast(plan);
    struct layer l = { .plan = plan };
    for (; l.index < f->copies; l.index++)
        write_ranks(file, f->mt, f->nt, owner_in, &l);
    if (f->copies == 1)
        return;
    fprintf(file, "steps");
    for (int k = 0; k < f->mt && k < f->nt; k++)
        fprintf(file, " %d", ompfact_plan_layer_of_step(plan, k));
    fprintf(file, "\n");
}

int case_owner(const void *plan, int layer, int i, int j)
{
    return ompfact_plan_owner_in(plan, layer, i, j);
}

static int write_plot(const ompfact_plan *plan, const struct options *o, const struct problem *p, FILE *file,
                      char text[COMMAND_TEXT])
{
    const ompfact_forecast *f = ompfact_plan_forecast(plan);
    const ompfact_device_use devices = ompfact_plan_devices(plan);
    bool empty = f->mt == 0 || f->nt == 0;
    ompfact_share *share = malloc((size_t)f->ranks * sizeof *share);
    ompfact_pattern *pattern = malloc((size_t)f->copies * sizeof *pattern);
    for (int l = 0; pattern != NULL && l < f->copies; l++)
        pattern[l] = ompfact_plan_pattern_in(plan, l);
    struct plot plot = { .routine = o->routine->name, .m = p->m, .n = p->n, .nb = f->nb, .cholesky = has_triangle(o),
                         .as_lu = is_qr(o), .layers = f->copies, .pattern = pattern, .counts = ompfact_plan_layout(plan),
                         .share = share, .mt = empty ? 0 : f->mt, .nt = empty ? 0 : f->nt, .owner = case_owner,
                         .context = plan, .precisions = ompfact_plan_precision_map(plan),
                         .mirrored = has_triangle(o) && o->uplo.value == OPTION_UPPER,
                         .devices = devices.devices, .host_share = devices.host_share };
    bool drawn = share != NULL && pattern != NULL && ompfact_plan_shares(plan, share, NULL) == OMPFACT_SUCCESS &&
                 plot_write(&plot, file) == 0;
    free(pattern);
    free(share);
    return drawn ? 0 : refuse(text, "no memory to draw a layout");
}

int case_write_layout(const ompfact_plan *plan, const struct options *o, const struct problem *p, char text[COMMAND_TEXT])
{
    CLEANUP(output_drop) struct output map = { 0 }, owners = { 0 }, plot = { 0 };
    const ompfact_forecast *f = ompfact_plan_forecast(plan);
    TRY_STEP(output_open(&map, "map", o->map, text));
    TRY_STEP(output_open(&owners, "owners", o->owners, text));
    TRY_STEP(output_open(&plot, "plot", o->plot, text));
    if (map.file != NULL)
        write_patterns(map.file, plan);
    if (owners.file != NULL && f->mt > 0 && f->nt > 0)
        write_owners(owners.file, plan);
    if (plot.file != NULL)
        TRY_STEP(write_plot(plan, o, p, plot.file, text));
    TRY_STEP(output_close(&map, text));
    TRY_STEP(output_close(&owners, text));
    return output_close(&plot, text);
}

void case_warn_of_idle_ranks(const struct options *o, int ranks)
{
    static const char prefix[] = "file:";
    const char *path = o->layout + strlen(prefix);
    ompfact_pattern *pattern = NULL;
    struct stat status;
    if (strncmp(o->layout, prefix, strlen(prefix)) != 0 || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return;     /* a pipe can be read only once */
    ranks = o->copies > 1 && o->copies <= ranks ? (ranks - 1) / o->copies + 1 : ranks;      /* of the first layer */
    if (ompfact_pattern_create(o->layout, ranks, &pattern, NULL) != OMPFACT_SUCCESS)
        return;     /* other code reports the error */
    int named = 0, missing = -1;
    for (int r = ranks - 1; r >= 0; r--) {
        bool found = false;
        for (int c = 0; c < pattern->rows * pattern->cols && !found; c++)
            found = pattern->cell[c] == r;
        named += found;
        missing = found ? missing : r;
    }
    if (named < ranks)
        fprintf(stderr, "ompfact: %s names %d of %d ranks: rank %d%s idle\n", o->layout, named, ranks, missing,
                named + 1 < ranks ? " and others are" : " is");
    ompfact_pattern_destroy(&pattern);
}
