/* Memory that a kernel works in: one piece for each thread, which grows and stays. */
#ifndef OMPFACT_OMP_KERNELS_WORKSPACE_H
#define OMPFACT_OMP_KERNELS_WORKSPACE_H

#include <stddef.h>

/* The calling thread's, until its next call; what was in it is lost. NULL: there is no memory. */
void *kernel_workspace(size_t bytes);
/* Gives the calling thread's back. */
void kernel_workspace_free(void);

#endif
