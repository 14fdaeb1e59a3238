/* Hermitian and symmetric tiles factored with signs, A = G J G^H, in all four types and both triangles, compared with plain
   loops; and solves with G, also those that leave their result packed. No MPI. */
#include "omp/kernels/micro/packed.h"
#include "omp/kernels/signed_block.h"
#include "tests/omp/kernels/test_kernels.h"

static bool symmetric;      /* under test; ^H then means ^T */

static number mirrored(number a)
{
    return symmetric ? a : conj(a);
}

/* Entry (i,j) of such a matrix of order n. */
typedef number matrix_entry(int n, int i, int j);

static number random_entry(int n, int i, int j)
{
    (void)n;
    number a = i >= j ? random_number(precision->type, 7, i, j) : mirrored(random_number(precision->type, 7, j, i));
    return i == j && !symmetric ? creal(a) : a;
}

/* A matrix without a pivot of order 1 at first. */
static number without_diagonal(int n, int i, int j)
{
    return i == j ? 0 : random_entry(n, i, j);
}

/* ( 0 B^H ; B 0 ) */
static number two_blocks(int n, int i, int j)
{
    return (i < n / 2) == (j < n / 2) ? 0 : random_entry(n, i, j);
}

static number growing(int n, int i, int j)
{
    return random_entry(n, i, j) * (1 + i) * (1 + j) / n / n;
}

static number dominant(int n, int i, int j)
{
    return random_entry(n, i, j) + (i != j ? 0 : i % 3 == 0 ? -n : n);
}

/* 15 pivots of order 1, then pairs. The first pair is in the last column of one panel of 16 and the first column of the next. */
static number pairs_behind(int n, int i, int j)
{
    enum { SINGLE = 15 };
    return i >= SINGLE && j >= SINGLE ? without_diagonal(n, i, j) : random_entry(n, i, j) + (i == j ? n : 0);
}

/* Ones on the antidiagonal. */
static number exchange(int n, int i, int j)
{
    return i + j == n - 1;
}

static matrix_entry *const entries[] = { random_entry, without_diagonal, two_blocks, growing, dominant, pairs_behind, exchange };
enum { ENTRIES = sizeof entries / sizeof entries[0] };

/* Orders around the ends of panels and of strips. */
static const int orders[] = { 1, 2, 3, 7, 8, 9, 14, 15, 16, 17, 18, 19, 31, 32, 33, 34, 35, 36, 47, 48, 49, 65, 100, 130 };
enum { ORDERS = sizeof orders / sizeof orders[0] };

static bool is_singular(int n, matrix_entry *entry)
{
    return (entry == two_blocks && n % 2 != 0) || (entry == without_diagonal && n == 1) || (entry == pairs_behind && n == 16);
}

struct factored {
    ompfact_tile A, G;
    enum uplo uplo;
    struct signed_block *b;
};

static struct factored factor(int n, enum uplo uplo, matrix_entry *entry)
{
    struct factored f = { .A = new_tile(n, n, 1), .G = new_tile(n, n, 2), .uplo = uplo };
    f.b = malloc(signed_block_bytes(n, precision->size));
    for (int c = 0; c < n; c++)
        for (int r = 0; r < n; r++)
            set(&f.A, r, c, entry(n, r, c));
    hide_rest(&f.A, uplo, NON_UNIT);
    ck_assert_int_eq(signed_factor(precision, symmetric, uplo, n, f.A.data, f.A.ld, 0, f.b), 0);
    check_padding(&f.A);
    ck_assert_int_eq(signed_expand(precision, uplo, f.A.data, f.A.ld, f.b, f.G.data, f.G.ld), 0);
    return f;
}

static void destroy(struct factored *f)
{
    free(f->b);
    FREE(&f->A, &f->G);
}

/* Selects turn i of a test. Returns false for turns that need a complex type. */
static bool use_turn(int i)
{
    use_type("sdcz"[i % 4]);
    symmetric = i >= 4;
    return !symmetric || precision->flops_scale > 1;
}

static double sign_of(const struct signed_block *b, int j)
{
    return j < b->negative ? -1 : 1;
}

/* Rook pivoting keeps elements of L below 1 / (1 - alpha) < 3, and complex ones lower, because it compares |re| + |im|. The
   other triangle stays. */
