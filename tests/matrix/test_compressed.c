/* Compressed matrices: results of filling, their properties, and calls that refuse them. */
#include "tests/smooth_matrix.h"

enum { NB = 16, N = 5 * NB + 3 };

static ompfact_grid *grid;

static void create_grid(void)
{
    grid = new_grid((ompfact_options){ .threads = 2 });
}

static void destroy_grid(void)
{
    ompfact_grid_destroy(&grid);
}

/* Structures 0, 1, 2: general, and Hermitian by either triangle. */
static struct smooth problem_of(char type, int structure)
{
    return smooth_problem(type, structure > 0, structure == 2, N);
}

static ompfact_shape compressed_shape(const struct smooth *s, double accuracy)
{
    ompfact_shape shape = shape_of(&s->p, NB, "2dbc");
    shape.accuracy = accuracy;
    shape.max_rank = NB / 2;
    return shape;
}

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

/* A wrong accuracy or band is refused. */
START_TEST(refused_shapes)
{
    static const double accuracies[] = { -1e-3, 1, 2, NAN, INFINITY };
    struct smooth s = problem_of('d', 1);
    ompfact_matrix *A;
    for (int k = 0; k < 5; k++) {
        ompfact_shape shape = compressed_shape(&s, accuracies[k]);
        assert_everywhere(ompfact_matrix_create(grid, &shape, &A) == OMPFACT_BAD_ARGUMENT && A == NULL);
        assert_everywhere(strstr(ompfact_message(grid), "accuracy") != NULL && is_one_line(ompfact_message(grid)));
    }
    ompfact_shape shape = compressed_shape(&s, 1e-3);
    shape.band = -1;
    assert_everywhere(ompfact_matrix_create(grid, &shape, &A) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(strstr(ompfact_message(grid), "band") != NULL);
}
END_TEST

/* ---- refusals -------------------------------------------------------------------------------------------------------------- */

/* C is compressed and has factors, D is dense, of the same shape, and empty; both are general or both Hermitian. */
struct pair {
    ompfact_matrix *C, *D, *B, *X;      /* B, X: right-hand sides of C */
    int64_t info;
    int iterations;
    double number;
    ompfact_matrix *made;
};

static ompfact_status call_geqrf(struct pair *p) { return ompfact_geqrf(p->C); }
static ompfact_status call_gels(struct pair *p) { return ompfact_gels(p->C, p->B, &p->made, &p->info); }
static ompfact_status call_adopt_geqrf(struct pair *p) { return ompfact_adopt_geqrf(p->C, NULL); }
static ompfact_status call_tau(struct pair *p) { return ompfact_tau(p->C, NULL); }
static ompfact_status call_unmqr(struct pair *p) { return ompfact_unmqr(p->C, false, p->D); }
static ompfact_status call_conj_transpose(struct pair *p) { return ompfact_conj_transpose(p->C, &p->made); }
static ompfact_status call_potri(struct pair *p) { return ompfact_potri(p->C, &p->info); }
static ompfact_status call_getri(struct pair *p) { return ompfact_getri(p->C, &p->info); }
static ompfact_status call_trtri(struct pair *p) { return ompfact_trtri(p->C, false, &p->info); }
static ompfact_status call_redistribute(struct pair *p) { return ompfact_redistribute(p->C, p->D); }
static ompfact_status call_redistribute_to(struct pair *p) { return ompfact_redistribute(p->D, p->C); }
static ompfact_status call_posv_refined(struct pair *p) { return ompfact_posv_refined(p->C, p->B, &p->info, &p->iterations); }
static ompfact_status call_gesv_refined(struct pair *p) { return ompfact_gesv_refined(p->C, p->B, &p->info, &p->iterations); }
static ompfact_status call_residual_factors(struct pair *p) { return ompfact_residual_factors(p->D, p->C, &p->number); }
static ompfact_status call_residual_of_c(struct pair *p) { return ompfact_residual_factors(p->C, p->D, &p->number); }
static ompfact_status call_residual_inverse(struct pair *p) { return ompfact_residual_inverse(p->D, p->C, false, &p->number); }
static ompfact_status call_residual_qr(struct pair *p) { return ompfact_residual_qr(p->D, p->C, &p->number); }
static ompfact_status call_residual_gels(struct pair *p) { return ompfact_residual_gels(p->C, p->X, p->B, &p->number); }

static ompfact_status call_trsm(struct pair *p)
{
    return ompfact_trsm(OMPFACT_LEFT, OMPFACT_LOWER, OMPFACT_NO_TRANS, false, 1, 0, p->C, p->B);
}
static ompfact_status call_trsm_to(struct pair *p)
{
    return ompfact_trsm(OMPFACT_LEFT, OMPFACT_LOWER, OMPFACT_NO_TRANS, false, 1, 0, p->D, p->C);
}
static const int descriptor[9] = { 1, 0, N, N, NB, NB, 0, 0, N };
static ompfact_status call_from_scalapack(struct pair *p)
{
    static double local[N * N];
    ompfact_scalapack array = { .nprow = 1, .npcol = 1, .desc = my_rank() == 0 ? descriptor : NULL };
    return ompfact_from_scalapack(p->C, &array, local);
}
static ompfact_status call_to_scalapack(struct pair *p)
{
    static double local[N * N];
    ompfact_scalapack array = { .nprow = 1, .npcol = 1, .desc = my_rank() == 0 ? descriptor : NULL };
    return ompfact_to_scalapack(p->C, &array, local);
}

enum { GENERAL_ONE = 1, HERMITIAN_ONE = 2, EITHER = 3 };
static const struct { const char *name; ompfact_status (*call)(struct pair *p); int of; } calls[] = {
    { "geqrf", call_geqrf, GENERAL_ONE }, { "gels", call_gels, GENERAL_ONE }, { "adopt_geqrf", call_adopt_geqrf, GENERAL_ONE },
    { "tau", call_tau, GENERAL_ONE }, { "unmqr", call_unmqr, GENERAL_ONE },
    { "conj_transpose", call_conj_transpose, GENERAL_ONE }, { "potri", call_potri, HERMITIAN_ONE },
    { "getri", call_getri, GENERAL_ONE }, { "trtri", call_trtri, HERMITIAN_ONE }, { "redistribute", call_redistribute, EITHER },
    { "redistribute to", call_redistribute_to, EITHER }, { "posv_refined", call_posv_refined, HERMITIAN_ONE },
    { "gesv_refined", call_gesv_refined, GENERAL_ONE }, { "residual_factors", call_residual_factors, EITHER },
    { "residual of a compressed one", call_residual_of_c, EITHER }, { "residual_inverse", call_residual_inverse, EITHER },
    { "residual_qr", call_residual_qr, GENERAL_ONE }, { "residual_gels", call_residual_gels, GENERAL_ONE },
    { "trsm", call_trsm, EITHER }, { "trsm to", call_trsm_to, GENERAL_ONE }, { "from_scalapack", call_from_scalapack, EITHER },
    { "to_scalapack", call_to_scalapack, EITHER },
};
enum { CALLS = sizeof calls / sizeof calls[0] };

/* Calls that do not support compressed matrices refuse them with a message, and change nothing. */
START_TEST(refusals)
{
    for (int structure = 0; structure < 3; structure++) {
        struct smooth s = problem_of('d', structure);
        ompfact_shape shape = compressed_shape(&s, 1e-5), dense_shape = shape_of(&s.p, NB, "2dbc");
        struct pair p = { .C = new_smooth(grid, &s, &shape), .D = new_smooth(grid, &s, &dense_shape) };
        p.B = new_rhs(p.C, 3);
        p.X = new_rhs(p.C, 3);
        fill_rhs(p.B, &s.p);
        fill_rhs(p.X, &s.p);
        assert_everywhere((s.p.hermitian ? ompfact_potrf(p.C, &p.info) : ompfact_getrf(p.C, &p.info)) == OMPFACT_SUCCESS);
        number *before = gather_compressed(p.C, &s.p), *dense_before = gather_compressed(p.D, &s.p);
        number *rhs_before = gather(p.B, NULL);
        for (int c = 0; c < CALLS; c++) {
            bool is_for_it = (calls[c].of & (s.p.hermitian ? HERMITIAN_ONE : GENERAL_ONE)) != 0;
            if (!is_for_it || (structure == 2 && calls[c].call == call_trsm))
                continue;
            ompfact_status status = calls[c].call(&p);
            assert_everywhere_msg(status == OMPFACT_BAD_ARGUMENT && p.made == NULL, "%s: %d, %s", calls[c].name, (int)status,
                                  ompfact_message(grid));
            bool other_reason = calls[c].call == call_tau || calls[c].call == call_unmqr;       /* reflectors */
            assert_everywhere_msg(other_reason || strstr(ompfact_message(grid), "compressed") != NULL, "%s: %s", calls[c].name,
                                  ompfact_message(grid));
            number *now = gather_compressed(p.C, &s.p), *dense_now = gather_compressed(p.D, &s.p), *rhs_now = gather(p.B, NULL);
            assert_everywhere_msg(memcmp(now, before, N * N * sizeof *now) == 0, "%s", calls[c].name);
            assert_everywhere_msg(memcmp(dense_now, dense_before, N * N * sizeof *now) == 0, "%s", calls[c].name);
            assert_everywhere_msg(memcmp(rhs_now, rhs_before, 3 * N * sizeof *now) == 0, "%s", calls[c].name);
            free(now);
            free(dense_now);
            free(rhs_now);
        }
        assert_everywhere((s.p.hermitian ? ompfact_potrs(p.C, p.B) : ompfact_getrs(p.C, p.B)) == OMPFACT_SUCCESS);
        free(before);
        free(dense_before);
        free(rhs_before);
        ompfact_matrix_destroy(&p.X);
        ompfact_matrix_destroy(&p.B);
        ompfact_matrix_destroy(&p.D);
        ompfact_matrix_destroy(&p.C);
    }
}
END_TEST

/* Rows of compressed tiles cannot be exchanged, so both kinds of pivoting are refused; Q cannot be applied, either. */
START_TEST(pivots_refused)
{
    ompfact_pivot pivot = _i ? OMPFACT_PIVOT_PARTIAL : OMPFACT_PIVOT_TOURNAMENT;
    ompfact_grid *pivoting = new_grid((ompfact_options){ .threads = 1, .pivot = pivot });
    struct smooth s = problem_of('d', 0);
    ompfact_shape shape = compressed_shape(&s, 1e-5), dense_shape = shape_of(&s.p, NB, "2dbc");
    ompfact_matrix *A = new_smooth(pivoting, &s, &shape), *Q = new_smooth(pivoting, &s, &dense_shape), *B = new_rhs(A, 1);
    number *before = gather_compressed(A, &s.p);
    int64_t info;
    int iterations;
    fill_rhs(B, &s.p);
    assert_everywhere(ompfact_getrf(A, &info) == OMPFACT_BAD_ARGUMENT && ompfact_gesv(A, B, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_gesv_refined(A, B, &info, &iterations) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_geqrf(Q) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_unmqr(Q, true, A) == OMPFACT_BAD_ARGUMENT && ompfact_ungqr(Q, A) == OMPFACT_BAD_ARGUMENT);
    number *now = gather_compressed(A, &s.p);
    assert_everywhere(memcmp(now, before, N * N * sizeof *now) == 0);
    free(now);
    free(before);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&Q);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&pivoting);
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
    tcase_add_test(tests, refused_shapes);
    tcase_add_test(tests, refusals);
    tcase_add_loop_test(tests, pivots_refused, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, compressed_suite());
}
