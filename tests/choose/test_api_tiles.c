/* Tile sizes that are left to the library: their values, the agreement of ranks and calls, and combinations with other
   members. */
#include "src/machine/tile_size.h"
#include "tests/choose/api_layouts.h"
#include "tests/machine/cache_folder.h"

static char folder[CACHE_FOLDER];
static ompfact_grid *grid;

static void set_up(void)
{
    new_cache_folder(folder);
    grid = new_grid((ompfact_options){ .threads = 1 });
}

static void tear_down(void)
{
    ompfact_grid_destroy(&grid);
    remove_cache_folder(folder);
}

/* The tile size chosen for a square matrix. */
static int chosen(ompfact_shape shape)
{
    ompfact_matrix *A = new_matrix(grid, &shape);
    int nb = ompfact_tile_height(A);
    assert_everywhere(agreed(nb) && nb == ompfact_tile_width(A));
    ompfact_matrix_destroy(&A);
    return nb;
}

/* Sizes are within bounds for every structure, purpose and type. A second call, and grids with other threads, get the same
   size. */
START_TEST(measured)
{
    static const ompfact_shape shapes[] = { { .m = 700, .n = 700 }, { .n = 700, .structure = OMPFACT_HERMITIAN_LOWER },
                                            { .n = 700, .structure = OMPFACT_HERMITIAN_UPPER, .type = 's' },
                                            { .m = 700, .n = 700, .purpose = OMPFACT_FOR_QR },
                                            { .m = 700, .n = 700, .purpose = OMPFACT_FOR_LEAST_SQUARES, .type = 'z' } };
    enum { SHAPES = sizeof shapes / sizeof shapes[0] };
    int nb[SHAPES];
    for (int s = 0; s < SHAPES; s++) {
        nb[s] = chosen(shapes[s]);
        assert_everywhere_msg(nb[s] >= TILE_SIZE_MIN && nb[s] <= 350 && chosen(shapes[s]) == nb[s], "shape %d: %d", s, nb[s]);
    }
    if (my_rank() == 0)
        ck_assert_int_eq(files_in_cache(folder, false), 1);
    for (int threads = 2; threads <= 3; threads++) {
        ompfact_grid_destroy(&grid);
        grid = new_grid((ompfact_options){ .threads = threads });
        for (int s = 0; s < SHAPES; s++)
            assert_everywhere_msg(chosen(shapes[s]) == nb[s], "shape %d", s);
    }
}
END_TEST

/* By rates that --tune has kept, the size is one at which kernels are fast. A count without a grid gets the same size. */
START_TEST(tuned)
{
    keep_fast_size(_i, true, ompfact_blas_kernels(grid));
    ompfact_shape shape = { .m = 2550, .n = 2550 };
    ompfact_layout_counts counts, given;
    assert_everywhere_msg(chosen(shape) == _i, "%d is not the fastest", chosen(shape));
    if (my_rank() == 0) {
        ck_assert_int_eq(ompfact_layout_count(&shape, 4, &counts, NULL), OMPFACT_SUCCESS);
        shape.nb = _i;
        ck_assert_int_eq(ompfact_layout_count(&shape, 4, &given, NULL), OMPFACT_SUCCESS);
        ck_assert(counts.transfers == given.transfers && counts.bytes_max == given.bytes_max);
    }
}
END_TEST

/* A given size is kept, and nothing is measured; the same holds for a matrix that leaves no choice, and for a call without a
   grid. */
START_TEST(given)
{
    ompfact_layout_counts counts;
    ompfact_pattern *pattern;
    assert_everywhere(chosen((ompfact_shape){ .m = 600, .n = 600, .nb = 100 }) == 100);
    assert_everywhere(chosen((ompfact_shape){ .m = 20, .n = 20 }) == 20 && chosen((ompfact_shape){ .m = 90, .n = 90 }) == 32);
    ompfact_shape shape = { .n = 3000, .structure = OMPFACT_HERMITIAN_LOWER };
    assert_everywhere(ompfact_layout_count(&shape, 5, &counts, NULL) == OMPFACT_SUCCESS && counts.transfers > 0);
    assert_everywhere(ompfact_pattern_create_for(&shape, 5, &pattern, NULL) == OMPFACT_SUCCESS);
    ompfact_pattern_destroy(&pattern);
    assert_everywhere(cache_is_untouched(folder));
}
END_TEST

