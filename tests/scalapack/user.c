#define _GNU_SOURCE     /* sched_getaffinity */
/*
 * usage: user LEVEL [FIRST]    LEVEL: SINGLE, FUNNELED, SERIALIZED or MULTIPLE
 *
 * A program that uses ScaLAPACK and knows nothing of ompfact. It solves a system of order 200 by PDGETRF and PDGETRS on all
 * processes, or on those from FIRST on, and prints the error. It exits with 1 if the error is large, if the process is bound to
 * other cores afterwards, or, with MULTIPLE, if a query of workspace returns no size where ompfact alone accepts the query, or
 * ompfact's size where ScaLAPACK accepts it.
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
void pdormqr_(const char *side, const char *trans, const int *m, const int *n, const int *k, const double *a, const int *ia,
              const int *ja, const int *desca, const double *tau, double *c, const int *ic, const int *jc, const int *descc,
              double *work, const int *lwork, int *info);
void pdgeqrf_(const int *m, const int *n, double *a, const int *ia, const int *ja, const int *desca, double *tau, double *work,
              const int *lwork, int *info);
void pdgetri_(const int *n, double *a, const int *ia, const int *ja, const int *desca, const int *ipiv, double *work,
              const int *lwork, int *iwork, const int *liwork, int *info);

enum { SIZE = 200, BLOCK = 16 };
static const int size = SIZE, block = BLOCK, one = 1, zero = 0;

static double entry(int i, int j)
{
    return sin(1 + i * 7 + j * j) + (i == j ? 3 : 0);
}

/* A is on a grid of one process row. x is all ones, so b has A's row sums. */
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

/* Queries of workspace for sub-matrices that begin at any place, with blocks of two sizes. ScaLAPACK refuses some of them with
   a line on stderr, ompfact none. A size of more than 1 is ScaLAPACK's, which needs workspace. */
static bool is_answered(const char *what, int info, double work, bool aligned)
{
    bool good = info == 0 && (aligned ? work > 1 : work >= 1);
    if (!good)
        printf("query of %s: info %d, work %g\n", what, info, work);
    return good;
}

static bool answers_queries_at(int context, int nprow, int ia, int ja, int ib, int jb, int blockb)
{
    static const int part = SIZE / 2, less = SIZE / 4, query = -1;
    int a[9], b[9], info, iwork;
    double work = 0;
    bool good = true, same = blockb == BLOCK, start = ia % BLOCK == 1 && ja % BLOCK == 1;
    bool together = same && (ia - ib) % (BLOCK * nprow) == 0;
    descinit_(a, &size, &size, &block, &block, &zero, &zero, &context, &size, &info);
    descinit_(b, &size, &size, &blockb, &block, &zero, &zero, &context, &size, &info);
    pdgels_("N", &part, &less, &one, NULL, &ia, &ja, a, NULL, &ib, &jb, b, &work, &query, &info);
    good &= is_answered("tall gels", info, work, together);
    pdgels_("T", &less, &part, &one, NULL, &ia, &ja, a, NULL, &ib, &jb, b, &work, &query, &info);
    good &= is_answered("wide gels", info, work, same && ja % BLOCK == ib % BLOCK);
    pdormqr_("L", "T", &part, &less, &less, NULL, &ia, &ja, a, NULL, NULL, &ib, &jb, b, &work, &query, &info);
    good &= is_answered("ormqr, left", info, work, together);
    pdormqr_("R", "N", &less, &part, &less, NULL, &ia, &ja, a, NULL, NULL, &ib, &jb, b, &work, &query, &info);
    good &= is_answered("ormqr, right", info, work, ia % BLOCK == jb % BLOCK);
    pdgetri_(&part, NULL, &ib, &jb, b, NULL, &work, &query, &iwork, &query, &info);
    good &= is_answered("getri of b", info, work, same && ib % BLOCK == 1 && jb % BLOCK == 1);
    pdgetri_(&part, NULL, &ia, &ja, a, NULL, &work, &query, &iwork, &query, &info);
    good &= is_answered("getri", info, work, start);
    pdgeqrf_(&part, &less, NULL, &ia, &ja, a, NULL, &work, &query, &info);
    return good & is_answered("geqrf", info, work, true);
}

/* Uses a grid of one process column, where rows are on several processes. */
static bool answers_queries(const int *processes, int count)
{
    static const int starts[] = { 1, 2, BLOCK + 1, BLOCK + 2 };
    int context, nprow, npcol, myrow, mycol;
    bool good = true;
    Cblacs_get(-1, 0, &context);
    Cblacs_gridmap(&context, (int *)processes, count, count, 1);
    Cblacs_gridinfo(context, &nprow, &npcol, &myrow, &mycol);
    for (int i = 0; i < 40 && myrow >= 0; i++)
        good &= answers_queries_at(context, nprow, starts[i % 4], 1 + i / 16 % 2, starts[i / 4 % 4], 1 + i / 8 % 2,
                                   i < 32 ? BLOCK : BLOCK / 2);
    if (myrow >= 0)
        Cblacs_gridexit(context);
    return good;
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
    if (!CPU_EQUAL(&before, &after) || (wanted == MPI_THREAD_MULTIPLE && !answers_queries(processes, ranks - first)))
        error = INFINITY;
    if (myrow == 0 && mycol == 0)
        printf("level %d, error %.1e\n", level, error);
    if (myrow >= 0)
        Cblacs_gridexit(context);
    free(processes);
    MPI_Finalize();
    return error < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
