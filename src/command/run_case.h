/* Running what the command line asks for: one problem after another, each so many times. */
#ifndef OMPFACT_SRC_COMMAND_RUN_CASE_H
#define OMPFACT_SRC_COMMAND_RUN_CASE_H

#include "src/command/session.h"

/* Exit statuses beside 0: COMMAND_USAGE is 2. */
enum { COMMAND_NUMERICAL = 1 };

/* Collective: the whole sweep. 0, COMMAND_NUMERICAL, or COMMAND_USAGE and one line that is the same on every rank. */
int run_sweep(struct session *session, char text[COMMAND_TEXT]);

/* Local, without MPI and a grid: the dry runs of the sweep. */
int dry_run_sweep(const struct options *options, char text[COMMAND_TEXT]);

#endif
