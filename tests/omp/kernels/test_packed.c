/* Packed tiles on all kinds of processors that this one can stand for, in all four types: their order in memory, products,
   triangular solves, factorizations. No MPI. */
#include "omp/kernels/micro/packed.h"
#include "tests/omp/kernels/test_kernels.h"

enum { PROCESSORS = 3, TYPE_LETTERS = 4, BEHIND = 64 };

static const struct packed_kernels *packed;    /* under test */

/* false: there are not so many kinds. */
static bool use_processor(int i)
{
    char type = "sdcz"[i % TYPE_LETTERS];
    use_type(type);
    packed = packed_kernels_number(i / TYPE_LETTERS, type);
    return packed != NULL;
}

static struct view view_of(const ompfact_tile *t)
{
    return (struct view){ t->data, 1, t->ld, false };
}

static struct view view_of_transpose(const ompfact_tile *t)
{
    return (struct view){ t->data, t->ld, 1, true };
}

static ompfact_tile transpose_of(const ompfact_tile *t)
{
    ompfact_tile copy = new_tile(t->nb, t->mb, 1);
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            set(&copy, c, r, conj(at(t, r, c)));
    return copy;
}

/* Memory for a packed tile, and behind it some bytes that nobody may change. */
static unsigned char *new_packed(const ompfact_tile *t)
{
    size_t bytes = (size_t)t->mb * (size_t)t->nb * precision->size;
    unsigned char *P = malloc(bytes + BEHIND);
    memset(P, 0xa5, bytes + BEHIND);
    return P;
}

static void check_behind(const ompfact_tile *t, const unsigned char *P)
{
    for (int i = 0; i < BEHIND; i++)
        ck_assert_int_eq(P[(size_t)t->mb * (size_t)t->nb * precision->size + (size_t)i], 0xa5);
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

/* Strips of 64 bytes of rows, column after column, the last one as high as what is left; from columns or from rows of memory. */
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

START_TEST(gemm)
{
    if (!use_processor(_i))
        return;
    for (int s = 0; s < SIZES; s++)
        for (int u = 0; u < SIZES; u++)
            check_gemm(sizes[s], sizes[u], sizes[(s + 3 * u) % SIZES], u % 2 == 0 ? -1 : 0.5);
    check_gemm(70, 41, 1200, -1);       /* the inner dimension in pieces, */
    check_gemm(800, 9, 300, -1);        /*   the rows in pieces, */
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

/* C -= A J op(B), and A J op(A) on both triangles. */
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

/* None negative, all, and an odd number; in pieces of the inner dimension, of which some change signs inside. */
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

/* A^H packed from A packed, and its last rows alone. */
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
            ck_assert_mem_eq(Q + size, R + size, before);       /* as it was */
            free(P);
            free(Q);
            free(R);
            FREE(&A, &H);
        }
}
END_TEST

START_TEST(herk)
{
    if (!use_processor(_i))
        return;
    for (int s = 0; s < SIZES + 2; s++)        /* the last two: several blocks of rows */
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

/* X T = B, T and B as they lie or transposed, X packed where B was, or put back. */
static void check_solve(int m, int n, bool transposed, bool unit, bool stays_packed)
{
    ompfact_tile T = new_tile(n, n, 2), B = transposed ? new_tile(n, m, 3) : new_tile(m, n, 3), X = new_tile(m, n, 4);
    enum uplo part = transposed ? LOWER : UPPER;
    enum diag diag = unit ? UNIT : NON_ZERO;
    for (int c = 0; c < n; c++) {
        for (int r = 0; r < n; r++)
            set(&T, r, c, at(&T, r, c) / n);
        set(&T, c, c, c % 5 == 3 ? 0 : 1 + at(&T, c, c));      /* a zero counts as one */
    }
    hide_rest(&T, part, diag);
    void *work = malloc(packed->solve_bytes(m, n));
    unsigned char *P = stays_packed ? new_packed(&X) : NULL;
    struct triangle triangle = { transposed ? view_of_transpose(&T) : view_of(&T), diag };
    struct view rows = transposed ? view_of_transpose(&B) : view_of(&B);
    ompfact_tile before = copy_of(&B);
    packed->solve(m, n, triangle, rows, work, P, stays_packed ? (struct view){ 0 } : view_of(&X));
    if (stays_packed) {
        check_behind(&X, P);
        packed->unpack(m, n, P, view_of(&X));
    }
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++) {
            number sum = 0;
            for (int i = 0; i <= c; i++) {
                number t = unit && i == c ? 1 : factor_at(&T, part, diag, transposed ? CONJ_TRANS : NO_TRANS, i, c);
                sum += at(&X, r, i) * (i == c && t == 0 ? 1 : t);
            }
            check_close(sum, transposed ? conj(at(&before, c, r)) : at(&before, r, c), 4 * n + 4, "solve", r, c);
        }
    free(work);
    free(P);
    FREE(&T, &B, &X, &before);
}

