/* Predicted weights of tiles, compared with the ranks of compressed tiles and with the flops of factorizations. */
#include "omp/run.h"
#include "src/choose/choose.h"
#include "src/choose/predict.h"
#include "tests/fixtures.h"

#include <math.h>

enum { NB = 40, TILES = 12, N = NB * TILES - 7, COLS = NB * 10 - 3 };

static ompfact_grid *grid;

static void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 2 });
}

static void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
}

/* ---- matrices -------------------------------------------------------------------------------------------------------------- */

/* Kernels of points on a spiral, in the order of the spiral: tiles away from the diagonal are smooth, less so between its
   turns. */
struct kernel {
    char type;
    double length, nugget;
    bool skew;          /* the matrix is not Hermitian */
};

static number entry_at(const struct kernel *k, int64_t i, int64_t j)
{
    double s = 25.0 * (double)i / N, t = 25.0 * (double)j / N, dx = s * cos(s) - t * cos(t), dy = s * sin(s) - t * sin(t);
    number value = exp(-(dx * dx + dy * dy) / (2 * k->length * k->length)) + (i == j ? k->nugget : 0);
    if (is_complex(k->type))
        value *= cexp((number)I * (s - t));
    return rounded(k->type, k->skew ? value * (1 + 0.5 * sin(s)) : value);
}

static void entry(void *context, int64_t i, int64_t j, void *value)
{
    const struct kernel *k = context;
    number x = entry_at(k, i, j);
    precision_of(k->type)->set(value, creal(x), cimag(x));
}

/* An entry of a matrix of full rank. */
static void entry_of_noise(void *context, int64_t i, int64_t j, void *value)
{
    const struct kernel *k = context;
    number x = i == j ? N : random_number(k->type, 3, i > j ? i : j, i > j ? j : i);
    precision_of(k->type)->set(value, creal(x), i == j ? 0 : i > j ? cimag(x) : -cimag(x));
}

static ompfact_shape shape_for(const struct kernel *k, bool upper)
{
    return (ompfact_shape){ .m = N, .n = k->skew ? COLS : N, .type = k->type, .nb = NB, .accuracy = 1e-4, .band = 1,
                            .max_rank = NB / 2,
                            .structure = k->skew ? OMPFACT_GENERAL : upper ? OMPFACT_HERMITIAN_UPPER : OMPFACT_HERMITIAN_LOWER };
}

static struct kernel kernel_of(int i)
{
    return (struct kernel){ .type = "sdcz"[i % 4], .length = 2 + i % 3, .nugget = 1, .skew = i / 4 == 2 };
}

static double *zeros(void)
{
    double *x = calloc(TILES * TILES, sizeof *x);
    ck_assert(x != NULL);
    return x;
}

static void predict(const ompfact_shape *shape, struct kernel *k, double *weights)
{
    assert_everywhere_msg(ompfact_predict_weights(grid, shape, entry, k, weights) == OMPFACT_SUCCESS, "%s",
                          ompfact_message(grid));
}

/* ---- tests ----------------------------------------------------------------------------------------------------------------- */

/* If the sample is the whole tile, the predicted rank is the rank of the compressed tile; the norm is exact, too. */
START_TEST(ranks)
{
    struct kernel k = kernel_of(_i);
    ompfact_shape shape = shape_for(&k, _i / 4 == 1);
    ompfact_matrix *A = new_matrix(grid, &shape), *paper;
    double *found = zeros();
    int wrong = 0, low = 0;
    assert_everywhere(ompfact_fill_entries(A, entry, &k) == OMPFACT_SUCCESS);
    assert_everywhere(matrix_on_paper(&shape, pattern_alloc(1, 1, 1), 0, &paper, grid->message) == OMPFACT_SUCCESS);
    assert_everywhere(predict_ranks(grid, paper, &(struct entries){ entry, &k }, found) == OMPFACT_SUCCESS);
    double norm = A->compressed->norm, seen = paper->compressed->norm;
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        wrong += fabs(found[i * A->nt + j] - ompfact_tile_rank(A, i, j)) > 0;
        low += ompfact_tile_rank(A, i, j) >= 0;
    }
    assert_everywhere_msg(wrong == 0, "%d tiles", wrong);
    assert_everywhere_msg(fabs(norm - seen) < 1e-6 * norm, "norm %g, of samples %g", norm, seen);
    reduce(&low, 1, MPI_INT, MPI_SUM);
    assert_everywhere(low > 20);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&paper);
    free(found);
}
END_TEST

