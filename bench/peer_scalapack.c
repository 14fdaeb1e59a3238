/*
 * usage: mpiexec -n NPROW*NPCOL peer_scalapack potrf|getrf|geqrf|potri|getri N|MxN NB NPROW NPCOL
 *
 * Measures PDPOTRF, PDGETRF, PDGEQRF, PDPOTRI or PDGETRI on a process grid with blocks of NB x NB: one run without a measurement,
 * then one with, from a barrier until the last process has finished; for an inverse without the factorization. Prints time_s,
 * gflops and info. MPI_Pcontrol(1) and MPI_Pcontrol(0) enclose the measured run. bench/peers and bench/scalapack_names compile
 * and run this program.
 */
#include "peer_matrix.h"

#include <mpi.h>
#include <stdlib.h>

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int nprow, int npcol);
void Cblacs_gridinfo(int context, int *nprow, int *npcol, int *myrow, int *mycol);
void Cblacs_gridexit(int context);
int numroc_(const int *n, const int *nb, const int *iproc, const int *isrcproc, const int *nprocs);
void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb, const int *irsrc, const int *icsrc,
               const int *ictxt, const int *lld, int *info);
void pdpotrf_(const char *uplo, const int *n, double *a, const int *ia, const int *ja, const int *desca, int *info, size_t);
void pdgetrf_(const int *m, const int *n, double *a, const int *ia, const int *ja, const int *desca, int *ipiv, int *info);
void pdgeqrf_(const int *m, const int *n, double *a, const int *ia, const int *ja, const int *desca, double *tau, double *work,
              const int *lwork, int *info);
void pdpotri_(const char *uplo, const int *n, double *a, const int *ia, const int *ja, const int *desca, int *info, size_t);
void pdgetri_(const int *n, double *a, const int *ia, const int *ja, const int *desca, const int *ipiv, double *work,
              const int *lwork, int *iwork, const int *liwork, int *info);

struct matrix {
    enum peer_routine routine;
    int inverts;                /* the routine inverts a factored matrix */
    int m, n, nb, nprow, npcol, myrow, mycol, rows, columns, lld, lwork, liwork;
    int desc[9];
    double *a, *tau, *work;
    int *ipiv, *iwork;
};

static const int ONE = 1;

/* The global index of a local index in the block-cyclic distribution. */
static int64_t global_index(int local, int nb, int me, int processes)
{
    return ((int64_t)(local / nb) * processes + me) * nb + local % nb;
}

static void fill(struct matrix *A)
{
    for (int j = 0; j < A->columns; j++) {
        int64_t column = global_index(j, A->nb, A->mycol, A->npcol);
        for (int i = 0; i < A->rows; i++)
            A->a[i + (int64_t)j * A->lld] = peer_entry(A->routine, A->m, global_index(i, A->nb, A->myrow, A->nprow), column);
    }
}

static void factor(struct matrix *A, int *info)
{
    if (A->routine == PEER_POTRF)
        pdpotrf_("L", &A->n, A->a, &ONE, &ONE, A->desc, info, 1);
    else if (A->routine == PEER_GETRF)
        pdgetrf_(&A->m, &A->n, A->a, &ONE, &ONE, A->desc, A->ipiv, info);
    else
        pdgeqrf_(&A->m, &A->n, A->a, &ONE, &ONE, A->desc, A->tau, A->work, &A->lwork, info);
}

static void invert(struct matrix *A, int *info)
{
    if (A->routine == PEER_POTRF)
        pdpotri_("L", &A->n, A->a, &ONE, &ONE, A->desc, info, 1);
    else
        pdgetri_(&A->n, A->a, &ONE, &ONE, A->desc, A->ipiv, A->work, &A->lwork, A->iwork, &A->liwork, info);
}

static double run(struct matrix *A, int *info)
{
    fill(A);
    if (A->inverts)
        factor(A, info);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
    double start = MPI_Wtime();
    (A->inverts ? invert : factor)(A, info);
    double mine = MPI_Wtime() - start, longest;
    MPI_Pcontrol(0);
    MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return longest;
}

