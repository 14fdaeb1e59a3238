/*
 * Products and triangular solves of tiles against naive loops in double precision, for all four types, in sizes around those
 * where the kernels change their algorithm. What a kernel must not read is NaN, and the padding between columns must stay
 * unchanged. No MPI.
 */
#include "tests/omp/kernels/test_kernels.h"

/* C += alpha op(A) op(B). */
START_TEST(gemm)
{
    use_type("sdcz"[_i]);
    static const int shape[][3] = { { 1, 1, 1 },    { 17, 2, 33 },    { 48, 49, 15 },   { 100, 7, 130 },
                                    { 1, 130, 16 }, { 130, 1, 65 },   { 35, 128, 128 }, { 70, 11, 21 },
                                    { 3, 6, 1200 }, { 128, 5, 1025 }, { 9, 128, 514 },  { 129, 4, 70 } };
    for (int s = 0; s < (int)(sizeof shape / sizeof *shape); s++)
        for (int variant = 0; variant < 8; variant++) {
            int m = shape[s][0], n = shape[s][1], inner = shape[s][2];
            enum trans ta = variant & 1 ? CONJ_TRANS : NO_TRANS, tb = variant & 2 ? CONJ_TRANS : NO_TRANS;
            double alpha = variant & 4 ? 1 : -1;
            ompfact_tile A = ta == NO_TRANS ? new_tile(m, inner, 1) : new_tile(inner, m, 1);
            ompfact_tile B = tb == NO_TRANS ? new_tile(inner, n, 2) : new_tile(n, inner, 2);
            ompfact_tile C = new_tile(m, n, 3), old = copy_of(&C);
            k->gemm(ta, tb, m, n, inner, alpha, A.data, A.ld, B.data, B.ld, C.data, C.ld);
            for (int c = 0; c < n; c++)
                for (int r = 0; r < m; r++) {
                    number sum = at(&old, r, c);
                    for (int i = 0; i < inner; i++)
                        sum += alpha * factor_at(&A, GENERAL, NON_UNIT, ta, r, i) * factor_at(&B, GENERAL, NON_UNIT, tb, i, c);
                    check_close(at(&C, r, c), sum, inner + 2, "gemm", r, c);
                }
            check_padding(&C);
            FREE(&A, &B, &C, &old);
        }
}
END_TEST

/* C += alpha op(A) op(A)^H on one triangle. Elements beyond the triangle are neither read nor written. */
START_TEST(herk)
{
    use_type("sdcz"[_i]);
    for (int variant = 0; variant < 4 * SIZES; variant++) {
        enum uplo uplo = variant & 1 ? LOWER : UPPER;
        enum trans trans = variant & 2 ? NO_TRANS : CONJ_TRANS;
        double alpha = variant % 3 == 0 ? 2 : -1;
        int n = sizes[variant / 4], inner = sizes[(variant / 4 + 3) % SIZES];
        ompfact_tile A = trans == NO_TRANS ? new_tile(n, inner, 1) : new_tile(inner, n, 1), C = new_tile(n, n, 2),
                     old = copy_of(&C);
        for (int i = 0; i < n; i++)
            set(&C, i, i, creal(at(&C, i, i)));
        hide_rest(&C, uplo, NON_UNIT);
        k->herk(uplo, trans, n, inner, alpha, A.data, A.ld, C.data, C.ld);
        for (int c = 0; c < n; c++)
            for (int r = 0; r < n; r++) {
                number sum = r == c ? creal(at(&old, r, c)) : at(&old, r, c);
                for (int i = 0; i < inner; i++)
                    sum += alpha * factor_at(&A, GENERAL, NON_UNIT, trans, r, i) *
                           conj(factor_at(&A, GENERAL, NON_UNIT, trans, c, i));
                if (uplo == LOWER ? r < c : r > c)
                    ck_assert(isnan(creal(at(&C, r, c))));
                else
                    check_close(at(&C, r, c), sum, 4 * fabs(alpha) * (inner + 2), "herk", r, c);  /* the terms have one sign */
            }
        check_padding(&C);
        FREE(&A, &C, &old);
    }
}
END_TEST

