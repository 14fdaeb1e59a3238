/*
 * Patterns and layouts against brute force and published numbers. No MPI: ranks are numbers here.
 */
#include <check.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layouts/layout.h"

static char text[LAYOUT_TEXT];

static struct pattern *make(const char *scheme, int ranks)
{
    struct pattern *pattern;
    ck_assert_msg(pattern_create(scheme, ranks, &pattern, text) == 0, "%s", text);
    return pattern;
}

static struct layout *lay(const struct pattern *pattern, int mt, int nt, enum layout_part part)
{
    struct layout *layout;
    ck_assert_msg(layout_create(pattern, mt, nt, part, &layout, text) == 0, "%s", text);
    return layout;
}

static void *zeros(size_t count, size_t size)
{
    void *p = calloc(count, size);
    ck_assert_ptr_nonnull(p);
    return p;
}

/* Makes "2dbc", "g2dbc" or a rectangular pattern without any order that leaves ranks out. */
static struct pattern *any_pattern(int kind, int ranks)
{
    if (kind < 2) return make(kind == 0 ? "2dbc" : "g2dbc", ranks);
    struct pattern *pattern = pattern_2dbc(3, 5);
    pattern->ranks = ranks;
    for (int c = 0; c < 15; c++)
        pattern->cell[c] = (c * c + c / 2) % ranks;
    return pattern;
}

/* The pattern of SBC, extended: r(r-1)/2 ranks, (i,j) and (j,i) belong to the rank of the pair, the diagonal is free. */
static struct pattern *sbc_pattern(int r)
{
    struct pattern *pattern = pattern_2dbc(r, r);
    pattern->ranks = r * (r - 1) / 2;
    for (int i = 0, rank = 0; i < r; i++) {
        pattern->cell[i * r + i] = LAYOUT_FREE;
        for (int j = 0; j < i; j++, rank++)
            pattern->cell[i * r + j] = pattern->cell[j * r + i] = rank;
    }
    return pattern;
}

static struct pattern *read_text(const char *content, int ranks)
{
    char path[] = "/tmp/ompfact_test_XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    FILE *file = fdopen(fd, "w");
    ck_assert_ptr_nonnull(file);
    fputs(content, file);
    fclose(file);

    struct pattern *pattern;
    int failed = pattern_read(path, ranks, &pattern, text);
    ck_assert_int_eq(failed, pattern == NULL);
    ck_assert(!failed || strncmp(text, path, strlen(path)) == 0);
    unlink(path);
    return pattern;
}

/* ---- patterns ------------------------------------------------------------------------------------------------------- */

/* A scheme resolves to its canonical name and to the shape it promises. */
START_TEST(resolves_names)
{
    static const struct { const char *scheme; int ranks; const char *name; int rows, cols; } cases[] = {
        {"2dbc", 1, "2dbc:1x1", 1, 1},      {"2dbc", 12, "2dbc:3x4", 3, 4},   {"2dbc", 23, "2dbc:1x23", 1, 23},
        {"2dbc", 20, "2dbc:4x5", 4, 5},     {"2dbc:5x4", 20, "2dbc:5x4", 5, 4}, {"2dbc:06x1", 6, "2dbc:6x1", 6, 1},
        {"g2dbc", 1, "g2dbc", 1, 1},        {"g2dbc", 2, "g2dbc", 1, 2},      {"g2dbc", 3, "g2dbc", 2, 3},
        {"g2dbc", 10, "g2dbc", 6, 10},      {"g2dbc", 23, "g2dbc", 20, 23},   {"g2dbc", 36, "g2dbc", 6, 6},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct pattern *pattern = make(cases[k].scheme, cases[k].ranks);
        ck_assert_str_eq(pattern->name, cases[k].name);
        ck_assert_int_eq(pattern->rows, cases[k].rows);
        ck_assert_int_eq(pattern->cols, cases[k].cols);
        ck_assert_int_eq(pattern->ranks, cases[k].ranks);
        pattern_destroy(&pattern);
        ck_assert_ptr_null(pattern);
    }
}
END_TEST

