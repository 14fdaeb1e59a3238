/*
 * Tiles in bfloat16. Numbers are rounded to nearest, ties to even. A packed tile has its numbers in pairs. Products are compared
 * with a plain triple loop: they differ by roundings in single, and are exact where single represents all sums. Real and complex.
 * No MPI.
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
    const double last = 0x1p-7;        /* the last bit of 1 */
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
    ck_assert(bf16_complex_precision.eps == last / 2 && bf16_complex_precision.size == 4);
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
    struct bf16_rounded found = bf16_measure(7 * 5, A);
    ck_assert(fabs(found.norm - sqrt(norm)) <= 1e-14 * found.norm && fabs(found.change - sqrt(change)) <= 1e-12 * found.change);
    uint16_t B[7 * 5];
    bf16_convert(false, 7, 5, precision_of('s'), A, &bf16_precision, B);
    ck_assert(fabs(bf16_norm(7 * 5, B) - sqrt(norm)) <= 1e-14 * found.norm);
    ck_assert(found.change > 0 && found.change <= bf16_precision.eps * found.norm);
}
END_TEST

/* ---- tiles ----------------------------------------------------------------------------------------------------------------- */

/* Small integers, which bfloat16 represents exactly. */
static double small_number(int seed, int i, int j)
{
    return floor(32 * creal(random_number('d', (unsigned)seed, i, j)));
}

/* Real elements (1 part) or complex ones (2 parts), in double, in single and in bfloat16. */
struct tile {
    int m, n, parts;
    const struct precision *of[3];
    _Alignas(64) double wide[2 * MOST * MOST + BEHIND];
    _Alignas(64) float single[2 * MOST * MOST + BEHIND];
    _Alignas(64) uint16_t half[2 * MOST * MOST + BEHIND];
    _Alignas(64) unsigned char packed_wide[16 * MOST * MOST + BEHIND], packed_single[8 * MOST * MOST + BEHIND],
        packed_half[4 * MOST * MOST + BEHIND];
};

static bool comes_in_pairs(const struct tile *t)
{
    return t->n * t->parts % 2 == 0;
}

static void make(struct tile *t, int parts, int seed, int m, int n)
{
    t->m = m;
    t->n = n;
    t->parts = parts;
    t->of[0] = precision_of(parts == 1 ? 'd' : 'z');
    t->of[1] = precision_of(t->of[0]->other);
    t->of[2] = bf16_of(t->of[0]);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < parts * m; i++)
            t->wide[i + j * parts * m] = t->single[i + j * parts * m] = (float)small_number(seed, i, j);
    tile_in_precision(false, m, n, t->of[1], t->single, t->of[2], t->half);
    packed_kernels_of(t->of[0]->type)->pack(m, n, view_of_op(NO_TRANS, t->wide, m), t->packed_wide);
    packed_kernels_of(t->of[1]->type)->pack(m, n, view_of_op(NO_TRANS, t->single, m), t->packed_single);
    memset(t->packed_half, 0xa5, sizeof t->packed_half);
    if (comes_in_pairs(t))
        tile_in_precision(true, m, n, t->of[0], t->packed_wide, t->of[2], t->packed_half);
}

