/*
 * Text files that the command writes, each named by an option, or by none (NULL): "-" is stdout, a device or a pipe is written as
 * it is, and any other file is replaced when the new one is whole (replace.h). One rank does this, locally.
 *
 * Calls return 0, or COMMAND_USAGE and one line in text where a file cannot be opened or written.
 */
#ifndef OMPFACT_SRC_COMMAND_TEXT_FILE_H
#define OMPFACT_SRC_COMMAND_TEXT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "src/command/refuse.h"
#include "src/io/replace.h"

struct output {
    FILE *file;                     /* NULL: not open */
    const char *option, *path;
    struct replacement place;
};

bool is_stdout(const char *path);   /* false for NULL */

/* Opens nothing if path is NULL. */
int output_open(struct output *output, const char *option, const char *path, char text[COMMAND_TEXT]);
/* Flushes the written text, so that others can read it. */
int output_flush(const struct output *output, char text[COMMAND_TEXT]);
/* Completes the file at its place; on failure the previous file stays. */
int output_close(struct output *output, char text[COMMAND_TEXT]);
/* Leaves the previous file. */
void output_drop(struct output *output);

/* A file that grows by a row with each run, and is complete after each. */
struct row_file {
    FILE *file;                     /* where to write; NULL: not open */
    struct output stream;           /* a file that is written directly, otherwise not open */
    const char *option, *path;
    char *all;                      /* all rows, which replace the file */
    size_t length, written;
};

int rows_open(struct row_file *rows, const char *option, const char *path, char text[COMMAND_TEXT]);
/* Makes the rows visible to others: at once for a file that is written directly; for a file that is replaced, if `now`, otherwise
   when it is closed. */
int rows_publish(struct row_file *rows, bool now, char text[COMMAND_TEXT]);
int rows_close(struct row_file *rows, char text[COMMAND_TEXT]);

#endif
