/*
 * Matrices whose tiles are in double or in single (ompfact_shape.tile_precision, EPS). A tile (i,j), i != j, is in single where
 *
 *     2^-24 ||A_ij||_F <= EPS ||A||_F / nt
 *
 * which is counted again here from the entries, and seen in the digits of what is kept. Factors are right if in each tile
 *
 *     || (A - L L^H)_ij ||_F <= 9.01 EPS ||A||_F / nt + n u ||A||_F      (U^H U, L U)
 *
 * with the unit roundoff u of double, and solutions if ||b - A x||_2 <= 10 (EPS + n u) ||A||_F ||x||_2.
 */
#include "src/matrix/matrix.h"
#include "src/ompfact_plan.h"
#include "tests/checkpoint/kept.h"
#include "tests/factoring.h"

enum { NB = 16, N = 6 * NB + 5, NT = 7 };
static const double U = 0x1p-53, U_SINGLE = 0x1p-24;

/* ---- matrices that fall off with the distance from the diagonal ------------------------------------------------------------ */

struct decaying {
    struct problem p;           /* `fails`: that element on the diagonal is -1, or the row before it 0 */
    double rate, scale;         /* of the fall, over all columns; of all elements */
    bool filled_in;             /* all but the first columns and rows are zeros at first, off the diagonal */
    enum { NO_GROWTH, LEFT_GROWS, RIGHT_GROWS } grows;      /* of LU: X of X U_00 = A_i0, or of L_00 X = A_0j */
    int64_t not_finite;         /* place i + j m of a NaN, from 1; 0: none */
};

static struct decaying decaying_of(char type, int structure, int64_t n, double rate)
{
    return (struct decaying){ .p = { .type = type, .hermitian = structure > 0, .upper = structure == 2, .m = n, .n = n,
                                     .seed = 5 },
                              .rate = rate, .scale = 1 };
}

static number entry(const struct decaying *a, int64_t i, int64_t j)
{
    const struct problem *p = &a->p;
    int64_t low = i > j ? i : j, high = i > j ? j : i;
    number value = p->hermitian ? random_number(p->type, p->seed, low, high) : random_number(p->type, p->seed, i, j);
    if (i + j * p->m + 1 == a->not_finite)
        return NAN;
    if (row_fails(p, i) && (p->hermitian ? i == j : j <= i))
        return p->hermitian ? -1 : 0;
    if (a->grows != NO_GROWTH && high < NB) {       /* a triangle whose inverse is large, and on one side of it tiles */
        bool above = a->grows == LEFT_GROWS;
        if (low < NB)
            return i == j ? 1 : (above ? j - i : i - j) == 1 ? 2 : 0;
        return (above ? i : j) >= NB ? value : 0;
    }
    if (i == j)
        return a->scale * (p->n / (a->rate + 1) + (a->filled_in && i >= NB ? 70 : 4));
    if (a->filled_in)
        return high < NB ? a->scale * 0.1 * value : 0;
    value *= exp(-a->rate * (double)(low - high) / (double)p->n);
    return a->scale * (p->hermitian && i < j ? conj(value) : value);
}

/* NaNs where nothing may look. */
static void fill_decaying(void *context, const ompfact_tile *t)
{
    const struct decaying *a = context;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            put(t, a->p.type, r, c, is_beyond(&a->p, t->row + r, t->col + c) ? NAN : entry(a, t->row + r, t->col + c));
}

static ompfact_shape shape_with(const struct decaying *a, const char *layout, double precision)
{
    ompfact_shape shape = shape_of(&a->p, NB, layout);
    shape.tile_precision = precision;
    return shape;
}

static ompfact_matrix *new_decaying(ompfact_grid *grid, const struct decaying *a, const char *layout, double precision)
{
    ompfact_shape shape = shape_with(a, layout, precision);
    ompfact_matrix *A = new_matrix(grid, &shape);
    assert_everywhere_msg(ompfact_fill_tiles(A, fill_decaying, (void *)a) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    return A;
}

/* ---- counted again --------------------------------------------------------------------------------------------------------- */

static bool is_stored(const struct problem *p, int i, int j)
{
    return !p->hermitian || (p->upper ? i <= j : i >= j);
}

static double square_of(number x)
{
    return creal(x) * creal(x) + cimag(x) * cimag(x);
}

/* Of a matrix, in units of the scale: norms of its tiles, and of all. */
struct norms {
    double tile[NT][NT], all;
};

static struct norms norms_of(const struct decaying *a)
{
    struct norms norms = { 0 };
    struct decaying plain = *a;
    plain.scale = 1;
    for (int64_t j = 0; j < a->p.n; j++)
        for (int64_t i = 0; i < a->p.m; i++)
            norms.tile[i / NB][j / NB] += square_of(entry(&plain, i, j));
    for (int i = 0; i < NT; i++)
        for (int j = 0; j < NT; j++) {
            norms.all += norms.tile[i][j];
            norms.tile[i][j] = sqrt(norms.tile[i][j]);
        }
    norms.all = sqrt(norms.all);
    return norms;
}

static bool follows_rule(const struct norms *norms, int nt, double precision, int i, int j)
{
    return i != j && U_SINGLE * norms->tile[i][j] <= precision * norms->all / nt;
}

/* [i][j]: 1, the tile is in single; 0, in double or not stored. The same on all ranks. */
static void map_of(ompfact_matrix *A, int map[NT][NT])
{
    memset(map, 0, sizeof(int[NT][NT]));
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);)
        map[i][j] = is_in_single(A, i, j);
    reduce(map, NT * NT, MPI_INT, MPI_MAX);
}