/* Each precision is converted from each other one, in columns and packed. Nothing behind the tile is written. */
START_TEST(converted)
{
    static struct tile t;
    static _Alignas(64) unsigned char found[16 * MOST * MOST + BEHIND];
    const struct precision *const *of = t.of;
    int written = 0;
    for (int a = 0; a < SIZES; a++)
        for (int b = 0; b < SIZES; b++) {
            make(&t, _i + 1, 2, sizes[a], sizes[b]);
            const void *forms[2][3] = { { t.wide, t.single, t.half }, { t.packed_wide, t.packed_single, t.packed_half } };
            size_t elements = (size_t)t.m * (size_t)t.n;
            for (int packed = 0; packed < (comes_in_pairs(&t) ? 2 : 1); packed++)
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

/* A packed tile is unpacked to its old contents, from strips of rows and from strips of columns. */
START_TEST(unpacked)
{
    static struct tile t, turned;
    for (int a = 0; a < SIZES; a++)
        for (int b = 0; b < SIZES; b++) {
            make(&t, _i + 1, 2, sizes[a], sizes[b]);
            const size_t bytes = (size_t)t.m * (size_t)t.n * t.of[2]->size;
            if (comes_in_pairs(&t)) {
                struct packed_tile tile = { t.of[2], t.m, t.n, { t.packed_half, 1, t.m, false } };
                ck_assert_int_eq(unpack_in_place(&tile), 0);
                ck_assert_int_eq(memcmp(t.packed_half, t.half, bytes), 0);
            }
            if (t.m * t.parts % 2 == 0) {       /* strips of the conjugate transpose, whose columns are t's rows */
                make(&turned, t.parts, 2, t.m, t.n);
                packed_kernels_of(t.of[1]->type)->pack(t.n, t.m, view_of_op(CONJ_TRANS, t.single, t.m), turned.packed_single);
                tile_in_precision(true, t.n, t.m, t.of[1], turned.packed_single, t.of[2], turned.packed_half);
                struct packed_tile tile = { t.of[2], t.n, t.m, { turned.packed_half, t.m, 1, true } };
                ck_assert_int_eq(unpack_in_place(&tile), 0);
                ck_assert_int_eq(memcmp(turned.packed_half, t.half, bytes), 0);
            }
        }
}
END_TEST

/* ---- products -------------------------------------------------------------------------------------------------------------- */

enum { PAD = 3, COLUMNS_BEHIND = 16 };

static number at_place(const struct tile *t, int i, int l)
{
    const double *x = t->wide + (i + l * t->m) * t->parts;
    return t->parts == 1 ? x[0] : x[0] + x[1] * I;
}

/* C += alpha A B^H, or alpha A A^H on a triangle. Sums of integers are exact. Elements around C stay. */
static void check_product(const struct tile *A, const struct tile *B, double alpha, enum uplo part)
{
    static float C[2 * (MOST + PAD) * (MOST + COLUMNS_BEHIND)];
    int ld = A->m + PAD, parts = A->parts, wrong = 0;
    for (int i = 0; i < parts * ld * (B->m + COLUMNS_BEHIND); i++)
        C[i] = part == GENERAL ? (float)(i % 7) : 0;
    if (part == GENERAL)
        bf16_gemm(A->of[1], A->m, B->m, A->n, alpha, A->packed_half, B->packed_half, C, ld);
    else
        bf16_herk(A->of[1], part, A->m, A->n, alpha, A->packed_half, C, ld);
    for (int j = 0; j < B->m + COLUMNS_BEHIND; j++)
        for (int i = 0; i < ld; i++) {
            number sum = 0;
            bool outside = i >= A->m || j >= B->m || (part == LOWER && i < j) || (part == UPPER && i > j);
            for (int l = 0; l < A->n && !outside; l++)
                sum += at_place(A, i, l) * conj(at_place(B, j, l));
            int at = parts * (i + j * ld);
            wrong += C[at] != (float)((part == GENERAL ? at % 7 : 0) + alpha * creal(sum));
            if (parts == 2)
                wrong += C[at + 1] != (float)((part == GENERAL ? (at + 1) % 7 : 0) + alpha * cimag(sum));
        }
    ck_assert_msg(wrong == 0, "%d parts, %d x %d x %d: %d wrong elements", parts, A->m, B->m, A->n, wrong);
}

START_TEST(products)
{
    static struct tile A, B;
    if (!bf16_multiplies())
        return;
    for (int a = 0; a < SIZES; a++)
        for (int b = 0; b < SIZES; b++)
            for (int k = 2 - _i; k <= 100; k += 48) {
                make(&A, _i + 1, 2, sizes[a], k);
                make(&B, _i + 1, 3, sizes[b], k);
                check_product(&A, &B, b % 2 ? -1 : 2, GENERAL);
                if (b == 0) {
                    check_product(&A, &A, -1, LOWER);
                    check_product(&A, &A, -1, UPPER);
                }
            }
}
END_TEST

/* Products with more rows than the kernel computes at once, for any numbers, are right to single's roundings. */
START_TEST(large)
{
    enum { M = 700, N = 70, K = 600 };
    const int parts = _i + 1, in_a = parts * M * K, in_b = parts * N * K, in_c = parts * M * N;
    const struct precision *s = precision_of(parts == 1 ? 's' : 'c');
    float *numbers = malloc((size_t)(in_a + in_b + 2 * in_c) * sizeof *numbers), *C = numbers + in_a + in_b, *D = C + in_c;
    uint16_t *half = malloc((size_t)(in_a + in_b) * sizeof *half);
    if (!bf16_multiplies())
        return;
    for (int i = 0; i < in_a + in_b; i++)
        numbers[i] = (float)kept(creal(random_number('d', 5, i, 0)));
    memset(C, 0, 2 * (size_t)in_c * sizeof *C);
    tile_in_precision(true, M, K, s, numbers, bf16_of(s), half);
    tile_in_precision(true, N, K, s, numbers + in_a, bf16_of(s), half + in_a);
    bf16_gemm(s, M, N, K, -1, half, half + in_a, C, M);
    packed_kernels_of(s->type)->gemm(M, N, K, -1, numbers, numbers + in_a, 0, D, M);
    double worst = 0;
    for (int i = 0; i < in_c; i++)
        worst = fmax(worst, fabs(C[i] - D[i]));
    ck_assert_msg(worst <= 2 * parts * K * s->eps * 10, "%g", worst);
    memset(C, 0, (size_t)(parts * N * N) * sizeof *C);
    bf16_herk(s, LOWER, N, K, -1, half + in_a, C, N);
    for (int j = 0; j < N && parts == 2; j++)
        ck_assert_msg(C[2 * j * (N + 1)] < 0 && C[2 * j * (N + 1) + 1] == 0, "the diagonal is not real");
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
    tcase_add_loop_test(tests, converted, 0, 2);
    tcase_add_loop_test(tests, unpacked, 0, 2);
    tcase_add_loop_test(tests, products, 0, 2);
    tcase_add_loop_test(tests, large, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_serial_suite(bf16_suite());
}
