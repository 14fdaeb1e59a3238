/*
 * Two groups of ranks each solve a system A x = b at the same time. The program runs on any number of ranks:
 *
 *     cc $(pkg-config --cflags ompfact) -o linear_system linear_system.c $(pkg-config --libs ompfact)
 *     mpiexec -n 5 ./linear_system
 */
#include <math.h>
#include <ompfact.h>
#include <stdio.h>

#define CHECK(call)                                                                                             \
    do {                                                                                                        \
        if ((call) != OMPFACT_SUCCESS) {                                                                        \
            fprintf(stderr, "%s: %s\n", #call, grid != NULL ? ompfact_message(grid) : message);                 \
            MPI_Abort(MPI_COMM_WORLD, 2);                                                                       \
        }                                                                                                       \
    } while (0)

struct equations {
    int64_t n;
    int group;
};

/* Diagonally dominant; another matrix for each group. */
static void matrix_entry(void *context, int64_t i, int64_t j, void *value)
{
    const struct equations *e = context;
    *(double *)value = i == j ? (double)e->n : sin((double)((e->group + 1) * i + 2 * j));
}

/* b = A (1, ..., 1)^T: the solution is known. */
static void rhs_entry(void *context, int64_t i, int64_t j, void *value)
{
    const struct equations *e = context;
    double sum = 0, a;
    (void)j;    /* 0, the only column */
    for (int64_t k = 0; k < e->n; k++) {
        matrix_entry(context, i, k, &a);
        sum += a;
    }
    *(double *)value = sum;
}

int main(int argc, char **argv)
{
    int level, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct equations equations = { .n = 1000, .group = rank % 2 };
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, equations.group, rank, &comm);

    char message[256];
    ompfact_grid *grid = NULL;
    ompfact_options options = { .threads = 1 };     /* the default takes all cores for one grid; here are two grids */
    CHECK(ompfact_grid_create(comm, &options, &grid, message));

    /* The factors overwrite A and the solution X; A0 and B keep the system, for the residual. */
    ompfact_matrix *A, *A0, *X, *B;
    CHECK(ompfact_matrix_create(grid, &(ompfact_shape){ .m = equations.n, .n = equations.n, .nb = 128 }, &A));
    CHECK(ompfact_matrix_create_like(A, &A0));
    CHECK(ompfact_matrix_create_rhs(A, 1, &X));
    CHECK(ompfact_matrix_create_rhs(A, 1, &B));
    CHECK(ompfact_fill_entries(A, matrix_entry, &equations));
    CHECK(ompfact_fill_entries(A0, matrix_entry, &equations));
    CHECK(ompfact_fill_entries(X, rhs_entry, &equations));
    CHECK(ompfact_fill_entries(B, rhs_entry, &equations));

    int64_t info;
    double residual = NAN, error = 0;
    CHECK(ompfact_gesv(A, X, &info));
    if (info == 0)
        CHECK(ompfact_residual_solve(A0, X, B, &residual));

    /* Each rank reads its own tiles of the solution. */
    for (int i = -1, j = -1; ompfact_next_tile(X, &i, &j);) {
        ompfact_tile tile;
        CHECK(ompfact_tile_get(X, i, j, &tile));
        const double *x = tile.data;
        for (int r = 0; r < tile.mb; r++)
            error = fmax(error, fabs(x[r] - 1));
        ompfact_tile_restore(X, &tile);
    }
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, comm);

    int right = residual < 30 && error < 1e-10;
    if (ompfact_rank(grid) == 0)
        printf("group %d, ranks %d: info %lld, residual %.1e, largest error %.1e: %s\n", equations.group,
               ompfact_ranks(grid), (long long)info, residual, error, right ? "right" : "WRONG");

    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&A0);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_grid_destroy(&grid);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return !right;
}
