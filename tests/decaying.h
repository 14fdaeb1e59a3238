/*
 * Matrices whose tiles are in double or in single (ompfact_shape.tile_precision, EPS), or in bfloat16 (bf16_tiles), for a problem
 * whose elements decay with the distance from the diagonal: created, filled, gathered and checked. A tile (i,j), i != j, is in
 * single where
 *
 *     2^-24 ||A_ij||_F <= EPS ||A||_F / nt
 *
 * and in bfloat16 where this holds for 2^-8. The test computes this again from the entries, and checks the digits of the stored
 * numbers. Factors are right if in each tile
 *
 *     || (A - L L^H)_ij ||_F <= 9.01 EPS ||A||_F / nt + n u ||A||_F      (U^H U, L U)
 *
 * with the unit roundoff u of double, and solutions if ||b - A x||_2 <= 10 (EPS + n u) ||A||_F ||x||_2.
 */
#ifndef OMPFACT_TESTS_DECAYING_H
#define OMPFACT_TESTS_DECAYING_H

#include "src/matrix/matrix.h"
#include "tests/factoring.h"

enum { NB = 16, N = 6 * NB + 5, NT = 7 };
static const double U = 0x1p-53, U_SINGLE = 0x1p-24, U_BF16 = 0x1p-8;

/* ---- decaying matrices ----------------------------------------------------------------------------------------------------- */

struct decaying {
    struct problem p;           /* `fails`: that element of the diagonal is -1; for LU, that row is 0 up to the diagonal */
    double rate, scale;         /* the decay over all columns; a factor of all elements */
    bool filled_in;             /* all off-diagonal tiles but the first columns and rows are zero at first */
    bool bf16;                  /* tiles may be in bfloat16 */
    bool alike;                 /* no random numbers: columns of an off-diagonal tile are equal except for the decay */
    bool alternating;           /* with alike: signs alternate with the larger index, so that A B^H and A B differ much */
    enum { NO_GROWTH, LEFT_GROWS, RIGHT_GROWS } grows;      /* for LU: X of X U_00 = A_i0, or of L_00 X = A_0j */
    int64_t not_finite;         /* index i + j m of a NaN, from 1; 0: none */
};

static inline struct decaying decaying_of(char type, int structure, int64_t n, double rate)
{
    return (struct decaying){ .p = { .type = type, .hermitian = structure > 0, .upper = structure == 2, .m = n, .n = n,
                                     .seed = 5 },
                              .rate = rate, .scale = 1 };
}

/* Turns: real and complex numbers, three structures, two precisions and then three. */
enum { TURNS = 12 };
static inline struct decaying decaying_turn(int turn, int64_t n, double rate)
{
    struct decaying a = decaying_of("dz"[turn % 2], turn / 2 % 3, n, rate);
    a.bf16 = turn >= TURNS / 2;
    return a;
}

static inline number entry(const struct decaying *a, int64_t i, int64_t j)
{
    const struct problem *p = &a->p;
    int64_t low = i > j ? i : j, high = i > j ? j : i;
    number value = p->hermitian ? random_number(p->type, p->seed, low, high) : random_number(p->type, p->seed, i, j);
    if (a->alike)
        value = a->alternating && low % 2 == 1 ? -0.9 : 0.9;
    if (i + j * p->m + 1 == a->not_finite)
        return NAN;
    if (row_fails(p, i) && (p->hermitian ? i == j : j <= i))
        return p->hermitian ? -1 : 0;
    if (a->grows != NO_GROWTH && high < NB) {       /* a triangle with a large inverse, and tiles on one side of it */
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

/* Fills unused elements with NaNs. */
static inline void fill_decaying(void *context, const ompfact_tile *t)
{
    const struct decaying *a = context;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            put(t, a->p.type, r, c, is_beyond(&a->p, t->row + r, t->col + c) ? NAN : entry(a, t->row + r, t->col + c));
}

static inline ompfact_shape shape_with(const struct decaying *a, const char *layout, double precision)
{
    ompfact_shape shape = shape_of(&a->p, NB, layout);
    shape.tile_precision = precision;
    shape.bf16_tiles = a->bf16;
    return shape;
}

static inline ompfact_matrix *new_decaying(ompfact_grid *grid, const struct decaying *a, const char *layout, double precision)
{
    ompfact_shape shape = shape_with(a, layout, precision);
    ompfact_matrix *A = new_matrix(grid, &shape);
    assert_everywhere_msg(ompfact_fill_tiles(A, fill_decaying, (void *)a) == OMPFACT_SUCCESS, "%s", ompfact_message(grid));
    return A;
}

/* ---- computed again from entries ------------------------------------------------------------------------------------------- */

static inline bool is_stored(const struct problem *p, int i, int j)
{
    return !p->hermitian || (p->upper ? i <= j : i >= j);
}

static inline double square_of(number x)
{
    return creal(x) * creal(x) + cimag(x) * cimag(x);
}

/* Norms of the tiles, and of the whole matrix, in units of the scale. */
struct norms {
    double tile[NT][NT], all;
};

static inline struct norms norms_of(const struct decaying *a)
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

static inline bool follows_rule(const struct norms *norms, int nt, double precision, int i, int j)
{
    return i != j && U_SINGLE * norms->tile[i][j] <= precision * norms->all / nt;
}

static inline enum tile_precision by_rule(const struct decaying *a, const struct norms *norms, int nt, double precision, int i,
                                          int j)
{
    bool bf16 = a->bf16 && U_BF16 * norms->tile[i][j] <= precision * norms->all / nt;
    return !follows_rule(norms, nt, precision, i, j) ? IN_DOUBLE : bf16 ? IN_BF16 : IN_SINGLE;
}

/* [i][j]: enum tile_precision, IN_DOUBLE where the tile is not stored. The same on all ranks. */
static inline void map_of(ompfact_matrix *A, int map[NT][NT])
{
    memset(map, 0, sizeof(int[NT][NT]));
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);)
        map[i][j] = (int)kept_precision(A, i, j);
    reduce(map, NT * NT, MPI_INT, MPI_MAX);
}

