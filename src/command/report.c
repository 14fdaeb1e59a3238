#include "src/command/report.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- cells of tables ------------------------------------------------------------------------------------------------------- */

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

int cell_width(const char *cell)
{
    int width = 0;
    for (; *cell; cell++)
        width += !continues_character(*cell);
    return width;
}

void cell_print(FILE *out, const char *cell, int width, bool text)
{
    int used = cell_width(cell);
    bool cut = text && used > width;
    int left = cut ? width - 1 : used;

    fprintf(out, "%*s", text || used >= width ? 0 : width - used, "");
    for (; *cell && (left > 0 || continues_character(*cell)); cell++) {
        left -= !continues_character(*cell);
        fputc(iscntrl((unsigned char)*cell) ? '?' : *cell, out);
    }
    fprintf(out, "%s%*s", cut ? "…" : "", text && used < width ? width - used : 0, "");
}

void cell_bytes(int64_t bytes, char cell[CELL_TEXT])
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    double amount = (double)bytes;
    int unit = 0;
    for (; amount >= 1024; unit++)
        amount /= 1024;
    snprintf(cell, CELL_TEXT, "%.*f %s", unit ? 2 : 0, amount, units[unit]);
}

void cell_real(double value, struct cell_format format, char cell[CELL_TEXT])
{
    const char *conversion = format.letter == 'e' ? "%.*e" : "%.*f";
    if (isfinite(value))
        snprintf(cell, CELL_TEXT, conversion, format.digits, value);
    else
        strcpy(cell, "-");
}

void cell_fact(const struct fact *fact, const struct facts *facts, struct cell_format format, char cell[CELL_TEXT])
{
    char number[FACT_NUMBER];
    const char *text = fact_text(fact, facts, number);
    if (text == NULL)
        strcpy(cell, "-");
    else if (format.letter == 'b')
        cell_bytes((int64_t)fact_number(fact, facts), cell);
    else if (format.letter != '\0')
        cell_real(fact_number(fact, facts), format, cell);
    else
        snprintf(cell, CELL_TEXT, "%s", text);
}

/* ---- for people: a table with SLATE's columns, and dry runs as a few lines ------------------------------------------------- */

/* The conditions of a column; all must hold. */
enum when { ALWAYS = 0, SOLVES = 1, OBLONG = 2, VERBOSE = 4, FACTORS = 8 };

/* Widths of the columns: more columns get less room each, so that a line has at most 100 columns. */
enum { AMPLE, OF_SOLVES, OF_OBLONG_SOLVES, WIDTHS };

struct column {
    const char *title;
    int width[WIDTHS];
    const char *key;                                /* of a fact; NULL: derived */
    double (*derived)(const struct facts *facts);
    struct cell_format format;
    int when;
};

static double percent_of_gemm(const struct facts *facts)
{
    return 100 * facts->gflops / facts->gemm_gflops;
}

/* Of time if there are speeds, otherwise of flops. */
static double imbalance(const struct facts *facts)
{
    return facts->abe_max_over_mean > 0 ? facts->abe_max_over_mean : facts->flops_max_over_mean;
}

