/* Layouts for tiles of uneven work: the number of ranks that meet in a line, and the balance of the work. No MPI. */
#include "layouts/arguments.h"
#include "layouts/random.h"
#include "layouts/work.h"
#include "tests/layouts/test_uneven.h"

static struct layout_question question_of(enum layout_algorithm algorithm, int ranks, int mt, int nt, const double *weights)
{
    return (struct layout_question){ .algorithm = algorithm, .ranks = ranks, .mt = mt, .nt = nt, .weights = weights,
                                     .part = algorithm == LAYOUT_CHOLESKY ? LAYOUT_LOWER : LAYOUT_FULL };
}

static struct pattern *make_for(const char *scheme, const struct layout_question *q)
{
    struct pattern *p;
    ck_assert_msg(pattern_create_for(scheme, q, &p, text) == 0, "%s, %d ranks, %d x %d: %s", scheme, q->ranks, q->mt, q->nt,
                  text);
    return p;
}

/* The number of distinct owners of the stored tiles of row i (col 0), of column i (col 1), or of both (col 2), one by one. */
static int met(const struct layout *l, int i, int col, unsigned char *seen)
{
    int count = 0;
    memset(seen, 0, (size_t)l->ranks);
    for (int k = 0; k < (col == 1 ? l->mt : col == 0 ? l->nt : l->mt + l->nt); k++) {
        int is_col = col == 1 || (col == 2 && k >= l->nt), other = col == 2 && is_col ? k - l->nt : k;
        int row = is_col ? other : i, column = is_col ? i : other;
        if (!layout_is_stored(l, row, column))
            continue;
        count += !seen[layout_owner(l, row, column)];
        seen[layout_owner(l, row, column)] = 1;
    }
    return count;
}

/* No tile row and no tile column meets more ranks than alpha sqrt(P); for Cholesky with random subsets row i and column i count
   together. */
static void check_lines(const struct layout *l, double alpha, int together)
{
    unsigned char *seen = zeros((size_t)l->ranks, 1);
    double most = alpha * sqrt(l->ranks) + 1e-9;
    for (int i = 0; i < l->mt; i++)
        ck_assert_msg(met(l, i, together ? 2 : 0, seen) <= most, "row %d meets %d ranks of %g", i,
                      met(l, i, together ? 2 : 0, seen), most);
    for (int j = 0; j < l->nt && !together; j++)
        ck_assert_msg(met(l, j, 1, seen) <= most, "column %d meets %d ranks of %g", j, met(l, j, 1, seen), most);
    free(seen);
}

/* The constraint holds for any ranks, tiles and alpha; or alpha is refused with the least possible one, which works. */
START_TEST(constraint)
{
    static const char *const schemes[] = { "bce", "rs", "rsp" };
    uint64_t state = (uint64_t)_i + 1;
    for (int k = 0; k < 60; k++) {
        enum layout_algorithm algorithm = k % 3 == 0 ? LAYOUT_CHOLESKY : LAYOUT_LU;
        int ranks = 1 + random_below(&state, k < 50 ? 40 : 300), mt = 1 + random_below(&state, 45);
        int nt = k % 3 == 1 ? 1 + random_below(&state, 45) : mt;
        int alpha = 1000 + (k % 4 == 0 ? 1000 : random_below(&state, 2000));
        char scheme[64], *least;
        struct pattern *p;
        double *weights = k % 2 == 0 ? blr("delta=16", algorithm, mt, nt) : NULL;
        struct layout_question q = question_of(algorithm, ranks, mt, nt, weights);
        snprintf(scheme, sizeof scheme, "%s:alpha=%d.%03d", schemes[_i % 3], alpha / 1000, alpha % 1000);
        if (pattern_create_for(scheme, &q, &p, text)) {
            ck_assert_msg(alpha < 2000 && (least = strstr(text, "alpha=")), "%s on %d ranks: %s", scheme, ranks, text);
            ck_assert_msg(strtod(least + 6, NULL) * 1000 > alpha, "%s: %s", scheme, text);
            alpha = (int)(strtod(least + 6, NULL) * 1000 + 0.5);
            snprintf(scheme, sizeof scheme, "%s:alpha=%d.%03d", schemes[_i % 3], alpha / 1000, alpha % 1000);
            p = make_for(scheme, &q);
        }
        struct layout *l = lay(p, mt, nt, q.part);
        check_lines(l, alpha / 1000.0, _i % 3 > 0 && algorithm == LAYOUT_CHOLESKY);
        layout_destroy(&l);
        pattern_destroy(&p);
        free(weights);
    }
}
END_TEST

