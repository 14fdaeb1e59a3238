/* Packed tiles on all kinds of processors that this processor can run as, in all four types: their order in memory, and products.
   No MPI. */
#include "tests/omp/kernels/packed_tiles.h"

static ompfact_tile transpose_of(const ompfact_tile *t)
{
    ompfact_tile copy = new_tile(t->nb, t->mb, 1);
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            set(&copy, c, r, conj(at(t, r, c)));
    return copy;
}

static unsigned char *pack(const ompfact_tile *t)
{
    unsigned char *P = new_packed(t);
    packed->pack(t->mb, t->nb, view_of(t), P);
    check_behind(t, P);
    return P;
}

/* Real number i of a packed tile. */
static double real_at(const unsigned char *P, size_t i)
{
    return precision->type == 's' || precision->type == 'c' ? (double)((const float *)P)[i] : ((const double *)P)[i];
}

/* Strips of 64 bytes of rows, column after column. The last strip holds the remaining rows. The source has its columns or its
   rows contiguous. */
START_TEST(order_in_memory)
{
    if (!use_processor(_i))
        return;
    int parts = precision->flops_scale == 4 ? 2 : 1, height = 64 * parts / (int)precision->size;
    for (int s = 0; s < SIZES; s++) {
        int m = sizes[s], n = sizes[(s * 3 + 1) % SIZES];
        ompfact_tile A = new_tile(m, n, 2), H = transpose_of(&A), B = new_tile(m, n, 3), G = transpose_of(&B);
        unsigned char *P = pack(&A), *Q = new_packed(&A);
        for (int c = 0; c < n; c++)
            for (int r = 0; r < m; r++) {
                int first = r / height * height, rows = m - first < height ? m - first : height;
                size_t place = ((size_t)first * (size_t)n + (size_t)c * (size_t)rows) * (size_t)parts + (size_t)(r - first);
                ck_assert(real_at(P, place) == creal(at(&A, r, c)));
                if (parts == 2)
                    ck_assert(real_at(P, place + (size_t)rows) == cimag(at(&A, r, c)));
            }
        packed->pack(m, n, view_of_transpose(&H), Q);
        check_behind(&A, Q);
        ck_assert_mem_eq(P, Q, (size_t)m * (size_t)n * precision->size);
        packed->unpack(m, n, P, view_of(&B));
        packed->unpack(m, n, P, view_of_transpose(&G));
        for (int c = 0; c < n; c++)
            for (int r = 0; r < m; r++) {
                ck_assert(at(&B, r, c) == at(&A, r, c));
                ck_assert(at(&G, c, r) == at(&H, c, r));
            }
        check_padding(&B);
        check_padding(&G);
        free(P);
        free(Q);
        FREE(&A, &H, &B, &G);
    }
}
END_TEST

/* C += alpha A B, and the same with B^H packed. */
static void check_gemm(int m, int n, int l, double alpha)
{
    ompfact_tile A = new_tile(m, l, 2), B = new_tile(l, n, 3), H = transpose_of(&B), C = new_tile(m, n, 4), D = copy_of(&C),
                 before = copy_of(&C);
    unsigned char *P = pack(&A), *Q = pack(&H);
    packed->gemm(m, n, l, alpha, P, B.data, B.ld, C.data, C.ld);
    packed->gemm(m, n, l, alpha, P, Q, 0, D.data, D.ld);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++) {
            number sum = 0;
            for (int i = 0; i < l; i++)
                sum += at(&A, r, i) * at(&B, i, c);
            check_close(at(&C, r, c), at(&before, r, c) + alpha * sum, l + 2, "gemm", r, c);
            check_close(at(&D, r, c), at(&before, r, c) + alpha * sum, l + 2, "gemm, both packed", r, c);
        }
    check_padding(&C);
    check_padding(&D);
    free(P);
    free(Q);
    FREE(&A, &B, &H, &C, &D, &before);
}

/* Small and large products. */
START_TEST(gemm)
{
    if (!use_processor(_i))
        return;
    for (int s = 0; s < SIZES; s++)
        for (int u = 0; u < SIZES; u++)
            check_gemm(sizes[s], sizes[u], sizes[(s + 3 * u) % SIZES], u % 2 == 0 ? -1 : 0.5);
    check_gemm(70, 41, 1200, -1);       /* the inner dimension in pieces */
    check_gemm(800, 9, 300, -1);        /* the rows in pieces */
    check_gemm(17, 17, 0, -1);          /*   no inner dimension */
}
END_TEST

static number signed_sum(enum trans trans, const ompfact_tile *A, int r, const ompfact_tile *B, int c, int negative)
{
    number sum = 0;
    for (int i = 0; i < A->nb; i++)
        sum += (i < negative ? -1 : 1) * at(A, r, i) * (trans == TRANS ? at(B, c, i) : conj(at(B, c, i)));
    return sum;
}