/* What cannot be built is refused in one line that says why. */
START_TEST(refuses_schemes)
{
    static const struct { const char *scheme; int ranks; const char *why; } cases[] = {
        {"nonsense", 3, "unknown layout \"nonsense\"; known: 2dbc[:PxQ], g2dbc, file:PATH"},
        {"", 3, "unknown layout \"\""},     {"2db", 3, "unknown layout"},      {"2dbcc", 3, "unknown layout"},
        {"2dbc:3x3", 3, "2dbc:3x3 needs 9 ranks, there are 3"},
        {"2dbc:65536x65536", 3, "needs 4294967296 ranks"},
        {"2dbc:", 3, "not a grid"},         {"2dbc:3", 3, "not a grid"},       {"2dbc:3x", 3, "not a grid"},
        {"2dbc:x3", 3, "not a grid"},       {"2dbc:0x3", 3, "not a grid"},     {"2dbc:-1x-3", 3, "not a grid"},
        {"2dbc:1x3 ", 3, "not a grid"},     {"2dbc:1X3", 3, "not a grid"},     {"2dbc:4294967297x3", 3, "not a grid"},
        {"g2dbc:", 3, "no argument"},       {"file", 3, "file:PATH"},          {"file:", 3, "file:PATH"},
        {"file:/nonexistent/p.map", 3, "/nonexistent/p.map: "},                {"file:/", 3, "/:1: cannot be read"},
        {"2dbc", 0, "at least one rank"},   {"g2dbc", -4, "at least one rank"},
        {"g2dbc", INT_MAX, "no memory for layout g2dbc on 2147483647 ranks"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct pattern *pattern;
        ck_assert_int_eq(pattern_create(cases[k].scheme, cases[k].ranks, &pattern, text), 1);
        ck_assert_ptr_null(pattern);
        ck_assert_msg(strstr(text, cases[k].why) && !strchr(text, '\n'), "%s: %s", cases[k].scheme, text);
    }
}
END_TEST

/* The default grid has the least nprow + npcol and rank i * npcol + j in cell (i,j). */
START_TEST(best_grid)
{
    for (int ranks = 1; ranks <= 300; ranks++) {
        struct pattern *pattern = make("2dbc", ranks);
        ck_assert_int_eq(pattern->rows * pattern->cols, ranks);
        ck_assert_int_le(pattern->rows, pattern->cols);
        for (int p = 1; p <= ranks; p++)
            if (ranks % p == 0) ck_assert_int_le(pattern->rows + pattern->cols, p + ranks / p);
        for (int rank = 0; rank < ranks; rank++)
            ck_assert_int_eq(pattern->cell[rank], rank);
        pattern_destroy(&pattern);
    }
}
END_TEST

/* G-2DBC of 10 ranks is the pattern of figure 3. */
START_TEST(g2dbc_figure)
{
    static const int figure[6][10] = {
        {0, 1, 2, 3, 0, 1, 2, 3, 0, 1}, {4, 5, 6, 7, 4, 5, 6, 7, 4, 5}, {8, 9, 2, 3, 8, 9, 2, 3, 8, 9},
        {0, 1, 2, 3, 0, 1, 2, 3, 0, 1}, {4, 5, 6, 7, 4, 5, 6, 7, 4, 5}, {8, 9, 6, 7, 8, 9, 6, 7, 8, 9},
    };
    struct pattern *pattern = pattern_g2dbc(10);
    ck_assert_int_eq(memcmp(pattern->cell, figure, sizeof figure), 0);
    pattern_destroy(&pattern);
}
END_TEST

/* Every rank has b(b-1) cells of G-2DBC (lemma 1); T = a + (b^2 (a-c) + (b-1)^2 c) / P <= 2 sqrt(P) + 2 / sqrt(P) (lemma 2). */
START_TEST(g2dbc_lemmas)
{
    for (int ranks = 1; ranks <= 300; ranks++) {
        int a = (int)ceil(sqrt(ranks)), b = (ranks + a - 1) / a, c = a * b - ranks;
        struct pattern *pattern = make("g2dbc", ranks);
        int *cells = zeros((size_t)ranks, sizeof *cells), wrong = 0;
        for (int k = 0; k < pattern->rows * pattern->cols; k++)
            cells[pattern->cell[k]]++;
        for (int rank = 0; rank < ranks; rank++)
            wrong += cells[rank] != (c == 0 ? 1 : b * (b - 1));
        ck_assert_int_eq(wrong, 0);

        double cost = pattern_cost_lu(pattern);
        ck_assert_double_eq_tol(cost, a + (b * b * (a - c) + (b - 1) * (b - 1) * c) / (double)ranks, 1e-9);
        ck_assert_double_le(cost, 2 * sqrt(ranks) + 2 / sqrt(ranks) + 1e-9);
        ck_assert_double_eq_tol(pattern_cost_cholesky(pattern), cost - 1, 1e-9);
        free(cells);
        pattern_destroy(&pattern);
    }
}
END_TEST

/* The cost T of the published patterns (table Ia, misprints put right) and of SBC. */
START_TEST(published_costs)
{
    static const struct { const char *scheme; int ranks; double cost; } cases[] = {
        {"2dbc", 16, 8},      {"2dbc", 20, 9},       {"2dbc", 21, 10},      {"2dbc", 22, 13},      {"2dbc", 23, 24},
        {"g2dbc", 23, 9.652}, {"g2dbc", 31, 11.194}, {"g2dbc", 35, 11.857}, {"g2dbc", 39, 12.615}, {"g2dbc", 36, 12},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct pattern *pattern = make(cases[k].scheme, cases[k].ranks);
        ck_assert_double_eq_tol(pattern_cost_lu(pattern), cases[k].cost, 6e-4);
        pattern_destroy(&pattern);
    }
    for (int r = 2; r < 10; r++) {
        struct pattern *pattern = sbc_pattern(r);
        ck_assert_double_eq_tol(pattern_cost_cholesky(pattern), r - 1, 1e-12);
        pattern_destroy(&pattern);
    }
}
END_TEST

/* The symmetric cost is the mean number of distinct ranks per colrow of the lcm square, counted cell by cell. */
START_TEST(symmetric_cost)
{
    for (int kind = 0; kind < 3; kind++) {
        struct pattern *p = any_pattern(kind, _i);
        int square = p->rows * p->cols, ranks_met = 0;
        for (int i = 0; i < square; i++) {
            char met[64] = {0};
            for (int k = 0; k < square; k++)
                met[p->cell[i % p->rows * p->cols + k % p->cols]] = met[p->cell[k % p->rows * p->cols + i % p->cols]] = 1;
            for (int rank = 0; rank < p->ranks; rank++)
                ranks_met += met[rank];
        }
        ck_assert_double_eq_tol(pattern_cost_cholesky(p), (double)ranks_met / square, 1e-9);
        pattern_destroy(&p);
    }
}
END_TEST

/* ---- map files ------------------------------------------------------------------------------------------------------ */

/* A map is read whatever its white space, and need not use every rank. */
START_TEST(reads_maps)
{
    struct pattern *pattern = read_text("\n 2\t3\r\n0 1\n\n2 3 0 1", 6);
    static const int cells[] = {0, 1, 2, 3, 0, 1};
    ck_assert_msg(pattern != NULL, "%s", text);
    ck_assert_int_eq(pattern->rows, 2);
    ck_assert_int_eq(pattern->cols, 3);
    ck_assert_int_eq(pattern->ranks, 6);
    ck_assert_int_eq(memcmp(pattern->cell, cells, sizeof cells), 0);
    pattern_destroy(&pattern);
}
END_TEST

/* A bad map is refused with the file, the line and what is wrong. */
START_TEST(refuses_maps)
{
    static const struct { const char *content, *why; } cases[] = {
        {"", ":1: the file ends; wanted a number of rows"},
        {"2\n", ":2: the file ends; wanted a number of columns"},
        {"two 2", ":1: \"two\" is not a number"},           {"2x2\n0 1 1 0", ":1: \"2x2\" is not a number"},
        {"0 2\n", ":1: 0 is not a number of rows"},         {"2\n-2\n", ":2: -2 is not a number of columns"},
        {"2147483648 1\n", ":1: 2147483648 is not"},        {"99999999999999999999 1\n", ":1: 99999999999999999999 is not"},
        {"65536 65536\n0", ":1: 65536 x 65536 cells are too many"},
        {"2 2\n0 1\n2 0\n", ":3: rank 2 in cell (1,0): the ranks are 0 to 1"},
        {"2 2\n0 1\n-2 0\n", ":3: rank -2 in cell (1,0)"},  {"1 1\n99999999999999999999", ":2: rank 99999999999999999999"},
        {"2 2\n0 1\n0\n", ":4: the file ends; wanted the rank of cell (1,1) of 2 x 2"},
        {"2 2\n0 1\n0 1 1\n", ":3: \"1\" follows the last of 2 x 2 ranks"},
        {"2 2\n0 1\n0 1\n# end", ":4: \"#\" follows"},      {"2 2\n0 1.0\n0 1\n", ":2: \"1.0\" is not a number"},
        {"2 2\n0 1\n0 \x01\xff", ":3: \"\?\?\" is not a number"},
        {"1 1\n00000000000000000000000000000000000000", ":2: \"0000000000000000000000000000000\" is not a number"},
        {"2 2\n-1 -1\n0 1\n", ":2: cell (0,1) is -1: only the diagonal"},
        {"2 3\n-1 0 1\n0 1 1\n", ":2: cell (0,0) is -1: only the diagonal"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ck_assert_ptr_null(read_text(cases[k].content, 2));
        ck_assert_msg(strstr(text, cases[k].why) && !strchr(text, '\n'), "%s", text);
    }
}
END_TEST

/* A pattern written to a file comes back the same, under the name file:PATH. */
START_TEST(writes_maps)
{
    char scheme[] = "file:/tmp/ompfact_test_XXXXXX";
    int fd = mkstemp(scheme + strlen("file:"));
    FILE *file = fdopen(fd, "w");
    struct pattern *sbc = sbc_pattern(5);
    ck_assert_int_eq(pattern_write(sbc, file), 0);
    fclose(file);

    struct pattern *back = make(scheme, sbc->ranks);
    ck_assert_str_eq(back->name, scheme);
    ck_assert_int_eq(back->rows, 5);
    ck_assert_int_eq(back->cols, 5);
    ck_assert_int_eq(memcmp(back->cell, sbc->cell, 25 * sizeof(int)), 0);
    unlink(scheme + strlen("file:"));
    pattern_destroy(&back);
    pattern_destroy(&sbc);
}
END_TEST

/* Writing to a full device is reported. */
START_TEST(reports_failed_writes)
{
    FILE *full = fopen("/dev/full", "w");
    if (!full) return;
    struct pattern *pattern = make("2dbc", 6);
    struct layout *l = lay(pattern, 9, 9, LAYOUT_FULL);
    ck_assert_int_eq(pattern_write(pattern, full), 1);
    ck_assert_int_eq(layout_write_owners(l, full), 1);
    fclose(full);
    layout_destroy(&l);
    pattern_destroy(&pattern);
}
END_TEST

/* ---- brute force ---------------------------------------------------------------------------------------------------- */

/* A factorization run on paper: who reads each tile, who works how much (in nb^3 / 3). */
struct oracle {
    int ranks, mt, nt;
    int *owner;             /* mt x nt */
    unsigned char *reads;   /* mt x nt x ranks */
    int64_t *work;
};

static void oracle_create(struct oracle *o, const struct pattern *p, const struct layout *l)
{
    *o = (struct oracle){.ranks = l->ranks, .mt = l->mt, .nt = l->nt};
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
    unsigned char seen[64] = {0};
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
        char in_row[64] = {0}, in_col[64] = {0};
        int row = 0, col = 0;
        for (int j = 0; j < l->nt && line < l->mt; j++)
            if (layout_is_stored(l, line, j)) in_row[o->owner[line * l->nt + j]] = 1;
        for (int i = 0; i < l->mt && line < l->nt; i++)
            if (layout_is_stored(l, i, line)) in_col[o->owner[i * l->nt + line]] = 1;
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

/* Every walk over column j, from every row, against the owners one by one. Returns the number of differences. */
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
        if (l->cell[i * l->cols + j % l->cols] == rank) return 1;
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
            if (pattern_has(l, rank, j)) next_column = j;
            wrong += layout_first_column(l, rank, j) != next_column;
        }
        wrong += layout_first_column(l, rank, l->nt) != l->nt || layout_tiles(l, rank) != tiles;
    }
    ck_assert_int_eq(wrong, 0);
    oracle_destroy(&o);
}