START_TEST(solve)
{
    if (!use_processor(_i))
        return;
    for (int s = 0; s < SIZES; s++)
        for (int way = 0; way < 8; way++)
            check_solve(sizes[(s + way) % SIZES], sizes[s], way & 1, way & 2, way & 4);
}
END_TEST

/* Pivots so small that their reciprocals overflow, and so large that these are no normal numbers: columns are divided. */
START_TEST(extreme_pivots)
{
    if (!use_processor(_i))
        return;
    enum { N = 33 };
    double extreme[] = { precision->smallest / 4, 1 / precision->smallest * 2 }, quotient[] = { 1, 0x1p-6 };
    for (int e = 0; e < 2; e++) {
        ompfact_tile T = new_tile(N, N, 2), B = new_tile(N, N, 3), X = new_tile(N, N, 4);
        for (int c = 0; c < N; c++)
            for (int r = 0; r < N; r++) {
                set(&T, r, c, r == c ? extreme[e] : 0);
                set(&B, r, c, extreme[e] * quotient[e] * (r + 1));
            }
        void *work = malloc(packed->solve_bytes(N, N));
        packed->solve(N, N, (struct triangle){ view_of(&T), NON_UNIT }, view_of(&B), work, NULL, view_of(&X));
        for (int c = 0; c < N; c++)
            for (int r = 0; r < N; r++)
                check_close(at(&X, r, c) / (quotient[e] * (r + 1)), 1, 4, "solve", r, c);
        free(work);
        FREE(&T, &B, &X);
    }
}
END_TEST

/* Where B lies, and in memory of its own: the same. By one pivot columns are divided. */
static void check_in_place(int m, int n, bool transposed)
{
    ompfact_tile T = new_tile(n, n, 2), B = transposed ? new_tile(n, m, 3) : new_tile(m, n, 3);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < n; r++)
            set(&T, r, c, r != c ? at(&T, r, c) / n : c == 5 ? 2 / precision->smallest : 2);
    unsigned char *P = new_packed(&B), *Q = new_packed(&B);
    for (int c = 0; c < B.nb; c++)
        memcpy(P + (size_t)c * (size_t)B.mb * precision->size,
               (unsigned char *)B.data + (size_t)c * (size_t)B.ld * precision->size, (size_t)B.mb * precision->size);
    struct triangle triangle = { transposed ? view_of_transpose(&T) : view_of(&T), NON_UNIT };
    struct view rows = transposed ? (struct view){ P, B.mb, 1, true } : (struct view){ P, 1, B.mb, false };
    void *work = malloc(packed->solve_bytes(m, n));
    packed->solve(m, n, triangle, rows, work, Q, (struct view){ 0 });
    packed->solve(m, n, triangle, rows, work, P, (struct view){ 0 });
    check_behind(&B, P);
    ck_assert_mem_eq(P, Q, (size_t)m * (size_t)n * precision->size);
    free(work);
    free(P);
    free(Q);
    FREE(&T, &B);
}

