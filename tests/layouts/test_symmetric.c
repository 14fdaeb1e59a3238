/* Symmetric patterns without a catalogue: SBC, GCR&M, the bound on their cost, and the matching of cells to owners. */
#include "layouts/designs/blocks.h"
#include "tests/layouts/test_layouts.h"
#include "layouts/builders.h"

/* ---- SBC ------------------------------------------------------------------------------------------------------------ */

static int is_extended(int ranks)
{
    int r = (int)sqrt(2.0 * ranks) + 1;
    return r * (r - 1) / 2 == ranks;
}

static int is_basic(int ranks)
{
    int r = (int)(sqrt(2.0 * ranks) + 0.5);
    return r % 2 == 0 && r * r / 2 == ranks;
}

static int owns_square(int ranks)
{
    return is_extended(ranks) || is_basic(ranks);
}

/* Cells (i,j) and (j,i) have one rank, which has two cells; r of the ranks' cells are on the diagonal (basic) or none
   (extended). */
static void check_sbc(const char *scheme, int ranks, int r, int on_diagonal)
{
    struct pattern *p = make(scheme, ranks);
    ck_assert(p->rows == r && p->cols == r && p->ranks == ranks);
    int *cells = zeros((size_t)ranks, sizeof *cells), wrong = 0, free_cells = 0;
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) {
            int rank = p->cell[i * r + j];
            wrong += rank != p->cell[j * r + i];
            free_cells += rank == LAYOUT_FREE;
            if (rank != LAYOUT_FREE)
                cells[rank]++;
        }
    for (int rank = 0; rank < ranks; rank++)
        wrong += cells[rank] != 2;
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(free_cells, on_diagonal ? 0 : r);
    ck_assert_double_eq_tol(pattern_cost_cholesky(p), on_diagonal ? r : r - 1, 1e-12);
    check_shares(p);
    ck_assert_int_eq(pattern_is_balanced(p), 1);
    free(cells);
    pattern_destroy(&p);
}

/* SBC of r(r-1)/2 ranks costs r-1, of r^2/2 ranks, r even, r. Every rank has two cells, (i,j) and (j,i) or two of the
   diagonal. */
START_TEST(sbc_patterns)
{
    for (int r = 2; r * (r - 1) / 2 <= 512; r++) {
        int extended = r * (r - 1) / 2, basic = r * r / 2;
        check_sbc("sbc:extended", extended, r, 0);
        if (r % 2 == 0)
            check_sbc("sbc:basic", basic, r, 1);
        struct pattern *p = make("sbc", extended);
        ck_assert_str_eq(p->name, "sbc:extended");
        pattern_destroy(&p);
    }
    struct pattern *p = make("sbc", 8);
    ck_assert_str_eq(p->name, "sbc:basic");
    pattern_destroy(&p);
}
END_TEST

static void check_refused(const char *scheme, int ranks, int (*takes)(int ranks))
{
    struct pattern *p;
    int below = ranks - 1, above = ranks + 1;
    char why[64];
    while (below > 0 && !takes(below))
        below--;
    while (!takes(above))
        above++;
    if (below > 0)
        snprintf(why, sizeof why, "not %d: the nearest numbers are %d and %d;", ranks, below, above);
    else
        snprintf(why, sizeof why, "not %d: the nearest number is %d", ranks, above);
    ck_assert_int_eq(pattern_create(scheme, ranks, &p, text), 1);
    ck_assert_ptr_null(p);
    ck_assert_msg(strstr(text, why) && !strchr(text, '\n'), "\"%s\" lacks \"%s\"", text, why);
}

/* Other numbers of ranks are refused, with the nearest numbers that SBC supports. */
START_TEST(sbc_refused)
{
    for (int ranks = 1; ranks <= 512; ranks++) {
        if (!owns_square(ranks))
            check_refused("sbc", ranks, owns_square);
        if (!is_extended(ranks))
            check_refused("sbc:extended", ranks, is_extended);
        if (!is_basic(ranks))
            check_refused("sbc:basic", ranks, is_basic);
    }
}
END_TEST

/* ---- GCR&M ---------------------------------------------------------------------------------------------------------- */