/* All that the library says of a tile is so of its numbers: those in single, and no others, have 24 bits. */
static bool digits_are(ompfact_matrix *A, const struct problem *p)
{
    bool right = true;
    double room[2 * NB * NB];
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t, got;
        bool single = true, zeros = true, mine = ompfact_tile_get(A, i, j, &got) == OMPFACT_SUCCESS;
        right &= ompfact_tile_read(A, i, j, room, &t) == OMPFACT_SUCCESS && ompfact_tile_rank(A, i, j) == -1;
        for (int c = 0; c < t.nb; c++)
            for (int r = 0; r < t.mb; r++) {
                number x = get(&t, p->type, r, c);
                single &= creal(x) == (float)creal(x) && cimag(x) == (float)cimag(x);
                zeros &= x == 0;
            }
        right &= zeros || i == j || single == is_in_single(A, i, j);
        right &= mine != is_in_single(A, i, j);
    }
    return right;
}

/* Who reads tile (i,j) of a factorization and does not own it, in the loops' own words. */
static int count_readers(const ompfact_matrix *A, const struct problem *p, int i, int j)
{
    bool reads[64] = { false };
    int nt = ompfact_tile_cols(A), k = i < j ? i : j, count = 0, m = i > j ? i : j;
    for (int n = k + 1; n < nt; n++)
        for (int l = k + 1; l < nt; l++) {
            if (p->hermitian && (l < n || !(l == m || n == m || i == j)))
                continue;       /* A_ln -= L_lk L_nk^H */
            bool of_column = !p->hermitian && i > j && l == i, of_row = !p->hermitian && i < j && n == j;
            if (p->hermitian && i != j)
                reads[p->upper ? ompfact_owner(A, n, l) : ompfact_owner(A, l, n)] = true;
            else if (of_column || of_row)
                reads[ompfact_owner(A, l, n)] = true;
        }
    for (int l = k + 1; i == j && l < nt; l++) {
        if (!p->hermitian || !p->upper)
            reads[ompfact_owner(A, l, k)] = true;
        if (!p->hermitian || p->upper)
            reads[ompfact_owner(A, k, l)] = true;
    }
    reads[ompfact_owner(A, i, j)] = false;
    for (int r = 0; r < all_ranks_count(); r++)
        count += reads[r];
    return count;
}

static int64_t bytes_of(const struct problem *p, bool single, int i, int j)
{
    int64_t m = i < (p->m - 1) / NB ? NB : p->m - i * NB, n = j < (p->n - 1) / NB ? NB : p->n - j * NB;
    return m * n * (int64_t)precision_of(p->type)->size / (single ? 2 : 1);
}

/* ---- one matrix, all that is said of it ------------------------------------------------------------------------------------ */

/* All of A on every rank, in double; of a Hermitian one its triangle and zeros. Collective. */
static number *gather_mixed(ompfact_matrix *A, const struct problem *p)
{
    number *dense = calloc((size_t)(p->m * p->n) + 1, sizeof *dense);
    double room[2 * NB * NB];
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t;
        ompfact_tile_read(A, i, j, room, &t);
        for (int c = 0; c < t.nb; c++)
            for (int r = 0; r < t.mb; r++)
                if (!is_beyond(p, t.row + r, t.col + c))
                    dense[t.row + r + (t.col + c) * p->m] = get(&t, p->type, r, c);
    }
    reduce(dense, (int)(2 * p->m * p->n), MPI_DOUBLE, MPI_SUM);
    return dense;
}