static void check_factor(int n, enum uplo uplo, matrix_entry *entry)
{
    struct factored f = factor(n, uplo, entry);
    double most = precision->flops_scale > 1 ? 16 : 3;
    int wrong = 0;
    for (int c = 0; c < n; c++)
        for (int r = 0; r < n; r++) {
            number sum = 0;
            for (int i = 0; i < n; i++)
                sum += sign_of(f.b, i) * at(&f.G, r, i) * mirrored(at(&f.G, c, i));
            check_close(sum, entry(n, r, c), 30 * n + 30, "factor", r, c);
            bool stored = uplo == LOWER ? r > c : r < c;
            wrong += stored ? cabs(at(&f.A, r, c)) > most : r != c && !isnan(creal(at(&f.A, r, c)));
        }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(f.b->perturbed, 0);
    destroy(&f);
}

START_TEST(factors)
{
    if (!use_turn(_i))
        return;
    for (int s = 0; s < ORDERS; s++)
        for (int e = 0; e < ENTRIES; e++)
            for (int upper = 0; upper < 2; upper++)
                if (!is_singular(orders[s], entries[e]))
                    check_factor(orders[s], upper ? UPPER : LOWER, entries[e]);
}
END_TEST

/* A matrix of ones has rank 1: the other pivots are as large as the threshold, whatever is left of the elements. */
static number ones(int n, int i, int j)
{
    (void)n;
    (void)i;
    (void)j;
    return 1;
}

START_TEST(threshold)
{
    if (!use_turn(_i))
        return;
    for (int s = 0; s < SIZES; s++) {
        int n = sizes[s];
        struct factored f = factor(n, LOWER, ones);
        ck_assert_int_eq(f.b->negative, 0);
        for (int c = 0; c < n; c++)
            for (int r = 0; r < n; r++)
                set(&f.A, r, c, 1);
        ck_assert_int_eq(signed_factor(precision, symmetric, UPPER, n, f.A.data, f.A.ld, 0.25, f.b), 0);
        ck_assert_int_eq(f.b->perturbed, n - 1);
        ck_assert(f.b->largest == 1 && f.b->smallest == (n > 1 ? 0.25 : 1));
        destroy(&f);
    }
}
END_TEST

/* Rows and columns of zeros. */
enum { HOLE = 13, HOLE_END = 21, HOLES = HOLE_END - HOLE };

static bool in_hole(int i)
{
    return HOLE <= i && i < HOLE_END;
}

static number holed(int n, int i, int j)
{
    return in_hole(i) || in_hole(j) ? 0 : random_entry(n, i, j) + (i == j ? n : 0);
}

static number zero(int n, int i, int j)
{
    (void)n;
    (void)i;
    (void)j;
    return 0;
}

/* Zero pivots, all or some in the middle, become as large as the threshold. All other columns are factored as before. */
static void check_perturbed(int n, enum uplo uplo, matrix_entry *entry, int perturbed)
{
    const double threshold = 0.125;
    ompfact_tile A = new_tile(n, n, 1), G = new_tile(n, n, 2);
    struct signed_block *b = malloc(signed_block_bytes(n, precision->size));
    for (int c = 0; c < n; c++)
        for (int r = 0; r < n; r++)
            set(&A, r, c, entry(n, r, c));
    hide_rest(&A, uplo, NON_UNIT);
    ck_assert_int_eq(signed_factor(precision, symmetric, uplo, n, A.data, A.ld, threshold, b), 0);
    ck_assert_int_eq(signed_expand(precision, uplo, A.data, A.ld, b, G.data, G.ld), 0);
    ck_assert_int_eq(b->perturbed, perturbed);
    ck_assert(b->smallest == threshold);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < n; r++) {
            number sum = 0, more = r == c && (perturbed == n || in_hole(r)) ? threshold : 0;
            for (int i = 0; i < n; i++)
                sum += sign_of(b, i) * at(&G, r, i) * mirrored(at(&G, c, i));
            check_close(sum, entry(n, r, c) + more, 30 * n + 30, "perturbed", r, c);
        }
    free(b);
    FREE(&A, &G);
}

START_TEST(perturbed)
{
    if (!use_turn(_i))
        return;
    for (int s = 0; s < ORDERS; s++)
        for (int upper = 0; upper < 2; upper++) {
            check_perturbed(orders[s], upper ? UPPER : LOWER, zero, orders[s]);
            if (orders[s] > HOLE_END)
                check_perturbed(orders[s], upper ? UPPER : LOWER, holed, HOLES);
        }
}
END_TEST

