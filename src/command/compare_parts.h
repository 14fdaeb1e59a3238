/* Inside ompfact compare: runs, which of two files are set against each other, and what their times prove. */
#ifndef OMPFACT_SRC_COMMAND_COMPARE_PARTS_H
#define OMPFACT_SRC_COMMAND_COMPARE_PARTS_H

#include "src/command/report.h"

struct compared_run {
    char *line;                 /* what the facts' texts point into; NULL: into the trace */
    struct facts facts;
    bool paired;
};

/* Of A and of B. One of them may be NULL: a run that the other file lacks. */
struct compared_pair {
    const struct compared_run *run[2];
};

/* Says of each problem, tile size and layout whether the times of its runs tell A from B: one run each is no evidence. */
void compare_weigh(FILE *out, const struct compared_pair *pairs, int count);

#endif