/* With 100 seeds the sums over the colrows are at most the paper's. */
START_TEST(gcrm_published)
{
    static const struct { int ranks, r, sum; } cases[] = { { 23, 22, 133 }, { 31, 31, 219 }, { 35, 15, 112 }, { 39, 27, 214 } };
    struct pattern *p;
    ck_assert_int_eq(pattern_gcrm(cases[_i].ranks, cases[_i].r, 100, &p), 0);
    ck_assert_ptr_nonnull(p);
    check_shares(p);
    ck_assert_int_eq(pattern_is_balanced(p), 1);
    ck_assert_double_le(pattern_cost_cholesky(p), cases[_i].sum / (double)cases[_i].r + 1e-9);
    ck_assert_double_ge(pattern_cost_cholesky(p), pattern_bound_cholesky(cases[_i].ranks, cases[_i].r) - 1e-9);
    pattern_destroy(&p);
}
END_TEST

/* Results are valid, the same in every call, and made again by their name; more seeds do not cost more. */
START_TEST(gcrm_valid)
{
    int ranks = _i;
    struct pattern *p = make("gcrm:seeds=3", ranks), *again = make("gcrm:seeds=3", ranks), *named = make(p->name, ranks);
    size_t bytes = (size_t)p->rows * (size_t)p->cols * sizeof *p->cell;
    ck_assert_int_eq(p->ranks, ranks);
    check_shares(p);
    ck_assert_int_eq(pattern_is_balanced(p), 1);
    ck_assert(again->rows == p->rows && named->rows == p->rows);
    ck_assert(memcmp(again->cell, p->cell, bytes) == 0 && memcmp(named->cell, p->cell, bytes) == 0);
    struct pattern *more = make("gcrm:seeds=6", ranks);
    ck_assert_double_le(pattern_cost_cholesky(more), pattern_cost_cholesky(p));
    pattern_destroy(&p);
    pattern_destroy(&again);
    pattern_destroy(&named);
    pattern_destroy(&more);
}
END_TEST

/* If r^2 / P is too small for balanced loads there is no pattern. */
START_TEST(gcrm_impossible)
{
    static const int cases[][2] = { { 23, 2 }, { 23, 4 }, { 23, 5 }, { 21, 6 }, { 2, 1 } };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct pattern *p = (struct pattern *)1;
        ck_assert_int_eq(pattern_gcrm(cases[k][0], cases[k][1], 5, &p), 0);
        ck_assert_msg(p == NULL, "P=%d r=%d", cases[k][0], cases[k][1]);
    }
}
END_TEST

/* The paper's 7 x 7 pattern for 23 ranks satisfies equation (3), and no pattern of that size is balanced. */
START_TEST(equation_3_is_not_enough)
{
    struct pattern *p;
    ck_assert_int_eq(pattern_gcrm(23, 7, 20, &p), 0);
    ck_assert_ptr_null(p);
}
END_TEST

/* ---- the bound ------------------------------------------------------------------------------------------------------ */

/* Whether loads and a free diagonal can reach r^2 / P for each rank: tries all ways to give P parts of each free cell. */
static int can_share(const struct pattern *p, int d, int part, int from, int *room)
{
    int r = p->rows;
    while (d < r && (p->cell[d * (r + 1)] != LAYOUT_FREE || part == p->ranks)) {
        d++;
        part = from = 0;
    }
    if (d == r)
        return 1;       /* all parts are given, and they fill the room exactly */
    for (int rank = from; rank < p->ranks; rank++) {
        int is_there = 0;
        for (int k = 0; k < r; k++)
            is_there |= p->cell[d * r + k] == rank || p->cell[k * r + d] == rank;
        if (!is_there || room[rank] == 0)
            continue;
        room[rank]--;
        int can = can_share(p, d, part + 1, rank, room);
        room[rank]++;
        if (can)
            return 1;
    }
    return 0;
}

static int is_balanced(const struct pattern *p)
{
    int r = p->rows, room[8];
    for (int rank = 0; rank < p->ranks; rank++)
        room[rank] = r * r;
    for (int c = 0; c < r * r; c++)
        if (p->cell[c] != LAYOUT_FREE)
            room[p->cell[c]] -= p->ranks;
    for (int rank = 0; rank < p->ranks; rank++)
        if (room[rank] < 0)
            return 0;
    return can_share(p, 0, 0, 0, room);
}

