#define _GNU_SOURCE     /* sched_getaffinity */
/*
 * usage: user LEVEL [FIRST]    LEVEL: SINGLE, FUNNELED, SERIALIZED or MULTIPLE
 *
 * A program of ScaLAPACK's users, which knows nothing of ompfact: solves a system of 200 by PDGETRF and PDGETRS on all processes,
 * or on those from FIRST on, and says how well. Exits with 1 if it does not solve it, if it is bound to other cores afterwards,
 * or, with MULTIPLE, if a query has no answer that ompfact alone has.
 */
#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridmap(int *context, int *processes, int ld, int nprow, int npcol);
void Cblacs_gridinfo(int context, int *nprow, int *npcol, int *myrow, int *mycol);
void Cblacs_gridexit(int context);
void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb, const int *rsrc, const int *csrc,
               const int *context, const int *lld, int *info);
void pdgetrf_(const int *m, const int *n, double *a, const int *ia, const int *ja, const int *desca, int *ipiv, int *info);
void pdgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *ia, const int *ja, const int *desca,
              const int *ipiv, double *b, const int *ib, const int *jb, const int *descb, int *info);
void pdgels_(const char *trans, const int *m, const int *n, const int *nrhs, double *a, const int *ia, const int *ja,
             const int *desca, double *b, const int *ib, const int *jb, const int *descb, double *work, const int *lwork,
             int *info);

enum { SIZE = 200, BLOCK = 16 };
static const int size = SIZE, block = BLOCK, one = 1, zero = 0;

static double entry(int i, int j)
{
    return sin(1 + i * 7 + j * j) + (i == j ? 3 : 0);
}

/* A on a grid of one process row; x is all ones, so b has A's row sums. */
static double solve(int context, int columns, int mine)
{
    int desca[9], descb[9], info[4], count = 0;
    double *a = malloc(SIZE * SIZE * sizeof *a), *b = malloc(SIZE * sizeof *b), worst = 0;
    int *ipiv = malloc((SIZE + BLOCK) * sizeof *ipiv);
    for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE && j / BLOCK % columns == mine; i++)
            a[count++] = entry(i, j);
    for (int i = 0; i < SIZE; i++) {
        b[i] = 0;
        for (int j = 0; j < SIZE; j++)
            b[i] += entry(i, j);
    }
    descinit_(desca, &size, &size, &block, &block, &zero, &zero, &context, &size, &info[0]);
    descinit_(descb, &size, &one, &block, &block, &zero, &zero, &context, &size, &info[1]);
    pdgetrf_(&size, &size, a, &one, &one, desca, ipiv, &info[2]);
    pdgetrs_("N", &size, &one, a, &one, &one, desca, ipiv, b, &one, &one, descb, &info[3]);
    for (int i = 0; i < SIZE && mine == 0; i++)
        worst = fmax(worst, fabs(b[i] - 1));
    for (int i = 0; i < 4; i++)
        worst = info[i] != 0 ? INFINITY : worst;
    free(ipiv);
    free(b);
    free(a);
    return worst;
}

/* How much workspace least squares want with a sub-matrix that begins inside of a block, which ScaLAPACK's own routine refuses:
   no error. */
static bool answers_query(int context)
{
    static const int two = 2, part = SIZE - BLOCK, query = -1;
    int desc[9], info;
    double work[1] = { 0 };
    descinit_(desc, &size, &size, &block, &block, &zero, &zero, &context, &size, &info);
    pdgels_("N", &part, &part, &one, NULL, &two, &one, desc, NULL, &one, &one, desc, work, &query, &info);
    return info == 0 && work[0] >= 1;
}

int main(int argc, char **argv)
{
    static const struct { const char *name; int level; } levels[] = {
        { "SINGLE", MPI_THREAD_SINGLE }, { "FUNNELED", MPI_THREAD_FUNNELED }, { "SERIALIZED", MPI_THREAD_SERIALIZED },
        { "MULTIPLE", MPI_THREAD_MULTIPLE } };
    int wanted = MPI_THREAD_SINGLE, level, ranks, context, nprow, npcol, myrow, mycol;
    for (int i = 0; i < 4 && argc > 1; i++)
        if (!strcmp(argv[1], levels[i].name))
            wanted = levels[i].level;
    MPI_Init_thread(&argc, &argv, wanted, &level);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int first = argc > 2 ? atoi(argv[2]) : 0, *processes = malloc((size_t)ranks * sizeof *processes);
    for (int i = first; i < ranks; i++)
        processes[i - first] = i;
    Cblacs_get(-1, 0, &context);
    Cblacs_gridmap(&context, processes, 1, 1, ranks - first);
    Cblacs_gridinfo(context, &nprow, &npcol, &myrow, &mycol);
    cpu_set_t before, after;
    CPU_ZERO(&before);
    CPU_ZERO(&after);
    sched_getaffinity(0, sizeof before, &before);
    double error = myrow < 0 ? 0 : solve(context, npcol, mycol);
    sched_getaffinity(0, sizeof after, &after);
    if (!CPU_EQUAL(&before, &after) || (wanted == MPI_THREAD_MULTIPLE && !answers_query(context)))
        error = INFINITY;
    if (myrow == 0 && mycol == 0)
        printf("level %d, error %.1e\n", level, error);
    if (myrow >= 0)
        Cblacs_gridexit(context);
    free(processes);
    MPI_Finalize();
    return error < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
