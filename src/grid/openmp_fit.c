/* Checks that OpenMP's runtime provides the tasks that runs need, and that the threads' stacks are large enough. Otherwise the
   program would crash without a message, or wait for ever. */
#define _GNU_SOURCE     /* pthread_getattr_np */
#include "src/grid/grid.h"
#include "src/process/openmp_variables.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

/* Free bytes of the calling thread's stack; SIZE_MAX: not known. */
static size_t left_here(void)
{
    pthread_attr_t attributes;
    void *lowest;
    size_t bytes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return SIZE_MAX;
    bool known = pthread_attr_getstack(&attributes, &lowest, &bytes) == 0;
    pthread_attr_destroy(&attributes);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return known && here > (uintptr_t)lowest ? here - (uintptr_t)lowest : SIZE_MAX;
}

ompfact_status openmp_check(char *message)
{
    const char *other = run_other_runtime();
    size_t here = left_here();
    if (other != NULL)
        snprintf(message, MESSAGE,
                 "%.200s was linked before LLVM's OpenMP runtime: link LLVM's first, or link libompfact.so",
                 other);
    else if (openmp_no_tasks())
        snprintf(message, MESSAGE,
                 "KMP_TASKING in the environment turns off tasks in OpenMP's runtime: unset it, or set it to 2");
    else if (here < STACK_BYTES)
        snprintf(message, MESSAGE,
                 "the calling thread's stack has %zu KiB left, %d are needed: ulimit -s 8192, or a larger one for that thread",
                 here >> 10, STACK_BYTES >> 10);
    else
        return OMPFACT_SUCCESS;
    return OMPFACT_BAD_ARGUMENT;
}

ompfact_status openmp_check_stacks(int threads, char *message)
{
    size_t bytes = threads > 1 ? run_stack_bytes() : SIZE_MAX;
    if (bytes >= STACK_BYTES)
        return OMPFACT_SUCCESS;
    snprintf(message, MESSAGE, "stacks of OpenMP's threads have %zu KiB, %d are needed: set OMP_STACKSIZE=4M, or unset it",
             bytes >> 10, STACK_BYTES >> 10);
    return OMPFACT_BAD_ARGUMENT;
}
