/*
 * usage: peer_lapack potrf|getrf|gemm N
 *
 * DPOTRF or DGETRF of the LAPACK it is linked with, or its DGEMM: one uncounted run, then one that is timed. Prints time_s, gflops
 * and info. How many threads it takes is the BLAS's affair (OPENBLAS_NUM_THREADS). bench/peers compiles and runs it.
 */
#include "peer_matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k, const double *alpha, const double *a,
            const int *lda, const double *b, const int *ldb, const double *beta, double *c, const int *ldc, size_t, size_t);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fill(int cholesky, int n, double *a)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            a[i + j * n] = peer_entry(cholesky, n, i, j);
}

static double factor(int cholesky, int n, double *a, int *ipiv, int *info)
{
    fill(cholesky, n, a);
    double start = now();
    if (cholesky)
        dpotrf_("L", &n, a, &n, info, 1);
    else
        dgetrf_(&n, &n, a, &n, ipiv, info);
    return now() - start;
}

/* A, B and C stand one after another. */
static double multiply(int n, double *a)
{
    const double one = 1;
    size_t size = (size_t)n * (size_t)n;
    double start = now();
    dgemm_("N", "N", &n, &n, &n, &one, a, &n, a + size, &n, &one, a + 2 * size, &n, 1, 1);
    return now() - start;
}

int main(int argc, char **argv)
{
    int n = argc == 3 ? atoi(argv[2]) : 0, info = 0;
    if (n < 1) {
        fprintf(stderr, "usage: peer_lapack potrf|getrf|gemm N\n");
        return 2;
    }
    int gemm = strcmp(argv[1], "gemm") == 0, cholesky = strcmp(argv[1], "potrf") == 0;
    size_t size = (size_t)n * (size_t)n;
    double *a = malloc((gemm ? 3 : 1) * size * sizeof *a), seconds = 0;
    int *ipiv = malloc((size_t)n * sizeof *ipiv);
    if (a == NULL || ipiv == NULL) {
        fprintf(stderr, "peer_lapack: no memory for order %d\n", n);
        return 1;
    }
    for (int part = 0; gemm && part < 3; part++)
        fill(0, n, a + (size_t)part * size);
    for (int run = 0; run < 2; run++)
        seconds = gemm ? multiply(n, a) : factor(cholesky, n, a, ipiv, &info);
    double flops = gemm ? 2.0 * n * n * n : peer_flops(cholesky, n);
    printf("{\"time_s\": %.9f, \"gflops\": %.6f, \"info\": %d}\n", seconds, 1e-9 * flops / seconds, info);
    free(a);
    free(ipiv);
    return 0;
}