/* The load of the most loaded rank over the mean, counted tile by tile. */
static double load_of(const struct layout_question *q, const char *scheme)
{
    struct pattern *p = make_for(scheme, q);
    struct layout *l = lay(p, q->mt, q->nt, q->part);
    double *load = zeros((size_t)q->ranks, sizeof *load), most = 0, total = 0, counted_load;
    for (int i = 0; i < q->mt; i++)
        for (int j = 0; j < q->nt; j++)
            if (layout_is_stored(l, i, j))
                load[layout_owner(l, i, j)] += q->weights ? q->weights[i * q->nt + j] : (double)layout_work(q->algorithm, i, j);
    for (int rank = 0; rank < q->ranks; rank++) {
        most = load[rank] > most ? load[rank] : most;
        total += load[rank];
    }
    ck_assert_int_eq(layout_load(l, q, &counted_load), 0);
    ck_assert_double_eq_tol(counted_load, most * q->ranks / total, 1e-12);
    free(load);
    layout_destroy(&l);
    pattern_destroy(&p);
    return most * q->ranks / total;
}

/* Maps of block-low-rank matrices. Random subsets balance the work almost perfectly, the extended pattern nearly so, and the band
   of the hybrid scheme costs little. For Cholesky, with half the work on the diagonal, the imbalance is larger. */
START_TEST(loads)
{
    static const char *const maps[] = { "delta=8,seed=5", "delta=16,seed=6", "delta=8,seed=7,kernel=gemm" };
    static const int ranks[] = { 6, 12, 16, 20, 30 };
    enum layout_algorithm algorithm = _i % 2 == 0 ? LAYOUT_LU : LAYOUT_CHOLESKY;
    for (int k = 0; k < 5; k++) {
        int nt = 40 + 15 * k;
        double *weights = blr(maps[_i / 2], algorithm, nt, nt);
        struct layout_question q = question_of(algorithm, ranks[k], nt, nt, weights);
        double grid = load_of(&q, "2dbc"), hybrid = load_of(&q, "bch");
        double extended = load_of(&q, "bce:alpha=2"), subsets = load_of(&q, "rs:alpha=2");
        ck_assert_msg(extended < 1.02 && extended < grid, "%d ranks: bce %g, 2dbc %g", ranks[k], extended, grid);
        ck_assert_msg(subsets < 1.01, "%d ranks: rs %g", ranks[k], subsets);
        ck_assert_msg(hybrid < (algorithm == LAYOUT_LU ? 1.03 : 1.06) * grid, "%d ranks: bch %g, 2dbc %g", ranks[k], hybrid,
                      grid);
        ck_assert_msg(load_of(&q, "rsp") < 1.05, "%d ranks: rsp %g", ranks[k], load_of(&q, "rsp"));
        free(weights);
    }
}
END_TEST

/* Without weights the work of full tiles is distributed. */
START_TEST(full_tiles)
{
    struct layout_question q = question_of(_i == 0 ? LAYOUT_LU : LAYOUT_CHOLESKY, 12, 50, 50, NULL);
    ck_assert_double_lt(load_of(&q, "rs"), 1.01);
    ck_assert_double_lt(load_of(&q, "bce"), 1.02);
}
END_TEST

static uint64_t hash_of(const struct pattern *p)
{
    uint64_t hash = 14695981039346656037u;
    for (int c = 0; c < p->rows * p->cols; c++)
        hash = (hash ^ (uint64_t)p->cell[c]) * 1099511628211u;
    return hash;
}

/* A scheme gives the same owners everywhere and every time: the hashes were computed on another machine. */
START_TEST(the_same_everywhere)
{
    static const struct { const char *scheme; uint64_t hash; } cases[] = {
        { "bch:2", 0x13391ec3349d6421u }, { "bce:alpha=1.5", 0x5a95df8283feb57u },
        { "rs", 0xcb58ed496bfc01b9u }, { "rsp:q=30", 0xe857de9c8526f0d6u },
    };
    double *weights = blr("delta=128,seed=9", LAYOUT_LU, 40, 50);
    struct layout_question q = question_of(LAYOUT_LU, 13, 40, 50, weights);
    struct pattern *p = make_for(cases[_i].scheme, &q), *again = make_for(cases[_i].scheme, &q), *named = make_for(p->name, &q);
    ck_assert_uint_eq(hash_of(p), hash_of(again));
    ck_assert_uint_eq(hash_of(p), hash_of(named));
    ck_assert_msg(hash_of(p) == cases[_i].hash, "%s: 0x%llxu", cases[_i].scheme, (unsigned long long)hash_of(p));
    pattern_destroy(&p);
    pattern_destroy(&again);
    pattern_destroy(&named);
    free(weights);
}
END_TEST

