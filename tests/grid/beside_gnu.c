/*
 * A program that uses GNU's OpenMP runtime for its own threads. It solves a system, and counts its threads before and afterwards.
 * It exits with 1 if either is wrong, and with 2 and the grid's message if no grid can be created.
 */
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <ompfact.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 200, NB = 32, THREADS = 3 };

static void entry(void *context, int64_t i, int64_t j, void *value)
{
    (void)context;
    *(double *)value = i == j ? N : 1.0 / (double)(i + j + 1);
}

/* The right-hand side of the solution that is all ones. */
static void right_hand_side(void *context, int64_t i, int64_t j, void *value)
{
    double sum = 0, a;
    (void)j;
    for (int64_t k = 0; k < N; k++) {
        entry(context, i, k, &a);
        sum += a;
    }
    *(double *)value = sum;
}

static int threads(void)
{
    int sum = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : sum)
    sum += 1 + omp_get_thread_num();
    return sum == THREADS * (THREADS + 1) / 2 ? THREADS : -1;
}

static double solve(ompfact_grid *grid)
{
    ompfact_matrix *A, *B;
    ompfact_tile tile;
    int64_t info = -1;
    double worst = INFINITY;
    ompfact_matrix_create(grid, &(ompfact_shape){ .m = N, .n = N, .nb = NB }, &A);
    ompfact_matrix_create_rhs(A, 1, &B);
    ompfact_fill_entries(A, entry, NULL);
    ompfact_fill_entries(B, right_hand_side, NULL);
    if (ompfact_gesv(A, B, &info) == OMPFACT_SUCCESS && info == 0)
        worst = 0;
    for (int i = 0; i < ompfact_tile_rows(B); i++) {
        if (ompfact_tile_get(B, i, 0, &tile) != OMPFACT_SUCCESS)
            continue;       /* another rank owns this tile */
        for (int r = 0; r < tile.mb; r++)
            worst = fmax(worst, fabs(((double *)tile.data)[r] - 1));
        ompfact_tile_restore(B, &tile);
    }
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    return worst;
}

int main(int argc, char **argv)
{
    char message[OMPFACT_MESSAGE] = "";
    ompfact_grid *grid;
    int level, before = threads();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    if (ompfact_grid_create(MPI_COMM_WORLD, &(ompfact_options){ .threads = 2 }, &grid, message) != OMPFACT_SUCCESS) {
        fprintf(stderr, "%s\n", message);
        MPI_Finalize();
        return 2;
    }
    double error = solve(grid);
    int after = threads();
    ompfact_grid_destroy(&grid);
    MPI_Finalize();
    return error < 1e-9 && before == THREADS && after == THREADS ? EXIT_SUCCESS : EXIT_FAILURE;
}
