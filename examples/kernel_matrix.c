/*
 * Gaussian process regression predicts two functions from noisy observations at the same n points of the unit square. The program
 * computes a Cholesky factorization of the kernel matrix K, and for the observations y of each function
 *
 *     w = K^-1 y          log p(y) = -(y^T w + log det K + n log 2 pi) / 2          f(x) ~ sum_i k(x, x_i) w_i
 *
 *     cc $(pkg-config --cflags ompfact) -o kernel_matrix kernel_matrix.c $(pkg-config --libs ompfact)
 *     mpiexec -n 5 ./kernel_matrix [n]
 */
#include <math.h>
#include <ompfact.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                             \
    do {                                                                                                        \
        if ((call) != OMPFACT_SUCCESS) {                                                                        \
            fprintf(stderr, "%s: %s\n", #call, grid != NULL ? ompfact_message(grid) : message);                 \
            MPI_Abort(MPI_COMM_WORLD, 2);                                                                       \
        }                                                                                                       \
    } while (0)

enum { TESTS = 100 };           /* points of prediction */
static const double pi = 3.14159265358979323846, length = 0.25, noise = 0.01;

static char message[256];
static ompfact_grid *grid;

/* ---- the problem ----------------------------------------------------------------------------------------------- */

struct point {
    double x, y;
};

static double fraction(double x)
{
    return x - floor(x);
}

/* Multiples of two irrational numbers, modulo 1, fill the square evenly. Every rank can compute every point: i = 0, 1, ... are
   observed, i = -1, -2, ... are predicted. */
static struct point point(int64_t i)
{
    return (struct point){ fraction(0.5 + 0.7548776662466927 * (double)i), fraction(0.5 + 0.5698402909980532 * (double)i) };
}

static double f(int which, struct point p)
{
    return which == 0 ? sin(2 * pi * p.x) * cos(pi * p.y) : exp(-4 * hypot(p.x - 0.3, p.y - 0.6));
}

/* Matern, smoothness 3/2. */
static double kernel(struct point p, struct point q)
{
    double r = sqrt(3) * hypot(p.x - q.x, p.y - q.y) / length;
    return (1 + r) * exp(-r);
}

/* ---- callbacks --------------------------------------------------------------------------------------------------- */

/* K = kernel + noise^2 I. Only the lower triangle of a diagonal tile is needed, but filling the whole tile is simpler. */
static void fill_kernel(void *context, const ompfact_tile *t)
{
    double *K = t->data;
    (void)context;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++) {
            int64_t i = t->row + r, j = t->col + c;
            K[r + (size_t)c * t->ld] = kernel(point(i), point(j)) + (i == j ? noise * noise : 0);
        }
}

/* "Noise" between -noise and noise, equal for any number of ranks. */
static double observation(int which, int64_t i)
{
    return f(which, point(i)) + noise * sin(1e4 * (double)(i + 1));
}

static void fill_observation(void *which, int64_t i, int64_t j, void *value)
{
    (void)j;
    *(double *)value = observation(*(const int *)which, i);
}

/* ---- results from the tiles ------------------------------------------------------------------------------------------ */

/* log det K = 2 sum log L_ii, from this rank's diagonal tiles of L. */
static double my_log_det(ompfact_matrix *L)
{
    double sum = 0;
    for (int k = 0; k < ompfact_tile_rows(L); k++) {
        ompfact_tile t;
        if (ompfact_owner(L, k, k) != ompfact_rank(grid))
            continue;
        CHECK(ompfact_tile_get(L, k, k, &t));
        const double *l = t.data;
        for (int r = 0; r < t.mb; r++)
            sum += 2 * log(l[r + (size_t)r * t.ld]);
        ompfact_tile_restore(L, &t);
    }
    return sum;
}

/* This rank's share of y^T w, and of the predictions. */
static double my_predictions(ompfact_matrix *W, int which, double prediction[TESTS])
{
    double y_w = 0;
    for (int k = 0; k < TESTS; k++)
        prediction[k] = 0;
    for (int i = -1, j = -1; ompfact_next_tile(W, &i, &j);) {
        ompfact_tile t;
        CHECK(ompfact_tile_get(W, i, j, &t));
        const double *w = t.data;
        for (int r = 0; r < t.mb; r++) {
            y_w += observation(which, t.row + r) * w[r];
            for (int k = 0; k < TESTS; k++)
                prediction[k] += kernel(point(-1 - k), point(t.row + r)) * w[r];
        }
        ompfact_tile_restore(W, &t);
    }
    return y_w;
}

int main(int argc, char **argv)
{
    int level, wrong = 0;
    int64_t n = argc > 1 ? atoll(argv[1]) : 2000, info;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    CHECK(ompfact_grid_create(MPI_COMM_WORLD, NULL, &grid, message));

    ompfact_matrix *K, *W;
    CHECK(ompfact_matrix_create(grid, &(ompfact_shape){ .n = n, .structure = OMPFACT_HERMITIAN_LOWER }, &K));
    CHECK(ompfact_matrix_create_rhs(K, 1, &W));
    CHECK(ompfact_fill_tiles(K, fill_kernel, NULL));
    CHECK(ompfact_potrf(K, &info));
    if (info != 0) {
        if (ompfact_rank(grid) == 0)
            fprintf(stderr, "the leading minor of order %lld is not positive definite\n", (long long)info);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    double log_det = my_log_det(K);
    MPI_Allreduce(MPI_IN_PLACE, &log_det, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    ompfact_report report = ompfact_last_report(K);
    if (ompfact_rank(grid) == 0)
        printf("%lld points, %d ranks: log det K = %.6f; %lld tiles were sent\n", (long long)n, ompfact_ranks(grid), log_det,
               (long long)report.transfers);

    /* One factor, two solves. */
    for (int which = 0; which < 2; which++) {
        double prediction[TESTS], square = 0;
        CHECK(ompfact_fill_entries(W, fill_observation, &which));
        CHECK(ompfact_potrs(K, W));
        double y_w = my_predictions(W, which, prediction);
        MPI_Allreduce(MPI_IN_PLACE, &y_w, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, prediction, TESTS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int k = 0; k < TESTS; k++)
            square += pow(prediction[k] - f(which, point(-1 - k)), 2) / TESTS;
        wrong |= !(sqrt(square) < noise);
        if (ompfact_rank(grid) == 0)
            printf("function %d: log likelihood %.6f, prediction error %.6f (root mean square)\n", which,
                   -(y_w + log_det + (double)n * log(2 * pi)) / 2, sqrt(square));
    }

    ompfact_matrix_destroy(&W);
    ompfact_matrix_destroy(&K);
    ompfact_grid_destroy(&grid);
    MPI_Finalize();
    return wrong;
}