/* The narrowest precision that represents both parts of x. */
static inline enum tile_precision precision_for(number x)
{
    float parts[2] = { (float)creal(x), (float)cimag(x) };
    uint32_t bits[2];
    memcpy(bits, parts, sizeof bits);
    if (parts[0] != creal(x) || parts[1] != cimag(x))
        return IN_DOUBLE;
    return ((bits[0] | bits[1]) & 0xffff) != 0 ? IN_SINGLE : IN_BF16;
}

/* The stored numbers agree with the map: those of tiles in single, and no others, have 24 bits, those in bfloat16 8. */
static inline bool digits_are(ompfact_matrix *A, const struct problem *p)
{
    bool right = true;
    double room[2 * NB * NB];
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t, got;
        enum tile_precision found = IN_BF16, kept = kept_precision(A, i, j);
        bool zeros = true, mine = ompfact_tile_get(A, i, j, &got) == OMPFACT_SUCCESS;
        right &= ompfact_tile_read(A, i, j, room, &t) == OMPFACT_SUCCESS && ompfact_tile_rank(A, i, j) == -1;
        for (int c = 0; c < t.nb; c++)
            for (int r = 0; r < t.mb; r++) {
                number x = get(&t, p->type, r, c);
                found = precision_for(x) < found ? precision_for(x) : found;
                zeros &= x == 0;
            }
        right &= zeros || i == j || found == kept;
        right &= mine == (kept == IN_DOUBLE);
    }
    return right;
}

/* The number of ranks that read tile (i,j) in a factorization and do not own it, from the textbook loops. */
static inline int count_readers(const ompfact_matrix *A, const struct problem *p, int i, int j)
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

static inline int64_t bytes_of(const struct problem *p, enum tile_precision precision, int i, int j)
{
    int64_t m = i < (p->m - 1) / NB ? NB : p->m - i * NB, n = j < (p->n - 1) / NB ? NB : p->n - j * NB;
    return m * n * (int64_t)precision_of(p->type)->size >> precision;
}

/* ---- checks of one matrix -------------------------------------------------------------------------------------------------- */

/* Gathers A on every rank, in double; a Hermitian one as its triangle and zeros. Collective. */
static inline number *gather_mixed(ompfact_matrix *A, const struct problem *p)
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

/* The largest norm of a tile of A - F, or of A minus the product of the factors F, relative to its bound. Collective. */
static inline double worst_tile(const struct decaying *a, const struct norms *norms, const number *F, bool factors,
                                double precision)
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

/* Checks the filled matrix; `before` gets its map. */
static inline void check_filled(ompfact_matrix *A, const struct decaying *a, double precision, int before[NT][NT])
{
    const struct problem *p = &a->p;
    struct norms norms = norms_of(a);
    int64_t wanted[3] = { 0 };
    ompfact_tile_precisions kept;
    map_of(A, before);
    for (int i = 0; i < ompfact_tile_rows(A); i++)
        for (int j = 0; j < ompfact_tile_cols(A); j++)
            if (is_stored(p, i, j)) {
                assert_everywhere_msg(before[i][j] == (int)by_rule(a, &norms, ompfact_tile_cols(A), precision, i, j),
                                      "tile (%d,%d), to %g", i, j, precision);
                wanted[before[i][j]]++;
            }
    assert_everywhere(ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS && kept.widened == 0 &&
                      kept.double_tiles == wanted[0] && kept.single_tiles == wanted[1] && kept.bf16_tiles == wanted[2]);
    number *F = gather_mixed(A, p);
    double worst = worst_tile(a, &norms, F, false, precision);
    free(F);
    assert_everywhere_msg(worst <= 1 && digits_are(A, p), "to %g: the error of the fill is %g times its bound", precision, worst);
}

