/*
 * A ScaLAPACK program solves A X = B with ompfact, A symmetric positive definite. A and B are block-cyclic over a grid of
 * processes, with descriptors. The solution overwrites B, and the Cholesky factor overwrites the lower triangle of A; PDPOTRS
 * then solves another system with the factor. ScaLAPACK's grid may leave ranks out, such as one of 5 with a 2 x 2 grid; ompfact
 * works on all 5.
 *
 *     cc $(pkg-config --cflags ompfact) -o scalapack scalapack.c -lscalapack-mpich $(pkg-config --libs ompfact)
 *     mpiexec -n 5 ./scalapack
 */
#include <math.h>
#include <ompfact.h>
#include <stdio.h>
#include <stdlib.h>

/* The BLACS and ScaLAPACK have no header of their own. */
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int nprow, int npcol);
void Cblacs_gridinfo(int context, int *nprow, int *npcol, int *myrow, int *mycol);
void Cblacs_gridexit(int context);
int numroc_(const int *n, const int *nb, const int *process, const int *source, const int *processes);
void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb, const int *rsrc, const int *csrc,
               const int *context, const int *lld, int *info);
void pdpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *ia, const int *ja, const int *desca,
              double *b, const int *ib, const int *jb, const int *descb, int *info);

#define CHECK(call)                                                                                             \
    do {                                                                                                        \
        if ((call) != OMPFACT_SUCCESS) {                                                                        \
            fprintf(stderr, "%s: %s\n", #call, grid != NULL ? ompfact_message(grid) : message);                 \
            MPI_Abort(MPI_COMM_WORLD, 2);                                                                       \
        }                                                                                                       \
    } while (0)

enum { N = 1000, NRHS = 3, BLOCK = 64 };

static const int zero = 0, one = 1;

struct processes {
    int context, nprow, npcol, myrow, mycol;    /* myrow is -1 on ranks outside the grid */
};

/* One process's part of a distributed matrix. */
struct array {
    int desc[9], rows, cols;
    double *local;      /* NULL on ranks outside the grid */
};

/* Makes the most nearly square grid of the ranks: 2 x 2 for 4 and 5 ranks, 2 x 3 for 6 and 7. */
static struct processes create_processes(int ranks)
{
    struct processes p = { .nprow = 1 };
    while ((p.nprow + 1) * (p.nprow + 1) <= ranks)
        p.nprow++;
    p.npcol = ranks / p.nprow;
    int nprow = p.nprow, npcol = p.npcol;
    Cblacs_get(0, 0, &p.context);
    Cblacs_gridinit(&p.context, "Row", nprow, npcol);
    p.myrow = p.mycol = -1;
    if (p.context >= 0)
        Cblacs_gridinfo(p.context, &nprow, &npcol, &p.myrow, &p.mycol);
    return p;
}

static struct array create_array(const struct processes *p, int m, int n)
{
    struct array a = { .local = NULL };
    const int block = BLOCK;
    int info;
    if (p->myrow < 0)
        return a;
    a.rows = numroc_(&m, &block, &p->myrow, &zero, &p->nprow);
    a.cols = numroc_(&n, &block, &p->mycol, &zero, &p->npcol);
    int lld = a.rows > 1 ? a.rows : 1;
    descinit_(a.desc, &m, &n, &block, &block, &zero, &zero, &p->context, &lld, &info);
    a.local = malloc(sizeof(double) * ((size_t)lld * (size_t)a.cols + 1));
    return a;
}

/* The global index of a local index. */
static int global(int local, int process, int processes)
{
    return (local / BLOCK * processes + process) * BLOCK + local % BLOCK;
}

static double matrix_entry(int i, int j)
{
    return i == j ? N : sin(i + j);
}

static double solution_entry(int i, int j)
{
    return 1 + j + cos(i);
}

static void fill_matrix(const struct processes *p, struct array *a)
{
    for (int c = 0; c < a->cols; c++)
        for (int r = 0; r < a->rows; r++)
            a->local[r + (size_t)c * (size_t)a->rows] = matrix_entry(global(r, p->myrow, p->nprow),
                                                                     global(c, p->mycol, p->npcol));
}

/* B = A X: the solution is known. */
static void fill_rhs(const struct processes *p, struct array *b)
{
    for (int c = 0; c < b->cols; c++)
        for (int r = 0; r < b->rows; r++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += matrix_entry(global(r, p->myrow, p->nprow), k) * solution_entry(k, global(c, p->mycol, p->npcol));
            b->local[r + (size_t)c * (size_t)b->rows] = sum;
        }
}

/* The largest error of a solution, on all ranks. */
static double error_of(const struct processes *p, const struct array *x)
{
    double error = 0;
    for (int c = 0; c < x->cols; c++)
        for (int r = 0; r < x->rows; r++)
            error = fmax(error, fabs(x->local[r + (size_t)c * (size_t)x->rows] -
                                     solution_entry(global(r, p->myrow, p->nprow), global(c, p->mycol, p->npcol))));
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return error;
}

/* X overwrites B, and the Cholesky factor overwrites the lower triangle of A. Returns LAPACK's info. */
static int64_t solve(const struct processes *p, struct array *a, struct array *b)
{
    char message[OMPFACT_MESSAGE];
    ompfact_grid *grid = NULL;
    ompfact_matrix *A, *B;
    ompfact_shape shape = { .n = N, .structure = OMPFACT_HERMITIAN_LOWER, .nb = 128, .layout = "g2dbc" };
    ompfact_scalapack where_a = { .desc = a->desc, .nprow = p->nprow, .npcol = p->npcol };
    ompfact_scalapack where_b = { .desc = b->desc, .nprow = p->nprow, .npcol = p->npcol };
    int64_t info;
    CHECK(ompfact_grid_create(MPI_COMM_WORLD, NULL, &grid, message));
    CHECK(ompfact_matrix_create(grid, &shape, &A));
    CHECK(ompfact_matrix_create_rhs(A, NRHS, &B));
    CHECK(ompfact_from_scalapack(A, &where_a, a->local));
    CHECK(ompfact_from_scalapack(B, &where_b, b->local));
    int64_t bytes = ompfact_last_report(A).transfer_bytes + ompfact_last_report(B).transfer_bytes;

    CHECK(ompfact_posv(A, B, &info));

    CHECK(ompfact_to_scalapack(B, &where_b, b->local));
    CHECK(ompfact_to_scalapack(A, &where_a, a->local));
    if (ompfact_rank(grid) == 0)
        printf("ScaLAPACK on %d x %d of %d ranks, ompfact on all with layout %s; %.2f MB moved to other ranks for that\n",
               p->nprow, p->npcol, ompfact_ranks(grid), ompfact_layout(A), (double)bytes / 1e6);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    return info;
}

int main(int argc, char **argv)
{
    int level, rank, ranks, pdpotrs_info = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct processes p = create_processes(ranks);
    struct array a = create_array(&p, N, N), b = create_array(&p, N, NRHS), c = create_array(&p, N, NRHS);
    fill_matrix(&p, &a);
    fill_rhs(&p, &b);
    fill_rhs(&p, &c);

    int64_t info = solve(&p, &a, &b);
    double error = error_of(&p, &b);

    /* The factor is where PDPOTRF would have left it. */
    if (p.myrow >= 0)
        pdpotrs_("L", &(int){ N }, &(int){ NRHS }, a.local, &one, &one, a.desc, c.local, &one, &one, c.desc, &pdpotrs_info);
    double pdpotrs_error = error_of(&p, &c);

    int right = info == 0 && pdpotrs_info == 0 && error < 1e-10 && pdpotrs_error < 1e-10;
    if (rank == 0)
        printf("info %lld, largest error %.1e, of PDPOTRS with the same factor %.1e: %s\n", (long long)info, error, pdpotrs_error,
               right ? "right" : "WRONG");
    free(a.local);
    free(b.local);
    free(c.local);
    if (p.context >= 0)
        Cblacs_gridexit(p.context);
    MPI_Finalize();
    return !right;
}
