/*
 * "otherData" of a trace:
 *
 *   {"program": …, "row": {…}, "cores": C, "nodes": [the node of each rank],
 *    "tiles": {"rows": mt, "columns": nt, "shown": [rows, columns], "layers": C, "owners": [rank, how many, …]},
 *    "ranks": {"block": tiles, "largest": r, "shown": [rows, columns],
 *              "before": [r, how many, …], "after": [r, how many, …]}, "precisions": …}
 *
 * Owners go row by row over the shown tiles, in runs; rank -1: not stored. A matrix in copies has layers, one behind the other,
 * each with an owner of every tile; "layers" is missing where there is one. So do ranks of tiles, of the matrix and of its
 * factors, where some are compressed; -1: dense, -2: not stored. Of many tiles they are the mean ranks of square blocks, dense
 * where most tiles are; largest is that of a tile. Precisions, where some tile may be in single, are told likewise, as the share
 * of a cell's tiles that are, in per cent; largest is 100.
 */
#include "src/page/trace_about.h"
#include "src/io/c_locale.h"
#include "src/io/json_text.h"
#include "src/page/page_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- of a run in hand ------------------------------------------------------------------------------------------------------ */

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

static bool add_nodes(struct page_data *d, const struct trace_about *about)
{
    d->node_of = calloc((size_t)about->ranks, sizeof *d->node_of);
    if (d->node_of == NULL)
        return false;
    if (about->node_of != NULL)
        memcpy(d->node_of, about->node_of, (size_t)about->ranks * sizeof *d->node_of);
    d->nodes_known = about->ranks;
    return true;
}

static bool add_owners(struct page_layout *l, const struct trace_about *about)
{
    *l = (struct page_layout){ .mt = about->mt, .nt = about->nt, .rows = at_most(about->mt, TRACE_SHOWN_MAX),
                               .cols = at_most(about->nt, TRACE_SHOWN_MAX),
                               .layers = about->layers > 1 ? at_most(about->layers, TRACE_LAYERS_MAX) : 1 };
    l->owner = malloc(((size_t)page_owners(l) + 1) * sizeof *l->owner);
    for (int t = 0, tiles = l->rows * l->cols; l->owner != NULL && t < page_owners(l); t++)
        l->owner[t] = about->owner(about->layout, t / tiles, t % tiles / l->cols, t % l->cols);
    return l->owner != NULL;
}

/* The mean rank of a block of tiles, from this row and column on, or the share of its tiles in single precision, or narrower. */
static int value_of_block(const struct trace_about *about, const int *of_tiles, bool ranks, int block, int i, int j)
{
    int64_t dense = 0, low = 0, sum = 0;
    for (int row = i; row < at_most(about->mt, i + block); row++)
        for (int col = j; col < at_most(about->nt, j + block); col++) {
            int value = of_tiles[(int64_t)row * about->nt + col];
            dense += ranks && value == RANK_DENSE;
            low += value >= 0;
            sum += value < 0 ? 0 : ranks ? value : ALL_IN_SINGLE * (value > 0);
        }
    if (dense + low == 0)
        return RANK_NOT_STORED;
    return dense > low ? RANK_DENSE : (int)((2 * sum + low) / (2 * low));
}

static int largest_rank(const struct trace_about *about)
{
    int largest = RANK_DENSE;
    for (int k = 0; k < 2; k++)
        for (int64_t t = 0; about->ranks_of_tiles[k] != NULL && t < (int64_t)about->mt * about->nt; t++)
            largest = about->ranks_of_tiles[k][t] > largest ? about->ranks_of_tiles[k][t] : largest;
    return largest;
}

/* Writes the value of each block of tiles. */
static bool add_map(struct page_tile_ranks *r, const struct trace_about *about, const int *const of_tiles[2], bool ranks,
                    int largest)
{
    int tiles = about->mt > about->nt ? about->mt : about->nt, block = (tiles + TRACE_RANKS_MAX - 1) / TRACE_RANKS_MAX;
    if (largest < 0 || of_tiles[0] == NULL || of_tiles[1] == NULL)
        return true;
    *r = (struct page_tile_ranks){ .block = block, .largest = largest, .rows = (about->mt + block - 1) / block,
                                   .cols = (about->nt + block - 1) / block };
    for (int k = 0; k < 2; k++) {
        r->rank[k] = malloc((size_t)r->rows * (size_t)r->cols * sizeof *r->rank[k]);
        for (int t = 0; r->rank[k] != NULL && t < r->rows * r->cols; t++)
            r->rank[k][t] = value_of_block(about, of_tiles[k], ranks, block, t / r->cols * block, t % r->cols * block);
    }
    return r->rank[0] != NULL && r->rank[1] != NULL;
}

