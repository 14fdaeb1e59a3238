/*
 * What the command says about its runs: a table for people on stdout, JSON lines, CSV. One rank does this, locally.
 *
 * Calls return 0, or COMMAND_USAGE and one line in text where a file cannot be opened or written.
 */
#ifndef OMPFACT_SRC_COMMAND_REPORT_H
#define OMPFACT_SRC_COMMAND_REPORT_H

#include "src/command/options.h"
#include "src/command/text_file.h"
#include "src/facts/facts.h"

/* The facts that select a table's columns: the routine, and --verbose. */
struct table_form {
    bool solves, factors, square, verbose;      /* factors: the factorization is the timed part, and the solve is separate */
};

/* A zero-initialised report prints nothing. */
struct report {
    struct output table;
    struct row_file json, csv;
    struct table_form form;
    bool headed;                    /* the header lines have been printed */
};

/* Whether the report compares a run's rate with GEMM's. */
bool report_shows_rates(const struct options *options);

/* The table goes to stdout, except with --quiet or if another output is stdout. */
int report_open(struct report *report, const struct options *options, char text[COMMAND_TEXT]);
int report_run(struct report *report, const struct facts *facts, char text[COMMAND_TEXT]);
int report_dry(struct report *report, const struct facts *facts, bool weighed, char text[COMMAND_TEXT]);
int report_close(struct report *report, char text[COMMAND_TEXT]);

/* write_page.c: writes the page of a comparison. Local. */
struct page_side;
int page_of_two(const char *file, const struct page_side *a, const struct page_side *b, char text[COMMAND_TEXT]);

/* ---- tables ---------------------------------------------------------------------------------------------------------------- */

/* Prints at most 100 columns, except for very large numbers or with --verbose. */
void table_header(FILE *out, const struct table_form *form);
void table_run(FILE *out, const struct facts *facts, const struct table_form *form);
void table_dry(FILE *out, const struct facts *facts, bool weighed);     /* weighed: the balance is that of weights */

/* The format of a number in a cell: '\0' unchanged, 'f' or 'e' with so many digits, 'b' bytes with a unit. */
struct cell_format {
    char letter;
    int digits;
};
enum { CELL_TEXT = 256 };

void cell_real(double value, struct cell_format format, char cell[CELL_TEXT]);
void cell_fact(const struct fact *fact, const struct facts *facts, struct cell_format format, char cell[CELL_TEXT]);
/* The columns that a cell takes on the screen; it may have more bytes. */
int cell_width(const char *cell);
/* Cuts texts that are too long, but never numbers. */
void cell_print(FILE *out, const char *cell, int width, bool text);
/* "1.50 GiB" */
void cell_bytes(int64_t bytes, char cell[CELL_TEXT]);

#endif
