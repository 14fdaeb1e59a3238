/* What happened on a rank as text of a trace's file. */
#ifndef OMPFACT_SRC_FACTOR_TRACE_TEXT_H
#define OMPFACT_SRC_FACTOR_TRACE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "src/ompfact.h"

struct trace;

/* The events of a rank with so many devices, as the elements of a list, commas between them; origin: the time to call 0, on the
   trace's clock. False: some are missing. Local. */
bool trace_text(FILE *file, int rank, double origin, const struct trace *trace, int devices);

#endif