/* Allocates the workspace of QR and of an inverse. */
static void allocate_workspace(struct matrix *A)
{
    const int query = -1;
    int info, integers = 0;
    double size = 0;
    if (A->routine == PEER_GEQRF)
        pdgeqrf_(&A->m, &A->n, A->a, &ONE, &ONE, A->desc, A->tau, &size, &query, &info);
    else if (A->inverts && A->routine == PEER_GETRF)
        pdgetri_(&A->n, A->a, &ONE, &ONE, A->desc, A->ipiv, &size, &query, &integers, &query, &info);
    A->lwork = (int)size;
    A->liwork = integers;
}

static int allocate(struct matrix *A, int context)
{
    const int zero = 0;
    int info;
    A->rows = numroc_(&A->m, &A->nb, &A->myrow, &zero, &A->nprow);
    A->columns = numroc_(&A->n, &A->nb, &A->mycol, &zero, &A->npcol);
    A->lld = A->rows > 1 ? A->rows : 1;
    descinit_(A->desc, &A->m, &A->n, &A->nb, &A->nb, &zero, &zero, &context, &A->lld, &info);
    A->a = malloc(((size_t)A->lld * (size_t)A->columns + 1) * sizeof *A->a);
    A->ipiv = malloc((size_t)(A->rows + A->nb) * sizeof *A->ipiv);
    A->tau = malloc((size_t)(A->columns + A->nb) * sizeof *A->tau);
    if (info == 0)
        allocate_workspace(A);
    A->work = malloc(((size_t)A->lwork + 1) * sizeof *A->work);
    A->iwork = malloc(((size_t)A->liwork + 1) * sizeof *A->iwork);
    return info == 0 && A->a != NULL && A->ipiv != NULL && A->tau != NULL && A->work != NULL && A->iwork != NULL;
}

static int read_arguments(int argc, char **argv, int ranks, struct matrix *A)
{
    if (argc != 6 || !peer_size(argv[2], &A->m, &A->n))
        return 0;
    A->inverts = strcmp(argv[1], "potri") == 0 || strcmp(argv[1], "getri") == 0;
    A->routine = peer_routine(!A->inverts ? argv[1] : argv[1][0] == 'p' ? "potrf" : "getrf");
    A->nb = atoi(argv[3]);
    A->nprow = atoi(argv[4]);
    A->npcol = atoi(argv[5]);
    return A->routine != PEER_NONE && A->nb > 0 && A->nprow > 0 && A->nprow * A->npcol == ranks &&
           (A->m == A->n || (A->routine != PEER_POTRF && !A->inverts));
}

int main(int argc, char **argv)
{
    int ranks, rank, context, info = 0;
    struct matrix A = { 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!read_arguments(argc, argv, ranks, &A)) {
        if (rank == 0)
            fprintf(stderr,
                    "usage: mpiexec -n NPROW*NPCOL peer_scalapack potrf|getrf|geqrf|potri|getri N|MxN NB NPROW NPCOL\n"
                    "M x N for getrf and geqrf alone\n");
        MPI_Finalize();
        return 2;
    }
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", A.nprow, A.npcol);
    Cblacs_gridinfo(context, &A.nprow, &A.npcol, &A.myrow, &A.mycol);
    if (!allocate(&A, context)) {
        fprintf(stderr, "peer_scalapack: no memory for %d x %d\n", A.m, A.n);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    double seconds = 0;
    for (int i = 0; i < 2; i++)
        seconds = run(&A, &info);
    double flops = (A.inverts ? 2 : 1) * peer_flops(A.routine, A.m, A.n);      /* the leading term of an inverse */
    if (rank == 0)
        printf("{\"time_s\": %.9f, \"gflops\": %.6f, \"info\": %d}\n", seconds, 1e-9 * flops / seconds, info);
    free(A.a);
    free(A.ipiv);
    free(A.tau);
    free(A.work);
    free(A.iwork);
    Cblacs_gridexit(context);
    MPI_Finalize();
    return 0;
}
