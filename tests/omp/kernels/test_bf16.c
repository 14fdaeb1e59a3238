/*
 * Tiles in bfloat16: numbers are rounded to the nearest, and to an even last bit; a packed tile has its columns in pairs; and
 * products are those of a plain triple loop, to single's roundings, and exact where single has all sums. No MPI.
 */
#include "omp/kernels/bf16.h"
#include "omp/kernels/rounding.h"
#include "tests/problem.h"
#include "tests/suite.h"

static const int sizes[] = { 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 48, 50, 65, 96, 101 };
enum { SIZES = sizeof sizes / sizeof sizes[0], MOST = 101, BEHIND = 64 };

/* ---- numbers --------------------------------------------------------------------------------------------------------------- */

static double kept(double x)
{
    uint16_t b;
    double back;
    bf16_convert(false, 1, 1, precision_of('d'), &x, &bf16_precision, &b);
    bf16_convert(false, 1, 1, &bf16_precision, &b, precision_of('d'), &back);
    return back;
}

START_TEST(nearest)
{
    const double last = 0x1p-7;        /* of 1 */
    for (int sign = -1; sign <= 1; sign += 2)
        for (int k = -100; k <= 100; k += 20) {
            double s = sign * ldexp(1, k);
            ck_assert(kept(s) == s && kept(s * (1 + last)) == s * (1 + last));
            ck_assert(kept(s * (1 + 0.49 * last)) == s && kept(s * (1 + 0.51 * last)) == s * (1 + last));
            ck_assert(kept(s * (1 + 0.5 * last)) == s && kept(s * (1 + 1.5 * last)) == s * (1 + 2 * last));
            ck_assert(kept(s * (2 - 0.4 * last)) == 2 * s);
        }
    ck_assert(kept(0) == 0 && kept(0x1p-126) == 0x1p-126 && kept(0x1p-127) == 0 && kept(-0x1.fp-127) == 0);
    ck_assert(bf16_precision.eps == last / 2 && bf16_precision.size == 2);
}
END_TEST

START_TEST(measured)
{
    float A[7 * 5];
    double norm = 0, change = 0;
    for (int i = 0; i < 35; i++) {
        A[i] = (float)random_number('d', 3, i, 0);
        norm += kept(A[i]) * kept(A[i]);
        change += (A[i] - kept(A[i])) * (A[i] - kept(A[i]));
    }
    struct bf16_rounded found = bf16_measure(7, 5, A);
    ck_assert(fabs(found.norm - sqrt(norm)) <= 1e-14 * found.norm && fabs(found.change - sqrt(change)) <= 1e-12 * found.change);
    uint16_t B[7 * 5];
    bf16_convert(false, 7, 5, precision_of('s'), A, &bf16_precision, B);
    ck_assert(fabs(bf16_norm(7, 5, B) - sqrt(norm)) <= 1e-14 * found.norm);
    ck_assert(found.change > 0 && found.change <= bf16_precision.eps * found.norm);
}
END_TEST

/* ---- tiles ----------------------------------------------------------------------------------------------------------------- */

/* Small whole numbers, which bfloat16 has. */
static double small_number(int seed, int i, int j)
{
    return floor(32 * creal(random_number('d', (unsigned)seed, i, j)));
}

struct tile {
    int m, n;
    _Alignas(64) double wide[MOST * MOST + BEHIND];
    _Alignas(64) float single[MOST * MOST + BEHIND];
    _Alignas(64) uint16_t half[MOST * MOST + BEHIND];
    _Alignas(64) unsigned char packed_wide[8 * MOST * MOST + BEHIND], packed_single[4 * MOST * MOST + BEHIND],
        packed_half[2 * MOST * MOST + BEHIND];
};

static void make(struct tile *t, int seed, int m, int n)
{
    const struct precision *d = precision_of('d'), *s = precision_of('s');
    t->m = m;
    t->n = n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            t->wide[i + j * m] = t->single[i + j * m] = (float)small_number(seed, i, j);
    tile_in_precision(false, m, n, s, t->single, &bf16_precision, t->half);
    packed_kernels_of('d')->pack(m, n, view_of_op(NO_TRANS, t->wide, m), t->packed_wide);
    packed_kernels_of('s')->pack(m, n, view_of_op(NO_TRANS, t->single, m), t->packed_single);
    memset(t->packed_half, 0xa5, sizeof t->packed_half);
    if (n % 2 == 0)
        tile_in_precision(true, m, n, d, t->packed_wide, &bf16_precision, t->packed_half);
}

/* Each precision from each other one, in columns and packed; nothing is written behind. */
START_TEST(converted)
{
    static struct tile t;
    static _Alignas(64) unsigned char found[8 * MOST * MOST + BEHIND];
    const struct precision *of[] = { precision_of('d'), precision_of('s'), &bf16_precision };
    int written = 0;
    for (int a = 0; a < SIZES; a++)
        for (int b = 0; b < SIZES; b++) {
            make(&t, 2, sizes[a], sizes[b]);
            const void *forms[2][3] = { { t.wide, t.single, t.half }, { t.packed_wide, t.packed_single, t.packed_half } };
            size_t elements = (size_t)t.m * (size_t)t.n;
            for (int packed = 0; packed < (t.n % 2 == 0 ? 2 : 1); packed++)
                for (int k = 0; k < 9; k++) {
                    memset(found, 0xa5, sizeof found);
                    tile_in_precision(packed, t.m, t.n, of[k / 3], forms[packed][k / 3], of[k % 3], found);
                    ck_assert_msg(memcmp(found, forms[packed][k % 3], elements * of[k % 3]->size) == 0, "%d x %d, %c to %c, %d",
                                  t.m, t.n, of[k / 3]->type, of[k % 3]->type, packed);
                    for (int i = 0; i < BEHIND; i++)
                        written += found[elements * of[k % 3]->size + (size_t)i] != 0xa5;
                }
        }
    ck_assert_int_eq(written, 0);
}
END_TEST

