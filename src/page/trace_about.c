/*
 * "otherData" of a trace:
 *
 *   {"program": …, "row": {…}, "cores": C, "nodes": [the node of each rank],
 *    "tiles": {"rows": mt, "columns": nt, "shown": [rows, columns], "owners": [rank, how many, …]},
 *    "ranks": {"block": tiles, "largest": r, "shown": [rows, columns],
 *              "before": [r, how many, …], "after": [r, how many, …]}}
 *
 * Owners go row by row over the shown tiles, in runs; rank -1: not stored. So do ranks of tiles, of the matrix and of its
 * factors, where some are compressed; -1: dense, -2: not stored. Of many tiles they are the mean ranks of square blocks, dense
 * where most tiles are; largest is that of a tile.
 */
#include "src/page/trace_about.h"
#include "src/io/json_text.h"
#include "src/page/page_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- written --------------------------------------------------------------------------------------------------------------- */

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

typedef int cell_value(const void *cells, int i, int j);

static void write_runs(FILE *out, cell_value *value, const void *cells, int rows, int cols)
{
    int last = -1, run = 0;
    const char *comma = "";
    for (int64_t t = 0; t < (int64_t)rows * cols; t++) {
        int here = value(cells, (int)(t / cols), (int)(t % cols));
        if (run > 0 && here != last) {
            fprintf(out, "%s%d,%d", comma, last, run);
            comma = ",";
            run = 0;
        }
        last = here;
        run++;
    }
    if (run > 0)
        fprintf(out, "%s%d,%d", comma, last, run);
}

/* A map of ranks in square blocks. */
struct blocks {
    const int *rank;
    int mt, nt, block;
};

