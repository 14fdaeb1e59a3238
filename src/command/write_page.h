/* Pages of runs, and traces with the data of these pages: src/page/page.h. */
#ifndef OMPFACT_SRC_COMMAND_WRITE_PAGE_H
#define OMPFACT_SRC_COMMAND_WRITE_PAGE_H

#include "src/command/refuse.h"
#include "src/page/page.h"

struct instance;

/* Local: writes --trace of a simulation. 0, or COMMAND_USAGE and a line. */
int write_simulated_trace(struct instance *x, char text[COMMAND_TEXT]);
/* Collective: writes --trace and --report of the last factorization. 0, or COMMAND_USAGE and a line. */
int write_trace_and_page(struct instance *x, char text[COMMAND_TEXT]);

/* Local: ompfact report [--summary] TRACE.json [FILE.html]. file NULL: the trace's name with .html, or no page if the summary
   goes to stdout. */
int page_of_trace(const char *trace, const char *file, bool summary, char text[COMMAND_TEXT]);
/* Local: writes the page of a comparison. */
int page_of_two(const char *file, const struct page_side *a, const struct page_side *b, char text[COMMAND_TEXT]);

#endif
