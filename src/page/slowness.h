/* Compares ranks by the times of their tasks. */
#ifndef OMPFACT_SRC_PAGE_SLOWNESS_H
#define OMPFACT_SRC_PAGE_SLOWNESS_H

#include "src/page/page_data.h"

/* The time of a rank's tasks over the median time of the same flops of the same kernels on the other ranks; NAN: no other rank
   has such tasks. */
double slowness_of(const struct page_data *data, int rank);
/* Mean seconds of tasks of a rank's tracks, and the median of these for the other ranks. */
double load_of(const struct page_data *data, int rank);
double usual_load(const struct page_data *data, int but_of);

#endif
