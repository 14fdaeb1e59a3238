/* Checks of the files that a command line names, before the command uses them. */
#ifndef OMPFACT_SRC_COMMAND_FILES_H
#define OMPFACT_SRC_COMMAND_FILES_H

#include "src/command/options.h"

/* Local, for one rank. Checks that all files to read can be opened and all files to write can be written, that no file to
   write is another file of the command line, and that --checkpoint replaces no unfinished checkpoint. Changes no file.
   Returns 0, or COMMAND_USAGE and one line in text. */
int files_check(const struct options *o, char text[COMMAND_TEXT]);

#endif