/* The most that a tile of A - F, or of A minus the product of the factors F, has of what it may have. Collective. */
static double worst_tile(const struct decaying *a, const struct norms *norms, const number *F, bool factors, double precision)
{
    const struct problem *p = &a->p;
    int nt = (int)((p->n + NB - 1) / NB), tile = 0;
    double worst = 0, allowed = ((factors ? 9.01 : 1.0001) * precision / nt + (factors ? (double)p->n * U : 0)) * norms->all;
    for (int j = 0; j < nt; j++)
        for (int i = 0; i < nt; i++) {
            double error = 0;
            if (!is_stored(p, i, j) || tile++ % all_ranks_count() != my_rank())
                continue;
            for (int64_t c = j * NB; c < (j + 1) * NB && c < p->n; c++)
                for (int64_t r = i * NB; r < (i + 1) * NB && r < p->m; r++)
                    if (!is_beyond(p, r, c))
                        error += square_of(
                            (entry(a, r, c) - (factors ? product_of_factors(p, F, r, c) : F[r + c * p->m])) / a->scale);
            worst = larger(worst, sqrt(error) / allowed);
        }
    largest(&worst, 1);
    return worst;
}

/* As it was filled; before: its map. */
static void check_filled(ompfact_matrix *A, const struct decaying *a, double precision, int before[NT][NT])
{
    const struct problem *p = &a->p;
    struct norms norms = norms_of(a);
    int64_t wanted[2] = { 0 };
    ompfact_tile_precisions kept;
    map_of(A, before);
    for (int i = 0; i < ompfact_tile_rows(A); i++)
        for (int j = 0; j < ompfact_tile_cols(A); j++)
            if (is_stored(p, i, j)) {
                assert_everywhere_msg(before[i][j] == follows_rule(&norms, ompfact_tile_cols(A), precision, i, j),
                                      "tile (%d,%d), to %g", i, j, precision);
                wanted[before[i][j]]++;
            }
    assert_everywhere(ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS && kept.widened == 0 &&
                      kept.double_tiles == wanted[0] && kept.single_tiles == wanted[1]);
    number *F = gather_mixed(A, p);
    double worst = worst_tile(a, &norms, F, false, precision);
    free(F);
    assert_everywhere_msg(worst <= 1 && digits_are(A, p), "to %g: filled with %g of what may be wrong", precision, worst);
}

/* As it was factored, by a whole run or by one that has gone on. */
static void check_factors(ompfact_matrix *A, const struct decaying *a, double precision, int before[NT][NT], bool whole)
{
    const struct problem *p = &a->p;
    struct norms norms = norms_of(a);
    int after[NT][NT];
    int64_t widened = 0, singles = 0, bytes = 0, travelled = 0;
    ompfact_tile_precisions kept;
    map_of(A, after);
    for (int i = 0; i < ompfact_tile_rows(A); i++)
        for (int j = 0; j < ompfact_tile_cols(A); j++)
            if (is_stored(p, i, j)) {
                assert_everywhere(before[i][j] || !after[i][j]);
                singles += before[i][j];
                widened += before[i][j] - after[i][j];
                bytes += bytes_of(p, after[i][j], i, j);
                travelled += count_readers(A, p, i, j) * bytes_of(p, after[i][j], i, j);
            }
    assert_everywhere(ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS && digits_are(A, p));
    assert_everywhere_msg(kept.single_tiles == singles && kept.widened == widened && kept.bytes == bytes,
                          "%lld widened, %lld bytes", (long long)kept.widened, (long long)kept.bytes);
    ompfact_report report = ompfact_last_report(A);
    int64_t transfers = transfers_of(A, p, p->hermitian);
    assert_everywhere(!whole || (report.transfers == transfers && report.transfers_predicted == transfers));
    assert_everywhere_msg(!whole || report.transfer_bytes == travelled, "%lld bytes, by the tiles %lld",
                          (long long)report.transfer_bytes, (long long)travelled);
    number *F = gather_mixed(A, p);
    double worst = worst_tile(a, &norms, F, true, precision);
    free(F);
    assert_everywhere_msg(worst <= 1, "%c%s, n = %lld, %s, to %g: %g of what may be wrong", p->type,
                          p->hermitian ? p->upper ? ", upper" : ", lower" : "", (long long)p->n, ompfact_layout(A), precision,
                          worst);
}

static void factor_and_check(ompfact_matrix *A, const struct decaying *a, double precision)
{
    int before[NT][NT];
    int64_t info = -1;
    check_filled(A, a, precision, before);
    assert_everywhere_msg(factor(A, &a->p, &info) == OMPFACT_SUCCESS && info == 0, "info %lld: %s", (long long)info,
                          ompfact_message(A->grid));
    check_factors(A, a, precision, before, true);
}

static const double precisions[] = { 1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13 };
enum { PRECISIONS = sizeof precisions / sizeof precisions[0] };