static const int shapes[][2] = {{1, 1}, {2, 9}, {13, 7}, {9, 21}, {20, 20}};

/* Walks, readers, transfers and summaries agree with brute force for 2DBC, G-2DBC and an irregular map on P = 1 .. 64. */
START_TEST(brute_force)
{
    for (int kind = 0; kind < 3; kind++) {
        struct pattern *pattern = any_pattern(kind, _i);
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
            for (enum layout_part part = LAYOUT_FULL; part <= LAYOUT_LOWER; part++) {
                struct layout *l = lay(pattern, shapes[s][0], shapes[s][1], part);
                check_walks(pattern, l);
                if (part == LAYOUT_FULL) check_algorithm(pattern, l, LAYOUT_LU);
                if (l->mt == l->nt) check_algorithm(pattern, l, LAYOUT_CHOLESKY);
                layout_destroy(&l);
                ck_assert_ptr_null(l);
            }
        pattern_destroy(&pattern);
    }
}
END_TEST

/* The counts of transfers at 100 x 100 tiles that an independent reference gives. */
START_TEST(known_transfers)
{
    static const struct { const char *scheme; int ranks; enum layout_algorithm algorithm; int transfers; } cases[] = {
        {"2dbc:5x4", 20, LAYOUT_LU, 35320},   {"2dbc:7x3", 21, LAYOUT_LU, 40340},  {"2dbc:11x2", 22, LAYOUT_LU, 55329},
        {"2dbc:2x11", 22, LAYOUT_LU, 55329},  {"2dbc:23x1", 23, LAYOUT_LU, 109076}, {"g2dbc", 23, LAYOUT_LU, 38679},
        {"g2dbc", 31, LAYOUT_LU, 46426},      {"g2dbc", 35, LAYOUT_LU, 49639},     {"g2dbc", 39, LAYOUT_LU, 53461},
        {"2dbc:6x5", 30, LAYOUT_CHOLESKY, 42980}, {"g2dbc", 31, LAYOUT_CHOLESKY, 43779},
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

/* A pattern of 1000 ranks is indexed whole: all tiles have an owner that counts them, at sizes up to the largest int. */
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
        if (p->cell[d * p->cols + k] == rank || p->cell[k * p->cols + d] == rank) return 1;
    return 0;
}

static int64_t weight(int i, int j)
{
    return i == j ? 3 * j + 1 : 6 * j + 3;
}

/* The rank that the greedy rule of layout.h gives the next tile of colrow d. */
static int greedy_rank(const struct pattern *p, int d, const int64_t *work)
{
    int best = -1;
    for (int rank = 0; rank < p->ranks; rank++)
        if (in_colrow(p, d, rank) && (best < 0 || work[rank] < work[best])) best = rank;
    return best;
}

/* Free cells go to the least loaded rank of their colrow, heaviest tile first, one replica of the diagonal at a time. */
START_TEST(free_cells)
{
    enum { N = 19 };
    struct pattern *p = sbc_pattern(_i);
    struct layout *l = lay(p, N, N, LAYOUT_LOWER);
    int64_t work[64] = {0};
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            if ((i - j) % _i != 0) work[layout_owner(l, i, j)] += weight(i, j);

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

/* SBC at 100 x 100 tiles: transfers within 0.1 % of the reference (the greedy fill is not specified), and an even load. */
START_TEST(sbc_transfers)
{
    static const struct { int r; double transfers; } cases[] = {{7, 25203}, {8, 30228}};
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

/* Free cells are refused where nothing is symmetric, and so is a layout of nothing. */
START_TEST(refuses_layouts)
{
    struct pattern *sbc = sbc_pattern(3), *grid = make("2dbc", 4), *nobody = read_text("1 1\n-1\n", 1);
    struct { const struct pattern *pattern; int mt, nt; enum layout_part part; const char *why; } cases[] = {
        {sbc, 9, 9, LAYOUT_FULL, "symmetric"},      {sbc, 9, 8, LAYOUT_LOWER, "symmetric"},
        {nobody, 9, 9, LAYOUT_LOWER, "no rank"},    {sbc, 65536, 65536, LAYOUT_LOWER, "too many"},
        {grid, 0, 9, LAYOUT_FULL, "at least one"},  {grid, 9, -1, LAYOUT_FULL, "at least one"},
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

/* The owners of all tiles are written in a map file's form, -1 where a tile is not stored. */
START_TEST(writes_owners)
{
    struct pattern *sbc = sbc_pattern(4);
    struct layout *l = lay(sbc, 7, 7, LAYOUT_LOWER);
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(layout_write_owners(l, file), 0);
    rewind(file);
    int mt, nt, owner;
    ck_assert_int_eq(fscanf(file, "%d %d", &mt, &nt), 2);
    ck_assert(mt == 7 && nt == 7);
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            ck_assert_int_eq(fscanf(file, "%d", &owner), 1);
            ck_assert_int_eq(owner, j <= i ? layout_owner(l, i, j) : -1);
        }
    ck_assert_int_eq(fscanf(file, "%d", &owner), EOF);
    fclose(file);
    layout_destroy(&l);
    pattern_destroy(&sbc);
}
END_TEST

static Suite *layouts_suite(void)
{
    Suite *suite = suite_create("layouts");
    TCase *tests = tcase_create("layouts");
    tcase_add_test(tests, resolves_names);
    tcase_add_test(tests, refuses_schemes);
    tcase_add_test(tests, best_grid);
    tcase_add_test(tests, g2dbc_figure);
    tcase_add_test(tests, g2dbc_lemmas);
    tcase_add_test(tests, published_costs);
    tcase_add_loop_test(tests, symmetric_cost, 1, 24);
    tcase_add_test(tests, reads_maps);
    tcase_add_test(tests, refuses_maps);
    tcase_add_test(tests, writes_maps);
    tcase_add_test(tests, reports_failed_writes);
    tcase_add_loop_test(tests, brute_force, 1, 65);
    tcase_add_test(tests, known_transfers);
    tcase_add_test(tests, large);
    tcase_add_loop_test(tests, free_cells, 2, 10);
    tcase_add_test(tests, sbc_transfers);
    tcase_add_test(tests, refuses_layouts);
    tcase_add_test(tests, writes_owners);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    SRunner *runner = srunner_create(layouts_suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed;
}