bool page_add_about(struct page_data *d, const struct trace_about *about)
{
    snprintf(d->program, sizeof d->program, "%s", about->program);
    d->facts = *about->facts;
    d->cores = about->cores;
    return add_nodes(d, about) && add_owners(&d->layout, about) &&
           add_map(&d->tile_ranks, about, about->ranks_of_tiles, true, largest_rank(about)) &&
           add_map(&d->tile_precisions, about, about->precisions_of_tiles, false, ALL_IN_SINGLE);
}

/* ---- written --------------------------------------------------------------------------------------------------------------- */

static void write_runs(FILE *out, const int *cell, int cells)
{
    for (int first = 0, next; first < cells; first = next) {
        for (next = first + 1; next < cells && cell[next] == cell[first];)
            next++;
        fprintf(out, "%s%d,%d", first > 0 ? "," : "", cell[first], next - first);
    }
}

static void write_map(FILE *out, const char *name, const struct page_tile_ranks *r)
{
    if (r->block == 0)
        return;
    fprintf(out, ",\"%s\":{\"block\":%d,\"largest\":%d,\"shown\":[%d,%d]", name, r->block, r->largest, r->rows, r->cols);
    for (int k = 0; k < 2; k++) {
        fprintf(out, ",\"%s\":[", k == 0 ? "before" : "after");
        write_runs(out, r->rank[k], r->rows * r->cols);
        fputc(']', out);
    }
    fputc('}', out);
}

void page_write_about(FILE *out, const struct page_data *d)
{
    const struct page_layout *l = &d->layout;
    fputs("{\"program\":", out);
    json_write_string(out, d->program);
    fputs(",\"row\":", out);
    facts_write_json(out, &d->facts);
    fprintf(out, ",\"cores\":%d,\"nodes\":[", d->cores);
    for (int rank = 0; rank < d->nodes_known; rank++)
        fprintf(out, "%s%d", rank > 0 ? "," : "", d->node_of[rank]);
    fprintf(out, "],\"tiles\":{\"rows\":%d,\"columns\":%d,\"shown\":[%d,%d],", l->mt, l->nt, l->rows, l->cols);
    if (l->layers > 1)
        fprintf(out, "\"layers\":%d,", l->layers);
    fputs("\"owners\":[", out);
    write_runs(out, l->owner, page_owners(l));
    fputs("]}", out);
    write_map(out, "ranks", &d->tile_ranks);
    write_map(out, "precisions", &d->tile_precisions);
    fputc('}', out);
}

/* ---- read ------------------------------------------------------------------------------------------------------------------ */

static bool take_int(struct json_place *p, int lowest, int *number)
{
    struct json_value value;
    json_skip_blanks(p);
    if (!json_take_value(p, &value) || value.kind != JSON_NUMBER)
        return false;
    double real = c_locale_real(value.text, NULL);
    if (!(real >= lowest && real <= INT32_MAX) || real != floor(real)) {
        p->s -= value.length;
        return false;
    }
    *number = (int)real;
    return true;
}

static bool take_row(struct page_data *d, struct json_place *p)
{
    if (!facts_take_json(&d->facts, p))
        return false;
    free(d->texts);
    d->texts = facts_hold_texts(&d->facts);
    d->no_memory |= d->texts == NULL;
    return true;
}

static bool take_node(void *context, struct json_place *p)
{
    struct page_data *d = context;
    if (d->node_of == NULL)
        d->node_of = malloc(PAGE_RANKS_MAX * sizeof *d->node_of);
    return d->node_of != NULL && d->nodes_known < PAGE_RANKS_MAX && take_int(p, 0, &d->node_of[d->nodes_known++]);
}