/* C += alpha A B, A Hermitian. Elements beyond the triangle of A are not read. */
START_TEST(hemm)
{
    use_type("sdcz"[_i]);
    for (int variant = 0; variant < 2 * SIZES; variant++) {
        bool lower = variant % 2;
        int s = variant / 2, m = sizes[s], n = s % 3 == 0 ? 1 : sizes[(s + 5) % SIZES];
        double alpha = s % 2 ? 1 : -1;
        ompfact_tile A = new_tile(m, m, 1), B = new_tile(m, n, 2), C = new_tile(m, n, 3), old = copy_of(&C);
        for (int i = 0; i < m; i++)
            set(&A, i, i, creal(at(&A, i, i)));
        hide_rest(&A, lower ? LOWER : UPPER, NON_UNIT);
        k->hemm(lower ? LOWER : UPPER, m, n, alpha, A.data, A.ld, B.data, B.ld, C.data, C.ld);
        for (int c = 0; c < n; c++)
            for (int r = 0; r < m; r++) {
                number sum = at(&old, r, c);
                for (int i = 0; i < m; i++)
                    sum += alpha * ((lower ? r >= i : r <= i) ? at(&A, r, i) : conj(at(&A, i, r))) * at(&B, i, c);
                check_close(at(&C, r, c), sum, m + 2, "hemm", r, c);
            }
        check_padding(&C);
        FREE(&A, &B, &C, &old);
    }
}
END_TEST

/* Makes a triangle well conditioned. Up to three elements of its diagonal are zero: the last, the first and a middle one. */
static void prepare_triangle(const ompfact_tile *A, int zeros)
{
    int n = A->nb;
    for (int c = 0; c < n; c++)
        for (int r = 0; r < n; r++)
            set(A, r, c, r == c ? 2 + at(A, r, c) / 2 : at(A, r, c) / n);
    for (int z = 0; z < zeros; z++) {
        int i = z == 0 ? n - 1 : z == 1 ? 0 : n / 2;
        set(A, i, i, 0);
    }
}

/* Solves one system and multiplies back: op(A) X or X op(A) is B. With NON_ZERO a zero on the diagonal counts as one. */
static void check_trsm(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int order, int other, int zeros)
{
    int m = side == LEFT ? order : other, n = side == LEFT ? other : order;
    ompfact_tile A = new_tile(order, order, 1), X = new_tile(m, n, 2), B = copy_of(&X);
    prepare_triangle(&A, zeros);
    hide_rest(&A, uplo, diag);
    ompfact_tile before = copy_of(&A);
    k->trsm(side, uplo, trans, diag, m, n, A.data, A.ld, X.data, X.ld);
    ck_assert_mem_eq(A.data, before.data, (size_t)A.ld * (size_t)order * precision->size);
    for (int i = 0; i < order; i++)
        if (diag == NON_ZERO && at(&A, i, i) == 0)
            set(&A, i, i, 1);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++) {
            number sum = 0;
            for (int i = 0; i < order; i++)
                sum += side == LEFT ? factor_at(&A, uplo, diag, trans, r, i) * at(&X, i, c)
                                    : at(&X, r, i) * factor_at(&A, uplo, diag, trans, i, c);
            check_close(sum, at(&B, r, c), 10 + order / 10.0, "trsm", r, c);
        }
    check_padding(&X);
    FREE(&A, &X, &B, &before);
}

/* All sides, triangles, forms and diagonals. */
START_TEST(trsm)
{
    use_type("sdcz"[_i]);
    for (int variant = 0; variant < 24; variant++)
        for (int s = 0; s < SIZES; s++)
            check_trsm(variant & 1 ? LEFT : RIGHT, variant & 2 ? LOWER : UPPER,
                       variant >= 16 ? TRANS : variant & 4 ? NO_TRANS : CONJ_TRANS,
                       variant & 8 || variant >= 20 ? UNIT : NON_UNIT, sizes[s], s % 2 ? 7 : 1, 0);
}
END_TEST

