/*
 * usage: bench/dgemm THREADS [N] [TIMES]        (default N = 4000, once)
 *
 * Prints the rate of C = C + A B of order N in GFLOP/s, TIMES lines, with the kernels of the factorizations: each thread
 * multiplies A by a part of B's columns. bench/peers builds and runs this program: speeds are given as shares of this rate.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "omp/kernels/kernels.h"
#include "omp/run.h"

struct product {
    const struct kernels *kernels;
    int n, threads;
    double *A, *B, *C;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int first_column(const struct product *p, int64_t thread)
{
    return (int)(thread * p->n / p->threads);
}

/* Each thread fills its columns, so that their pages are in its memory. */
static void fill(void *context, int64_t thread)
{
    struct product *p = context;
    int64_t end = (int64_t)first_column(p, thread + 1) * p->n;
    for (int64_t i = (int64_t)first_column(p, thread) * p->n; i < end; i++) {
        p->A[i] = (double)(i % 7) - 3;
        p->B[i] = (double)(i % 5) - 2;
        p->C[i] = 0;
    }
}

static void multiply(void *context, int64_t thread)
{
    struct product *p = context;
    int first = first_column(p, thread), columns = first_column(p, thread + 1) - first;
    int64_t offset = (int64_t)first * p->n;
    if (columns > 0)
        p->kernels->gemm(NO_TRANS, NO_TRANS, p->n, columns, p->n, 1, p->A, p->n, p->B + offset, p->n, p->C + offset, p->n);
}

int main(int argc, char **argv)
{
    struct product p = { .threads = argc > 1 ? atoi(argv[1]) : 0, .n = argc > 2 ? atoi(argv[2]) : 4000 };
    int times = argc > 3 ? atoi(argv[3]) : 1;
    if (p.threads < 1 || p.n < 1 || times < 1 || argc > 4) {
        fprintf(stderr, "usage: dgemm THREADS [N] [TIMES]\n");
        return 2;
    }
    size_t bytes = (size_t)p.n * (size_t)p.n * sizeof(double);
    blas_select_kernels();
    p.kernels = precision_of('d')->kernels;
    p.A = malloc(bytes);
    p.B = malloc(bytes);
    p.C = malloc(bytes);
    if (p.A == NULL || p.B == NULL || p.C == NULL) {
        fprintf(stderr, "dgemm: no memory for three matrices of order %d\n", p.n);
        return 1;
    }
    run_each(p.threads, p.threads, fill, &p);

    struct product small = p;       /* the first call allocates buffers and selects kernels */
    small.n = p.n < 512 ? p.n : 512;
    run_each(p.threads, p.threads, multiply, &small);
    for (int i = 0; i < times; i++) {
        double start = now();
        run_each(p.threads, p.threads, multiply, &p);
        printf("%.3f\n", 2e-9 * p.n * p.n * p.n / (now() - start));
    }
    free(p.A);
    free(p.B);
    free(p.C);
    return 0;
}
