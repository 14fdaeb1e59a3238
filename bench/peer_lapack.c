/*
 * usage: peer_lapack potrf|getrf|geqrf|gemm N|MxN
 *
 * Measures DPOTRF, DGETRF or DGEQRF of the linked LAPACK, or its DGEMM: one run without a measurement, then one with. Prints
 * time_s, gflops and info. The BLAS chooses the number of threads (OPENBLAS_NUM_THREADS). bench/peers compiles and runs this
 * program.
 */
#include "peer_matrix.h"

#include <stdlib.h>
#include <time.h>

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work, const int *lwork, int *info);
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *b, const int *ldb, const double *beta, double *c, const int *ldc,
            size_t, size_t);

struct matrix {
    enum peer_routine routine;
    int m, n, lwork;
    double *a, *tau, *work;
    int *ipiv;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fill(const struct matrix *A, double *a)
{
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++)
            a[i + j * A->m] = peer_entry(A->routine, A->m, i, j);
}

static double factor(const struct matrix *A, int *info)
{
    fill(A, A->a);
    double start = now();
    if (A->routine == PEER_POTRF)
        dpotrf_("L", &A->n, A->a, &A->m, info, 1);
    else if (A->routine == PEER_GETRF)
        dgetrf_(&A->m, &A->n, A->a, &A->m, A->ipiv, info);
    else
        dgeqrf_(&A->m, &A->n, A->a, &A->m, A->tau, A->work, &A->lwork, info);
    return now() - start;
}

/* B follows A, and C follows B. */
static double multiply(int n, double *a)
{
    const double one = 1;
    size_t size = (size_t)n * (size_t)n;
    double start = now();
    dgemm_("N", "N", &n, &n, &n, &one, a, &n, a + size, &n, &one, a + 2 * size, &n, 1, 1);
    return now() - start;
}

static int workspace(const struct matrix *A)
{
    const int query = -1;
    int info;
    double size;
    dgeqrf_(&A->m, &A->n, A->a, &A->m, A->tau, &size, &query, &info);
    return (int)size;
}

/* Allocates memory for `count` matrices. */
static int allocate(struct matrix *A, int count)
{
    size_t less = (size_t)(A->m < A->n ? A->m : A->n);
    A->a = malloc((size_t)count * (size_t)A->m * (size_t)A->n * sizeof *A->a);
    A->ipiv = malloc(less * sizeof *A->ipiv);
    A->tau = malloc(less * sizeof *A->tau);
    A->lwork = workspace(A);
    A->work = malloc((size_t)A->lwork * sizeof *A->work);
    return A->a != NULL && A->ipiv != NULL && A->tau != NULL && A->work != NULL;
}

int main(int argc, char **argv)
{
    struct matrix A = { 0 };
    int gemm = argc == 3 && strcmp(argv[1], "gemm") == 0, info = 0;
    A.routine = argc == 3 ? peer_routine(argv[1]) : PEER_NONE;
    if ((A.routine == PEER_NONE && !gemm) || !peer_size(argv[2], &A.m, &A.n) ||
        (A.m != A.n && (gemm || A.routine == PEER_POTRF))) {
        fprintf(stderr, "usage: peer_lapack potrf|getrf|geqrf|gemm N|MxN; potrf and gemm need N\n");
        return 2;
    }
    if (!allocate(&A, gemm ? 3 : 1)) {
        fprintf(stderr, "peer_lapack: no memory for %d x %d\n", A.m, A.n);
        return 1;
    }
    size_t size = (size_t)A.m * (size_t)A.n;
    for (size_t part = 0; gemm && part < 3; part++)
        fill(&A, A.a + part * size);
    double seconds = 0;
    for (int run = 0; run < 2; run++)
        seconds = gemm ? multiply(A.n, A.a) : factor(&A, &info);
    double flops = gemm ? 2.0 * A.n * A.n * A.n : peer_flops(A.routine, A.m, A.n);
    printf("{\"time_s\": %.9f, \"gflops\": %.6f, \"info\": %d}\n", seconds, 1e-9 * flops / seconds, info);
    free(A.a);
    free(A.ipiv);
    free(A.tau);
    free(A.work);
    return 0;
}