/* Checks the factors of a complete run, or of one that has continued from a checkpoint. */
static inline void check_factors(ompfact_matrix *A, const struct decaying *a, double precision, int before[NT][NT], bool whole)
{
    const struct problem *p = &a->p;
    struct norms norms = norms_of(a);
    int after[NT][NT];
    int64_t widened = 0, filled[3] = { 0 }, bytes = 0, travelled = 0;
    ompfact_tile_precisions kept;
    map_of(A, after);
    for (int i = 0; i < ompfact_tile_rows(A); i++)
        for (int j = 0; j < ompfact_tile_cols(A); j++)
            if (is_stored(p, i, j)) {
                assert_everywhere(after[i][j] <= before[i][j]);
                filled[before[i][j]]++;
                widened += before[i][j] > after[i][j];
                bytes += bytes_of(p, (enum tile_precision)after[i][j], i, j);
                travelled += count_readers(A, p, i, j) * bytes_of(p, (enum tile_precision)after[i][j], i, j);
            }
    assert_everywhere(ompfact_count_precisions(A, &kept) == OMPFACT_SUCCESS && digits_are(A, p));
    assert_everywhere_msg(kept.single_tiles == filled[IN_SINGLE] && kept.bf16_tiles == filled[IN_BF16] &&
                          kept.widened == widened && kept.bytes == bytes,
                          "%lld widened, %lld bytes", (long long)kept.widened, (long long)kept.bytes);
    ompfact_report report = ompfact_last_report(A);
    int64_t transfers = transfers_of(A, p, p->hermitian);
    assert_everywhere(!whole || (report.transfers == transfers && report.transfers_predicted == transfers));
    assert_everywhere_msg(!whole || report.transfer_bytes == travelled, "%lld bytes, by the tiles %lld",
                          (long long)report.transfer_bytes, (long long)travelled);
    number *F = gather_mixed(A, p);
    double worst = worst_tile(a, &norms, F, true, precision);
    free(F);
    assert_everywhere_msg(worst <= 1, "%c%s, n = %lld, %s, to %g: the error is %g times its bound", p->type,
                          p->hermitian ? p->upper ? ", upper" : ", lower" : "", (long long)p->n, ompfact_layout(A), precision,
                          worst);
}

static inline void factor_and_check(ompfact_matrix *A, const struct decaying *a, double precision)
{
    int before[NT][NT];
    int64_t info = -1;
    check_filled(A, a, precision, before);
    assert_everywhere_msg(factor(A, &a->p, &info) == OMPFACT_SUCCESS && info == 0, "info %lld: %s", (long long)info,
                          ompfact_message(A->grid));
    check_factors(A, a, precision, before, true);
}

/* Creates, factors and checks a new matrix. */
static inline void factor_decaying(ompfact_grid *grid, const struct decaying *a, const char *layout, double precision)
{
    ompfact_matrix *A = new_decaying(grid, a, layout, precision);
    factor_and_check(A, a, precision);
    ompfact_matrix_destroy(&A);
}

/* If there is no memory for a tile that needs a wider precision, all ranks end with a message that names the tile. A new run
   works. */
static inline void check_outgrown(const struct decaying *a, double precision)
{
    ompfact_grid *grid = new_grid((ompfact_options){ .threads = 2, .pivot = OMPFACT_PIVOT_NONE });
    ompfact_matrix *A = new_decaying(grid, a, "g2dbc", precision);
    int64_t info;
    atomic_store(&A->compressed->left, 0);
    ompfact_status status = factor(A, &a->p, &info);
    bool named = strstr(ompfact_message(grid), "no memory for tile (") != NULL;
    assert_everywhere_msg(status == OMPFACT_OUT_OF_MEMORY && named, "%d: %s", status, ompfact_message(grid));
    assert_everywhere(ompfact_fill_tiles(A, fill_decaying, (void *)a) == OMPFACT_SUCCESS);
    factor_and_check(A, a, precision);
    ompfact_matrix_destroy(&A);
    ompfact_grid_destroy(&grid);
}

static inline void check_refused_shape(ompfact_grid *grid, ompfact_shape shape, const char *word)
{
    ompfact_matrix *A;
    ompfact_status status = ompfact_matrix_create(grid, &shape, &A);
    assert_everywhere_msg(status == OMPFACT_BAD_ARGUMENT && A == NULL && strstr(ompfact_message(grid), word) != NULL, "%d: %s",
                          status, ompfact_message(grid));
}

/* The largest ||b - op(A) x||_2 / (||A||_F ||x||_2) of all columns. Collective. */
static inline double residual_of(const struct decaying *a, ompfact_matrix *B, bool conj_trans)
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

static const double precisions[] = { 1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13 };
enum { PRECISIONS = sizeof precisions / sizeof precisions[0] };

#endif
