#include "src/command/gemm_rate.h"

#include "omp/kernels.h"
#include "omp/run.h"

#include <stdlib.h>
#include <time.h>

enum { ORDER = 1536 };      /* large enough for GEMM's full rate */

struct measurement {
    const struct kernels *kernels;
    double *rate;           /* of each thread */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(void *context, int64_t thread)
{
    const struct measurement *m = context;
    size_t bytes = (size_t)ORDER * ORDER * m->kernels->size;
    void *A = calloc(1, bytes), *B = calloc(1, bytes), *C = calloc(1, bytes);
    m->rate[thread] = 0;
    if (A != NULL && B != NULL && C != NULL) {
        for (int i = 0; i < 2; i++)     /* touches the pages, wakes the core */
            m->kernels->gemm(NO_TRANS, NO_TRANS, ORDER, ORDER, ORDER / 8, 1, A, ORDER, B, ORDER, C, ORDER);
        double start = now(), seconds;
        int times = 0;
        do {
            m->kernels->gemm(NO_TRANS, NO_TRANS, ORDER, ORDER, ORDER, 1, A, ORDER, B, ORDER, C, ORDER);
            times++;
            seconds = now() - start;
        } while (seconds < 0.25);
        m->rate[thread] = 2e-9 * ORDER * ORDER * ORDER * times * m->kernels->flops_scale / seconds;
    }
    free(A);
    free(B);
    free(C);
}

double gemm_rate(int threads, char type)
{
    struct measurement m = { .kernels = host_kernels(type), .rate = calloc((size_t)threads, sizeof *m.rate) };
    double sum = 0;
    if (m.rate == NULL)
        return 0;
    run_each(threads, threads, measure, &m);
    for (int i = 0; i < threads; i++)
        sum += m.rate[i];
    free(m.rate);
    return sum;
}
