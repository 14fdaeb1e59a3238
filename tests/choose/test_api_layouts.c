/* Layouts that callers name, fill in or give as a function: owners, counts, factorizations and refusals. */
#include "tests/choose/api_layouts.h"

#include <limits.h>

/* ---- by name ------------------------------------------------------------------------------------------------------------- */

static const char *const names[] = { "2dbc", "g2dbc", "design", "gcrm:seeds=2" };

/* A named pattern has its ranks, a name that makes it again, and its costs, whatever the ranks of the program. */
START_TEST(pattern_by_name)
{
    for (int ranks = 2; ranks < 14; ranks++) {
        ompfact_pattern *p, *again;
        char message[OMPFACT_MESSAGE] = "";
        ck_assert_msg(ompfact_pattern_create(names[_i], ranks, &p, message) == OMPFACT_SUCCESS, "%s", message);
        ck_assert(p->ranks == ranks && p->rows >= 1 && p->cols >= 1);
        ck_assert(p->cost_cholesky > 1 && p->cost_lu > p->cost_cholesky);
        ck_assert_int_eq(ompfact_pattern_create(p->name, ranks, &again, NULL), OMPFACT_SUCCESS);
        ck_assert(again->rows == p->rows && again->cols == p->cols && strcmp(again->name, p->name) == 0);
        ck_assert_int_eq(memcmp(again->cell, p->cell, (size_t)p->rows * (size_t)p->cols * sizeof *p->cell), 0);
        ompfact_pattern_destroy(&p);
        ompfact_pattern_destroy(&again);
        ck_assert_ptr_null(p);
    }
    ompfact_pattern *nothing = NULL;
    ompfact_pattern_destroy(&nothing);
}
END_TEST

