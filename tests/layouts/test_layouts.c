/* Layouts compared with brute force and published numbers. */
#include "tests/layouts/test_layouts.h"
#include "tests/layouts/test_layouts.h"

/* ---- brute force ---------------------------------------------------------------------------------------------------- */

/* A factorization on paper: the readers of each tile, and the work of each rank (in nb^3 / 3). */
struct oracle {
    int ranks, mt, nt;
    int *owner;             /* mt x nt */
    unsigned char *reads;   /* mt x nt x ranks */
    int64_t *work;
};

static void oracle_create(struct oracle *o, const struct pattern *p, const struct layout *l)
{
    *o = (struct oracle){ .ranks = l->ranks, .mt = l->mt, .nt = l->nt };
    o->owner = zeros((size_t)(o->mt * o->nt), sizeof *o->owner);
    o->reads = zeros((size_t)(o->mt * o->nt * o->ranks), 1);
    o->work = zeros((size_t)o->ranks, sizeof *o->work);
    for (int i = 0; i < o->mt; i++)
        for (int j = 0; j < o->nt; j++) {
            int rank = p->cell[i % p->rows * p->cols + j % p->cols];
            o->owner[i * o->nt + j] = rank == LAYOUT_FREE ? layout_owner(l, i, j) : rank;
        }
}

static void oracle_destroy(struct oracle *o)
{
    free(o->owner);
    free(o->reads);
    free(o->work);
}

/* A task on tile (i,j) that reads the final tiles (i1,j1) and (i2,j2). */
static void task(struct oracle *o, int work, int i, int j, int i1, int j1, int i2, int j2)
{
    int rank = o->owner[i * o->nt + j];
    o->work[rank] += work;
    o->reads[(i1 * o->nt + j1) * o->ranks + rank] = 1;
    o->reads[(i2 * o->nt + j2) * o->ranks + rank] = 1;
}

static void run_lu(struct oracle *o)
{
    for (int k = 0; k < o->mt && k < o->nt; k++) {
        o->work[o->owner[k * o->nt + k]] += 2;
        for (int m = k + 1; m < o->mt; m++)
            task(o, 3, m, k, k, k, k, k);
        for (int n = k + 1; n < o->nt; n++)
            task(o, 3, k, n, k, k, k, k);
        for (int m = k + 1; m < o->mt; m++)
            for (int n = k + 1; n < o->nt; n++)
                task(o, 6, m, n, m, k, k, n);
    }
}

static void run_cholesky(struct oracle *o)
{
    for (int k = 0; k < o->nt; k++) {
        o->work[o->owner[k * o->nt + k]] += 1;
        for (int m = k + 1; m < o->nt; m++)
            task(o, 3, m, k, k, k, k, k);
        for (int m = k + 1; m < o->nt; m++) {
            task(o, 3, m, m, m, k, m, k);
            for (int n = k + 1; n < m; n++)
                task(o, 6, m, n, m, k, n, k);
        }
    }
}

static int same_readers(const struct layout *l, enum layout_algorithm algorithm, int i, int j, const unsigned char *reads,
                        int64_t *transfers)
{
    int ranks[64], wrong = 0, expected = 0;
    unsigned char seen[64] = { 0 };
    int count = layout_readers(l, algorithm, i, j, ranks, seen);
    for (int rank = 0; rank < l->ranks; rank++) {
        expected += reads[rank] && rank != layout_owner(l, i, j);
        wrong += seen[rank];
    }
    for (int k = 0; k < count; k++) {
        wrong += !reads[ranks[k]] || ranks[k] == layout_owner(l, i, j) || seen[ranks[k]];
        seen[ranks[k]] = 1;
    }
    *transfers += count;
    return wrong + (count != expected);
}

