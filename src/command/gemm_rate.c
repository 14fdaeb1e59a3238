#include "src/command/gemm_rate.h"

#include "omp/kernels.h"
#include "omp/run.h"

#include <stdlib.h>
#include <time.h>

enum { LARGE = 1536 };      /* large enough for GEMM's full rate */

struct measurement {
    const struct kernels *kernels;
    int order;
    clockid_t clock;
    double *rate;           /* of each thread */
};

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(void *context, int thread)
{
    const struct measurement *m = context;
    int n = m->order;
    size_t bytes = (size_t)n * (size_t)n * m->kernels->size;
    void *A = calloc(1, bytes), *B = calloc(1, bytes), *C = calloc(1, bytes);
    m->rate[thread] = 0;
    if (A != NULL && B != NULL && C != NULL) {
        for (int i = 0; i < 2; i++)     /* touches the pages, wakes the core */
            m->kernels->gemm(NO_TRANS, NO_TRANS, n, n, n / 8, 1, A, n, B, n, C, n);
        double start = now(m->clock), seconds;
        int times = 0;
        do {
            m->kernels->gemm(NO_TRANS, NO_TRANS, n, n, n, 1, A, n, B, n, C, n);
            times++;
            seconds = now(m->clock) - start;
        } while (seconds < 0.25);
        m->rate[thread] = 2e-9 * n * n * n * times * m->kernels->flops_scale / seconds;
    }
    free(A);
    free(B);
    free(C);
}

static double rate_of(int threads, char type, int order, clockid_t clock)
{
    struct measurement m = { .kernels = host_kernels(type), .order = order, .clock = clock,
                             .rate = calloc((size_t)threads, sizeof *m.rate) };
    double sum = 0;
    if (m.rate == NULL)
        return 0;
    run_on_threads(threads, measure, &m);
    for (int i = 0; i < threads; i++)
        sum += m.rate[i];
    free(m.rate);
    return sum;
}

double gemm_rate(int threads, char type)
{
    return rate_of(threads, type, LARGE, CLOCK_MONOTONIC);
}

double gemm_rate_of_order(int threads, char type, int order)
{
    return rate_of(threads, type, order, CLOCK_THREAD_CPUTIME_ID);
}