/* Of all patterns of r x r cells, with a free diagonal or not, those are balanced for which the search finds shares, and none
   costs less than the bound. */
START_TEST(all_small_patterns)
{
    static const struct { int ranks, r; } cases[] = { { 2, 2 }, { 3, 2 }, { 4, 2 }, { 5, 2 }, { 2, 3 }, { 3, 3 }, { 4, 3 } };
    int ranks = cases[_i].ranks, r = cases[_i].r, cells = r * r, wrong = 0;
    struct pattern *p = pattern_alloc(ranks, r, r);
    for (int i = 0; i < r; i++)
        p->cell[i * (r + 1)] = LAYOUT_FREE;
    for (int done = 0; !done;) {
        int balanced = pattern_is_balanced(p);
        wrong += balanced != is_balanced(p);
        if (balanced)
            wrong += pattern_cost_cholesky(p) < pattern_bound_cholesky(ranks, r) - 1e-9;
        if (balanced)
            wrong += pattern_cost_cholesky(p) < pattern_bound_cholesky(ranks, 0) - 1e-9;
        int c = 0;      /* the next pattern: counts up; the diagonal counts from -1 */
        while (c < cells && ++p->cell[c] == ranks) {
            p->cell[c] = c % (r + 1) == 0 ? LAYOUT_FREE : 0;
            c++;
        }
        done = c == cells;
    }
    ck_assert_int_eq(wrong, 0);
    pattern_destroy(&p);
}
END_TEST

/* All balanced patterns of 2 ranks on 4 x 4 cells cost at least the bound. */
START_TEST(all_4x4_patterns_of_2)
{
    struct pattern *p = pattern_alloc(2, 4, 4);
    double bound = pattern_bound_cholesky(2, 4), least = HUGE_VAL;
    for (int bits = 0; bits < 1 << 12; bits++) {
        for (int c = 0, k = 0; c < 16; c++)
            p->cell[c] = c % 5 == 0 ? LAYOUT_FREE : bits >> k++ & 1;
        if (pattern_is_balanced(p) == 1)
            least = fmin(least, pattern_cost_cholesky(p));
    }
    ck_assert_double_ge(least, bound - 1e-9);
    ck_assert_double_eq_tol(least, 7.0 / 4, 1e-9);
    pattern_destroy(&p);
}
END_TEST

/* ---- the matching --------------------------------------------------------------------------------------------------- */

/* The largest number of cells that can have owners, with each rank's load at most its room: tries every way. */
static int most_matched(const struct matching *m, int cell, int *room)
{
    int best;
    if (cell == m->cells)
        return 0;
    best = most_matched(m, cell + 1, room);
    for (int k = m->first_rank[cell]; k < m->first_rank[cell + 1]; k++) {
        int rank = m->rank[k];
        if (room[rank] == 0)
            continue;
        room[rank]--;
        int here = 1 + most_matched(m, cell + 1, room);
        room[rank]++;
        best = here > best ? here : best;
    }
    return best;
}

/* Owners are candidates, loads are counts; returns the number of cells off the diagonal without an owner. */
static int check_owners(const struct matching *m, int points, int capacity)
{
    int load[8] = { 0 }, left = points * points - points;
    for (int c = 0; c < m->cells; c++) {
        int found = m->owner[c] < 0;
        if (found)
            continue;
        for (int k = m->first_rank[c]; k < m->first_rank[c + 1]; k++)
            found |= m->rank[k] == m->owner[c];
        ck_assert(found);
        load[m->owner[c]]++;
        left--;
    }
    for (int rank = 0; rank < m->ranks; rank++)
        ck_assert(load[rank] == m->load[rank] && load[rank] <= capacity);
    return left;
}

static unsigned bits_drawn;

static int draw(int count)
{
    bits_drawn = bits_drawn * 1103515245u + 12345u;
    return (int)((bits_drawn >> 16) % (unsigned)count);
}