static void check_summary(const struct layout *l, const struct oracle *o, const struct layout_summary *summary)
{
    int64_t most = 0, total = 0, tiles_max = 0, tiles_min = INT64_MAX;
    int per_row = 0, per_col = 0;
    for (int rank = 0; rank < l->ranks; rank++) {
        int64_t tiles = layout_tiles(l, rank);
        most = o->work[rank] > most ? o->work[rank] : most;
        total += o->work[rank];
        tiles_max = tiles > tiles_max ? tiles : tiles_max;
        tiles_min = tiles < tiles_min ? tiles : tiles_min;
    }
    for (int line = 0; line < (l->mt > l->nt ? l->mt : l->nt); line++) {
        char in_row[64] = { 0 }, in_col[64] = { 0 };
        int row = 0, col = 0;
        for (int j = 0; j < l->nt && line < l->mt; j++)
            if (layout_is_stored(l, line, j))
                in_row[o->owner[line * l->nt + j]] = 1;
        for (int i = 0; i < l->mt && line < l->nt; i++)
            if (layout_is_stored(l, i, line))
                in_col[o->owner[i * l->nt + line]] = 1;
        for (int rank = 0; rank < l->ranks; rank++) {
            row += in_row[rank];
            col += in_col[rank];
        }
        per_row = row > per_row ? row : per_row;
        per_col = col > per_col ? col : per_col;
    }
    ck_assert_double_eq_tol(summary->flops_max_over_mean, (double)most * l->ranks / (double)total, 1e-12);
    ck_assert_int_eq(summary->tiles_max, tiles_max);
    ck_assert_int_eq(summary->tiles_min, tiles_min);
    ck_assert_int_eq(summary->max_ranks_per_row, per_row);
    ck_assert_int_eq(summary->max_ranks_per_col, per_col);
}

static void check_algorithm(const struct pattern *p, const struct layout *l, enum layout_algorithm algorithm)
{
    struct oracle o;
    oracle_create(&o, p, l);
    (algorithm == LAYOUT_LU ? run_lu : run_cholesky)(&o);

    int64_t transfers = 0;
    int wrong = 0;
    for (int i = 0; i < l->mt; i++)
        for (int j = 0; j < (algorithm == LAYOUT_LU ? l->nt : i + 1); j++)
            wrong += same_readers(l, algorithm, i, j, o.reads + (i * l->nt + j) * l->ranks, &transfers);
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(layout_transfers(l, algorithm), transfers);

    struct layout_summary summary;
    ck_assert_int_eq(layout_summarise(l, algorithm, &summary), 0);
    ck_assert_int_eq(summary.transfers, transfers);
    check_summary(l, &o, &summary);
    oracle_destroy(&o);
}

/* Compares every walk over column j, from every row, with the owners one by one. Returns the number of differences. */
static int wrong_walks(const struct layout *l, int rank, int j, const int *owner, int64_t *tiles)
{
    int wrong = 0, below = 0, next = l->mt;
    wrong += layout_first(l, rank, j, l->mt) != l->mt;
    for (int i = l->mt - 1; i >= 0; i--) {
        int mine = owner[i * l->nt + j] == rank, stored = l->part == LAYOUT_FULL || i >= j;
        if (mine) {
            wrong += layout_owner(l, i, j) != rank || layout_is_stored(l, i, j) != stored;
            wrong += layout_next(l, i, j) != next || layout_below(l, i, j) != below;
        }
        if (mine && stored) {
            next = i;
            below++;
        }
        wrong += layout_first(l, rank, j, i) != next;
    }
    *tiles += below;
    return wrong + (layout_count(l, rank, j) != below);
}

static int pattern_has(const struct layout *l, int rank, int j)
{
    for (int i = 0; i < l->rows; i++)
        if (l->cell[i * l->cols + j % l->cols] == rank)
            return 1;
    return 0;
}

static void check_walks(const struct pattern *p, const struct layout *l)
{
    struct oracle o;
    oracle_create(&o, p, l);
    int wrong = 0;
    for (int rank = 0; rank < l->ranks; rank++) {
        int64_t tiles = 0;
        int next_column = l->nt;
        for (int j = l->nt - 1; j >= 0; j--) {
            wrong += wrong_walks(l, rank, j, o.owner, &tiles);
            if (pattern_has(l, rank, j))
                next_column = j;
            wrong += layout_first_column(l, rank, j) != next_column;
        }
        wrong += layout_first_column(l, rank, l->nt) != l->nt || layout_tiles(l, rank) != tiles;
    }
    ck_assert_int_eq(wrong, 0);
    oracle_destroy(&o);
}

static const int shapes[][2] = { { 1, 1 }, { 2, 9 }, { 13, 7 }, { 9, 21 }, { 20, 20 } };