/* Types, structures, orders, and how fast a matrix falls off. */
START_TEST(right)
{
    static const int64_t orders[] = { 1, NB, 2 * NB + 1, N };
    for (int threads = 1; threads <= 2; threads++) {
        ompfact_grid *grid = new_grid((ompfact_options){ .threads = threads, .copy_on_node = threads == 2 });
        for (int k = 0; k < PRECISIONS; k++)
            for (int o = 0; o < 4; o++) {
                struct decaying a = decaying_of("dz"[_i % 2], _i / 2, orders[o], 5 + 10 * ((k + o + threads) % 4));
                ompfact_matrix *A = new_decaying(grid, &a, threads == 1 ? "2dbc" : "g2dbc", precisions[k]);
                factor_and_check(A, &a, precisions[k]);
                ompfact_matrix_destroy(&A);
            }
        ompfact_grid_destroy(&grid);
    }
}
END_TEST

/* Tiles of zeros that the first column fills become double where single would not do, and only there. */
START_TEST(filled_in)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .copy_on_node = _i % 2 });
    for (int structure = 0; structure < 3; structure++)
        for (int k = 0; k < PRECISIONS; k++) {
            struct decaying a = decaying_of("dz"[_i], structure, N, 20);
            ompfact_tile_precisions kept;
            a.filled_in = true;
            ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", precisions[k]);
            factor_and_check(A, &a, precisions[k]);
            assert_everywhere(ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS);
            assert_everywhere(k > 0 || kept.widened == 0);
            assert_everywhere(k < PRECISIONS - 1 || kept.widened > 0);
            ompfact_matrix_destroy(&A);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Solutions of triangles whose inverses are large are in single only as far as that keeps tiles of the product right. */
START_TEST(grown)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    for (int type = 0; type < 2; type++)
        for (double precision = 1e-1; precision > 1e-9; precision /= 4) {
            struct decaying a = decaying_of("dz"[type], 0, N, 20);
            a.grows = _i == 0 ? LEFT_GROWS : RIGHT_GROWS;
            ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", precision);
            factor_and_check(A, &a, precision);
            ompfact_matrix_destroy(&A);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* What single's range does not hold stays double, of the largest numbers some tiles; and what it does hold is in single. */
START_TEST(scaled)
{
    static const int exponents[] = { -400, -130, -60, 60, 126, 400 };
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    for (int structure = 0; structure < 3; structure++)
        for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++) {
            struct decaying a = decaying_of("dz"[_i], structure, N, 30);
            ompfact_tile_precisions kept;
            int64_t info;
            a.scale = ldexp(1, exponents[e]);
            ompfact_matrix *A = new_decaying(grid, &a, "2dbc", 1e-6);
            if (abs(exponents[e]) < 100) {
                factor_and_check(A, &a, 1e-6);
            } else {
                struct norms norms = norms_of(&a);
                assert_everywhere(factor(A, &a.p, &info) == OMPFACT_SUCCESS && info == 0);
                number *F = gather_mixed(A, &a.p);
                double worst = worst_tile(&a, &norms, F, true, 1e-6);
                free(F);
                assert_everywhere_msg(worst <= 1, "2^%d: %g", exponents[e], worst);
            }
            assert_everywhere(ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS);
            assert_everywhere(abs(exponents[e]) == 126 || (kept.single_tiles > 0) == (abs(exponents[e]) < 100));
            ompfact_matrix_destroy(&A);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Where no tile is in single all is as in a matrix of one precision, to the bit; "auto" is n u. */
START_TEST(as_ever)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    struct decaying a = decaying_of("dz"[_i % 2], _i / 2, N, 2);
    ompfact_matrix *A = new_decaying(grid, &a, "2dbc", 1e-16), *D = new_decaying(grid, &a, "2dbc", 0);
    ompfact_tile_precisions kept;
    int64_t info[2];
    assert_everywhere(factor(A, &a.p, &info[0]) == OMPFACT_SUCCESS && factor(D, &a.p, &info[1]) == OMPFACT_SUCCESS);
    number *F = gather_mixed(A, &a.p), *G = gather_mixed(D, &a.p);
    assert_everywhere(info[0] == 0 && info[1] == 0 && memcmp(F, G, (size_t)(N * N) * sizeof *F) == 0);
    free(F);
    free(G);
    for (int k = 0; k < 2; k++)
        assert_everywhere(ompfact_count_precisions(k == 0 ? A : D, &kept) == OMPFACT_SUCCESS && kept.single_tiles == 0 &&
                          kept.double_tiles == (a.p.hermitian ? NT * (NT + 1) / 2 : NT * NT) && kept.widened == 0);
    ompfact_matrix_destroy(&D);
    ompfact_matrix_destroy(&A);
    A = new_decaying(grid, &a, "2dbc", OMPFACT_TILE_PRECISION_AUTO);
    assert_everywhere(ompfact_shape_of(A).tile_precision == N * U);
    factor_and_check(A, &a, N * U);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- ways of running ------------------------------------------------------------------------------------------------------- */

static int random_rank(int cell)
{
    return (int)((1 + noise(11, cell, 0, 0)) / 2 * all_ranks_count());
}

/* Each schedule, with all broadcasts, tiles in place or copied, little room and random delays, with and without order. */
START_TEST(ways)
{
    enum { BCASTS = 4 };
    const ompfact_testing delayed = { .jitter_us = 300 };
    char map[64];
    write_map(map, 4, 3, random_rank);
    for (int bcast = 0; bcast <= BCASTS; bcast++) {
        ompfact_options options = { .threads = 1 + (bcast + _i) % 2, .schedule = (ompfact_schedule)_i,
                                    .bcast = (ompfact_bcast)(bcast % BCASTS), .copy_on_node = bcast < BCASTS };
        if (bcast % 2) {
            options.testing = &delayed;
            options.cache_tiles = 1;
            options.max_tasks = 1 + bcast % 3;
        }
        ompfact_grid *grid = new_grid(options);
        for (int structure = bcast % 2; structure < 3; structure += 1 + bcast % 2) {
            struct decaying a = decaying_of("dz"[bcast / 2 % 2], structure, N, 20);
            ompfact_matrix *A = new_decaying(grid, &a, structure == bcast % 3 ? "g2dbc" : map, 1e-8);
            factor_and_check(A, &a, 1e-8);
            ompfact_matrix_destroy(&A);
        }
        ompfact_grid_destroy(&grid);
    }
    remove_map(map);
}
END_TEST

static struct kept kept;
static ompfact_grid *stopping;

/* Who first has done some of its work. */
static void stop_on_the_way(void *context, double done)
{
    (void)context;
    if (done > 0)
        ompfact_stop(stopping);
}

static ompfact_grid *grid_that_stops(bool stops)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = stops ? 2 : 1, .testing = &(ompfact_testing){ .jitter_us = 150 },
                                                     .progress = stops ? stop_on_the_way : NULL });
    ompfact_checkpoints how = { .folder = kept.place, .interval_s = 3600, .tell = kept_record, .tell_context = &kept };
    kept_nothing(&kept);
    if (stops)
        assert_everywhere_msg(ompfact_checkpoint(grid, &how) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    return grid;
}

/* A factorization that is stopped goes on in another layout with tiles as they were, those too that had become double. */
START_TEST(resumed)
{
    int stopped = 0;
    kept_name(&kept);
    for (int structure = 0; structure < 3; structure++) {
        struct decaying a = decaying_of("dz"[_i], structure, N, 20), b = a;
        const double precision = 1e-10;
        int before[NT][NT];
        int64_t info = 0;
        a.filled_in = b.filled_in = true;
        stopping = grid_that_stops(true);
        ompfact_matrix *A = new_decaying(stopping, &a, "2dbc", precision);
        check_filled(A, &a, precision, before);
        ompfact_status status = factor(A, &a.p, &info);
        assert_everywhere_msg(status == OMPFACT_STOPPED || status == OMPFACT_SUCCESS, "%s", ompfact_message(stopping));
        stopped += status == OMPFACT_STOPPED;
        ompfact_matrix_destroy(&A);
        ompfact_grid_destroy(&stopping);
        ompfact_grid *grid = grid_that_stops(false);
        b.filled_in = false;            /* what it is filled with is of no account */
        A = new_decaying(grid, &b, "g2dbc", 1e-3);
        assert_everywhere_msg(ompfact_restart(grid, kept.place) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
        assert_everywhere_msg(factor(A, &a.p, &info) == OMPFACT_SUCCESS && info == 0, "%s", ompfact_message(grid));
        assert_everywhere(ompfact_last_report(A).restarted_from_step >= 0);
        check_factors(A, &a, precision, before, false);
        ompfact_matrix_destroy(&A);
        ompfact_matrix *D = new_decaying(grid, &a, "2dbc", 0);
        assert_everywhere(ompfact_restart(grid, kept.place) == OMPFACT_SUCCESS && factor(D, &a.p, &info) == OMPFACT_BAD_ARGUMENT);
        assert_everywhere(strstr(ompfact_message(grid), "mixed precision") != NULL);
        ompfact_matrix_destroy(&D);
        ompfact_grid_destroy(&grid);
        kept_remove(&kept);
    }
    assert_everywhere_msg(stopped > 0 || all_ranks_count() > NT, "of so many ranks some are behind");
}
END_TEST

/* A pivot fails where it fails in double; and afterwards the same matrix serves again. A NaN is found, and its tile is double. */
START_TEST(failing)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .schedule = (ompfact_schedule)_i, .copy_on_node = _i == 1 });
    for (int structure = 0; structure < 3; structure++)
        for (int64_t fails = 5; fails <= N; fails += structure == 0 ? N : 2 * NB + 3) {
            struct decaying a = decaying_of("dz"[fails % 2], structure, N, 25), good = a;
            a.p.fails = fails;
            ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", 1e-6);
            int64_t info = -1, row, col;
            bool nan;
            assert_everywhere_msg(factor(A, &a.p, &info) == OMPFACT_SUCCESS && info == fails, "%lld, not %lld", (long long)info,
                                  (long long)fails);
            a = good;
            a.not_finite = 1 + (a.p.upper ? (N - 2) * a.p.m : N - 2);      /* at the end of the first row, or column */
            assert_everywhere(ompfact_fill_tiles(A, fill_decaying, &a) == OMPFACT_SUCCESS);
            assert_everywhere(ompfact_find_not_finite(A, &row, &col, &nan) == OMPFACT_SUCCESS && nan &&
                              row == (a.p.upper ? 0 : N - 2) && col == (a.p.upper ? N - 2 : 0));
            int i = a.p.upper ? 0 : NT - 1, j = a.p.upper ? NT - 1 : 0;
            assert_everywhere(ompfact_owner(A, i, j) != A->me || !is_in_single(A, i, j));
            assert_everywhere(ompfact_fill_tiles(A, fill_decaying, &good) == OMPFACT_SUCCESS);
            factor_and_check(A, &good, 1e-6);
            ompfact_matrix_destroy(&A);
        }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* A tile that is to become double where there is no memory ends the run on all ranks with its name; another goes on as ever. */
