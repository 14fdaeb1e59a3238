/* Contents of tiles in all four types: transposes, sums, maxima, conversions, and values that are not finite. No MPI. */
#include "tests/omp/kernels/test_kernels.h"

/* Every type has its table, size and eps, and other letters have none. An element that was set has its value. */
START_TEST(tables)
{
    use_type("sdcz"[_i]);
    static const size_t size[] = { 4, 8, 8, 16 };
    ck_assert_int_eq(precision->type, "sdcz"[_i]);
    ck_assert_uint_eq(precision->size, size[_i]);
    ck_assert_double_eq(precision->eps, _i % 2 == 0 ? 0x1p-24 : 0x1p-53);
    ck_assert_int_eq(precision->flops_scale, _i < 2 ? 1 : 4);
    ck_assert_int_eq(precision->other, "dszc"[_i]);
    ck_assert_ptr_null(precision_of('q'));
    ck_assert_ptr_null(precision_of('\0'));

    double element[2], re, im;
    precision->set(element, 0.5, -2);
    precision->get(element, &re, &im);
    ck_assert_double_eq(re, 0.5);
    ck_assert_double_eq(im, is_complex(precision->type) ? -2 : 0);
}
END_TEST

/* B := A^T. */
START_TEST(transpose)
{
    use_type("sdcz"[_i]);
    ompfact_tile A = new_tile(17, 33, 1), B = new_tile(33, 17, 2);
    precision->host->transpose(17, 33, A.data, A.ld, B.data, B.ld);
    for (int c = 0; c < 17; c++)
        for (int r = 0; r < 33; r++)
            ck_assert(at(&B, r, c) == at(&A, c, r));
    check_padding(&B);
    FREE(&A, &B);
}
END_TEST

/* B := A^H. */
START_TEST(conj_transpose)
{
    use_type("sdcz"[_i]);
    ompfact_tile A = new_tile(17, 33, 1), B = new_tile(33, 17, 2);
    k->conj_transpose(17, 33, A.data, A.ld, B.data, B.ld);
    for (int c = 0; c < 17; c++)
        for (int r = 0; r < 33; r++)
            ck_assert(at(&B, r, c) == conj(at(&A, c, r)));
    check_padding(&B);
    FREE(&A, &B);
}
END_TEST

/* A := 0, for any contents. */
START_TEST(clear)
{
    use_type("sdcz"[_i]);
    ompfact_tile A = new_tile(17, 33, 1);
    set(&A, 3, 4, NAN);
    k->clear(17, 33, A.data, A.ld);
    for (int c = 0; c < 33; c++)
        for (int r = 0; r < 17; r++)
            ck_assert(at(&A, r, c) == 0);
    check_padding(&A);
    FREE(&A);
}
END_TEST

/* B += alpha A. */
START_TEST(add)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SIZES; s++) {
        int m = sizes[s], n = sizes[SIZES - 1 - s];
        ompfact_tile A = new_tile(m, n, 1), B = new_tile(m, n, 2), old = copy_of(&B);
        k->add(m, n, -2, A.data, A.ld, B.data, B.ld);
        for (int c = 0; c < n; c++)
            for (int r = 0; r < m; r++)
                check_close(at(&B, r, c), at(&old, r, c) - 2 * at(&A, r, c), 2, "add", r, c);
        check_padding(&B);
        FREE(&A, &B, &old);
    }
}
END_TEST

/* The kernel adds the sums of moduli by column and by row, of a tile or of one triangle, to what the arrays hold. */
START_TEST(sums)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SIZES; s++)
        for (int kind = 0; kind < 3; kind++) {
            enum uplo part = (enum uplo[]){ GENERAL, LOWER, UPPER }[kind];
            int m = sizes[s], n = kind > 0 ? m : sizes[(s + 1) % SIZES];
            double columns[130] = { 1 }, rows[130] = { 2 }, only[130] = { 1 }, want_columns[130] = { 1 }, want_rows[130] = { 2 };
            ompfact_tile A = new_tile(m, n, 4);
            hide_rest(&A, part, NON_UNIT);
            for (int c = 0; c < n; c++)
                for (int r = part == LOWER ? c : 0; r < (part == UPPER ? c + 1 : m); r++) {
                    want_columns[c] += cabs(at(&A, r, c));
                    want_rows[r] += kind > 0 && r == c ? 0 : cabs(at(&A, r, c));
                }
            precision->host->sums(part, m, n, A.data, A.ld, columns, rows);
            precision->host->sums(part, m, n, A.data, A.ld, only, NULL);
            for (int i = 0; i < 130; i++) {
                ck_assert_double_eq_tol(columns[i], want_columns[i], 1e-13 * 130);
                ck_assert_double_eq_tol(only[i], want_columns[i], 1e-13 * 130);
                ck_assert_double_eq_tol(rows[i], want_rows[i], 1e-13 * 130);
            }
            FREE(&A);
        }
}
END_TEST

