/*
 * Cholesky factors whose matrix changes by columns V, on any number of ranks. max| B - L L^H | / ( n max|B| eps ), with B the new
 * matrix, is below 30. To subtract what was added restores the old factor. An indefinite result is reported with its row, and
 * leaves the factor unchanged to the bit. Transfers are those counted here from owners alone.
 */
#include "tests/factoring.h"
#include "tests/maps.h"

enum { NB = 16 };

static ompfact_grid *delayed_grid(bool copy_on_node, bool abft)
{
    return new_grid((ompfact_options){ .threads = 2, .copy_on_node = copy_on_node, .abft = abft,
                                       .testing = &(ompfact_testing){ .jitter_us = 50 } });
}

/* ---- V -------------------------------------------------------------------------------------------------------------------- */

/* Columns of random numbers times `size`; or, with row >= 0, zeros and `size` in that row of the last column. */
struct columns {
    const struct problem *p;
    int64_t k, row;
    double size;
};

static number column_entry(const struct columns *v, int64_t i, int64_t j)
{
    if (v->row >= 0)
        return i == v->row && j == v->k - 1 ? v->size : 0;
    return rounded(v->p->type, v->size * rhs_entry(v->p, i, j));
}

static void fill_columns_tile(void *context, const ompfact_tile *t)
{
    const struct columns *v = context;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            put(t, v->p->type, r, c, column_entry(v, t->row + r, t->col + c));
}

/* Creates V as right-hand sides, or as a matrix of some layout, in tile columns of another width. */
static ompfact_matrix *new_columns(ompfact_matrix *A, const struct columns *v, const char *layout)
{
    ompfact_matrix *V;
    if (layout == NULL) {
        V = new_rhs(A, v->k);
    } else {
        ompfact_shape shape = { .m = v->p->n, .n = v->k, .type = v->p->type, .nb = NB, .layout = layout };
        V = new_matrix(ompfact_grid_of(A), &shape);
    }
    assert_everywhere(ompfact_fill_tiles(V, fill_columns_tile, (void *)v) == OMPFACT_SUCCESS);
    return V;
}

/* ---- checks --------------------------------------------------------------------------------------------------------------- */

/* Compares L L^H with A + sign V V^H. */
static void check_factor(ompfact_matrix *L, const struct problem *p, const struct columns *v, double sign)
{
    number *F = gather(L, p);
    double ends[2] = { 0, 0 };
    for (int64_t j = my_rank(); j < p->n; j += all_ranks_count())
        for (int64_t i = j; i < p->n; i++) {
            number a = entry_of(p, i, j);
            for (int64_t c = 0; c < v->k; c++)
                a += sign * column_entry(v, i, c) * conj(column_entry(v, j, c));
            ends[0] = larger(ends[0], cabs(a));
            ends[1] = larger(ends[1], cabs(a - product_of_factors(p, F, i, j)));
            ends[1] = i == j && !(creal(F[i + i * p->n]) > 0 && cimag(F[i + i * p->n]) == 0) ? INFINITY : ends[1];
        }
    largest(ends, 2);
    free(F);
    double ratio = ends[1] == 0 ? 0 : ends[1] / (ends[0] * (double)p->n * precision_of(p->type)->eps);
    assert_everywhere_msg(ratio < 30, "%c n %lld, %lld columns, %s: ratio %g", p->type, (long long)p->n, (long long)v->k,
                          ompfact_layout(L), ratio);
}

static void check_like(ompfact_matrix *L, const struct problem *p, const number *before, double most)
{
    number *F = gather(L, p);
    double ends[2] = { 0, 0 };
    for (int64_t e = 0; e < p->n * p->n; e++) {
        ends[0] = larger(ends[0], cabs(before[e]));
        ends[1] = larger(ends[1], cabs(F[e] - before[e]));
    }
    largest(ends, 2);
    free(F);
    double bound = most * (double)p->n * precision_of(p->type)->eps * ends[0];
    assert_everywhere_msg(ends[1] <= bound, "%c n %lld, %s: %g from the old factor, not %g", p->type, (long long)p->n,
                          ompfact_layout(L), ends[1], bound);
}