/* C -= A J op(B), and C -= A J op(A) on each triangle. */
static void check_signs(enum trans trans, int m, int n, int l, int negative)
{
    ompfact_tile A = new_tile(m, l, 2), B = new_tile(n, l, 3), C = new_tile(m, n, 4), before = copy_of(&C);
    unsigned char *P = pack(&A), *Q = pack(&B);
    packed->signed_gemm(trans, m, n, l, negative, P, Q, C.data, C.ld);
    check_padding(&C);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++)
            check_close(at(&C, r, c), at(&before, r, c) - signed_sum(trans, &A, r, &B, c, negative), l + 2, "signed gemm", r, c);
    for (int upper = 0; upper < 2; upper++) {
        ompfact_tile S = new_tile(m, m, 5), old = copy_of(&S);
        hide_rest(&S, upper ? UPPER : LOWER, NON_UNIT);
        packed->signed_herk(upper ? UPPER : LOWER, trans, m, l, negative, P, S.data, S.ld);
        check_padding(&S);
        int wrong = 0;
        for (int c = 0; c < m; c++)
            for (int r = 0; r < m; r++) {
                number have = at(&S, r, c), want = at(&old, r, c) - signed_sum(trans, &A, r, &A, c, negative);
                bool stored = upper ? r <= c : r >= c, real = r == c && trans == CONJ_TRANS;
                wrong += stored ? real && cimag(have) != 0 : !isnan(creal(have));
                if (stored)
                    check_close(have, real ? creal(want) : want, (2 * l + 2) * (1 + l / 16.0), "signed herk", r, c);
            }
        ck_assert_int_eq(wrong, 0);
        FREE(&S, &old);
    }
    free(P);
    free(Q);
    FREE(&A, &B, &C, &before);
}

/* No sign is negative, all are, or an odd number is. Long inner dimensions are in pieces, and the sign changes inside a piece. */
START_TEST(signs)
{
    if (!use_processor(_i))
        return;
    for (int s = 0; s < SIZES; s++) {
        int l = sizes[(s * 7 + 2) % SIZES], n = sizes[(s * 3 + 1) % SIZES], counts[] = { 0, l, l / 2 | 1, l / 3 };
        for (int i = 0; i < 4; i++)
            check_signs((s + i) % 2 == 0 ? CONJ_TRANS : TRANS, sizes[s], n, l, counts[i]);
    }
    for (int negative = 200; negative <= 1100; negative += 300)
        check_signs(negative % 200 == 0 ? CONJ_TRANS : TRANS, 70, 9, 1100, negative);
}
END_TEST

/* Packs A^H from packed A, all of it or its last rows alone. */
START_TEST(turn)
{
    if (!use_processor(_i))
        return;
    for (int s = 0; s < SIZES; s++)
        for (int u = 0; u < SIZES; u++) {
            ompfact_tile A = new_tile(sizes[s], sizes[u], 2), H = transpose_of(&A);
            unsigned char *P = pack(&A), *Q = pack(&H), *R = new_packed(&H);
            packed->turn(A.mb, A.nb, 0, A.nb, P, R);
            check_behind(&H, R);
            ck_assert_mem_eq(Q, R, (size_t)A.mb * (size_t)A.nb * precision->size);
            int first = A.nb / 2 / 16 * 16, count = A.nb - first;       /* 16 rows: one or two strips */
            packed->turn(A.mb, A.nb, first, count, P, R);
            size_t before = (size_t)A.mb * (size_t)first * precision->size, size = (size_t)A.mb * (size_t)count * precision->size;
            ck_assert_mem_eq(Q + before, R, size);
            ck_assert_mem_eq(Q + size, R + size, before);       /* unchanged */
            free(P);
            free(Q);
            free(R);
            FREE(&A, &H);
        }
}
END_TEST

/* C -= A A^H on one triangle; beyond it nothing is read or written, and the diagonal is real. */
START_TEST(herk)
{
    if (!use_processor(_i))
        return;
    for (int s = 0; s < SIZES + 2; s++)        /* the last two have several blocks of rows */
        for (int upper = 0; upper < 2; upper++) {
            int n = s < SIZES ? sizes[s] : 300 * (s - SIZES) + 203, l = sizes[(s * 7 + 2) % SIZES];
            enum uplo part = upper ? UPPER : LOWER;
            ompfact_tile A = new_tile(n, l, 2), C = new_tile(n, n, 3);
            hide_rest(&C, part, NON_UNIT);
            for (int i = 0; i < n; i++)
                set(&C, i, i, creal(at(&C, i, i)));
            ompfact_tile before = copy_of(&C);
            unsigned char *P = pack(&A);
            packed->herk(part, n, l, P, C.data, C.ld);
            for (int c = 0; c < n; c++)
                for (int r = 0; r < n; r++) {
                    number sum = 0;
                    for (int i = 0; i < l; i++)
                        sum += at(&A, r, i) * conj(at(&A, c, i));
                    if (upper ? r > c : r < c)
                        ck_assert(isnan(creal(at(&C, r, c))));
                    else
                        check_close(at(&C, r, c), at(&before, r, c) - sum, (2 * l + 2) * (1 + cabs(sum) / 8), "herk", r, c);
                    ck_assert(r != c || cimag(at(&C, r, c)) == 0);
                }
            check_padding(&C);
            free(P);
            FREE(&A, &C, &before);
        }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { order_in_memory, turn, gemm, signs, herk };
    Suite *suite = suite_create("packed tiles");
    TCase *tcase = tcase_create("packed tiles");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_loop_test(tcase, tests[i], 0, PROCESSORS * TYPE_LETTERS);
    suite_add_tcase(suite, tcase);
    return run_serial_suite(suite);
}
