#include "src/command/report.h"

#include <errno.h>
#include <string.h>

#include "src/command/fields.h"

static bool is_stdout(const char *path)
{
    return path && !strcmp(path, "-");
}

static int failed(const struct output *output, char *text)
{
    const char *why = errno ? strerror(errno) : "cannot be written";
    return is_stdout(output->path) ? refuse(text, "stdout: %s", why)
                                   : refuse(text, "--%s %.256s: %s", output->option, output->path, why);
}

int output_open(struct output *output, const char *option, const char *path, char text[COMMAND_TEXT])
{
    *output = (struct output){ .option = option, .path = path };
    if (!path)
        return 0;
    output->file = is_stdout(path) ? stdout : fopen(path, "w");
    return output->file ? 0 : failed(output, text);
}

static int flush(const struct output *output, char *text)
{
    if (!output->file)
        return 0;
    errno = 0;
    return fflush(output->file) || ferror(output->file) ? failed(output, text) : 0;
}

int output_close(struct output *output, char text[COMMAND_TEXT])
{
    int status = flush(output, text);
    if (output->file && output->file != stdout && fclose(output->file) && !status)
        status = failed(output, text);
    output->file = NULL;
    return status;
}

int report_open(struct report *report, const struct options *options, char text[COMMAND_TEXT])
{
    bool taken = is_stdout(options->json) || is_stdout(options->csv) || is_stdout(options->map) ||
                 is_stdout(options->owners) || is_stdout(options->plot);
    char unread[COMMAND_TEXT];
    *report = (struct report){ .solves = options->routine->solves, .verbose = options->verbose };
    int status = output_open(&report->table, "table", options->quiet || taken ? NULL : "-", text);
    if (!status)
        status = output_open(&report->json, "json", options->json, text);
    if (!status)
        status = output_open(&report->csv, "csv", options->csv, text);
    if (status)
        report_close(report, unread);
    return status;
}

/* Sends what was written on its way, so that a run that dies later leaves it whole. */
static int flush_all(struct report *report, char *text)
{
    report->headed = true;
    int status = flush(&report->table, text);
    if (!status)
        status = flush(&report->json, text);
    if (!status)
        status = flush(&report->csv, text);
    return status;
}

/* The forms for programs, which differ in their fields alone. */
static void write_record(struct report *report, const struct field *fields, const void *record)
{
    if (report->json.file)
        json_write(report->json.file, fields, report->solves, record);
    if (report->csv.file && !report->headed)
        csv_header(report->csv.file, fields, report->solves);
    if (report->csv.file)
        csv_write(report->csv.file, fields, report->solves, record);
}

int report_run(struct report *report, const struct result *result, char text[COMMAND_TEXT])
{
    FILE *table = report->table.file;
    write_record(report, run_fields, result);
    if (table && !report->headed)
        table_header(table, report->solves, report->verbose);
    if (table)
        table_run(table, result, report->solves, report->verbose);
    return flush_all(report, text);
}

int report_dry(struct report *report, const struct dry_result *result, char text[COMMAND_TEXT])
{
    write_record(report, dry_fields, result);
    if (report->table.file)
        table_dry(report->table.file, result);
    return flush_all(report, text);
}

int report_close(struct report *report, char text[COMMAND_TEXT])
{
    struct output *outputs[] = { &report->table, &report->json, &report->csv };
    int status = 0;
    for (int i = 0; i < 3; i++) {
        char unread[COMMAND_TEXT];
        int closed = output_close(outputs[i], status ? unread : text);
        status = status ? status : closed;
    }
    return status;
}