static const struct column columns[] = {
    { "type",            { 4, 4, 4 },    "type",                .when = ALWAYS },
    { "m",               { 8, 6, 5 },    "m",                   .when = OBLONG },
    { "n",               { 8, 6, 4 },    "n",                   .when = ALWAYS },
    { "nrhs",            { 6, 4, 4 },    "nrhs",                .when = SOLVES },
    { "nb",              { 5, 4, 4 },    "nb",                  .when = ALWAYS },
    { "layout",          { 11, 11, 9 },  "layout",              .when = ALWAYS },
    { "ranks",           { 5, 5, 5 },    "ranks",               .when = VERBOSE },
    { "thr",             { 4, 4, 4 },    "threads",             .when = VERBOSE },
    { "error",           { 8, 8, 8 },    "error",               .format = { 'e', 2 } },
    { "time(s)",         { 9, 8, 7 },    "time_s",              .format = { 'f', 4 } },
    { "gflop/s",         { 9, 8, 7 },    "gflops",              .format = { 'f', 2 } },
    { "solve(s)",        { 9, 8, 8 },    "solve_time_s",        .format = { 'f', 4 }, .when = FACTORS | SOLVES },
    { "transfers",       { 9, 9, 9 },    "transfers",           .when = ALWAYS },
    { "solve transfers", { 15, 15, 15 }, "solve_transfers",     .when = FACTORS | SOLVES | VERBOSE },
    { "predicted",       { 9, 9, 9 },    "transfers_predicted", .when = VERBOSE },
    { "sent",            { 11, 11, 11 }, "transfer_bytes",      .format = { 'b', 0 }, .when = VERBOSE },
    { "imbal",           { 5, 5, 5 },    .derived = imbalance, .format = { 'f', 3 } },
    { "%gemm",           { 5, 5, 5 },    .derived = percent_of_gemm, .format = { 'f', 1 } },
    { "cache",           { 9, 9, 9 },    "cache_peak_tiles",    .when = VERBOSE },
    { "tasks",           { 6, 6, 6 },    "tasks_peak",          .when = VERBOSE },
    { "memory",          { 11, 11, 11 }, "memory_peak_bytes",   .format = { 'b', 0 }, .when = VERBOSE },
    { "rcond",           { 9, 9, 9 },    "rcond",               .format = { 'e', 2 }, .when = VERBOSE },
    { "refine",          { 6, 6, 6 },    "refine_iterations",   .when = VERBOSE },
    { "log|det|",        { 12, 12, 12 }, "logdet",              .format = { 'e', 5 }, .when = VERBOSE },
    { "min pivot",       { 9, 9, 9 },    "smallest_pivot",      .format = { 'e', 2 }, .when = VERBOSE },
    { "seed",            { 6, 6, 6 },    "seed",                .when = VERBOSE },
    { "status",          { 8, 8, 8 },    "status",              .when = ALWAYS },
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

static bool shown(const struct column *column, const struct table_form *form)
{
    int what = (form->solves ? SOLVES : 0) | (form->square ? 0 : OBLONG) | (form->verbose ? VERBOSE : 0) |
               (form->factors ? FACTORS : 0);
    return (column->when & ~what) == 0;
}

static int width_of(const struct column *column, const struct table_form *form)
{
    return column->width[form->verbose || !form->solves ? AMPLE : form->square ? OF_SOLVES : OF_OBLONG_SOLVES];
}

/* The last column ends without blanks. */
static void print_column(FILE *out, const struct column *column, const struct table_form *form, const char *cell)
{
    bool is_last = column == columns + COLUMN_COUNT - 1, is_text = column->key && fact_find(column->key)->kind == FACT_TEXT;
    fputs(column == columns ? "" : " ", out);
    cell_print(out, cell, is_last ? cell_width(cell) : width_of(column, form), is_text);
}

/* Numbers that are too long lose decimals. */
static void fill_cell(const struct column *column, const struct facts *facts, int width, char cell[CELL_TEXT])
{
    struct cell_format format = column->format;
    do {
        if (column->derived)
            cell_real(column->derived(facts), format, cell);
        else
            cell_fact(fact_find(column->key), facts, format, cell);
    } while (cell_width(cell) > width && format.digits-- > 0);
}

void table_header(FILE *out, const struct table_form *form)
{
    for (const struct column *column = columns; column < columns + COLUMN_COUNT; column++)
        if (shown(column, form))
            print_column(out, column, form, column->title);
    fprintf(out, "\n");
}

void table_run(FILE *out, const struct facts *facts, const struct table_form *form)
{
    for (const struct column *column = columns; column < columns + COLUMN_COUNT; column++) {
        char cell[CELL_TEXT];
        if (!shown(column, form))
            continue;
        fill_cell(column, facts, width_of(column, form), cell);
        print_column(out, column, form, cell);
    }
    fprintf(out, "\n");
}

static void print_wire(FILE *out, const struct facts *d)
{
    char sent[CELL_TEXT], seconds[CELL_TEXT];
    cell_bytes(d->wire_bytes, sent);
    cell_real(d->link_bound_s, (struct cell_format){ 'f', 4 }, seconds);
    fprintf(out, "  wire       %" PRId64 " tiles, %s between %" PRId64 " nodes", d->wire_transfers, sent, d->nodes);
    if (d->link_bound_s >= 0)
        fprintf(out, ", %s s on the busiest link", seconds);
    fprintf(out, "\n");
}

void table_dry(FILE *out, const struct facts *d, bool weighed)
{
    char sent[CELL_TEXT], memory[CELL_TEXT], cost[CELL_TEXT], bound[CELL_TEXT], balance[CELL_TEXT];
    cell_bytes(d->transfer_bytes, sent);
    cell_bytes(d->memory_bytes_max, memory);
    cell_real(d->cost, (struct cell_format){ 'f', 3 }, cost);
    cell_real(d->cost_bound, (struct cell_format){ 'f', 3 }, bound);
    cell_real(d->flops_max_over_mean, (struct cell_format){ 'f', 3 }, balance);

    fprintf(out, "%s, ", d->routine);
    if (d->m != d->n)
        fprintf(out, "m = %" PRId64 ", ", d->m);
    fprintf(out, "n = %" PRId64 ", %" PRId64 " x %" PRId64 " tiles of %" PRId64 ", %" PRId64 " ranks, layout %s\n", d->n, d->mt,
            d->nt, d->nb, d->ranks, d->layout);
    fprintf(out, "  pattern    %" PRId64 " x %" PRId64 ", cost T = %s; no balanced one is below %s\n", d->pattern_rows,
            d->pattern_cols, cost, bound);
    fprintf(out, "  transfers  %" PRId64 " tiles, %s", d->transfers, sent);
    if (d->copies > 1)
        fprintf(out, "; %" PRId64 " of them are added up, for %" PRId64 " copies", d->transfers_sums, d->copies);
    fprintf(out, "\n");
    if (d->wire_transfers != FACT_NONE && d->nodes > 1 && (d->nodes < d->ranks || d->link_bound_s >= 0))
        print_wire(out, d);
    if (d->predicted_s >= 0) {
        char seconds[CELL_TEXT];
        cell_real(d->predicted_s, (struct cell_format){ 'f', 4 }, seconds);
        fprintf(out, "  simulated  %s s\n", seconds);
    }
    fprintf(out, "  balance    %" PRId64 " to %" PRId64 " tiles a rank, %s max/mean %s\n", d->tiles_min,
            d->tiles_max, weighed ? "weights" : "flops", balance);
    if (d->abe_max_over_mean > 0)       /* not NAN: there are speeds */
        fprintf(out, "  speeds     time of the most loaded rank over an even share %.3f\n", d->abe_max_over_mean);
    fprintf(out, "  meetings   at most %" PRId64 " ranks in a row, %" PRId64 " in a column\n", d->max_ranks_per_row,
            d->max_ranks_per_col);
    if ((d->parts & IN_MIXED) != 0) {
        char kept[CELL_TEXT];
        const int *count = d->tiles_by_precision.first;
        cell_bytes(d->matrix_bytes, kept);
        fprintf(out, "  precision  %d tiles in double, %d in single, ", count[0], count[1]);
        if (d->tiles_by_precision.count > 2)
            fprintf(out, "%d in bfloat16, ", count[2]);
        fprintf(out, "%s\n", kept);
    }
    fprintf(out, "  memory     at most %s a rank\n", memory);
}

/* ---- all outputs ----------------------------------------------------------------------------------------------------------- */

static bool has_table(const struct options *o)
{
    bool taken = is_stdout(o->json) || is_stdout(o->csv) || is_stdout(o->map) || is_stdout(o->owners) || is_stdout(o->plot) ||
                 is_stdout(o->tile_ranks);
    return !o->quiet && !taken;
}

bool report_shows_rates(const struct options *o)
{
    return o->json || o->csv || has_table(o);
}

int report_open(struct report *report, const struct options *options, char text[COMMAND_TEXT])
{
    char unread[COMMAND_TEXT];
    const ompfact_routine *routine = options->routine;
    *report = (struct report){ .form = { routine->solves, times_factors(routine), routine->square, options->verbose } };
    int status = output_open(&report->table, "table", has_table(options) ? "-" : NULL, text);
    if (!status)
        status = rows_open(&report->json, "json", options->json, text);
    if (!status)
        status = rows_open(&report->csv, "csv", options->csv, text);
    if (status)
        report_close(report, unread);
    return status;
}

/* A run that ends later leaves a complete file. Dry runs are too many and too short for this: their files are written at the
   end. */
static int publish(struct report *report, bool now, char *text)
{
    report->headed = true;
    TRY_STEP(output_flush(&report->table, text));
    TRY_STEP(rows_publish(&report->json, now, text));
    return rows_publish(&report->csv, now, text);
}

/* Output for programs. */
static void write_record(struct report *report, const struct facts *facts)
{
    if (report->json.file)
        facts_write_json(report->json.file, facts);
    if (report->csv.file && !report->headed)
        facts_write_csv_header(report->csv.file, facts->parts);
    if (report->csv.file)
        facts_write_csv(report->csv.file, facts);
}

int report_run(struct report *report, const struct facts *facts, char text[COMMAND_TEXT])
{
    FILE *table = report->table.file;
    write_record(report, facts);
    if (table && !report->headed)
        table_header(table, &report->form);
    if (table)
        table_run(table, facts, &report->form);
    return publish(report, true, text);
}

int report_dry(struct report *report, const struct facts *facts, bool weighed, char text[COMMAND_TEXT])
{
    write_record(report, facts);
    if (report->table.file)
        table_dry(report->table.file, facts, weighed);
    return publish(report, false, text);
}

int report_close(struct report *report, char text[COMMAND_TEXT])
{
    char unread[COMMAND_TEXT];
    int table = output_close(&report->table, text);
    int json = rows_close(&report->json, table ? unread : text);
    int csv = rows_close(&report->csv, table || json ? unread : text);
    return table || json || csv ? COMMAND_USAGE : 0;
}
