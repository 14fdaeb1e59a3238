/* The limit of a run, in one sentence, from its trace alone: cause.c has the reasoning. */
#ifndef OMPFACT_SRC_PAGE_CAUSE_H
#define OMPFACT_SRC_PAGE_CAUSE_H

#include "src/page/page_data.h"

enum { CAUSE_SENTENCE = 301, CAUSE_ADVICE = 320 };     /* characters, including the terminating zero */

struct cause {
    const char *by;                 /* rank, panel, wire, chain, tiles, balance or work */
    int rank;                       /* the rank that is responsible; -1: no single rank */
    char sentence[CAUSE_SENTENCE];
    char advice[CAUSE_ADVICE];      /* advice that may help */
};

struct cause find_cause(const struct page_data *data);

/* Seconds of the longest chain of tasks, by their mean times and without transfers. */
double chain_of(const struct page_data *data);

/* slowness.c: the time of a rank's tasks over the median time of the same flops of the same kernels on the other ranks; NAN: no
   other rank has such tasks. */
double slowness_of(const struct page_data *data, int rank);
/* Mean seconds of tasks of a rank's tracks, and the median of these for the other ranks. */
double load_of(const struct page_data *data, int rank);
double usual_load(const struct page_data *data, int but_of);

#endif
