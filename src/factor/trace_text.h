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

/* Who takes the text of one rank after the other, rank 0's first; it may change the text, which is gone afterwards. false: there
   is no point in more. */
typedef bool trace_taker(void *context, char *text, size_t length);

/* Collective: the events of the last factorization on all ranks, handed to take() on rank 0. *taken: whether it took all. Clocks
   are brought to rank 0's, 0 is the start of the first rank. */
ompfact_status trace_collect(ompfact_grid *grid, trace_taker *take, void *context, bool *taken);

/* What stands before the texts in a file, commas between them, and behind them. */
#define TRACE_OPEN "{\"displayTimeUnit\":\"ms\","       /* other members may follow, each with a comma */
#define TRACE_EVENTS "\"traceEvents\":[\n"
#define TRACE_CLOSE "\n]}\n"

#endif
