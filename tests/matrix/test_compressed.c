/* Compressed matrices: tiles have the ranks and errors that the accuracy allows, however they are filled. */
#include "tests/matrix/compressed_shapes.h"

static ompfact_tile_ranks ranks_of(ompfact_matrix *A)
{
    ompfact_tile_ranks ranks;
    assert_everywhere(ompfact_count_ranks(A, &ranks) == OMPFACT_SUCCESS);
    assert_everywhere(agreed(ranks.dense_tiles) && agreed(ranks.rank_max) && agreed(ranks.bytes));
    return ranks;
}

/* Compares count_ranks with counts tile by tile. */
static void check_ranks(ompfact_matrix *A)
{
    ompfact_tile_ranks ranks = ranks_of(A);
    int64_t sums[5] = { 0 }, size = (int64_t)precision_of(ompfact_type(A))->size;
    int most = -1;
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t;
        int rank = ompfact_tile_rank(A, i, j);
        matrix_view(A, i, j, &t);
        sums[rank < 0 ? 0 : 1]++;
        sums[2] += rank > 0 ? rank : 0;
        sums[3] += size * (rank < 0 ? t.mb * t.nb : rank * (t.mb + t.nb));
        sums[4] += size * t.mb * t.nb;
        most = rank > most ? rank : most;
    }
    reduce(sums, 5, MPI_INT64_T, MPI_SUM);
    reduce(&most, 1, MPI_INT, MPI_MAX);
    assert_everywhere(ranks.dense_tiles == sums[0] && ranks.rank_max == most && ranks.bytes == sums[3] &&
                      ranks.dense_bytes == sums[4]);
    assert_everywhere(sums[1] == 0 ? isnan(ranks.rank_mean) : ranks.rank_mean == (double)sums[2] / (double)sums[1]);
}

/* ---- filling --------------------------------------------------------------------------------------------------------------- */

/* The matrix is within its accuracy, in less memory the less accurate it is; its norm is as near. */
START_TEST(filled)
{
    static const double accuracies[] = { 1e-13, 1e-5, 1e-2 };
    struct smooth s = problem_of("sdcz"[_i % 4], _i / 4);
    int64_t before = INT64_MAX;
    for (int k = 0; k < 3; k++) {
        ompfact_shape shape = compressed_shape(&s, accuracies[k]);
        ompfact_matrix *A = new_smooth(grid, &s, &shape);
        number *F = gather_compressed(A, &s.p);
        struct distance d = distance_of(&s, F, false);
        double accuracy = accuracy_of(&s.p, accuracies[k]);
        assert_everywhere_msg(d.error <= accuracy * d.norm, "%c, to %g: %g", s.p.type, accuracy, d.error / d.norm);
        check_ranks(A);
        ompfact_tile_ranks ranks = ranks_of(A);
        assert_everywhere(ranks.bytes <= before && (accuracies[k] < 1e-6 || ranks.bytes < ranks.dense_bytes / 4 * 3));
        before = ranks.bytes;

        ompfact_shape dense_shape = shape_of(&s.p, NB, "2dbc");
        ompfact_matrix *dense = new_smooth(grid, &s, &dense_shape);
        double norm, norm_of_dense;
        assert_everywhere(ompfact_norm1(A, &norm) == OMPFACT_SUCCESS && ompfact_norm1(dense, &norm_of_dense) == OMPFACT_SUCCESS);
        assert_everywhere(fabs(norm - norm_of_dense) <= sqrt((double)N) * accuracy * d.norm);
        ranks = ranks_of(dense);
        assert_everywhere(ranks.bytes == ranks.dense_bytes && isnan(ranks.rank_mean) && ranks.rank_max == -1);
        free(F);
        ompfact_matrix_destroy(&dense);
        ompfact_matrix_destroy(&A);
    }
}
END_TEST

