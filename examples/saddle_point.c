/*
 * An optimization problem with constraints: find the x with B x = d that minimizes x^T H x / 2 - c^T x. With the multipliers y of
 * the constraints, x solves a symmetric system that is indefinite for every H:
 *
 *     ( H B^T ) ( x )   ( c )          H: n x n, B: m x n
 *     ( B  0  ) ( y ) = ( d )
 *
 * There is exactly one such x, and it is the minimum, if the matrix has n positive and m negative eigenvalues. The solver returns
 * this inertia at no extra cost.
 *
 *     cc $(pkg-config --cflags ompfact) -o saddle_point saddle_point.c $(pkg-config --libs ompfact)
 *     mpiexec -n 5 ./saddle_point
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

enum { N = 500, M = 120 };      /* unknowns, constraints */

/* The lower triangle of the matrix, j <= i: H, below it B, whose rows are orthogonal, then zeros. */
static void matrix_entry(void *context, int64_t i, int64_t j, void *value)
{
    const double pi = 3.14159265358979323846;
    double distance = (double)(i - j + 1), *entry = value;
    (void)context;
    if (i < N)
        *entry = i == j ? 2 : 1 / (distance * distance);
    else
        *entry = j < N ? cos(pi * ((double)j + 0.5) * (double)(i - N) / N) : 0;
}

/* All x are 1, and the multipliers 1 and -1. */
static double solution(int64_t i)
{
    return i >= N && i % 2 == 1 ? -1 : 1;
}

static void rhs_entry(void *context, int64_t i, int64_t column, void *value)
{
    double sum = 0, a;
    (void)column;
    for (int64_t j = 0; j < N + M; j++) {
        matrix_entry(context, i > j ? i : j, i > j ? j : i, &a);
        sum += a * solution(j);
    }
    *(double *)value = sum;
}

static double largest_error(ompfact_matrix *X)
{
    double error = 0;
    ompfact_tile tile;
    for (int i = -1, j = -1; ompfact_next_tile(X, &i, &j);) {
        if (ompfact_tile_get(X, i, j, &tile) != OMPFACT_SUCCESS)
            return INFINITY;
        for (int r = 0; r < tile.mb; r++)
            error = fmax(error, fabs(((const double *)tile.data)[r] - solution(tile.row + r)));
        ompfact_tile_restore(X, &tile);
    }
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return error;
}

int main(int argc, char **argv)
{
    int level, iterations;
    int64_t info;
    char message[OMPFACT_MESSAGE];
    ompfact_grid *grid = NULL;
    ompfact_matrix *A, *X;
    ompfact_inertia_counts signs = { 0 };
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    CHECK(ompfact_grid_create(MPI_COMM_WORLD, NULL, &grid, message));
    CHECK(ompfact_matrix_create(grid, &(ompfact_shape){ .n = N + M, .nb = 64, .structure = OMPFACT_SYMMETRIC_LOWER }, &A));
    CHECK(ompfact_matrix_create_rhs(A, 1, &X));
    CHECK(ompfact_fill_entries(A, matrix_entry, NULL));
    CHECK(ompfact_fill_entries(X, rhs_entry, NULL));

    /* Overwrites A with its factors, and X with the solution after refinement. */
    CHECK(ompfact_sysv(A, X, &info, &iterations));
    if (info == 0 && iterations >= 0)       /* otherwise A is singular, or LU was needed, which gives no inertia */
        CHECK(ompfact_inertia(A, &signs));

    double error = largest_error(X);
    int right = info == 0 && error < 1e-9 && signs.positive == N && signs.negative == M && signs.zero == 0;
    if (ompfact_rank(grid) == 0)
        printf("inertia %lld %lld %lld, growth %.1f, refined %d times, largest error %.1e: %s\n", (long long)signs.positive,
               (long long)signs.negative, (long long)signs.zero, signs.growth, iterations, error, right ? "right" : "WRONG");
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    MPI_Finalize();
    return !right;
}
