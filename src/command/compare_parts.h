/* Internals of ompfact compare: runs, pairs of runs from two files, and the evidence of their times. */
#ifndef OMPFACT_SRC_COMMAND_COMPARE_PARTS_H
#define OMPFACT_SRC_COMMAND_COMPARE_PARTS_H

#include "src/command/report.h"

struct compared_run {
    char *line;                 /* memory that the facts' texts point into; NULL: they point into the trace */
    struct facts facts;
    bool paired;
};

/* A run of A and a run of B. One of them is NULL if the other file lacks such a run. */
struct compared_pair {
    const struct compared_run *run[2];
};

/* Prints for each problem, tile size and layout whether the times of its runs show a difference of A and B. One run each is no
   evidence. */
void compare_weigh(FILE *out, const struct compared_pair *pairs, int count);

#endif
