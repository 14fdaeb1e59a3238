/*
 * usage: kernel_times [TYPES [SECONDS [ORDER]]]
 * Prints the rates of the kernels over tile sizes as CSV: on hot and on cold operands, of one thread and of threads on all cores,
 * and their shares of a large GEMM (of ORDER, default 4000) on the same threads. TYPES are letters of sdcz (default d). Each rate
 * is measured twice, for SECONDS (default 0.03), and the better one counts.
 *
 * OPENBLAS=libopenblas.so.0 names a shared library: on one thread, in double precision, its DGEMM is the measure. It runs between
 * any two tile sizes, with a line for its rate and one for BLIS's. It needs OPENBLAS_NUM_THREADS=1 and, on a processor that it
 * does not know, OPENBLAS_CORETYPE.
 *
 * On one thread, in double precision, "blis packed" is the rate of BLIS's own micro-kernel on tiles in its packed form, for tile
 * sizes that are multiples of its rows and columns.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/blis_packed.h"
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

typedef void dgemm_function(const char *transa, const char *transb, const int *m, const int *n, const int *k, const double *alpha,
                            const double *A, const int *lda, const double *B, const int *ldb, const double *beta, double *C,
                            const int *ldc);

dgemm_function dgemm_;      /* of ompfact's BLAS */

static dgemm_function *open_dgemm(const char *library)
{
    void *handle = library != NULL ? dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) : NULL;
    void *symbol = handle != NULL ? dlsym(handle, "dgemm_") : NULL;
    if (library != NULL && symbol == NULL) {
        fprintf(stderr, "kernel_times: no dgemm_ in %s: %s\n", library, dlerror());
        exit(1);
    }
    dgemm_function *dgemm;
    *(void **)&dgemm = symbol;
    return dgemm;
}

static double dgemm_rate(dgemm_function *dgemm, int n)
{
    size_t elements = (size_t)n * (size_t)n;
    double *A = calloc(elements, sizeof *A), *C = calloc(elements, sizeof *C), best = 0;
    struct timespec from, to;
    for (int i = 0; A != NULL && C != NULL && i < 3; i++) {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        dgemm("N", "N", &n, &n, &n, &(double){ 1 }, A, &n, A, &n, &(double){ 0 }, C, &n);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        double rate = 2e-9 * n * n * n / ((double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec));
        best = rate > best ? rate : best;
    }
    free(A);
    free(C);
    return best;
}

static void rates(char type, int threads, double seconds, int order, dgemm_function *dgemm)
{
    struct rate_pool *pool = rate_pool_create(threads);
    bool ours = dgemm == NULL || type != 'd' || threads > 1;
    double large = ours ? gemm_rate_of_order(threads, type, order) : 0;
    if (pool == NULL)
        exit(1);
    if (ours)
        printf("%c,%d,hot,gemm,%d,%.2f,1\n", type, threads, order, large);
    for (int cold = 0; cold < 2; cold++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            if (!ours) {
                double blis = dgemm_rate(dgemm_, order);
                large = dgemm_rate(dgemm, order);
                printf("%c,%d,hot,dgemm,%d,%.2f,1\n%c,%d,hot,blis,%d,%.2f,%.3f\n", type, threads, order, large, type, threads,
                       order, blis, blis / large);
            }
            for (enum rate_kernel kernel = 0; kernel < RATE_KERNELS; kernel++) {
                struct rate_case c = { .type = type, .kernel = kernel, .nb = sizes[s], .cold = cold, .seconds = seconds };
                double rate = measure(pool, &c);
                printf("%c,%d,%s,%s,%d,%.2f,%.3f\n", type, threads, cold ? "cold" : "hot", rate_kernel_name(kernel), sizes[s],
                       rate, rate / large);
                fflush(stdout);
            }
            double packed = type == 'd' && threads == 1 ? blis_packed_rate(sizes[s], cold, 2 * seconds) : 0;
            if (packed > 0)
                printf("d,1,%s,blis packed,%d,%.2f,%.3f\n", cold ? "cold" : "hot", sizes[s], packed, packed / large);
        }
    rate_pool_destroy(&pool);
}

int main(int argc, char **argv)
{
    const char *types = argc > 1 ? argv[1] : "d";
    double seconds = argc > 2 ? atof(argv[2]) : 0.03;
    int order = argc > 3 ? atoi(argv[3]) : 4000, cores = default_threads(1);
    if (types[strspn(types, "sdcz")] != '\0' || seconds <= 0 || order <= 0) {
        fprintf(stderr, "usage: kernel_times [TYPES [SECONDS [ORDER]]]\n");
        return 2;
    }
    dgemm_function *dgemm = open_dgemm(getenv("OPENBLAS"));
    blas_select_kernels();
    printf("type,threads,operands,kernel,nb,gflops,share\n");
    for (; *types != '\0'; types++) {
        rates(*types, 1, seconds, order, dgemm);
        if (cores > 1)
            rates(*types, cores, seconds, order, dgemm);
    }
    return 0;
}
