/* Pages of runs, and traces that carry what these show: src/page/page.h. */
#ifndef OMPFACT_SRC_COMMAND_WRITE_PAGE_H
#define OMPFACT_SRC_COMMAND_WRITE_PAGE_H

#include "src/command/refuse.h"
#include "src/page/page.h"

struct instance;

/* Local: what a trace or a page tells of a run beside events; it borrows from the instance, whose facts are of the run. cores:
   of a node; node_of: of each rank. NULL: no memory. */
struct page_data *page_of_instance(const struct instance *x, int cores, const int *node_of);
/* Local: that as a member of a trace's file, with a comma behind. */
void write_other_data(FILE *out, const struct page_data *data);

/* Collective: --trace and --report of the last factorization. 0, or COMMAND_USAGE and a line. */
int write_trace_and_page(struct instance *x, char text[COMMAND_TEXT]);

/* Local: ompfact report [--summary] TRACE.json [FILE.html]; file NULL: the trace's name with .html, or where the summary goes to
   stdout no page. */
int page_of_trace(const char *trace, const char *file, bool summary, char text[COMMAND_TEXT]);
/* Local: the page of a comparison. */
int page_of_two(const char *file, const struct page_side *a, const struct page_side *b, char text[COMMAND_TEXT]);

#endif