START_TEST(solve_in_place)
{
    if (!use_processor(_i))
        return;
    int orders[] = { 16, 48, 64, 80, 112, 33 };
    for (int i = 0; i < 6; i++)
        for (int transposed = 0; transposed < 2; transposed++)
            check_in_place(orders[i], orders[i], transposed);
    check_in_place(64, 48, true);
    check_in_place(64, 48, false);
    check_in_place(19, 32, true);
}
END_TEST

/* Y T = B P, and X's columns from one of Y's columns, or two of them. */
static void check_pivoted(int m, int n, bool transposed, bool in_place)
{
    ompfact_tile T = new_tile(n, n, 2), B = transposed ? new_tile(n, m, 3) : new_tile(m, n, 3), X = new_tile(m, n, 4);
    ompfact_tile weights = new_tile(2 * n, 1, 5), Y = new_tile(m, n, 6);
    int *order = malloc((size_t)n * sizeof *order), *from = malloc(2 * (size_t)n * sizeof *from);
    for (int c = 0; c < n; c++) {
        order[c] = (c + n / 2) % n;
        from[2 * c] = (c + n / 3) % n;
        from[2 * c + 1] = c % 3 == 0 ? (c + 1) % n : -1;
        for (int r = 0; r < n; r++)
            set(&T, r, c, r == c ? NAN : at(&T, r, c) / n);
    }
    unsigned char *P = new_packed(&X);
    struct view rows = transposed ? view_of_transpose(&B) : view_of(&B);
    if (in_place) {     /* columns without a gap */
        for (int c = 0; c < B.nb; c++)
            memcpy(P + (size_t)c * (size_t)B.mb * precision->size,
                   (unsigned char *)B.data + (size_t)c * (size_t)B.ld * precision->size, (size_t)B.mb * precision->size);
        rows = transposed ? (struct view){ P, B.mb, 1, true } : (struct view){ P, 1, B.mb, false };
    }
    void *work = malloc(packed->solve_pivoted_bytes(m, n));
    struct pivoted_columns columns = { order, from, weights.data };
    packed->solve_pivoted(m, n, (struct triangle){ transposed ? view_of_transpose(&T) : view_of(&T), UNIT }, rows, &columns, work,
                          P);
    check_behind(&X, P);
    packed->unpack(m, n, P, view_of(&X));
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++) {
            number y = transposed ? conj(at(&B, order[c], r)) : at(&B, r, order[c]);
            for (int i = 0; i < c; i++)
                y -= at(&Y, r, i) * (transposed ? conj(at(&T, c, i)) : at(&T, i, c));
            set(&Y, r, c, y);
        }
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++) {
            number want = at(&Y, r, from[2 * c]) * at(&weights, 2 * c, 0);
            if (from[2 * c + 1] >= 0)
                want += at(&Y, r, from[2 * c + 1]) * at(&weights, 2 * c + 1, 0);
            check_close(at(&X, r, c), want, 8 * n + 8, "pivoted solve", r, c);
        }
    free(work);
    free(P);
    free(order);
    free(from);
    FREE(&T, &B, &X, &Y, &weights);
}

START_TEST(pivoted)
{
    if (!use_processor(_i))
        return;
    for (int s = 0; s < SIZES; s++)
        for (int way = 0; way < 4; way++)
            check_pivoted(sizes[(s + way) % SIZES], sizes[s], way & 1, way & 2);
}
END_TEST

START_TEST(factors)
{
    if (!use_processor(_i))
        return;
    for (int s = 0; s < SIZES; s++)
        for (int hermitian = 0; hermitian < 2; hermitian++) {
            int n = sizes[s];
            struct problem p = { .type = precision->type, .hermitian = hermitian, .m = n, .n = n, .seed = 5 };
            ompfact_tile A = new_tile(n, n, 1);
            fill_tile(&p, &A);
            void *work = malloc(hermitian ? packed->potrf_bytes(n) : packed->getrf_bytes(n));
            int info = hermitian ? packed->potrf(n, view_of(&A), work) : packed->getrf(n, A.data, A.ld, work);
            ck_assert_int_eq(info, 0);
            number *dense = calloc((size_t)n * (size_t)n, sizeof *dense);
            for (int c = 0; c < n; c++)
                for (int r = 0; r < n; r++)
                    dense[r + c * n] = is_beyond(&p, r, c) ? 0 : at(&A, r, c);
            for (int c = 0; c < n; c++)
                for (int r = 0; r < n; r++)
                    check_close(product_of_factors(&p, dense, r, c), entry_of(&p, r, c), 20 * n, "factors", r, c);
            free(dense);
            free(work);
            check_padding(&A);
            FREE(&A);
        }
}
END_TEST

