#include "src/page/facts_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum group { PROBLEM, HOW, SPEED, RESULT, TRANSFERS, MEMORY, DEVICES, OTHER, GROUPS };
static const char *const group_names[GROUPS] = {
    [PROBLEM] = "The problem", [HOW] = "How it ran", [SPEED] = "Time and bounds", [RESULT] = "The result",
    [TRANSFERS] = "Transfers", [MEMORY] = "Tiles and memory", [DEVICES] = "Devices", [OTHER] = "More",
};

static const char *say_exponent(double number, char text[SAY])
{
    snprintf(text, SAY, isfinite(number) ? "%.3g" : "–", number);
    return text;
}

/* NULL: a text, or a number as it is. */
typedef const char *say_function(double number, char text[SAY]);

static const struct known {
    const char *key, *label;
    enum group group;
    say_function *say;
} known[] = {
    { "routine", "Routine", PROBLEM, NULL },
    { "type", "Precision", PROBLEM, NULL },
    { "m", "Rows", PROBLEM, say_count },
    { "n", "Columns", PROBLEM, say_count },
    { "nrhs", "Right-hand sides", PROBLEM, say_count },
    { "uplo", "Triangle stored", PROBLEM, NULL },
    { "seed", "Seed", PROBLEM, NULL },
    { "nb", "Tile size", HOW, say_count },
    { "layout", "Layout", HOW, NULL },
    { "ranks", "Ranks", HOW, say_count },
    { "nodes", "Nodes", HOW, say_count },
    { "threads", "Threads of a rank", HOW, say_count },
    { "pivot", "Pivoting", HOW, NULL },
    { "tree", "Tree", HOW, NULL },
    { "schedule", "Schedule", HOW, NULL },
    { "bcast", "Broadcast", HOW, NULL },
    { "on_node", "Tiles on a node", HOW, NULL },
    { "between_nodes", "Way between nodes", HOW, NULL },
    { "rma_native", "Reads go on meanwhile", HOW, NULL },
    { "register_s", "Making the window", SPEED, say_seconds },
    { "time_s", "Time", SPEED, say_seconds },
    { "predicted_s", "Simulated time", SPEED, say_seconds },
    { "gflops", "Rate", SPEED, say_rate },
    { "gemm_gflops", "Rate of GEMM", SPEED, say_rate },
    { "work_bound_s", "Bound by work", SPEED, say_seconds },
    { "link_bound_s", "Bound by links", SPEED, say_seconds },
    { "chain_bound_s", "Bound by the chain", SPEED, say_seconds },
    { "flops_max_over_mean", "Most work over mean", SPEED, say_number },
    { "abe_max_over_mean", "Most time over mean", SPEED, say_number },
    { "perisum", "Half-perimeters", SPEED, say_number },
    { "solve_time_s", "Time of the solve", SPEED, say_seconds },
    { "status", "Status", RESULT, NULL },
    { "error", "Scaled residual", RESULT, say_exponent },
    { "info", "info", RESULT, say_count },
    { "growth", "Growth of elements", RESULT, say_exponent },
    { "logdet", "log |det A|", RESULT, say_number },
    { "det_sign", "Sign of det A", RESULT, say_count },
    { "det_phase", "Angle of det A", RESULT, say_number },
    { "smallest_pivot", "Smallest pivot", RESULT, say_exponent },
    { "rcond", "1 / condition", RESULT, say_exponent },
    { "refine_iterations", "Refinements", RESULT, say_count },
    { "transfers", "Tiles sent", TRANSFERS, say_count },
    { "transfer_bytes", "Bytes sent", TRANSFERS, say_bytes },
    { "transfers_predicted", "Tiles predicted", TRANSFERS, say_count },
    { "wire_transfers", "Tiles between nodes", TRANSFERS, say_count },
    { "wire_bytes", "Bytes between nodes", TRANSFERS, say_bytes },
    { "wire_transfers_predicted", "Predicted between nodes", TRANSFERS, say_count },
    { "rows_exchanged", "Rows exchanged", TRANSFERS, say_count },
    { "candidate_tiles", "Pivot candidates, tiles", TRANSFERS, say_count },
    { "solve_transfers", "Tiles of the solve", TRANSFERS, say_count },
    { "tiles_max", "Tiles, fullest rank", MEMORY, say_count },
    { "tiles_min", "Tiles, emptiest rank", MEMORY, say_count },
    { "cache_peak_tiles", "Remote tiles held", MEMORY, say_count },
    { "memory_peak_bytes", "Memory at most", MEMORY, say_bytes },
    { "tasks_peak", "Tasks in flight", MEMORY, say_count },
    { "devices", "Devices of a rank", DEVICES, say_count },
    { "device_backend", "Kernels of", DEVICES, NULL },
    { "host_share", "Share of the host", DEVICES, say_share },
    { "device_flops", "Flops on devices", DEVICES, say_exponent },
    { "host_update_flops", "Flops of updates, host", DEVICES, say_exponent },
    { "bytes_to_devices", "Bytes to devices", DEVICES, say_bytes },
    { "bytes_from_devices", "Bytes from devices", DEVICES, say_bytes },
    { "max_uploads_per_tile", "Uploads of a tile", DEVICES, say_count },
    { "device_waits", "Waits for devices", DEVICES, say_count },
    { "device_allocations", "Allocations", DEVICES, say_count },
    { "tasks", "Tasks", HOW, say_count },
};

