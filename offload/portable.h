/* What kernels that are plain target regions (regions.c) need of the host. */
#ifndef OMPFACT_OFFLOAD_PORTABLE_H
#define OMPFACT_OFFLOAD_PORTABLE_H

#include <stdbool.h>
#include <stddef.h>

/* OpenMP's number of the device of the lane that this thread has begun, or -1 after a failure. */
int portable_begin(void);

/* Did a region fail to run, now or before? It is then the devices' failure. */
bool portable_end(void);

/* Memory of a device for one kernel. NULL, and a failure, where there is none. */
void *portable_scratch(int device, size_t bytes);
void portable_free(int device, void *data);

/* Copies of two lists of row numbers, from[count] and to[count], one after the other; of one that is NULL nothing is copied. */
int *portable_lists(int device, int count, const int *from, const int *to);

#endif
