/* The files that a command line names, before anything is done with them. */
#ifndef OMPFACT_SRC_COMMAND_FILES_H
#define OMPFACT_SRC_COMMAND_FILES_H

#include "src/command/options.h"

/* Local, for one rank: nothing would be written over what is read or written besides, or over the checkpoint of a run that has
   not come to its end, and all that will be written can be. Leaves no trace. 0, or COMMAND_USAGE and one line in text. */
int files_check(const struct options *o, char text[COMMAND_TEXT]);

#endif