/* G X = B, G^H X = B, X G^H = B */
static void check_solve(enum side side, enum trans trans, int n, int columns, enum uplo uplo, bool signs, matrix_entry *entry)
{
    struct factored f = factor(n, uplo, entry);
    int m = side == LEFT ? n : columns, width = side == LEFT ? columns : n;
    ompfact_tile B = new_tile(m, width, 3), X = copy_of(&B);
    ck_assert_int_eq(signed_solve(precision, side, uplo, trans, signs, m, width, f.A.data, f.A.ld, f.b, X.data, X.ld), 0);
    check_padding(&X);
    for (int c = 0; c < width; c++)
        for (int r = 0; r < m; r++) {
            number sum = 0;
            double size = 0;
            for (int i = 0; i < n; i++) {
                number g = trans == NO_TRANS ? at(&f.G, r, i) : mirrored(side == RIGHT ? at(&f.G, c, i) : at(&f.G, i, r));
                number x = (side == RIGHT ? at(&X, r, i) : at(&X, i, c)) * (signs ? sign_of(f.b, i) : 1);
                sum += g * x;
                size += cabs(g) * cabs(x);
            }
            check_close(sum, at(&B, r, c), (4 * n + 4) * (1 + size), "solve", r, c);
        }
    destroy(&f);
    FREE(&B, &X);
}

/* X = B G^-H J, or of B^H, packed in place and by columns. The results differ by roundings, in units of X. */
static void check_packed(int m, int n, bool left, enum uplo uplo, matrix_entry *entry)
{
    struct factored f = factor(n, uplo, entry);
    ompfact_tile B = left ? new_tile(n, m, 3) : new_tile(m, n, 3), X = copy_of(&B), Y = copy_of(&B);
    enum trans trans = left ? NO_TRANS : CONJ_TRANS;
    signed_solve(precision, left ? LEFT : RIGHT, uplo, trans, true, B.mb, B.nb, f.A.data, f.A.ld, f.b, X.data, X.ld);
    char *P = malloc((size_t)m * (size_t)n * precision->size);
    for (int c = 0; c < B.nb; c++)
        memcpy(P + (size_t)(c * B.mb) * precision->size, (char *)B.data + (size_t)(c * B.ld) * precision->size,
               (size_t)B.mb * precision->size);
    int code = signed_solve_packed(precision, left ? LEFT : RIGHT, uplo, B.mb, B.nb, f.A.data, f.A.ld, f.b, P, B.mb);
    ck_assert_int_eq(code, 0);
    packed_kernels_of(precision->type)->unpack(m, n, P, view_of_op(left ? signed_adjoint(f.b) : NO_TRANS, Y.data, Y.ld));
    double largest = 1;
    for (int c = 0; c < B.nb; c++)
        for (int r = 0; r < B.mb; r++)
            largest = fmax(largest, cabs(at(&X, r, c)));
    for (int c = 0; c < B.nb; c++)
        for (int r = 0; r < B.mb; r++)
            check_close(at(&Y, r, c) / largest, at(&X, r, c) / largest, 60 * n + 60, "packed solve", r, c);
    destroy(&f);
    free(P);
    FREE(&B, &X, &Y);
}

START_TEST(solves)
{
    if (!use_turn(_i))
        return;
    matrix_entry *const some[] = { dominant, two_blocks };      /* their factors are small */
    for (int s = 0; s < SIZES; s += in_full_tier() ? 1 : 2)
        for (int upper = 0; upper < 2; upper++) {
            int n = sizes[s], other = sizes[(s * 3 + 1) % SIZES];
            enum uplo uplo = upper ? UPPER : LOWER;
            matrix_entry *entry = some[n % 2 == 0];
            check_solve(LEFT, NO_TRANS, n, other, uplo, false, entry);
            check_solve(LEFT, NO_TRANS, n, other, uplo, true, entry);
            check_solve(LEFT, CONJ_TRANS, n, other, uplo, false, entry);
            check_solve(RIGHT, CONJ_TRANS, n, other, uplo, true, entry);
            check_packed(other, n, false, uplo, entry);
            check_packed(other, n, true, uplo, entry);
        }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { factors, threshold, perturbed, solves };
    Suite *suite = suite_create("signed tiles");
    TCase *tcase = tcase_create("signed tiles");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        add_turns(tcase, tests[i], 8, 3);
    suite_add_tcase(suite, tcase);
    blas_select_kernels();
    return run_serial_suite(suite);
}
