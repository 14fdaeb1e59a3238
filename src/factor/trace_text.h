/* The events of a rank as text of a trace's file. */
#ifndef OMPFACT_SRC_FACTOR_TRACE_TEXT_H
#define OMPFACT_SRC_FACTOR_TRACE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "src/ompfact.h"

struct trace;

/* Writes the events of a rank with so many devices as elements of a list, with commas between them. origin: time 0 on the
   trace's clock. False: some events are missing. Local. */
bool trace_text(FILE *file, int rank, double origin, const struct trace *trace, int devices);

#endif