/* A pattern that cannot be made is refused in one line, whether or not the caller takes the message. */
START_TEST(names_refused)
{
    static const struct {
        const char *layout;
        int ranks;
        const char *word;
    } cases[] = {
        { "nonsense", 4, "unknown layout \"nonsense\"" },
        { "auto", 4, "depends on the matrix" },
        { "2dbc", 0, "at least one rank" },
        { "2dbc", -3, "at least one rank" },
        { "sbc", 7, "6 and 8" },
        { "2dbc:2x2", 5, "4 ranks" },
        { "gcrm:r=5", 23, "5 x 5" },
        { "design:r=2", 21, "sizes" },
        { "1d1d", 4, "depends on the matrix" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ompfact_pattern *p = (ompfact_pattern *)1;
        char message[OMPFACT_MESSAGE] = "";
        ck_assert_int_eq(ompfact_pattern_create(cases[k].layout, cases[k].ranks, &p, message), OMPFACT_BAD_LAYOUT);
        ck_assert_ptr_null(p);
        ck_assert_msg(is_one_line(message) && strstr(message, cases[k].word) != NULL, "%s: %s", cases[k].layout, message);
        ck_assert_int_eq(ompfact_pattern_create(cases[k].layout, cases[k].ranks, &p, NULL), OMPFACT_BAD_LAYOUT);
    }
}
END_TEST

/* Every named layout factors by LU and by Cholesky, packed or full, with the counted transfers. */
START_TEST(factors_by_name)
{
    static const char *const layouts[] = { "auto", "2dbc", "g2dbc", "design", "gcrm:seeds=2" };
    struct problem p = { .type = 'd', .hermitian = _i % 3 > 0, .m = N, .n = N, .seed = 5 };
    ompfact_shape shape = shape_of(&p, NB, layouts[_i / 3]);
    shape.full_storage = _i % 3 == 2;
    bool is_free = _i / 3 >= 3 && ompfact_ranks(grid) > 1;
    if (is_free && !p.hermitian) {      /* only Cholesky takes free cells on the diagonal */
        ompfact_matrix *refused;
        assert_everywhere(ompfact_matrix_create(grid, &shape, &refused) == OMPFACT_BAD_LAYOUT && refused == NULL);
        return;
    }
    ompfact_matrix *A = factored(&shape, &p);
    check_tiles(A, &shape);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* ---- chosen for QR -------------------------------------------------------------------------------------------------------- */

/* "auto" counts the traffic of QR and least squares: no equally balanced layout moves less. */
START_TEST(chosen_for_qr)
{
    static const struct {
        int64_t m, n;
    } sizes[] = { { N, N }, { 160, 20 }, { 20, 160 }, { 5, 40 }, { 40, 1 }, { N, N + 1 }, { 0, 5 }, { 5, 0 } };
    int ranks = ompfact_ranks(grid);
    struct problem p = { .type = 'd', .m = sizes[_i / 2].m, .n = sizes[_i / 2].n, .pivots = true, .seed = 8 };
    ompfact_shape shape = shape_of(&p, NB, "auto");
    shape.purpose = _i % 2 == 0 ? OMPFACT_FOR_QR : OMPFACT_FOR_LEAST_SQUARES;
    ompfact_layout_counts chosen, other;
    check_qr(&shape, &p, &chosen);
    for (int nprow = 1; nprow <= ranks; nprow++) {
        char grid_name[32];
        snprintf(grid_name, sizeof grid_name, "2dbc:%dx%d", nprow, ranks / nprow);
        if (ranks % nprow != 0)
            continue;
        shape.layout = grid_name;
        check_qr(&shape, &p, &other);
        assert_everywhere_msg(other.transfers >= chosen.transfers || other.flops_max_over_mean > chosen.flops_max_over_mean,
                              "%lld x %lld: %s is chosen, %s moves less", (long long)p.m, (long long)p.n, chosen.name, grid_name);
    }
    bool tall = p.m == 160 && shape.purpose == OMPFACT_FOR_QR, wide = p.m == 20 && shape.purpose == OMPFACT_FOR_LEAST_SQUARES;
    assert_everywhere_msg(!(tall || wide) || ranks == 1 || chosen.pattern_rows == (tall ? ranks : 1), "%s is chosen",
                          chosen.name);
}
END_TEST

/* ---- by pattern ---------------------------------------------------------------------------------------------------------- */

/* A caller's cells decide who owns each tile. The library copies them, also to matrices of the same layout and right-hand
   sides. */
START_TEST(own_cells)
{
    struct problem p = { .type = "dz"[_i % 2], .hermitian = _i / 2 > 0, .upper = _i / 2 == 2, .m = N, .n = N, .seed = 8 };
    int cell[6], ranks = ompfact_ranks(grid), wrong = 0;
    for (int c = 0; c < 6; c++)
        cell[c] = (c * c + 1) % ranks;
    ompfact_pattern pattern = { .ranks = ranks, .rows = 2, .cols = 3, .cell = cell };
    ompfact_shape shape = shape_of(&p, NB, "nonsense, which is not looked at");
    shape.pattern = &pattern;
    ompfact_matrix *A = factored(&shape, &p);
    check_tiles(A, &shape);
    assert_everywhere_msg(strcmp(ompfact_layout(A), "map") == 0, "%s", ompfact_layout(A));
    memset(cell, -1, sizeof cell);

    ompfact_matrix *B = new_like(A), *X = new_rhs(A, 3);
    for (int i = 0; i < TILES; i++)
        for (int j = 0; j < TILES; j++) {
            int c = p.upper ? j % 2 * 3 + i % 3 : i % 2 * 3 + j % 3, owner = is_beyond(&p, i, j) ? -1 : (c * c + 1) % ranks;
            wrong += ompfact_owner(A, i, j) != owner || ompfact_owner(B, i, j) != owner;
            wrong += j == 0 && ompfact_owner(X, i, j) != ompfact_owner(A, i, i);
        }
    assert_everywhere(wrong == 0);
    fill_rhs(X, &p);
    assert_everywhere((p.hermitian ? ompfact_potrs(A, X) : ompfact_getrs(A, X)) == OMPFACT_SUCCESS);
    number *solution = gather(X, NULL);
    double ratio = solve_ratio(&p, solution, 3);
    free(solution);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

static bool in_colrow(const ompfact_pattern *p, int d, int rank)
{
    for (int k = 0; k < p->rows; k++)
        if (p->cell[d * p->cols + k] == rank || p->cell[k * p->cols + d] == rank)
            return true;
    return false;
}

/* Tiles of free diagonal cells go to ranks of their row and column, the others to the cell's rank. */
START_TEST(free_diagonal)
{
    enum { R = 4 };
    struct problem p = { .type = 's', .hermitian = true, .m = N, .n = N, .seed = 3 };
    int cell[R * R], ranks = ompfact_ranks(grid), wrong = 0;
    for (int c = 0; c < R * R; c++)
        cell[c] = c % (R + 1) == 0 ? -1 : (c / R + c % R) % ranks;
    ompfact_pattern pattern = { .ranks = ranks, .rows = R, .cols = R, .cell = cell, .name = "mine" };
    ompfact_shape shape = shape_of(&p, NB, NULL);
    shape.pattern = &pattern;
    ompfact_matrix *A = factored(&shape, &p);
    check_tiles(A, &shape);
    assert_everywhere_msg(strcmp(ompfact_layout(A), "mine") == 0, "%s", ompfact_layout(A));
    for (int i = 0; i < TILES; i++)
        for (int j = 0; j <= i; j++)
            wrong += i % R == j % R ? !in_colrow(&pattern, i % R, ompfact_owner(A, i, j))
                                    : ompfact_owner(A, i, j) != (i % R + j % R) % ranks;
    assert_everywhere(wrong == 0);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* A named pattern may be edited and used. The matrix keeps a copy when the pattern is destroyed. */
START_TEST(edited_pattern)
{
    struct problem p = { .type = 'd', .m = N, .n = N, .seed = 2 };
    ompfact_pattern *pattern;
    assert_everywhere(ompfact_pattern_create("g2dbc", ompfact_ranks(grid), &pattern, NULL) == OMPFACT_SUCCESS);
    pattern->cell[0] = ompfact_ranks(grid) - 1;
    ompfact_shape shape = shape_of(&p, NB, NULL);
    shape.pattern = pattern;
    ompfact_matrix *A = factored(&shape, &p);
    assert_everywhere(ompfact_owner(A, 0, 0) == ompfact_ranks(grid) - 1);
    ompfact_pattern_destroy(&pattern);
    ompfact_matrix *B = new_like(A);
    assert_everywhere(ompfact_owner(B, 0, 0) == ompfact_ranks(grid) - 1);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* ---- by function --------------------------------------------------------------------------------------------------------- */

struct census {
    int ranks, asked[TILES][TILES];
};

static int spread(void *context, int i, int j)
{
    struct census *census = context;
    census->asked[i][j]++;
    return (i * i + 3 * j) % census->ranks;
}

/* The owner function is called once for each stored tile, for a Hermitian matrix those of its triangle, and the matrix is
   factored. */
START_TEST(owner_function)
{
    struct problem p = { .type = "dc"[_i % 2], .hermitian = _i > 0, .upper = _i > 2, .m = N, .n = N, .seed = 6 };
    struct census census = { .ranks = ompfact_ranks(grid) };
    ompfact_shape shape = shape_of(&p, NB, "auto");
    shape.full_storage = _i == 2 || _i == 4;
    shape.owner = spread;
    shape.owner_context = &census;
    ompfact_matrix *A = new_matrix(grid, &shape), *again;
    int wrong = 0;
    for (int i = 0; i < TILES; i++)
        for (int j = 0; j < TILES; j++) {
            wrong += census.asked[i][j] != !is_beyond(&p, i, j);
            if (!is_beyond(&p, i, j))
                wrong += ompfact_owner(A, i, j) != (i * i + 3 * j) % census.ranks;
        }
    assert_everywhere_msg(wrong == 0, "%d tiles are wrong", wrong);
    again = factored(&shape, &p);
    check_tiles(again, &shape);
    ompfact_matrix_destroy(&again);
    ompfact_matrix_destroy(&A);
}
END_TEST

/* ---- refusals
   --------------------------------------------------------------------------------------------------------------- */

/* Patterns for another number of ranks, without cells, or with a cell that names no rank are refused, whether bad on all ranks or
   on one. */
START_TEST(bad_patterns)
{
    int ranks = ompfact_ranks(grid), last = ranks - 1;
    int zeros[4] = { 0 }, above[4] = { 0, 0, ranks, 0 }, free_off[4] = { 0, -1, 0, 0 }, below[4] = { -2, 0, 0, 0 };
    const struct { ompfact_pattern pattern; const char *word; } cases[] = {
        { { .ranks = ranks + 1, .rows = 2, .cols = 2, .cell = zeros }, "cannot lay out" },
        { { .ranks = 0, .rows = 2, .cols = 2, .cell = zeros }, "cannot lay out" },
        { { .ranks = ranks, .rows = 0, .cols = 2, .cell = zeros }, "cannot lay out" },
        { { .ranks = ranks, .rows = 2, .cols = -2, .cell = zeros }, "cannot lay out" },
        { { .ranks = ranks, .rows = 2, .cols = 2 }, "cannot lay out" },
        { { .ranks = ranks, .rows = 2, .cols = 2, .cell = above }, "cell (1,0)" },
        { { .ranks = ranks, .rows = 2, .cols = 2, .cell = free_off }, "cell (0,1)" },
        { { .ranks = ranks, .rows = 2, .cols = 2, .cell = below }, "cell (0,0)" },
        { { .ranks = ranks, .rows = 1, .cols = 4, .cell = below }, "cell (0,0)" },
    };
    ompfact_pattern good = { .ranks = ranks, .rows = 2, .cols = 2, .cell = zeros };
    bool bad_here = _i == 0 || my_rank() == last;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ompfact_shape shape = { .m = N, .n = N, .nb = NB, .structure = k % 2 == 0 ? OMPFACT_GENERAL : OMPFACT_HERMITIAN_LOWER };
        shape.pattern = bad_here ? &cases[k].pattern : &good;
        check_refused(&shape, cases[k].word);
    }
    check_usable();
}
END_TEST

/* Free cells are refused for a general matrix, and work for a Hermitian one in either storage. */
START_TEST(free_cells_refused)
{
    int cell[4] = { -1, 0, 0, -1 };
    ompfact_pattern pattern = { .ranks = ompfact_ranks(grid), .rows = 2, .cols = 2, .cell = cell };
    check_refused(&(ompfact_shape){ .m = N, .n = N, .nb = NB, .pattern = &pattern }, "only Cholesky");
    for (int full = 0; full < 2; full++) {
        struct problem p = { .type = 'd', .hermitian = true, .m = N, .n = N, .seed = 4 };
        ompfact_shape shape = shape_of(&p, NB, NULL);
        shape.pattern = &pattern;
        shape.full_storage = full;
        ompfact_matrix *A = factored(&shape, &p);
        check_tiles(A, &shape);
        ompfact_matrix_destroy(&A);
    }
}
END_TEST

static int wrong_once(void *context, int i, int j)
{
    const int *wrong = context;
    return i == 4 && j == 2 ? *wrong : 0;
}

/* A function that returns no valid rank for a tile is refused, and the message has the tile, whether wrong on all ranks or on
   one. */
START_TEST(wrong_owner)
{
    int ranks = ompfact_ranks(grid), wrong = (int[]){ ranks, -1, INT_MAX, INT_MIN }[_i / 2];
    if (_i % 2 == 1 && my_rank() != ranks - 1)
        wrong = 0;
    ompfact_shape shape = { .m = N, .n = N, .nb = NB, .owner = wrong_once, .owner_context = &wrong };
    check_refused(&shape, "cell (4,2)");
    shape.structure = OMPFACT_HERMITIAN_LOWER;
    check_refused(&shape, "cell (4,2)");
}
END_TEST

static int by_rank(void *context, int i, int j)
{
    return i == TILES - 1 && j == 0 ? *(const int *)context : 0;
}

/* A pattern or function that differs between ranks, in one cell or in its shape, is refused on all of them. */
START_TEST(differs)
{
    int ranks = ompfact_ranks(grid), differs = my_rank() == ranks - 1 ? ranks - 1 : 0, cell[4] = { 0, 0, 0, differs };
    if (ranks == 1)
        return;
    ompfact_pattern one_cell = { .ranks = ranks, .rows = 2, .cols = 2, .cell = cell };
    ompfact_pattern shapes = { .ranks = ranks, .rows = differs ? 4 : 1, .cols = differs ? 1 : 4, .cell = (int[4]){ 0 } };
    ompfact_pattern sizes = { .ranks = ranks, .rows = differs ? 1 : 2, .cols = differs ? 1 : 2, .cell = (int[4]){ 0 } };
    check_refused(&(ompfact_shape){ .m = N, .n = N, .nb = NB, .pattern = &one_cell }, "not the same on every rank");
    check_refused(&(ompfact_shape){ .m = N, .n = N, .nb = NB, .pattern = &shapes }, "not the same on every rank");
    check_refused(&(ompfact_shape){ .m = N, .n = N, .nb = NB, .pattern = &sizes }, "not the same on every rank");
    double weights[TILES * TILES];
    for (int t = 0; t < TILES * TILES; t++)
        weights[t] = differs ? 1 + t * t % 23 : 1 + t % 5;
    check_refused(&(ompfact_shape){ .m = N, .n = N, .nb = NB, .layout = "rs", .weights = weights }, "not the same on every rank");
    check_refused(&(ompfact_shape){ .m = N, .n = N, .nb = NB, .owner = by_rank,
                                    .owner_context = &differs }, "not the same on every rank");
    check_usable();
}
END_TEST

static Suite *api_layouts_suite(void)
{
    Suite *suite = suite_create("api of layouts");
    TCase *tests = tcase_create("api of layouts");
    tcase_add_unchecked_fixture(tests, create_grid, destroy_grid);
    tcase_add_loop_test(tests, pattern_by_name, 0, sizeof names / sizeof names[0]);
    tcase_add_test(tests, names_refused);
    tcase_add_loop_test(tests, factors_by_name, 0, 15);
    tcase_add_loop_test(tests, chosen_for_qr, 0, 16);
    tcase_add_loop_test(tests, own_cells, 0, 6);
    tcase_add_test(tests, free_diagonal);
    tcase_add_test(tests, edited_pattern);
    tcase_add_loop_test(tests, owner_function, 0, 5);
    tcase_add_loop_test(tests, bad_patterns, 0, 2);
    tcase_add_test(tests, free_cells_refused);
    tcase_add_loop_test(tests, wrong_owner, 0, 8);
    tcase_add_test(tests, differs);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, api_layouts_suite());
}
