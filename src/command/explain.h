/* --explain: what layouts there were to choose from, and why it is this one. Local. */
#ifndef OMPFACT_SRC_COMMAND_EXPLAIN_H
#define OMPFACT_SRC_COMMAND_EXPLAIN_H

#include "src/command/options.h"
#include "src/command/report.h"
#include "src/command/speeds.h"
#include "src/ompfact.h"

/* Where --explain is given, writes a small table and why one of them is taken: with the report's table, or where there is none to
   stderr. Returns 0, or COMMAND_USAGE and one line in text. */
int explain_layout(const struct report *report, const struct options *options, const struct problem *problem, const struct speeds *speeds,
                   const ompfact_matrix *A, char text[COMMAND_TEXT]);
/* The same of how a layout for ranks of unequal speed came about; nothing of another one. explain_plan.c */
int explain_plan(FILE *out, const ompfact_shape *shape, const ompfact_matrix *A, char text[COMMAND_TEXT]);
/* Where explanations go. */
FILE *explain_file(const struct report *report);

#endif
