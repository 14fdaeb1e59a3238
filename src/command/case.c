#include "src/command/instance.h"

#include "src/page/plot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int case_weights(const struct options *o, const ompfact_shape *shape, double **weights, char text[COMMAND_TEXT])
{
    int64_t nb = shape->nb;
    int mt = (int)((shape->m + nb - 1) / nb), nt = (int)((shape->n + nb - 1) / nb);
    *weights = NULL;
    if (o->weights != NULL && !predicts_weights(o))
        TRY_WHY(text, ompfact_weights_read(o->weights, mt, nt, weights, why));
    else if (o->blr != NULL && mt > 0 && nt > 0)
        TRY_WHY(text, ompfact_weights_blr(o->blr, has_triangle(o), mt, nt, weights, why));
    return 0;
}

const char *case_kind(const struct options *o)
{
    return o->matrix != NULL ? o->matrix : pivots(o) || is_qr(o) || is_indefinite(o) ? "rands" : "rands_dominant";
}

const char *case_pivot(const struct options *o, int ranks)
{
    if (!is_lu(o))
        return NULL;
    return o->job.options.pivot != OMPFACT_PIVOT_AUTO ? option_word(o, "pivot") : ranks == 1 ? "partial" : "tournament";
}

const char *case_tree(const struct options *o)
{
    return o->job.options.tree != OMPFACT_TREE_AUTO ? option_word(o, "tree") : "greedy";
}

const char *case_butterfly(const struct options *o)
{
    if (o->job.partial > 0)     /* for the matrix's own rows */
        return "0";
    return o->job.options.butterfly != OMPFACT_BUTTERFLY_AUTO ? option_word(o, "butterfly") : "2";
}