/* Reads numbers in [lowest, highest], and the number of cells of each. More cells than there are is an error. */
static bool take_runs(struct json_place *p, int64_t cells, int lowest, int highest, int **list)
{
    int64_t filled = 0;
    *list = cells > 0 ? malloc((size_t)cells * sizeof **list) : NULL;
    if (!json_take(p, '[') || (cells > 0 && *list == NULL))
        return false;
    while (filled < cells) {
        int number, run;
        if ((filled > 0 && !json_take(p, ',')) || !take_int(p, lowest, &number) || !json_take(p, ',') || !take_int(p, 1, &run) ||
            run > cells - filled || number > highest)
            return false;
        for (int t = 0; t < run; t++)
            (*list)[filled++] = number;
    }
    return json_take(p, ']');
}

static bool take_shown(struct json_place *p, int most, int *rows, int *cols)
{
    return json_take(p, '[') && take_int(p, 0, rows) && json_take(p, ',') && take_int(p, 0, cols) && json_take(p, ']') &&
           *rows <= most && *cols <= most;
}

static bool take_tiles_member(void *context, struct json_place *p, const char *key)
{
    struct page_layout *l = context;
    struct json_value value;
    if (strcmp(key, "rows") == 0)
        return take_int(p, 0, &l->mt);
    if (strcmp(key, "columns") == 0)
        return take_int(p, 0, &l->nt);
    if (strcmp(key, "shown") == 0)
        return l->owner == NULL && take_shown(p, TRACE_SHOWN_MAX, &l->rows, &l->cols);
    if (strcmp(key, "layers") == 0)
        return l->owner == NULL && take_int(p, 1, &l->layers) && l->layers <= TRACE_LAYERS_MAX;
    if (strcmp(key, "owners") == 0) {
        l->layers = l->layers > 0 ? l->layers : 1;
        return l->owner == NULL && take_runs(p, page_owners(l), -1, PAGE_RANKS_MAX - 1, &l->owner);
    }
    return json_take_value(p, &value);
}

static bool take_ranks_member(void *context, struct json_place *p, const char *key)
{
    struct page_tile_ranks *r = context;
    struct json_value value;
    bool begun = r->rank[0] != NULL || r->rank[1] != NULL;
    if (strcmp(key, "block") == 0)
        return take_int(p, 1, &r->block);
    if (strcmp(key, "largest") == 0)
        return !begun && take_int(p, 0, &r->largest);
    if (strcmp(key, "shown") == 0)
        return !begun && take_shown(p, TRACE_RANKS_MAX, &r->rows, &r->cols);
    for (int k = 0; k < 2; k++)
        if (strcmp(key, k == 0 ? "before" : "after") == 0)
            return r->rank[k] == NULL &&
                   take_runs(p, (int64_t)r->rows * r->cols, RANK_NOT_STORED, r->largest, &r->rank[k]);
    return json_take_value(p, &value);
}

static bool take_ranks(struct page_tile_ranks *r, struct json_place *p)
{
    return json_take_object(p, take_ranks_member, r) && r->block > 0 && r->rank[0] != NULL && r->rank[1] != NULL;
}

static bool take_about_member(void *context, struct json_place *p, const char *key)
{
    struct page_data *d = context;
    struct json_value value;
    if (strcmp(key, "row") == 0)
        return take_row(d, p);
    if (strcmp(key, "nodes") == 0)
        return json_take_list(p, take_node, d);
    if (strcmp(key, "tiles") == 0)
        return json_take_object(p, take_tiles_member, &d->layout);
    if (strcmp(key, "ranks") == 0)
        return take_ranks(&d->tile_ranks, p);
    if (strcmp(key, "precisions") == 0)
        return take_ranks(&d->tile_precisions, p) && d->tile_precisions.largest == ALL_IN_SINGLE;
    if (strcmp(key, "cores") == 0)
        return take_int(p, 0, &d->cores);
    if (!json_take_value(p, &value))
        return false;
    if (strcmp(key, "program") == 0 && value.kind == JSON_STRING)
        snprintf(d->program, sizeof d->program, "%s", value.text);
    return true;
}

bool page_take_about(struct page_data *d, struct json_place *p)
{
    return json_take_object(p, take_about_member, d);
}

const char *page_read_about(struct page_data *d, char *object)
{
    struct json_place p = { object };
    return page_take_about(d, &p) ? NULL : p.s;
}