static int owner_of(const ompfact_matrix *A, const struct problem *p, int i, int j)
{
    return p->upper ? ompfact_owner(A, j, i) : ompfact_owner(A, i, j);
}

/* Transfers of one tile column of V: reflectors to the other ranks that have tiles below, rows of V to the first tile and on from
   there. */
static int64_t transfers_of_column(const ompfact_matrix *A, const struct problem *p, const ompfact_matrix *V, int c)
{
    int mt = ompfact_tile_rows(A), ranks = all_ranks_count();
    int64_t count = 0;
    for (int j = 0; j < mt; j++) {
        for (int rank = 0; rank < ranks; rank++) {
            bool reads = false;
            for (int i = j + 1; i < mt; i++)
                reads |= owner_of(A, p, i, j) == rank;
            count += reads && rank != owner_of(A, p, j, j);
        }
        count += ompfact_owner(V, j, c) != owner_of(A, p, j, 0);
        for (int i = 0; i < j; i++)
            count += owner_of(A, p, j, i) != owner_of(A, p, j, i + 1);
    }
    return count;
}

static void check_report(ompfact_matrix *A, const struct problem *p, const ompfact_matrix *V)
{
    ompfact_report report = ompfact_last_report(A);
    int64_t transfers = 0;
    for (int c = 0; c < ompfact_tile_cols(V); c++)
        transfers += transfers_of_column(A, p, V, c);
    bool counted = all_ranks_count() > 1;
    assert_everywhere_msg(report.transfers == transfers && (!counted || report.transfers_predicted == transfers),
                          "%lld transfers, predicted %lld, by owners %lld", (long long)report.transfers,
                          (long long)report.transfers_predicted, (long long)transfers);
    double flops = 2.0 * (double)p->n * (double)p->n * (double)ompfact_cols(V) * (is_complex(p->type) ? 4 : 1);
    assert_everywhere_msg(report.flops >= 0.99 * flops && report.flops <= 1.01 * flops + 4 * NB * flops / (double)(p->n + 1),
                          "%g flops, not %g", report.flops, flops);
}

static void factor_it(ompfact_matrix *A, const struct problem *p)
{
    int64_t info = -1;
    fill(A, p);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && info == 0);
}

/* Adds V V^H, and subtracts it again. */
static void check_update(ompfact_grid *grid, const struct problem *p, const ompfact_shape *shape, int64_t k, const char *layout)
{
    struct columns v = { .p = p, .k = k, .row = -1, .size = 3 };
    ompfact_matrix *A = new_matrix(grid, shape), *V = new_columns(A, &v, layout);
    int64_t info = -1;
    factor_it(A, p);
    number *before = gather(A, p), *columns = gather(V, NULL);
    assert_everywhere_msg(ompfact_potrf_update(A, V, &info) == OMPFACT_SUCCESS && info == 0, "%s", ompfact_message(grid));
    assert_everywhere(rest_is_untouched(A, p));
    check_report(A, p, V);
    check_factor(A, p, &v, 1);
    info = -1;
    assert_everywhere_msg(ompfact_potrf_downdate(A, V, &info) == OMPFACT_SUCCESS && info == 0, "info %lld", (long long)info);
    assert_everywhere(rest_is_untouched(A, p));
    check_report(A, p, V);
    check_like(A, p, before, 100);
    number *kept = gather(V, NULL);
    assert_everywhere(memcmp(kept, columns, (size_t)(p->n * k) * sizeof *kept) == 0);
    free(kept);
    free(columns);
    free(before);
    ompfact_matrix_destroy(&V);
    ompfact_matrix_destroy(&A);
}

/* ---- tests ---------------------------------------------------------------------------------------------------------------- */

static const char *const layouts[] = { "2dbc", "g2dbc", "gcrm", map, free_map, "design" };
enum { LAYOUTS = 6 };

