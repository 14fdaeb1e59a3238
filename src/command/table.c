/* For people: a table with SLATE's columns, and dry runs as a few lines. */

#include "src/command/fields.h"

#include <inttypes.h>

enum when { ALWAYS, SOLVES, VERBOSE };

struct column {
    const char *title;
    int width;                                      /* enough for 9999 ranks and n = 10^7 */
    const char *key;                                /* of run_fields, or NULL: derived */
    double (*derived)(const struct result *result);
    struct look look;
    enum when when;
};

static double percent_of_gemm(const struct result *result)
{
    return 100 * result->gflops / result->gemm_gflops;
}

/* Of time where the ranks' speeds are given, else of flops. */
static double imbalance(const struct result *result)
{
    return result->abe_max_over_mean > 0 ? result->abe_max_over_mean : result->flops_max_over_mean;
}

static const struct column columns[] = {
    { "type",             4, "type",                .when = ALWAYS },
    { "m",                8, "m",                   .when = ALWAYS },
    { "n",                8, "n",                   .when = ALWAYS },
    { "nrhs",             6, "nrhs",                .when = SOLVES },
    { "nb",               5, "nb",                  .when = ALWAYS },
    { "layout",          14, "layout",              .when = ALWAYS },
    { "ranks",            5, "ranks",               .when = ALWAYS },
    { "thr",              4, "threads",             .when = ALWAYS },
    { "error",            9, "error",               .look = { 'e', 2 } },
    { "time(s)",         11, "time_s",              .look = { 'f', 4 } },
    { "gflop/s",         11, "gflops",              .look = { 'f', 2 } },
    { "solve(s)",        11, "solve_time_s",        .look = { 'f', 4 }, .when = SOLVES },
    { "transfers",       13, "transfers",           .when = ALWAYS },
    { "solve transfers", 15, "solve_transfers",     .when = SOLVES },
    { "predicted",       13, "transfers_predicted", .when = VERBOSE },
    { "sent",            11, "transfer_bytes",      .look = { 'b', 0 }, .when = VERBOSE },
    { "imbal",            6, .derived = imbalance, .look = { 'f', 3 } },
    { "%gemm",            6, .derived = percent_of_gemm, .look = { 'f', 1 } },
    { "cache",            9, "cache_peak_tiles",    .when = VERBOSE },
    { "tasks",            6, "tasks_peak",          .when = VERBOSE },
    { "memory",          11, "memory_peak_bytes",   .look = { 'b', 0 }, .when = VERBOSE },
    { "rcond",            9, "rcond",               .look = { 'e', 2 }, .when = VERBOSE },
    { "refine",           6, "refine_iterations",   .when = VERBOSE },
    { "log|det|",        12, "logdet",              .look = { 'e', 5 }, .when = VERBOSE },
    { "min pivot",        9, "smallest_pivot",      .look = { 'e', 2 }, .when = VERBOSE },
    { "seed",             6, "seed",                .when = VERBOSE },
    { "status",           8, "status",              .when = ALWAYS },
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

static bool shown(const struct column *column, bool solves, bool verbose)
{
    return column->when == ALWAYS || (column->when == SOLVES && solves) || (column->when == VERBOSE && verbose);
}

static bool is_text(const struct column *column)
{
    return column->key && field_find(run_fields, column->key)->kind == FIELD_TEXT;
}

static void print_column(FILE *out, const struct column *column, const char *cell)
{
    fputs(column == columns ? "" : " ", out);
    cell_print(out, cell, column->width, is_text(column));
}

void table_header(FILE *out, bool solves, bool verbose)
{
    for (const struct column *column = columns; column < columns + COLUMN_COUNT; column++)
        if (shown(column, solves, verbose))
            print_column(out, column, column->title);
    fprintf(out, "\n");
}

void table_run(FILE *out, const struct result *result, bool solves, bool verbose)
{
    for (const struct column *column = columns; column < columns + COLUMN_COUNT; column++) {
        char cell[CELL_TEXT];
        if (!shown(column, solves, verbose))
            continue;
        if (column->derived)
            cell_real(column->derived(result), column->look, cell);
        else
            cell_field(field_find(run_fields, column->key), result, column->look, cell);
        print_column(out, column, cell);
    }
    fprintf(out, "\n");
}

void table_dry(FILE *out, const struct dry_result *d)
{
    char sent[CELL_TEXT], memory[CELL_TEXT], cost[CELL_TEXT], bound[CELL_TEXT], balance[CELL_TEXT];
    cell_bytes(d->transfer_bytes, sent);
    cell_bytes(d->memory_bytes_max, memory);
    cell_real(d->cost, (struct look){ 'f', 3 }, cost);
    cell_real(d->cost_bound, (struct look){ 'f', 3 }, bound);
    cell_real(d->flops_max_over_mean, (struct look){ 'f', 3 }, balance);

    fprintf(out, "%s, ", d->routine);
    if (d->m != d->n)
        fprintf(out, "m = %" PRId64 ", ", d->m);
    fprintf(out, "n = %" PRId64 ", %" PRId64 " x %" PRId64 " tiles of %" PRId64 ", %" PRId64 " ranks, layout %s\n", d->n, d->mt, d->nt, d->nb, d->ranks, d->layout);
    fprintf(out, "  pattern    %" PRId64 " x %" PRId64 ", cost T = %s; no balanced one is below %s\n", d->pattern_rows,
            d->pattern_cols, cost, bound);
    fprintf(out, "  transfers  %" PRId64 " tiles, %s\n", d->transfers, sent);
    fprintf(out, "  balance    %" PRId64 " to %" PRId64 " tiles a rank, %s max/mean %s\n", d->tiles_min,
            d->tiles_max, d->weighed ? "weights" : "flops", balance);
    if (d->abe_max_over_mean > 0)       /* not NAN: speeds are given */
        fprintf(out, "  speeds     time of the most loaded rank over an even share %.3f\n", d->abe_max_over_mean);
    fprintf(out, "  meetings   at most %" PRId64 " ranks in a row, %" PRId64 " in a column\n", d->max_ranks_per_row,
            d->max_ranks_per_col);
    fprintf(out, "  memory     at most %s a rank\n", memory);
}