/* The kernel takes the maximum of the moduli in each column and of what the array holds. A NaN counts as infinite. */
START_TEST(maxima)
{
    use_type("sdcz"[_i]);
    for (int s = 0; s < SIZES; s++) {
        int m = sizes[s], n = sizes[(s + 1) % SIZES];
        double found[130] = { 5 }, want[130] = { 5 };
        ompfact_tile A = new_tile(m, n, 4);
        if (n > 1)
            set(&A, m - 1, 1, NAN);
        for (int c = 0; c < n; c++)
            for (int r = 0; r < m; r++)
                want[c] = fmax(want[c], isnan(creal(at(&A, r, c))) ? INFINITY : cabs(at(&A, r, c)));
        precision->host->maxima(m, n, A.data, A.ld, found);
        for (int i = 0; i < 130; i++)
            ck_assert(found[i] == want[i] || fabs(found[i] - want[i]) <= 4 * precision->eps);
        FREE(&A);
    }
}
END_TEST

/* Conversion to the other precision rounds to the narrower one. Elements beyond a triangle stay unchanged. */
START_TEST(convert)
{
    const struct precision *from = precision_of("sdcz"[_i]), *to = precision_of(from->other);
    static const enum uplo parts[] = { GENERAL, LOWER, UPPER };
    for (int s = 0; s < 3 * SIZES; s++) {
        int m = sizes[s % SIZES], n = sizes[(s + 1) % SIZES];
        enum uplo part = parts[s / SIZES];
        use_type(from->type);
        ompfact_tile A = new_tile(m, n, 1);
        hide_rest(&A, part, NON_UNIT);
        use_type(to->type);
        ompfact_tile B = new_tile(m, n, 2), old = copy_of(&B);
        ck_assert_int_eq(from->host->convert(part, m, n, A.data, A.ld, B.data, B.ld), 0);
        for (int c = 0; c < n; c++)
            for (int r = 0; r < m; r++) {
                bool counts = part == GENERAL || (part == LOWER ? r >= c : r <= c);
                ck_assert(at(&B, r, c) == (counts ? rounded(to->type, get(&A, from->type, r, c)) : at(&old, r, c)));
            }
        check_padding(&B);
        FREE(&A, &B, &old);
    }
}
END_TEST

/* Conversion reports numbers that overflow single precision and NaNs, but only within the converted part. */
START_TEST(convert_loses)
{
    use_type("sdcz"[_i]);
    bool narrows = precision->eps < 1e-10;
    static const struct {
        double value;
        bool fits;
    } cases[] = { { 3e38, true }, { 1e39, false }, { -1e200, false }, { 1e-300, true } };
    double B[2 * 9 * 9];
    for (int c = 0; c < (narrows ? 4 : 1); c++) {
        ompfact_tile A = new_tile(9, 9, 1);
        precision->set(element(&A, precision->type, 2, 7), is_complex(precision->type) ? 1 : cases[c].value, cases[c].value);
        ck_assert_int_eq(precision->host->convert(GENERAL, 9, 9, A.data, A.ld, B, 9), !cases[c].fits);
        ck_assert_int_eq(precision->host->convert(LOWER, 9, 9, A.data, A.ld, B, 9), 0);
        set(&A, 2, 7, NAN);
        ck_assert_int_eq(precision->host->convert(GENERAL, 9, 9, A.data, A.ld, B, 9), 1);
        FREE(&A);
    }
}
END_TEST

/* The first NaN or infinity in storage order is found, but only within the given part. */
START_TEST(not_finite)
{
    use_type("sdcz"[_i]);
    enum { M = 17, N = 15 };
    ompfact_tile A = new_tile(M, N, 1);
    ck_assert_uint_eq(precision->host->not_finite(GENERAL, M, N, A.data, A.ld), 0);
    set(&A, 16, 14, is_complex(precision->type) ? NAN * I : NAN);
    ck_assert_uint_eq(precision->host->not_finite(GENERAL, M, N, A.data, A.ld), 14 * M + 16 + 1);
    set(&A, 3, 7, -INFINITY);
    ck_assert_uint_eq(precision->host->not_finite(GENERAL, M, N, A.data, A.ld), 7 * M + 3 + 1);
    ck_assert_uint_eq(precision->host->not_finite(LOWER, M, N, A.data, A.ld), 14 * M + 16 + 1);
    ck_assert_uint_eq(precision->host->not_finite(UPPER, M, N, A.data, A.ld), 7 * M + 3 + 1);
    set(&A, 16, 1, NAN);
    ck_assert_uint_eq(precision->host->not_finite(UPPER, M, N, A.data, A.ld), 7 * M + 3 + 1);
    set(&A, 0, 0, INFINITY);
    ck_assert_uint_eq(precision->host->not_finite(LOWER, M, N, A.data, A.ld), 1);
    ck_assert_uint_eq(precision->host->not_finite(GENERAL, 0, 0, A.data, A.ld), 0);
    FREE(&A);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { tables, clear, add, sums, conj_transpose, maxima, convert, not_finite, convert_loses,
                                   transpose };
    return run_for_all_types("contents of tiles", sizeof tests / sizeof tests[0], tests);
}