/* Of large tiles only a part is sampled: ranks are nearly right, and so is the norm where the diagonal is large. */
START_TEST(ranks_of_samples)
{
    enum { LARGE = 240, COUNT = 4 };
    struct kernel k = { .type = 'd', .length = 5, .nugget = 30, .skew = _i == 1 };
    ompfact_shape shape = { .m = N * 2, .n = N * 2, .nb = LARGE, .accuracy = 1e-4, .max_rank = 40,
                            .structure = k.skew ? OMPFACT_GENERAL : OMPFACT_HERMITIAN_LOWER };
    ompfact_matrix *A = new_matrix(grid, &shape), *paper;
    double found[COUNT * COUNT];
    int most = 0, low = 0;
    assert_everywhere(ompfact_fill_entries(A, entry, &k) == OMPFACT_SUCCESS);
    assert_everywhere(matrix_on_paper(&shape, pattern_alloc(1, 1, 1), 0, &paper, grid->message) == OMPFACT_SUCCESS);
    assert_everywhere(predict_ranks(grid, paper, &(struct entries){ entry, &k }, found) == OMPFACT_SUCCESS);
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        int rank = ompfact_tile_rank(A, i, j), off = abs((int)found[i * A->nt + j] - rank);
        most = off > most ? off : most;
        low += rank > 0;
    }
    assert_everywhere_msg(most <= 2, "off by %d", most);
    reduce(&low, 1, MPI_INT, MPI_SUM);
    assert_everywhere(low >= 3);
    double norm = A->compressed->norm, seen = paper->compressed->norm;
    assert_everywhere_msg(fabs(norm - seen) < 0.05 * norm, "norm %g, of samples %g", norm, seen);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&paper);
}
END_TEST

/* The layout for weights that leave one tile to the last rank, and all others to the first. */
static int one_tile(void *tile, int i, int j)
{
    const int *t = tile;
    return i == t[0] && j == t[1] ? ompfact_ranks(grid) - 1 : 0;
}

/* Flops of the most loaded rank, and of all ranks. On one rank both are the same. */
static ompfact_report factored(const ompfact_shape *shape, struct kernel *k)
{
    ompfact_matrix *A = new_matrix(grid, shape);
    int64_t info = -1;
    assert_everywhere(ompfact_fill_entries(A, entry, k) == OMPFACT_SUCCESS);
    assert_everywhere((k->skew ? ompfact_getrf(A, &info) : ompfact_potrf(A, &info)) == OMPFACT_SUCCESS && info == 0);
    ompfact_report report = ompfact_last_report(A);
    ompfact_matrix_destroy(&A);
    return report;
}

/* The sum of the weights is near the flops of a factorization. A rank with a single tile shows the flops of that tile: for tiles
   with much work they are near the weight. */
START_TEST(work)
{
    static const int places[][2] = { { 1, 0 }, { 5, 5 }, { 9, 9 }, { 9, 8 }, { 9, 3 }, { 6, 4 } };
    struct kernel k = kernel_of(_i);
    bool upper = _i / 4 == 1;
    ompfact_shape shape = shape_for(&k, upper);
    double *weights = zeros(), sum = 0, scale = is_complex(k.type) ? 4 : 1;
    int nt = k.skew ? COLS / NB + 1 : TILES;
    predict(&shape, &k, weights);
    for (int t = 0; t < TILES * nt; t++)
        sum += weights[t];
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        int tile[2] = { places[p][upper], places[p][!upper] };
        shape.owner = one_tile;
        shape.owner_context = tile;
        ompfact_report report = factored(&shape, &k);
        int ranks = ompfact_ranks(grid);
        double others = report.flops_max_over_mean * report.flops / ranks, alone = report.flops - others,
               weight = weights[tile[0] * nt + tile[1]];
        assert_everywhere_msg(sum * scale > 0.75 * report.flops && sum * scale < 1.33 * report.flops, "%g predicted, %g done",
                              sum * scale, report.flops);
        assert_everywhere_msg(ranks == 1 || weight < 0.01 * sum || (weight * scale > 0.4 * alone && weight * scale < 2.5 * alone),
                              "tile (%d,%d): %g predicted, %g done", tile[0], tile[1], weight * scale, alone);
    }
    free(weights);
}
END_TEST

