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

bool is_stdout(const char *path);   /* NULL is not */

/* Opens nothing where path is NULL. */
int output_open(struct output *output, const char *option, const char *path, char text[COMMAND_TEXT]);
/* Sends what has been written on its way, as far as others can see it. */
int output_flush(const struct output *output, char text[COMMAND_TEXT]);
/* From here on it is there, whole; or what was there before. */
int output_close(struct output *output, char text[COMMAND_TEXT]);
/* What was there before stays. */
void output_drop(struct output *output);

/* A file that grows by a row with each run, and is whole after each. */
struct row_file {
    FILE *file;                     /* where to write; NULL: not open */
    struct output stream;           /* what is written as it is, else not open: */
    const char *option, *path;
    char *all;                      /* all rows, which replace the file */
    size_t length, written;
};

int rows_open(struct row_file *rows, const char *option, const char *path, char text[COMMAND_TEXT]);
/* What has been written so far is there for others to see: of what is written as it is; of a file that is replaced where it is to
   be replaced now, else when it is closed. */
int rows_publish(struct row_file *rows, bool now, char text[COMMAND_TEXT]);
int rows_close(struct row_file *rows, char text[COMMAND_TEXT]);

#endif
