/* Pages of runs, and traces that carry what these show: src/page/page.h. */
#ifndef OMPFACT_SRC_COMMAND_WRITE_PAGE_H
#define OMPFACT_SRC_COMMAND_WRITE_PAGE_H

#include "src/command/refuse.h"
#include "src/page/page.h"

struct instance;
struct result;
struct session;
struct ompfact_matrix;

/* Local: keeps a run's row for its trace and page, if any is to be written. 0, or COMMAND_USAGE and a line. */
int keep_row(struct session *session, const struct result *result, char text[COMMAND_TEXT]);

/* Local: what a trace carries beside its events, as a member of its file with a comma behind; row: the object of --json.
   cores: of a node; node_of: of each rank; ranks: [factored], of tiles, each NULL where they are not known. */
void write_other_data(FILE *out, const struct ompfact_matrix *A, const char *row, int cores, const int *node_of,
                      int *const *ranks);

/* Collective: --trace and --report of the last factorization. 0, or COMMAND_USAGE and a line. */
int write_trace_and_page(struct instance *x, char text[COMMAND_TEXT]);

/* Local: ompfact report [--summary] TRACE.json [FILE.html]; file NULL: the trace's name with .html, or where the summary goes to
   stdout no page. */
int page_of_trace(const char *trace, const char *file, bool summary, char text[COMMAND_TEXT]);
/* Local: the page of a comparison. */
int page_of_two(const char *file, const struct page_side *a, const struct page_side *b, char text[COMMAND_TEXT]);

#endif