/* The example of the slides: 8 x 8 tiles, 6 ranks, a band of one diagonal. */
START_TEST(hybrid_example)
{
    static const int expected[8][8] = {
        { 1, 2, 3, 1, 2, 3, 1, 2 }, { 4, 2, 6, 4, 5, 6, 4, 5 }, { 1, 2, 3, 1, 2, 3, 1, 2 }, { 4, 5, 6, 4, 5, 6, 4, 5 },
        { 1, 2, 3, 1, 5, 3, 1, 2 }, { 4, 5, 6, 4, 5, 6, 4, 5 }, { 1, 2, 3, 1, 2, 3, 1, 2 }, { 4, 5, 6, 4, 5, 6, 4, 2 },
    };
    struct layout_question q = question_of(LAYOUT_LU, 6, 8, 8, NULL);
    struct pattern *p = make_for("bch", &q);
    for (int c = 0; c < 64; c++)
        ck_assert_int_eq(p->cell[c], expected[c / 8][c % 8] - 1);
    pattern_destroy(&p);
}
END_TEST

/* A band has its width, on either side of the diagonal or below it, and its tiles go to all ranks in turn. */
START_TEST(band)
{
    for (int width = 1; width < 6; width++) {
        struct layout_question q = question_of(_i == 0 ? LAYOUT_LU : LAYOUT_CHOLESKY, 7, 20, 20, NULL);
        char scheme[16];
        snprintf(scheme, sizeof scheme, "bch:%d", width);
        struct pattern *p = make_for(scheme, &q);
        int above = _i == 0 ? (width - 1) / 2 : 0, next = 0;
        for (int j = 0; j < 20; j++)
            for (int i = 0; i < 20; i++) {
                int in_band = i - j >= -above && i - j < width - above;
                ck_assert_int_eq(p->cell[i * 20 + j], in_band ? next : j % 7);
                next = in_band ? (next + 1) % 7 : next;
            }
        pattern_destroy(&p);
    }
}
END_TEST

/* In a mirrored question the weight of tile (i,j) is at the place of (j,i). */
START_TEST(mirrored)
{
    enum { N = 30 };
    double *weights = zeros(N * N, sizeof *weights), *other = zeros(N * N, sizeof *other);
    uint64_t state = 4;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            weights[i * N + j] = other[j * N + i] = random_below(&state, 1000);
    struct layout_question q = question_of(LAYOUT_CHOLESKY, 5, N, N, weights), m = question_of(LAYOUT_CHOLESKY, 5, N, N, other);
    m.mirrored = 1;
    struct pattern *p = make_for("rs", &q), *same = make_for("rs", &m);
    ck_assert_uint_eq(hash_of(p), hash_of(same));
    pattern_destroy(&p);
    pattern_destroy(&same);
    free(weights);
    free(other);
}
END_TEST

static int is_uneven(const char *scheme)
{
    static const char *const names[] = { "bch", "bce", "rs", "rsp" };
    const char *args;
    int count = 0;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        count += is_scheme(scheme, names[k], &args);
    return count;
}

/* With weights auto takes the least load, also of the schemes for uneven tiles; without weights these are no candidates. */
START_TEST(chosen_by_load)
{
    static struct layout_choice choice;
    enum layout_algorithm algorithm = _i == 0 ? LAYOUT_LU : LAYOUT_CHOLESKY;
    double *weights = blr("delta=16", algorithm, 40, 40), best = INFINITY;
    struct layout_question q = question_of(algorithm, 14, 40, 40, weights);
    ck_assert_int_eq(layout_choose(&q, &choice, text), 0);
    int uneven = 0;
    for (int k = 0; k < choice.count; k++) {
        double load = load_of(&q, choice.candidate[k].name);
        ck_assert_double_eq_tol(choice.candidate[k].sum.flops_max_over_mean, load, 1e-12);
        best = load < best ? load : best;
        uneven += is_uneven(choice.candidate[k].name);
    }
    ck_assert_int_eq(uneven, 4);
    ck_assert_double_eq_tol(choice.candidate[choice.chosen].sum.flops_max_over_mean, best, 1e-12);
    struct pattern *p = make_for("auto", &q);
    ck_assert_str_eq(p->name, choice.candidate[choice.chosen].name);
    pattern_destroy(&p);
    q.weights = NULL;
    ck_assert_int_eq(layout_choose(&q, &choice, text), 0);
    for (int k = 0; k < choice.count; k++)
        ck_assert(!is_uneven(choice.candidate[k].name));
    free(weights);
}
END_TEST

