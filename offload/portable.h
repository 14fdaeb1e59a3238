/* Functions of the host for kernels that are plain target regions (regions.c). */
#ifndef OMPFACT_OFFLOAD_PORTABLE_H
#define OMPFACT_OFFLOAD_PORTABLE_H

#include <stdbool.h>
#include <stddef.h>

/* OpenMP's number of the device of the lane that this thread has begun, or -1 after a failure. */
int portable_begin(void);

/* Whether a region has failed to run, now or before. This is a failure of the devices. */
bool portable_end(void);

/* Memory of a device for one kernel. NULL, and a failure, if there is none. */
void *portable_scratch(int device, size_t bytes);
void portable_free(int device, void *data);

/* Copies of two lists of row numbers, from[count] and to[count], one behind the other; a list that is NULL is not copied. */
int *portable_lists(int device, int count, const int *from, const int *to);

#endif