/* A packed tile becomes what it was, from strips of rows and from strips of columns. */
START_TEST(unpacked)
{
    static struct tile t, turned;
    for (int a = 0; a < SIZES; a++)
        for (int b = 0; b < SIZES; b++) {
            make(&t, 2, sizes[a], sizes[b]);
            if (t.n % 2 == 0) {
                struct packed_tile tile = { &bf16_precision, t.m, t.n, { t.packed_half, 1, t.m, false } };
                ck_assert_int_eq(unpack_in_place(&tile), 0);
                ck_assert_int_eq(memcmp(t.packed_half, t.half, (size_t)t.m * (size_t)t.n * sizeof *t.half), 0);
            }
            if (t.m % 2 == 0) {        /* strips of the transpose, whose columns are t's rows */
                make(&turned, 2, t.m, t.n);
                packed_kernels_of('s')->pack(t.n, t.m, view_of_op(TRANS, t.single, t.m), turned.packed_single);
                tile_in_precision(true, t.n, t.m, precision_of('s'), turned.packed_single, &bf16_precision, turned.packed_half);
                struct packed_tile tile = { &bf16_precision, t.n, t.m, { turned.packed_half, t.m, 1, false } };
                ck_assert_int_eq(unpack_in_place(&tile), 0);
                ck_assert_int_eq(memcmp(turned.packed_half, t.half, (size_t)t.m * (size_t)t.n * sizeof *t.half), 0);
            }
        }
}
END_TEST

/* ---- products -------------------------------------------------------------------------------------------------------------- */

enum { PAD = 3, COLUMNS_BEHIND = 16 };

/* C += alpha A B^T, or on a triangle alpha A A^T: sums of whole numbers, which are exact; what is around C stays. */
static void check_product(const struct tile *A, const struct tile *B, double alpha, enum uplo part)
{
    static float C[(MOST + PAD) * (MOST + COLUMNS_BEHIND)];
    int ld = A->m + PAD, wrong = 0;
    for (int i = 0; i < ld * (B->m + COLUMNS_BEHIND); i++)
        C[i] = part == GENERAL ? (float)(i % 7) : 0;
    if (part == GENERAL)
        bf16_gemm(A->m, B->m, A->n, alpha, A->packed_half, B->packed_half, C, ld);
    else
        bf16_herk(part, A->m, A->n, alpha, A->packed_half, C, ld);
    for (int j = 0; j < B->m + COLUMNS_BEHIND; j++)
        for (int i = 0; i < ld; i++) {
            double sum = 0;
            bool outside = i >= A->m || j >= B->m || (part == LOWER && i < j) || (part == UPPER && i > j);
            for (int l = 0; l < A->n && !outside; l++)
                sum += A->wide[i + l * A->m] * B->wide[j + l * B->m];
            double wanted = (part == GENERAL ? (i + j * ld) % 7 : 0) + alpha * sum;
            wrong += C[i + j * ld] != (float)wanted;
        }
    ck_assert_msg(wrong == 0, "%d x %d x %d: %d wrong elements", A->m, B->m, A->n, wrong);
}

START_TEST(products)
{
    static struct tile A, B;
    if (!bf16_multiplies())
        return;
    for (int a = 0; a < SIZES; a++)
        for (int b = 0; b < SIZES; b++)
            for (int k = 2; k <= 100; k += 48) {
                make(&A, 2, sizes[a], k);
                make(&B, 3, sizes[b], k);
                check_product(&A, &B, b % 2 ? -1 : 2, GENERAL);
                if (b == 0) {
                    check_product(&A, &A, -1, LOWER);
                    check_product(&A, &A, -1, UPPER);
                }
            }
}
END_TEST

/* More rows than are taken at once, whatever the numbers: to single's roundings. */
START_TEST(large)
{
    enum { M = 700, N = 70, K = 600 };
    const struct precision *s = precision_of('s');
    float *numbers = malloc(((M + N) * K + 2 * M * N) * sizeof *numbers), *C = numbers + (M + N) * K, *D = C + M * N;
    uint16_t *half = malloc((M + N) * K * sizeof *half);
    if (!bf16_multiplies())
        return;
    for (int i = 0; i < (M + N) * K; i++)
        numbers[i] = (float)kept(creal(random_number('d', 5, i, 0)));
    memset(C, 0, 2 * M * N * sizeof *C);
    tile_in_precision(true, M, K, s, numbers, &bf16_precision, half);
    tile_in_precision(true, N, K, s, numbers + M * K, &bf16_precision, half + M * K);
    bf16_gemm(M, N, K, -1, half, half + M * K, C, M);
    packed_kernels_of('s')->gemm(M, N, K, -1, numbers, numbers + M * K, 0, D, M);
    double worst = 0;
    for (int i = 0; i < M * N; i++)
        worst = fmax(worst, fabs(C[i] - D[i]));
    ck_assert_msg(worst <= 2 * K * s->eps * 10, "%g", worst);
    free(half);
    free(numbers);
}
END_TEST

static Suite *bf16_suite(void)
{
    Suite *suite = suite_create("tiles in bfloat16");
    TCase *tests = tcase_create("tiles in bfloat16");
    tcase_add_test(tests, nearest);
    tcase_add_test(tests, measured);
    tcase_add_test(tests, converted);
    tcase_add_test(tests, unpacked);
    tcase_add_test(tests, products);
    tcase_add_test(tests, large);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(bf16_suite());
}