/* Zero work, on one tile or on all, and fewer tiles than ranks are accepted. */
START_TEST(little_work)
{
    static const char *const schemes[] = { "bch", "bce", "rs", "rsp", "auto" };
    double weights[12] = { 0 };
    for (int k = 0; k < 5; k++)
        for (int nt = 1; nt <= 4; nt++) {
            struct layout_question q = question_of(LAYOUT_LU, 9, 3, nt, weights);
            struct pattern *p = make_for(schemes[k], &q);
            struct layout *l = lay(p, 3, nt, LAYOUT_FULL);
            double load = 0;
            ck_assert_int_eq(layout_load(l, &q, &load), 0);
            ck_assert_double_eq(load, 1);
            layout_destroy(&l);
            pattern_destroy(&p);
        }
}
END_TEST

/* Wrong arguments are refused in one line with the scheme's name. */
START_TEST(bad_arguments)
{
    static const char *const bad[] = { "bch:", "bch:0", "bch:x", "bch:1.5", "bce:", "bce:alpha", "bce:alpha=", "bce:alpha=0.5",
                                       "bce:alpha=1.2345", "bce:alpha=2,q=3", "rs:q=0", "rs:alpha=-1", "rs:size=8", "rs:alpha=2 ",
                                       "rs:alpha=1001", "rsp:size=9999", "rsp:beta=1", "rs:alpha=1..5", "rs:q=1" };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        struct layout_question q = question_of(LAYOUT_LU, 23, 10, 10, NULL);
        struct pattern *p = (struct pattern *)1;
        ck_assert_msg(pattern_create_for(bad[k], &q, &p, text) == 1, "%s", bad[k]);
        ck_assert(p == NULL && strchr(text, '\n') == NULL && text[0] != '\0');
    }
    struct pattern *p;
    ck_assert_int_eq(pattern_create("rs", 4, &p, text), 1);
    ck_assert_ptr_nonnull(strstr(text, "depends on the matrix"));
}
END_TEST

/* Tiles without work are spread, too, where some have work: no rank has to store most of them. */
START_TEST(no_work_is_spread)
{
    static const char *const schemes[] = { "bce", "rs", "rsp" };
    double weights[24 * 24] = { 0 };
    for (int k = 0; k < 24; k++)
        weights[25 * k] = 1 + k % 5;
    for (int k = 0; k < 3; k++)
        for (int algorithm = LAYOUT_LU; algorithm <= LAYOUT_CHOLESKY; algorithm++) {
            struct layout_question q = question_of((enum layout_algorithm)algorithm, 6, 24, 24, weights);
            struct pattern *p = make_for(schemes[k], &q);
            struct layout *l = lay(p, 24, 24, q.part);
            double mean = (algorithm == LAYOUT_LU ? 24 * 24 : 24 * 25 / 2) / 6.0;
            for (int rank = 0; rank < 6; rank++)
                ck_assert_msg((double)layout_tiles(l, rank) < 1.6 * mean, "%s: rank %d has %d tiles of %g", p->name, rank,
                              (int)layout_tiles(l, rank), mean);
            layout_destroy(&l);
            pattern_destroy(&p);
        }
}
END_TEST

static Suite *uneven_suite(void)
{
    Suite *suite = suite_create("uneven tiles");
    TCase *tests = tcase_create("uneven tiles");
    add_turns(tests, constraint, 9, 4);
    tcase_add_loop_test(tests, loads, 0, 6);
    tcase_add_loop_test(tests, full_tiles, 0, 2);
    tcase_add_loop_test(tests, the_same_everywhere, 0, 4);
    tcase_add_test(tests, hybrid_example);
    tcase_add_loop_test(tests, band, 0, 2);
    tcase_add_test(tests, mirrored);
    tcase_add_loop_test(tests, chosen_by_load, 0, 2);
    tcase_add_test(tests, little_work);
    tcase_add_test(tests, no_work_is_spread);
    tcase_add_test(tests, bad_arguments);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(uneven_suite());
}
