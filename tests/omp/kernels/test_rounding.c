/*
 * Tiles from double to single and back, in columns and packed, compared with the packed form of single elements converted one by
 * one; and the bound on a triangle's norm. No MPI.
 */
#include "omp/kernels/micro/packed.h"
#include "omp/kernels/rounding.h"
#include "tests/problem.h"
#include "tests/suite.h"

static const int sizes[] = { 1, 2, 7, 8, 9, 15, 16, 17, 24, 31, 33, 50 };
enum { SIZES = sizeof sizes / sizeof sizes[0], MOST = 50 * 50 * 16 };

static void set_all(const struct precision *p, int m, int n, char *A)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            number x = random_number('z', 3, i, j);
            p->set(A + (size_t)(i + j * m) * p->size, creal(x), cimag(x));
        }
}

START_TEST(tiles)
{
    static _Alignas(64) char wide[MOST], single[MOST], found[MOST], packed_wide[MOST], packed_single[MOST];
    const struct precision *p = precision_of("dz"[_i]), *s = precision_of(p->other);
    for (int a = 0; a < SIZES; a++)
        for (int b = 0; b < SIZES; b++) {
            int m = sizes[a], n = sizes[b];
            size_t elements = (size_t)m * (size_t)n;
            set_all(p, m, n, wide);
            set_all(s, m, n, single);
            tile_in_precision(false, m, n, p, wide, s, found);
            ck_assert_int_eq(memcmp(found, single, elements * s->size), 0);
            packed_kernels_of(p->type)->pack(m, n, view_of_op(NO_TRANS, wide, m), packed_wide);
            packed_kernels_of(s->type)->pack(m, n, view_of_op(NO_TRANS, single, m), packed_single);
            tile_in_precision(true, m, n, p, packed_wide, s, found);
            ck_assert_msg(memcmp(found, packed_single, elements * s->size) == 0, "%c, %d x %d, rounded", p->type, m, n);
            tile_in_precision(false, m, n, s, single, p, wide);
            packed_kernels_of(p->type)->pack(m, n, view_of_op(NO_TRANS, wide, m), packed_wide);
            tile_in_precision(true, m, n, s, packed_single, p, found);
            ck_assert_msg(memcmp(found, packed_wide, elements * p->size) == 0, "%c, %d x %d, widened", p->type, m, n);
            memset(found, 0, elements * p->size);
            add_single_tile(p, m, n, single, found);
            ck_assert_int_eq(memcmp(found, wide, elements * p->size), 0);
        }
}
END_TEST

/* U and V are rounded as any numbers. The change of U V^H is at most the reported one, which is at most the bound, and zero for
   columns that were rounded before. Columns in single multiply as in double. */
