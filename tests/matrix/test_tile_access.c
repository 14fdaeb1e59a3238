/* Tiles and elements of matrices in the public interface: owners, contents, and norms. */
#include "tests/matrix/one_grid.h"

/* ---- tiles -------------------------------------------------------------------------------------------------------------- */

static int spread(int cell)
{
    return cell * cell % all_ranks_count();
}

/* Every stored tile is visited once, by its owner; owners are the same on every rank. */
START_TEST(walk)
{
    enum { TILES = 6 };
    char map[64];
    write_map(map, 3, 4, spread);
    static const struct { ompfact_structure structure; bool full_storage; } kinds[] = {
        { OMPFACT_GENERAL, false }, { OMPFACT_HERMITIAN_LOWER, true }, { OMPFACT_HERMITIAN_LOWER, false },
        { OMPFACT_HERMITIAN_UPPER, true }, { OMPFACT_HERMITIAN_UPPER, false },
    };
    const char *layout = (const char *[]){ "2dbc", "g2dbc", map }[_i / 5];
    int kind = _i % 5;
    ompfact_shape shape = { .m = kind == 0 ? TILES * NB - NB : TILES * NB, .n = TILES * NB, .nb = NB, .layout = layout,
                            .structure = kinds[kind].structure, .full_storage = kinds[kind].full_storage };
    ompfact_matrix *A = new_matrix(grid, &shape);
    int visits[TILES][TILES] = { { 0 } }, stray = 0, wrong = 0, mt = ompfact_tile_rows(A);
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        stray += ompfact_owner(A, i, j) != my_rank();
        visits[i][j]++;
    }
    reduce(visits, TILES * TILES, MPI_INT, MPI_SUM);
    for (int i = 0; i < TILES; i++)
        for (int j = 0; j < TILES; j++)
            wrong += visits[i][j] != (i < mt && (kind == 2 ? i >= j : kind != 4 || i <= j));
    bool same = true;
    for (int i = 0; i < mt; i++)
        for (int j = 0; j < TILES; j++)
            same &= agreed(ompfact_owner(A, i, j));
    assert_everywhere(stray == 0 && wrong == 0 && same);
    ompfact_matrix_destroy(&A);
    remove_map(map);
}
END_TEST

/* Only the owner gets a tile, with its place, size and contents, to read and to write. */
START_TEST(get_and_restore)
{
    struct problem p = { .type = 'd', .m = 3 * NB + 5, .n = 2 * NB + 1 };
    ompfact_shape shape = shape_of(&p, NB, "2dbc");
    ompfact_matrix *A = new_matrix(grid, &shape);
    fill(A, &p);
    int wrong = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) {
            ompfact_tile t;
            ompfact_status status = ompfact_tile_get(A, i, j, &t);
            if (ompfact_owner(A, i, j) != my_rank()) {
                wrong += status != OMPFACT_NOT_OWNER || t.data != NULL || !is_one_line(ompfact_message(grid));
                continue;
            }
            wrong += status != OMPFACT_SUCCESS || t.i != i || t.j != j || t.row != i * NB || t.col != j * NB;
            wrong += t.mb != (i < 3 ? NB : 5) || t.nb != (j < 2 ? NB : 1) || t.ld < t.mb;
            for (int c = 0; c < t.nb; c++)
                for (int r = 0; r < t.mb; r++)
                    wrong += get(&t, 'd', r, c) != entry_of(&p, t.row + r, t.col + c);
            put(&t, 'd', 0, 0, 1e9);
            ompfact_tile_restore(A, &t);
            wrong += t.data != NULL;
        }
    static const int nowhere[][2] = { { -1, 0 }, { 0, -1 }, { 4, 0 }, { 0, 3 } };
    for (int k = 0; k < 4; k++) {
        ompfact_tile t;
        wrong += ompfact_tile_get(A, nowhere[k][0], nowhere[k][1], &t) != OMPFACT_BAD_ARGUMENT || t.data != NULL;
        wrong += ompfact_owner(A, nowhere[k][0], nowhere[k][1]) != -1;
    }
    double norm;
    assert_everywhere_msg(wrong == 0, "%d are wrong", wrong);
    assert_everywhere(ompfact_norm1(A, &norm) == OMPFACT_SUCCESS && norm > 4e9 - 1e3 && norm < 4e9 + 1e3);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Nobody owns the tile beyond the diagonal of a packed matrix. */