/* Right-hand sides, and another matrix with the same tile height, fit the matrix: solves work, and Q is formed. */
START_TEST(fits)
{
    struct problem p = { .n = 260, .m = 260, .type = 'd', .seed = 3 };
    ompfact_shape shape = shape_of(&p, 0, NULL), other = { .m = 400, .n = 150, .purpose = OMPFACT_FOR_QR };
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_rhs(A, 3);
    int64_t info;
    fill(A, &p);
    fill_rhs(B, &p);
    assert_everywhere(ompfact_gesv(A, B, &info) == OMPFACT_SUCCESS && info == 0);
    ompfact_matrix_destroy(&B);
    B = new_rhs(A, 0);
    assert_everywhere(ompfact_cols(B) == 0 && ompfact_getrs(A, B) == OMPFACT_SUCCESS);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    A = new_matrix(grid, &other);
    other.n = 40;
    other.nb = ompfact_tile_height(A);
    B = new_matrix(grid, &other);
    struct problem tall = { .m = 400, .n = 150, .type = 'd', .seed = 4 };
    fill(A, &tall);
    assert_everywhere(ompfact_geqrf(A) == OMPFACT_SUCCESS && ompfact_ungqr(A, B) == OMPFACT_SUCCESS);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Long thin matrices have tiles at least as tall as their columns are few, and factor. */
START_TEST(thin)
{
    static const struct { int64_t m, n; } sizes[] = { { 3000, 5 }, { 5, 3000 }, { 20000, 40 }, { 1, 1 }, { 0, 7 }, { 7, 0 } };
    for (int s = 0; s < 6; s++) {
        ompfact_shape shape = { .m = sizes[s].m, .n = sizes[s].n, .purpose = OMPFACT_FOR_QR };
        struct problem p = { .m = sizes[s].m, .n = sizes[s].n, .type = 'd', .seed = s };
        ompfact_matrix *A = new_matrix(grid, &shape);
        int64_t longer = sizes[s].m > sizes[s].n ? sizes[s].m : sizes[s].n;
        int nb = sizes[s].m > sizes[s].n ? ompfact_tile_height(A) : ompfact_tile_width(A);
        assert_everywhere_msg(nb >= (longer < 32 ? 1 : 32) && nb <= 256 && nb <= longer, "%d", nb);
        fill(A, &p);
        assert_everywhere_msg(ompfact_geqrf(A) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
        ompfact_matrix_destroy(&A);
    }
}
END_TEST

/* If all sizes are given nothing is chosen: right-hand sides have columns of 256. If some are given, the others are chosen. */
START_TEST(uneven)
{
    static const int heights[] = { 70, 30, 100 };
    ompfact_shape all = { .n = 200, .structure = OMPFACT_HERMITIAN_LOWER, .row_heights = heights, .mt = 3 },
                  some = { .m = 200, .n = 400, .row_heights = heights, .mt = 3 };
    ompfact_matrix *A = new_matrix(grid, &all), *B = new_rhs(A, 600), *C = new_matrix(grid, &some);
    assert_everywhere(ompfact_tile_width(B) == 256 && ompfact_tile_cols(B) == 3 && ompfact_tile_rows(C) == 3);
    assert_everywhere(ompfact_tile_width(C) >= 32 && ompfact_tile_width(C) <= 400 && agreed(ompfact_tile_width(C)));
    ompfact_matrix_destroy(&C);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Weights of tiles without known sizes are refused on all ranks, even if one rank has them; so is a size that only some ranks
   give. */
START_TEST(refused)
{
    static const double weights[4] = { 1, 2, 3, 4 };
    char message[OMPFACT_MESSAGE] = "";
    ompfact_layout_counts counts;
    ompfact_matrix *A;
    ompfact_shape shape = { .m = 300, .n = 300, .layout = "rs", .weights = my_rank() == 0 ? weights : NULL };
    assert_everywhere(ompfact_matrix_create(grid, &shape, &A) == OMPFACT_BAD_ARGUMENT && A == NULL);
    assert_everywhere(is_one_line(ompfact_message(grid)) && strstr(ompfact_message(grid), "nb") != NULL);
    shape.weights = weights;
    assert_everywhere(ompfact_layout_count(&shape, 4, &counts, message) == OMPFACT_BAD_ARGUMENT && is_one_line(message));
    shape = (ompfact_shape){ .m = 300, .n = 300, .type = 'x' };
    assert_everywhere(ompfact_matrix_create(grid, &shape, &A) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(strstr(ompfact_message(grid), "s, d, c, z") != NULL);
    shape = (ompfact_shape){ .m = 300, .n = 300, .nb = my_rank() == 0 ? 0 : 256 };
    if (ompfact_ranks(grid) > 1)
        assert_everywhere(ompfact_matrix_create(grid, &shape, &A) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(cache_is_untouched(folder));
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("api_tiles");
    TCase *c = tcase_create("api_tiles");
    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, measured);
    tcase_add_loop_test(c, tuned, 96, 97);
    tcase_add_loop_test(c, tuned, 256, 257);
    tcase_add_test(c, given);
    tcase_add_test(c, fits);
    tcase_add_test(c, thin);
    tcase_add_test(c, uneven);
    tcase_add_test(c, refused);
    suite_add_tcase(suite, c);
    return run_suite(argc, argv, suite);
}
