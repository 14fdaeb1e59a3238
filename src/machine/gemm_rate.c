#include "src/machine/gemm_rate.h"

#include "src/grid/grid.h"
#include "src/machine/kernel_rates.h"

#include <math.h>
#include <stdlib.h>

/* FEW: most threads. LARGE_BYTES: bytes of each of a thread's two matrices, an order of 512 (z) to 1024 (s), nearly enough for
   GEMM's full rate. */
enum { FEW = 4, LARGE_BYTES = 4 << 20 };

struct measurement {
    const struct precision *precision;
    int order;
    clockid_t clock;
    double seconds;         /* measured time after which a thread ends */
    double *rate;           /* rate of each thread */
};

/* C = A A, which needs only two matrices. */
static void multiply(const struct measurement *m, int k, const void *A, void *C)
{
    m->precision->kernels->gemm(NO_TRANS, NO_TRANS, m->order, m->order, k, 1, A, m->order, A, m->order, C, m->order);
}

static void measure(void *context, int thread)
{
    const struct measurement *m = context;
    int n = m->order;
    size_t bytes = (size_t)n * (size_t)n * m->precision->size;
    void *A = calloc(1, bytes), *C = calloc(1, bytes);
    m->rate[thread] = 0;
    if (A != NULL && C != NULL) {
        multiply(m, n / 8, A, C);       /* touches the pages, wakes the core */
        double start = clock_seconds(m->clock), seconds;
        int times = 0;
        do {
            multiply(m, n, A, C);
            times++;
            seconds = clock_seconds(m->clock) - start;
        } while (seconds < m->seconds);
        m->rate[thread] = 2e-9 * n * n * n * times * m->precision->flops_scale / seconds;
    }
    free(A);
    free(C);
}

/* The rate of all threads together. */
static double rate_of(int threads, struct measurement m)
{
    double sum = 0;
    m.rate = calloc((size_t)threads, sizeof *m.rate);
    if (m.rate == NULL)
        return 0;
    run_on_threads(threads, measure, &m);
    for (int i = 0; i < threads; i++)
        sum += m.rate[i];
    free(m.rate);
    return sum;
}

double gemm_rate(int cores, char type, double seconds)
{
    const struct precision *precision = precision_of(type);
    int threads = cores < FEW ? cores : FEW, order = (int)sqrt((double)LARGE_BYTES / (double)precision->size);
    return rate_of(threads, (struct measurement){ precision, order, CLOCK_MONOTONIC, seconds, NULL }) * cores / threads;
}

ompfact_status ompfact_gemm_rate(ompfact_grid *grid, char type, double seconds, double *gflops)
{
    if (precision_of(type) == NULL)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "a matrix's type is one of s, d, c, z");
    int threads = grid->settings.threads;
    *gflops = gemm_rate(threads < grid->cores ? threads : grid->cores, type, seconds);
    TRY_MPI(grid, rma_allreduce(grid->rma, gflops, 1, MPI_DOUBLE, MPI_SUM));
    return OMPFACT_SUCCESS;
}

double gemm_rate_of_order(int threads, char type, int order)
{
    return rate_of(threads, (struct measurement){ precision_of(type), order, CLOCK_THREAD_CPUTIME_ID, 0.25, NULL });
}
