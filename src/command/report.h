/*
 * What the command says about its runs: a table for people on stdout, JSON lines, CSV. One rank does this, locally.
 *
 * Calls return 0, or COMMAND_USAGE and one line in text where a file cannot be opened or written.
 */
#ifndef OMPFACT_SRC_COMMAND_REPORT_H
#define OMPFACT_SRC_COMMAND_REPORT_H

#include "src/command/options.h"
#include "src/command/result.h"
#include "src/command/text_file.h"

/* Zero-initialised, it reports nothing. */
struct report {
    struct output table;
    struct row_file json, csv;
    struct table_form form;
    bool headed;                    /* the header lines are written */
};

/* Whether anything is reported that compares a run's rate with GEMM's. */
bool report_shows_rates(const struct options *options);

/* The table goes to stdout unless options say quiet or give stdout to another output. */
int report_open(struct report *report, const struct options *options, char text[COMMAND_TEXT]);
int report_run(struct report *report, const struct result *result, char text[COMMAND_TEXT]);
int report_dry(struct report *report, const struct dry_result *result, char text[COMMAND_TEXT]);
int report_close(struct report *report, char text[COMMAND_TEXT]);

#endif
