#include "omp/kernels/workspace.h"

#include <stdlib.h>

enum { ALIGNMENT = 64 };

static _Thread_local struct {
    void *memory;
    size_t bytes;
} own;

void *kernel_workspace(size_t bytes)
{
    if (bytes > own.bytes) {
        kernel_workspace_free();
        bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        own.memory = aligned_alloc(ALIGNMENT, bytes);
        own.bytes = own.memory != NULL ? bytes : 0;
    }
    return own.memory;
}

void kernel_workspace_free(void)
{
    free(own.memory);
    own.memory = NULL;
    own.bytes = 0;
}