/* Each type with each layout is right, packed and full, of either triangle, with one column, some, and more than a tile has. */
START_TEST(types_and_layouts)
{
    static const int64_t k[] = { 1, 5, NB + 9 };
    ompfact_grid *grid = delayed_grid(_i % 3 == 1, _i % 2 == 1);
    struct problem p = square("sdcz"[_i % 4], true, 5 * NB + 7);
    p.upper = _i / 4 % 2;
    for (int l = _i % 2; l < LAYOUTS; l += 2) {
        ompfact_shape shape = shape_of(&p, NB, layouts[l]);
        shape.full_storage = l == 3;
        check_update(grid, &p, &shape, k[(_i + l) % 3], NULL);
        check_update(grid, &p, &shape, k[(_i + l + 1) % 3], layouts[_i % 2]);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Tiles with several blocks of reflectors are right, with a last block that is full or not. */
START_TEST(blocks_of_a_tile)
{
    ompfact_grid *grid = delayed_grid(false, false);
    struct problem p = square("dzsc"[_i % 4], true, 170);
    p.upper = _i % 2;
    ompfact_shape shape = shape_of(&p, 75, "2dbc");
    check_update(grid, &p, &shape, 40, NULL);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Sizes around a tile, more ranks than tiles, no rows and no columns are right. */
START_TEST(sizes)
{
    static const int64_t n[] = { 0, 1, 2, NB - 1, NB, NB + 1, 2 * NB };
    ompfact_grid *grid = delayed_grid(true, false);
    for (int i = 0; i < 7; i++)
        for (int64_t k = 0; k < 3; k++) {
            struct problem p = square('d', true, n[i]);
            p.upper = i % 2;
            ompfact_shape shape = shape_of(&p, NB, "g2dbc");
            check_update(grid, &p, &shape, k, NULL);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Tiles that were factored on devices are updated on the host. */
START_TEST(factored_on_devices)
{
    if (!have_devices())
        return;
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .devices = 1, .host_share = 0.4 });
    struct problem p = square('d', true, 3 * NB + 5);
    ompfact_shape shape = shape_of(&p, NB, "2dbc");
    check_update(grid, &p, &shape, 5, NULL);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* A - V V^H has its first minor that is not positive definite at V's only nonzero row. */
START_TEST(indefinite)
{
    ompfact_grid *grid = delayed_grid(_i % 2, false);
    struct problem p = square("sdcz"[_i % 4], true, 4 * NB + 5);
    p.upper = _i / 2 % 2;
    ompfact_shape shape = shape_of(&p, NB, layouts[_i % 3 + _i % 2 * 3]);
    ompfact_matrix *A = new_matrix(grid, &shape);
    factor_it(A, &p);
    number *before = gather(A, &p);
    for (int64_t row = 0; row < p.n; row += 23) {
        struct columns v = { .p = &p, .k = 1 + row % (NB + 4), .row = row, .size = 2 * sqrt((double)p.n) };
        ompfact_matrix *V = new_columns(A, &v, NULL);
        int64_t info = -1;
        assert_everywhere(ompfact_potrf_downdate(A, V, &info) == OMPFACT_SUCCESS && agreed(info));
        assert_everywhere_msg(info == row + 1, "info %lld, not %lld", (long long)info, (long long)row + 1);
        check_like(A, &p, before, 0);
        assert_everywhere(rest_is_untouched(A, &p));
        v.size = sqrt((double)p.n) / 2;      /* the factor still works */
        assert_everywhere(ompfact_fill_tiles(V, fill_columns_tile, &v) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_potrf_downdate(A, V, &info) == OMPFACT_SUCCESS && info == 0);
        check_factor(A, &p, &v, -1);
        assert_everywhere(ompfact_potrf_update(A, V, &info) == OMPFACT_SUCCESS && info == 0);
        check_like(A, &p, before, 100);
        factor_it(A, &p);
        ompfact_matrix_destroy(&V);
    }
    free(before);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* The result is a thousandth, or a millionth, of A: L' is right as far as its condition allows. */
START_TEST(little_is_left)
{
    ompfact_grid *grid = delayed_grid(false, false);
    struct problem p = square("dz"[_i % 2], true, 3 * NB + 5);
    ompfact_shape shape = shape_of(&p, NB, "g2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    factor_it(A, &p);
    number *before = gather(A, &p);
    for (double size = 30; size < 1e6; size *= 30) {
        struct columns v = { .p = &p, .k = 3, .row = -1, .size = size };
        ompfact_matrix *V = new_columns(A, &v, NULL);
        int64_t info = -1;
        assert_everywhere(ompfact_potrf_update(A, V, &info) == OMPFACT_SUCCESS && info == 0);
        assert_everywhere_msg(ompfact_potrf_downdate(A, V, &info) == OMPFACT_SUCCESS && info == 0, "info %lld", (long long)info);
        check_like(A, &p, before, size * size);
        ompfact_matrix_destroy(&V);
        factor_it(A, &p);
    }
    free(before);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* A NaN is reported. A matrix without factors, or a V that does not fit, is refused, and everything stays as it was. */
START_TEST(refused)
{
    ompfact_grid *grid = delayed_grid(false, false);
    struct problem p = square('d', true, 2 * NB + 5), other = square('s', true, 2 * NB + 5);
    struct columns v = { .p = &p, .k = 2, .row = NB + 3, .size = NAN }, w = { .p = &other, .k = 2, .row = -1, .size = 1 };
    ompfact_shape shape = shape_of(&p, NB, "2dbc"), single = shape_of(&other, NB, "2dbc"), wide = shape_of(&p, NB + 1, "2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape), *B = new_matrix(grid, &single), *C = new_matrix(grid, &wide);
    ompfact_matrix *V = new_columns(A, &v, NULL), *W = new_columns(B, &w, NULL), *X = new_columns(C, &v, NULL);
    int64_t info = -1;
    fill(A, &p);
    assert_everywhere(ompfact_potrf_update(A, V, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(strstr(ompfact_message(grid), "does not hold factors of potrf") != NULL);
    factor_it(A, &p);
    ompfact_matrix *no[] = { W, X, A };
    for (int i = 0; i < 3; i++) {
        assert_everywhere(ompfact_potrf_downdate(A, no[i], &info) == OMPFACT_BAD_ARGUMENT);
        assert_everywhere(strstr(ompfact_message(grid), "with equal tile rows") != NULL);
        assert_everywhere(ompfact_potrf_update(A, no[i], &info) == OMPFACT_BAD_ARGUMENT);
    }
    number *before = gather(A, &p);
    assert_everywhere(ompfact_potrf_downdate(A, V, &info) == OMPFACT_SUCCESS && info == NB + 4);
    check_like(A, &p, before, 0);
    assert_everywhere(ompfact_potrf_update(A, V, &info) == OMPFACT_SUCCESS && info == NB + 4);
    assert_everywhere(ompfact_potrf_update(A, V, &info) == OMPFACT_BAD_ARGUMENT);
    free(before);
    ompfact_matrix *all[] = { V, W, X, A, B, C };
    for (int i = 0; i < 6; i++)
        ompfact_matrix_destroy(&all[i]);
    ompfact_grid_destroy(&grid);
}
END_TEST

static Suite *update_suite(void)
{
    Suite *suite = suite_create("update");
    TCase *tests = tcase_create("update");
    tcase_add_unchecked_fixture(tests, create_maps, destroy_maps);
    add_turns(tests, types_and_layouts, 12, 5);
    add_turns(tests, blocks_of_a_tile, 4, 3);
    tcase_add_test(tests, sizes);
    tcase_add_test(tests, factored_on_devices);
    add_turns(tests, indefinite, 8, 3);
    tcase_add_loop_test(tests, little_is_left, 0, 2);
    tcase_add_test(tests, refused);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, update_suite());
}