START_TEST(outgrown)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .pivot = OMPFACT_PIVOT_NONE });
    struct decaying a = decaying_of('d', _i, N, 20);
    int64_t info;
    a.filled_in = true;
    ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", 1e-13);
    atomic_store(&A->compressed->left, 0);
    ompfact_status status = factor(A, &a.p, &info);
    bool told = strstr(ompfact_message(grid), "no memory for tile (") != NULL;
    assert_everywhere_msg(status == OMPFACT_OUT_OF_MEMORY && told, "%d: %s", status, ompfact_message(grid));
    assert_everywhere(ompfact_fill_tiles(A, fill_decaying, &a) == OMPFACT_SUCCESS);
    factor_and_check(A, &a, 1e-13);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- with the factors ------------------------------------------------------------------------------------------------------ */

/* The largest ||b - op(A) x||_2 / (||A||_F ||x||_2) of all columns. Collective. */
static double residual_of(const struct decaying *a, ompfact_matrix *B, bool conj_trans)
{
    const struct problem *p = &a->p;
    number *X = gather(B, NULL);
    double norm = norms_of(a).all, worst = 0;
    for (int64_t c = my_rank(); c < ompfact_cols(B); c += all_ranks_count()) {
        double error = 0, size = 0;
        for (int64_t i = 0; i < p->n; i++) {
            number b = rhs_entry(p, i, c);
            for (int64_t k = 0; k < p->n; k++)
                b -= (conj_trans ? conj(entry(a, k, i)) : entry(a, i, k)) * X[k + c * p->n];
            error += square_of(b);
            size += square_of(X[i + c * p->n]);
        }
        worst = larger(worst, sqrt(error / size) / norm);
    }
    free(X);
    largest(&worst, 1);
    return worst;
}

