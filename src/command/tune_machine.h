/* --tune: prints a summary of the measurements, and writes all of them to a file. */
#ifndef OMPFACT_SRC_COMMAND_TUNE_MACHINE_H
#define OMPFACT_SRC_COMMAND_TUNE_MACHINE_H

#include "src/command/session.h"

/* Collective. 0, or COMMAND_USAGE and one line in text. */
int tune_run(struct session *session, char text[COMMAND_TEXT]);

#endif