static const struct known *find(const char *key)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].key, key) == 0)
            return &known[i];
    return NULL;
}

const char *facts_label(const char *key)
{
    const struct known *k = find(key);
    return k != NULL ? k->label : key;
}

static const struct page_fact *fact_of(const struct page_facts *facts, const char *key)
{
    for (int f = 0; f < facts->count; f++)
        if (strcmp(facts->item[f].key, key) == 0)
            return &facts->item[f];
    return NULL;
}

/* What a number means is the key's to say; of one that has no say, a number of many digits gets four. */
static void say_value(FILE *out, const struct page_fact *fact)
{
    const struct known *k = find(fact->key);
    char *end, text[SAY];
    double number = strtod(fact->value, &end);
    bool is_number = fact->value[0] != '\0' && *end == '\0';
    if (k != NULL && k->say != NULL && is_number)
        html_text(out, k->say(number, text));
    else if (k == NULL && is_number)
        html_text(out, say_number(number, text));
    else
        html_text(out, fact->value);
}

void facts_datum(FILE *out, const char *prefix, const struct page_fact *fact)
{
    fprintf(out, "<data id=\"%s", prefix);
    html_text(out, fact->key);
    fputs("\" value=\"", out);
    html_text(out, fact->value);
    fputs("\">", out);
    say_value(out, fact);
    fputs("</data>", out);
}

void facts_datum_of(FILE *out, const char *prefix, const struct page_facts *facts, const char *key)
{
    const struct page_fact *fact = fact_of(facts, key);
    if (fact != NULL)
        facts_datum(out, prefix, fact);
    else
        fputs("–", out);
}

/* ---- tables ---------------------------------------------------------------------------------------------------------------- */

static bool is_in(const char *const *keys, const char *key)
{
    for (; *keys != NULL; keys++)
        if (strcmp(*keys, key) == 0)
            return true;
    return false;
}

static enum group group_of(const char *key)
{
    const struct known *k = find(key);
    return k != NULL ? k->group : OTHER;
}

static void write_group(FILE *out, const struct page_facts *facts, enum group group, const char *const *but)
{
    int written = 0;
    for (int f = 0; f < facts->count; f++) {
        const struct page_fact *fact = &facts->item[f];
        if (group_of(fact->key) != group || is_in(but, fact->key))
            continue;
        if (written++ == 0)
            fprintf(out, "<section class=\"group\"><h3>%s</h3><dl>\n", group_names[group]);
        fputs("<div><dt>", out);
        html_text(out, facts_label(fact->key));
        fputs("</dt><dd>", out);
        facts_datum(out, "", fact);
        fputs("</dd></div>\n", out);
    }
    if (written > 0)
        fputs("</dl></section>\n", out);
}

void facts_tables(FILE *out, const struct page_facts *facts, const char *const *but)
{
    for (enum group group = 0; group < GROUPS; group++)
        write_group(out, facts, group, but);
}

/* How a number changed; nothing of texts. */
static void write_change(FILE *out, const struct page_facts *a, const struct page_facts *b, const char *key)
{
    double before = page_number(a, key), after = page_number(b, key);
    if (before > 0 && after > 0)
        fprintf(out, "× %.3g", after / before);
}

static void compare_fact(FILE *out, const struct page_facts *a, const struct page_facts *b, const char *key)
{
    const char *before = page_fact(a, key), *after = page_fact(b, key);
    bool same = before != NULL && after != NULL && strcmp(before, after) == 0;
    fputs("<tr", out);
    if (!same) {
        fputs(" class=\"changed\" data-changed=\"", out);
        html_text(out, key);
        fputc('"', out);
    }
    fputs("><th scope=\"row\">", out);
    html_text(out, facts_label(key));
    fputs("</th><td>", out);
    facts_datum_of(out, "a.", a, key);
    fputs("</td><td>", out);
    facts_datum_of(out, "b.", b, key);
    fputs("</td><td>", out);
    if (!same)
        write_change(out, a, b, key);
    fputs("</td></tr>\n", out);
}

static bool has_group(const struct page_facts *facts, enum group group)
{
    for (int f = 0; f < facts->count; f++)
        if (group_of(facts->item[f].key) == group)
            return true;
    return false;
}

void facts_compared(FILE *out, const struct page_facts *a, const struct page_facts *b)
{
    for (enum group group = 0; group < GROUPS; group++) {
        if (!has_group(a, group) && !has_group(b, group))
            continue;
        fprintf(out, "<tbody><tr class=\"subject\"><th colspan=\"4\" scope=\"rowgroup\">%s</th></tr>\n", group_names[group]);
        for (int f = 0; f < a->count; f++)
            if (group_of(a->item[f].key) == group)
                compare_fact(out, a, b, a->item[f].key);
        for (int f = 0; f < b->count; f++)
            if (group_of(b->item[f].key) == group && fact_of(a, b->item[f].key) == NULL)
                compare_fact(out, a, b, b->item[f].key);
        fputs("</tbody>\n", out);
    }
}