/* By one call and by two, the transposed system, and refined to double's own accuracy. */
START_TEST(solves)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 + _i % 2 });
    for (int k = 0; k < PRECISIONS; k++) {
        struct decaying a = decaying_of("dz"[_i % 2], _i / 2, N, 25);
        double limit = 10 * (precisions[k] + N * U);
        ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", precisions[k]);
        ompfact_matrix *B = new_rhs(A, NB + 3), *X = new_rhs(A, NB + 3);
        int64_t info = -1;
        int iterations = -1;
        fill_rhs(B, &a.p);
        fill_rhs(X, &a.p);
        ompfact_status status = a.p.hermitian ? ompfact_posv(A, X, &info) : ompfact_gesv(A, X, &info);
        assert_everywhere(status == OMPFACT_SUCCESS && info == 0);
        double worst = residual_of(&a, X, false);
        assert_everywhere_msg(worst <= limit, "to %g: %g", precisions[k], worst);
        assert_everywhere(ompfact_refine(A, B, X, fill_decaying, &a, &iterations) == OMPFACT_SUCCESS);
        worst = residual_of(&a, X, false);
        assert_everywhere_msg(iterations >= 1 && worst <= 300 * U, "to %g: after %d iterations %g", precisions[k], iterations,
                              worst);
        if (!a.p.hermitian) {
            fill_rhs(X, &a.p);
            assert_everywhere(ompfact_getrs_trans(A, OMPFACT_CONJ_TRANS, X) == OMPFACT_SUCCESS);
            worst = residual_of(&a, X, true);
            assert_everywhere_msg(worst <= limit, "transposed, to %g: %g", precisions[k], worst);
        }
        ompfact_matrix_destroy(&X);
        ompfact_matrix_destroy(&B);
        ompfact_matrix_destroy(&A);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* Determinant, pivots, condition and residual are those of double, but for EPS. */
START_TEST(told)
{
    const double precision = 1e-7;
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2 });
    struct decaying a = decaying_of("dz"[_i % 2], _i / 2, N, 25);
    ompfact_matrix *F[2];
    double norm, logabs[2], re[2], im[2], pivot[2], rcond[2], ratio;
    int64_t info, k[2];
    for (int c = 0; c < 2; c++) {
        F[c] = new_decaying(grid, &a, "g2dbc", c == 0 ? 0 : precision);
        assert_everywhere(ompfact_norm1(F[c], &norm) == OMPFACT_SUCCESS);
        assert_everywhere(factor(F[c], &a.p, &info) == OMPFACT_SUCCESS && info == 0);
        assert_everywhere(ompfact_determinant(F[c], &logabs[c], &re[c], &im[c]) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_smallest_pivot(F[c], &pivot[c], &k[c]) == OMPFACT_SUCCESS);
        assert_everywhere(ompfact_rcond(F[c], norm, &rcond[c]) == OMPFACT_SUCCESS);
    }
    assert_everywhere(fabs(logabs[0] - logabs[1]) <= 100 * precision && fabs(re[0] - re[1]) <= 100 * precision);
    assert_everywhere(fabs(pivot[0] - pivot[1]) <= 100 * precision * pivot[0] && fabs(rcond[0] - rcond[1]) <= 0.01 * rcond[0]);
    ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", precision), *B = new_rhs(A, 2), *X = new_rhs(A, 2);
    fill_rhs(B, &a.p);
    fill_rhs(X, &a.p);
    assert_everywhere((a.p.hermitian ? ompfact_potrs(F[1], X) : ompfact_getrs(F[1], X)) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_residual_solve(A, X, B, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio * U <= 10 * (precision + N * U), "%g", ratio);
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    ompfact_matrix_destroy(&A);
    ompfact_matrix_destroy(&F[1]);
    ompfact_matrix_destroy(&F[0]);
    ompfact_grid_destroy(&grid);
}
END_TEST