static void add_loads(const ompfact_loads *loads, struct facts *facts)
{
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

void case_add_plan(const ompfact_plan *plan, const struct speeds *s, struct facts *r)
{
    const ompfact_forecast *f = ompfact_plan_forecast(plan);
    const ompfact_loads *loads = ompfact_plan_loads(plan);
    SAME(layout), SAME(nb), SAME(mt), SAME(nt), SAME(ranks), SAME(nodes), SAME(copies), SAME(pattern_rows), SAME(pattern_cols);
    SAME(cost), SAME(cost_bound), SAME(transfers), SAME(transfer_bytes), SAME(transfers_sums), SAME(tiles_max), SAME(tiles_min);
    SAME(flops_max_over_mean), SAME(abe_max_over_mean), SAME(perisum), SAME(max_ranks_per_row), SAME(max_ranks_per_col);
    SAME(memory_bytes_max), SAME(predicted_s), SAME(work_bound_s), SAME(link_bound_s), SAME(chain_bound_s), SAME(tasks_bound_s);
    r->wire_transfers = or_none(f->wire_transfers);
    r->wire_bytes = or_none(f->wire_bytes);
    r->speeds = (struct fact_list){ s->speed, sizeof *s->speed, s->count, 15 };
    if (loads != NULL)
        add_loads(loads, r);
}

void case_add_precisions(double eps, bool bf16, const ompfact_tile_precisions *precisions, int by_precision[3],
                         struct facts *facts)
{
    by_precision[0] = (int)precisions->double_tiles;
    by_precision[1] = (int)precisions->single_tiles;
    by_precision[2] = (int)precisions->bf16_tiles;
    facts->parts |= IN_MIXED;
    facts->tile_precision = eps;
    facts->tiles_by_precision = (struct fact_list){ by_precision, sizeof by_precision[0], bf16 ? 3 : 2, 0 };
    facts->tiles_widened = precisions->widened;
    facts->matrix_bytes = precisions->bytes;
}

void case_write_map(FILE *file, int rows, int cols, const int *number)
{
    fprintf(file, "%d %d\n", rows, cols);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            fprintf(file, "%d%c", *number++, j + 1 < cols ? ' ' : '\n');
}

/* Writes the owners of tiles, layer after layer, and the layer of each step: no memory, because there may be many tiles. */
static void write_owners(FILE *file, const ompfact_plan *plan)
{
    const ompfact_forecast *f = ompfact_plan_forecast(plan);
    for (int layer = 0; layer < f->copies; layer++) {
        fprintf(file, "%d %d\n", f->mt, f->nt);
        for (int i = 0; i < f->mt; i++)
            for (int j = 0; j < f->nt; j++)
                fprintf(file, "%d%c", ompfact_plan_owner_in(plan, layer, i, j), j + 1 < f->nt ? ' ' : '\n');
    }
    if (f->copies > 1) {
        fprintf(file, "steps");
        for (int k = 0; k < f->mt && k < f->nt; k++)
            fprintf(file, " %d", ompfact_plan_layer_of_step(plan, k));
        fprintf(file, "\n");
    }
}

int case_owner(const void *plan, int layer, int i, int j)
{
    return ompfact_plan_owner_in(plan, layer, i, j);
}

static int write_plot(const ompfact_plan *plan, const struct options *o, const ompfact_shape *shape, FILE *file,
                      char text[COMMAND_TEXT])
{
    const ompfact_forecast *f = ompfact_plan_forecast(plan);
    const ompfact_device_use devices = ompfact_plan_devices(plan);
    bool empty = f->mt == 0 || f->nt == 0;
    ompfact_share *share = malloc((size_t)f->ranks * sizeof *share);
    ompfact_pattern *pattern = malloc((size_t)f->copies * sizeof *pattern);
    for (int l = 0; pattern != NULL && l < f->copies; l++)
        pattern[l] = ompfact_plan_pattern_in(plan, l);
    struct plot plot = { .routine = o->routine->name, .m = shape->m, .n = shape->n, .nb = f->nb, .cholesky = has_triangle(o),
                         .as_lu = is_qr(o), .layers = f->copies, .pattern = pattern, .counts = ompfact_plan_layout(plan),
                         .share = share, .mt = empty ? 0 : f->mt, .nt = empty ? 0 : f->nt, .owner = case_owner,
                         .context = plan, .precisions = ompfact_plan_precision_map(plan),
                         .mirrored = has_triangle(o) && o->uplo == OMPFACT_UPPER,
                         .devices = devices.devices, .host_share = devices.host_share };
    bool drawn = share != NULL && pattern != NULL && ompfact_plan_shares(plan, share, NULL) == OMPFACT_SUCCESS &&
                 plot_write(&plot, file) == 0;
    free(pattern);
    free(share);
    return drawn ? 0 : refuse(text, "no memory to draw a layout");
}

int case_write_layout(const ompfact_plan *plan, const struct options *o, const ompfact_shape *shape, char text[COMMAND_TEXT])
{
    CLEANUP(output_drop) struct output map = { 0 }, owners = { 0 }, plot = { 0 };
    const ompfact_forecast *f = ompfact_plan_forecast(plan);
    TRY_STEP(output_open(&map, "map", o->map, text));
    TRY_STEP(output_open(&owners, "owners", o->owners, text));
    TRY_STEP(output_open(&plot, "plot", o->plot, text));
    for (int layer = 0; layer < f->copies && map.file != NULL; layer++) {
        const ompfact_pattern pattern = ompfact_plan_pattern_in(plan, layer);
        case_write_map(map.file, pattern.rows, pattern.cols, pattern.cell);
    }
    if (owners.file != NULL && f->mt > 0 && f->nt > 0)
        write_owners(owners.file, plan);
    if (plot.file != NULL)
        TRY_STEP(write_plot(plan, o, shape, plot.file, text));
    TRY_STEP(output_close(&map, text));
    TRY_STEP(output_close(&owners, text));
    return output_close(&plot, text);
}

void case_warn_of_idle_ranks(const struct options *o, int ranks)
{
    static const char prefix[] = "file:";
    const char *path = o->job.shape.layout + strlen(prefix);
    ompfact_pattern *pattern = NULL;
    struct stat status;
    if (strncmp(o->job.shape.layout, prefix, strlen(prefix)) != 0 || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return;     /* a pipe can be read only once */
    if (o->job.shape.copies > 1 && o->job.shape.copies <= ranks)
        ranks = (ranks - 1) / (int)o->job.shape.copies + 1;     /* of the first layer */
    if (ompfact_pattern_create(o->job.shape.layout, ranks, &pattern, NULL) != OMPFACT_SUCCESS)
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
        fprintf(stderr, "ompfact: %s names %d of %d ranks: rank %d%s idle\n", o->job.shape.layout, named, ranks, missing,
                named + 1 < ranks ? " and others are" : " is");
    ompfact_pattern_destroy(&pattern);
}
