#include "src/command/report.h"

#include "src/command/fields.h"

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
    *report = (struct report){ .form = { routine->solves, times_factors(routine), routine->square, options->verbose,
                                         options->accuracy > 0 } };
    int status = output_open(&report->table, "table", has_table(options) ? "-" : NULL, text);
    if (!status)
        status = rows_open(&report->json, "json", options->json, text);
    if (!status)
        status = rows_open(&report->csv, "csv", options->csv, text);
    if (status)
        report_close(report, unread);
    return status;
}

/* A run that dies later leaves what there is whole. Dry runs are too many and too quick for that: their files are written when
   all are done. */
static int publish(struct report *report, bool now, char *text)
{
    report->headed = true;
    int status = output_flush(&report->table, text);
    if (!status)
        status = rows_publish(&report->json, now, text);
    if (!status)
        status = rows_publish(&report->csv, now, text);
    return status;
}

/* The forms for programs, which differ in their fields alone. */
static void write_record(struct report *report, const struct field *fields, const void *record)
{
    const struct table_form *form = &report->form;
    int shown = (form->factors && form->solves ? FIELD_SOLVES : 0) | (form->compressed ? FIELD_COMPRESSED : 0);
    if (report->json.file)
        json_write(report->json.file, fields, shown, record);
    if (report->csv.file && !report->headed)
        csv_header(report->csv.file, fields, shown);
    if (report->csv.file)
        csv_write(report->csv.file, fields, shown, record);
}

int report_run(struct report *report, const struct result *result, char text[COMMAND_TEXT])
{
    FILE *table = report->table.file;
    write_record(report, run_fields, result);
    if (table && !report->headed)
        table_header(table, &report->form);
    if (table)
        table_run(table, result, &report->form);
    return publish(report, true, text);
}

int report_dry(struct report *report, const struct dry_result *result, char text[COMMAND_TEXT])
{
    write_record(report, dry_fields, result);
    if (report->table.file)
        table_dry(report->table.file, result);
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
