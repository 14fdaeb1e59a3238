/* --explain: what layouts there were to choose from, and why it is this one;
   what is known of the machine, and what that changes. Local. */
#ifndef OMPFACT_SRC_COMMAND_EXPLAIN_H
#define OMPFACT_SRC_COMMAND_EXPLAIN_H

#include "src/command/limit_lines.h"

/* Of a run, with what it cannot be faster than; of a dry run, whose plan has its bounds. Writes all of it with the report's
   table, or where there is none to stderr. Returns 0, or COMMAND_USAGE and one line in text. */
int explain_run(const struct instance *x, const ompfact_outlook *outlook, const struct limits *limits, char text[COMMAND_TEXT]);
int explain_dry(const struct instance *x, char text[COMMAND_TEXT]);

#endif