/* Blocks of random points, each point with probability 1/2. */
static void random_blocks(struct blocks *b, int ranks, int points)
{
    ck_assert_int_eq(blocks_create(b, ranks, points, ranks * points), 0);
    for (int p = 0, count = 0; p < ranks; p++) {
        for (int i = 0; i < points; i++)
            if (draw(2))
                b->point[count++] = i;
        b->first[p + 1] = count;
    }
}

/* A matching found at once, or in steps, has the maximum number of cells; so has one with one more cell for each rank. */
START_TEST(matchings_are_maximum)
{
    bits_drawn = (unsigned)_i;
    for (int trial = 0; trial < 10; trial++) {
        int ranks = 1 + draw(3), points = 2 + draw(2), capacity = 1 + draw(3), off_diagonal = points * points - points;
        struct blocks b;
        struct matching m;
        random_blocks(&b, ranks, points);
        ck_assert_int_eq(matching_create(&m, &b), 0);
        int left = off_diagonal;
        for (int step = draw(2) ? 1 : capacity; step <= capacity; step++) {
            int room[3] = { step, step, step };
            left = matching_grow(&m, step);
            ck_assert_int_eq(left, check_owners(&m, points, step));
            ck_assert_int_eq(off_diagonal - left, most_matched(&m, 0, room));
        }

        struct matching rest;
        ck_assert_int_eq(matching_create(&rest, &b), 0);
        for (int c = 0; c < m.cells; c++)       /* the remaining cells: those with an owner lose their candidates */
            for (int k = rest.first_rank[c]; k < rest.first_rank[c + 1] && m.owner[c] >= 0; k++)
                rest.rank[k] = 3;
        int room[4] = { 1, 1, 1, 0 }, more = most_matched(&rest, 0, room);
        int *kept = zeros((size_t)m.cells, sizeof *kept);
        memcpy(kept, m.owner, (size_t)m.cells * sizeof *kept);
        ck_assert_int_eq(matching_grow_by_one(&m), left - more);
        ck_assert_int_eq(check_owners(&m, points, capacity + 1), left - more);
        for (int c = 0; c < m.cells; c++)
            ck_assert(kept[c] < 0 || kept[c] == m.owner[c]);
        free(kept);
        matching_destroy(&rest);
        matching_destroy(&m);
        blocks_destroy(&b);
    }
}
END_TEST

/* Blocks that miss a pair of points, or whose loads cannot be balanced, give no pattern. */
START_TEST(blocks_without_pattern)
{
    struct blocks b;
    ck_assert_int_eq(blocks_create(&b, 2, 3, 4), 0);
    memcpy(b.point, (int[]){ 0, 1, 1, 2 }, 4 * sizeof(int));      /* 0 and 2 are in no block */
    b.first[1] = 2;
    b.first[2] = 4;
    ck_assert_ptr_null(blocks_pattern(&b));
    blocks_destroy(&b);

    ck_assert_int_eq(blocks_create(&b, 3, 3, 5), 0);
    memcpy(b.point, (int[]){ 0, 1, 2, 0, 1 }, 5 * sizeof(int));   /* the third block is empty */
    b.first[1] = 3;
    b.first[2] = b.first[3] = 5;
    ck_assert_ptr_null(blocks_pattern(&b));
    blocks_destroy(&b);
}
END_TEST

static Suite *symmetric_suite(void)
{
    Suite *suite = suite_create("symmetric");
    TCase *tests = tcase_create("symmetric");
    tcase_add_test(tests, sbc_patterns);
    tcase_add_test(tests, sbc_refused);
    tcase_add_loop_test(tests, gcrm_published, 0, 4);
    tcase_add_loop_test(tests, gcrm_valid, 1, 25);
    tcase_add_test(tests, gcrm_impossible);
    tcase_add_test(tests, equation_3_is_not_enough);
    tcase_add_loop_test(tests, all_small_patterns, 0, 7);
    tcase_add_test(tests, all_4x4_patterns_of_2);
    tcase_add_loop_test(tests, matchings_are_maximum, 0, 20);
    tcase_add_test(tests, blocks_without_pattern);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(symmetric_suite());
}