/* Uneven tiles, and more rows than columns or fewer, are compressed right. */
START_TEST(uneven)
{
    static const int heights[] = { 3, 40, 17, 1 }, widths[] = { 9, 30, 25 };
    struct smooth s = problem_of("dz"[_i % 2], 0);
    s.p.m = 61;
    s.p.n = 64;
    ompfact_shape shape = { .m = 61, .n = 64, .type = s.p.type, .row_heights = heights, .mt = 4, .col_widths = widths, .nt = 3,
                            .layout = "2dbc", .accuracy = 1e-4, .max_rank = 9 };
    if (_i >= 2)
        shape = (ompfact_shape){ .m = 61, .n = 64, .type = s.p.type, .nb = 10, .layout = "2dbc", .accuracy = 1e-4,
                                 .max_rank = 5 };
    ompfact_matrix *A = new_smooth(grid, &s, &shape);
    number *F = gather_compressed(A, &s.p);
    struct distance d = distance_of(&s, F, false);
    assert_everywhere_msg(d.error <= 1e-4 * d.norm, "%g", d.error / d.norm);
    check_ranks(A);
    free(F);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Tiles in the band stay dense, and only these. */
START_TEST(band)
{
    struct smooth s = problem_of('d', _i);
    for (int band = 0; band < 8; band++) {
        ompfact_shape shape = compressed_shape(&s, 1e-2);
        shape.band = band;
        ompfact_matrix *A = new_smooth(grid, &s, &shape);
        bool right = true;
        for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);)
            right &= (ompfact_tile_rank(A, i, j) == -1) == (abs(i - j) < (band == 0 ? 1 : band));
        assert_everywhere_msg(right, "band %d", band);
        assert_everywhere((ranks_of(A).bytes == ranks_of(A).dense_bytes) == (band >= 6));
        ompfact_matrix_destroy(&A);
    }
}
END_TEST

/* No tile has more than the largest rank; below 0 only zeros are compressed; the default is the machine's. */
START_TEST(rank_limits)
{
    struct smooth s = problem_of('d', _i);
    ompfact_shape shape = compressed_shape(&s, 1e-6);
    for (int most = -1; most <= NB; most += 3) {
        shape.max_rank = most == 2 ? 0 : most;
        ompfact_matrix *A = new_smooth(grid, &s, &shape);
        ompfact_tile_ranks ranks = ranks_of(A);
        int allowed = shape.max_rank == 0 ? NB / 2 : most;
        assert_everywhere_msg(ranks.rank_max <= (most < 0 ? -1 : allowed), "at most %d, and %d", most, ranks.rank_max);
        assert_everywhere(most < 8 || ranks.rank_max > 2);
        ompfact_matrix_destroy(&A);
    }
}
END_TEST

static void fill_corner(void *smooth, const ompfact_tile *t)
{
    const struct smooth *s = smooth;
    fill_smooth_tile(smooth, t);
    for (int c = 0; c < t->nb && abs(t->i - t->j) > 1; c++)
        for (int r = 0; r < t->mb; r++)
            put(t, s->p.type, r, c, 0);
}

static void fill_nothing(void *smooth, const ompfact_tile *t)
{
    const struct smooth *s = smooth;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            put(t, s->p.type, r, c, 0);
}

/* Tiles of zeros have rank 0, in any matrix; before it is filled all of it is zero. */
START_TEST(zeros)
{
    struct smooth s = problem_of("sdcz"[_i % 4], _i / 4);
    ompfact_shape shape = compressed_shape(&s, 1e-3);
    shape.max_rank = -1;
    ompfact_matrix *A = new_matrix(grid, &shape);
    double norm = -1;
    for (int run = 0; run < 2; run++) {
        assert_everywhere(ompfact_norm1(A, &norm) == OMPFACT_SUCCESS && norm == 0);
        assert_everywhere(ranks_of(A).dense_tiles == 6 && ranks_of(A).rank_max == 0 && ranks_of(A).rank_mean == 0);
        assert_everywhere(ompfact_fill_tiles(A, fill_nothing, &s) == OMPFACT_SUCCESS);
    }
    assert_everywhere(ompfact_fill_tiles(A, fill_corner, &s) == OMPFACT_SUCCESS);
    bool right = true;
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);)
        right &= ompfact_tile_rank(A, i, j) == (abs(i - j) > 1 ? 0 : -1);
    assert_everywhere(right);
    check_ranks(A);
    ompfact_matrix_destroy(&A);
}
END_TEST

