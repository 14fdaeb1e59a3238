/*
 * usage: mumps SYM     SYM: 0 LU, 1 Cholesky
 *
 * A user's program for MUMPS. The first 100 unknowns of its system are coupled to few others, and the rest are all coupled to
 * each other. From these MUMPS makes its last front, a ScaLAPACK matrix. The program prints the error of the solution, and the
 * determinant.
 */
#include <dmumps_c.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, FEW = 100, INITIALIZE = -1, TERMINATE = -2, SOLVE = 6, WORLD = -987654, AMD = 0 };
static double a[N * N], x[N];
static int row[N * N], col[N * N];

/* The unsymmetric matrix needs row exchanges. x is all ones, so b has A's row sums. */
static double entry(int i, int j, int symmetric)
{
    if ((i < FEW || j < FEW) && i != j && i % FEW != j && j % FEW != i)
        return 0;
    return 1 / (1.0 + abs(i - j)) + (i == j ? 5 : 0) + (!symmetric && j == (i + 1) % N ? 40 : 0);
}

static void fill(DMUMPS_STRUC_C *id)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double value = entry(i, j, id->sym);
            x[i] += value;
            if (value == 0 || (id->sym && j > i))
                continue;
            row[id->nnz] = i + 1;
            col[id->nnz] = j + 1;
            a[id->nnz++] = value;
        }
    id->n = N;
    id->irn = row;
    id->jcn = col;
    id->a = a;
    id->rhs = x;
}

int main(int argc, char **argv)
{
    DMUMPS_STRUC_C id = { .job = INITIALIZE, .par = 1, .sym = argc > 1 && atoi(argv[1]) == 1, .comm_fortran = WORLD };
    int rank;
    double worst = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    dmumps_c(&id);
    for (int i = 0; i < 4; i++)
        id.icntl[i] = 0;            /* ICNTL(1) to (4): nothing is printed */
    id.icntl[6] = AMD;              /* ICNTL(7) */
    id.icntl[32] = 1;               /* ICNTL(33): the determinant */
    id.job = SOLVE;
    if (rank == 0)
        fill(&id);
    dmumps_c(&id);
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs(x[i] - 1));
    if (rank == 0 && id.infog[0] == 0 && worst < 1e-8)
        printf("determinant %.9f 2^%d\n", id.rinfog[11], id.infog[33]);
    id.job = TERMINATE;
    dmumps_c(&id);
    return MPI_Finalize();
}