static void give_entry(void *context, int64_t i, int64_t j, void *value)
{
    const struct decaying *a = context;
    number x = entry(a, i, j);
    precision_of(a->p.type)->set(value, creal(x), cimag(x));
}

/* A plan that sees all elements of small tiles foretells a run in which none becomes double, to the byte. */
START_TEST(foretold)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1 });
    for (int k = 0; k < PRECISIONS; k++) {
        struct decaying a = decaying_of("dz"[_i % 2], _i / 2, N, 25);
        ompfact_job job = { .routine = a.p.hermitian ? "potrf" : "getrf", .ranks = all_ranks_count(),
                            .shape = shape_with(&a, "g2dbc", precisions[k]), .options = { .pivot = OMPFACT_PIVOT_NONE } };
        ompfact_plan *plan;
        ompfact_tile_precisions foretold, kept;
        char message[OMPFACT_MESSAGE];
        int64_t info;
        ck_assert_msg(ompfact_plan_create(&job, &plan, message) == OMPFACT_SUCCESS, "%s", message);
        int64_t most = ompfact_plan_forecast(plan)->memory_bytes_max;
        ck_assert_msg(ompfact_plan_precisions(plan, give_entry, &a, &foretold, message) == OMPFACT_SUCCESS, "%s", message);
        ompfact_matrix *A = new_decaying(grid, &a, "g2dbc", precisions[k]);
        assert_everywhere(factor(A, &a.p, &info) == OMPFACT_SUCCESS && info == 0);
        assert_everywhere(ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS);
        assert_everywhere_msg(foretold.double_tiles == kept.double_tiles && foretold.single_tiles == kept.single_tiles,
                              "to %g: %lld in single, not %lld", precisions[k], (long long)foretold.single_tiles,
                              (long long)kept.single_tiles);
        assert_everywhere(kept.widened > 0 || foretold.bytes == kept.bytes);
        assert_everywhere(kept.widened > 0 ||
                          ompfact_plan_forecast(plan)->transfer_bytes == ompfact_last_report(A).transfer_bytes);
        assert_everywhere(ompfact_plan_forecast(plan)->memory_bytes_max <= most);
        ompfact_matrix_destroy(&A);
        ompfact_plan_destroy(&plan);
    }
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- what it is not for ---------------------------------------------------------------------------------------------------- */