/* With these weights rs and auto balance the real work at least as well as equal numbers of tiles. */
START_TEST(balance)
{
    struct kernel k = kernel_of(_i);
    ompfact_shape shape = shape_for(&k, _i / 4 == 1);
    double *weights = zeros();
    predict(&shape, &k, weights);
    shape.weights = weights;
    shape.layout = "g2dbc";
    double by_tiles = factored(&shape, &k).flops_max_over_mean;
    for (int a = 0; a < 2; a++) {
        shape.layout = a ? "auto" : "rs";
        double by_work = factored(&shape, &k).flops_max_over_mean;
        assert_everywhere_msg(by_work < 1.25 && by_work < fmax(by_tiles, 1.1), "%s: %g, g2dbc %g", shape.layout, by_work,
                              by_tiles);
    }
    free(weights);
}
END_TEST

/* If no tile can be compressed, weights are the flops of dense tiles, for either triangle. */
START_TEST(dense)
{
    struct kernel k = { .type = "dz"[_i % 2] };
    ompfact_shape shape = shape_for(&k, _i / 2);
    double *weights = zeros(), nb3 = (double)NB * NB * NB;
    assert_everywhere(ompfact_predict_weights(grid, &shape, entry_of_noise, &k, weights) == OMPFACT_SUCCESS);
    for (int i = 0; i < TILES - 1; i++)
        for (int j = 0; j < TILES - 1; j++) {
            bool is_stored = _i / 2 ? i <= j : i >= j;
            int steps = i < j ? i : j;
            double expected = !is_stored ? 0 : i == j ? (steps + 1.0 / 3) * nb3 : (2.0 * steps + 1) * nb3;
            assert_everywhere_msg(fabs(weights[i * TILES + j] - expected) <= 1e-12 * nb3 * TILES, "tile (%d,%d): %g, not %g", i,
                                  j, weights[i * TILES + j], expected);
        }
    free(weights);
}
END_TEST

/* A matrix with NaNs still gets weights; it is refused where it is made. */
static void entry_of_nan(void *context, int64_t i, int64_t j, void *value)
{
    entry(context, i, j, value);
    if (i == 70 && j == 3)
        *(double *)value = NAN;
}

START_TEST(not_finite)
{
    struct kernel k = { .type = 'd', .length = 2, .nugget = 1 };
    ompfact_shape shape = shape_for(&k, false);
    double *weights = zeros();
    assert_everywhere(ompfact_predict_weights(grid, &shape, entry_of_nan, &k, weights) == OMPFACT_SUCCESS);
    for (int i = 0; i < TILES; i++)
        for (int j = 0; j <= i; j++)
            assert_everywhere(isfinite(weights[i * TILES + j]) && weights[i * TILES + j] > 0);
    free(weights);
}
END_TEST

/* Refuses a matrix without tiles, and shapes that have no weights. */
START_TEST(refused)
{
    struct kernel k = { .type = 'd', .length = 2, .nugget = 1 };
    ompfact_shape shape = shape_for(&k, false), empty = { .n = 0, .nb = NB, .accuracy = 1e-3 };
    double *weights = zeros();
    predict(&empty, &k, weights);
    assert_everywhere(weights[0] == 0);
    shape.accuracy = 0;
    assert_everywhere(ompfact_predict_weights(grid, &shape, entry, &k, weights) == OMPFACT_BAD_ARGUMENT &&
                      strstr(ompfact_message(grid), "accuracy") != NULL);
    shape.accuracy = 1e-3;
    shape.nb = 0;
    assert_everywhere(ompfact_predict_weights(grid, &shape, entry, &k, weights) == OMPFACT_BAD_ARGUMENT &&
                      strstr(ompfact_message(grid), "by nb") != NULL);
    shape.nb = -1;
    assert_everywhere(ompfact_predict_weights(grid, &shape, entry, &k, weights) == OMPFACT_BAD_ARGUMENT);
    if (ompfact_ranks(grid) > 1) {
        shape.nb = NB + my_rank();
        assert_everywhere(ompfact_predict_weights(grid, &shape, entry, &k, weights) == OMPFACT_BAD_ARGUMENT);
    }
    free(weights);
}
END_TEST

static Suite *predict_suite(void)
{
    Suite *suite = suite_create("predicted weights");
    TCase *tests = tcase_create("predicted weights");
    tcase_add_unchecked_fixture(tests, create_grid, destroy_grid);
    add_turns(tests, ranks, 12, 5);
    tcase_add_loop_test(tests, ranks_of_samples, 0, 2);
    add_turns(tests, work, 12, 5);
    add_turns(tests, balance, 12, 5);
    tcase_add_loop_test(tests, dense, 0, 4);
    tcase_add_test(tests, not_finite);
    tcase_add_test(tests, refused);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, predict_suite());
}