static void entry(void *smooth, int64_t i, int64_t j, void *value)
{
    const struct smooth *s = smooth;
    number a = smooth_entry(s, i, j);
    precision_of(s->p.type)->set(value, creal(a), cimag(a));
}

/* A matrix can be filled again, by its entries, with tiles of other ranks; one made like it is compressed, too. */
START_TEST(again)
{
    struct smooth s = problem_of("sz"[_i % 2], _i / 2), rough = s;
    rough.length = 1;
    ompfact_shape shape = compressed_shape(&s, 1e-3);
    ompfact_matrix *A = new_smooth(grid, &s, &shape), *B = new_like(A);
    int64_t bytes = ranks_of(A).bytes;
    assert_everywhere(ompfact_fill_tiles(A, fill_smooth_tile, &rough) == OMPFACT_SUCCESS);
    number *F = gather_compressed(A, &s.p);
    struct distance d = distance_of(&rough, F, false);
    assert_everywhere(d.error <= 1e-3 * d.norm);
    assert_everywhere(ranks_of(A).bytes != bytes);
    free(F);
    assert_everywhere(ompfact_fill_entries(A, entry, &s) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_fill_entries(B, entry, &s) == OMPFACT_SUCCESS);
    assert_everywhere(ranks_of(A).bytes == bytes && ranks_of(B).bytes == bytes);
    number *G = gather_compressed(A, &s.p), *H = gather_compressed(B, &s.p);
    d = distance_of(&s, G, false);
    assert_everywhere(d.error <= 1e-3 * d.norm);
    double apart = 0;
    for (int k = 0; k < N * N; k++)
        apart = larger(apart, cabs(G[k] - H[k]));
    assert_everywhere_msg(apart <= 100 * precision_of(s.p.type)->eps, "%g apart", apart);
    free(G);
    free(H);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* A tile of low rank cannot be read as elements, and the message names it; others can. */
START_TEST(tiles)
{
    struct smooth s = problem_of('d', _i);
    ompfact_shape shape = compressed_shape(&s, 1e-3);
    ompfact_matrix *A = new_smooth(grid, &s, &shape);
    bool right = true;
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t;
        char name[32];
        snprintf(name, sizeof name, "(%d,%d)", i, j);
        if (ompfact_tile_rank(A, i, j) >= 0) {
            right &= ompfact_tile_get(A, i, j, &t) == OMPFACT_BAD_ARGUMENT && strstr(ompfact_message(grid), name) != NULL;
            continue;
        }
        right &= ompfact_tile_get(A, i, j, &t) == OMPFACT_SUCCESS && get(&t, 'd', 0, 0) == smooth_entry(&s, t.row, t.col);
        ompfact_tile_restore(A, &t);
    }
    assert_everywhere(right);
    assert_everywhere(ompfact_tile_rank(A, 1, 0) == -1 || ompfact_owner(A, 1, 0) == my_rank());
    assert_everywhere(ompfact_tile_rank(A, -1, 0) == -1 && ompfact_tile_rank(A, 0, 99) == -1);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* ---- numbers that are not finite, or too large ----------------------------------------------------------------------------- */

/* The first such element is reported as for a dense matrix; factorizations fail in the same tile as dense ones. */
START_TEST(not_finite)
{
    struct smooth s = problem_of("sdcz"[_i % 4], _i / 4);
    int64_t row = s.p.upper ? 20 : N - 4, col = s.p.upper ? N - 4 : 20;
    s.nan = 1 + row + col * N;
    if (_i % 2) {
        s.infinity = s.nan;
        s.nan = 0;
    }
    ompfact_shape shape = compressed_shape(&s, 1e-3), dense_shape = shape_of(&s.p, NB, "2dbc");
    ompfact_matrix *A = new_smooth(grid, &s, &shape), *D = new_smooth(grid, &s, &dense_shape);
    int64_t found[2] = { -1, -1 }, found_in_dense[2] = { -1, -1 }, info = 0, info_of_dense = 0;
    bool nan, nan_in_dense;
    assert_everywhere(ompfact_find_not_finite(A, &found[0], &found[1], &nan) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_find_not_finite(D, &found_in_dense[0], &found_in_dense[1], &nan_in_dense) == OMPFACT_SUCCESS);
    assert_everywhere(found[0] == row && found[1] == col && nan == (s.nan > 0));
    assert_everywhere(found[0] == found_in_dense[0] && found[1] == found_in_dense[1] && nan == nan_in_dense);
    if (s.p.hermitian) {
        assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && ompfact_potrf(D, &info_of_dense) == OMPFACT_SUCCESS);
        assert_everywhere_msg(info > 0 && (info - 1) / NB == (info_of_dense - 1) / NB, "%lld, not %lld", (long long)info,
                              (long long)info_of_dense);
    } else {
        assert_everywhere(ompfact_getrf(A, &info) == OMPFACT_SUCCESS);
        number *F = gather_compressed(A, &s.p);
        assert_everywhere(info > 0 || !isfinite(cabs(F[N * N - 1])));
        free(F);
    }
    s.nan = s.infinity = 0;
    assert_everywhere(ompfact_fill_tiles(A, fill_smooth_tile, &s) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_find_not_finite(A, &found[0], &found[1], &nan) == OMPFACT_SUCCESS && found[0] == -1);
    ompfact_matrix_destroy(&D);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Elements whose squares overflow or vanish are refused, and less extreme ones are compressed. */
START_TEST(scales)
{
    static const double scales[] = { 1e-200, 1e-160, 1e200, 1e-60, 1e100 };
    struct smooth s = problem_of("dz"[_i % 2], _i / 2);
    ompfact_shape shape = compressed_shape(&s, 1e-3);
    ompfact_matrix *A = new_matrix(grid, &shape);
    for (int k = 0; k < 5; k++) {
        s.scale = scales[k];
        ompfact_status status = ompfact_fill_tiles(A, fill_smooth_tile, &s);
        if (k < 3) {
            assert_everywhere(status == OMPFACT_BAD_ARGUMENT && strstr(ompfact_message(grid), "scale") != NULL);
            continue;
        }
        assert_everywhere(status == OMPFACT_SUCCESS);
        number *F = gather_compressed(A, &s.p);
        struct distance d = distance_of(&s, F, false);
        assert_everywhere(d.error <= 1e-3 * d.norm && ranks_of(A).rank_max > 0);
        free(F);
    }
    ompfact_matrix_destroy(&A);
}
END_TEST

static Suite *compressed_suite(void)
{
    Suite *suite = suite_create("compressed");
    TCase *tests = tcase_create("compressed");
    tcase_add_checked_fixture(tests, create_grid, destroy_grid);
    tcase_add_loop_test(tests, filled, 0, 12);
    tcase_add_loop_test(tests, uneven, 0, 4);
    tcase_add_loop_test(tests, band, 0, 3);
    tcase_add_loop_test(tests, rank_limits, 0, 3);
    tcase_add_loop_test(tests, zeros, 0, 12);
    tcase_add_loop_test(tests, again, 0, 6);
    tcase_add_loop_test(tests, tiles, 0, 3);
    tcase_add_loop_test(tests, not_finite, 0, 12);
    tcase_add_loop_test(tests, scales, 0, 6);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, compressed_suite());
}