/* Triangles that are solved in halves, and more than one strip of right-hand sides. */
START_TEST(trsm_large)
{
    use_type("sdcz"[_i]);
    for (int variant = 0; variant < 16; variant++)
        check_trsm(variant & 1 ? LEFT : RIGHT, variant & 2 ? LOWER : UPPER, variant & 4 ? NO_TRANS : CONJ_TRANS,
                   variant % 2 ? NON_ZERO : NON_UNIT, 270 + variant, variant & 8 ? 1 : 35, variant % 2);
}
END_TEST

/* The same with transposes, which are packed as a whole or in halves. */
START_TEST(trsm_large_transposed)
{
    use_type("sdcz"[_i]);
    for (int variant = 0; variant < 8; variant++)
        check_trsm(variant & 1 ? LEFT : RIGHT, variant & 2 ? LOWER : UPPER, TRANS, variant % 2 ? UNIT : NON_UNIT,
                   variant & 4 ? 90 : 270, variant & 4 ? 64 : 35, 0);
}
END_TEST

/* If the reciprocal of a pivot overflows, the kernel divides by the pivot. */
START_TEST(trsm_tiny_pivots)
{
    use_type("sdcz"[_i]);
    double tiny = precision->type == 's' || precision->type == 'c' ? 0x1p-140 : 0x1p-1060;
    for (int variant = 0; variant < 8; variant++) {
        enum side side = variant & 1 ? LEFT : RIGHT;
        ompfact_tile A = new_tile(17, 17, 1), B = new_tile(side == LEFT ? 17 : 3, side == LEFT ? 3 : 17, 2);
        for (int c = 0; c < 17; c++)
            for (int r = 0; r < 17; r++)
                set(&A, r, c, r == c ? tiny : 0);
        for (int c = 0; c < B.nb; c++)
            for (int r = 0; r < B.mb; r++)
                set(&B, r, c, (r + 1) * tiny);
        k->trsm(side, variant & 2 ? LOWER : UPPER, variant & 4 ? NO_TRANS : CONJ_TRANS, NON_UNIT, B.mb, B.nb, A.data, A.ld,
                B.data, B.ld);
        for (int c = 0; c < B.nb; c++)
            for (int r = 0; r < B.mb; r++)
                check_close(at(&B, r, c), r + 1, 17, "trsm", r, c);
        FREE(&A, &B);
    }
}
END_TEST

/* Zeros on the diagonal count as ones, because getrf leaves a column with a zero pivot unchanged. */
START_TEST(trsm_zero_pivots)
{
    use_type("sdcz"[_i]);
    for (int variant = 0; variant < 8; variant++)
        for (int s = 0; s < SIZES; s++)
            for (int zeros = 1; zeros <= 3; zeros += 2)
                check_trsm(variant & 1 ? LEFT : RIGHT, variant & 2 ? LOWER : UPPER, variant & 4 ? NO_TRANS : CONJ_TRANS, NON_ZERO,
                           sizes[s], 5, zeros);
}
END_TEST

/* With NON_UNIT the kernel divides by a zero on the diagonal: earlier unknowns are finite, and all others are not. */
START_TEST(trsm_divides_by_zero)
{
    static const int orders[] = { 1, 5, 17, 40, 130 }, others[] = { 1, 6, 64 };
    use_type("sdcz"[_i]);
    for (int variant = 0; variant < 8 * 15; variant++) {
        enum side side = variant & 1 ? LEFT : RIGHT;
        enum uplo uplo = variant & 2 ? LOWER : UPPER;
        enum trans trans = variant & 4 ? NO_TRANS : CONJ_TRANS;
        int order = orders[variant / 8 % 5], other = others[variant / 40], zero = order / 2;
        bool forward = ((uplo == LOWER) == (trans == NO_TRANS)) == (side == LEFT);
        ompfact_tile A = new_tile(order, order, 1), X = new_tile(side == LEFT ? order : other, side == LEFT ? other : order, 2);
        prepare_triangle(&A, 0);
        hide_rest(&A, uplo, NON_UNIT);
        set(&A, zero, zero, 0);
        k->trsm(side, uplo, trans, NON_UNIT, X.mb, X.nb, A.data, A.ld, X.data, X.ld);
        for (int c = 0; c < X.nb; c++)
            for (int r = 0; r < X.mb; r++) {
                int i = side == LEFT ? r : c;
                number x = at(&X, r, c);
                ck_assert_int_eq(forward ? i < zero : i > zero, isfinite(creal(x)) && isfinite(cimag(x)));
            }
        check_padding(&X);
        FREE(&A, &X);
    }
}
END_TEST