static int rank_of_block(const void *blocks, int i, int j)
{
    const struct blocks *b = blocks;
    int64_t dense = 0, low = 0, sum = 0;
    for (int row = i * b->block; row < at_most(b->mt, (i + 1) * b->block); row++)
        for (int col = j * b->block; col < at_most(b->nt, (j + 1) * b->block); col++) {
            int rank = b->rank[(int64_t)row * b->nt + col];
            dense += rank == RANK_DENSE;
            low += rank >= 0;
            sum += rank >= 0 ? rank : 0;
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

static void write_ranks(FILE *out, const struct trace_about *about)
{
    int largest = largest_rank(about), tiles = about->mt > about->nt ? about->mt : about->nt;
    int block = (tiles + TRACE_RANKS_MAX - 1) / TRACE_RANKS_MAX;
    if (largest < 0 || about->ranks_of_tiles[0] == NULL || about->ranks_of_tiles[1] == NULL)
        return;
    int rows = (about->mt + block - 1) / block, cols = (about->nt + block - 1) / block;
    fprintf(out, ",\"ranks\":{\"block\":%d,\"largest\":%d,\"shown\":[%d,%d]", block, largest, rows, cols);
    for (int k = 0; k < 2; k++) {
        struct blocks blocks = { about->ranks_of_tiles[k], about->mt, about->nt, block };
        fprintf(out, ",\"%s\":[", k == 0 ? "before" : "after");
        write_runs(out, rank_of_block, &blocks, rows, cols);
        fputc(']', out);
    }
    fputc('}', out);
}

void trace_about_write(FILE *out, const struct trace_about *about)
{
    int rows = at_most(about->mt, TRACE_SHOWN_MAX), cols = at_most(about->nt, TRACE_SHOWN_MAX);
    fputs("{\"program\":", out);
    json_write_string(out, about->program);
    fprintf(out, ",\"row\":%s,\"cores\":%d,\"nodes\":[", about->row, about->cores);
    for (int rank = 0; rank < about->ranks; rank++)
        fprintf(out, "%s%d", rank > 0 ? "," : "", about->node_of != NULL ? about->node_of[rank] : 0);
    fprintf(out, "],\"tiles\":{\"rows\":%d,\"columns\":%d,\"shown\":[%d,%d],\"owners\":[", about->mt, about->nt, rows, cols);
    write_runs(out, about->owner, about->layout, rows, cols);
    fputs("]}", out);
    write_ranks(out, about);
    fputc('}', out);
}

/* ---- read ------------------------------------------------------------------------------------------------------------------ */

static bool take_int(struct json_place *p, int lowest, int *number)
{
    struct json_value value;
    json_skip_blanks(p);
    if (!json_take_value(p, &value) || value.kind != JSON_NUMBER)
        return false;
    double real = strtod(value.text, NULL);
    if (!(real >= lowest && real <= INT32_MAX) || real != floor(real)) {
        p->s -= value.length;
        return false;
    }
    *number = (int)real;
    return true;
}

static bool take_fact(void *context, struct json_place *p, const char *key)
{
    struct page_facts *facts = context;
    struct json_value value;
    if (!json_take_value(p, &value))
        return false;
    if (value.kind == JSON_OTHER || page_fact(facts, key) != NULL)
        return true;
    int64_t room = facts->room;
    if (!page_grow(&facts->item, facts->count, &room, sizeof *facts->item))
        return false;
    facts->room = (int)room;
    struct page_fact *fact = &facts->item[facts->count];
    fact->key = strdup(key);
    fact->is_text = value.kind == JSON_STRING;
    fact->value = value.kind == JSON_STRING ? strdup(value.text) : strndup(value.text, (size_t)value.length);
    facts->count++;
    return fact->key != NULL && fact->value != NULL;
}

const char *page_read_row(struct page_facts *facts, char *object)
{
    struct json_place p = { object };
    if (!json_take_object(&p, take_fact, facts))
        return p.s;
    json_skip_blanks(&p);
    return *p.s != '\0' ? p.s : NULL;
}

void page_write_row(FILE *out, const struct page_facts *facts)
{
    for (int f = 0; f < facts->count; f++) {
        fputs(f == 0 ? "{" : ", ", out);
        json_write_string(out, facts->item[f].key);
        fputs(": ", out);
        if (facts->item[f].is_text)
            json_write_string(out, facts->item[f].value);
        else
            fputs(facts->item[f].value, out);
    }
    fputs(facts->count > 0 ? "}" : "{}", out);
}

static bool take_node(void *context, struct json_place *p)
{
    struct page_data *d = context;
    int64_t room = d->node_room;
    if (d->nodes_known >= PAGE_RANKS_MAX || !page_grow(&d->node_of, d->nodes_known, &room, sizeof *d->node_of))
        return false;
    d->node_room = (int)room;
    return take_int(p, 0, &d->node_of[d->nodes_known++]);
}

/* Numbers in [lowest, highest], and how many cells have each: what is told of more cells than there are is wrong. */
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
    if (strcmp(key, "owners") == 0)
        return l->owner == NULL && take_runs(p, (int64_t)l->rows * l->cols, -1, PAGE_RANKS_MAX - 1, &l->owner);
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
        return json_take_object(p, take_fact, &d->facts);
    if (strcmp(key, "nodes") == 0)
        return json_take_list(p, take_node, d);
    if (strcmp(key, "tiles") == 0)
        return json_take_object(p, take_tiles_member, &d->layout);
    if (strcmp(key, "ranks") == 0)
        return take_ranks(&d->tile_ranks, p);
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

/* ---- facts ----------------------------------------------------------------------------------------------------------------- */

const char *page_fact(const struct page_facts *facts, const char *key)
{
    for (int f = 0; f < facts->count; f++)
        if (strcmp(facts->item[f].key, key) == 0)
            return facts->item[f].value;
    return NULL;
}

double page_number(const struct page_facts *facts, const char *key)
{
    const char *value = page_fact(facts, key);
    char *end = NULL;
    double number = value != NULL ? strtod(value, &end) : NAN;
    return value != NULL && *value != '\0' && *end == '\0' ? number : NAN;
}

void page_facts_free(struct page_facts *facts)
{
    for (int f = 0; f < facts->count; f++) {
        free(facts->item[f].key);
        free(facts->item[f].value);
    }
    free(facts->item);
    *facts = (struct page_facts){ 0 };
}
