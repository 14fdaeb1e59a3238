/* Work for threads outside runs, and properties of the OpenMP runtime. */
#define _GNU_SOURCE     /* dladdr */
#include "omp/kernels/workspace.h"
#include "omp/run.h"

#include <dlfcn.h>
#include <omp.h>

void run_each(int threads, int64_t count, void (*body)(void *context, int64_t index), void *context)
{
#pragma omp parallel num_threads(threads > 0 ? threads : 1)
    {
#pragma omp for schedule(dynamic)
        for (int64_t i = 0; i < count; i++)
            body(context, i);
        workspace_free();
    }
}

void run_on_threads(int threads, void (*body)(void *context, int thread), void *context)
{
#pragma omp parallel num_threads(threads)
    {
        body(context, omp_get_thread_num());
        workspace_free();
    }
}

size_t run_stack_bytes(void)
{
    return kmp_get_stacksize_s();
}

const char *run_other_runtime(void)
{
    Dl_info openmp, llvm;
    bool known = dladdr((const void *)omp_fulfill_event, &openmp) != 0 && dladdr((const void *)kmp_get_stacksize_s, &llvm) != 0;
    return known && openmp.dli_fbase != llvm.dli_fbase ? openmp.dli_fname : NULL;
}