/* C += alpha op(A) op(B), each factor triangular or general. */
START_TEST(product)
{
    use_type("sdcz"[_i]);
    static const enum uplo parts[] = { GENERAL, LOWER, UPPER };
    static const int shape[][3] = { { 17, 15, 16 }, { 33, 33, 33 }, { 2, 49, 1 } };
    for (int variant = 0; variant < 3 * 3 * 4 * 4; variant++) {
        const int *d = shape[variant % 3];
        enum uplo pa = parts[variant % 3], pb = parts[variant / 3 % 3];
        enum diag da = variant / 9 & 1 ? UNIT : NON_UNIT, db = variant / 9 & 2 ? UNIT : NON_UNIT;
        enum trans ta = variant / 36 & 1 ? CONJ_TRANS : NO_TRANS, tb = variant / 36 & 2 ? CONJ_TRANS : NO_TRANS;
        double alpha = variant % 2 ? 1 : -1;
        ompfact_tile A = ta == NO_TRANS ? new_tile(d[0], d[2], 1) : new_tile(d[2], d[0], 1);
        ompfact_tile B = tb == NO_TRANS ? new_tile(d[2], d[1], 2) : new_tile(d[1], d[2], 2);
        ompfact_tile C = new_tile(d[0], d[1], 3), old = copy_of(&C);
        hide_rest(&A, pa, da);
        hide_rest(&B, pb, db);
        struct multiplicand a = { .data = A.data, .ld = A.ld, .part = pa, .diag = da, .trans = ta };
        struct multiplicand b = { .data = B.data, .ld = B.ld, .part = pb, .diag = db, .trans = tb };
        ck_assert_int_eq(k->product(d[0], d[1], d[2], alpha, a, b, C.data, C.ld), 0);
        for (int c = 0; c < d[1]; c++)
            for (int r = 0; r < d[0]; r++) {
                number sum = at(&old, r, c);
                for (int i = 0; i < d[2]; i++)
                    sum += alpha * factor_at(&A, pa, da, ta, r, i) * factor_at(&B, pb, db, tb, i, c);
                check_close(at(&C, r, c), sum, d[2] + 2, "product", r, c);
            }
        FREE(&A, &B, &C, &old);
    }
}
END_TEST

/* B := alpha op(A) B or alpha B op(A). */
START_TEST(trmm)
{
    use_type("sdcz"[_i]);
    for (int variant = 0; variant < 32; variant++) {
        enum side side = variant & 1 ? LEFT : RIGHT;
        enum uplo uplo = variant & 2 ? LOWER : UPPER;
        enum trans trans = variant & 4 ? NO_TRANS : CONJ_TRANS;
        enum diag diag = variant & 8 ? UNIT : NON_UNIT;
        double alpha = variant & 16 ? -1 : 1;
        int m = 33, n = 17, order = side == LEFT ? m : n;
        ompfact_tile A = new_tile(order, order, 1), B = new_tile(m, n, 2), old = copy_of(&B);
        hide_rest(&A, uplo, diag);
        k->trmm(side, uplo, trans, diag, m, n, alpha, A.data, A.ld, B.data, B.ld);
        for (int c = 0; c < n; c++)
            for (int r = 0; r < m; r++) {
                number sum = 0;
                for (int i = 0; i < order; i++)
                    sum += side == LEFT ? factor_at(&A, uplo, diag, trans, r, i) * at(&old, i, c)
                                        : at(&old, r, i) * factor_at(&A, uplo, diag, trans, i, c);
                check_close(at(&B, r, c), alpha * sum, order + 2, "trmm", r, c);
            }
        check_padding(&B);
        FREE(&A, &B, &old);
    }
}
END_TEST

