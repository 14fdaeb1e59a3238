/* What limited a run, in one sentence, from its trace alone: cause.c has the reasoning. */
#ifndef OMPFACT_SRC_PAGE_CAUSE_H
#define OMPFACT_SRC_PAGE_CAUSE_H

#include "src/page/page_data.h"

enum { CAUSE_SENTENCE = 301 };      /* characters, the end included */

struct cause {
    const char *by;                 /* rank, panel, wire, chain, tiles, balance or work */
    int rank;                       /* whose doing it is; -1: nobody's alone */
    char sentence[CAUSE_SENTENCE];
    const char *advice;             /* what may help */
};

struct cause find_cause(const struct page_data *data);

/* Of a rank: how many times as long its tasks take as the same flops of the same kernels on the others; NAN: nobody else has
   such tasks. */
double slowness_of(const struct page_data *data, int rank);
/* Seconds of the longest chain of tasks, by their mean times and without transfers. */
double chain_of(const struct page_data *data);

#endif
