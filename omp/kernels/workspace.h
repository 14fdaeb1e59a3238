/* Workspace of kernels, not much larger than a tile. A thread keeps its workspace, because new memory costs a page fault for
   each page. The team that the thread belongs to frees it at the end of its work (omp/threads.c, omp/team/team.c). */
#ifndef OMPFACT_OMP_KERNELS_WORKSPACE_H
#define OMPFACT_OMP_KERNELS_WORKSPACE_H

#include <stddef.h>

/* Returns at least so many bytes, aligned to 64, until the same thread returns them by workspace_give. NULL: no memory. */
void *workspace_take(size_t bytes) __attribute__((malloc, alloc_size(1), assume_aligned(64)));
/* NULL is allowed. */
void workspace_give(void *memory);
/* Frees the workspace that the calling thread keeps. */
void workspace_free(void);

#endif
