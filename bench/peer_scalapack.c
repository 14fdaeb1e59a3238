/*
 * usage: mpiexec -n NPROW*NPCOL peer_scalapack potrf|getrf N NB NPROW NPCOL
 *
 * PDPOTRF or PDGETRF on a process grid, blocks of NB x NB: one uncounted run, then one that is timed, from a barrier until the last
 * process is done. Prints time_s, gflops and info. bench/peers compiles and runs it.
 */
#include "peer_matrix.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int nprow, int npcol);
void Cblacs_gridinfo(int context, int *nprow, int *npcol, int *myrow, int *mycol);
void Cblacs_gridexit(int context);
int numroc_(const int *n, const int *nb, const int *iproc, const int *isrcproc, const int *nprocs);
void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb, const int *irsrc, const int *icsrc,
               const int *ictxt, const int *lld, int *info);
void pdpotrf_(const char *uplo, const int *n, double *a, const int *ia, const int *ja, const int *desca, int *info, size_t);
void pdgetrf_(const int *m, const int *n, double *a, const int *ia, const int *ja, const int *desca, int *ipiv, int *info);

struct matrix {
    int cholesky, n, nb, nprow, npcol, myrow, mycol, rows, columns, lld;
    int desc[9];
    double *a;
    int *ipiv;
};

/* The global index of a local one: blocks are dealt out in turn. */
static int64_t global_index(int local, int nb, int me, int processes)
{
    return ((int64_t)(local / nb) * processes + me) * nb + local % nb;
}

static void fill(struct matrix *A)
{
    for (int j = 0; j < A->columns; j++) {
        int64_t column = global_index(j, A->nb, A->mycol, A->npcol);
        for (int i = 0; i < A->rows; i++)
            A->a[i + (int64_t)j * A->lld] = peer_entry(A->cholesky, A->n, global_index(i, A->nb, A->myrow, A->nprow), column);
    }
}

static double factor(struct matrix *A, int *info)
{
    const int one = 1;
    fill(A);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    if (A->cholesky)
        pdpotrf_("L", &A->n, A->a, &one, &one, A->desc, info, 1);
    else
        pdgetrf_(&A->n, &A->n, A->a, &one, &one, A->desc, A->ipiv, info);
    double mine = MPI_Wtime() - start, longest;
    MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return longest;
}

static int allocate(struct matrix *A, int context)
{
    const int zero = 0;
    int info;
    A->rows = numroc_(&A->n, &A->nb, &A->myrow, &zero, &A->nprow);
    A->columns = numroc_(&A->n, &A->nb, &A->mycol, &zero, &A->npcol);
    A->lld = A->rows > 1 ? A->rows : 1;
    descinit_(A->desc, &A->n, &A->n, &A->nb, &A->nb, &zero, &zero, &context, &A->lld, &info);
    A->a = malloc(((size_t)A->lld * (size_t)A->columns + 1) * sizeof *A->a);
    A->ipiv = malloc((size_t)(A->rows + A->nb) * sizeof *A->ipiv);
    return info == 0 && A->a != NULL && A->ipiv != NULL;
}

int main(int argc, char **argv)
{
    int ranks, rank, context, info = 0;
    struct matrix A = { 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 6) {
        A.cholesky = strcmp(argv[1], "potrf") == 0;
        A.n = atoi(argv[2]);
        A.nb = atoi(argv[3]);
        A.nprow = atoi(argv[4]);
        A.npcol = atoi(argv[5]);
    }
    if (A.n < 1 || A.nb < 1 || A.nprow < 1 || A.nprow * A.npcol != ranks) {
        if (rank == 0)
            fprintf(stderr, "usage: mpiexec -n NPROW*NPCOL peer_scalapack potrf|getrf N NB NPROW NPCOL\n");
        MPI_Finalize();
        return 2;
    }
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", A.nprow, A.npcol);
    Cblacs_gridinfo(context, &A.nprow, &A.npcol, &A.myrow, &A.mycol);
    if (!allocate(&A, context)) {
        fprintf(stderr, "peer_scalapack: no memory for order %d\n", A.n);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    double seconds = 0;
    for (int run = 0; run < 2; run++)
        seconds = factor(&A, &info);
    if (rank == 0)
        printf("{\"time_s\": %.9f, \"gflops\": %.6f, \"info\": %d}\n", seconds, 1e-9 * peer_flops(A.cholesky, A.n) / seconds, info);
    free(A.a);
    free(A.ipiv);
    Cblacs_gridexit(context);
    MPI_Finalize();
    return 0;
}
