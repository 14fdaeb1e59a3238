/* Layouts for tiles of uneven work and for ranks of unequal speed, by the public interface: balance, counts and refusals. */
#include "tests/choose/api_layouts.h"
#include "tests/machine/cache_folder.h"

/* ---- uneven tiles -------------------------------------------------------------------------------------------------------- */

/* The weight of the most loaded rank over the mean, from the owners. */
static double load_of(const ompfact_matrix *A, const double *weights)
{
    double *load = calloc((size_t)ompfact_ranks(grid), sizeof *load), most = 0, total = 0;
    for (int i = 0; i < TILES; i++)
        for (int j = 0; j < TILES; j++)
            if (ompfact_owner(A, i, j) >= 0)
                load[ompfact_owner(A, i, j)] += weights[i * TILES + j];
    for (int rank = 0; rank < ompfact_ranks(grid); rank++) {
        most = load[rank] > most ? load[rank] : most;
        total += load[rank];
    }
    free(load);
    return most * ompfact_ranks(grid) / total;
}

/* Each layout for uneven tiles factors by LU and by Cholesky of either triangle, and the counted balance is that of the
   weights. */
START_TEST(weighted)
{
    static const char *const layouts[] = { "bch:2", "bce:alpha=2.5", "rs", "rsp:size=4", "auto", "2dbc" };
    struct problem p = { .type = 'd', .hermitian = _i % 3 > 0, .upper = _i % 3 == 2, .m = N, .n = N, .seed = 8 };
    double weights[TILES * TILES];
    for (int t = 0; t < TILES * TILES; t++)
        weights[t] = t % 5 == 0 ? 0 : 1 + t * t % 23;
    ompfact_shape shape = shape_of(&p, NB, layouts[_i / 3]);
    shape.weights = weights;
    ompfact_matrix *A = factored(&shape, &p);
    ompfact_layout_counts counts;
    check_tiles(A, &shape);
    assert_everywhere(ompfact_layout_count(&shape, ompfact_ranks(grid), &counts, NULL) == OMPFACT_SUCCESS);
    assert_everywhere_msg(fabs(counts.flops_max_over_mean - load_of(A, weights)) < 1e-12, "%g counted, %g is",
                          counts.flops_max_over_mean, load_of(A, weights));
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Tile (i,j) of the upper triangle has its own weight, and the owner of the lower triangle's (j,i) with the same weight. */
START_TEST(weighted_triangles)
{
    double lower[TILES * TILES], upper[TILES * TILES];
    for (int i = 0; i < TILES; i++)
        for (int j = 0; j < TILES; j++) {
            lower[i * TILES + j] = i >= j ? 1 + (3 * i + j * j) % 11 : 1e9;
            upper[j * TILES + i] = i >= j ? lower[i * TILES + j] : 1e9;
        }
    ompfact_shape shape = { .n = N, .nb = NB, .structure = OMPFACT_HERMITIAN_LOWER, .layout = "rs", .weights = lower };
    ompfact_matrix *L = new_matrix(grid, &shape), *U;
    shape.structure = OMPFACT_HERMITIAN_UPPER;
    shape.weights = upper;
    U = new_matrix(grid, &shape);
    int wrong = 0;
    for (int i = 0; i < TILES; i++)
        for (int j = 0; j <= i; j++)
            wrong += ompfact_owner(L, i, j) != ompfact_owner(U, j, i);
    assert_everywhere_msg(wrong == 0, "%d tiles differ", wrong);
    ompfact_matrix_destroy(&L);
    ompfact_matrix_destroy(&U);
}
END_TEST

/* Weights with an infinite sum give the same layout as smaller weights in the same proportions. */
START_TEST(large_weights)
{
    static const char *const layouts[] = { "bch", "bce:alpha=2.5", "rs", "rsp", "auto" };
    double weights[TILES * TILES], large[TILES * TILES];
    for (int t = 0; t < TILES * TILES; t++) {
        weights[t] = 1 + t * t % 23;
        large[t] = 7e306 * weights[t];
    }
    for (size_t k = 0; k < sizeof layouts / sizeof layouts[0]; k++) {
        ompfact_shape shape = { .m = N, .n = N, .nb = NB, .layout = layouts[k], .weights = weights };
        ompfact_layout_counts counts[2];
        assert_everywhere(ompfact_layout_count(&shape, 4, &counts[0], NULL) == OMPFACT_SUCCESS);
        shape.weights = large;
        assert_everywhere(ompfact_layout_count(&shape, 4, &counts[1], NULL) == OMPFACT_SUCCESS);
        assert_everywhere_msg(fabs(counts[0].flops_max_over_mean - counts[1].flops_max_over_mean) < 1e-9 &&
                                  strcmp(counts[0].name, counts[1].name) == 0,
                              "%s: %g, %g", layouts[k], counts[0].flops_max_over_mean, counts[1].flops_max_over_mean);
    }
}
END_TEST

/* For a matrix without tiles the weights are not read. */
START_TEST(weights_of_nothing)
{
    ompfact_shape shape = { .n = 5, .nb = NB, .row_heights = (int[]){ 0 }, .weights = (double *)1 };
    ompfact_matrix *A = new_matrix(grid, &shape);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Weights that are negative or not finite are refused, and the message has the tile, whether wrong on all ranks or on one. */
START_TEST(bad_weights)
{
    double weights[TILES * TILES] = { 1 };
    if (_i / 3 == 0 || my_rank() == ompfact_ranks(grid) - 1)
        weights[3 * TILES + 2] = (double[]){ NAN, INFINITY, -1 }[_i % 3];
    ompfact_shape shape = { .m = N, .n = N, .nb = NB, .layout = "rs", .weights = weights };
    ompfact_matrix *A = (ompfact_matrix *)1;
    assert_everywhere(ompfact_matrix_create(grid, &shape, &A) == OMPFACT_BAD_ARGUMENT && A == NULL);
    assert_everywhere_msg(is_one_line(ompfact_message(grid)) && strstr(ompfact_message(grid), "tile (3,2)") != NULL, "%s",
                          ompfact_message(grid));
    check_usable();
}
END_TEST

/* ---- for ranks of unequal speed -------------------------------------------------------------------------------------------- */

/* Layouts for the speeds of ranks factor by LU and Cholesky in all storages, with the counted transfers. The faster of two ranks
   has more tiles. The caller may change the speeds at once. */
START_TEST(factors_by_speeds)
{
    static const char *const layouts[] = { "1d1d", "1d1d-c:cpb=0.5/1", "1d1d-cs:cpb=0.5/1", "auto" };
    struct problem p = { .type = "dz"[_i % 2], .hermitian = _i % 4 > 0, .upper = _i % 4 == 3, .m = N, .n = N, .seed = 5 };
    double speeds[] = { 2, 6, 4, 2, 8, 2, 2 };
    int ranks = ompfact_ranks(grid), tiles[7] = { 0 };
    ompfact_shape shape = shape_of(&p, NB, layouts[_i / 4]);
    shape.full_storage = _i % 4 == 2;
    shape.speeds = speeds;
    assert_everywhere(ranks <= 7);
    ompfact_matrix *A = factored(&shape, &p);
    check_tiles(A, &shape);
    for (int i = 0; i < TILES; i++)
        for (int j = 0; j < TILES; j++)
            if (ompfact_owner(A, i, j) >= 0)
                tiles[ompfact_owner(A, i, j)]++;
    assert_everywhere(_i / 4 > 0 || ranks < 2 || tiles[1] > tiles[0]);

    memset(speeds, 0, sizeof speeds);
    ompfact_matrix *B = new_like(A), *X = new_rhs(A, 2);
    for (int i = 0; i < TILES; i++)
        assert_everywhere(ompfact_owner(B, i, i) == ompfact_owner(A, i, i));
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Counts contain the time of the most loaded rank and the partition; without speeds, those of flops and of equal ranks. */
START_TEST(counts_by_speeds)
{
    const double speeds[] = { 1, 1, 2, 2, 4 };
    ompfact_shape shape = { .m = 60 * NB, .n = 60 * NB, .nb = NB, .layout = "1d1d" };
    ompfact_layout_counts plain, unequal, blocks;
    ck_assert_int_eq(ompfact_layout_count(&shape, 5, &plain, NULL), OMPFACT_SUCCESS);
    ck_assert_double_eq_tol(plain.abe_max_over_mean, plain.flops_max_over_mean, 1e-12);
    shape.speeds = speeds;
    ck_assert_int_eq(ompfact_layout_count(&shape, 5, &unequal, NULL), OMPFACT_SUCCESS);
    ck_assert_double_lt(unequal.abe_max_over_mean, 1.1);
    ck_assert_double_gt(unequal.flops_max_over_mean, 1.5);
    ck_assert_double_eq_tol(unequal.perisum, 4.4, 1e-9);       /* columns of 1, 1, 2 and of 2, 4: 0.4 * 3 + 1 + 0.6 * 2 + 1 */
    shape.layout = "2dbc:1x5";
    ck_assert_int_eq(ompfact_layout_count(&shape, 5, &blocks, NULL), OMPFACT_SUCCESS);
    ck_assert_double_gt(blocks.abe_max_over_mean, 1.9);
    ck_assert(isnan(blocks.perisum));
    ck_assert_int_eq(ompfact_layout_count_qr(&shape, 5, OMPFACT_TREE_AUTO, 0, &blocks, NULL), OMPFACT_SUCCESS);
    ck_assert_double_gt(blocks.abe_max_over_mean, 1.9);
    ck_assert_int_eq(ompfact_layout_count(&(ompfact_shape){ .m = 60 * NB, .n = 60 * NB, .nb = NB,
                                                            .speeds = speeds }, 5, &blocks, NULL),
                     OMPFACT_SUCCESS);
    ck_assert_double_le(blocks.abe_max_over_mean, 1.05 * unequal.abe_max_over_mean);
}
END_TEST

/* QR factors tall, square and wide matrices with such a layout. */
START_TEST(qr_by_speeds)
{
    static const struct { int64_t m, n; } sizes[] = { { N, N }, { 120, 30 }, { 30, 120 } };
    const double speeds[] = { 3, 1, 2, 1, 1, 1, 1 };
    struct problem p = { .type = 'd', .m = sizes[_i / 2].m, .n = sizes[_i / 2].n, .pivots = true, .seed = 8 };
    ompfact_shape shape = shape_of(&p, NB, _i % 2 == 0 ? "1d1d" : "1d1d-cs:cpb=0.5/1");
    ompfact_layout_counts counts;
    shape.purpose = OMPFACT_FOR_QR;
    shape.speeds = speeds;
    check_qr(&shape, &p, &counts);
}
END_TEST

/* The pattern for a shape has the owners of the shape's matrix, and lays the matrix out the same way. */
START_TEST(patterns_of_shapes)
{
    static const struct { const char *layout; ompfact_structure structure; bool weighted, unequal; } cases[] = {
        { NULL, OMPFACT_GENERAL, false, false },         { "design", OMPFACT_HERMITIAN_LOWER, false, false },
        { "1d1d-c", OMPFACT_GENERAL, false, true },      { "auto", OMPFACT_HERMITIAN_UPPER, false, true },
        { "rs", OMPFACT_GENERAL, true, false },          { "auto", OMPFACT_HERMITIAN_UPPER, true, false } };
    const double speeds[] = { 2, 6, 4, 2, 8, 2, 2 };
    double weights[TILES * TILES];
    char message[OMPFACT_MESSAGE] = "";
    ompfact_pattern *p;
    for (int t = 0; t < TILES * TILES; t++)
        weights[t] = 1 + t * t % 23;
    ompfact_shape shape = { .m = N, .n = N, .nb = NB, .layout = cases[_i].layout, .structure = cases[_i].structure,
                            .weights = cases[_i].weighted ? weights : NULL, .speeds = cases[_i].unequal ? speeds : NULL };
    ompfact_matrix *A = new_matrix(grid, &shape), *B;
    assert_everywhere_msg(ompfact_pattern_create_for(&shape, ompfact_ranks(grid), &p, message) == OMPFACT_SUCCESS, "%s", message);
    assert_everywhere_msg(strcmp(p->name, ompfact_layout(A)) == 0, "%s, not %s", p->name, ompfact_layout(A));
    shape.layout = NULL;
    shape.weights = shape.speeds = NULL;
    shape.pattern = p;
    B = new_matrix(grid, &shape);
    int wrong = 0;
    for (int i = 0; i < TILES; i++)
        for (int j = 0; j < TILES; j++) {
            bool upper = shape.structure == OMPFACT_HERMITIAN_UPPER;
            int owner = ompfact_owner(A, i, j), cell = p->cell[(upper ? j : i) % p->rows * p->cols + (upper ? i : j) % p->cols];
            wrong += (owner >= 0 && cell >= 0 && cell != owner) || owner != ompfact_owner(B, i, j);
        }
    assert_everywhere_msg(wrong == 0, "%d tiles", wrong);
    ompfact_pattern_destroy(&p);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Shapes without a layout, and zero ranks, are refused without a pattern, and with a message of one line if requested. */
START_TEST(no_pattern_of_shapes)
{
    static const struct { const char *layout; int ranks; ompfact_status status; const char *word; } cases[] = {
        { "2dbc", 0, OMPFACT_BAD_ARGUMENT, "at least one rank" }, { "2dbc:3x3", 4, OMPFACT_BAD_LAYOUT, "2dbc" },
        { "none", 4, OMPFACT_BAD_LAYOUT, "none" } };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ompfact_shape shape = { .m = N, .n = N, .nb = NB, .layout = cases[k].layout };
        ompfact_pattern *p = (ompfact_pattern *)1;
        char message[OMPFACT_MESSAGE] = "";
        ck_assert_int_eq(ompfact_pattern_create_for(&shape, cases[k].ranks, &p, message), cases[k].status);
        ck_assert_msg(p == NULL && is_one_line(message) && strstr(message, cases[k].word) != NULL, "%s", message);
        ck_assert_int_eq(ompfact_pattern_create_for(&shape, cases[k].ranks, &p, NULL), cases[k].status);
    }
}
END_TEST

/* Speeds that are not positive numbers, or differ from rank to rank, are refused on all ranks. */
START_TEST(bad_speeds)
{
    const double bad[] = { 0, -1, HUGE_VAL, (double)NAN, 1e7 };
    double speeds[7] = { 1, 1, 1, 1, 1, 1, 1 };
    ompfact_shape shape = { .m = 12 * NB, .n = 12 * NB, .nb = NB, .layout = "1d1d", .speeds = speeds };
    int last = ompfact_ranks(grid) - 1;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        ompfact_matrix *A;
        if (bad[k] > 1 && isfinite(bad[k]) && last == 0)
            continue;       /* this speed is too large only beside another rank */
        speeds[last] = bad[k];
        assert_everywhere(ompfact_matrix_create(grid, &shape, &A) == OMPFACT_BAD_ARGUMENT && A == NULL);
        assert_everywhere_msg(strstr(ompfact_message(grid), "speed") != NULL, "%s", ompfact_message(grid));
    }
    speeds[last] = 1 + 2 * ompfact_rank(grid);
    if (last > 0)
        check_refused(&shape, "not the same on every rank");
    check_usable();
}
END_TEST

/* On a measured machine the default bounds are those of its kernels: a fast rank has a shorter critical path, and several ranks
   wait for transfers. */
START_TEST(bounds_of_the_machine)
{
    char folder[CACHE_FOLDER];
    int ranks = ompfact_ranks(grid);
    double speeds[16], one = 0, fast = 0, all = 0;
    ompfact_shape shape = { .n = 1000, .m = 1000, .nb = 100, .layout = _i == 0 ? "1d1d-c" : "1d1d-cs" };
    new_cache_folder(folder);
    keep_even_rates(2, 100, 20, ompfact_blas_kernels(grid));      /* 10 GFLOP/s a thread */
    ompfact_grid *tuned = new_grid((ompfact_options){ .threads = 2 });
    double path = 2 * (1 + 1 / 2.0 + 1 / 3.0), update = 2e6 / 20e9, transfers = 2 * (1e-6 + 1e4 * 1e-9) / update;
    ompfact_matrix *A = new_matrix(tuned, &shape);
    const char *bounds = strchr(ompfact_layout(A), '=');
    assert_everywhere_msg(bounds != NULL && sscanf(bounds, "=%lf/%lf", &one, &all) == 2, "%s", ompfact_layout(A));
    assert_everywhere(fabs(one - path) < 0.01 && fabs(all - path - transfers) < 0.01);
    ompfact_matrix_destroy(&A);
    for (int rank = 0; rank < ranks; rank++)
        speeds[rank] = rank > 0 && rank == ranks - 1 ? 2 : 1;
    shape.speeds = speeds;
    A = new_matrix(tuned, &shape);
    bounds = strchr(ompfact_layout(A), '=');
    assert_everywhere(ranks == 1 || (bounds != NULL && sscanf(bounds, "=%lf/%lf/%lf", &one, &fast, &all) == 3));
    assert_everywhere(ranks == 1 || (fabs(one - path / 2) < 0.01 && fabs(fast - path / 2 - transfers) < 0.01));
    assert_everywhere(fabs(all - path - transfers) < 0.01);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&tuned);
    remove_cache_folder(folder);
}
END_TEST

static Suite *api_unequal_suite(void)
{
    Suite *suite = suite_create("api of layouts for unequal ranks and tiles");
    TCase *tests = tcase_create("api of layouts for unequal ranks and tiles");
    tcase_add_unchecked_fixture(tests, create_grid, destroy_grid);
    tcase_add_loop_test(tests, weighted, 0, 18);
    tcase_add_test(tests, weighted_triangles);
    tcase_add_test(tests, large_weights);
    tcase_add_test(tests, weights_of_nothing);
    tcase_add_loop_test(tests, bad_weights, 0, 6);
    tcase_add_loop_test(tests, factors_by_speeds, 0, 16);
    tcase_add_test(tests, counts_by_speeds);
    tcase_add_loop_test(tests, qr_by_speeds, 0, 6);
    tcase_add_loop_test(tests, patterns_of_shapes, 0, 6);
    tcase_add_test(tests, no_pattern_of_shapes);
    tcase_add_test(tests, bad_speeds);
    tcase_add_loop_test(tests, bounds_of_the_machine, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, api_unequal_suite());
}
