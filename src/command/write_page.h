/* Pages of runs, and traces that carry what these show: src/page/page.h. */
#ifndef OMPFACT_SRC_COMMAND_WRITE_PAGE_H
#define OMPFACT_SRC_COMMAND_WRITE_PAGE_H

#include "src/command/refuse.h"
#include "src/page/page.h"

struct instance;

/* Local: --trace of a simulation. 0, or COMMAND_USAGE and a line. */
int write_simulated_trace(struct instance *x, char text[COMMAND_TEXT]);
/* Collective: --trace and --report of the last factorization. 0, or COMMAND_USAGE and a line. */
int write_trace_and_page(struct instance *x, char text[COMMAND_TEXT]);

/* Local: ompfact report [--summary] TRACE.json [FILE.html]; file NULL: the trace's name with .html, or where the summary goes to
   stdout no page. */
int page_of_trace(const char *trace, const char *file, bool summary, char text[COMMAND_TEXT]);
/* Local: the page of a comparison. */
int page_of_two(const char *file, const struct page_side *a, const struct page_side *b, char text[COMMAND_TEXT]);

#endif
