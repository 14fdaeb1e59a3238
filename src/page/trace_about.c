/*
 * "otherData" of a trace:
 *
 *   {"program": …, "row": {…}, "cores": C, "nodes": [the node of each rank],
 *    "tiles": {"rows": mt, "columns": nt, "shown": [rows, columns], "owners": [rank, how many, …]}}
 *
 * Owners go row by row over the shown tiles, in runs; rank -1: not stored.
 */
#include "src/page/trace_about.h"
#include "src/page/json_text.h"
#include "src/page/page_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- written --------------------------------------------------------------------------------------------------------------- */

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

static void write_owners(FILE *out, const struct trace_about *about, int rows, int cols)
{
    int rank = -1, run = 0;
    const char *comma = "";
    for (int64_t t = 0; t < (int64_t)rows * cols; t++) {
        int owner = about->owner(about->layout, (int)(t / cols), (int)(t % cols));
        if (run > 0 && owner != rank) {
            fprintf(out, "%s%d,%d", comma, rank, run);
            comma = ",";
            run = 0;
        }
        rank = owner;
        run++;
    }
    if (run > 0)
        fprintf(out, "%s%d,%d", comma, rank, run);
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
    write_owners(out, about, rows, cols);
    fputs("]}}", out);
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

/* A rank, and how many tiles: what is told of more tiles than are shown is wrong. */
static bool take_owners(struct page_layout *l, struct json_place *p)
{
    int64_t cells = (int64_t)l->rows * l->cols, filled = 0;
    l->owner = cells > 0 ? malloc((size_t)cells * sizeof *l->owner) : NULL;
    if (!json_take(p, '[') || (cells > 0 && l->owner == NULL))
        return false;
    while (filled < cells) {
        int rank, run;
        if ((filled > 0 && !json_take(p, ',')) || !take_int(p, -1, &rank) || !json_take(p, ',') || !take_int(p, 1, &run) ||
            run > cells - filled || rank >= PAGE_RANKS_MAX)
            return false;
        for (int t = 0; t < run; t++)
            l->owner[filled++] = rank;
    }
    return json_take(p, ']');
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
        return json_take(p, '[') && take_int(p, 0, &l->rows) && json_take(p, ',') && take_int(p, 0, &l->cols) &&
               json_take(p, ']') && l->rows <= TRACE_SHOWN_MAX && l->cols <= TRACE_SHOWN_MAX && l->owner == NULL;
    if (strcmp(key, "owners") == 0)
        return l->owner == NULL && take_owners(l, p);
    return json_take_value(p, &value);
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