START_TEST(columns)
{
    enum { M = 19, N = 12, RANK = 5 };
    static _Alignas(64) char uv[(M + N) * RANK * 16], single[(M + N) * RANK * 8], back[(M + N) * RANK * 16];
    static _Alignas(64) char product[2][M * N * 16];
    const struct precision *p = precision_of("dz"[_i]), *s = precision_of(p->other);
    double change = 0, most = 0;
    set_all(p, M + N, RANK, uv);
    double reported = columns_to_single(p, M, N, RANK, uv, single);
    tile_in_precision(false, M + N, RANK, p, uv, s, back);
    ck_assert_int_eq(memcmp(back, single, (size_t)(M + N) * RANK * s->size), 0);
    tile_in_precision(false, M + N, RANK, s, single, p, back);
    for (int which = 0; which < 2; which++) {
        const char *columns = which == 0 ? uv : back;
        memset(product[which], 0, sizeof product[which]);
        p->kernels->gemm(NO_TRANS, CONJ_TRANS, M, N, RANK, 1, columns, M + N, columns + M * p->size, M + N, product[which], M);
    }
    for (int k = 0; k < RANK; k++) {
        double u = 0, v = 0;
        for (int i = 0; i < M + N; i++) {
            double re, im;
            p->get(uv + (size_t)(i + k * (M + N)) * p->size, &re, &im);
            *(i < M ? &u : &v) += re * re + im * im;
        }
        most += 2.01 * s->eps * sqrt(u * v);
    }
    for (int i = 0; i < M * N; i++) {
        double re[2], im[2];
        for (int which = 0; which < 2; which++)
            p->get(product[which] + (size_t)i * p->size, &re[which], &im[which]);
        change += pow(re[0] - re[1], 2) + pow(im[0] - im[1], 2);
    }
    ck_assert_msg(sqrt(change) <= reported && reported <= most && reported > 0, "%g, reported %g, at most %g", sqrt(change),
                  reported, most);
    ck_assert(columns_to_single(p, M, N, RANK, back, single) == 0);
    memset(product[0], 0, sizeof product[0]);
    add_single_columns(p, M, N, RANK, single, product[0]);
    for (int i = 0; i < M * N; i++) {
        double re[2], im[2];
        for (int which = 0; which < 2; which++)
            p->get(product[which] + (size_t)i * p->size, &re[which], &im[which]);
        ck_assert(fabs(re[0] - re[1]) <= 1e-14 && fabs(im[0] - im[1]) <= 1e-14);
    }
    ck_assert(tile_to_single(p, M + N, RANK, back, single) == 0 && tile_to_single(p, M + N, RANK, uv, single) > 0);
    p->set(uv, 1e300, 0);
    ck_assert(!isfinite(tile_to_single(p, M + N, RANK, uv, single)) && !isfinite(columns_to_single(p, M, N, RANK, uv, single)));
}
END_TEST

/* The bound is not below || |T| x ||_2 / ||x||_2, and not above the square root of the largest row sum times the largest column
   sum. */
START_TEST(norms)
{
    enum { N = 20 };
    static _Alignas(64) char T[N * N * 16];
    const struct precision *p = precision_of("sdcz"[_i % 4]);
    enum uplo uplo = _i / 4 % 2 ? UPPER : LOWER;
    enum diag diag = _i / 8 ? UNIT : NON_UNIT;
    double moduli[N][N] = { 0 }, rows[N] = { 0 }, columns[N] = { 0 }, row = 0, column = 0, x[N], longest = 0;
    set_all(p, N, N, T);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double re, im;
            p->get(T + (size_t)(i + j * N) * p->size, &re, &im);
            bool counts = uplo == LOWER ? i >= j : i <= j;
            moduli[i][j] = i == j && diag == UNIT ? 1 : counts ? hypot(re, im) : 0;
            rows[i] += moduli[i][j];
            columns[j] += moduli[i][j];
        }
    for (int i = 0; i < N; i++) {
        row = fmax(row, rows[i]);
        column = fmax(column, columns[i]);
        x[i] = 1;
    }
    for (int turn = 0; turn < 50; turn++) {     /* the power method */
        double y[N] = { 0 }, size = 0, squares = 0;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                y[i] += moduli[i][j] * x[j];
        for (int i = 0; i < N; i++) {
            squares += y[i] * y[i];
            size += x[i] * x[i];
        }
        longest = sqrt(squares / size);
        memset(x, 0, sizeof x);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                x[j] += moduli[i][j] * y[i] / squares;
    }
    double bound = triangle_norm2_bound(p, uplo, diag, N, T, N);
    ck_assert_msg(bound >= longest * (1 - 1e-6) && bound <= sqrt(row * column) * (1 + 1e-6), "%g, and %g, %g", bound, longest,
                  sqrt(row * column));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rounding");
    TCase *tests = tcase_create("rounding");
    tcase_add_loop_test(tests, tiles, 0, 2);
    tcase_add_loop_test(tests, columns, 0, 2);
    tcase_add_loop_test(tests, norms, 0, 16);
    suite_add_tcase(suite, tests);
    return run_serial_suite(suite);
}