static void refused_shape(ompfact_grid *grid, ompfact_shape shape, const char *word)
{
    ompfact_matrix *A;
    ompfact_status status = ompfact_matrix_create(grid, &shape, &A);
    assert_everywhere_msg(status == OMPFACT_BAD_ARGUMENT && A == NULL && strstr(ompfact_message(grid), word) != NULL, "%d: %s",
                          status, ompfact_message(grid));
}

START_TEST(refused)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 1, .pivot = OMPFACT_PIVOT_TOURNAMENT });
    struct decaying a = decaying_of('d', 1, N, 25), general = decaying_of('d', 0, N, 25);
    ompfact_shape shape = shape_with(&a, "2dbc", 1e-3), other = shape;
    int64_t info;
    for (int k = 0; k < 3; k++) {
        other.tile_precision = (double[]){ 1, -0.5, NAN }[k];
        refused_shape(grid, other, "between 0 and 1");
    }
    other = shape;
    other.type = 's';
    refused_shape(grid, other, "types d and z");
    other = shape;
    other.accuracy = 1e-6;
    refused_shape(grid, other, "not both");
    other = shape;
    other.type = 'z';
    other.structure = OMPFACT_SYMMETRIC_LOWER;
    refused_shape(grid, other, "symmetric");

    ompfact_job job = { .routine = "potrf", .ranks = 2, .shape = shape_with(&a, "2dbc", 0) };
    ompfact_plan *plan;
    ompfact_tile_precisions none;
    char message[OMPFACT_MESSAGE];
    ck_assert(ompfact_plan_create(&job, &plan, message) == OMPFACT_SUCCESS);
    ck_assert(ompfact_plan_precisions(plan, give_entry, &a, &none, message) == OMPFACT_BAD_ARGUMENT);
    ck_assert(strstr(message, "tile_precision") != NULL);
    ompfact_plan_destroy(&plan);

    ompfact_matrix *A = new_decaying(grid, &a, "2dbc", 1e-3), *D, *G = new_decaying(grid, &general, "2dbc", 1e-3), *T;
    assert_everywhere(ompfact_getrf(G, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(strstr(ompfact_message(grid), "mixed precision") != NULL);
    assert_everywhere(ompfact_geqrf(G) == OMPFACT_BAD_ARGUMENT && ompfact_conj_transpose(G, &T) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_hetrf(A, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_potrf_partial(A, NB, &info) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_matrix_create_dense(A, &D) == OMPFACT_SUCCESS && ompfact_shape_of(D).tile_precision == 0);
    assert_everywhere(ompfact_redistribute(A, D) == OMPFACT_BAD_ARGUMENT && ompfact_redistribute(D, A) == OMPFACT_BAD_ARGUMENT);
    assert_everywhere(ompfact_potrf(A, &info) == OMPFACT_SUCCESS && ompfact_potri(A, &info) == OMPFACT_BAD_ARGUMENT);
    ompfact_matrix_destroy(&G);
    ompfact_matrix_destroy(&D);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
    grid = new_grid((ompfact_options){ .threads = 1, .abft = true });
    refused_shape(grid, shape, "tile_precision");
    ompfact_grid_destroy(&grid);
}
END_TEST

static Suite *mixed_tiles_suite(void)
{
    Suite *suite = suite_create("tiles of mixed precision");
    TCase *tests = tcase_create("tiles of mixed precision");
    add_turns(tests, right, 6, 5);
    add_turns(tests, filled_in, 2, 1);
    add_turns(tests, grown, 2, 1);
    add_turns(tests, scaled, 2, 2);
    add_turns(tests, as_ever, 6, 5);
    add_turns(tests, ways, 3, 2);
    add_turns(tests, resumed, 2, 1);
    add_turns(tests, failing, 3, 3);
    add_turns(tests, outgrown, 3, 2);
    add_turns(tests, solves, 6, 5);
    add_turns(tests, told, 6, 5);
    add_turns(tests, foretold, 6, 5);
    tcase_add_test(tests, refused);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, mixed_tiles_suite());
}
