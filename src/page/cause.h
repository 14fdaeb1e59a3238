/* What limited a run, in one sentence, from its trace alone: cause.c has the reasoning. */
#ifndef OMPFACT_SRC_PAGE_CAUSE_H
#define OMPFACT_SRC_PAGE_CAUSE_H

#include "src/page/page_data.h"

enum { CAUSE_SENTENCE = 301, CAUSE_ADVICE = 320 };     /* characters, the end included */

struct cause {
    const char *by;                 /* rank, panel, wire, chain, tiles, balance or work */
    int rank;                       /* whose doing it is; -1: nobody's alone */
    char sentence[CAUSE_SENTENCE];
    char advice[CAUSE_ADVICE];      /* what may help */
};

struct cause find_cause(const struct page_data *data);

/* Seconds of the longest chain of tasks, by their mean times and without transfers. */
double chain_of(const struct page_data *data);

#endif
