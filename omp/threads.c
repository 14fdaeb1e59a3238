/* Work for threads that is no run. */
#include "omp/kernels/workspace.h"
#include "omp/run.h"

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