START_TEST(not_stored)
{
    for (int upper = 0; upper < 2; upper++) {
        ompfact_shape shape = { .n = 2 * NB, .nb = NB, .structure = upper ? OMPFACT_HERMITIAN_UPPER : OMPFACT_HERMITIAN_LOWER };
        ompfact_matrix *A = new_matrix(grid, &shape);
        ompfact_tile t;
        assert_everywhere(ompfact_owner(A, upper, !upper) == -1 && ompfact_owner(A, !upper, upper) >= 0);
        assert_everywhere(ompfact_tile_get(A, upper, !upper, &t) == OMPFACT_NOT_OWNER);
        ompfact_matrix_destroy(&A);
    }
}
END_TEST

static void add_entry(void *context, int64_t i, int64_t j, void *value)
{
    const struct problem *p = context;
    double re, im;
    precision_of(p->type)->get(value, &re, &im);
    number entry = entry_of(p, i, j);
    precision_of(p->type)->set(value, re + creal(entry), im + cimag(entry));
}

static void zero_tile(void *context, const ompfact_tile *t)
{
    for (int c = 0; c < t->nb; c++)
        memset(element(t, *(const char *)context, 0, c), 0, (size_t)t->mb * precision_of(*(const char *)context)->size);
}

/* Filling by entries calls back once for every stored element, and not for those beyond the diagonal in tiles of a Hermitian
   matrix. */
START_TEST(fill_by_entries)
{
    struct problem p = { .type = "sdcz"[_i % 4], .hermitian = _i % 3 > 0, .upper = _i % 3 == 2, .m = 2 * NB + 3, .n = 2 * NB + 3,
                         .seed = 9 };
    ompfact_shape shape = shape_of(&p, NB, NULL);
    ompfact_matrix *A = new_matrix(grid, &shape);
    assert_everywhere(ompfact_fill_tiles(A, zero_tile, &p.type) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_fill_entries(A, add_entry, &p) == OMPFACT_SUCCESS);
    number *dense = gather(A, NULL);
    int wrong = 0;
    for (int64_t j = 0; j < p.n; j++)
        for (int64_t i = 0; i < p.m; i++)
            wrong += dense[i + j * p.m] != (is_beyond(&p, i, j) ? 0 : entry_of(&p, i, j));
    free(dense);
    assert_everywhere_msg(wrong == 0, "%d elements are wrong", wrong);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* ---- norms and empty matrices ------------------------------------------------------------------------------------------- */

/* The 1-norm is the largest column sum, for a Hermitian matrix of the whole matrix; for an empty one it is 0; one NaN makes it
   NaN. */
START_TEST(norm1)
{
    struct problem p = { .type = "sdcz"[_i / 3], .hermitian = _i % 3 > 0, .upper = _i % 3 == 2, .m = 3 * NB + 1, .n = 3 * NB + 1,
                         .seed = 4 };
    ompfact_shape shape = shape_of(&p, NB, NULL);
    shape.full_storage = _i / 3 % 2;
    ompfact_matrix *A = new_matrix(grid, &shape);
    double norm = -1, expected = 0;
    for (int64_t j = 0; j < p.n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < p.m; i++)
            sum += cabs(entry_of(&p, i, j));
        expected = fmax(expected, sum);
    }
    fill(A, &p);
    assert_everywhere(ompfact_norm1(A, &norm) == OMPFACT_SUCCESS);
    assert_everywhere_msg(fabs(norm / expected - 1) < 1e-12, "%.17g, not %.17g", norm, expected);
    ompfact_tile t;
    if (ompfact_tile_get(A, p.upper ? 1 : 3, p.upper ? 3 : 1, &t) == OMPFACT_SUCCESS)
        put(&t, p.type, 0, 0, NAN);
    assert_everywhere(ompfact_norm1(A, &norm) == OMPFACT_SUCCESS && isnan(norm));
    ompfact_matrix_destroy(&A);
}
END_TEST

