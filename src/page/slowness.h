/* How ranks compare with each other, by the times of their tasks. */
#ifndef OMPFACT_SRC_PAGE_SLOWNESS_H
#define OMPFACT_SRC_PAGE_SLOWNESS_H

#include "src/page/page_data.h"

/* How many times as long a rank's tasks take as the same flops of the same kernels on the others, whose median counts; NAN:
   nobody else has such tasks. */
double slowness_of(const struct page_data *data, int rank);
/* Seconds of tasks of a rank's tracks, on average; and of the other ranks their median. */
double load_of(const struct page_data *data, int rank);
double usual_load(const struct page_data *data, int but_of);

#endif