/* Walks, readers, transfers and summaries agree with brute force for 2DBC, G-2DBC and an irregular map on P = 1 .. 64. */
START_TEST(brute_force)
{
    for (int kind = 0; kind < 3; kind++) {
        struct pattern *pattern = any_pattern(kind, _i);
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
            for (enum layout_part part = LAYOUT_FULL; part <= LAYOUT_LOWER; part++) {
                struct layout *l = lay(pattern, shapes[s][0], shapes[s][1], part);
                check_walks(pattern, l);
                if (part == LAYOUT_FULL)
                    check_algorithm(pattern, l, LAYOUT_LU);
                if (l->mt == l->nt)
                    check_algorithm(pattern, l, LAYOUT_CHOLESKY);
                layout_destroy(&l);
                ck_assert_ptr_null(l);
            }
        pattern_destroy(&pattern);
    }
}
END_TEST

/* The numbers of transfers at 100 x 100 tiles equal those of an independent reference. */
START_TEST(known_transfers)
{
    static const struct { const char *scheme; int ranks; enum layout_algorithm algorithm; int transfers; } cases[] = {
        { "2dbc:5x4", 20, LAYOUT_LU, 35320 },   { "2dbc:7x3", 21, LAYOUT_LU, 40340 },  { "2dbc:11x2", 22, LAYOUT_LU, 55329 },
        { "2dbc:2x11", 22, LAYOUT_LU, 55329 },  { "2dbc:23x1", 23, LAYOUT_LU, 109076 }, { "g2dbc", 23, LAYOUT_LU, 38679 },
        { "g2dbc", 31, LAYOUT_LU, 46426 },      { "g2dbc", 35, LAYOUT_LU, 49639 },     { "g2dbc", 39, LAYOUT_LU, 53461 },
        { "2dbc:6x5", 30, LAYOUT_CHOLESKY, 42980 }, { "g2dbc", 31, LAYOUT_CHOLESKY, 43779 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct pattern *pattern = make(cases[k].scheme, cases[k].ranks);
        struct layout *l = lay(pattern, 100, 100, cases[k].algorithm == LAYOUT_LU ? LAYOUT_FULL : LAYOUT_LOWER);
        ck_assert_int_eq(layout_transfers(l, cases[k].algorithm), cases[k].transfers);
        layout_destroy(&l);
        pattern_destroy(&pattern);
    }
}
END_TEST

/* A pattern of 1000 ranks is indexed completely: all tiles have an owner that counts them, at sizes up to the largest int. */
START_TEST(large)
{
    struct pattern *pattern = make("g2dbc", 1000);
    struct layout *l = lay(pattern, 600, 600, LAYOUT_LOWER);
    int64_t tiles = 0;
    for (int rank = 0; rank < 1000; rank++)
        tiles += layout_tiles(l, rank);
    ck_assert_int_eq(tiles, 600 * 601 / 2);
    layout_destroy(&l);

    l = lay(pattern, INT_MAX, INT_MAX, LAYOUT_FULL);
    int last = INT_MAX - 1, owner = layout_owner(l, last, last), next = layout_next(l, last - 992, last);
    ck_assert_int_eq(layout_next(l, last, last), INT_MAX);
    ck_assert_int_eq(layout_below(l, last, last), 0);
    ck_assert(next > last - 992 && layout_owner(l, next, last) == layout_owner(l, last - 992, last));
    ck_assert_int_eq(layout_first(l, owner, last, last), last);
    ck_assert_int_eq(layout_first_column(l, owner, last), last);
    layout_destroy(&l);
    pattern_destroy(&pattern);
}
END_TEST

/* ---- free cells ----------------------------------------------------------------------------------------------------- */

static int in_colrow(const struct pattern *p, int d, int rank)
{
    for (int k = 0; k < p->rows; k++)
        if (p->cell[d * p->cols + k] == rank || p->cell[k * p->cols + d] == rank)
            return 1;
    return 0;
}

static int64_t weight(int i, int j)
{
    return i == j ? 3 * j + 1 : 6 * j + 3;
}

/* The rank that the greedy rule of free_cells.h assigns to the next tile of colrow d. */
static int greedy_rank(const struct pattern *p, int d, const int64_t *work)
{
    int best = -1;
    for (int rank = 0; rank < p->ranks; rank++)
        if (in_colrow(p, d, rank) && (best < 0 || work[rank] < work[best]))
            best = rank;
    return best;
}

/* Free cells go to the least loaded rank of their colrow, heaviest tile first, one replica of the diagonal at a time. */
START_TEST(free_cells)
{
    enum { N = 19 };
    struct pattern *p = sbc_pattern(_i);
    struct layout *l = lay(p, N, N, LAYOUT_LOWER);
    int64_t work[64] = { 0 };
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            if ((i - j) % _i != 0)
                work[layout_owner(l, i, j)] += weight(i, j);

    for (int64_t w = 6 * N; w > 0; w--)
        for (int i = 0; i < N; i++)
            for (int j = i % _i; j <= i; j += _i)
                if (weight(i, j) == w) {
                    int rank = greedy_rank(p, i % _i, work);
                    work[rank] += w;
                    ck_assert_int_eq(layout_owner(l, i, j), rank);
                }
    check_walks(p, l);
    check_algorithm(p, l, LAYOUT_CHOLESKY);
    layout_destroy(&l);
    pattern_destroy(&p);
}
END_TEST

/* SBC at 100 x 100 tiles: transfers are within 0.1 % of the reference (the greedy fill is not specified), and the load is
   balanced. */
START_TEST(sbc_transfers)
{
    static const struct { int r; double transfers; } cases[] = { { 7, 25203 }, { 8, 30228 } };
    for (size_t k = 0; k < 2; k++) {
        struct pattern *pattern = sbc_pattern(cases[k].r);
        struct layout *l = lay(pattern, 100, 100, LAYOUT_LOWER);
        struct layout_summary summary;
        ck_assert_int_eq(layout_summarise(l, LAYOUT_CHOLESKY, &summary), 0);
        ck_assert_double_eq_tol((double)summary.transfers / cases[k].transfers, 1, 1e-3);
        ck_assert_double_lt(summary.flops_max_over_mean, 1.02);
        layout_destroy(&l);
        pattern_destroy(&pattern);
    }
}
END_TEST

/* Columns of the same number share no rank; on a grid each of its columns has its own ranks. */
START_TEST(column_numbers)
{
    for (int kind = 0; kind < 3; kind++) {
        struct pattern *p = any_pattern(kind, _i);
        struct layout *l = lay(p, 23, 31, LAYOUT_FULL);
        int number[31], numbers = layout_number_columns(l, number);
        ck_assert(numbers > 0 && numbers <= 31 + l->cols);
        if (kind == 0)
            ck_assert_int_eq(numbers, (31 + l->cols - 1) / l->cols);
        for (int a = 0; a < 31; a++)
            for (int b = 0; b < a; b++)
                for (int i = 0; i < l->rows && number[a] == number[b]; i++)
                    for (int m = 0; m < l->rows; m++)
                        ck_assert_int_ne(layout_owner(l, i, a), layout_owner(l, m, b));
        for (int a = 0; a < 31; a++)
            ck_assert(number[a] >= 0 && number[a] < numbers);
        layout_destroy(&l);
        pattern_destroy(&p);
    }
}
END_TEST

/* Free cells are refused where nothing is symmetric, and so is a layout without tiles. */
START_TEST(refuses_layouts)
{
    struct pattern *sbc = sbc_pattern(3), *grid = make("2dbc", 4), *nobody = read_text("1 1\n-1\n", 1);
    struct { const struct pattern *pattern; int mt, nt; enum layout_part part; const char *why; } cases[] = {
        { sbc, 9, 8, LAYOUT_FULL, "symmetric" },      { sbc, 9, 8, LAYOUT_LOWER, "symmetric" },
        { nobody, 9, 9, LAYOUT_LOWER, "no rank" },
        { grid, 0, 9, LAYOUT_FULL, "at least one" },  { grid, 9, -1, LAYOUT_FULL, "at least one" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct layout *l;
        ck_assert_int_eq(layout_create(cases[k].pattern, cases[k].mt, cases[k].nt, cases[k].part, &l, text), 1);
        ck_assert_ptr_null(l);
        ck_assert_msg(strstr(text, cases[k].why) != NULL, "%s", text);
    }
    pattern_destroy(&sbc);
    pattern_destroy(&grid);
    pattern_destroy(&nobody);
}
END_TEST

static Suite *layouts_suite(void)
{
    Suite *suite = suite_create("layouts");
    TCase *tests = tcase_create("layouts");
    tcase_add_loop_test(tests, brute_force, 1, 65);
    tcase_add_test(tests, known_transfers);
    tcase_add_test(tests, large);
    tcase_add_loop_test(tests, free_cells, 2, 10);
    tcase_add_test(tests, sbc_transfers);
    tcase_add_loop_test(tests, column_numbers, 1, 25);
    tcase_add_test(tests, refuses_layouts);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(layouts_suite());
}