static bool found(ompfact_matrix *A, int64_t row, int64_t col, bool is_nan)
{
    int64_t r = -2, c = -2;
    bool nan = !is_nan;
    return ompfact_find_not_finite(A, &r, &c, &nan) == OMPFACT_SUCCESS && r == row && c == col && nan == is_nan;
}

/* The first NaN or infinity, column by column, is found on every rank. NaNs above a Hermitian matrix's diagonal, which fill()
   writes there, are ignored. */
START_TEST(not_finite)
{
    static const struct {
        int64_t row, col;
        double re, im;
        bool nan;
    } bad[] = {
        /* each precedes those above it */
        { 3 * NB, 3 * NB, 0, NAN, true },
        { 3 * NB, 2 * NB - 1, INFINITY, 0, false },
        { 2 * NB + 3, 2 * NB - 1, 0, -INFINITY, false },
        { 3 * NB, 0, NAN, INFINITY, true },
        { NB, 0, NAN, 0, true },
        { 0, 0, -INFINITY, 1, false },
    };
    struct problem p = { .type = "sdcz"[_i / 2], .hermitian = _i % 2, .m = 3 * NB + 1, .n = 3 * NB + 1, .seed = 4 };
    ompfact_shape shape = shape_of(&p, NB, "g2dbc");
    shape.full_storage = _i / 2 % 2;
    ompfact_matrix *A = new_matrix(grid, &shape);
    fill(A, &p);
    assert_everywhere(found(A, -1, -1, false));
    for (int k = 0; k < 6; k++) {
        ompfact_tile t;
        number value = is_complex(p.type) ? __builtin_complex(bad[k].re, bad[k].im) : bad[k].re != 0 ? bad[k].re : bad[k].im;
        if (ompfact_tile_get(A, (int)bad[k].row / NB, (int)bad[k].col / NB, &t) == OMPFACT_SUCCESS)
            put(&t, p.type, (int)bad[k].row % NB, (int)bad[k].col % NB, value);
        assert_everywhere_msg(found(A, bad[k].row, bad[k].col, bad[k].nan), "%c, case %d", p.type, k);
    }
    ompfact_matrix_destroy(&A);
}
END_TEST

/* Matrices without rows or columns can be created, filled and measured. */
START_TEST(nothing)
{
    static const int64_t shapes[][2] = { { 0, 0 }, { 0, 3 * NB }, { 3 * NB, 0 } };
    struct problem p = { .type = 'd', .m = shapes[_i][0], .n = shapes[_i][1] };
    ompfact_shape shape = shape_of(&p, NB, NULL);
    ompfact_matrix *A = new_matrix(grid, &shape);
    double norm = -1;
    int64_t info = -1;
    int i = -1, j = -1;
    assert_everywhere(!ompfact_next_tile(A, &i, &j));
    fill(A, &p);
    assert_everywhere(ompfact_norm1(A, &norm) == OMPFACT_SUCCESS && norm == 0);
    assert_everywhere(found(A, -1, -1, false));
    assert_everywhere(ompfact_getrf(A, &info) == OMPFACT_SUCCESS && info == 0);
    ompfact_matrix_destroy(&A);
}
END_TEST

static Suite *api_suite(void)
{
    Suite *suite = suite_create("access to tiles");
    TCase *tests = tcase_create("access to tiles");
    tcase_add_unchecked_fixture(tests, create_grid, destroy_grid);
    tcase_add_loop_test(tests, walk, 0, 15);
    tcase_add_test(tests, get_and_restore);
    tcase_add_test(tests, not_stored);
    tcase_add_loop_test(tests, fill_by_entries, 0, 6);
    tcase_add_loop_test(tests, norm1, 0, 12);
    tcase_add_loop_test(tests, not_finite, 0, 8);
    tcase_add_loop_test(tests, nothing, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, api_suite());
}