/* Without conjugates: C += alpha op(A) op(A)^T on one triangle. */
START_TEST(syrk)
{
    use_type("sdcz"[_i]);
    for (int variant = 0; variant < 4 * SIZES; variant++) {
        enum uplo uplo = variant & 1 ? LOWER : UPPER;
        enum trans trans = variant & 2 ? NO_TRANS : TRANS;
        int n = sizes[variant / 4], inner = sizes[(variant / 4 + 3) % SIZES];
        ompfact_tile A = trans == NO_TRANS ? new_tile(n, inner, 1) : new_tile(inner, n, 1), C = new_tile(n, n, 2),
                     old = copy_of(&C);
        hide_rest(&C, uplo, NON_UNIT);
        k->syrk(uplo, trans, n, inner, -1, A.data, A.ld, C.data, C.ld);
        for (int c = 0; c < n; c++)
            for (int r = uplo == LOWER ? c : 0; r < (uplo == LOWER ? n : c + 1); r++) {
                number sum = at(&old, r, c);
                for (int i = 0; i < inner; i++)
                    sum -= factor_at(&A, GENERAL, NON_UNIT, trans, r, i) * factor_at(&A, GENERAL, NON_UNIT, trans, c, i);
                check_close(at(&C, r, c), sum, 4 * (inner + 2), "syrk", r, c);
            }
        check_padding(&C);
        FREE(&A, &C, &old);
    }
}
END_TEST

/* C += alpha A B by one triangle of a symmetric A. */
START_TEST(symm)
{
    use_type("sdcz"[_i]);
    for (int variant = 0; variant < 2 * SIZES; variant++) {
        bool lower = variant % 2;
        int s = variant / 2, m = sizes[s], n = s % 3 == 0 ? 1 : sizes[(s + 5) % SIZES];
        ompfact_tile A = new_tile(m, m, 1), B = new_tile(m, n, 2), C = new_tile(m, n, 3), old = copy_of(&C);
        hide_rest(&A, lower ? LOWER : UPPER, NON_UNIT);
        precision->host->symm(lower ? LOWER : UPPER, m, n, -1, A.data, A.ld, B.data, B.ld, C.data, C.ld);
        for (int c = 0; c < n; c++)
            for (int r = 0; r < m; r++) {
                number sum = at(&old, r, c);
                for (int i = 0; i < m; i++)
                    sum -= ((lower ? r >= i : r <= i) ? at(&A, r, i) : at(&A, i, r)) * at(&B, i, c);
                check_close(at(&C, r, c), sum, m + 2, "symm", r, c);
            }
        check_padding(&C);
        FREE(&A, &B, &C, &old);
    }
}
END_TEST

/* Transposed factors, small and large, and with one column. */
START_TEST(gemm_transposed)
{
    use_type("sdcz"[_i]);
    for (int variant = 0; variant < 3 * SIZES; variant++) {
        int s = variant / 3, m = sizes[s], n = s % 4 == 0 ? 1 : sizes[(s + 9) % SIZES], inner = sizes[(s + 8) % SIZES];
        enum trans ta = variant % 3 == 1 ? NO_TRANS : TRANS, tb = variant % 3 == 0 ? NO_TRANS : TRANS;
        ompfact_tile A = ta == NO_TRANS ? new_tile(m, inner, 1) : new_tile(inner, m, 1);
        ompfact_tile B = tb == NO_TRANS ? new_tile(inner, n, 2) : new_tile(n, inner, 2);
        ompfact_tile C = new_tile(m, n, 3), old = copy_of(&C);
        k->gemm(ta, tb, m, n, inner, -1, A.data, A.ld, B.data, B.ld, C.data, C.ld);
        for (int c = 0; c < n; c++)
            for (int r = 0; r < m; r++) {
                number sum = at(&old, r, c);
                for (int i = 0; i < inner; i++)
                    sum -= factor_at(&A, GENERAL, NON_UNIT, ta, r, i) * factor_at(&B, GENERAL, NON_UNIT, tb, i, c);
                check_close(at(&C, r, c), sum, inner + 2, "gemm", r, c);
            }
        check_padding(&C);
        FREE(&A, &B, &C, &old);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { gemm, herk, hemm, trsm, trsm_large, trsm_tiny_pivots, trsm_zero_pivots, trmm, product,
                                   trsm_divides_by_zero, syrk, symm, gemm_transposed, trsm_large_transposed };
    return run_for_all_types("kernels", sizeof tests / sizeof tests[0], tests);
}