/* A Hermitian matrix's, or a symmetric one's: its diagonal has large, zero and small elements, for pivots of both orders. */
static number rook_entry(bool symmetric, int r, int c)
{
    number a = random_number(precision->type, 5, r > c ? r : c, r > c ? c : r);
    if (r == c)
        return r % 5 == 0 ? 30 : r % 5 == 1 || symmetric ? 0 : creal(a);
    return r > c || symmetric ? a : conj(a);
}

static number rook_l(const ompfact_tile *A, int r, int c)
{
    return r > c ? at(A, r, c) : r == c;
}

/* (L D)(r,i) */
static number rook_w(const ompfact_tile *A, const struct rook_pivots *p, bool symmetric, int r, int i)
{
    number sum = rook_l(A, r, i) * at(A, i, i);
    int first = p->pair[i] == 2 ? i - 1 : i;
    double e[2] = { 0, 0 };
    if (p->pair[i] != 0)
        precision->get((const char *)p->below + (size_t)first * precision->size, &e[0], &e[1]);
    number below = e[0] + I * e[1];
    if (p->pair[i] == 1)
        sum += rook_l(A, r, i + 1) * below;
    if (p->pair[i] == 2)
        sum += rook_l(A, r, i - 1) * (symmetric ? below : conj(below));
    return sum;
}

static void check_rook(int n, bool symmetric)
{
    ompfact_tile A = new_tile(n, n, 1);
    for (int c = 0; c < n; c++)
        for (int r = 0; r < n; r++)
            set(&A, r, c, rook_entry(symmetric, r, c));
    hide_rest(&A, LOWER, NON_UNIT);
    int *order = calloc(2 * (size_t)n, sizeof *order), wrong = 0;
    void *work = malloc(packed->rook_bytes(n)), *below = calloc((size_t)n, precision->size);
    struct rook_pivots p = { .symmetric = symmetric, .order = order, .pair = order + n, .below = below };
    packed->rook(n, view_of(&A), &p, work);
    for (int r = 0; r < n; r++)
        for (int c = 0; c <= r; c++) {
            number sum = 0;
            for (int i = 0; i <= c || (i < n && p.pair[i] == 2); i++) {
                number l = rook_l(&A, c, i);
                sum += rook_w(&A, &p, symmetric, r, i) * (symmetric ? l : conj(l));
            }
            check_close(sum, rook_entry(symmetric, order[r], order[c]), 60 * n + 60, "rook", r, c);
            wrong += r > c && cabs(at(&A, r, c)) > (precision->flops_scale > 1 ? 16 : 3);
        }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(p.perturbed, 0);
    check_padding(&A);
    free(order);
    free(work);
    free(below);
    FREE(&A);
}

/* P A P^H = L D L^H with bounded L, and without conjugates. */
START_TEST(rook)
{
    if (!use_processor(_i))
        return;
    for (int s = 0; s < SIZES; s++) {
        check_rook(sizes[s], false);
        check_rook(sizes[s], true);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { order_in_memory, turn,           gemm,    signs,  herk, solve,
                                   extreme_pivots,  solve_in_place, pivoted, factors, rook };
    Suite *suite = suite_create("packed tiles");
    TCase *tcase = tcase_create("packed tiles");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_loop_test(tcase, tests[i], 0, PROCESSORS * TYPE_LETTERS);
    suite_add_tcase(suite, tcase);
    return run_serial_suite(suite);
}
