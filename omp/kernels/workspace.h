/* Memory that kernels work in, not much larger than a tile. A thread keeps what it has had, for fresh memory costs a page fault
   for each page every time, until the team it belongs to has done its work and frees it (omp/threads.c, omp/team/team.c). */
#ifndef OMPFACT_OMP_KERNELS_WORKSPACE_H
#define OMPFACT_OMP_KERNELS_WORKSPACE_H

#include <stddef.h>

/* At least so many bytes, aligned to 64, until the same thread gives them back. NULL: there is no memory. */
void *workspace_take(size_t bytes) __attribute__((malloc, alloc_size(1), assume_aligned(64)));
/* NULL is allowed. */
void workspace_give(void *memory);
/* Frees what the calling thread keeps. */
void workspace_free(void);

#endif
