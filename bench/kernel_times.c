/*
 * usage: kernel_times [TYPES [SECONDS [ORDER]]]
 * Rates of the kernels over tile sizes, as CSV: on hot and on cold operands, of one thread and of all cores' threads at once, and
 * as a share of large GEMMs (of ORDER, default 4000) on the same threads. Each is measured twice, for so many seconds (default
 * 0.03), and the better one counts.
 */
#include <stdio.h>
#include <stdlib.h>

#include "omp/kernels/kernels.h"
#include "src/grid/grid.h"
#include "src/machine/gemm_rate.h"
#include "src/machine/kernel_rates.h"

static const int sizes[] = { 192, 224, 256, 320, 336, 384, 448, 512 };

static double measure(struct rate_pool *pool, const struct rate_case *c)
{
    double first = kernel_rate(pool, c), second = kernel_rate(pool, c);
    return first > second ? first : second;
}

static void rates(char type, int threads, double seconds, int order)
{
    struct rate_pool *pool = rate_pool_create(threads);
    double large = gemm_rate_of_order(threads, type, order);
    if (pool == NULL)
        exit(1);
    printf("%c,%d,hot,gemm,%d,%.2f,1\n", type, threads, order, large);
    for (int cold = 0; cold < 2; cold++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (enum rate_kernel kernel = 0; kernel < RATE_KERNELS; kernel++) {
                struct rate_case c = { .type = type, .kernel = kernel, .nb = sizes[s], .cold = cold, .seconds = seconds };
                double rate = measure(pool, &c);
                printf("%c,%d,%s,%s,%d,%.2f,%.3f\n", type, threads, cold ? "cold" : "hot", rate_kernel_name(kernel), sizes[s],
                       rate, rate / large);
                fflush(stdout);
            }
    rate_pool_destroy(&pool);
}

int main(int argc, char **argv)
{
    const char *types = argc > 1 ? argv[1] : "d";
    double seconds = argc > 2 ? atof(argv[2]) : 0.03;
    int order = argc > 3 ? atoi(argv[3]) : 4000, cores = default_threads(1);
    blas_select_kernels();
    printf("type,threads,operands,kernel,nb,gflops,share\n");
    for (; *types != '\0'; types++) {
        rates(*types, 1, seconds, order);
        if (cores > 1)
            rates(*types, cores, seconds, order);
    }
    return 0;
}
